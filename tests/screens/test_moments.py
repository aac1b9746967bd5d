"""What happens is seen where it happens, for a while, and nobody is kept waiting by it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from citadels_p2p.match.acts import Answer
from citadels_p2p.match.news import Ask, Awaited, EventNews, News, OverNews, StateNews
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.view import CityCard, Turn, View
from cli.drawing.pen import ASCII, UNICODE
from cli.screen.look import Look
from cli.screen.moments import LAG, Moments, frames
from cli.screen.pages.lookback import Lookback
from cli.screen.pages.table import Table
from cli.screen.screen import Screen
from cli.settings import UNSETTLED
from cli.text.cells import Block, row_width
from tests.cli.scripted import NAMES, event, lobby, view
from tests.screens import robot
from tests.screens.easel import Easel
from tests.screens.robot import text
from tests.slice import and_long

NORMAL = replace(UNSETTLED, pace="normal")
BEFORE, AFTER = view(n=1), view(n=9)


def seen(
    *events: Event,
    before: View = BEFORE,
    after: View = AFTER,
    size: tuple[int, int] = (120, 36),
) -> Iterator[str]:
    """The table, frame by frame, as Ann sees what Bob and Cleo do."""
    screen = Screen(settled=NORMAL)
    for news in (lobby(), StateNews(before, NAMES)):
        screen.hear(news, 0.0)
    for one in events:
        screen.hear(EventNews(one), 0.0)
    screen.hear(StateNews(after, NAMES), 0.0)
    now = 0.0
    while (wait := screen.due(now)) is not None:
        yield text(screen.paint(Look(UNICODE, now), *size))
        now += wait + 1e-6
    yield text(screen.paint(Look(UNICODE, now), *size))


def with_gold(table: View, seat: int, gold: int) -> View:
    seats = list(table.seats)
    seats[seat] = replace(seats[seat], gold=gold)
    return replace(table, seats=tuple(seats))


def without_city(table: View, seat: int) -> View:
    seats = list(table.seats)
    seats[seat] = replace(seats[seat], city=())
    return replace(table, seats=tuple(seats))


def test_gold_that_is_stolen_is_seen_to_go_and_to_come() -> None:
    before = with_gold(with_gold(BEFORE, 1, 4), 2, 1)
    after = with_gold(with_gold(AFTER, 1, 0), 2, 5)
    shown = list(seen(event(2, "robbed", 2, 1, 4), before=before, after=after))
    assert "−4 gold" not in shown[0]
    assert all("−4 gold" in one for one in shown[1:4])
    assert "●" in shown[1]
    assert "+4 gold" in shown[3]
    assert "+4 gold" not in shown[-1]


def test_the_robbed_see_once_what_it_cost_and_by_whom() -> None:
    before = with_gold(with_gold(BEFORE, 1, 4), 2, 1)
    after = with_gold(with_gold(AFTER, 1, 0), 2, 5)
    for one in seen(event(2, "robbed", 2, 1, 4), before=before, after=after):
        sky = one.partition("Bob ?")[2].partition("What")[0]
        assert sky.count("−4 gold") <= 1, one
    assert "−4 gold by Cleo" in sky


def test_what_falls_is_counted_no_more_and_what_is_swapped_is_counted_as_it_is_seen() -> None:
    before = without_city(AFTER, 1)
    fell = list(seen(event(2, "destroyed", 2, 1, "keep", 9, 2), after=before))
    counts = [re.findall(r"Bob .*?(\d/7)", one) for one in fell]
    assert counts == [["1/7"] * 3] + [["0/7"] * 3] * (len(fell) - 1)
    for one in seen(event(2, "hands_swapped", 1, 0, 4, 3)):
        told = re.search(r"(\d+)g (\d+)c", one.partition("Ann · you")[2])
        below = re.search(r"Your hand (\d+)", one)
        assert told is not None
        assert below is not None
        assert told[2] == below[1], one


def test_a_district_rises_from_a_stake_and_a_ruin_falls_in_dust() -> None:
    built = list(seen(event(2, "built", 1, "keep", 9, 3), before=without_city(BEFORE, 1)))
    assert "┼" in built[0]
    assert built[0].count("┼") < built[1].count("┼")
    assert "*3" not in built[1]
    assert "*3" in built[-1]
    fell = list(seen(event(2, "destroyed", 2, 1, "keep", 9, 2), after=without_city(AFTER, 1)))
    assert "*3" in fell[0]
    assert "░" in fell[1]
    assert "−3 points" in fell[2]
    assert "*3" not in fell[-1]


def test_the_crown_goes_over_and_hands_change_places() -> None:
    crowned = list(seen(event(2, "crown_taken", 1, 0), after=replace(AFTER, crown=1)))
    assert all(one.count("▙█▟") == 1 for one in crowned)
    rows = [next(y for y, row in enumerate(one.split("\n")) if "▙█▟" in row) for one in crowned]
    assert rows[0] == rows[1] == rows[-1] + 1
    swapped = list(seen(event(2, "hands_swapped", 1, 2, 3, 2)))
    assert "▐▌" in swapped[0]
    assert "▐▌" not in swapped[-1]


def with_city(table: View, seat: int, *cards: CityCard) -> View:
    seats = list(table.seats)
    seats[seat] = replace(seats[seat], city=cards)
    return replace(table, seats=tuple(seats))


TOWER, KEEP = CityCard("bell_tower", 8, 5, "unique"), CityCard("keep", 9, 3, "unique")
MANOR = CityCard("manor", 14, 3, "noble")


def test_two_districts_change_places() -> None:
    after = with_city(with_city(AFTER, 0, KEEP), 1, CityCard("tavern", 3, 1, "trade"))
    shown = list(seen(event(2, "exchanged", 0, "tavern", 3, 1, "keep", 9, 2), after=after))
    assert "−2 gold" in shown[0]
    assert "Tavern" in shown[0].split("Bob")[0] or "●1" in shown[0]
    assert "┼" in shown[1]
    assert "*3" not in shown[1]
    assert shown[-1].index("*3") < shown[-1].index("●1"), "Ann, who comes first, has the Keep"


def test_a_roof_is_gilded_where_it_stands() -> None:
    gilded = with_city(AFTER, 1, replace(KEEP, cost=4), MANOR)
    before = with_city(BEFORE, 1, KEEP, MANOR)
    shown = list(seen(event(2, "gilded", 1, "keep", 9, 1), before=before, after=gilded))
    assert "*3" in shown[0]
    assert "−1 gold" in shown[0]
    assert "*4" in shown[1]
    assert shown[1].index("*4") < shown[1].index("◊3")


def test_a_bell_is_heard_before_the_plots_that_it_spares_are_gone() -> None:
    before = with_city(BEFORE, 1, TOWER)
    after = replace(with_city(AFTER, 1, TOWER), city_size=6)
    shown = list(seen(event(2, "fewer_needed", 1, 6), before=before, after=after))
    assert "1/7" in shown[0]
    assert "1/6" in shown[1]


@pytest.mark.parametrize("skips", [False, True])
def test_the_last_call_of_a_round_is_seen_before_the_look_back_on_it(skips: bool) -> None:
    screen, now, seen = Screen(settled=NORMAL), 0.0, list[str]()

    async def run() -> None:
        session = robot.table(4, 2)
        while True:
            news = await session.next()
            screen.hear(news, now)
            assert not isinstance(news, OverNews), "another seed is needed"
            if isinstance(news, Ask):
                screen.model.recap = None
                await session.do(Answer(news.id, _first(news)))
                screen.model.answered(news)
            last = screen.model.last
            if screen.model.recap is not None and screen.due(now) is not None:
                return
            screen.moments.skip()
            assert last is None or last.n < 4000

    asyncio.run(run())
    assert isinstance(screen.page, Table)
    if skips:
        assert screen.press("enter") == ()
        assert isinstance(screen.page, Lookback), "the key was for what was seen"
        return
    while (wait := screen.due(now)) is not None:
        assert isinstance(screen.page, Table)
        seen.append(text(screen.paint(Look(UNICODE, now), 120, 36)))
        now += wait + 1e-6
    assert any("Called:" in one for one in seen)
    assert "is over" in text(screen.paint(Look(UNICODE, now), 120, 36))
    assert isinstance(screen.page, Lookback)


def _first(ask: Ask) -> tuple[str, ...]:
    return tuple(option.id for option in ask.options[: ask.low or 1])


def test_a_complete_city_is_lit() -> None:
    screen = Screen(settled=NORMAL)
    told = EventNews(event(2, "city_completed", 1, True))
    for news in (lobby(), StateNews(BEFORE, NAMES), told, StateNews(AFTER, NAMES)):
        screen.hear(news, 0.0)

    def lit(now: float) -> int:
        frame = screen.paint(Look(UNICODE, now), 120, 36)
        return sum("lit" in span.style.split() for row in frame for span in row)

    assert lit(0.1) > lit(5.0)


def test_ones_own_hand_goes_card_by_card_and_the_other_comes() -> None:
    assert AFTER.you is not None
    taken = (replace(AFTER.you.hand[0], card="manor", slot=30, cost=3),)
    after = replace(AFTER, you=replace(AFTER.you, hand=taken))
    shown = list(seen(event(2, "hands_swapped", 1, 0, 1, 3), after=after))
    assert all("Palace" in one and "Manor" not in one for one in shown[:3])
    empty = next(n for n, one in enumerate(shown) if "Palace" not in one)
    assert "Manor" not in shown[empty]
    assert "Manor" in shown[empty + 1]
    hand = shown[-1].split("Your hand")[1]
    assert "Manor" in hand
    assert "lost" in hand


def test_a_rank_is_called_into_silence_before_somebody_answers() -> None:
    before = replace(BEFORE, turn=None)
    called = list(seen(event(2, "rank_called", 6, 0, "merchant"), before=before))
    assert "Called: 6 Merchant" in called[0]
    assert "Your turn" not in called[0]
    assert "Your turn: 6 Merchant" in called[-1]
    silent = list(
        seen(event(2, "rank_silent", 2), before=before, after=replace(AFTER, turn=None))
    )
    assert "is silent" in silent[1]


def test_while_a_rank_is_called_nobody_is_seen_to_answer() -> None:
    """The state that comes with the call says already who is waited for."""
    screen = Screen(settled=NORMAL)
    before, after = replace(BEFORE, turn=None), replace(AFTER, turn=Turn(1, 7, "architect"))
    called = EventNews(event(2, "rank_called", 7, 1, "architect"))
    for news in (lobby(), StateNews(before, NAMES), called,
                 StateNews(after, NAMES, Awaited(1, "act"))):  # fmt: skip
        screen.hear(news, 0.0)
    breath = text(screen.paint(Look(UNICODE, 0.1), 120, 36))
    assert "Called: 7 Architect" in breath
    assert "►Bob" not in breath
    assert "Bob decides" not in breath
    later = text(screen.paint(Look(UNICODE, 5.0), 120, 36))
    assert "►Bob" in later
    assert "Bob decides" in later


def hear_of_gold(screen: Screen) -> None:
    """Seat 1 gathers gold; all of it is heard at once."""
    for news in (
        lobby(),
        StateNews(BEFORE, NAMES),
        EventNews(event(2, "gold_gathered", 1, 2)),
        StateNews(AFTER, NAMES),
    ):
        screen.hear(news, 0.0)


def test_a_key_ends_all_that_is_still_to_be_seen() -> None:
    screen = Screen(settled=NORMAL)
    hear_of_gold(screen)
    assert screen.due(0.0) is not None
    screen.press("tab")
    assert screen.due(0.0) is None


@pytest.mark.parametrize("pace", ["none", "fast", "slow"])
def test_it_goes_by_the_pace_that_is_settled(pace: str) -> None:
    screen = Screen(settled=replace(NORMAL, pace=pace))
    hear_of_gold(screen)
    assert screen.due(0.0) == {"none": None, "fast": pytest.approx(0.2), "slow": 0.8}[pace]


def test_where_news_come_faster_than_they_are_seen_the_newest_is_seen() -> None:
    moments = Moments()
    for n in range(20):
        played = frames((event(n + 2, "rank_silent", 2),), BEFORE, AFTER)
        moments.hear(played, 1.0, 0.0)
        assert moments.left(0.0) <= LAG + sum(seconds for seconds, _ in played)


async def _whole(seats: int, seed: int, ascii_only: bool) -> tuple[int, float]:
    """Every frame of a match fits; most that is written in one second, in bytes."""
    screen, easel = Screen(settled=NORMAL), Easel(120, 36)
    session, now, most = robot.table(seats, seed), 0.0, 0.0
    count, written = 0, [(0.0, 0)]
    look = ASCII if ascii_only else UNICODE
    while screen.model.over is None and count < 400:
        news: News = await session.next()
        screen.hear(news, now)
        screen.model.recap = None
        while isinstance(news, StateNews) and (wait := screen.due(now)) is not None:
            block: Block = screen.paint(Look(look, now), 120, 36)
            assert all(row_width(row) == 120 for row in block)
            written.append((now, len(easel.show(block).encode())))
            count += 1
            now += wait + 1e-6
        if isinstance(news, Ask):
            low = 1 if news.low is None else news.low
            picks = tuple(option.id for option in news.options[:low])
            screen.model.answered(news, picks)
            easel.show(screen.paint(Look(look, now), 120, 36))
            await session.do(Answer(news.id, picks))
        assert not isinstance(news, OverNews) or count
    for start, _size in written:
        within = sum(size for at, size in written if start < at <= start + 1.0)
        most = max(most, within)
    return count, most


@pytest.mark.parametrize(
    ("seats", "ascii_only"), and_long([(4, False)], [(7, True), (7, False)])
)
def test_every_frame_of_a_match_fits_and_a_line_over_ssh_bears_it(
    seats: int, ascii_only: bool
) -> None:
    count, most = asyncio.run(_whole(seats, 5, ascii_only))
    assert count > 100
    assert most <= 5_000


def test_until_it_is_seen_to_end_the_round_is_the_one_that_is_told() -> None:
    assert AFTER.you is not None
    seats = tuple(replace(one, characters=()) for one in AFTER.seats)
    over = replace(AFTER, round=3, phase="selection", turn=None, seats=seats,
                   you=replace(AFTER.you, characters=()))  # fmt: skip
    events = (
        event(1, "round_begins", 2, 0), event(2, "named", 2, "warlord", "murder"),
        event(3, "turn_ends", 0), event(4, "rank_silent", 8), event(5, "round_begins", 3, 0),
    )  # fmt: skip
    *during, after = seen(*events, after=over)
    assert during
    for one in during:
        heads, below = one.split("\n")[2:4]
        assert "8† Warlord" in heads, one
        assert "·2" in heads or "×2" in heads
        assert "Merchant" in one.split("\n")[4], "what one was in that round"
        assert "In order" not in one
        assert "nobody has it" not in below[104:], one
    assert "is silent" in during[-1]
    assert "Round 2 is over." in after
    assert "·8† Warlord" in after
    assert "murdered" in after


def test_what_the_thief_did_not_find_is_to_be_stolen_no_more() -> None:
    named = event(2, "named", 2, "merchant", "theft")
    *_, before = seen(named)
    assert "to be robbed" in before
    *_, after = seen(
        named, event(3, "rank_called", 6, 0, "merchant"), event(4, "robbed", 2, 0, 0)
    )
    assert "to be robbed" not in after
    assert "6¤ Merchant" in after


def test_the_robbed_read_of_it_when_it_is_seen() -> None:
    before, after = with_gold(BEFORE, 0, 3), with_gold(AFTER, 0, 0)
    called = event(3, "rank_called", 6, 0, "merchant")
    robbed = event(4, "robbed", 2, 0, 3)
    named = event(2, "named", 2, "merchant", "theft")
    first, *_, last = seen(named, called, robbed, before=before, after=after)
    assert "is going to rob you" in first
    assert "steals your 3 gold" not in first
    assert "steals your 3 gold" in last


def test_a_murder_is_told_once() -> None:
    murdered = event(2, "named", 2, "merchant", "murder")
    *_, last = seen(murdered, event(3, "rank_silent", 6))
    assert last.count("You are murdered") == 1


def test_a_scaffold_stands_in_no_sentence() -> None:
    city = tuple(CityCard("manor", 20 + n, 3, "noble") for n in range(4))
    before, after = with_city(BEFORE, 0, *city), with_city(AFTER, 0, *city, KEEP)
    taken = event(2, "crown_taken", 1, 0)
    built = event(3, "built", 0, "keep", 9, 3)
    for one in seen(taken, built, before=before, after=after, size=(80, 24)):
        assert all("−crown by Bob" in row for row in one.split("\n") if "by Bob" in row), one


def test_a_warlord_of_the_own_city_destroys_nobody_s_district() -> None:
    *_, last = seen(event(2, "destroyed", 1, 1, "keep", 9, 2), after=without_city(AFTER, 1))
    assert "destroys own Keep" in last
    assert "nobody" not in last.split("\n", 4)[4].partition("Journal")[0]
