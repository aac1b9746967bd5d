"""Districts that change building: limits, costs, and ways to pay other than gold."""

from __future__ import annotations

import pytest

from citadels_p2p.rules import Reason, decision, menu
from tests.rules.scene import Player, Scene

# Factory


@pytest.mark.parametrize("edition", ["2016", "dark-city"])
def test_the_factory_takes_one_gold_off_the_cost_of_other_unique_districts(
    edition: str,
) -> None:
    ann = Player("thief", gold=2, hand="smithy", city="factory")
    scene = Scene(edition=edition, ann=ann)
    assert "built seat=ann card=smithy paid=4" in scene.play("gold", "build:smithy")


def test_the_factory_changes_neither_points_nor_the_warlords_price() -> None:
    scene = Scene(ann=Player("warlord", gold=4), bob=Player(city="factory smithy"))
    assert scene.points("bob")["districts"] == 10
    assert scene.play("destroy:bob:smithy") == [
        "destroyed seat=ann owner=bob card=smithy paid=4"
    ]


def test_the_factory_makes_the_thieves_den_cheaper_and_cards_still_pay() -> None:
    scene = Scene(ann=Player("thief", hand="thieves_den temple manor market", city="factory"))
    scene.play("gold", "thieves_den:thieves_den")
    assert "built seat=ann card=thieves_den paid=2" in scene.play(
        "pay_cards:temple,manor,market"
    )


# Stables


def test_the_stables_are_built_after_the_turns_building_too() -> None:
    scene = Scene(ann=Player("thief", gold=3, hand="stables temple"))
    scene.play("gold", "build:temple", "build:stables")
    assert scene.city("ann") == ["temple", "stables"]


# Monument


def test_the_monument_can_be_built_into_a_city_of_four() -> None:
    city = "temple manor market prison"
    scene = Scene(ann=Player("thief", gold=4, hand="monument", city=city))
    scene.play("gold", "build:monument")
    assert "monument" in scene.city("ann")


def test_no_other_district_counts_as_two_beside_the_monument() -> None:
    city = "monument statue temple manor"
    scene = Scene(ann=Player("thief", gold=1, hand="tavern", city=city))
    assert "city_completed seat=ann first=yes" not in scene.play("gold", "build:tavern")
    assert not scene.state.ends


def test_the_monument_itself_may_complete_the_city() -> None:
    city = "temple manor market prison"
    scene = Scene(city=6, ann=Player("thief", gold=4, hand="monument", city=city))
    told = scene.play("gold", "build:monument")
    assert told[-2:] == ["city_completed seat=ann first=yes", "last_round"]


def test_a_city_that_the_monument_completes_is_safe() -> None:
    scene = Scene(
        ann=Player("warlord", gold=4),
        bob=Player(city="monument temple manor market prison tavern"),
    )
    assert scene.refused("destroy:bob:temple") == "city_complete seat=bob"


# Framework


def test_the_framework_is_destroyed_instead_of_paying_for_any_district() -> None:
    scene = Scene(ann=Player("thief", hand="palace", city="framework"))
    assert scene.play("gold", "framework:palace")[1:] == [
        "destroyed seat=ann owner=ann card=framework paid=0",
        "built seat=ann card=palace paid=0",
    ]
    assert scene.city("ann") == ["palace"]


def test_the_framework_goes_under_the_deck() -> None:
    scene = Scene(ann=Player("thief", hand="palace", city="framework"))
    scene.play("gold", "framework:palace")
    assert scene.under_deck(1) == ["framework"]


def test_the_framework_is_of_use_only_after_gathering() -> None:
    scene = Scene(ann=Player("thief", hand="palace", city="framework"))
    assert scene.refused("framework:palace") == "gather_first"


# Necropolis


def test_the_necropolis_may_be_built_by_destroying_an_own_district() -> None:
    scene = Scene(ann=Player("thief", hand="necropolis", city="temple manor"))
    assert scene.play("gold", "necropolis:necropolis:temple")[1:] == [
        "destroyed seat=ann owner=ann card=temple paid=0",
        "built seat=ann card=necropolis paid=0",
    ]
    assert scene.city("ann") == ["manor", "necropolis"]
    assert scene.under_deck(1) == ["temple"]


def test_the_necropolis_may_be_paid_for_as_any_other_district() -> None:
    scene = Scene(ann=Player("thief", gold=3, hand="necropolis", city="temple"))
    scene.play("gold", "build:necropolis")
    assert scene.city("ann") == ["temple", "necropolis"]


def test_only_the_necropolis_is_built_over_an_own_district() -> None:
    scene = Scene(ann=Player("thief", hand="palace necropolis", city="temple"))
    scene.play("gold")
    assert scene.refused("necropolis:palace:temple") == "not_an_option"


def test_the_necropolis_over_a_monument_does_not_complete_a_city_again() -> None:
    """Eight of seven needed were there, the Monument as two; seven are left."""
    city = "monument temple manor market prison docks tavern"
    scene = Scene(ann=Player("thief", hand="necropolis", city=city), first="ann")
    told = scene.play("gold", "necropolis:necropolis:monument")
    assert told[-1] == "built seat=ann card=necropolis paid=0"


def test_the_necropolis_uses_the_turns_building() -> None:
    scene = Scene(ann=Player("thief", gold=3, hand="necropolis temple", city="manor"))
    scene.play("gold", "necropolis:necropolis:manor")
    assert scene.refused("build:temple") == "build_limit limit=1"


# Thieves' Den


def test_gold_and_cards_together_must_reach_the_dens_cost() -> None:
    scene = Scene(ann=Player("thief", gold=2, hand="thieves_den temple"))
    scene.play("gold")
    assert scene.refused("thieves_den:thieves_den") == "too_dear cost=6 gold=5"


def test_nobody_pays_more_for_the_den_than_it_costs() -> None:
    hand = "temple manor market prison tavern docks harbor"
    scene = Scene(ann=Player("thief", hand=f"thieves_den {hand}"))
    scene.play("gold", "thieves_den:thieves_den")
    cards = [f"card:{slot}" for slot in scene.state.places[0].hand]
    assert decision(scene.state, cards) == Reason("too_many", (6,))


def test_the_den_is_paid_for_as_any_other_district_too() -> None:
    scene = Scene(ann=Player("thief", gold=4, hand="thieves_den temple"))
    scene.play("gold", "build:thieves_den")
    assert scene.hand("ann") == ["temple"]


def test_who_does_not_answer_pays_as_few_cards_as_will_do() -> None:
    scene = Scene(ann=Player("thief", gold=3, hand="thieves_den temple manor"))
    scene.play("gold", "thieves_den:thieves_den")
    scene.time_out()
    assert (scene.gold("ann"), len(scene.hand("ann"))) == (0, 1)


# Secret Vault


def test_the_vault_is_shown_to_cost_nothing_and_no_less_with_a_factory() -> None:
    for city in ("temple", "factory"):
        scene = Scene(ann=Player("thief", hand="secret_vault", city=city))
        scene.play("gold")
        entries = menu(scene.state, scene.dealer.knowledge(scene.state, 0))
        (cost,) = [move.fields()["cost"] for move, _ in entries if move.verb == "build"]
        assert cost == 0


def test_the_secret_vault_can_be_discarded_as_any_card() -> None:
    scene = Scene(ann=Player("thief", hand="secret_vault", city="laboratory"))
    scene.play("lab:secret_vault")
    assert scene.gold("ann") == 2


def test_gold_on_a_sacrificed_district_goes_to_the_bank() -> None:
    """And is not there when the card is built again."""
    scene = Scene(ann=Player("king", gold=2, hand="necropolis", city="market"))
    scene.gild("ann", "market")
    before = scene.state.bank
    scene.play("gold", "necropolis:necropolis:market")
    assert scene.state.gilded == {}
    assert scene.state.bank == before - 2 + 1


def test_the_thieves_den_alone_in_the_hand_has_no_cards_to_be_paid_with() -> None:
    scene = Scene(ann=Player("king", gold=9, hand="thieves_den"))
    scene.play("gold")
    assert scene.refused("thieves_den:thieves_den") == "too_few_cards"
