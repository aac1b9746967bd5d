"""Districts that bring points at the end, in the newest box and in the older ones."""

from __future__ import annotations

import pytest

from tests.rules.scene import Player, Scene

# Basilica


def test_the_basilica_has_an_even_cost_itself() -> None:
    scene = Scene(ann=Player(city="basilica market castle"))
    assert "basilica" not in scene.points("ann")


# Capitol


def test_the_capitol_brings_three_points_for_three_districts_of_one_quarter() -> None:
    scene = Scene(ann=Player(city="capitol temple church monastery"))
    assert scene.points("ann")["capitol"] == 3


def test_two_districts_of_a_quarter_do_not_please_the_capitol() -> None:
    scene = Scene(ann=Player(city="capitol temple church manor castle"))
    assert "capitol" not in scene.points("ann")


def test_unique_districts_are_a_quarter_to_the_capitol() -> None:
    scene = Scene(ann=Player(city="capitol keep smithy"))
    assert scene.points("ann")["capitol"] == 3


# Ivory Tower


def test_the_ivory_tower_brings_five_points_as_the_only_unique_district() -> None:
    scene = Scene(ann=Player(city="ivory_tower temple manor"))
    assert scene.points("ann")["ivory_tower"] == 5


def test_the_ivory_tower_brings_nothing_beside_another_unique_district() -> None:
    scene = Scene(ann=Player(city="ivory_tower keep"))
    assert "ivory_tower" not in scene.points("ann")


# Statue


def test_the_statue_brings_five_points_to_the_holder_of_the_crown() -> None:
    scene = Scene(crown="bob", ann=Player(city="statue"), bob=Player(city="temple"))
    assert "statue" not in scene.points("ann")
    scene = Scene(crown="ann", ann=Player(city="statue"))
    assert scene.points("ann")["statue"] == 5


# Wishing Well


def test_a_haunted_quarter_that_is_something_else_is_not_unique_to_the_wishing_well() -> None:
    """Three points for five quarters are worth more than one for a third unique district."""
    city = "wishing_well haunted_quarter temple manor tavern"
    points = Scene(ann=Player(city=city)).points("ann")
    assert (points["quarters"], points["wishing_well"]) == (3, 1)


def test_the_haunted_quarter_is_what_brings_most() -> None:
    """Without five quarters in reach it stays the unique district that it is."""
    points = Scene(ann=Player(city="wishing_well haunted_quarter temple")).points("ann")
    assert points["wishing_well"] == 2


# Haunted Quarter of old


def test_the_older_haunted_quarter_built_before_the_last_round_stands_for_any_quarter() -> None:
    scene = Scene(
        edition="original",
        ann=Player(city="manor temple tavern keep haunted_quarter"),
        first="bob",
    )
    assert scene.points("ann")["quarters"] == 3


# Monument, Museum, Map Room, Imperial Treasury


@pytest.mark.parametrize(("edition", "cost"), [("dark-city", 4), ("2016", 5), ("classic", 5)])
def test_the_imperial_treasury_costs_less_in_the_older_box(edition: str, cost: int) -> None:
    scene = Scene(edition=edition, ann=Player(city="imperial_treasury"))
    assert scene.points("ann")["districts"] == cost


# Secret Vault


def test_the_secret_vault_is_shown_from_the_hand_for_three_points() -> None:
    scene = Scene(ann=Player("thief", hand="secret_vault temple"), first="bob")
    told = scene.pass_turn()
    assert "unveiled seat=ann card=secret_vault" in told
    assert scene.points("ann")["secret_vault"] == 3
    assert scene.asked == "over"


def test_the_secret_vault_is_a_hand_card_to_the_map_room_all_the_same() -> None:
    scene = Scene(ann=Player("thief", hand="secret_vault temple", city="map_room"), first="bob")
    scene.pass_turn()
    points = scene.points("ann")
    assert (points["map_room"], points["secret_vault"]) == (2, 3)


def test_hands_stay_closed_where_no_vault_is_in_the_deck() -> None:
    scene = Scene(edition="2016", ann=Player("thief", hand="temple"), first="bob")
    scene.pass_turn()
    assert scene.asked == "over"
    assert not any("unveiled" in line for line in scene.story)
    assert not set(scene.state.places[0].hand) & set(scene.state.faces)
