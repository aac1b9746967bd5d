"""Exit codes: what a script may conclude."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Stable numbers, listed in `citadels --help` and in the manual."""

    FINE = 0
    BUG = 1  #: ours; `citadels verify` also answers 1 for a match that is not sound
    USAGE = 2
    NOBODY = 3  #: nobody reachable
    REFUSED = 4  #: version, full, wrong password, changed key
    FAULT = 5  #: ended by a peer's fault, evidence saved
    UNFINISHED = 6  #: can be resumed
    UNWRITTEN = 7  #: standard output fails
    INTERRUPTED = 130
