"""Nobody honest is blamed, live: changed programs against laptops that are what they should be.

Each test is a row of what such programs once brought about (`protocol/ATTACKS.md`): real nodes
over sockets and disks, where the liar is a few lines of the program of one of them. The cheap
card game where any game will do, the real one where people or `citadels verify` are told.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
import pytest

from citadels_p2p.match.archive.audit import verify
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.refusal import STALE
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import Liveness
from citadels_p2p.rules import Rules
from protocol import Began, Hosted, LobbyChanged, Node, NodeEvent, Pace, unfinished_matches
from protocol.application import Application, Contribution, Genesis
from protocol.errors import IllegalEntry, RemoteError, Unavailable
from protocol.identity.keys import Identity
from protocol.journal.chain import Chain
from protocol.journal.evidence import exhibit
from protocol.journal.genesis import NO_TERM
from protocol.journal.statements import (
    DOMAIN_ACK,
    DOMAIN_AUTHORED,
    DOMAIN_REFUSAL,
    MAX_ORDERED,
    Ack,
    Authored,
    Ordered,
    Refusal,
    Signed,
    authored_hash,
    sign,
)
from protocol.messages import Acked, Entries, Fault, Follow, History, Refused, Submit, Witness
from protocol.replication import raft
from protocol.replication.catching_up import answer
from protocol.replication.leader import Leader
from protocol.replication.replica import Replica
from protocol.session import finding
from protocol.session.events import Elsewhere, Failed, Suspected
from protocol.session.match_runtime import MatchRuntime
from protocol.wire import channel
from protocol.wire.channel import Channel
from protocol.wire.codec import decode, encode
from tests.match import laptops
from tests.match.laptops import Laptop, Maker
from tests.protocol.gathering import (
    PACE,
    TIMING,
    Company,
    company,
    crash,
    knows,
    link_to_host,
    match_of,
    operator,
)
from tests.protocol.high_card import HighCard
from tests.protocol.tiny_group import TinyGroup

NAMES = ("Anna", "Bert", "Carla", "Dora")
WATCHFUL = replace(PACE, timing=replace(TIMING, show=0.2, answer=0.8))
"""Suspects within a second, so that a test need not wait for longer."""

A = TypeVar("A", bound=Application)
E = TypeVar("E")


def play(test: Awaitable[None]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(120):
            await test

    asyncio.run(bounded())


class Ear(Generic[A]):
    """Everything that one person is told."""

    def __init__(self, node: Node[A]) -> None:
        self.node = node
        self.heard: list[NodeEvent] = []
        self._more = asyncio.Event()
        self._task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        while True:
            self.heard.append(await self.node.next())
            self._more.set()

    async def more(self) -> None:
        self._more.clear()
        await self._more.wait()

    async def hears(self, kind: type[E]) -> E:
        """The first event of this kind, past or to come."""
        while True:
            for event in self.heard:
                if isinstance(event, kind):
                    return event
            await self.more()

    async def sees(self, done: Callable[[A], bool]) -> None:
        """Until this holds for the application."""
        if self.node.genesis is None:
            await self.hears(Began)
        while not await self.node.run(done):
            await self.more()

    def close(self) -> None:
        self._task.cancel()

    @property
    def blames(self) -> set[bytes]:
        """The identities that were named as a cheat's."""
        problems = [event.problem for event in self.heard if isinstance(event, Failed)]
        return {one.culprit for one in problems if isinstance(one, RemoteError) and one.culprit}

    @property
    def stopped(self) -> bool:
        return any(isinstance(event, Failed) for event in self.heard)


def ears(nodes: list[Node[A]]) -> list[Ear[A]]:
    return [Ear(node) for node in nodes]


def is_over(game: HighCard) -> bool:
    return game.is_over and game.confirmed >= 2 * game.players * game.rounds


async def to_the_end(listening: list[Ear[HighCard]]) -> None:
    """The match is played out on all these laptops, and nobody was blamed on the way."""
    await asyncio.gather(*(ear.sees(is_over) for ear in listening))
    assert [ear.blames for ear in listening] == [set()] * len(listening)


def desk_of(node: Node[A]) -> MatchRuntime[A]:
    desk = node._session.runtime
    assert desk is not None
    return desk


def link(node: Node[A], other: int) -> Channel:
    """How a node speaks with another one in the middle of a match."""
    channel = operator(node).links.of(operator(node).table.identity_of(other))
    assert channel is not None
    return channel


async def linked(node: Node[A], other: int) -> Channel:
    """The same, once they have met: a match begins before all guests have."""
    links, who = operator(node).links, operator(node).table.identity_of(other)
    for _ in iter(lambda: links.of(who) is None, False):
        await asyncio.sleep(0)
    return link(node, other)


# The real game among three laptops.

EASY = laptops.played("easy")
TOY = laptops.played("easy", group=TinyGroup())
"""Sealed in a group that hides nothing and costs nothing."""


class Kitchen:
    """Anna hosts, the others play; each with a home and an identity."""

    def __init__(self, home: Path, makes: list[Maker], pace: Pace) -> None:
        self.homes = [home / str(index) for index in range(len(makes))]
        self.identities = [Identity.fresh() for _ in makes]
        self.makes, self.pace = makes, pace
        self.nodes: list[Laptop] = []

    async def sit_down(self, rules: Rules, liveness: Liveness) -> None:
        host = await laptops.host(
            self.homes[0],
            rules,
            make=self.makes[0],
            identity=self.identities[0],
            liveness=liveness,
            pace=self.pace,
        )
        self.nodes.append(host)
        people = list(zip(self.homes, NAMES, self.makes, self.identities, strict=False))
        for home, name, make, identity in people[1:]:
            self.nodes.append(
                await laptops.join(
                    host, home, name, make=make, identity=identity, pace=self.pace
                )
            )
        for guest in self.nodes[1:]:
            await knows(guest, len(self.nodes))
            assert await guest.ready() == ""
        while await host.start():
            while not isinstance(await host.next(), LobbyChanged):
                pass

    async def resume(self, index: int) -> Laptop:
        home, identity = self.homes[index], self.identities[index]
        node = await Node.resume(
            home=home,
            identity=identity,
            path=unfinished_matches(home, identity)[0].path,
            make=self.makes[index],
            announce=False,
            interfaces=["lo"],
            pace=self.pace,
        )
        self.nodes.append(node)
        return node

    def paths(self) -> list[Path]:
        return [next((home / "matches").glob("*.citadels")) for home in self.homes]


@asynccontextmanager
async def kitchen(
    home: Path, makes: list[Maker], *, away: int = 20, city: int = 6, pace: Pace = PACE
) -> AsyncIterator[Kitchen]:
    """A match of the real game has begun."""
    table = Kitchen(home, makes, pace)
    rules = Rules.make(seats=len(makes), city=city)
    try:
        await table.sit_down(rules, Liveness(away=away))
        yield table
    finally:
        for node in table.nodes:
            with contextlib.suppress(RemoteError):  # a verdict that comes while it leaves
                await node.leave()


def citadels_verify(path: Path) -> tuple[int, str]:
    """The command on a file: its exit code, and what it says."""
    command = [sys.executable, "-m", "cli", "verify", str(path)]
    ran = subprocess.run(command, capture_output=True, check=False, text=True)
    return ran.returncode, ran.stdout + ran.stderr


def names_anna(path: Path) -> bool:
    """Whether the command finds a match not sound, and Anna to blame, and nobody else."""
    code, said = citadels_verify(path)
    faults = verify(path).faults
    return code == 1 and "Anna" in said and [fault.author for fault in faults] == ["Anna"]


# Row 1.


def test_an_acknowledgement_of_what_nobody_was_shown_blames_nobody(tmp_path: Path) -> None:
    """The guest says so to the host, and shows it to everybody as evidence."""

    async def test() -> None:
        async with company(tmp_path, 3, rounds=8) as table:
            await table.begin()
            listening = ears(table.nodes)
            anna, mallory, carla = listening
            await mallory.sees(lambda game: game.confirmed > 0)
            chain = desk_of(mallory.node).chain
            here = chain.entries[1]
            ack = Ack(chain.genesis.digest, 1, 1, here.seq, bytes(32), b"")
            signed = sign(table.identities[1], DOMAIN_ACK, ack)
            shown = (here.exhibit(), exhibit("ack", signed))
            fault = Fault("equivocation", table.identities[0].public, shown)
            for other in (0, 2):
                (await linked(mallory.node, other)).post(fault)
            link_to_host(mallory.node).post(Acked(signed))
            for ear in (anna, carla):
                told = await ear.hears(Suspected)
                assert (told.operator, told.why) == (1, "complained")
            await to_the_end(listening)

    play(test())


def test_a_complaint_that_shows_another_history_is_answered_by_a_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who stopped holds another entry, it says: so the others ask it for what comes before."""
    asked: list[Follow] = []

    def heard(replica: Replica, follow: Follow) -> list[History] | list[Witness]:
        asked.append(follow)
        return answer(replica, follow)

    monkeypatch.setattr(raft, "answer", heard)

    async def test() -> None:
        async with company(tmp_path, 3, rounds=8) as table:
            await table.begin()
            listening = ears(table.nodes)
            anna, mallory, carla = listening
            for ear in listening:
                await ear.sees(lambda game: game.confirmed > 2)
            entry = desk_of(mallory.node).chain.entries[2]
            order = decode(entry.signed.content, Ordered, limit=MAX_ORDERED)
            forged = encode(msgspec.structs.replace(order, previous=bytes(32)))
            other = exhibit("ordered", Signed(forged, bytes(64)))
            for to in (0, 2):
                (await linked(mallory.node, to)).post(Fault("diverged", None, (other,)))
            for ear in (anna, carla):
                assert (await ear.hears(Suspected)).why == "complained"
            await to_the_end(listening)
            assert [(follow.term, follow.confirmed) for follow in asked] == [(NO_TERM, 1)] * 2

    play(test())


class Stalled(HighCard):
    """Carla shows no card, so nobody has anything more to say; Bert takes his time to see that
    an order is no good.
    """

    def owed(self, *, early: bool = False) -> tuple[Contribution, ...]:
        return () if self.me == 2 else super().owed(early=early)

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        if body == b"no card" and self.me == 1:
            time.sleep(0.5)
        return super().fold(seq, author, body)


def test_a_complaint_about_what_follows_an_entry_that_is_still_being_folded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a host that has ordered what nobody takes, brought by whoever is in it with it."""
    monkeypatch.setattr("tests.protocol.gathering.HighCard", Stalled)

    named: list[set[bytes]] = []

    async def test() -> None:
        async with company(tmp_path, 3, rounds=1) as table:
            await table.begin()
            anna, bert, carla = ears(table.nodes)
            await bert.sees(lambda game: game.confirmed >= 2)
            desk, host = desk_of(bert.node), table.identities[0]
            shown = Chain(desk.chain.entries[0].signed)
            for one in desk.chain.entries[1:]:
                shown.append(one)
            for counter in (90, 91):
                match, seen = shown.genesis.digest, shown.hash_at(0)
                word = Authored(match, 0, counter, seen, b"no card")
                shown.extend(host, sign(host, DOMAIN_AUTHORED, word))
            bad, after = shown.entries[-2:]
            link(carla.node, 1).post(Fault("illegal", host.public, (after.exhibit(),)))
            await asyncio.sleep(0.2)  # until then he waits for what comes before
            link(anna.node, 1).post(Entries((bad.signed,)))
            for ear in (bert, anna, carla):  # he shows the others what he has found
                assert isinstance((await ear.hears(Failed)).problem, RemoteError)
                named.append(ear.blames - {host.public})

    with contextlib.suppress(IllegalEntry):  # what somebody hears while it leaves
        play(test())
    assert named == [set(), set(), set()]


# Row 2.


def condemn(host: Laptop, said: Signed) -> None:
    """Put an accusation in order that no honest program would."""
    desk = desk_of(host)
    part = desk.machine.part  # type: ignore[union-attr]
    assert isinstance(part, Leader)
    statement = desk.chain.check_authored(said)
    accusation = part._accuser.condemn(statement, said, "cheat")
    part._waiting.turn_away()
    desk.driver.perform(part.write((accusation,)))


def missed(desk: MatchRuntime[SealedDealer]) -> Signed | None:
    """What Bert said when he missed Carla; to say it again would be against the rules."""
    for entry in desk.chain.entries[1:]:
        if entry.author == 1 and isinstance(bodies.read(entry.body), bodies.Missed):
            return Signed(entry.authored, entry.author_signature)
    return None


def test_a_host_that_accuses_of_old_and_honest_words_is_exposed(tmp_path: Path) -> None:
    async def test() -> None:
        async with kitchen(tmp_path, [EASY] * 4, away=1) as table:
            anna, bert, carla, dora = ears(table.nodes)
            desk = desk_of(anna.node)
            await carla.hears(Began)
            await crash(table.nodes[2])  # type: ignore[arg-type]
            while (old := missed(desk)) is None:
                await anna.more()
            condemn(anna.node, old)
            for guest in (bert, dora):
                await guest.hears(Failed)
                assert guest.blames == {table.identities[0].public}
            paths = table.paths()
        assert all(names_anna(paths[one]) for one in (1, 3))

    play(test())


# Row 3.


class Vetoing(SealedDealer):
    """Anna's program finds whatever Bert's seat does too late."""

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        if self.me == 0 and author == 1 and isinstance(bodies.read(body), bodies.Acted):
            return STALE
        return super().fold(seq, author, body)


def test_a_host_that_refuses_what_one_player_does_is_exposed(tmp_path: Path) -> None:
    """The refusal says where it was judged; there everybody else's program accepts."""

    vetoing = laptops.played("easy", kind=Vetoing)

    async def test() -> None:
        async with kitchen(tmp_path, [vetoing, EASY, EASY]) as table:
            _, *guests = ears(table.nodes)
            for guest in guests:
                await guest.hears(Failed)
                assert guest.blames == {table.identities[0].public}
            paths = table.paths()
        assert all(names_anna(path) for path in paths[1:])

    play(test())


# Rows 4 and 8.


def deaf_to_a_return(anna: Laptop, answer: Callable[[Authored, Signed], None]) -> None:
    """Whoever brings it, Bert's `Returned` is not put in order; `answer` is all that comes."""
    desk = desk_of(anna)
    honest = desk.hear

    def hear(operator: int, message: object) -> None:
        if isinstance(message, Submit) and desk.machine.is_host:
            said = decode(message.authored.content, Authored, limit=MAX_ORDERED)
            if said.author == 1 and isinstance(bodies.read(said.body), bodies.Returned):
                answer(said, message.authored)
                return
        honest(operator, message)  # type: ignore[arg-type]

    desk.hear = hear  # type: ignore[method-assign]


def is_here(dealer: SealedDealer) -> bool:
    """Whether nobody misses Bert."""
    return not dealer.match.absence.attendance.missed_by(1)


@pytest.mark.parametrize("place", [None, 0, 10**9])
def test_a_host_that_does_not_let_somebody_return_is_replaced(
    tmp_path: Path, place: int | None
) -> None:
    """It leaves the word lying, or refuses it as of a `place` where nobody can judge it."""
    said: set[int] = set()

    async def test() -> None:
        async with kitchen(tmp_path, [TOY] * 3, away=1, pace=WATCHFUL) as table:
            anna, bert, carla = table.nodes
            others = ears([anna, carla])
            desk = desk_of(anna)

            def answer(statement: Authored, authored: Signed) -> None:
                said.add(statement.counter)
                if place is None:
                    return
                hashed, term = authored_hash(authored.content), desk.machine.replica.chain.term
                refusal = Refusal(
                    statement.match, term, 1, statement.counter, hashed, place, bytes(32), STALE
                )
                signed = sign(table.identities[0], DOMAIN_REFUSAL, refusal)
                match_of(anna).send(1, Refused(signed))

            await others[1].sees(lambda dealer: dealer.match.stage == "play")
            deaf_to_a_return(anna, answer)
            await crash(bert)  # type: ignore[arg-type]
            for ear in others:
                await ear.sees(lambda dealer: 1 in dealer.match.absence.attendance.away)
            back = Ear(await table.resume(1))
            told = await others[1].hears(Suspected)
            assert (told.name, told.why, told.about) == ("Anna", "withholds", "Bert")
            for ear in (back, *others):
                await replaced(ear)
                await ear.sees(is_here)
            assert [ear.blames for ear in (back, *others)] == [set()] * 3
            assert len(said) < 12  # again and again, and less and less often

    play(test())


async def replaced(ear: Ear[SealedDealer]) -> None:
    """Somebody hosts in Anna's place, and this person is told so, unless it is Anna."""
    while True:
        hosted = [event for event in ear.heard if isinstance(event, Hosted)]
        if any(event.operator != 0 for event in hosted):
            break
        await ear.more()
    if ear.node.me != 0:
        assert 0 in [event.instead_of for event in hosted]


class Insistent(HighCard):
    """Bert's program owes one thing more than the rules allow, before all else."""

    def __init__(self, genesis: Genesis, me: int, rounds: int) -> None:
        super().__init__(genesis, me, rounds)
        self.attempts: list[float] = []  # when it was said

    def owed(self, *, early: bool = False) -> tuple[Contribution, ...]:
        if self.me != 1 or len(self.attempts) == 4:
            return super().owed(early=early)
        if b"extra" in self.said:
            return ()
        self.said.add(b"extra")
        self.attempts.append(time.monotonic())
        return (Contribution(key=b"extra", body=b"X\x00"),)


def test_what_is_refused_again_and_again_is_said_less_and_less_often(tmp_path: Path) -> None:
    """However long a match lasts, nobody honest is driven into the limit that ends it."""

    async def test() -> None:
        async with company(tmp_path, 3) as table:
            for node in table.nodes:
                node._session.make = lambda genesis, me: Insistent(genesis, me, 3)
            await table.begin()
            await to_the_end(ears(table.nodes))
            bert = await table.nodes[1].run(lambda game: game)
            assert isinstance(bert, Insistent)
            pauses = [after - before for before, after in pairwise(bert.attempts)]
            assert pauses[1] > 0.9
            assert pauses[2] > 1.9

    play(test())


# Row 5.


class Patient(HighCard):
    """Carla thinks, as long as she is told to."""

    thinks = False

    def owed(self, *, early: bool = False) -> tuple[Contribution, ...]:
        return () if self.thinks else super().owed(early=early)


@asynccontextmanager
async def patient(home: Path) -> AsyncIterator[Company]:
    """A table where somebody may think."""
    async with company(home, 3, rounds=6) as table:
        table.make = lambda genesis, me: Patient(genesis, me, 6)
        for node in table.nodes:
            node._session.make = table.make
        await table.begin()
        yield table


async def rests(ear: Ear[HighCard]) -> None:
    """Carla thinks, and all that she had said has its place."""

    def think(game: HighCard) -> None:
        assert isinstance(game, Patient)
        game.thinks = True

    await ear.sees(lambda game: game.round > 0)
    await ear.node.run(think)
    await desk_of(ear.node).quiet()
    while not desk_of(ear.node).machine.is_settled:
        await ear.more()


def copied(table: Company, home: Path) -> None:
    """Carla's disk as it is now, on another laptop."""
    shutil.copytree(table.homes[2], home)


async def twin(table: Company, home: Path) -> Ear[HighCard]:
    """Somebody goes on with this disk of Carla's."""
    table.homes[2] = home
    return Ear(await table.resume(2))


def test_of_two_programs_with_one_key_the_newer_waits_or_replaces_the_older(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        async with patient(tmp_path) as table:
            anna, bert, older = ears(table.nodes)
            await rests(older)
            copied(table, tmp_path / "copy")
            newer = await twin(table, tmp_path / "copy")
            await newer.hears(Elsewhere)
            assert not newer.stopped
            assert await newer.node.take_over() == ""
            problem = (await older.hears(Failed)).problem
            assert isinstance(problem, Unavailable)
            assert problem.hint == "elsewhere"
            await to_the_end([anna, bert, newer])

    play(test())


def test_a_copy_that_has_been_overtaken_stops_by_itself(tmp_path: Path) -> None:
    """The older program has said more since the copy was made; the newer hears of it."""

    async def test() -> None:
        async with patient(tmp_path) as table:
            anna, bert, older = ears(table.nodes)
            await rests(older)
            copied(table, tmp_path / "copy")
            await older.node.run(lambda game: setattr(game, "thinks", False))
            desk_of(older.node).driver._asking.again()
            desk_of(older.node).driver._ask()
            await older.sees(lambda game: game.round > 2)
            await crash(older.node)
            newer = await twin(table, tmp_path / "copy")
            problem = (await newer.hears(Failed)).problem
            assert isinstance(problem, Unavailable)
            assert problem.hint == "outbox_lost"
            for ear in (anna, bert):
                assert not ear.stopped

    play(test())


def test_a_backup_that_is_answered_before_the_network_is_up_names_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program has made its answer already when it hears what it had said before."""
    network = asyncio.Event()
    dial = channel.dial

    async def dialled(*arguments: object, **more: object) -> Channel:
        if not network.is_set():
            raise Unavailable("no_network")
        return await dial(*arguments, **more)  # type: ignore[arg-type]

    async def test() -> None:
        async with patient(tmp_path) as table:
            anna, bert, older = ears(table.nodes)
            await rests(older)
            copied(table, tmp_path / "copy")
            await older.node.run(lambda game: setattr(game, "thinks", False))
            desk_of(older.node).driver._asking.again()
            desk_of(older.node).driver._ask()
            await older.sees(lambda game: game.round > 2)
            monkeypatch.setattr(finding, "dial", dialled)
            await crash(older.node)
            newer = await twin(table, tmp_path / "copy")
            said = b"an answer", b"S\x09too early"
            await newer.node.submit(Contribution(key=said[0], body=said[1]))
            await desk_of(newer.node).quiet()
            network.set()
            problem = (await newer.hears(Failed)).problem
            assert isinstance(problem, Unavailable)
            assert problem.hint == "outbox_lost"
            for ear in (anna, bert):
                assert not ear.stopped

    play(test())


# Row 7.


class Odd(SealedDealer):
    """Carla's program comes to another state than everybody else's."""

    def digest(self) -> bytes:
        right = super().digest()
        return bytes(reversed(right)) if self.me == 2 else right


def test_one_odd_digest_is_one_odd_laptop(tmp_path: Path) -> None:
    """It is told so and stops; the other two play on."""

    odd = laptops.played("easy", kind=Odd, group=TinyGroup())

    async def test() -> None:
        async with kitchen(tmp_path, [odd] * 3, away=1) as table:
            anna, bert, carla = ears(table.nodes)
            problem = (await carla.hears(Failed)).problem
            assert isinstance(problem, Unavailable)
            assert problem.hint == "differs"
            await carla.node.leave()
            told = await anna.hears(Suspected)
            assert (told.name, told.why) == ("Carla", "differs")
            for ear in (anna, bert):
                await ear.sees(lambda dealer: 2 in dealer.match.absence.attendance.away)
                acts = await ear.node.run(lambda dealer: dealer.match.step)
                await ear.sees(lambda dealer, since=acts: dealer.match.step > since + 5)  # type: ignore[misc]
                assert not ear.stopped

    play(test())
