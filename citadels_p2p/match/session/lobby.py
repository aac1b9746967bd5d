"""A table as its people are told of it: who sits where, what is proposed, how long it waits."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from citadels_p2p.bots import LEVELS
from citadels_p2p.match.acts import (
    Kick,
    OnceMore,
    OpenSeat,
    Propose,
    Readmit,
    Ready,
    SetBot,
    Start,
    Welcome,
)
from citadels_p2p.match.news import Patience, TableNews, TableSeat, Trust, names_of
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import Liveness, pack_options, unpack_liveness, unpack_options
from citadels_p2p.match.session.table_meant import USUAL_PORT
from citadels_p2p.match.session.trust import agreed
from protocol import Gathering, Node
from protocol.cards.escrow import threshold
from protocol.errors import IllegalEntry
from protocol.journal.genesis import HOST

_KINDS = {"taken": "human", "bot": "bot", "open": "open"}


def persons_of(lobby: Gathering, operator: int | None) -> tuple[int, ...]:
    """The seats of an operator's persons: none where it only carries the table, several where
    they share the laptop.
    """
    return tuple(
        place
        for place, seat in enumerate(lobby.seats)
        if seat.operator == operator and seat.kind == "taken"
    )


def seat_of(lobby: Gathering, operator: int) -> int | None:
    """The seat that an operator's person has; None for one that only carries the table, or
    whose laptop several share.
    """
    seats = persons_of(lobby, operator)
    return seats[0] if len(seats) == 1 else None


def others_of(lobby: Gathering, me: int | None) -> tuple[tuple[str, bytes], ...]:
    """The persons at other laptops than ours, and a host that sits nowhere, each with its
    laptop's key.
    """
    people = [(seat.name, seat.operator) for seat in lobby.seats if seat.kind == "taken"]
    if not persons_of(lobby, HOST):
        people.append((lobby.operators[HOST].name, HOST))
    return tuple(
        (name, lobby.operators[laptop].identity)
        for name, laptop in people
        if laptop is not None and laptop != me
    )


def is_same_table(one: Gathering, other: Gathering) -> bool:
    """Whether two tables differ in nothing but who sits where: game, laptops, people, bots."""

    def whole(lobby: Gathering) -> tuple[object, ...]:
        seats = sorted(
            (
                seat.kind,
                "" if seat.kind == "bot" else seat.name,  # which tells the place
                seat.level,
                b"" if seat.operator is None else lobby.operators[seat.operator].identity,
            )
            for seat in lobby.seats
        )
        laptops = sorted((laptop.identity, laptop.name) for laptop in lobby.operators)
        doors = lobby.locked, lobby.spectators
        return lobby.name, lobby.options, laptops, seats, doors

    return whole(one) == whole(other)


async def prepare(
    node: Node[SealedDealer],
    act: Ready | Start | Kick | Readmit | Welcome | SetBot | OpenSeat | Propose | OnceMore,
) -> str:
    """Do what is done before the start; a refusal's code or ""."""
    match act:
        case OnceMore():  # where the match is over, `Evening` sees to it
            return "not_over"
        case Ready(agrees):
            return await node.ready(agrees=agrees)
        case Start():
            return await node.start()
        case Kick(seat):
            return await node.kick(seat)
        case Readmit():
            return await node.readmit()
        case Welcome():
            return await node.welcome()
        case SetBot(_, level) if level not in LEVELS:
            return "unknown_level"
        case SetBot(seat, level):
            return await node.set_bot(seat, level)
        case OpenSeat(seat):
            return await node.open_seat(seat)
        case Propose(game, liveness):
            waits = liveness or unpack_liveness(node.lobby.options)
            return await node.set_options(pack_options(game, waits), game.seats)


def table_of(
    node: Node[SealedDealer],
    host: int,
    words: tuple[str, ...],
    bots: Mapping[int, str],
    is_here: Callable[[int], bool],
    doubt: Callable[[int | None], str],
    trust: Trust | None,
) -> TableNews:
    """The table now. `host`: who puts things in order, by roster index; `bots`: the level that
    plays a seat, where that is not as at the start; `is_here`: whether nobody misses one;
    `doubt`: why an operator is suspected, or ""; `trust`: what our secrets rest on, once the
    match has begun.

    Raises `IllegalEntry` where its host proposes what is no game at all.
    """
    lobby = node.lobby
    chosen = unpack_options(lobby.options)
    if chosen.seats != len(lobby.seats):
        raise IllegalEntry("options: another number of seats")
    liveness, laptops = unpack_liveness(lobby.options), len(lobby.operators)
    names = names_of(lobby.seats)
    seats = tuple(
        TableSeat(
            seat=index,
            name=names[index],
            kind=_KINDS[seat.kind],
            operator=seat.operator,
            present=seat.operator is None or is_here(seat.operator),
            ready=seat.kind == "bot"
            or (seat.operator is not None and lobby.ready[seat.operator]),
            level=bots.get(index, seat.level),
            suspected=doubt(seat.operator) if seat.kind == "taken" else "",
        )
        for index, seat in enumerate(lobby.seats)
    )
    forsaken = node.forsaken
    invitation = None if forsaken is None else forsaken.invitation
    code, *other_codes = node.codes
    return TableNews(
        table=lobby.table.hex(),
        name=lobby.name,
        edition=chosen.edition,
        options=chosen.to_options(),
        host=lobby.operators[host].name,
        address=node.address,
        seats=seats,
        words=words,
        you=None if node.me is None else next(iter(persons_of(lobby, node.me)), None),
        code=code,
        other_codes=tuple(other_codes),
        spoken=node.spoken(USUAL_PORT),
        watching=node.spectators,
        spectator=node.me is None,
        carrier="" if persons_of(lobby, HOST) else lobby.operators[HOST].name,
        hosting=node.is_host,
        sent_away=node.sent_away,
        host_gone=forsaken is not None and not forsaken.opened_here,
        invited_by="" if invitation is None else invitation.name,
        patience=_patience(liveness, laptops),
        trust=None if node.me is None else trust or agreed(laptops, node.me, liveness.escrow),
    )


def _patience(liveness: Liveness, laptops: int) -> Patience:
    return Patience(
        away=liveness.away,
        step_time=liveness.step_time,
        escrow=liveness.escrow,
        laptops=laptops,
        needed=threshold(laptops, liveness.escrow),
        give_up=liveness.give_up,
    )
