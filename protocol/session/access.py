"""Shell: who may come to a table: its password, and how often one machine may try."""

from __future__ import annotations

from protocol.errors import Malformed
from protocol.messages import CodeShare, Denied, PasswordShare
from protocol.session.password_exchange import Lock
from protocol.session.reporting import now
from protocol.session.spoken_exchange import SpokenSecret
from protocol.session.table import Table
from protocol.wire.addresses import split_address
from protocol.wire.channel import Channel
from protocol.wire.rate_limits import (
    CHANGE_SECONDS,
    CHANGES_OF_MIND,
    SITTING_SECONDS,
    SITTINGS_PER_ADDRESS,
    TokenBuckets,
    origin,
)


class Access:
    """The lock of a table, if it has one, and the rate at which seats are asked for."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.spoken: SpokenSecret | None = None  #: of a table that is ours
        self._lock: Lock | None = None
        self._sittings = TokenBuckets(SITTINGS_PER_ADDRESS, SITTING_SECONDS)
        self._changes = TokenBuckets(CHANGES_OF_MIND, CHANGE_SECONDS)

    def can_admit(self) -> bool:
        """Whether somebody can come in at all: not where the table is locked, and we host it
        after another without knowing its password.
        """
        return not self._table.locked or self._own_lock() is not None

    def is_shut_to(self, identity: bytes) -> bool:
        """Whether this identity has yet to show the password."""
        lock = self._own_lock()
        return self._table.locked and (lock is None or not lock.is_open_to(identity))

    def sits_too_often(self, channel: Channel) -> bool:
        """One machine after another key of its own: each time everybody's readiness is gone."""
        place = origin(split_address(channel.address)[0])
        return place != "loopback" and not self._sittings.take(place, now())

    def wavers(self, channel: Channel) -> bool:
        """A guest that takes back that it agrees, again and again."""
        return not self._changes.take(channel.peer.hex(), now())

    async def admit(
        self, channel: Channel, first: PasswordShare | CodeShare, *, hosting: bool
    ) -> None:
        """Go through the exchange that `first` begins, over our spoken code, or the password
        where we host: each laptop that answered would have guesses of its own.

        Raises what ends the channel, and `Malformed` where there is no password.
        """
        me, table = self._table.person.identity.public, self._table
        if isinstance(first, CodeShare):
            if self.spoken is None:
                channel.post(Denied("no_spoken"))
            else:
                await self.spoken.admit(channel, first, me, table.id)
        elif not table.locked:
            raise Malformed("a password for a table without one")
        elif (lock := self._own_lock()) is None or not hosting:
            channel.post(Denied("locked"))
        else:
            await lock.admit(channel, first, me, table.id)

    def _own_lock(self) -> Lock | None:
        """The table's lock, made of the password that our person knows: who hosts after another
        was let in by it. None where there is none, or where we do not know the password.
        """
        known = self._table.person.password
        if self._lock is None and self._table.locked and known is not None:
            self._lock = Lock(known)
        return self._lock
