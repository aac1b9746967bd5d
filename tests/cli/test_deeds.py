"""What was done to you since your last decision: plain lines, programs and screens tell it."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from citadels_p2p.match import Answer, Ask, EventNews, Option, OverNews, Refused, StateNews
from citadels_p2p.match.session.solo import practice
from citadels_p2p.rules import Rules
from cli.client.client_model import ClientModel
from cli.client.effects import Print
from cli.client.json_lines import JsonLines
from cli.client.plain import Plain
from cli.text import cards
from tests.cli.scripted import ACT, NAMES, event, in_hand, lobby, view


def heard(*told: Any) -> ClientModel:
    """Ann, the Merchant, whose last decision is made, and what she hears after it."""
    model = ClientModel()
    for news in (lobby(), StateNews(view(n=7), NAMES), ACT):
        model.hear(news, 0.0)
    model.answered(ACT)
    for news in told:
        model.hear(news, 0.0)
    return model


def happened(*events: tuple[Any, ...]) -> tuple[EventNews, ...]:
    return tuple(EventNews(event(8 + n, *one)) for n, one in enumerate(events))


THEFT = ("robbed", 1, 0, 3)
SWAP = ("hands_swapped", 2, 0, 1, 3)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ([THEFT], ["Bob steals your 3 gold."]),
        ([("destroyed", 1, 0, "tavern", 3, 0)], ["Bob destroys your Tavern at no cost."]),
        (
            [("turn_begins", 1, 4, "king"), ("crown_taken", 1, 0)],
            ["Bob takes the crown from you."],
        ),
        (
            [("named", 2, "merchant", "murder"), ("rank_silent", 6)],
            ["You are murdered: your Merchant stays silent."],
        ),
        (
            [("turn_resumed", 2, 6, "merchant")],
            ["Cleo plays the turn of the bewitched Merchant."],
        ),
        (
            [("turn_begins", 1, 5, "abbot"), ("gold_paid", 0, 1, "abbot", 1)],
            ["You pay 1 gold to Bob (Abbot)."],
        ),
        # nobody's deed, or somebody else's trouble
        ([("robbed", 1, 2, 3)], []),
        ([("named", 2, "king", "murder"), ("rank_silent", 4)], []),
        ([("named", 0, "merchant", "murder"), ("rank_silent", 6)], []),
        ([("turn_begins", 0, 5, "cardinal"), ("cards_given", 0, 1, 1, "cardinal")], []),
    ],
)  # fmt: skip
def test_what_was_done_is_told_until_the_next_decision(what: Any, said: list[str]) -> None:
    model = heard(*happened(*what))
    assert list(model.done_to_you()) == said
    model.hear(ACT, 0.0)
    assert list(model.done_to_you()) == said
    model.answered(ACT)
    assert not model.done_to_you()


def test_a_swapped_hand_is_told_as_it_was_and_as_it_is() -> None:
    after = view(n=9)
    assert after.you is not None
    object.__setattr__(after.you, "hand", (in_hand("market", 30),))
    model = heard(*happened(SWAP), StateNews(after, NAMES))
    assert list(model.done_to_you()) == [
        "Cleo swaps hands with you (cards: 1 for 3).",
        "You had Tavern (1 trade), Temple (1 religious) and Palace (5 noble); "
        "now you have Market (2 trade).",
    ]


def test_a_hand_that_is_the_same_again_is_not_told() -> None:
    held = heard(StateNews(view(n=7), NAMES)).view
    assert held is not None
    model = heard(*happened(("cards_given", 0, 1, 1, "seer")), StateNews(view(n=9), NAMES))
    assert list(model.done_to_you()) == ["1 card of yours goes to Bob (Seer)."]


def test_over_a_slow_network_the_hand_is_the_one_of_before_all_the_same() -> None:
    """There the view of afterwards is there before the event."""
    after = view(n=9)
    assert after.you is not None
    object.__setattr__(after.you, "hand", ())
    model = heard(StateNews(after, NAMES), *happened(SWAP))
    assert model.done_to_you()[1].endswith("Palace (5 noble); now you have no cards.")


def test_a_refused_decision_is_none() -> None:
    model = heard(*happened(THEFT), ACT)
    model.answered(ACT)
    model.hear(Refused("gather_first", {}, ACT.id), 0.0)
    assert model.done_to_you()


def test_an_ask_with_one_answer_decides_nothing() -> None:
    model = heard(*happened(THEFT))
    only = Ask(9, "counted", (Option("agree", "agree"),), word="counted")
    model.hear(only, 0.0)
    model.answered(only)
    assert model.done_to_you()


def test_who_comes_back_hears_what_was_done_since_the_own_last_act() -> None:
    model = heard(*happened(THEFT, ("gold_gathered", 0, 2), ("robbed", 2, 0, 1)))
    assert list(model.done_to_you()) == ["Cleo steals your 1 gold."]


def test_what_a_clock_decided_was_not_decided() -> None:
    model = heard(*happened(THEFT, ("timed_out", 0), ("gold_gathered", 0, 2)))
    assert list(model.done_to_you()) == ["Bob steals your 3 gold."]


def test_plain_lines_say_it_at_the_decision() -> None:
    plain = Plain()
    for news in (lobby(), StateNews(view(n=7), NAMES), *happened(THEFT)):
        plain.hear(news)
    lines = [one.text for one in plain.hear(ACT) if isinstance(one, Print)]
    at = lines.index("Since your last decision:")
    assert lines[at + 1] == "  Bob steals your 3 gold."
    assert lines.index("What do you do?") > at


def test_programs_are_told_at_the_ask() -> None:
    machine = JsonLines("a program", 1)
    for news in (lobby(), StateNews(view(n=7), NAMES), *happened(SWAP)):
        machine.hear(news)
    (shown,) = machine.hear(ACT)
    assert isinstance(shown, Print)
    (deed,) = json.loads(shown.text)["since"]
    assert deed == {
        "n": 8, "event": "hands_swapped", "by": 2, "had": ["palace", "temple", "tavern"],
        "label": "Cleo swaps hands with you (cards: 1 for 3).",
    }  # fmt: skip


async def _play(seed: int) -> int:
    """A whole match; how often something was gone from an own turn's end to the next ask."""
    random = Random(seed)
    game = Rules.make("2016", 5, characters=("random",), uniques=("random",))
    session = practice(game, levels=["normal"] * 4, name="Ann", seed=seed)
    model, before, missed = ClientModel(), None, 0
    while not isinstance(news := await session.next(), OverNews):
        model.hear(news, 0.0)
        if not isinstance(news, Ask):
            continue
        now = model.view
        assert now is not None
        assert now.you is not None
        if before is not None:
            had = Counter(card.card for card in before.you.hand)
            stood = Counter(card.slot for card in before.seats[0].city)
            lost = had - Counter(card.card for card in now.you.hand)
            lost_city = stood - Counter(card.slot for card in now.seats[0].city)
            poorer = before.seats[0].gold > now.seats[0].gold
            if lost or lost_city or poorer:
                missed += 1
                assert model.done_to_you(), (seed, now.n)
        low = news.low or 0
        count = 1 if news.low is None else max(low, 1) if news.high else 0
        picks = tuple(one.id for one in random.sample(news.options, count))
        model.answered(news)
        await session.do(Answer(news.id, picks))
        before = now if picks == ("end",) else None
    return missed


def test_nothing_goes_without_a_word() -> None:
    """Whatever somebody has less of at the next decision than at the end of the own turn."""
    assert sum(asyncio.run(_play(seed)) for seed in range(3)) > 0


async def _dealt(seed: int, **options: object) -> tuple[str, list[tuple[str, ...]]]:
    """Plain lines of a match with dealt characters, and which the person has had."""
    random = Random(seed)
    game = Rules.make("2016", 5, draft="deal", **options)  # type: ignore[arg-type]
    session = practice(game, levels=["easy"] * 4, name="Ann", seed=seed)
    plain, lines, had = Plain(), list[str](), list[tuple[str, ...]]()
    while not isinstance(news := await session.next(), OverNews):
        lines += [one.text for one in plain.hear(news) if isinstance(one, Print)]
        if isinstance(news, StateNews) and news.view.you is not None:
            had.append(news.view.you.characters)
        if isinstance(news, Ask):
            count = 1 if news.low is None else news.low
            picks = tuple(one.id for one in random.sample(news.options, count))
            plain.model.answered(news)
            await session.do(Answer(news.id, picks))
    return "\n".join(lines), had


def test_whoever_is_dealt_a_character_is_told_which_before_its_rank() -> None:
    told, had = asyncio.run(_dealt(1))
    first = told.partition("Round 2 begins")[0]
    (role,) = next(roles for roles in had if roles)
    line = f"Your character: {cards.role(role)}."
    assert line in first
    assert first.index("Chance deals the characters.") < first.index(line)
    assert first.index(line) < first.index("it is your turn")
    assert "chooses a character" not in first, "nobody has the crown yet"
    assert "0 characters" not in told


def test_whoever_exchanged_a_character_is_told_the_new_one() -> None:
    swap = happened(("picks_swapped", 1, 0))
    after = view(n=8)
    assert after.you is not None
    object.__setattr__(after.you, "characters", ("king",))
    object.__setattr__(after, "turn", None)
    plain = Plain()
    for news in (lobby(), StateNews(view(n=7), NAMES), *swap):
        plain.hear(news)
    plain.hear(StateNews(after, NAMES))
    told = [one.text for one in plain.hear(ACT) if isinstance(one, Print)]
    assert "Your character: King." in told
