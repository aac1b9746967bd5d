"""What is to be found before anybody sits: tables on the network, matches on the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.i18n import _, ngettext
from cli.text import cards
from cli.text.scene import called, listing, shown

if TYPE_CHECKING:
    from citadels_p2p.match.seating import TableListing, UnfinishedMatch

#: characters of a table's name that are shown
TABLE_LIMIT = 60


def table_title(table: TableListing) -> str:
    """A table's own name, ready to print."""
    return shown(table.name, TABLE_LIMIT)


def table_detail(table: TableListing) -> str:
    """What is played there, and whether one may sit down."""
    seats = ngettext(
        "{taken} of {seats} seat taken", "{taken} of {seats} seats taken", table.seats
    ).format(taken=table.taken, seats=table.seats)
    state = _("open") if table.state == "lobby" else _("playing")
    locked = ", " + _("locked") if table.locked else ""
    welcome = ", " + _("spectators welcome") if table.spectators else ""
    return _("{edition}, {seats}, {state}{locked}{welcome}").format(
        edition=cards.edition(table.edition),
        seats=seats,
        state=state,
        locked=locked,
        welcome=welcome,
    )


def table_line(table: TableListing) -> str:
    """A table with everything that tells it from another of its name."""
    return _("{table}: {detail}; {address} [{fingerprint}]").format(
        table=table_title(table),
        detail=table_detail(table),
        address=table.address,
        fingerprint=table.fingerprint,
    )


def why_not(table: TableListing) -> str:
    """Why nobody can sit down or look on there now; "" where one can."""
    if table.state == "lobby" and table.taken < table.seats:
        return ""
    if table.spectators:
        return ""
    if table.state != "lobby":
        return _("The match has already begun, without spectators.")
    return _("Every seat is taken.")


def match_title(match: UnfinishedMatch) -> str:
    """An unfinished match by its table's name."""
    return shown(match.name, TABLE_LIMIT)


def match_detail(match: UnfinishedMatch) -> str:
    """Who plays in an unfinished match."""
    names = listing([called(name) for name in match.names])
    if match.hosted:
        return _("{edition}, you host it, with {names}").format(
            edition=cards.edition(match.edition), names=names
        )
    return _("{edition}, with {names}").format(
        edition=cards.edition(match.edition), names=names
    )
