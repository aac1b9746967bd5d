"""Haunted Quarter, Dragon Gate, University, Map Room, Imperial Treasury: their points."""

from __future__ import annotations

import pytest

from tests.rules.scene import Player, Scene

#: one district of each plain quarter
FOUR = {"noble": "manor", "religious": "temple", "trade": "tavern", "military": "prison"}


# Haunted Quarter


@pytest.mark.parametrize("missing", FOUR)
def test_the_haunted_quarter_stands_for_the_one_missing_quarter(missing: str) -> None:
    """A second unique keeps the fifth quarter, the Haunted Quarter becomes the fourth."""
    others = " ".join(card for quarter, card in FOUR.items() if quarter != missing)
    scene = Scene(ann=Player(city=f"{others} keep haunted_quarter"))
    assert scene.points("ann")["quarters"] == 3


def test_the_haunted_quarter_stands_for_the_unique_it_is() -> None:
    scene = Scene(ann=Player(city=" ".join([*FOUR.values(), "haunted_quarter"])))
    assert scene.points("ann")["quarters"] == 3


def test_the_haunted_quarter_stands_for_one_quarter_only() -> None:
    """With another one missing, or no other unique beside it, there are not five."""
    two_missing = Scene(ann=Player(city="manor temple keep haunted_quarter"))
    no_other_unique = Scene(ann=Player(city="manor temple tavern haunted_quarter"))
    assert "quarters" not in two_missing.points("ann")
    assert "quarters" not in no_other_unique.points("ann")


def test_the_haunted_quarter_is_no_income() -> None:
    """It changes its quarter at the end of the game and not before."""
    for character in ("king", "bishop", "merchant", "warlord"):
        scene = Scene(ann=Player(character, city="haunted_quarter"))
        assert scene.refused("income") == "no_income"


# School of Magic


def test_the_school_of_magic_is_unique_and_nothing_else_at_the_end() -> None:
    """Its other colours are for income only."""
    scene = Scene(ann=Player(city="manor temple tavern keep school_of_magic"))
    assert "quarters" not in scene.points("ann")


# Points of their own


@pytest.mark.parametrize("district", ["dragon_gate", "university"])
def test_dragon_gate_and_university_are_worth_two_more_than_they_cost(district: str) -> None:
    scene = Scene(ann=Player(city=district))
    assert scene.points("ann") == {"districts": 6, district: 2}


def test_the_map_room_is_worth_a_point_for_each_card_in_hand() -> None:
    scene = Scene(ann=Player(hand="castle market temple", city="map_room"))
    assert scene.points("ann") == {"districts": 5, "map_room": 3}


def test_the_map_room_is_worth_its_cost_with_an_empty_hand() -> None:
    scene = Scene(ann=Player(city="map_room"), bob=Player(hand="castle"))
    assert scene.total("ann") == 5


def test_the_imperial_treasury_is_worth_a_point_for_each_gold() -> None:
    scene = Scene(ann=Player(gold=4, city="imperial_treasury"))
    assert scene.points("ann") == {"districts": 5, "imperial_treasury": 4}


def test_the_imperial_treasury_is_worth_its_cost_without_gold() -> None:
    scene = Scene(ann=Player(city="imperial_treasury"), bob=Player(gold=4))
    assert scene.total("ann") == 5


def test_a_district_in_hand_counts_for_nothing() -> None:
    """Only what stands in the city speaks at the end."""
    scene = Scene(ann=Player(gold=5, hand="dragon_gate imperial_treasury map_room university"))
    assert scene.total("ann") == 0


@pytest.mark.parametrize(
    ("district", "cost"),
    [
        ("keep", 3),
        ("observatory", 4),
        ("graveyard", 5),
        ("laboratory", 5),
        ("smithy", 5),
        ("great_wall", 6),
        ("library", 6),
        ("school_of_magic", 6),
        ("haunted_quarter", 2),
    ],
)
def test_the_other_uniques_are_worth_what_they_cost(district: str, cost: int) -> None:
    scene = Scene(ann=Player(gold=3, hand="castle", city=district))
    assert scene.points("ann") == {"districts": cost}
