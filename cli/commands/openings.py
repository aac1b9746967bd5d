"""From a command line to a session: what `host`, `join`, `watch`, `resume` and `play` open.

The commands and the lobby go through here, so that what the lobby offers is what could be
typed. Nothing is opened before the opening is awaited.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, count, repeat
from typing import TYPE_CHECKING, TypeAlias

from citadels_p2p import match
from citadels_p2p.match import Session
from cli.client.effects import Client
from cli.client.guide import IN_LINES, Guide
from cli.client.hot_seat import HotSeat
from cli.client.plain import Plain
from cli.client.terminal import Terminal, wipeable
from cli.commands.person import chosen_name, own_identity
from cli.line.game_options import described, is_usual
from cli.settings import Settings, ui_of
from cli.settings.friendly_names import friendly
from cli.text import spoken
from cli.text.lobby import table_name
from protocol.errors import Unavailable
from protocol.identity.password import Password

if TYPE_CHECKING:
    from protocol.wire.spoken_code import SpokenCode

#: opens a session, or raises a `ProtocolError`
Opening: TypeAlias = Callable[[], Awaitable[Session]]


def opening(
    options: argparse.Namespace, settled: Settings, password: Password | None = None
) -> Opening:
    """What a parsed command line opens; ValueError with a code where that is no game.

    `password`: the table's, to lock it or to come in. Without one a table that is to be locked
    does not open: awaiting it raises `Unavailable("unlocked")`.
    """
    opens = _OPENINGS[options.command](options, settled, password)
    locks = options.command in LOCKING and options.locked
    return _stay_shut if locks and password is None else opens


def plain_client(
    options: argparse.Namespace, settled: Settings, terminal: Terminal, *, listens: bool
) -> Client:
    """The plain table of a command. ValueError ("no_screen") where several persons share the
    laptop, and what one of them has read would stay.
    """
    stays = lingers(options) or (options.command == "play" and terminal.interactive)
    table = partial(Plain, linger=stays, listens=listens, on_light=settled.theme == "light")
    if getattr(options, "guided", False):
        alone = table()
        alone.guide = Guide(IN_LINES)
        return alone
    if terminal.wipes and options.command in SHARED:
        return HotSeat(table)  # who goes on with a match may have shared the laptop in it
    if getattr(options, "people", None) is not None:
        raise ValueError("no_screen")
    return table()


def lingers(options: argparse.Namespace) -> bool:
    """Whether a person stays at the table after the last score, to talk."""
    if options.command == "join":
        return options.bot is None and options.bot_command is None
    return options.command in ("host", "resume")


async def _stay_shut() -> Session:
    raise Unavailable("unlocked")


def _host(options: argparse.Namespace, settled: Settings, password: Password | None) -> Opening:
    rules = described(options)
    free, shared = options.seats - options.bots, options.people or ()
    if options.bots < 0 or free < (0 if options.no_seat else 1):
        raise ValueError("no_seat_left")
    if free < len(shared):
        raise ValueError("too_many_people")
    table = match.TableOptions(
        name=options.table or "",
        rules=rules,
        bots=(options.bot_level,) * options.bots,
        no_seat=options.no_seat,
        autostart=options.start_when_full,
        spectators=bool(options.spectators or options.gallery),
        places=options.gallery or None,
        port=options.port,
        liveness=match.Liveness(
            away=options.away,
            give_up=options.give_up,
            step_time=options.step_time,
            escrow=options.escrow,
        ),
    )

    async def open_table() -> Session:
        here = _here(settled, password, shared)
        named = table if table.name else replace(table, name=table_name(here.name))
        session = await match.host(named, here)
        return _repeatable(session, settled, password)

    return open_table


def _join(options: argparse.Namespace, settled: Settings, password: Password | None) -> Opening:
    target = _target(options)

    async def open_table() -> Session:
        session = await match.join(
            _here(settled, password, options.people or ()),
            target,
            wait=options.wait,
            bot=options.bot,
            passes_on=options.bot_command is None and _passes_on(settled),
        )
        by_itself = options.bot or options.bot_command
        return session if by_itself else _repeatable(session, settled, password)

    if options.bot_command is None:
        return open_table
    from cli.client.external_bot import seat_program, split_command

    command, quiet = split_command(options.bot_command), ui_of(settled) == "full"

    async def open_with_program() -> Session:
        return await seat_program(command, open_table, patience=options.bot_time, quiet=quiet)

    return open_with_program


def _watch(
    options: argparse.Namespace, settled: Settings, password: Password | None
) -> Opening:
    target = _target(options)

    async def open_table() -> Session:
        session = await match.watch(_here(settled, password), target, wait=options.wait)
        return _repeatable(session, settled, password, follows=options.stay or _stays(settled))

    return open_table


def _target(options: argparse.Namespace) -> str | SpokenCode | None:
    """Which table is meant, as it was typed or said. Raises `spoken.Mistyped`."""
    typed: str | None = options.table
    return None if typed is None else spoken.meant(typed) or typed


def _resume(
    options: argparse.Namespace, settled: Settings, password: Password | None
) -> Opening:
    async def open_table() -> Session:
        session = await match.resume(
            _here(settled, password),
            options.table,
            take_over=options.take_over,
            passes_on=_passes_on(settled),
        )
        return _repeatable(session, settled, password)

    return open_table


def _replay(options: argparse.Namespace, settled: Settings, _: Password | None) -> Opening:
    async def open_table() -> Session:
        return await match.replay(
            home=settled.home,
            target=options.match,
            seat=None if options.seat is None else options.seat - 1,
            straight=options.straight,
            whole=ui_of(settled) == "full",
        )

    return open_table


def _play(options: argparse.Namespace, settled: Settings, _: Password | None) -> Opening:
    if options.guided and not is_usual(options):
        raise ValueError("guided_deal")
    rules = described(options)
    first, *others = options.people or (None,)
    bots = options.seats - (0 if options.no_seat else 1 + len(others))
    if bots < 0:
        raise ValueError("too_many_people")

    seeds: Iterator[int | None] = repeat(None)
    if options.guided:
        seeds = chain((GUIDED_SEED,), seeds)
    elif options.seed is not None:
        seeds = count(options.seed)

    def deal() -> Session:
        return match.practice(
            rules,
            levels=("easy" if options.guided else options.bot_level,) * bots,
            name=first or chosen_name(settled) or _practice_name(settled),
            others=others,
            seed=next(seeds),
            spectate=options.no_seat,
        )

    async def open_table() -> Session:
        return match.Evening(deal(), match.PracticeAgain(deal), stays=True)

    return open_table


def _repeatable(
    session: Session, settled: Settings, password: Password | None, *, follows: bool = False
) -> Session:
    """The session of a table, which may be followed by others with the same people; by
    itself, where it `follows`.

    A program ends with its match, as what drives it expects.
    """
    assert isinstance(session, match.Online)
    again = match.TableAgain(session, _here(settled, password))
    return match.Evening(session, again, stays=_stays(settled), follows=follows)


def _here(
    settled: Settings, password: Password | None, shared: Sequence[str] = ()
) -> match.PersonHere:
    """Who sits here: those who share this laptop, or its one person. Raises `Unavailable`."""
    name, *others = shared or (own_identity(settled)[1],)
    stays, interface = _stays(settled), settled.interface
    return match.PersonHere(settled.home, name, interface, password, stays, tuple(others))


def _stays(settled: Settings) -> bool:
    """Whether somebody sits here who reads the score, and no program."""
    return ui_of(settled) != "json" and sys.stdin.isatty()


def _passes_on(settled: Settings) -> bool:
    """Whether several persons can share this laptop: what one has read goes before the next."""
    wipes = sys.stdin.isatty() and sys.stdout.isatty() and wipeable(sys.stdout)
    return ui_of(settled) == "full" or (ui_of(settled) == "plain" and wipes)


def _practice_name(settled: Settings) -> str:
    """The laptop's own friendly name; any other where it has no key and cannot keep one."""
    try:
        return own_identity(settled)[1]
    except Unavailable:
        return friendly(secrets.token_bytes(8))


_Maker: TypeAlias = Callable[[argparse.Namespace, Settings, Password | None], Opening]
_OPENINGS: dict[str, _Maker] = {
    "host": _host,
    "join": _join,
    "watch": _watch,
    "resume": _resume,
    "play": _play,
    "replay": _replay,
}

#: the deal of the guided game: the cards with which a beginner meets most in the first rounds
GUIDED_SEED = 48

#: the commands whose --locked locks a table of one's own
LOCKING = frozenset({"host", "resume"})

#: the commands at whose tables several persons may sit at this laptop
SHARED = frozenset({"host", "join", "resume", "play"})

#: the commands that open a session
OPENED = frozenset(_OPENINGS)
