"""Eight points on which programs that play this game are known to disagree."""

from __future__ import annotations

import pytest

from tests.rules.scene import Player, Scene

SIX = "manor castle temple church tavern market"


def test_the_murdered_king_nobody_chose_moves_no_crown() -> None:
    """Only one who holds the card can be heir."""
    scene = Scene(ann=Player("assassin"), bob=Player("warlord"), crown="cleo")
    scene.play("murder:king", "gold", "end", "gold", "end")
    assert scene.crown == "cleo"
    assert scene.asked == "cleo character"


def test_the_great_wall_does_not_raise_its_own_price() -> None:
    """Six gold to build, five to destroy; every other district costs one more."""
    scene = Scene(ann=Player("warlord", gold=5), bob=Player(city="great_wall university"))
    assert scene.refused("destroy:bob:university") == "too_dear cost=6 gold=5"
    assert "destroyed seat=ann owner=bob card=great_wall paid=5" in scene.play(
        "destroy:bob:great_wall"
    )


def test_the_murdered_does_not_count_as_revealed_in_a_tie() -> None:
    """The King of the last round beats a Warlord who was murdered in it."""
    scene = Scene(
        ann=Player("assassin"),
        bob=Player("king", city="palace"),
        cleo=Player("warlord", city="fortress"),
        first="ann",
    )
    scene.play("murder:warlord", "gold", "end", "gold", "end")
    assert scene.total("bob") == scene.total("cleo") == 5
    assert scene.story[-1] == "match_over winners=bob"


def test_library_with_observatory_keeps_all_three_cards() -> None:
    scene = Scene(ann=Player("thief", city="library observatory"), deck="castle temple manor")
    scene.play("cards")
    assert scene.hand("ann") == ["castle", "manor", "temple"]


@pytest.mark.parametrize("district", ["university", "dragon_gate"])
def test_the_price_to_raze_the_university_or_the_dragon_gate_is_five(district: str) -> None:
    """It follows the six gold they cost, not the eight points they bring."""
    scene = Scene(ann=Player("warlord", gold=5), bob=Player(city=district))
    assert scene.play(f"destroy:bob:{district}") == [
        f"destroyed seat=ann owner=bob card={district} paid=5"
    ]


def test_a_second_keep_cannot_be_built() -> None:
    """The deck has two of them, but a city no two districts of one name."""
    scene = Scene(ann=Player("thief", gold=9, hand="keep", city="keep"))
    scene.play("gold")
    assert scene.refused("build:keep") == "already_built card=keep"


def test_the_killed_king_inherits_at_the_round_s_end_and_not_at_his_call() -> None:
    """Until then the crown stays where it was, and nobody knows who the King is."""
    scene = Scene(
        ann=Player("assassin"), bob=Player("king"), cleo=Player("warlord"), crown="ann"
    )
    scene.play("murder:king", "gold", "end")
    assert scene.turn == "cleo warlord"
    assert scene.crown == "ann"
    scene.pass_turn()
    assert scene.crown == "bob"


@pytest.mark.parametrize("city", [f"{SIX} prison", f"{SIX} prison barracks"])
def test_a_city_of_seven_or_more_is_safe_from_the_warlord(city: str) -> None:
    scene = Scene(ann=Player("warlord", gold=9), bob=Player(city=city))
    assert scene.offers("destroy") == set()
    assert scene.refused("destroy:bob:temple") == "city_complete seat=bob"
