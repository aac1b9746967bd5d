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


def test_the_armory_may_hit_its_owners_own_city() -> None:
    scene = Scene(ann=Player("thief", city="armory palace"))
    scene.play("armory:ann:palace")
    assert scene.city("ann") == []


def test_the_armory_cannot_aim_at_itself() -> None:
    scene = Scene(ann=Player("thief", city="armory palace"))
    assert scene.refused("armory:ann:armory") == "not_itself"


def test_no_district_of_a_complete_city_falls_to_the_armory() -> None:
    complete = "temple manor market prison tavern docks harbor"
    scene = Scene(ann=Player("thief", city="armory"), bob=Player(city=complete))
    assert scene.refused("armory:bob:temple") == "city_complete seat=bob"


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


def test_the_older_armory_aims_at_other_cities_only() -> None:
    scene = Scene(
        edition="dark-city",
        ann=Player("thief", city="armory palace"),
        bob=Player(city="temple"),
    )
    assert scene.refused("armory:ann:palace") == "not_yourself"
    assert scene.offers("armory") == {"armory:bob:temple"}


def test_the_older_armory_reaches_a_complete_city_and_the_match_ends_all_the_same() -> None:
    complete = "temple manor market prison tavern docks harbor castle"
    scene = Scene(
        edition="dark-city",
        first="bob",
        ann=Player("thief", city="armory"),
        bob=Player(city=complete),
    )
    scene.play("armory:bob:castle", "gold", "end")
    assert scene.asked == "over"
    assert scene.points("bob")["first_city"] == 4


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
