"""Characters and unique districts drawn by the table's own lots, which nobody chooses."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from citadels_p2p.arena import play
from citadels_p2p.cards import CHARACTERS, EDITIONS
from citadels_p2p.cards.contents import PLAIN_COPIES
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.inspection import Inspector
from citadels_p2p.rules import Open, Rules, Shuffle, State, apply, need, new, score

CHANCE = {"characters": ["random"], "uniques": ["random"]}


def drawn(rules: Rules, seed: int = 1) -> State:
    """The match once the lots have spoken."""
    state, dealer = new(rules), OpenDealer(Random(seed))
    while not state.rules.drawn:
        apply(state, dealer.answer(state, need(state)))
    return state


def test_all_shuffle_the_whole_cast_and_turn_it_over() -> None:
    state = new(Rules.make("2016", 5, characters=["random", "ninth"]))
    asked = need(state)
    assert isinstance(asked, Shuffle)
    assert set(asked.fresh) == set(EDITIONS["2016"].cast)
    dealer = OpenDealer(Random(1))
    apply(state, dealer.answer(state, asked))
    opened = need(state)
    assert isinstance(opened, Open)
    assert opened.slots == asked.slots
    faces = [dealer.faces[slot] for slot in opened.slots]
    (event,) = apply(state, dealer.answer(state, opened))
    assert event.kind == "characters_drawn"
    first = {CHARACTERS[id].rank: id for id in reversed(faces)}
    assert event.values[0] == state.rules.characters == tuple(first[r] for r in range(1, 10))


def test_every_character_of_a_rank_has_the_same_chance() -> None:
    rules = Rules.make("2016", 5, characters=["random", "ninth"])
    count: Counter[str] = Counter()
    for seed in range(300):
        count.update(drawn(rules, seed).rules.characters)
    cast = EDITIONS["2016"].cast
    assert set(count) == set(cast)
    of_rank = Counter(CHARACTERS[id].rank for id in cast)
    for id, times in count.items():
        assert 0.7 <= times * of_rank[CHARACTERS[id].rank] / 300 <= 1.3, id


@pytest.mark.parametrize(("seats", "size"), [(2, 8), (3, 9), (4, 8), (7, 8), (8, 9)])
def test_a_ninth_is_drawn_where_it_is_needed(seats: int, size: int) -> None:
    rules = drawn(Rules.make("2016", seats, characters=["random"])).rules
    assert len(rules.characters) == size


@pytest.mark.parametrize("seed", range(20))
def test_nobody_is_drawn_who_cannot_play(seed: int) -> None:
    """No Emperor with two, no Queen below five."""
    two = drawn(Rules.make("2016", 2, characters=["random"]), seed).rules
    assert "emperor" not in two.characters
    four = drawn(Rules.make("2016", 4, characters=["random", "ninth"]), seed).rules
    assert "queen" not in four.characters


def test_some_may_be_named_and_the_others_drawn() -> None:
    wish = Rules.make("2016", 6, characters=["witch", "random", "queen"])
    assert wish.characters == ("random", "witch", "queen")
    rules = drawn(wish).rules
    assert (rules.characters[0], rules.characters[8]) == ("witch", "queen")


def test_fourteen_unique_districts_of_the_whole_box_are_drawn() -> None:
    state = new(Rules.make("2016", uniques=["random"]))
    asked = need(state)
    assert isinstance(asked, Shuffle)
    box = EDITIONS["2016"]
    uniques = {row.card for row in (*box.deck, *box.chest)} - PLAIN_COPIES.keys()
    assert set(asked.fresh) == uniques
    assert len(asked.fresh) == len(uniques)
    rules = drawn(Rules.make("2016", uniques=["random"])).rules
    assert len(rules.uniques) == 14
    assert len(rules.pack) == 68


def test_the_dark_city_adds_three_of_its_own() -> None:
    rules = drawn(Rules.make("dark-city", uniques=["random"])).rules
    old = set(EDITIONS["dark-city"].staples)
    assert old < set(rules.uniques)
    assert len(set(rules.uniques) - old) == 3
    assert len(rules.pack) == 69


def test_a_named_unique_is_one_of_those_drawn() -> None:
    for seed in range(5):
        rules = drawn(Rules.make("2016", uniques=["random", "theater"]), seed).rules
        assert "theater" in rules.uniques
        assert len(rules.uniques) == 14


@pytest.mark.parametrize("seed", range(30))
def test_the_diplomat_and_the_graveyard_are_never_drawn_together(seed: int) -> None:
    for uniques in (None, ["random"]):
        rules = drawn(Rules.make("dark-city", characters=["random"], uniques=uniques), seed)
        both = {*rules.rules.characters, *rules.rules.uniques}
        assert not {"diplomat", "graveyard"} <= both


def test_who_wants_the_graveyard_gets_no_diplomat() -> None:
    old = [card for card in EDITIONS["dark-city"].staples if card != "keep"]
    wish = Rules.make("dark-city", characters=["random"], uniques=[*old, "park"])
    asked = need(new(wish))
    assert isinstance(asked, Shuffle)
    assert "diplomat" not in asked.fresh


@pytest.mark.parametrize(
    ("edition", "seats", "wish", "fault"),
    [
        ("classic", 4, {"characters": ["random"]}, "nothing_to_draw"),
        ("classic", 4, {"uniques": ["random"]}, "nothing_to_draw"),
        ("original", 4, {"uniques": ["random"]}, "nothing_to_draw"),
        ("2016", 2, {"characters": ["random", "ninth"]}, "no_ninth_character"),
        ("2016", 4, {"characters": ["random", "witch", "assassin"]}, "two_of_a_rank"),
        ("2016", 4, {"characters": ["random", "queen"]}, "too_few_seats:queen"),
        ("2016", 4, {"uniques": ["random", "university"]}, "unknown_unique"),
        (
            "dark-city",
            4,
            {"uniques": ["random", "park", "museum", "armory", "factory"]},
            "uniques_out_of_range",
        ),
        (
            "dark-city",
            4,
            {"characters": ["diplomat"], "uniques": ["random", "graveyard"]},
            "not_together:graveyard",
        ),
    ],
)
def test_lots_that_cannot_be(
    edition: str, seats: int, wish: dict[str, list[str]], fault: str
) -> None:
    with pytest.raises(ValueError, match=fault):
        Rules.make(edition, seats, **wish)  # type: ignore[arg-type]  # two lists


@pytest.mark.parametrize("edition", ["2016", "dark-city"])
@pytest.mark.parametrize("seats", range(2, 9))
def test_whole_matches_from_the_lots_to_the_score(edition: str, seats: int) -> None:
    rules = Rules.make(edition, seats, **CHANCE)  # type: ignore[arg-type]  # two lists
    assert Rules.from_options(rules.to_options()) == rules
    random = Random(f"{edition}/{seats}")
    dealer, state = OpenDealer(random), new(rules)
    play(state, dealer, ("easy",) * seats, Inspector(dealer, every=53))
    assert score(state).winners
    assert Rules.from_options(state.rules.to_options()) == state.rules
