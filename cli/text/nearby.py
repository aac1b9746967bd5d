"""Tables on the network and unfinished matches on the disk, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from cli.i18n import _, counted
from cli.text import cards
from cli.text.cells import clip, width, wrap
from cli.text.game import chosen, option_line
from cli.text.guess import alike, is_part
from cli.text.scene import NAME_LIMIT, called, listing, shown
from cli.text.screen import number_of_more

if TYPE_CHECKING:
    from citadels_p2p.match import NotMeant, TableListing, UnfinishedMatch
    from citadels_p2p.rules.view import View

#: characters of a table's name that are shown
TABLE_LIMIT = 60
#: cells of a table's name that stand in one line with all else that is told of it, at least
NAMED = 26
#: unique districts from which they are counted and not named
MANY = 4
#: tables that a complaint names
FEW = 6


def table_title(table: TableListing) -> str:
    """A table's own name, ready to print."""
    return shown(table.name, TABLE_LIMIT)


def table_host(table: TableListing) -> str:
    """Who keeps the table; "" where nobody says."""
    return shown(table.host, NAME_LIMIT) if table.host else ""


def table_detail(table: TableListing) -> str:
    """Who keeps the table, what is played there, and whether one may sit down."""
    host = table_host(table)
    return f"{host} · {table_offer(table)}" if host else table_offer(table)


def table_offer(table: TableListing) -> str:
    """What is played there, and whether one may sit down."""
    free = max(0, table.seats - table.taken)
    seats = counted(
        "{free} of {seats} seat free",
        "{free} of {seats} seats free",
        seats=table.seats,
        free=free,
    )
    if table.bots:
        bots = counted("{count} bot", "{count} bots", count=table.bots)
        seats = f"{seats}, {bots}"
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


def table_game(table: TableListing) -> tuple[str, ...]:
    """The options that differ from the edition's usual ones, and the time for a decision."""
    if table.game is None:
        return (_("a game that this program does not know"),)
    named = [*chosen(table.game, but=("edition", "seats", "uniques"))]
    uniques = table.game.to_options().get("uniques")
    if isinstance(uniques, list):  # many of them by name would fill the screen
        named.append(option_line("uniques", uniques if len(uniques) < MANY else len(uniques)))
    if table.liveness is not None and table.liveness.step_time:
        named.append(option_line("step_time", table.liveness.step_time))
    return tuple(named)


def table_lines(table: TableListing, size: int, *, short: bool = False) -> tuple[str, ...]:
    """A table in lines of at most `size` cells: whether one may sit down, then what is played
    and what tells it from another of its name. `short`: in one line, where nobody claims it
    beside its host.
    """
    detail, number = table_detail(table), f"{table.number}. "
    room = size - width(number)
    name = table_title(table)
    if short:
        name = clip(name, max(NAMED, room - width(detail) - 2))
    head = _("{table}: {detail}").format(table=name, detail=detail)
    if short and not table.contested:
        return (clip(number + head, size),)
    about = (*table_game(table), table.code)
    indent = " " * width(number)
    more = (*wrap(head, room), *wrap("\u00a0· ".join(about), room))
    if table.contested:  # two laptops say that it is theirs, and one of them is lying
        warning = _(
            "Another laptop says that this table is its own: "
            "take the one whose code the host reads to you."
        )
        more += wrap(warning, room)
    first, *rest = (line.replace("\u00a0", " ") for line in more)  # it kept dots from leading
    return (number + first, *(indent + line for line in rest))


def crowded_out(count: int) -> str:
    """That so many laptops announce tables beyond those that are listed."""
    return counted(
        "{count} more laptop announces a table: there is no room for it in this list.",
        "{count} more laptops announce tables: there is no room for them in this list.",
        count=count,
    )


def claimed_twice(table: TableListing) -> str:
    """That two laptops claim it, with the key that tells this row from the other."""
    return _("claimed by two laptops: {fingerprint}").format(fingerprint=table.fingerprint)


def instead(problem: NotMeant) -> tuple[str, ...]:
    """What whoever meant a table that is not there, or one of several, may type instead."""
    typed, likes = problem.detail, alike(problem.detail, (one.name for one in problem.rows))
    rows = sorted(
        problem.rows, key=lambda one: (not is_meant(one, typed), one.name not in likes)
    )
    told = [
        f"{one.number}. {' · '.join(filter(None, (table_title(one), table_host(one))))}"
        f" ({one.fingerprint})"
        for one in rows[:FEW]
    ]
    if likes and problem.hint == "not_found":
        word = shown(likes[0], TABLE_LIMIT)
        told.insert(0, _("Did you mean {word}?").format(word=word))
    if len(rows) > FEW:
        told.append(
            counted("and {count} more: `citadels tables` lists all", count=len(rows) - FEW)
        )
    return tuple(told)


def is_meant(table: TableListing, typed: str) -> bool:
    """Whether the table's name or its host's has this part, in whatever letters."""
    return is_part(typed, f"{table.name} {table.host}")


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


def match_detail(match: UnfinishedMatch, room: int | None = None) -> str:
    """Who plays in an unfinished match; in `room` cells some may only be counted."""
    host = _("{edition}, you host it, with {names}")
    sentence = host if match.hosted else _("{edition}, with {names}")

    def said(names: Sequence[str]) -> str:
        return sentence.format(edition=cards.edition(match.edition), names=listing(names))

    return _in(room, said, dict(enumerate(map(called, match.names))), match.seat)


def _in(
    room: int | None,
    said: Callable[[Sequence[str]], str],
    seats: Mapping[int, str],
    ours: int | None,
) -> str:
    """What is said of all seats; in `room` cells it counts those that are left out: the last
    ones, never ours.
    """
    told, left = dict(seats), list[str]()
    while room is not None and width(said([*told.values(), *left])) > room and len(told) > 1:
        del told[next(seat for seat in reversed(told) if seat != ours)]
        left = [number_of_more(len(seats) - len(told))]
    return said([*told.values(), *left])


def round_of(view: View) -> str:
    return _("Round {round}.").format(round=view.round)


def standing(match: UnfinishedMatch, view: View, room: int | None = None) -> str:
    """How an unfinished match stands: the round, then points and built of size, most first; in
    `room` cells some may only be counted.
    """
    told = {
        seat.seat: f"{called(match.names[seat.seat])} {seat.points_so_far}"
        f" ({len(seat.city)}/{view.city_size})"
        for seat in sorted(view.seats, key=lambda seat: -seat.points_so_far)
    }
    return _in(room, lambda parts: f"{round_of(view)} {', '.join(parts)}", told, match.seat)
