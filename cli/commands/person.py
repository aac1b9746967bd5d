"""Who sits here: name and identity, and what is said when a command cannot go on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from cli.exits import Exit
from cli.names import friendly
from cli.settings import Settings
from cli.text import ending
from cli.text.scene import NAME_LIMIT, Scene, clean
from protocol.errors import ProtocolError, RemoteError, Unavailable

if TYPE_CHECKING:
    from protocol.identity import Identity

#: codes that mean: somebody is there and says no
REFUSED = frozenset(
    {
        "full",
        "started",
        "kicked",
        "name",
        "version",
        "journal_version",
        "impostor",
        "match_over",
        "key_changed",
        "own_table",
        "other_table",
        "no_spectators",
        "locked",
        "password",
        "guesses",
        "too_large",
        "too_often",
        "gallery_full",
    }
)
#: hints that mean: nobody is reachable
NOBODY = frozenset(
    {
        "not_found",
        "several",
        "no_address",
        "no_host",
        "no_route",
        "unknown_host",
        "refused",
        "not_citadels",
        "closed",
        "timeout",
        "too_slow",
    }
)
#: hints that mean: with another argument, or once this laptop is in order, it would do
USAGE = frozenset(
    {
        "acquaintances_damaged",
        "acquaintances_unreadable",
        "acquaintances_unwritable",
        "bot_command",
        "differs",
        "disk_full",
        "disk_read_only",
        "elsewhere",
        "identity_damaged",
        "identity_other",
        "identity_unreadable",
        "identity_unwritable",
        "journal_busy",
        "journal_damaged",
        "journal_malformed",
        "journal_unreadable",
        "journal_unwritable",
        "luggage_damaged",
        "luggage_exists",
        "luggage_password",
        "luggage_unreadable",
        "luggage_unwritable",
        "port_busy",
        "no_interface",
        "nothing_saved",
        "nothing_unfinished",
        "password_length",
        "password_line",
        "secrets_damaged",
        "tables_unwritable",
    }
)


def own_identity(settled: Settings) -> tuple[Identity, str]:
    """This laptop's key and its person's name. Raises `Unavailable`."""
    from protocol.identity import load_or_create

    identity = load_or_create(settled.home)
    return identity, chosen_name(settled) or friendly(identity.public)


def chosen_name(settled: Settings) -> str | None:
    """The name that the person has chosen, if any."""
    return clean(settled.name or "", NAME_LIMIT) or None


def exit_for(problem: ProtocolError) -> Exit:
    """The exit code for a failure that ended a command."""
    match problem:
        case Unavailable(hint=hint):
            if hint in REFUSED:
                return Exit.REFUSED
            if hint in NOBODY:
                return Exit.NOBODY
            return Exit.USAGE if hint in USAGE else Exit.BUG
        case RemoteError(code=code):
            return Exit.REFUSED if code in REFUSED else Exit.FAULT
        case _:
            return Exit.BUG


def reason_for(problem: ProtocolError) -> str:
    """The code of a failure."""
    match problem:
        case Unavailable(hint=hint):
            return hint
        case RemoteError(code=code):
            return code
        case _:
            return "bug"


def complain_about(problem: ProtocolError) -> Exit:
    """Say on standard error what went wrong; the exit code for it."""
    print(f"citadels: {ending(reason_for(problem), {}, Scene())}", file=sys.stderr)
    detail = clean(str(problem), 200)
    if detail and detail != reason_for(problem):
        print(f"  {detail}", file=sys.stderr)
    return exit_for(problem)
