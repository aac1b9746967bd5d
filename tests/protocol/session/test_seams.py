"""What is said outside the journal describes its speaker's own link, and nothing else.

Each attack is what a changed program does to unmodified ones, over real connections.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from protocol import Advanced, Closed, Elsewhere, Failed, Hosted, PeerLost, Reconnecting
from protocol.errors import Malformed, Seatless
from protocol.identity.keys import Identity
from protocol.journal.statements import Operator
from protocol.messages import Denied, Leave
from protocol.session.lobby import HostedLobby, _Guest
from protocol.session.lobby_host import LobbyHost
from protocol.wire.channel import Channel
from tests.protocol.gathering import (
    PACE,
    HighCardNode,
    company,
    match_of,
    operator,
    over,
    play,
    until,
)


def lobby_of(node: HighCardNode) -> LobbyHost:
    lobby = operator(node).lobby
    assert isinstance(lobby, LobbyHost)
    return lobby


def let_in(room: HostedLobby, ghost: Identity, name: str = "Carla") -> None:
    """A changed host counts an operator of its own, at whose laptop nobody sits."""
    room._guests.append(_Guest(Operator(ghost.public, name)))


# R1: ghosts.


def test_a_guest_goes_from_a_table_with_a_laptop_at_which_nobody_sits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.session.lobby.open_terms", lambda content: None)

    async def test() -> None:
        async with company(tmp_path, 2) as table:
            host, guest = table.nodes
            lobby = lobby_of(host)
            let_in(lobby.room, Identity.fresh())
            lobby.room._changed()
            lobby.changed()
            problem = (await until(guest, Failed)).problem
            assert isinstance(problem, Seatless)
            assert problem.culprit == table.identities[0].public

    play(test())


def test_a_host_makes_no_such_table(tmp_path: Path) -> None:
    async def test() -> None:
        async with company(tmp_path, 2) as table:
            room = lobby_of(table.nodes[0]).room
            before = room.terms
            let_in(room, Identity.fresh())
            assert room._changed() == "too_large"
            assert room.terms == before

    play(test())


# R2 and row 5: goodbyes.


async def link(node: HighCardNode, *, to: int) -> Channel:
    """How it speaks in the match with the operator of this roster index."""
    while not match_of(node).mesh.is_linked(to):
        await until(node, Advanced)
    return here(node, to=to)


def here(node: HighCardNode, *, to: int) -> Channel:
    session = operator(node)
    channel = session.links.of(session.table.identity_of(to))
    assert channel is not None
    return channel


@pytest.mark.parametrize("code", ["finished", "left", "closed", "kicked"])
def test_who_says_goodbye_in_its_turn_is_missed_like_anybody(tmp_path: Path, code: str) -> None:
    """It was never missed, whatever clocks the table had agreed on: frozen for ever."""

    async def test() -> None:
        async with company(tmp_path, 3, rounds=50) as table:
            await table.begin()
            anna, bert, _carla = table.nodes
            await asyncio.gather(until(anna, Advanced), until(bert, Advanced))
            (await link(bert, to=0)).post(Leave(code))
            lost = await until(anna, PeerLost)
            assert (lost.operator, lost.parted) == (1, True)
            presence = match_of(anna)._presence
            assert not presence.here[1]
            asleep = asyncio.get_running_loop().time() + 100
            assert presence.silences(asleep)[1] > 100 - PACE.silence

    play(test())


@pytest.mark.parametrize("code", ["finished", "closed", "left", "kicked"])
def test_a_host_that_says_goodbye_is_gone_and_the_match_is_not(
    tmp_path: Path, code: str
) -> None:
    """Whoever was about to name it was sent home, and told that the match was over."""

    async def test() -> None:
        async with company(tmp_path, 3, rounds=30) as table:
            await table.begin()
            anna, *others = table.nodes
            for node in others:
                await until(node, Advanced)
            for index in (1, 2):
                (await link(anna, to=index)).post(Leave(code))
            await anna.leave()
            for node in others:
                while (await until(node, Hosted)).operator == 0:
                    pass
            again = await table.resume(0)
            await asyncio.gather(*map(over, (again, *others)))

    play(test())


def test_at_two_a_goodbye_closes_the_table_and_ends_no_match(tmp_path: Path) -> None:
    async def test() -> None:
        async with company(tmp_path, 2, rounds=50) as table:
            await table.begin()
            anna, bert = table.nodes
            await until(bert, Advanced)
            (await link(anna, to=1)).post(Leave("finished"))
            assert await until(bert, Closed) == Closed("closed", "Anna")

    play(test())


# R7: codes.


@pytest.mark.parametrize("code", ["cheat", "outbox_lost", "journal_damaged", ""])
@pytest.mark.parametrize("kind", [Leave, Denied])
def test_no_code_of_a_host_is_spoken_as_our_own_verdict(
    tmp_path: Path, kind: type[Leave] | type[Denied], code: str
) -> None:
    async def test() -> None:
        async with company(tmp_path, 2) as table:
            anna, bert = table.nodes
            here(anna, to=1).post(kind(code))
            while not isinstance(event := await bert.next(), Closed | Failed):
                pass
            assert isinstance(event, Failed)
            assert isinstance(event.problem, Malformed)
            assert event.problem.culprit == table.identities[0].public

    play(test())


@pytest.mark.parametrize("code", ["elsewhere", "replaced", "linked"])
def test_a_host_of_a_lobby_says_nothing_of_our_other_programs(
    tmp_path: Path, code: str
) -> None:
    async def test() -> None:
        async with company(tmp_path, 2) as table:
            anna, bert = table.nodes
            here(anna, to=1).post(Denied(code))
            assert isinstance((await until(bert, Failed)).problem, Malformed)

    play(test())


def test_a_refusal_is_told_as_its_speakers_word(tmp_path: Path) -> None:
    async def test() -> None:
        async with company(tmp_path, 2) as table:
            anna, bert = table.nodes
            here(anna, to=1).post(Denied("full"))
            assert await until(bert, Closed) == Closed("full", "Anna")

    play(test())


# R5: "elsewhere".


def test_that_another_program_has_our_key_is_told_as_the_word_of_who_says_so(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        async with company(tmp_path, 3, rounds=50) as table:
            await table.begin()
            _anna, bert, carla = table.nodes
            await until(bert, Advanced)
            match_of(carla).mesh.programs.refuse = lambda *_, **__: "elsewhere"  # type: ignore[method-assign]
            (await link(bert, to=2)).abort()
            assert await until(bert, Elsewhere) == Elsewhere(2, "Guest 2")
            assert not operator(bert).events.over

    play(test())


@pytest.mark.parametrize("people", [2, 3])
def test_no_single_word_ends_a_program_as_our_own_finding(tmp_path: Path, people: int) -> None:
    """At two it is all that we know, and told so; at three it takes the word of two."""

    async def test() -> None:
        async with company(tmp_path, people, rounds=50) as table:
            await table.begin()
            anna, bert = table.nodes[:2]
            await until(bert, Advanced)
            match_of(anna).mesh.programs.refuse = lambda *_, **__: "replaced"  # type: ignore[method-assign]
            (await link(bert, to=0)).abort()
            if people == 2:
                assert await until(bert, Closed) == Closed("elsewhere", "Anna")
            else:
                await until(bert, Reconnecting)
                while not match_of(bert).mesh.programs._turned_away["replaced"]:  # noqa: ASYNC110
                    await asyncio.sleep(0)
                assert not match_of(bert).runtime.failed

    play(test())
