"""A table before the match: who sits where, whether it is the same, and what is done there."""

from __future__ import annotations

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
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import pack_options, unpack_liveness
from protocol import Gathering, Node
from protocol.application import Agreed
from protocol.journal.genesis import HOST
from protocol.session.lobby import HostedLobby


def persons_of(lobby: Agreed, operator: int | None) -> tuple[int, ...]:
    """The seats of an operator's persons: none where it only carries the table, several where
    they share the laptop.
    """
    return tuple(
        place
        for place, seat in enumerate(lobby.seats)
        if seat.operator == operator and seat.kind == "taken"
    )


def seat_of(lobby: Agreed, operator: int) -> int | None:
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
            return node.kick(seat)
        case Readmit():
            return node.change(HostedLobby.readmit)
        case Welcome():
            return node.change(HostedLobby.welcome)
        case SetBot(_, level) if level not in LEVELS:
            return "unknown_level"
        case SetBot(seat, level):
            return node.change(lambda room: room.set_bot(seat, level))
        case OpenSeat(seat):
            return node.change(lambda room: room.open_seat(seat))
        case Propose(game, liveness):
            waits = liveness or unpack_liveness(node.lobby.options)
            packed = pack_options(game, waits)
            return node.change(lambda room: room.set_options(packed, game.seats))
