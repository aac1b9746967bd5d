"""Shell: from a lobby whose host is gone to the same table somewhere else: at our own laptop,
or at that of the guest who has opened it first.
"""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import chain, repeat

from protocol import chance
from protocol.application import A
from protocol.errors import RemoteError, Unavailable
from protocol.messages import TableOpened
from protocol.roster import MAX_ADDRESSES, Operator
from protocol.session.closing import released_on_failure
from protocol.session.finding import PROOF_SECONDS, dial_once
from protocol.session.links import post
from protocol.session.lobby import Gathering, HostedLobby
from protocol.session.lobby_host import LobbyHost
from protocol.session.operator_session import OperatorSession
from protocol.session.person import Person
from protocol.session.reopening import Forsaken
from protocol.wire.addresses import adapters

PAUSES = (0.0, 1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds before each invitation, and again the last of these: a guest may not have missed the
host yet, or sleep."""


async def moved(session: OperatorSession[A]) -> OperatorSession[A]:
    """The table of this lobby somewhere else; this session of it is closed.

    It stays where there is no way to where we are invited, and the invitation is dropped; and
    where we cannot open it here, because our adapter is away or our persons have no room.
    Raises `Unavailable` ("host_here" where nobody is missed) or a `RemoteError`.
    """
    forsaken = session.table.forsaken
    if forsaken is None or (forsaken.opened_here and forsaken.invitation is None):
        raise Unavailable("host_here")
    fresh = OperatorSession(session.table.person, session.make, session.pace)
    async with released_on_failure(fresh.release):
        there, forsaken.invitation = forsaken.invitation, None
        if there is not None:
            await fresh.join(there.addresses, there.identity)
            await session.close("left", finished=False)
        else:
            await _check(fresh.table.person, forsaken.lobby)
            listener = session.table.listener
            port = 0 if listener is None else listener.port
            await session.close("left", finished=False)
            session.table.forsaken = None  # there is no way back
            # The others find us where we were: perhaps they open it in this very moment.
            await _open(fresh, forsaken.lobby, port)
    return fresh


async def _check(person: Person, before: Gathering) -> None:
    """Raises `Unavailable` where a table of ours cannot be."""
    await asyncio.to_thread(adapters, person.interfaces)
    try:
        _room(person, before, Operator(person.identity.public, person.name))
    except ValueError:  # its host had fewer seats for us than we are
        raise Unavailable("too_few_seats") from None


def _room(person: Person, before: Gathering, host: Operator) -> HostedLobby:
    """The same name, game, bots, lock and gallery; our seats are the first."""
    return HostedLobby(
        table=chance.source.randbytes(16),
        name=before.name,
        options=before.options,
        host=host,
        seats=len(before.seats),
        bots=[seat.level for seat in before.seats if seat.kind == "bot"],
        others=person.others,
        locked=before.locked and person.password is not None,
        spectators=before.spectators,
    )


async def _open(fresh: OperatorSession[A], before: Gathering, port: int) -> None:
    """At our laptop; everybody else is invited."""
    table = fresh.table
    room = partial(_room, table.person, before)
    try:
        await fresh.host(room, port)
    except Unavailable as problem:
        if problem.hint != "port_busy":
            raise
        await fresh.host(room, 0)
    table.forsaken = Forsaken(before, opened_here=True)
    fresh.tasks.spawn(_invite(fresh, table.forsaken), "invite")


async def _invite(fresh: OperatorSession[A], forsaken: Forsaken) -> None:
    """Tell those who sat there, until they are here."""
    for pause in chain(PAUSES, repeat(PAUSES[-1])):
        await asyncio.sleep(pause)
        lobby = fresh.lobby
        if not isinstance(lobby, LobbyHost):
            return  # the match has begun
        missing = [one for one in forsaken.others if lobby.room.index_of(one.identity) is None]
        await asyncio.gather(*(_tell(fresh, forsaken.lobby.table, one) for one in missing))


async def _tell(fresh: OperatorSession[A], table: bytes, guest: Operator) -> None:
    """Say it at the first address where this guest proves who it is."""
    person, listener = fresh.table.person, fresh.table.listener
    assert listener is not None
    for address in guest.addresses:
        try:
            channel = await dial_once(
                address, person.identity, person.name, guest.identity, PROOF_SECONDS
            )
        except (RemoteError, Unavailable):
            continue  # an old address, or it is gone as well
        post(channel, TableOpened(table, listener.addresses[:MAX_ADDRESSES]))
        await channel.close()
        return
