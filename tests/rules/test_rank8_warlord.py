"""Rank 8, the Warlord: gold for military districts, and one district destroyed."""

from __future__ import annotations

import pytest

from tests.rules.scene import Player, Scene

SIX = "manor castle temple church tavern market"


def test_one_gold_for_each_military_district() -> None:
    scene = Scene(ann=Player("warlord", city="watchtower prison barracks fortress manor"))
    assert scene.play("income") == ["income seat=ann gold=4 quarter=military"]


@pytest.mark.parametrize(
    ("district", "price"),
    [
        ("temple", 0),
        ("market", 1),
        ("manor", 2),
        ("castle", 3),
        ("fortress", 4),
        ("library", 5),
    ],
)
def test_destroying_costs_one_gold_less_than_the_district(district: str, price: int) -> None:
    """One that costs 1 goes for nothing, one that costs 5 for 4."""
    scene = Scene(ann=Player("warlord", gold=price), bob=Player(city=district))
    assert scene.play(f"destroy:bob:{district}") == [
        f"destroyed seat=ann owner=bob card={district} paid={price}"
    ]
    assert scene.gold("ann") == 0
    assert scene.city("bob") == []


def test_the_price_must_be_paid() -> None:
    scene = Scene(ann=Player("warlord", gold=3), bob=Player(city="fortress castle"))
    assert scene.refused("destroy:bob:fortress") == "too_dear cost=4 gold=3"
    assert scene.offers("destroy") == {"destroy:bob:castle"}


def test_the_price_goes_to_the_bank_and_nothing_to_the_owner() -> None:
    scene = Scene(ann=Player("warlord", gold=4), bob=Player(gold=2, city="fortress"))
    scene.play("destroy:bob:fortress")
    assert scene.gold("bob") == 2


def test_the_destroyed_district_goes_face_down_under_the_deck() -> None:
    scene = Scene(ann=Player("warlord"), bob=Player(city="temple"))
    before = scene.deck()
    scene.play("destroy:bob:temple")
    assert scene.deck() == before + 1
    assert scene.under_deck(1) == ["temple"]
    assert scene.state.deck[0] not in scene.state.faces


def test_only_one_district_a_turn() -> None:
    scene = Scene(ann=Player("warlord", gold=9), bob=Player(city="temple market"))
    scene.play("destroy:bob:temple")
    assert scene.refused("destroy:bob:market") == "already_used"


def test_what_the_warlord_destroyed_may_be_built_again() -> None:
    """With the Market gone, nothing forbids its owner another Market."""
    scene = Scene(ann=Player("warlord", gold=1, hand="market", city="market"))
    scene.play("destroy:ann:market", "gold", "build:market")
    assert scene.city("ann") == ["market"]


def test_not_even_of_the_warlord_s_own_completed_city() -> None:
    scene = Scene(ann=Player("warlord", gold=9, city=f"{SIX} prison"))
    assert scene.refused("destroy:ann:temple") == "city_complete seat=ann"


def test_a_city_one_short_of_complete_is_in_danger() -> None:
    scene = Scene(ann=Player("warlord"), bob=Player(city=SIX))
    assert "destroy:bob:temple" in scene.offers()


def test_a_district_gives_no_income_once_it_is_destroyed() -> None:
    scene = Scene(ann=Player("warlord", gold=9, city="prison barracks"))
    scene.play("destroy:ann:prison")
    assert scene.play("income") == ["income seat=ann gold=1 quarter=military"]


def test_a_murdered_warlord_destroys_nothing() -> None:
    scene = Scene(
        ann=Player("assassin"), bob=Player("warlord", gold=9), cleo=Player(city="temple")
    )
    told = scene.play("murder:warlord", "gold", "end")
    assert "exposed seat=bob character=warlord" in told
    assert scene.city("cleo") == ["temple"]
