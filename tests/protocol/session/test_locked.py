"""Locked tables over real sockets: who may come in, and what guessing costs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from protocol import Advanced, Began, Reconnected, knock
from protocol.errors import Unavailable
from protocol.identity.keys import Identity
from protocol.identity.password import Password
from protocol.journal.statements import NOTHING, VERSION
from protocol.messages import (
    Catalogue,
    Denied,
    Heartbeat,
    Join,
    Knock,
    Lobby,
    PasswordProof,
    PasswordShare,
    Status,
    Watch,
)
from protocol.session import password_exchange
from protocol.session.spake import GuestUnlocks, Occasion
from protocol.wire import rate_limits
from protocol.wire.addresses import split_address
from protocol.wire.channel import Channel, dial
from tests.protocol.gathering import Company, company, cut, over, play, until

pytestmark = pytest.mark.played(by=play)

WORD = "seven owls"


async def stranger(table: Company) -> Channel:
    host, port = split_address(table.nodes[0].address)
    return await dial(host, port, Identity.fresh(), "", catalogue=Catalogue)


async def said(channel: Channel) -> msgspec.Struct:
    """The next thing that is not a sign of life."""
    while isinstance(message := await channel.receive(), Heartbeat):
        pass
    return message


async def refused(table: Company, index: int, password: str | None) -> str:
    while len(table.identities) <= index:
        table.identities.append(Identity.fresh())
        table.homes.append(table.homes[0].parent / str(len(table.homes)))
    with pytest.raises(Unavailable) as caught:
        await table.join(index, "Eve", password=password)
    return caught.value.hint


async def test_who_knows_the_password_plays(tmp_path: Path) -> None:
    async with company(tmp_path, 3, password=WORD) as table:
        await table.begin()
        await asyncio.gather(*(over(node) for node in table.nodes))


async def test_a_locked_table_says_that_it_is(tmp_path: Path) -> None:
    async with company(tmp_path, 2, password=WORD) as table:
        for node in table.nodes:
            listener = node._session.table.listener
            assert listener is not None
            status = (await knock([listener.addresses[0]])).status
            assert status.locked
            assert node._session.table.announcement(listener.port, hosting=True).locked


async def test_no_password_a_wrong_one_and_a_superfluous_one(tmp_path: Path) -> None:
    async with company(tmp_path / "shut", 1, password=WORD) as table:
        assert await refused(table, 1, None) == "locked"
        assert await refused(table, 2, "six owls") == "password"
    async with company(tmp_path / "open", 2) as table:
        assert await refused(table, 2, "whatever") == "full"  # an open table asks nobody


@pytest.mark.parametrize("has_begun", [False, True])
async def test_nobody_but_the_host_has_guesses_looked_at(
    tmp_path: Path, *, has_begun: bool
) -> None:
    """Else a table had as many times the guesses as it has laptops."""
    async with company(tmp_path, 2, 60, password=WORD) as table:
        if has_begun:
            await table.begin()
        listener = table.nodes[1]._session.table.listener
        assert listener is not None
        host, port = split_address(listener.addresses[0])
        channel = await dial(host, port, Identity.fresh(), "", catalogue=Catalogue)
        occasion = _occasion(channel, table)
        channel.post(PasswordShare(GuestUnlocks(Password(WORD), occasion).share))
        assert await said(channel) == Denied("locked")
        channel.abort()


async def test_spectators_need_the_password_too(tmp_path: Path) -> None:
    async with company(tmp_path, 2, 20, spectators=True, password=WORD) as table:
        for word, code in ((None, "locked"), ("six owls", "password")):
            with pytest.raises(Unavailable) as caught:
                await table.watch(tmp_path / "w", password=word)
            assert caught.value.hint == code
        watcher = await table.watch(tmp_path / "w", password=WORD)
        await table.begin()
        await until(watcher, Began)
        cut(watcher)
        await until(watcher, Reconnected)
        await asyncio.gather(over(watcher), *(over(node) for node in table.nodes))


async def test_who_plays_comes_back_without_the_password(tmp_path: Path) -> None:
    """Its key is in the genesis, and the host knows it from the handshake."""
    async with company(tmp_path, 2, rounds=8, password=WORD) as table:
        cut(table.nodes[1])
        await until(table.nodes[1], Reconnected)  # in the lobby
        await table.begin()
        await until(table.nodes[1], Advanced)
        cut(table.nodes[1])
        await until(table.nodes[1], Reconnected)
        await until(table.nodes[1], Advanced)
        await table.nodes[1].leave()
        again = await table.resume(1)
        await asyncio.gather(over(table.nodes[0]), over(again))


@pytest.mark.parametrize(
    "word",
    [Join(VERSION, "Eve", ()), Watch(VERSION, bytes(16), 0, NOTHING)],
    ids=["join", "watch"],
)
async def test_without_both_proofs_nobody_comes_in(
    tmp_path: Path, word: msgspec.Struct
) -> None:
    """Half an exchange is none: nothing was confirmed."""
    async with company(tmp_path, 1, spectators=True, password=WORD) as table:
        channel = await stranger(table)
        channel.post(Knock())
        assert isinstance(await said(channel), Status)
        channel.post(word)
        assert await said(channel) == Denied("locked")
        occasion = _occasion(channel, table)
        channel.post(PasswordShare(GuestUnlocks(Password(WORD), occasion).share))
        assert isinstance(await said(channel), PasswordShare)
        channel.post(word)  # the right password, but not proven
        await channel.closed()


def _occasion(channel: Channel, table: Company, me: bytes = bytes(32)) -> Occasion:
    return Occasion(
        guest=me,
        host=channel.peer,
        table=table.nodes[0].lobby.table,
        binding=channel.binding,
    )


async def test_a_proof_that_was_overheard_opens_no_other_connection(tmp_path: Path) -> None:
    """The same identity, the same host, the same bytes: another channel, another binding."""
    async with company(tmp_path, 2, spectators=True, password=WORD) as table:
        me = Identity.fresh()
        host, port = split_address(table.nodes[0].address)
        first = await dial(host, port, me, "", catalogue=Catalogue)
        guest = GuestUnlocks(Password(WORD), _occasion(first, table, me.public))
        first.post(PasswordShare(guest.share))
        share = await said(first)
        assert isinstance(share, PasswordShare)
        proof = guest.prove(share.share)
        second = await dial(host, port, me, "", catalogue=Catalogue)
        second.post(PasswordShare(guest.share))
        assert isinstance(await said(second), PasswordShare)
        second.post(PasswordProof(proof))
        assert await said(second) == Denied("password")
        first.post(PasswordProof(proof))
        answer = await said(first)
        assert isinstance(answer, PasswordProof)
        guest.check(answer.proof)
        first.post(Watch(VERSION, table.nodes[0].lobby.table, 0, NOTHING))
        assert isinstance(await said(first), Lobby)
        first.abort()
        second.abort()


async def test_a_relay_between_guest_and_host_opens_nothing(tmp_path: Path) -> None:
    """It passes on every share and proof, over channels that it has made with its own key."""
    async with company(tmp_path, 1, password=WORD) as table:
        relay = await stranger(table)
        victim = Identity.fresh()
        # The victim has a channel to the relay, with another binding and another host key.
        misled = Occasion(
            guest=victim.public,
            host=Identity.fresh().public,
            table=table.nodes[0].lobby.table,
            binding=b"\1" * 32,
        )
        guest = GuestUnlocks(Password(WORD), misled)
        relay.post(PasswordShare(guest.share))
        share = await said(relay)
        assert isinstance(share, PasswordShare)
        relay.post(PasswordProof(guest.prove(share.share)))
        assert await said(relay) == Denied("password")
        relay.post(Join(VERSION, "Eve", ()))
        assert await said(relay) == Denied("locked")
        relay.abort()


async def test_guessing_is_soon_at_its_end_for_one_machine_and_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "GUESSES", 3)
    monkeypatch.setattr(password_exchange, "ANSWER_SECONDS", 0.0)
    async with company(tmp_path, 2, password=WORD) as table:
        for index in range(3):
            assert await refused(table, 2 + index, f"guess {index}") == "password"
        assert await refused(table, 5, "one more") == "guesses"
        assert await refused(table, 6, WORD) == "guesses"  # nobody is told that it is right
        await table.begin()  # who is inside notices nothing
        await asyncio.gather(*(over(node) for node in table.nodes[:2]))


async def test_the_right_password_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "GUESSES", 2)
    monkeypatch.setattr(password_exchange, "ANSWER_SECONDS", 0.0)
    async with company(tmp_path, 6, password=WORD) as table:
        assert len(table.nodes) == 6


async def test_many_guesses_at_once_are_paid_for_before_they_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "GUESSES", 3)
    async with company(tmp_path, 1, password=WORD) as table:

        async def guess() -> str:
            channel = await stranger(table)
            guest = GuestUnlocks(Password("a guess"), _occasion(channel, table))
            channel.post(PasswordShare(guest.share))
            answer = await said(channel)
            channel.abort()
            return "guesses" if answer == Denied("guesses") else "tried"

        answers = await asyncio.gather(*(guess() for _ in range(10)))
        assert sorted(answers) == ["guesses"] * 7 + ["tried"] * 3


async def test_a_proof_before_any_share_ends_the_connection(tmp_path: Path) -> None:
    async with company(tmp_path, 1, password=WORD) as table:
        channel = await stranger(table)
        channel.post(PasswordProof(bytes(32)))
        await channel.closed()


@pytest.mark.parametrize(
    "share",
    [
        b"Z" + bytes(32),
        b"A\2" + bytes(31),
        b"A\1" + bytes(30) + b"\x80",
        b"A\xee" + b"\xff" * 30 + b"\x7f",
    ],
    ids=["no side", "not on the curve", "identity with a sign", "identity plus p"],
)
async def test_a_share_that_is_none_is_a_wrong_guess(tmp_path: Path, share: bytes) -> None:
    async with company(tmp_path, 1, password=WORD) as table:
        channel = await stranger(table)
        channel.post(PasswordShare(share))
        assert await said(channel) == Denied("password")
        channel.post(Join(VERSION, "Eve", ()))
        assert await said(channel) == Denied("locked")
        channel.abort()
