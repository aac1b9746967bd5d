"""What the players may agree on, and what is refused, with its reason."""

from __future__ import annotations

import gc
from itertools import islice, product

import pytest

from citadels_p2p.cards import CHARACTERS
from citadels_p2p.rules import Rules
from citadels_p2p.rules.effects import tables_of
from citadels_p2p.rules.rule_tables import RuleTables


@pytest.mark.parametrize(
    ("edition", "seats", "characters", "fault"),
    [
        ("classic", 4, ["witch"], "unknown_character"),
        ("dark-city", 4, ["spy"], "unknown_character"),
        ("2016", 4, ["witch", "magistrate"], "two_of_a_rank"),
        ("2016", 4, ["queen"], "too_few_seats:queen"),
        ("2016", 2, ["emperor"], "too_few_seats:emperor"),
        ("2016", 2, ["artist"], "no_ninth_character"),
    ],
)
def test_rosters_that_cannot_be(
    edition: str, seats: int, characters: list[str], fault: str
) -> None:
    with pytest.raises(ValueError, match=fault):
        Rules.make(edition, seats, characters=characters)


def test_characters_take_the_place_of_the_usual_ones_of_their_rank() -> None:
    rules = Rules.make("2016", 5, characters=["witch", "queen"])
    assert rules.characters == (
        *("witch", "thief", "magician", "king", "bishop"),
        *("merchant", "architect", "warlord", "queen"),
    )


@pytest.mark.parametrize(("seats", "ninth"), [(2, False), (3, True), (4, False), (8, True)])
def test_a_ninth_character_plays_where_it_is_needed(seats: int, ninth: bool) -> None:
    assert (len(Rules.make("2016", seats).characters) == 9) == ninth


def test_fourteen_uniques_in_the_newest_box() -> None:
    rules = Rules.make("2016")
    assert len(rules.uniques) == 14
    assert len(rules.pack) == 68
    with pytest.raises(ValueError, match="uniques_out_of_range"):
        Rules.make("2016", uniques=rules.uniques[:13])
    with pytest.raises(ValueError, match="unknown_unique"):
        Rules.make("2016", uniques=[*rules.uniques[:13], "university"])


@pytest.mark.parametrize(
    ("edition", "cards"), [("original", 66), ("classic", 68), ("2016", 68), ("dark-city", 69)]
)
def test_the_decks(edition: str, cards: int) -> None:
    assert len(Rules.make(edition).pack) == cards


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"characters": "witch"}, "unknown_character"),
        ({"characters": [1]}, "unknown_character"),
        ({"uniques": 3}, "unknown_unique"),
        ({"draft": 3}, "unknown_draft"),
        ({"gilding": "gold"}, "unknown_gilding"),
        ({"gilding": 1}, "unknown_gilding"),
        ({"characters_each": "2"}, "characters_each_out_of_range"),
        ({"characters_each": 2}, "characters_each_out_of_range"),
    ],
)
def test_nonsense_is_no_options(options: dict[str, object], fault: str) -> None:
    plain = Rules.make("2016", 4).to_options()
    with pytest.raises(ValueError, match=fault):
        Rules.from_options({**plain, **options})


def test_the_rules_of_matches_long_over_are_not_kept() -> None:
    """Each match whose characters chance chooses has rules of its own."""
    ranks = [
        [one.id for one in CHARACTERS.values() if one.rank == rank] for rank in range(1, 9)
    ]
    for characters in islice(product(*ranks), 200):
        tables_of(Rules.make("2016", 4, characters=list(characters)))
    gc.collect()
    assert sum(type(one) is RuleTables for one in gc.get_objects()) < 100
