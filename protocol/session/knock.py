"""Shell: a table seen from outside: who answers a knock."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from protocol.identity.keys import Identity
from protocol.identity.names import legible
from protocol.roster import MAX_WIRE_NAME
from protocol.session.finding import KNOCK_SECONDS, Way, reach


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStatus:
    """Who answered a knock. `state` is "lobby" or "playing"; `address` is the host's, and
    `host` the key that was proven there. `name` is fit to be shown, and so is `host_name`, as
    that laptop says it.
    """

    table: bytes
    name: str
    edition: str
    options: bytes
    state: str
    seats: int
    taken: int
    bots: int
    host: bytes
    address: str
    spectators: bool
    locked: bool
    host_name: str = ""


async def knock(
    addresses: Iterable[str | Way],
    *,
    expect: bytes | None = None,
    patience: float = KNOCK_SECONDS,
) -> TableStatus:
    """Who answers at the first of these addresses; a guest there names its host.

    We show a key that is made for the moment, so that whoever looks at a list of tables is
    known to nobody for it. `expect`, a `Way` and `patience` are those of `reach`. Raises
    `Unavailable` or a `RemoteError`.
    """
    reached = await reach(addresses, Identity.fresh(), "", expect, patience)
    await reached.channel.close()
    status = reached.status
    return TableStatus(
        table=status.table,
        name=legible(status.name, MAX_WIRE_NAME) or "table",
        edition=status.edition,
        options=status.options,
        state=status.state,
        seats=status.seats,
        taken=status.taken,
        bots=status.bots,
        host=status.host,
        address=reached.address,
        spectators=status.spectators,
        locked=status.locked,
        host_name=reached.channel.peer_name,
    )
