"""Suspicion, and two programs with one key, as a session tells them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from citadels_p2p.match.acts import Leave, Say, TakeOver
from citadels_p2p.match.news import Ask, Bye, News, Notice, Refused, TableNews
from citadels_p2p.match.operator.persons import OpenAsk, Persons
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import pack_options
from citadels_p2p.match.session.online import Online
from citadels_p2p.rules import Rules
from protocol import Failed, Hosted, NodeEvent, Reconnected
from protocol.errors import Diverged, Equivocation, Malformed, ProtocolError, Unavailable
from protocol.roster import Operator, Seat
from protocol.session.events import Cleared, Elsewhere, Suspected
from protocol.session.lobby import Gathering

KEYS = tuple(bytes([index]) * 32 for index in range(3))
NAMES = ("Boris", "Chloe", "Anna")
WITHHOLDS = Suspected(0, "Boris", "withholds", "Chloe")


class FakeNode:
    """A node that says what a test wants; Anna's, whose laptop sits third."""

    genesis: object = None
    forsaken: object = None
    me, spectators, is_host, path, sent_away = 2, None, False, Path("played"), ()
    address, code, codes = "10.0.0.7:1", "10.0.0.7:1", ("10.0.0.7:1",)

    def __init__(self, home: Path, refusal: str = "") -> None:
        self.home, self.refusal = home, refusal
        self.events: asyncio.Queue[NodeEvent] = asyncio.Queue()
        self.idle = asyncio.Event()  #: all that was said has been heard
        self.done: list[str] = []
        self.dealer = SealedDealer.__new__(SealedDealer)
        self.lobby = Gathering(
            table=bytes(16),
            name="Kitchen",
            options=pack_options(Rules.make(seats=3)),
            operators=tuple(
                Operator(identity=key, name=name) for key, name in zip(KEYS, NAMES, strict=True)
            ),
            seats=tuple(
                Seat(kind="taken", name=name, operator=index)
                for index, name in enumerate(NAMES)
            ),
            ready=(True, True, True),
            me=2,
        )

    async def next(self) -> NodeEvent:
        if self.events.empty():
            self.idle.set()
        return await self.events.get()

    def label(self, edition: str) -> None: ...

    def spoken(self, usual_port: int) -> None: ...

    async def take_over(self) -> str:
        self.done.append("take_over")
        return self.refusal

    async def say(self, text: str) -> str:
        return "chat"

    async def run(self, function: Callable[[object], object]) -> object:
        return function(self.dealer)

    async def leave(self, *, finished: bool = False, departed: bool = False) -> None:
        self.done.append("leave")


Told = Callable[[NodeEvent], Awaitable[list[News]]]


@asynccontextmanager
async def session(
    tmp_path: Path, *, take_over: bool = False, refusal: str = ""
) -> AsyncIterator[tuple[FakeNode, Online, Told]]:
    """For a scene; `told` says something and gives all that comes of it."""
    node = FakeNode(tmp_path, refusal)
    online = Online(node, take_over=take_over)  # type: ignore[arg-type]
    assert isinstance(await online.next(), TableNews)
    await node.idle.wait()

    async def told(event: NodeEvent) -> list[News]:
        node.idle.clear()
        node.events.put_nowait(event)
        return await heard(node, online)

    async with asyncio.timeout(60):
        yield node, online, told
    await online.do(Leave())


async def heard(node: FakeNode, online: Online) -> list[News]:
    """All that it tells of what was said so far."""
    if not online._ended:
        await node.idle.wait()
    return [online._news.get_nowait() for _ in range(online._news.qsize())]


def notices(news: list[News]) -> list[Notice]:
    return [one for one in news if isinstance(one, Notice)]


def doubts(news: list[News]) -> list[str]:
    """Why each seat is suspected, by the newest table."""
    table = [one for one in news if isinstance(one, TableNews)][-1]
    return [seat.suspected for seat in table.seats]


async def test_a_suspicion_is_told_and_stands_at_the_seat_until_the_answer(
    tmp_path: Path,
) -> None:
    async with session(tmp_path) as (_node, _online, told):
        for event in (
            WITHHOLDS,
            Suspected(1, "Chloe", "complained", "Boris"),
            Suspected(1, "Chloe", "differs"),
        ):
            news = await told(event)
            fields = {"name": event.name, "why": event.why, "about": event.about}
            assert notices(news) == [Notice("suspected", dict(fields))]
            assert doubts(news)[event.operator] == event.why
        news = await told(Cleared(1, "Chloe"))
        assert notices(news) == [Notice("cleared", {"name": "Chloe"})]
        assert doubts(news) == ["withholds", "", ""]


async def test_a_suspicion_is_told_once(tmp_path: Path) -> None:
    async with session(tmp_path) as (_node, _online, told):
        assert notices(await told(WITHHOLDS))
        assert await told(WITHHOLDS) == []
        assert notices(await told(Suspected(0, "Boris", "withholds", "Anna")))
        assert await told(WITHHOLDS) == []
        assert await told(Cleared(1, "Chloe")) == []  # she was never suspected
        assert notices(await told(Cleared(0, "Boris")))
        assert notices(await told(WITHHOLDS))  # it does it again


async def test_whoever_hosts_instead_is_told_with_the_reason(tmp_path: Path) -> None:
    async with session(tmp_path) as (_node, _online, told):
        await told(WITHHOLDS)
        await told(Suspected(1, "Chloe", "differs"))
        news = await told(Hosted(2, "Anna", instead_of=0))
        assert notices(news) == [Notice("hosting", {"name": "Anna", "instead_of": "Boris"})]
        assert doubts(news) == ["", "differs", ""]  # who hosts no more keeps nothing back
        assert notices(await told(Hosted(0, "Boris"))) == [Notice("hosting", {"name": "Boris"})]


async def test_one_laptop_may_be_suspected_of_two_things(tmp_path: Path) -> None:
    async with session(tmp_path) as (_node, _online, told):
        await told(Suspected(0, "Boris", "differs"))
        assert doubts(await told(WITHHOLDS)) == ["withholds", "", ""]
        assert doubts(await told(Hosted(1, "Chloe", instead_of=0))) == ["differs", "", ""]
        assert doubts(await told(Cleared(0, "Boris"))) == ["", "", ""]


async def test_the_same_host_again_is_no_answer(tmp_path: Path) -> None:
    async with session(tmp_path) as (_node, _online, told):
        await told(WITHHOLDS)
        assert await told(Hosted(0, "Boris")) == []


async def test_two_programs_with_one_key_are_told_once_and_one_takes_over(
    tmp_path: Path,
) -> None:
    async with session(tmp_path) as (node, online, told):
        await online.do(TakeOver())
        assert await heard(node, online) == [Refused("not_elsewhere")]
        assert await told(Elsewhere(1, "Cleo")) == [Notice("elsewhere", {"name": "Cleo"})]
        assert await told(Elsewhere(2, "Dora")) == []
        assert node.done == []
        await online.do(TakeOver())
        assert await heard(node, online) == [Notice("taking_over")]
        assert node.done == ["take_over"]
        assert await told(Reconnected()) == [Notice("reconnected")]
        await online.do(TakeOver())
        assert await heard(node, online) == [Refused("not_elsewhere")]


async def test_a_refused_taking_over_says_why(tmp_path: Path) -> None:
    async with session(tmp_path, refusal="not_connected") as (node, online, told):
        await told(Elsewhere(1, "Cleo"))
        await online.do(TakeOver())
        assert await heard(node, online) == [Refused("not_connected")]


async def test_the_word_given_at_the_start_takes_over_once(tmp_path: Path) -> None:
    async with session(tmp_path, take_over=True) as (node, _online, told):
        assert node.done == []
        news = await told(Elsewhere(1, "Cleo"))
        assert news == [Notice("elsewhere", {"name": "Cleo"}), Notice("taking_over")]
        assert await told(Elsewhere(1, "Cleo")) == []
        assert node.done == ["take_over"]


async def test_a_refused_word_leaves_the_open_question_open(tmp_path: Path) -> None:
    async with session(tmp_path) as (node, online, _told):
        await online.do(Say("one word too many, in the lobby"))
        assert await heard(node, online) == [Refused("chat")]
        node.genesis = object()
        node.dealer.persons = Persons([2], NAMES)
        node.dealer.persons.asked = OpenAsk(0, 2, Ask(7, "act", ()), None)
        await online.do(Say("one word too many, before deciding"))
        assert await heard(node, online) == [Refused("chat", {}, 7)]
        node.genesis = None


async def ends_with(tmp_path: Path, problem: ProtocolError) -> list[News]:
    found: list[News] = []
    async with session(tmp_path) as (node, online, _told):
        node.events.put_nowait(Failed(problem))
        while not found or not isinstance(found[-1], Bye):
            found.append(await online.next())
    return found


async def test_a_cheat_is_named_only_where_somebody_is_shown_to_be_one(tmp_path: Path) -> None:
    shown = await ends_with(
        tmp_path, Equivocation("two entries", culprit=KEYS[0], evidence=(b"x",))
    )
    fields = {"name": "Boris", "what": "equivocation"}
    assert shown == [Notice("cheat", dict(fields)), Bye(5, "cheat", dict(fields))]
    assert await ends_with(tmp_path, Malformed("Boris stopped the table")) == [
        Bye(5, "malformed")
    ]
    assert await ends_with(tmp_path, Diverged(16)) == [
        Notice("diverged", {"seq": 16}),
        Bye(5, "diverged"),
    ]
    assert await ends_with(tmp_path, Diverged(-1)) == [Bye(5, "diverged")]


async def test_who_gives_way_or_differs_ends_with_words_of_its_own(tmp_path: Path) -> None:
    for hint in ("elsewhere", "differs"):
        assert await ends_with(tmp_path, Unavailable(hint)) == [Bye(6, hint)]
