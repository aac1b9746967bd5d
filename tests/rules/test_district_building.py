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


def test_the_factory_does_nothing_for_plain_districts() -> None:
    scene = Scene(ann=Player("thief", gold=3, hand="palace", city="factory"))
    assert "built seat=ann card=palace paid=5" in scene.play("gold", "build:palace")


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


# Quarry


def test_the_quarry_lets_its_owner_build_what_stands_in_the_city() -> None:
    scene = Scene(ann=Player("thief", gold=1, hand="temple", city="quarry temple"))
    scene.play("gold", "build:temple")
    assert scene.city("ann") == ["quarry", "temple", "temple"]


def test_without_the_quarry_no_district_is_built_twice() -> None:
    scene = Scene(ann=Player("thief", gold=1, hand="temple", city="temple"))
    scene.play("gold")
    assert scene.refused("build:temple") == "already_built card=temple"


def test_the_quarry_sets_no_limit_to_the_number_of_twins() -> None:
    scene = Scene(ann=Player("thief", gold=1, hand="temple", city="quarry temple temple"))
    scene.play("gold", "build:temple")
    assert scene.city("ann").count("temple") == 3


def test_the_older_quarry_allows_two_of_a_name_and_no_third() -> None:
    ann = Player("thief", gold=1, hand="temple", city="quarry temple temple")
    scene = Scene(edition="dark-city", ann=ann)
    scene.play("gold")
    assert scene.refused("build:temple") == "already_built card=temple"


def test_the_older_quarry_allows_twins_of_several_names() -> None:
    ann = Player("thief", gold=1, hand="market", city="quarry temple temple market")
    scene = Scene(edition="dark-city", ann=ann)
    scene.play("gold", "build:market")
    assert scene.city("ann").count("market") == 2


def test_twins_remain_when_the_quarry_is_lost() -> None:
    scene = Scene(ann=Player("warlord", gold=4), bob=Player(city="quarry temple temple"))
    scene.play("destroy:bob:quarry")
    assert scene.city("bob") == ["temple", "temple"]


def test_the_quarry_does_not_help_the_marshal_to_a_district_he_has() -> None:
    scene = Scene(
        ann=Player("marshal", gold=3, city="quarry temple"), bob=Player(city="temple")
    )
    assert scene.refused("seize:bob:temple") == "already_built card=temple"


# Stables


def test_the_stables_do_not_use_the_turns_building() -> None:
    scene = Scene(ann=Player("thief", gold=3, hand="stables temple"))
    scene.play("gold", "build:stables", "build:temple")
    assert scene.city("ann") == ["stables", "temple"]


def test_the_stables_are_built_after_the_turns_building_too() -> None:
    scene = Scene(ann=Player("thief", gold=3, hand="stables temple"))
    scene.play("gold", "build:temple", "build:stables")
    assert scene.city("ann") == ["temple", "stables"]


def test_the_navigator_cannot_build_even_the_stables() -> None:
    scene = Scene(ann=Player("navigator", gold=3, hand="stables"))
    scene.play("gold")
    assert scene.refused("build:stables") == "no_building"


# Monument


def test_the_monument_cannot_be_built_into_a_city_of_five() -> None:
    city = "temple manor market prison tavern"
    scene = Scene(ann=Player("thief", gold=4, hand="monument", city=city))
    scene.play("gold")
    assert scene.refused("build:monument") == "too_many_districts limit=5"


def test_the_monument_can_be_built_into_a_city_of_four() -> None:
    city = "temple manor market prison"
    scene = Scene(ann=Player("thief", gold=4, hand="monument", city=city))
    scene.play("gold", "build:monument")
    assert "monument" in scene.city("ann")


def test_the_monument_completes_a_city_as_two_districts() -> None:
    city = "monument temple manor market prison"
    scene = Scene(ann=Player("thief", gold=1, hand="tavern", city=city))
    assert "city_completed seat=ann first=yes" in scene.play("gold", "build:tavern")


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


def test_what_the_framework_builds_uses_the_turns_building() -> None:
    scene = Scene(ann=Player("thief", gold=3, hand="palace temple", city="framework"))
    scene.play("gold", "framework:palace")
    assert scene.refused("build:temple") == "build_limit limit=1"


def test_the_framework_is_of_use_only_after_gathering() -> None:
    scene = Scene(ann=Player("thief", hand="palace", city="framework"))
    assert scene.refused("framework:palace") == "gather_first"


def test_the_magistrate_cannot_take_what_the_framework_built_but_the_next() -> None:
    scene = Scene(
        ann=Player("magistrate"),
        bob=Player("architect", gold=2, hand="palace temple", city="framework"),
    )
    scene.play("place_warrants", "warrants:architect,king,thief", "sign:architect")
    scene.pass_turn()
    scene.play("gold", "framework:palace")
    assert scene.asked == "bob act"
    scene.play("build:temple")
    assert scene.asked == "ann custody"


def test_the_tax_is_due_for_what_the_framework_built() -> None:
    scene = Scene(cast="tax_collector", ann=Player("thief", hand="palace", city="framework"))
    scene.play("gold", "framework:palace")
    assert scene.gold("ann") == 1


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


def test_the_magistrate_cannot_take_a_necropolis_that_was_not_paid_for() -> None:
    scene = Scene(
        ann=Player("magistrate"),
        bob=Player("king", hand="necropolis", city="temple"),
    )
    scene.play("place_warrants", "warrants:architect,king,thief", "sign:king")
    scene.pass_turn()
    scene.play("gold", "necropolis:necropolis:temple")
    assert scene.asked == "bob act"


# Thieves' Den


def test_any_part_of_the_dens_cost_may_be_paid_with_hand_cards() -> None:
    ann = Player("thief", gold=3, hand="thieves_den temple manor market")
    scene = Scene(ann=ann)
    scene.play("gold", "thieves_den:thieves_den")
    told = scene.play("pay_cards:temple,manor")
    assert "built seat=ann card=thieves_den paid=4" in told
    assert (scene.gold("ann"), scene.hand("ann")) == (1, ["market"])


def test_the_cards_that_paid_for_the_den_go_under_the_deck() -> None:
    scene = Scene(ann=Player("thief", gold=3, hand="thieves_den temple manor"))
    scene.play("gold", "thieves_den:thieves_den", "pay_cards:temple,manor")
    assert sorted(scene.under_deck(2)) == ["manor", "temple"]


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


def test_of_a_confiscated_den_only_the_gold_comes_back() -> None:
    scene = Scene(
        ann=Player("magistrate"),
        bob=Player("king", gold=4, hand="thieves_den temple"),
    )
    scene.play("place_warrants", "warrants:architect,king,thief", "sign:king")
    scene.pass_turn()
    scene.play("gold", "thieves_den:thieves_den", "pay_cards:temple", "confiscate")
    assert scene.city("ann") == ["thieves_den"]
    assert (scene.gold("bob"), scene.hand("bob")) == (6, [])


def test_who_does_not_answer_pays_as_few_cards_as_will_do() -> None:
    scene = Scene(ann=Player("thief", gold=3, hand="thieves_den temple manor"))
    scene.play("gold", "thieves_den:thieves_den")
    scene.time_out()
    assert (scene.gold("ann"), len(scene.hand("ann"))) == (0, 1)


# Secret Vault


def test_the_secret_vault_cannot_be_built() -> None:
    scene = Scene(ann=Player("thief", gold=9, hand="secret_vault"))
    scene.play("gold")
    assert scene.refused("build:secret_vault") == "not_buildable card=secret_vault"


def test_the_secret_vault_cannot_be_built_through_the_framework() -> None:
    scene = Scene(ann=Player("thief", hand="secret_vault", city="framework"))
    scene.play("gold")
    assert scene.refused("framework:secret_vault") == "not_buildable card=secret_vault"


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
