"""Rank 4, the Patrician: as the King, but for cards."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_one_card_for_each_noble_district() -> None:
    scene = Scene(ann=Player("patrician", city="manor castle"), deck="temple tavern")
    assert scene.play("income") == ["cards_gained seat=ann count=2 reason=patrician"]
    assert scene.hand("ann") == ["tavern", "temple"]


def test_without_noble_districts_there_is_nothing_to_take() -> None:
    scene = Scene(ann=Player("patrician", city="temple"))
    assert scene.refused("income") == "no_income"


def test_he_takes_the_crown_in_his_turn() -> None:
    scene = Scene(crown="bob", ann=Player("patrician"))
    assert scene.crown == "ann"
    assert "crown_taken seat=ann before=bob" in scene.story


def test_killed_he_takes_it_at_the_rounds_end() -> None:
    scene = Scene(crown="bob", dan=Player("assassin"), ann=Player("patrician"))
    told = scene.play("murder:patrician", "gold", "end")
    assert "heir seat=ann character=patrician" in told
    assert scene.crown == "ann"
