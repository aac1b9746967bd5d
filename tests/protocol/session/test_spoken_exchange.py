"""Joining by what was said aloud: the exchange gives the host's key, and guesses are few."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

from protocol import CodeGuessed, knock
from protocol.errors import Unavailable, WrongPassword
from protocol.identity.keys import Identity
from protocol.journal.statements import VERSION
from protocol.messages import (
    Catalogue,
    CodeShare,
    Denied,
    Knock,
    PasswordProof,
    PasswordShare,
    Status,
)
from protocol.session import password_exchange
from protocol.session.spake import SPOKEN_CODE, GuestUnlocks, HostAdmits, Occasion
from protocol.session.spoken_exchange import AT_ONCE, SECRETS, TRIES, pinned_by
from protocol.wire.addresses import split_address
from protocol.wire.channel import Channel, dial
from protocol.wire.listener import listen
from protocol.wire.spoken_code import SpokenCode
from tests.protocol.gathering import Company, HighCardNode, company, over, play, until

pytestmark = pytest.mark.played(by=play)

USUAL = 24_482


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(password_exchange, "ANSWER_SECONDS", 0.0)


def code_of(node: HighCardNode) -> SpokenCode:
    code = node.spoken(USUAL)
    assert code is not None
    return code


def another(code: SpokenCode) -> SpokenCode:
    """The same place, and a secret that is not the host's."""
    first, second = code.secret
    return SpokenCode(code.parts, code.port, (first, (second + 1) % 256))


async def fails(code: SpokenCode) -> str:
    with pytest.raises(Unavailable) as caught:
        await pinned_by(code, USUAL)
    return caught.value.hint


async def test_who_knows_the_words_has_the_hosts_key_and_plays(tmp_path: Path) -> None:
    table = Company(tmp_path, 2)
    try:
        host = await table.host(2)
        address, key = await pinned_by(code_of(host), USUAL)
        assert (address, key) == (host.address, table.identities[0].public)
        assert host.lobby.seats[1].kind == "open"  # nobody has sat down by asking
        await table.join(1, "Bert", key)
        await table.begin()
        await asyncio.gather(*(over(node) for node in table.nodes))
    finally:
        for node in table.nodes:
            await node.leave()


async def test_a_locked_table_wants_its_password_besides(tmp_path: Path) -> None:
    async with company(tmp_path, 1, password="seven owls") as table:
        address, key = await pinned_by(code_of(table.nodes[0]), USUAL)
        assert (await knock([address], expect=key)).status.locked


async def test_the_words_of_a_password_open_nothing_else(tmp_path: Path) -> None:
    """The same secret, for the other purpose: neither is taken for the other."""
    async with company(tmp_path, 1) as table:
        code = code_of(table.nodes[0])
        channel, guest = await _begun(table, code, purpose="citadels/password")
        channel.post(CodeShare(guest.share))
        share = await _said(channel, PasswordShare)
        channel.post(PasswordProof(guest.prove(share.share)))
        assert await channel.receive() == Denied("not_spoken")
        channel.abort()


async def _begun(
    table: Company, code: SpokenCode, purpose: str = SPOKEN_CODE
) -> tuple[Channel, GuestUnlocks]:
    """A channel to the host, and what a guest would say on it."""
    me = Identity.fresh()
    host, port = split_address(table.nodes[0].address)
    channel = await dial(host, port, me, "", catalogue=Catalogue)
    occasion = Occasion(
        guest=me.public,
        host=channel.peer,
        table=table.nodes[0].lobby.table,
        binding=channel.binding,
        purpose=purpose,
    )
    return channel, GuestUnlocks(code.password, occasion)


async def _said(channel: Channel, kind: type[PasswordShare]) -> PasswordShare:
    answer = await channel.receive()
    assert isinstance(answer, kind)
    return answer


async def test_after_some_wrong_tries_the_words_are_others_and_then_there_are_none(
    tmp_path: Path,
) -> None:
    async with company(tmp_path, 1) as table:
        host = table.nodes[0]
        code = code_of(host)
        for _ in range(SECRETS):
            before, code = code, code_of(host)
            for _ in range(TRIES):
                assert code_of(host) == code
                assert await fails(another(code)) == "not_spoken"
            await until(host, CodeGuessed)
        assert code != before
        assert host.spoken(USUAL) is None
        assert await fails(code) == "no_spoken"
        address, key = host.address, table.identities[0].public
        await knock([address], expect=key)  # the join code is as good as before


async def test_words_that_were_guessed_at_are_of_no_use_any_more(tmp_path: Path) -> None:
    async with company(tmp_path, 1) as table:
        code = code_of(table.nodes[0])
        for _ in range(TRIES):
            await fails(another(code))
        assert await fails(code) == "not_spoken"


async def test_the_right_words_cost_nothing(tmp_path: Path) -> None:
    async with company(tmp_path, 1) as table:
        code = code_of(table.nodes[0])
        for _ in range(TRIES + 1):
            await pinned_by(code, USUAL)
        assert code_of(table.nodes[0]) == code


async def test_many_tries_at_once_are_bounded(tmp_path: Path) -> None:
    """And whoever breaks off in the middle has had a try."""
    async with company(tmp_path, 1) as table:
        host = table.nodes[0]
        code = code_of(host)
        begun = [await _begun(table, another(code)) for _ in range(AT_ONCE + 2)]
        for channel, guest in begun:
            channel.post(CodeShare(guest.share))
        answers = await asyncio.gather(*(channel.receive() for channel, _ in begun))
        refused = [answer for answer in answers if answer == Denied("guesses")]
        assert len(refused) == 2
        for channel, _ in begun:
            channel.abort()
        await until(host, CodeGuessed)
        assert code_of(host) != code


async def test_tries_at_once_are_no_more_than_one_after_the_other(tmp_path: Path) -> None:
    """Right words that come when the others have used the tries up are not told to be so."""
    async with company(tmp_path, 1) as table:
        code = code_of(table.nodes[0])
        begun = [await _begun(table, said) for said in (*[another(code)] * TRIES, code)]
        proofs = []
        for channel, guest in begun:
            channel.post(CodeShare(guest.share))
        for channel, guest in begun:
            proofs.append(guest.prove((await _said(channel, PasswordShare)).share))
        for (channel, _), proof in zip(begun, proofs, strict=True):
            channel.post(PasswordProof(proof))
            assert await channel.receive() == Denied("not_spoken")
            channel.abort()


async def test_a_guest_at_that_address_knows_no_words(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        assert table.nodes[1].spoken(USUAL) is None
        channel, guest = await _begun(table, code_of(table.nodes[0]))
        channel.abort()
        listener = table.nodes[1]._session.table.listener
        assert listener is not None
        place, port = split_address(listener.addresses[0])
        other = await dial(place, port, Identity.fresh(), "", catalogue=Catalogue)
        other.post(CodeShare(guest.share))
        assert await other.receive() == Denied("no_spoken")
        other.abort()


# An impostor at the host's address, with a key of its own.


class Impostor:
    """It answers knocks as a host, and guests' shares with a guess of its own."""

    def __init__(self, guess: SpokenCode) -> None:
        self.identity = Identity.fresh()
        self.right = 0  #: how often its guess was right
        self.wrong = 0
        self._guess = guess

    async def attend(self, channel: Channel) -> None:
        assert isinstance(await channel.receive(), Knock)
        status = Status(
            *(
                VERSION,
                bytes(16),
                "Kitchen",
                "",
                b"",
                "lobby",
                2,
                1,
                0,
                self.identity.public,
                (),
            ),
            *("host", False, False),
        )
        channel.post(status)
        first = await channel.receive()
        assert isinstance(first, CodeShare)
        occasion = Occasion(
            guest=channel.peer,
            host=self.identity.public,
            table=bytes(16),
            binding=channel.binding,
            purpose=SPOKEN_CODE,
        )
        host = HostAdmits(self._guess.password, occasion)
        host.agree(first.share)
        channel.post(PasswordShare(host.share))
        proof = await channel.receive()
        assert isinstance(proof, PasswordProof)
        try:
            channel.post(PasswordProof(host.check(proof.proof)))
            self.right += 1
        except WrongPassword:
            self.wrong += 1
            channel.post(PasswordProof(bytes(32)))  # it would be believed, if it could

    async def meet(self, test: Callable[[int], Awaitable[None]]) -> None:
        listener = await listen(
            self.identity, "", self.attend, catalogue=Catalogue, host="127.0.0.1"
        )
        try:
            await test(listener.port)
        finally:
            await listener.close()


def test_an_impostor_at_that_address_has_one_guess_an_attempt() -> None:
    said = SpokenCode((127, 0, 0, 1), None, (17, 203))
    impostor = Impostor(another(said))

    async def test(port: int) -> None:
        code = SpokenCode(said.parts, port, said.secret)
        for attempt in range(1, 4):
            assert await fails(code) == "not_spoken"
            assert (impostor.right, impostor.wrong) == (0, attempt)

    play(impostor.meet(test))


def test_an_impostor_whose_guess_is_right_is_believed() -> None:
    """That is what 16 bits are worth; without it the test above would show nothing."""
    said = SpokenCode((127, 0, 0, 1), None, (17, 203))
    impostor = Impostor(said)

    async def test(port: int) -> None:
        _address, key = await pinned_by(SpokenCode(said.parts, port, said.secret), USUAL)
        assert key == impostor.identity.public

    play(impostor.meet(test))


async def test_a_machine_in_the_middle_that_passes_everything_on_gains_nothing(
    tmp_path: Path,
) -> None:
    async with company(tmp_path, 1) as table:
        code = code_of(table.nodes[0])
        middle = Identity.fresh()

        async def passes_on(guest: Channel) -> None:
            host, port = split_address(table.nodes[0].address)
            onward = await dial(host, port, middle, "", catalogue=Catalogue)
            assert isinstance(await guest.receive(), Knock)
            onward.post(Knock())
            status = await onward.receive()
            assert isinstance(status, Status)
            guest.post(msgspec.structs.replace(status, host=middle.public))
            for _ in range(2):
                onward.post(await guest.receive())
                guest.post(await onward.receive())
            onward.abort()

        listener = await listen(middle, "", passes_on, catalogue=Catalogue, host="127.0.0.1")
        try:
            misled = SpokenCode(code.parts, listener.port, code.secret)
            assert await fails(misled) == "not_spoken"
        finally:
            await listener.close()
