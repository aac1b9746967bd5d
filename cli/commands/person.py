"""Who sits here: name and identity, and what is said when a command cannot go on.

Whoever named a match that there is not is told which there are.
"""

from __future__ import annotations

import asyncio
import contextlib
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cli.i18n import _
from cli.line.exits import Exit, exit_for, reason_for
from cli.settings import Settings
from cli.settings.file import keep_name
from cli.settings.friendly_names import friendly
from cli.text import ending
from cli.text.findings import LOCAL_NETWORK, advice, found
from cli.text.scene import NAME_LIMIT, Scene, clean, path_shown, unfit
from protocol.errors import ProtocolError, Unavailable
from protocol.memory import addresses

if TYPE_CHECKING:
    from protocol.identity.keys import Identity


def own_identity(settled: Settings) -> tuple[Identity, str]:
    """This laptop's key and its person's name. Raises `Unavailable`."""
    from protocol.identity.keys import load_or_create

    identity = load_or_create(settled.home)
    return identity, chosen_name(settled) or friendly(identity.public)


def chosen_name(settled: Settings) -> str | None:
    """The name that the person has chosen, if any."""
    return clean(settled.name or "", NAME_LIMIT) or None


def ask_name(settled: Settings) -> bool:
    """Ask a person who has no name yet at the terminal, once, and keep the answer; whether
    that was so, which means that they are here for the first time.

    Raises `Unavailable` where there is no identity to think of a name for.
    """
    if not is_nameless(settled):
        return False
    proposed = own_identity(settled)[1]
    question = _("What are you called at the table? Enter alone keeps “{name}”: ")
    with contextlib.suppress(EOFError):
        while True:
            typed = input(question.format(name=proposed))
            name = clean(typed).strip() or proposed
            if why := unfit(name):
                print(why)
                continue
            keep_name(settled.home, name)
            return True
    return False


def first_minute(settled: Settings, *, asks: bool) -> bool | None:
    """The same on the full screen, with a picture of a city: whether (where one `asks`) the
    first game is to be explained; None: they have left.

    Raises `Unavailable` where there is no identity to think of a name for.
    """
    from cli.screen.pages.first_minute import FirstMinute
    from cli.screen.screen import Screen
    from cli.screen.shell import Shell

    page = FirstMinute(settled, own_identity(settled)[1], asks=asks)

    async def show() -> int:
        return await Shell(Screen(page, settled)).run()

    asyncio.run(show())
    return page.guided if page.is_done else None


def wants_guide() -> bool:
    """Whether a person who is here for the first time wants their first game explained."""
    question = _("Is Citadels new to you? 1: a first game, every step explained. Enter: no. ")
    with contextlib.suppress(EOFError):
        return input(question).strip() == "1"
    return False


def is_nameless(settled: Settings) -> bool:
    """Whether a person sits here who was never asked for a name."""
    return settled.name is None and sys.stdin.isatty() and sys.stdout.isatty()


def is_newcomer(settled: Settings) -> bool:
    """Whether a person without a name has left no match here that waits for them."""
    from protocol.storage.match_files import unfinished

    return is_nameless(settled) and not unfinished(settled.home)


def few_addresses() -> str:
    """A warning of a shell that gives a program few addresses; "" where there is none."""
    here = addresses()
    if here is None:  # as nearly everywhere: what looks closer is not imported
        return ""
    from cli.commands.surroundings import check_memory

    return "\n".join(f"{found(one)} {advice(one)}" for one in check_memory(here))


def complain_about(problem: ProtocolError) -> Exit:
    """Say on standard error what went wrong; the exit code for it."""
    print(f"citadels: {ending(reason_for(problem), {}, Scene())}", file=sys.stderr)
    for line in details(problem):
        print(f"  {line}", file=sys.stderr)
    return exit_for(problem)


def details(problem: ProtocolError) -> tuple[str, ...]:
    """What else is told of a failure: the tables among which to choose, or what it names; and
    what this laptop's system may have to do with it.
    """
    reason = reason_for(problem)
    told: tuple[str, ...] = tuple(
        line for line in (clean(str(problem), 200),) if line and line != reason
    )
    if reason in ("not_found", "several"):
        from citadels_p2p.match import NotMeant
        from cli.text.nearby import instead

        if isinstance(problem, NotMeant):
            told = instead(problem)
    if reason in ("not_found", "no_route") and platform.system() == "Darwin":
        told += (_(LOCAL_NETWORK),)
    return told


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
    from citadels_p2p.match.archive.index import Index

    with Index(home) as index:
        for chapter in index.chapters()[:FEW]:
            print(f"  {path_shown(home / chapter.file)}", file=sys.stderr)
    return Exit.USAGE
