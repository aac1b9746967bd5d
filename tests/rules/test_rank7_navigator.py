"""Rank 7, the Navigator: four gold or four cards, and no building at all."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_four_gold_beside_what_is_gathered() -> None:
    scene = Scene(ann=Player("navigator"))
    scene.play("gold")
    assert scene.play("voyage_gold") == ["gold_gained seat=ann gold=4 reason=navigator"]
    assert scene.gold("ann") == 6


def test_or_four_cards_and_not_both() -> None:
    scene = Scene(ann=Player("navigator"))
    assert scene.play("voyage_cards") == ["cards_gained seat=ann count=4 reason=navigator"]
    assert scene.refused("voyage_gold") == "already_used"


def test_of_a_short_deck_what_there_is() -> None:
    scene = Scene(ann=Player("navigator"))
    scene.leave_in_deck(3)
    assert scene.play("voyage_cards") == ["cards_gained seat=ann count=3 reason=navigator"]
    assert scene.refused("cards") == "deck_empty"
