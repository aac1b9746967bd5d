"""Shell: both ends of the exchange over a password, before anything else is said.

The arithmetic runs on a thread. Both ends answer at a fixed moment, so that how long it took
says nothing, and a wrong guess is paid for before it is looked at. The exchange is imported
where there is one, on a thread too: it sets up its curve in Python.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import msgspec

from protocol.errors import Declined, Malformed, Unavailable, WrongPassword
from protocol.identity.password import Password
from protocol.messages import CodeShare, Denied, PasswordProof, PasswordShare, Status
from protocol.session.person import Person
from protocol.wire.addresses import split_address
from protocol.wire.channel import Channel
from protocol.wire.rate_limits import Guesses, origin

if TYPE_CHECKING:
    from protocol.session.spake import HostAdmits, Occasion

ANSWER_SECONDS = 0.15
"""The arithmetic takes some 20 ms, more on a busy laptop."""

ADMITTED = 64
"""Identities that need not prove again what they have proven: those of a table and its gallery,
twice over."""

PATIENCE_SECONDS = 5.0

M = TypeVar("M", bound=msgspec.Struct)
P = ParamSpec("P")
R = TypeVar("R")


async def show(
    channel: Channel,
    password: Password,
    me: bytes,
    table: bytes,
    opens: type[PasswordShare] | type[CodeShare],
) -> None:
    """A guest's end of an exchange, which begins with such a message: prove to the host that we
    know the password, and let it prove the same.

    Raises `Unavailable` with the host's code ("password", "guesses"), or `WrongPassword` where
    it is the host who does not know it.
    """
    occasion = await _occasion(channel, table, opens, guest=me, host=channel.peer)
    from protocol.session.spake import GuestUnlocks

    guest = await _in_fixed_time(GuestUnlocks, password, occasion)
    channel.post(opens(guest.share))
    share = (await _answer(channel, PasswordShare)).share
    channel.post(PasswordProof(await _in_fixed_time(guest.prove, share)))
    guest.check((await _answer(channel, PasswordProof)).proof)


async def show_password(channel: Channel, status: Status, person: Person) -> None:
    """Unlock the table if it is locked. Raises as `show`, and `Unavailable("locked")` where we
    know no password.
    """
    if not status.locked:
        return
    if person.password is None:
        raise Unavailable("locked", "")
    me = person.identity.public
    await show(channel, person.password, me, status.table, PasswordShare)


class Lock:
    """A host's password, who has proven to know it, and who has guessed how often."""

    def __init__(self, password: Password) -> None:
        self._password = password
        self._guesses = Guesses()
        self._admitted: dict[bytes, None] = {}

    def is_open_to(self, identity: bytes) -> bool:
        """Whether this identity has proven that it knows the password."""
        return identity in self._admitted

    async def admit(
        self, channel: Channel, first: PasswordShare, me: bytes, table: bytes
    ) -> None:
        """Go through the exchange that `first` begins; refusals are told.

        Raises what ends the channel, and `Malformed` for what does not belong here.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        place = origin(split_address(channel.address)[0])
        if not self._guesses.take(place, began):
            channel.post(Denied("guesses"))
            return
        try:
            proof = await examine(channel, self._password, me, table, first)
        except WrongPassword:
            channel.post(Denied("password"))
            return
        self._guesses.give_back(place)
        self._admitted[channel.peer] = None
        if len(self._admitted) > ADMITTED:
            del self._admitted[next(iter(self._admitted))]
        channel.post(proof)


async def examine(
    channel: Channel,
    password: Password,
    me: bytes,
    table: bytes,
    first: PasswordShare | CodeShare,
) -> PasswordProof:
    """A host's end of an exchange, which `first` begins: what to answer to a proof that holds.
    Raises `WrongPassword`, and what ends the channel.
    """
    occasion = await _occasion(channel, table, type(first), guest=channel.peer, host=me)
    host = await _in_fixed_time(_begin, password, occasion, first.share)
    channel.post(PasswordShare(host.share))
    return PasswordProof(host.check((await _answer(channel, PasswordProof)).proof))


async def _occasion(
    channel: Channel, table: bytes, opens: type[msgspec.Struct], *, guest: bytes, host: bytes
) -> Occasion:
    """Of an exchange over this channel, which such a message begins."""
    spake = await asyncio.to_thread(import_module, "protocol.session.spake")
    made: Occasion = spake.Occasion(
        guest=guest,
        host=host,
        table=table,
        binding=channel.binding,
        purpose=spake.SPOKEN_CODE if opens is CodeShare else spake.PASSWORD,
    )
    return made


async def _in_fixed_time(work: Callable[P, R], *args: P.args, **named: P.kwargs) -> R:
    """What this makes of a password, at a moment that tells nothing of how long it took."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    made = await asyncio.to_thread(work, *args, **named)
    await asyncio.sleep(max(0.0, began + ANSWER_SECONDS - loop.time()))
    return made


def _begin(password: Password, occasion: Occasion, share: bytes) -> HostAdmits:
    from protocol.session.spake import HostAdmits

    host = HostAdmits(password, occasion)
    host.agree(share)
    return host


async def _answer(channel: Channel, kind: type[M]) -> M:
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            message = await channel.receive()
    except TimeoutError:
        raise Unavailable("timeout", "in the middle of an unlocking") from None
    if isinstance(message, Denied):
        raise Declined(message.code)
    if not isinstance(message, kind):
        raise Malformed("something else in the middle of an unlocking", culprit=channel.peer)
    return message
