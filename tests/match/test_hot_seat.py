"""Several persons at one laptop of a sealed table: what each is asked, told and credited."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from citadels_p2p import match
from citadels_p2p.bots import make_bot
from citadels_p2p.match.acts import Leave, OnceMore, Ready, Say, TakeSeat
from citadels_p2p.match.archive import statistics
from citadels_p2p.match.archive.history import recall
from citadels_p2p.match.archive.statistics import begins
from citadels_p2p.match.news import (
    Anew,
    Ask,
    Bye,
    Chat,
    EventNews,
    News,
    Notice,
    PassOn,
    Refused,
    StandingNews,
    StateNews,
    TableNews,
)
from citadels_p2p.match.operator.persons import Persons
from citadels_p2p.match.options import Liveness
from citadels_p2p.match.session.evening import Evening
from citadels_p2p.match.session.glances import handed_over
from citadels_p2p.match.session.once_more import TableAgain
from citadels_p2p.match.session.online import Online
from citadels_p2p.match.session.seating import PersonHere
from citadels_p2p.rules import Reason, Rules
from cli.__main__ import main
from cli.client.hot_seat import told
from protocol.application import Contribution
from protocol.errors import Unavailable
from protocol.identity.keys import load_or_create
from protocol.roster import Operator
from protocol.session.lobby import HostedLobby
from tests.match import laptops
from tests.match.vacant_chairs import VacantChairs

RULES = Rules.make("classic", seats=3, city=6)
EASY = make_bot("easy")


def two_and_a_bot(**options: int) -> VacantChairs:
    """Operator 0 has seats 0 and 1 for persons, operator 1 a bot in seat 2."""
    return VacantChairs(
        RULES, [None, None, EASY], seed=14, liveness=Liveness(**options), keepers=(0, 0, 1)
    )


def questions(chairs: VacantChairs) -> list[News]:
    """What operator 0 is told until one of its persons must decide; that comes last."""
    told: list[News] = []

    def asked() -> bool:
        told.extend(chairs.dealers[0].news())
        return bool(told) and isinstance(told[-1], Ask | PassOn)

    chairs.until(asked)
    return told


def test_nobody_is_asked_before_they_sit_and_nobody_else_may_answer() -> None:
    chairs = two_and_a_bot()
    persons, told = chairs.dealers[0].persons, questions(chairs)
    passing = told[-1]
    assert isinstance(passing, PassOn)
    other = 1 - passing.seat
    assert persons.open_ask is None
    assert chairs.dealers[0].decide(1, ("anything",)) == Reason("ask_closed")
    assert persons.take_seat(other) == Reason("not_passed")
    ask = persons.take_seat(passing.seat)
    assert isinstance(ask, Ask)
    assert persons.open_ask == ask.id
    made = chairs.dealers[0].decide(ask.id, ask.sole or (ask.options[0].id,))
    assert isinstance(made, Contribution)
    chairs.order(0, made)
    beyond = questions(chairs)[-1]
    assert isinstance(beyond, PassOn)
    assert beyond.seat == other


def test_who_is_called_again_while_sitting_down_is_asked() -> None:
    """The question goes by while nobody sits, and is there once somebody does."""
    chairs = two_and_a_bot()
    persons, passing = chairs.dealers[0].persons, questions(chairs)[-1]
    assert isinstance(passing, PassOn)
    first = persons.take_seat(passing.seat)
    assert isinstance(first, Ask)
    assert told(first, None, None) is None
    assert persons.take_seat(passing.seat) == first


def test_each_is_told_their_own_hand_and_nobody_a_hand() -> None:
    seen: dict[int | None, StateNews] = {}
    for news in questions(two_and_a_bot()):
        if isinstance(news, StateNews):
            seen[None if news.view.you is None else news.view.you.seat] = news
    assert set(seen) == {None, 0, 1}
    assert {one.view.n for one in seen.values()} == {seen[None].view.n}
    hands = [seen[seat].view.you for seat in (0, 1)]
    assert all(you is not None and len(you.hand) == 4 for you in hands)


def test_the_clock_counts_while_the_laptop_is_passed_on() -> None:
    chairs = two_and_a_bot(step_time=30)
    dealer = chairs.dealers[0]
    passing = questions(chairs)[-1]
    assert isinstance(passing, PassOn)
    assert passing.deadline == 30
    chairs.pass_time(0.0)
    chairs.pass_time(12.0)
    ask = dealer.persons.take_seat(passing.seat)
    assert isinstance(ask, Ask)
    assert ask.deadline == 18
    step = dealer.match.step
    chairs.pass_time(20.0)
    chairs.until(lambda: dealer.match.step > step)
    told = questions(chairs)
    assert Notice("time_up", {"seat": passing.seat}) in told


def test_who_comes_too_late_finds_nothing_to_decide() -> None:
    chairs = two_and_a_bot(step_time=30)
    dealer = chairs.dealers[0]
    passing = questions(chairs)[-1]
    assert isinstance(passing, PassOn)
    step = dealer.match.step
    chairs.pass_time(0.0)
    chairs.pass_time(31.0)
    chairs.until(lambda: dealer.match.step > step)
    assert dealer.persons.take_seat(passing.seat) is None
    assert dealer.persons.sits == passing.seat


def test_each_hands_over_their_own_seat_and_either_is_taken_back() -> None:
    chairs = two_and_a_bot()
    dealer = chairs.dealers[0]
    assert dealer.hand_over("easy") == Reason("no_such_seat")  # nobody has sat here yet
    passing = questions(chairs)[-1]
    assert isinstance(passing, PassOn)
    dealer.persons.take_seat(passing.seat)

    def say(level: str) -> None:
        made = dealer.hand_over(level)
        assert isinstance(made, Contribution)
        chairs.order(0, made)

    say("easy")
    assert dealer.match.bots == {passing.seat: "easy"}
    other = questions(chairs)[-1]
    assert isinstance(other, PassOn)
    assert other.seat == 1 - passing.seat
    dealer.persons.take_seat(other.seat)
    say("")  # by whoever sits: the other has nothing to sit down for
    assert dealer.match.bots == {passing.seat: ""}


def test_what_gave_way_is_asked_anew() -> None:
    chairs = two_and_a_bot()
    dealer = chairs.dealers[0]
    passing = questions(chairs)[-1]
    assert isinstance(passing, PassOn)
    ask = dealer.persons.take_seat(passing.seat)
    assert isinstance(ask, Ask)
    dealer.rewind()
    dealer.restore(tuple(chairs.kept[0]))
    for seq, (author, body) in enumerate(chairs.journal, 1):
        assert dealer.fold(seq, author, body) is None
    assert dealer.decide(ask.id, (ask.options[0].id,)) == Reason("ask_closed")
    again = dealer.news()[-1]
    assert isinstance(again, Ask)  # who sat sits still
    assert again.options == ask.options


def test_a_laptop_without_persons_sees_what_everybody_sees() -> None:
    persons = Persons((), ("Bot 1", "Bot 2"))
    (only,) = persons.views(two_and_a_bot().dealers[0].view, None)
    assert only.view.you is None


async def heard(session: Online | Evening, kind: type[News]) -> News:
    async with asyncio.timeout(120):
        while True:
            news = await session.next()
            if isinstance(news, kind | Bye):
                return news


def test_an_evening_at_one_laptop_is_counted_by_person_and_played_once_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Anna and Boris on the laptop that hosts, Cleo on another; programs play the first
    match for all of them.
    """
    homes = [tmp_path / name for name in ("two", "cleo")]

    async def run() -> list[list[News]]:
        first = await laptops.host(homes[0], RULES, others=("Boris",))
        guest = await laptops.join(first, homes[1], "Cleo")
        tables = [Online(first, autostart=True), Online(guest)]
        evenings = [
            Evening(table, TableAgain(table, PersonHere(home, name, "lo")), stays=True)
            for table, home, name in zip(tables, homes, ("Nobody", "Cleo"), strict=True)
        ]

        async def one(evening: Evening) -> list[News]:
            lines: list[News] = []
            while not (lines and isinstance(lines[-1], Bye)):
                lines.append(await evening.next())
                kinds = [type(news) for news in lines]
                if kinds[-1] is StandingNews:
                    await evening.do(OnceMore())
                elif Anew in kinds and kinds[-1] in (PassOn, Ask):
                    for each in evenings:
                        await each.do(Leave())
            return lines

        await evenings[1].do(Ready())
        async with asyncio.timeout(500), asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(evening)) for evening in evenings]
        return [task.result() for task in tasks]

    for lines in asyncio.run(run()):
        tables = [news for news in lines if isinstance(news, TableNews)]
        seats = [(seat.name, seat.operator) for seat in tables[-1].seats]
        assert seats == [("Anna", 0), ("Boris", 0), ("Cleo", 1)]
        assert tables[-1].table != tables[0].table
        (standing,) = [news for news in lines if isinstance(news, StandingNews)]
        assert [row.name for row in standing.rows] == ["Anna", "Boris", "Cleo"]

    key, hers = (load_or_create(home).fingerprint for home in homes)
    summaries = [one for one in recall(homes[1]).summaries if one.standing == "finished"]
    keys = [place.key for one in summaries for place in one.places]
    assert keys == [f"{key}/Anna", f"{key}/Boris", hers]
    assert set(statistics.ratings(summaries)) == set(keys)
    assert not begins(keys[0], key)
    assert begins(keys[0], f"{key.lower()}/anna")

    asked = ["history", "--lang", "en"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CITADELS_HOME", str(homes[0]))
        assert main(asked) == 0
        assert "(Anna and Boris at one laptop)" in capsys.readouterr().out
        assert main([*asked, "--key", f"{key}/Boris"]) == 0
        assert "of 3" in capsys.readouterr().out


async def test_a_laptop_that_was_switched_off_brings_both_back(tmp_path: Path) -> None:
    home = tmp_path / "two"
    first = await laptops.host(home, RULES, others=("Boris",), make=laptops.unplayed_but_bots)
    guest = Online(await laptops.join(first, tmp_path / "cleo", "Cleo"))
    two = Online(first, autostart=True)
    assert await match_begins(two, guest)
    passing = await heard(two, PassOn)
    assert isinstance(passing, PassOn)
    await two.do(Say("we go"))
    said = await heard(guest, Chat)
    assert isinstance(said, Chat)
    assert (said.seat, said.name) == (None, "Anna & Boris")
    await two.do(TakeSeat(1 - passing.seat))
    refused = await heard(two, Refused)
    assert isinstance(refused, Refused)
    assert refused.reason == "not_passed"
    await two.do(TakeSeat(passing.seat))
    before = await heard(two, Ask)
    assert isinstance(before, Ask)
    await two.do(Leave())
    await heard(two, Bye)

    with pytest.raises(Unavailable) as caught:
        await match.resume(match.PersonHere(home, interface="lo"), None, passes_on=False)
    assert caught.value.hint == "no_screen"

    back = await match.resume(match.PersonHere(home, interface="lo"), None)
    assert isinstance(back, Online)
    again = await heard(back, PassOn)
    assert isinstance(again, PassOn)
    assert (again.seat, again.name) == (passing.seat, passing.name)
    await back.do(TakeSeat(again.seat))
    after = await heard(back, Ask)
    assert isinstance(after, Ask)
    assert after.options == before.options
    for session in (back, guest):
        await session.do(Leave())
        await heard(session, Bye)


async def match_begins(host: Online, guest: Online) -> bool:
    await guest.do(Ready())
    return isinstance(await heard(host, EventNews), EventNews)


def test_who_hands_over_is_told_so_by_seat() -> None:
    host = Operator(identity=b"\1" * 32, name="Anna")
    room = HostedLobby(
        table=b"\0" * 16, name="Kitchen", options=b"", host=host, seats=3, others=("Boris",)
    )
    room.join(b"\2" * 32, "Cleo", ())
    seen = room.gathering()
    resting = Notice("resting", {"level": "easy", "seat": 1, "name": "Boris"})
    assert handed_over({}, {1: "easy"}, seen, 0) == (resting,)
    assert handed_over({}, {1: "easy"}, seen, 1)[0].code == "handed_over"
    assert told(resting, 1, 1) == resting
    for other in (None, 0):
        heard = told(resting, other, 1)
        assert isinstance(heard, Notice)
        assert heard.code == "handed_over"
    late = Notice("time_up", {"seat": 1})
    assert [told(late, seat, None) for seat in (None, 0, 1)] == [None, None, late]


def test_a_table_with_too_few_seats_says_so(tmp_path: Path) -> None:
    async def run() -> str:
        first = await laptops.host(tmp_path / "a", Rules.make("classic", seats=2, city=6))
        try:
            await laptops.join(first, tmp_path / "b", "Bert", others=("Carla",))
        except Unavailable as problem:
            return problem.hint
        finally:
            await first.leave()
        return ""

    assert asyncio.run(run()) == "too_few_seats"
