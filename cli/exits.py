"""Exit codes: what a script may conclude."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from cli.i18n import N_


class Exit(IntEnum):
    """Stable numbers, listed in `citadels --help` and in the manual."""

    FINE = 0
    BUG = 1  #: ours; `citadels verify` also answers 1 for a match that is not sound
    USAGE = 2
    NOBODY = 3  #: nobody reachable
    REFUSED = 4  #: version, full, wrong password, changed key
    FAULT = 5  #: ended by a peer's fault, evidence saved
    UNFINISHED = 6  #: can be resumed
    INTERRUPTED = 130


MEANINGS: Mapping[Exit, str] = {
    Exit.FINE: N_("all is well"),
    Exit.BUG: N_("a fault of the program, or `verify` found one in the match"),
    Exit.USAGE: N_("the command, a flag or a setting is not possible"),
    Exit.NOBODY: N_("nobody is reachable"),
    Exit.REFUSED: N_("refused: version, full table, wrong password, changed key"),
    Exit.FAULT: N_("ended by somebody's fault; the evidence is saved"),
    Exit.UNFINISHED: N_("left unfinished; it can be resumed"),
    Exit.INTERRUPTED: N_("interrupted with Ctrl-C"),
}
