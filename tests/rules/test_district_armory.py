"""The Armory, as the newest box and as the Dark City read it."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_the_armory_is_destroyed_with_one_district_of_any_city_for_nothing() -> None:
    scene = Scene(ann=Player("thief", city="armory"), bob=Player(city="palace"))
    assert scene.play("armory:bob:palace") == [
        "destroyed seat=ann owner=ann card=armory paid=0",
        "destroyed seat=ann owner=bob card=palace paid=0",
    ]
    assert scene.city("ann") == scene.city("bob") == []


def test_both_cards_go_under_the_deck() -> None:
    scene = Scene(ann=Player("thief", city="armory"), bob=Player(city="palace"))
    scene.play("armory:bob:palace")
    assert sorted(scene.under_deck(2)) == ["armory", "palace"]


def test_the_armory_is_used_in_the_turn_it_was_built() -> None:
    scene = Scene(ann=Player("thief", gold=1, hand="armory"), bob=Player(city="palace"))
    scene.play("gold", "build:armory", "armory:bob:palace")
    assert scene.city("bob") == []


def test_an_armory_in_a_complete_city_is_of_no_use() -> None:
    complete = "armory temple manor market prison tavern docks"
    scene = Scene(ann=Player("thief", city=complete), bob=Player(city="palace"))
    assert scene.refused("armory:bob:palace") == "city_complete seat=ann"


def test_neither_keep_nor_great_wall_nor_bishop_is_in_the_armorys_way() -> None:
    scene = Scene(
        ann=Player("bishop", city="keep great_wall"), bob=Player("warlord", city="armory")
    )
    scene.pass_turn()
    assert scene.offers("armory") == {"armory:ann:keep", "armory:ann:great_wall"}


def test_no_graveyard_saves_what_the_armory_destroyed() -> None:
    """It answers to the Warlord's power."""
    scene = Scene(
        edition="dark-city",
        ann=Player("thief", city="armory"),
        bob=Player(gold=3, city="graveyard palace"),
    )
    scene.play("armory:bob:palace")
    assert scene.asked == "ann act"
    assert scene.under_deck(1) == ["palace"]
