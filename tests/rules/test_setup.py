"""Before the first round: the deck, the first hands, the first gold, the crown."""

from __future__ import annotations

from collections import Counter

import pytest

from citadels_p2p.cards import CHARACTERS, DISTRICTS
from citadels_p2p.rules import Rules
from tests.rules.scene import PEOPLE, Scene

#: how many cards of each district lie in the box, and what they cost
PLAIN = {
    "noble": {"manor": (5, 3), "castle": (4, 4), "palace": (3, 5)},
    "religious": {
        "temple": (3, 1),
        "church": (3, 2),
        "monastery": (3, 3),
        "cathedral": (2, 5),
    },
    "trade": {
        "tavern": (5, 1),
        "market": (4, 2),
        "trading_post": (3, 2),
        "docks": (3, 3),
        "harbor": (3, 4),
        "town_hall": (2, 5),
    },
    "military": {
        "watchtower": (3, 1),
        "prison": (3, 2),
        "barracks": (3, 3),
        "fortress": (2, 5),
    },
}
UNIQUE = {
    "haunted_quarter": (1, 2),
    "keep": (2, 3),
    "observatory": (1, 4),
    "laboratory": (1, 5),
    "smithy": (1, 5),
    "graveyard": (1, 5),
    "map_room": (1, 5),
    "imperial_treasury": (1, 5),
    "library": (1, 6),
    "school_of_magic": (1, 6),
    "great_wall": (1, 6),
    "university": (1, 6),
    "dragon_gate": (1, 6),
}


@pytest.mark.parametrize("quarter", [*PLAIN, "unique"])
def test_every_district_has_its_copies_its_cost_and_its_quarter(quarter: str) -> None:
    """The tables above are the box; nothing else is in it."""
    pack = Counter(Rules.make("classic").pack)
    of_quarter = {
        card: (copies, DISTRICTS[card].cost)
        for card, copies in pack.items()
        if DISTRICTS[card].quarter == quarter
    }
    assert of_quarter == {**PLAIN, "unique": UNIQUE}[quarter]


def test_the_deck_has_68_cards_14_of_them_unique() -> None:
    """54 plain districts worth 152 gold, and 13 unique names; the Keep is there twice."""
    pack = Rules.make("classic").pack
    unique = [card for card in pack if DISTRICTS[card].quarter == "unique"]
    assert len(pack) == 68
    assert len(unique) == 14
    assert len(set(unique)) == 13
    assert sum(DISTRICTS[card].cost for card in pack if card not in unique) == 152


def test_the_eight_characters_and_their_ranks() -> None:
    """Four of them have a quarter: the colour of the circle around their rank."""
    characters = sorted(CHARACTERS.values(), key=lambda row: row.rank)
    rules = Rules.make("classic")
    taking_part = [row for row in characters if rules.rank_of(row.id) is not None]
    assert [(row.rank, row.id, row.quarter) for row in taking_part] == [
        (1, "assassin", None),
        (2, "thief", None),
        (3, "magician", None),
        (4, "king", "noble"),
        (5, "bishop", "religious"),
        (6, "merchant", "trade"),
        (7, "architect", None),
        (8, "warlord", "military"),
    ]


@pytest.mark.parametrize("seats", range(2, 8))
def test_everybody_begins_with_four_cards_and_two_gold(seats: int) -> None:
    """The rest of the 68 cards is the deck."""
    scene = Scene.opening(seats)
    for person in PEOPLE[:seats]:
        assert len(scene.hand(person)) == 4
        assert scene.gold(person) == 2
        assert scene.city(person) == []
    assert scene.deck() == 68 - 4 * seats


def test_the_first_crown_is_drawn_by_lots_and_its_holder_chooses_first() -> None:
    """Nobody at the table can tell who is eldest, so chance gives the first crown."""
    scene = Scene.opening(4)
    assert scene.story[0] == f"match_begins first={scene.crown}"
    assert scene.asked == f"{scene.crown} character"


@pytest.mark.parametrize(("seats", "city"), [(2, 8), (3, 8), (4, 7), (5, 7), (6, 7), (7, 7)])
def test_a_city_needs_seven_districts_and_eight_with_two_or_three_people(
    seats: int, city: int
) -> None:
    assert Rules.make("classic", seats).city == city


def test_the_table_may_agree_on_another_number_of_districts() -> None:
    """Eight is the classic variant with four and more people; six is the short game."""
    for city in (6, 7, 8):
        assert Rules.make("classic", 4, city).city == city
    with pytest.raises(ValueError, match="city_out_of_range"):
        Rules.make("classic", 4, 5)


@pytest.mark.parametrize("seats", [0, 1, 8])
def test_the_box_is_for_two_to_seven_people(seats: int) -> None:
    with pytest.raises(ValueError, match="seats_out_of_range"):
        Rules.make("classic", seats)
