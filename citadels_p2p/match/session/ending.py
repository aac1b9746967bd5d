"""Shell: why a session ends, as its person is told: the last words and the exit code."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace

from citadels_p2p.exits import Exit
from citadels_p2p.match.news import Bye, Notice
from protocol.errors import Diverged, RemoteError, Unavailable
from protocol.memory import is_out_of_memory
from protocol.roster import Operator


def report(problem: Exception) -> None:
    """A fault of ours, for whoever reads reports."""
    about = {"message": "a session failed", "exception": problem}
    asyncio.get_running_loop().call_exception_handler(about)


def reason_of(problem: RemoteError | Unavailable) -> str:
    """The code of what a peer or the world did."""
    return problem.hint if isinstance(problem, Unavailable) else problem.code


def last_words(
    problem: Exception, operators: Iterable[Operator], *, has_begun: bool
) -> tuple[tuple[Notice, ...], Bye]:
    """What is said of what ended the match, and the goodbye. A fault of ours is reported.

    A match that `has_begun` has a file, which shows others who it was.
    """
    if isinstance(problem, RemoteError) and problem.culprit is None:
        # Nobody is shown to have done it, so nobody is said to be a cheat.
        said: tuple[Notice, ...] = ()
        if isinstance(problem, Diverged) and problem.seq >= 0:
            said = (Notice("diverged", {"seq": problem.seq}),)
        return said, Bye(Exit.FAULT, problem.code)
    if isinstance(problem, RemoteError):
        name = next((one.name for one in operators if one.identity == problem.culprit), "")
        bye = Bye(Exit.FAULT, "cheat", {"name": name, "what": problem.code})
        if not has_begun:
            return (), replace(bye, reason="broke")
        return (Notice("cheat", dict(bye.fields)),), bye
    return (), _without_peers(problem)


def worse(bye: Bye, problem: Exception) -> Bye:
    """The last word of one that found this wrong when it left. A fault of ours is reported."""
    found = _without_peers(problem)
    return found if bye.code in (Exit.FINE, Exit.UNFINISHED) else bye  # there was worse before


def _without_peers(problem: Exception) -> Bye:
    """The goodbye where no peer did it: the world, or we, who report that."""
    if isinstance(problem, Unavailable):
        return Bye(Exit.UNFINISHED, problem.hint)
    if is_out_of_memory(problem):
        return Bye(Exit.UNFINISHED, "no_memory")
    report(problem)
    return Bye(Exit.BUG, "bug")
