"""Which exit code a failure has, and what each of them means."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from citadels_p2p.exits import Exit as Exit
from cli.i18n import N_
from protocol.errors import ProtocolError, RemoteError, Unavailable

MEANINGS: Mapping[Exit, str] = {
    Exit.FINE: N_("all is well"),
    Exit.BUG: N_("a fault of the program, or `verify` found one in the match"),
    Exit.USAGE: N_("the command, a flag or a setting is not possible"),
    Exit.NOBODY: N_("nobody is reachable"),
    Exit.REFUSED: N_("refused: version, full table, wrong password, changed key"),
    Exit.FAULT: N_("ended by somebody's fault; the evidence is saved"),
    Exit.UNFINISHED: N_("left unfinished; it can be resumed"),
    Exit.UNWRITTEN: N_("standard output cannot be written"),
    Exit.INTERRUPTED: N_("interrupted with Ctrl-C"),
}

#: codes that mean: somebody is there and says no
REFUSED = frozenset({
    "full", "journal_full", "started", "kicked", "name", "version", "journal_version",
    "impostor", "match_over", "key_changed", "own_table", "other_table", "no_spectators",
    "locked", "password", "guesses", "not_spoken", "no_spoken", "too_few_seats",
    "too_large", "too_often", "gallery_full",
})  # fmt: skip
#: hints that mean: nobody is reachable
NOBODY = frozenset({
    "not_found", "none_suits", "several", "no_address", "no_host", "no_route", "unknown_host",
    "only_link_local", "refused", "not_citadels", "closed", "crowded", "timeout", "too_slow",
})  # fmt: skip
#: hints that mean: with another argument, or once this laptop is in order, it would do
USAGE = frozenset({
    "acquaintances_damaged", "acquaintances_unreadable", "acquaintances_unwritable",
    "bad_address", "bad_port", "bot_command", "code_letters", "cut_code", "differs",
    "disk_full", "disk_read_only", "elsewhere",
    "identity_damaged", "identity_other", "identity_unreadable", "identity_unwritable",
    "journal_busy", "journal_damaged", "journal_incomplete", "journal_malformed",
    "journal_unreadable", "journal_unwritable", "luggage_damaged", "luggage_exists",
    "luggage_password", "luggage_unreadable", "luggage_unwritable", "port_busy",
    "no_interface", "nothing_saved", "no_memory", "no_screen", "no_such_seat", "none_saved",
    "none_unfinished", "nothing_to_share", "nothing_unfinished", "other_identity",
    "outbox_lost", "password_length", "password_line", "secrets_damaged", "secrets_lost",
    "tables_unwritable", "unlocked", "web_address",
})  # fmt: skip

#: refusals after which a person may want to type the password (again)
ASKING = ("locked", "password")


def exit_for(problem: ProtocolError) -> Exit:
    """The exit code for a failure that ended a command."""
    reason = reason_for(problem)
    if reason in REFUSED:
        return Exit.REFUSED
    if isinstance(problem, RemoteError):
        return Exit.FAULT
    if reason in NOBODY:
        return Exit.NOBODY
    return Exit.USAGE if reason in USAGE else Exit.BUG


def reason_for(problem: ProtocolError) -> str:
    match problem:
        case Unavailable(hint=hint):
            return hint
        case RemoteError(code=code):
            return code
        case _:
            return "bug"


def complain(why: str) -> Exit:
    """Say on standard error why a command cannot go on; the exit code USAGE."""
    print(f"citadels: {why}", file=sys.stderr)
    return Exit.USAGE
