"""What comes out of a session, and what one bad attempt costs: never the next one.

Only `ProtocolError` comes out; what was opened is closed; a bug of ours is never silent.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol import Failed, Node, Person
from protocol.application import Genesis
from protocol.errors import LocalError, Malformed, ProtocolError, Unavailable
from protocol.identity.keys import Identity
from protocol.messages import Entries, Knock, Status
from protocol.session import finding, operator_session
from protocol.session.finding import prove, reach
from protocol.session.inbound import Inbound
from protocol.session.links import post
from protocol.session.reporting import typed
from protocol.wire.channel import Channel
from tests.protocol.gathering import (
    PACE,
    Company,
    company,
    cut,
    operator,
    over,
    play,
    until,
)
from tests.protocol.high_card import HighCard
from tests.protocol.session.test_chat import linked
from tests.protocol.session.test_finding import answering, status
from tests.protocol.session.test_hostile import stranger
from tests.protocol.session.test_leaving import leaves_nothing

pytestmark = pytest.mark.played(by=play)

BUGS = (LocalError("a bug"), KeyError("a bug"))


def clumsy(bug: Exception) -> Callable[..., None]:
    def fails(*_: object, **__: object) -> None:
        raise bug

    return fails


def reported() -> list[BaseException]:
    """What the loop's exception handler is told from now on."""
    heard: list[BaseException] = []
    asyncio.get_running_loop().set_exception_handler(
        lambda _, context: heard.append(context["exception"])
    )
    return heard


# One connection.


@pytest.mark.parametrize("bug", BUGS, ids=["LocalError", "KeyError"])
async def test_a_bug_met_by_a_stranger_is_loud_and_costs_its_connection_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bug: Exception
) -> None:
    async with company(tmp_path, 1) as table:  # nobody else speaks meanwhile
        heard, (host,) = reported(), table.nodes
        monkeypatch.setattr(Inbound, "_speaker", clumsy(bug))
        visitor = await stranger(table)
        visitor.post(Knock())
        with pytest.raises(ProtocolError):
            await visitor.receive()
        monkeypatch.undo()
        assert heard == [bug]
        again = await stranger(table)
        again.post(Knock())
        assert isinstance(await again.receive(), Status)
        assert host._session.events.trouble is None
        again.abort()


@pytest.mark.parametrize("bug", BUGS, ids=["LocalError", "KeyError"])
async def test_a_bug_met_by_an_operator_is_told_and_its_link_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bug: Exception
) -> None:
    async with company(tmp_path, 2, rounds=20) as table:
        await table.begin()
        await linked(table)
        heard, (host, guest) = reported(), table.nodes
        monkeypatch.setattr(operator(host).chat, "hear", clumsy(bug))
        assert await guest.say("hello") == ""
        assert isinstance((await until(host, Failed)).problem, LocalError)
        assert bug in heard
        monkeypatch.undo()
        await asyncio.gather(over(host), over(guest))


def test_what_nobody_could_be_sent_is_a_bug() -> None:
    """A message of ours over the limits vanished without a word."""

    class Wire:
        def post(self, message: object) -> None:
            raise LocalError("a message of 1000000 bytes")

    with pytest.raises(LocalError):
        post(Wire(), Knock())  # type: ignore[arg-type]


# One attempt.


async def test_a_bug_in_one_attempt_of_reaching_is_not_an_address_that_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dial = finding.dial

    async def buggy(host: str, port: int, *arguments: object, **more: object) -> Channel:
        if port == 1:
            raise LocalError("a bug")
        return await dial(host, port, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(finding, "dial", buggy)
    async with company(tmp_path, 1) as table, leaves_nothing():
        places = ["127.0.0.1:1", table.nodes[0].address]
        with pytest.raises(LocalError):
            await reach(places, Identity.fresh(), "", None)
        with pytest.raises(LocalError):
            await prove(places, table.identities[0].public)


@pytest.mark.parametrize("bug", [RuntimeError("their library"), OSError("no such network")])
async def test_a_link_is_dialled_again_whatever_the_first_attempt_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bug: Exception
) -> None:
    async with company(tmp_path, 2, rounds=20) as table:
        await table.begin()
        await linked(table)
        guest, dial, failed = table.nodes[1], finding.dial, asyncio.Event()

        async def once(*arguments: object, **more: object) -> Channel:
            if not failed.is_set():
                failed.set()
                raise bug
            return await dial(*arguments, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(finding, "dial", once)
        cut(guest)
        await failed.wait()
        await asyncio.gather(*(over(node) for node in table.nodes))
        assert guest._session.events.trouble is None


async def test_a_bug_in_dialling_an_operator_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dial(*_: object, **__: object) -> Channel:
        raise LocalError("a bug")

    async with company(tmp_path, 2, rounds=50) as table:
        await table.begin()
        await linked(table)
        guest = table.nodes[1]
        heard = reported()
        monkeypatch.setattr(finding, "dial", dial)
        cut(guest)
        assert isinstance((await until(guest, Failed)).problem, LocalError)
        assert heard
        monkeypatch.undo()


# A node that is opened, and left.


@pytest.mark.parametrize("bug", [OSError("no such adapter"), KeyError("a bug")])
async def test_what_keeps_a_table_from_listening_is_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bug: Exception
) -> None:
    async def listen(*_: object, **__: object) -> None:
        raise bug

    monkeypatch.setattr(operator_session, "listen", listen)
    async with leaves_nothing():
        with pytest.raises(LocalError) as caught:
            await Company(tmp_path, 1).host(2)
        assert caught.value.__cause__ is bug


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere such a stack is refused at once")
async def test_a_laptop_without_memory_for_a_thread_is_no_fault_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CPython's own error, for a stack that no system has room for."""

    async def listen(*_: object, **__: object) -> None:
        usual = threading.stack_size(1 << 46)
        try:
            threading.Thread(target=int).start()
        finally:
            threading.stack_size(usual)

    heard = reported()
    monkeypatch.setattr(operator_session, "listen", listen)
    async with leaves_nothing():
        with pytest.raises(Unavailable) as caught:
            await Company(tmp_path, 1).host(2)
        assert caught.value.hint == "no_memory"
        assert isinstance(caught.value.__cause__, RuntimeError)
    assert not heard


def test_memory_that_is_gone_is_no_fault_of_ours() -> None:
    problem = typed(MemoryError(), "opening a table")
    assert isinstance(problem, Unavailable)
    assert problem.hint == "no_memory"


def lost(genesis: Genesis, me: int) -> HighCard:
    raise KeyError("a bug of the game")


async def test_a_game_that_cannot_be_made_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        await table.begin()
        guest = table.nodes.pop()
        path = guest.path
        assert path is not None
        await guest.leave()
        async with leaves_nothing():
            with pytest.raises(LocalError, match="KeyError") as caught:
                await Node.resume(
                    Person(table.homes[1], table.identities[1], interfaces=["lo"]),
                    lost,
                    path=path,
                    announce=False,
                    pace=PACE,
                )
            assert isinstance(caught.value.__cause__, KeyError)


async def test_a_match_that_cannot_begin_leaves_no_file(tmp_path: Path) -> None:
    async with company(tmp_path, 1) as table:
        (host,) = table.nodes
        host._session.make = lost
        with pytest.raises(LocalError, match="KeyError"):
            await host.start()
        assert list((table.homes[0] / "matches").glob("*")) == []


@pytest.mark.parametrize("looks_on", [False, True], ids=["join", "watch"])
async def test_a_disk_that_does_not_answer_is_no_bug(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looks_on: bool
) -> None:
    async with company(tmp_path, 2, spectators=True) as table:
        await table.nodes.pop().leave()
        exists = Path.exists

        def denied(path: Path) -> bool:
            if "matches" in path.parts:
                raise PermissionError(13, "Permission denied")
            return exists(path)

        monkeypatch.setattr(Path, "exists", denied)
        with pytest.raises(Unavailable) as caught:
            await (table.watch(tmp_path / "matches") if looks_on else table.join(1, "B"))
        assert caught.value.hint == "journal_unreadable"
        monkeypatch.undo()


@pytest.mark.parametrize("begun", [False, True], ids=["at the door", "in the lobby"])
async def test_a_match_without_an_entry_is_the_fault_of_its_host(
    tmp_path: Path, begun: bool
) -> None:
    """An IndexError came out of watching, or ended the spectator's task."""
    host = Identity.fresh()
    async with company(tmp_path, 2, spectators=True) as table:
        if begun:
            watcher = await table.watch(tmp_path / "w")
            operator(table.nodes[0]).spectators.broadcast(Entries(()))
            assert isinstance((await until(watcher, Failed)).problem, Malformed)
            return
        async with answering(host, status(host, "host"), Entries(()), None) as false:
            seen = table.nodes[0]._session.table
            seen.address, true = f"127.0.0.1:{false.port}", seen.address
            with pytest.raises(Malformed):
                await table.watch(tmp_path / "w")
            seen.address = true


async def test_what_is_said_at_the_end_is_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with leaves_nothing(), company(tmp_path, 1) as table:
        (host,) = table.nodes
        monkeypatch.setattr(operator(host).tasks, "end", clumsy(KeyError("a bug")))
        with pytest.raises(LocalError, match="leaving failed: KeyError"):
            await host.leave()
        monkeypatch.undo()
        await operator(host).tasks.end()
