"""Shell: which matches there are, for whoever named one that there is not."""

from __future__ import annotations

import sys
from pathlib import Path

from cli.commands.person import complain_about
from cli.i18n import _
from cli.line.exits import Exit
from cli.text.scene import NAME_LIMIT, clean
from protocol.errors import ProtocolError, Unavailable

#: matches that are named, at most
FEW = 3


def complain_of_match(problem: ProtocolError, home: Path) -> Exit:
    """Say what went wrong; of a match that is not there also which are. The exit code."""
    code = complain_about(problem)
    names: tuple[str, ...] = ()
    try:
        match problem:
            case Unavailable(hint="nothing_saved"):
                from citadels_p2p.match import names_saved

                names = names_saved(home, FEW)
            case Unavailable(hint="nothing_unfinished"):
                from citadels_p2p.match import unfinished

                names = tuple(dict.fromkeys(one.name for one in unfinished(home)))[:FEW]
    except (ProtocolError, OSError):
        return code  # of what cannot be read nothing is told
    if names:
        shown = ", ".join(clean(name, NAME_LIMIT) for name in names)
        print("  " + _("The newest here: {names}").format(names=shown), file=sys.stderr)
    return code


def tell_files(home: Path) -> Exit:
    """Name the newest files that hold a match; the exit code for one that is not there."""
    from citadels_p2p.match.archive.history import saved

    for path in saved(home)[:FEW]:
        print(f"  {path}", file=sys.stderr)
    return Exit.USAGE
