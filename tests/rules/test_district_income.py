"""School of Magic, Observatory, Library: what changes gathering and income."""

from __future__ import annotations

import pytest

from tests.rules.scene import Player, Scene


@pytest.mark.parametrize(
    ("character", "quarter"),
    [
        ("king", "noble"),
        ("bishop", "religious"),
        ("merchant", "trade"),
        ("warlord", "military"),
    ],
)
def test_the_school_of_magic_pays_as_the_quarter_its_owner_collects_for(
    character: str, quarter: str
) -> None:
    """Any colour, chosen anew every turn."""
    scene = Scene(ann=Player(character, city="school_of_magic"))
    assert scene.play("income") == [f"income seat=ann gold=1 quarter={quarter}"]


def test_the_school_of_magic_counts_beside_the_districts_of_the_quarter() -> None:
    scene = Scene(ann=Player("king", city="school_of_magic manor castle temple"))
    assert scene.play("income") == ["income seat=ann gold=3 quarter=noble"]


def test_the_school_of_magic_pays_nobody_without_a_quarter() -> None:
    for character in ("assassin", "thief", "magician", "architect"):
        scene = Scene(ann=Player(character, city="school_of_magic"))
        assert scene.offers("income") == set()


def test_the_school_of_magic_pays_in_the_turn_it_is_built() -> None:
    """A unique works from the moment it stands."""
    scene = Scene(ann=Player("merchant", gold=4, hand="school_of_magic"))
    scene.play("gold", "build:school_of_magic")
    assert scene.play("income") == ["income seat=ann gold=1 quarter=trade"]


def test_with_two_characters_it_serves_each_in_its_own_turn() -> None:
    scene = Scene(seats=2, ann=Player("king bishop", city="school_of_magic"))
    assert scene.play("income") == ["income seat=ann gold=1 quarter=noble"]
    scene.play("gold", "end")
    assert scene.play("income") == ["income seat=ann gold=1 quarter=religious"]


def test_the_observatory_draws_three_cards_of_which_one_is_kept() -> None:
    """The other two go under the deck."""
    scene = Scene(ann=Player("thief", city="observatory"), deck="castle temple manor")
    assert scene.play("cards") == ["cards_drawn seat=ann count=3"]
    assert scene.offers() == {"keep:castle", "keep:temple", "keep:manor"}
    assert scene.play("keep:manor") == ["cards_kept seat=ann count=1 returned=2"]
    assert scene.hand("ann") == ["manor"]
    assert sorted(scene.under_deck(2)) == ["castle", "temple"]


def test_the_library_keeps_both_cards() -> None:
    scene = Scene(ann=Player("thief", city="library"), deck="castle temple")
    assert scene.play("cards") == [
        "cards_drawn seat=ann count=2",
        "cards_kept seat=ann count=2 returned=0",
    ]
    assert scene.hand("ann") == ["castle", "temple"]
    assert scene.asked == "ann act"


def test_observatory_and_library_change_nothing_about_gold() -> None:
    scene = Scene(ann=Player("thief", city="observatory library"))
    assert scene.play("gold") == ["gold_gathered seat=ann gold=2"]


def test_observatory_and_library_touch_only_the_gathering_of_their_owner() -> None:
    scene = Scene(ann=Player("thief"), bob=Player(city="observatory library"))
    assert scene.play("cards") == ["cards_drawn seat=ann count=2"]


def test_the_architect_s_two_cards_are_no_gathering() -> None:
    """The Observatory adds nothing to them."""
    scene = Scene(ann=Player("architect", city="observatory"))
    assert scene.play("bonus_cards") == ["cards_gained seat=ann count=2 reason=architect"]
