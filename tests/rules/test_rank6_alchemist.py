"""Rank 6, the Alchemist: what building cost comes back at the end of the turn."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_the_gold_paid_for_building_comes_back_at_the_end_of_his_turn() -> None:
    scene = Scene(ann=Player("alchemist", gold=3, hand="palace"))
    scene.play("gold", "build:palace")
    assert scene.gold("ann") == 0
    assert scene.play("end")[0] == "gold_gained seat=ann gold=5 reason=alchemist"


def test_having_built_nothing_he_gets_nothing() -> None:
    scene = Scene(ann=Player("alchemist"))
    scene.play("gold")
    assert "gold_gained" not in " ".join(scene.play("end"))
