"""Rank 8, the Marshal: a district seized for its cost."""

from __future__ import annotations

from tests.rules.scene import Player, Scene

SEVEN = "manor castle temple church tavern market docks"


def test_one_gold_for_each_military_district() -> None:
    scene = Scene(ann=Player("marshal", city="prison"))
    assert scene.play("income") == ["income seat=ann gold=1 quarter=military"]


def test_he_takes_a_district_and_pays_its_cost_to_the_owner() -> None:
    scene = Scene(ann=Player("marshal", gold=3), bob=Player(city="manor"))
    assert scene.play("seize:bob:manor") == ["seized seat=ann owner=bob card=manor paid=3"]
    assert scene.city("ann") == ["manor"]
    assert scene.gold("bob") == 3


def test_not_from_a_complete_city() -> None:
    scene = Scene(ann=Player("marshal", gold=9), bob=Player(city=SEVEN))
    assert scene.refused("seize:bob:manor") == "city_complete seat=bob"


def test_not_from_himself_nor_the_bishop_nor_a_keep() -> None:
    scene = Scene(
        ann=Player("marshal", gold=9, city="temple"),
        bob=Player("bishop", city="manor"),
        cleo=Player(city="keep"),
    )
    scene.pass_turn()
    assert scene.refused("seize:ann:temple") == "not_yourself"
    assert scene.refused("seize:bob:manor") == "protected seat=bob"
    assert scene.refused("seize:cleo:keep") == "untouchable card=keep"


def test_seizing_may_complete_his_city_and_begin_the_last_round() -> None:
    six = "castle temple church tavern market docks"
    scene = Scene(ann=Player("marshal", gold=9, city=six), bob=Player(city="manor"))
    assert scene.play("seize:bob:manor")[1:] == [
        "city_completed seat=ann first=yes",
        "last_round",
    ]


def test_it_uses_no_building() -> None:
    scene = Scene(ann=Player("marshal", gold=9, hand="temple"), bob=Player(city="manor"))
    scene.play("gold", "seize:bob:manor", "build:temple")
    assert scene.city("ann") == ["manor", "temple"]
