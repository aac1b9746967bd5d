"""Rank 6, the Alchemist: what building cost comes back at the end of the turn."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_the_gold_paid_for_building_comes_back_at_the_end_of_his_turn() -> None:
    scene = Scene(ann=Player("alchemist", gold=3, hand="palace"))
    scene.play("gold", "build:palace")
    assert scene.gold("ann") == 0
    assert scene.play("end")[0] == "gold_gained seat=ann gold=5 reason=alchemist"


def test_he_must_own_the_gold_while_building() -> None:
    scene = Scene(ann=Player("alchemist", gold=2, hand="palace"))
    scene.play("gold")
    assert scene.refused("build:palace") == "too_dear cost=5 gold=4"


def test_what_the_smithy_cost_does_not_come_back() -> None:
    scene = Scene(ann=Player("alchemist", gold=3, city="smithy", hand="temple"))
    scene.play("gold", "smithy", "build:temple", "end")
    assert scene.gold("ann") == 3


def test_nor_does_the_tax() -> None:
    scene = Scene(ann=Player("alchemist", gold=3, hand="temple"), cast="tax_collector")
    scene.play("gold", "build:temple", "end")
    assert scene.gold("ann") == 4


def test_having_built_nothing_he_gets_nothing() -> None:
    scene = Scene(ann=Player("alchemist"))
    scene.play("gold")
    assert "gold_gained" not in " ".join(scene.play("end"))


def test_his_trade_districts_bring_him_nothing() -> None:
    scene = Scene(ann=Player("alchemist", city="tavern market"))
    assert scene.offers("income") == set()
