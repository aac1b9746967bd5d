"""Practice: a match with bots in one process, driven by nothing but news and answers."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from citadels_p2p.match.acts import Advise, Answer, Depart, HandOver
from citadels_p2p.match.archive.record import counsel, told
from citadels_p2p.match.news import AdviceNews, Ask, News, OverNews, Refused
from citadels_p2p.match.session.solo import Practice, practice
from citadels_p2p.notation import read_record
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules import Rules


async def play_at_random(practice: Practice, random: Random) -> list[News]:
    """Answer every question with any of its options; everything that was told."""
    heard: list[News] = []
    while True:
        news = await practice.next()
        heard.append(news)
        assert not isinstance(news, Refused), news
        if isinstance(news, OverNews):
            return heard
        if isinstance(news, Ask):
            low, high = (1, 1) if news.low is None else (news.low, news.high or news.low)
            count = random.randint(low, high)
            picks = random.sample([option.id for option in news.options], count)
            await practice.do(Answer(news.id, tuple(picks)))


@pytest.mark.parametrize("seed", range(12))
def test_any_rules_can_be_practised_to_the_end(seed: int) -> None:
    random = Random(seed)
    rules = draw_rules(random, ("2016", "dark-city"))
    match = practice(rules, levels=["easy"] * (rules.seats - 1), name="Anna", seed=seed)
    heard = asyncio.run(play_at_random(match, random))
    assert isinstance(heard[-1], OverNews)


@pytest.mark.parametrize("character", ["magistrate", "blackmailer"])
def test_who_hides_a_marker_is_not_refused(character: str) -> None:
    """The choice of the true marker is kept by the seat, and the match goes on."""
    rules = Rules.make("2016", seats=2, characters=[character])
    for seed in range(6):
        match = practice(rules, levels=["easy"], name="Anna", seed=seed)
        heard = asyncio.run(play_at_random(match, Random(seed)))
        if any(isinstance(news, Ask) and news.kind == "sign" for news in heard):
            return
    pytest.fail("nobody was ever asked which marker is the true one")


def test_a_spectator_sees_bots_play_a_whole_match() -> None:
    match = practice(
        Rules.make("classic", seats=3), levels=["normal"] * 3, name="", seed=1, spectate=True
    )
    heard = asyncio.run(play_at_random(match, Random(1)))
    assert not any(isinstance(news, Ask) for news in heard)


def test_no_bot_waits_for_a_person_who_rests_or_leaves_for_good() -> None:
    async def scene() -> list[News]:
        match = practice(Rules.make("classic", seats=2), levels=["easy"], name="Anna", seed=1)
        while not isinstance(await match.next(), Ask):
            pass
        await match.do(HandOver("easy"))
        await match.do(Depart())
        return [await match.next(), await match.next()]

    heard = asyncio.run(scene())
    assert [news.reason for news in heard if isinstance(news, Refused)] == ["only_bots"] * 2


async def asked(practice: Practice) -> Ask:
    """The next question."""
    while not isinstance(news := await practice.next(), Ask):
        pass
    return news


async def test_a_bot_says_what_it_would_do_in_the_open_question() -> None:
    match = practice(Rules.make(seats=3), levels=["easy"] * 2, name="Anna", seed=1)
    ask = await asked(match)
    await match.do(Advise())
    told = await match.next()
    assert isinstance(told, AdviceNews)
    assert told.ask == ask.id
    assert {*told.picks} <= {option.id for option in ask.options}
    await match.do(Answer(ask.id, told.picks))
    assert not isinstance(await match.next(), Refused)


async def test_advice_that_comes_after_the_answer_is_not_told() -> None:
    match = practice(Rules.make(seats=3), levels=["easy"] * 2, name="Anna", seed=1)
    ask = await asked(match)
    await match.do(Advise())
    await match.do(Answer(ask.id, (ask.options[0].id,)))
    assert match._advising is not None
    await match._advising
    while not isinstance(news := await match.next(), Ask):
        assert not isinstance(news, AdviceNews)


def test_a_written_match_says_what_a_bot_would_have_done_at_each_decision() -> None:
    match = practice(Rules.make(seats=2, city=6), levels=["easy"], name="Anna", seed=2)
    over = asyncio.run(play_at_random(match, Random(2)))[-1]
    assert isinstance(over, OverNews)
    record = told(read_record(over.record))
    for place in range(0, 24, 3):
        found = counsel(record, place)
        assert found is not None
        ask, news = found
        assert {*news.picks} <= {option.id for option in ask.options}
    assert counsel(record, len(record.moments) - 1) is None, "the match is over"


async def test_nobody_is_advised_where_several_persons_play() -> None:
    match = practice(Rules.make(seats=3), levels=["easy"], name="Anna", others=["Bo"], seed=1)
    await match.do(Advise())
    while not isinstance(news := await match.next(), Refused):
        pass
    assert news.reason == "not_asked"
