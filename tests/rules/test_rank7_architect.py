"""Rank 7, the Architect: two cards more, and up to three districts."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_two_cards_more_and_both_are_kept() -> None:
    scene = Scene(ann=Player("architect"), deck="castle temple")
    assert scene.play("bonus_cards") == ["cards_gained seat=ann count=2 reason=architect"]
    assert scene.hand("ann") == ["castle", "temple"]
    assert scene.refused("bonus_cards") == "already_used"


def test_the_extra_cards_come_whatever_was_gathered() -> None:
    """After gold as after cards."""
    after_gold = Scene(ann=Player("architect"))
    after_gold.play("gold", "bonus_cards")
    assert len(after_gold.hand("ann")) == 2
    after_cards = Scene(ann=Player("architect"), deck="castle temple manor prison")
    after_cards.play("cards", "keep:castle", "bonus_cards")
    assert after_cards.hand("ann") == ["castle", "manor", "prison"]


def test_the_extra_cards_may_be_built_at_once() -> None:
    scene = Scene(ann=Player("architect", gold=3), deck="castle temple")
    scene.play("bonus_cards", "gold", "build:castle", "build:temple")
    assert scene.city("ann") == ["castle", "temple"]


def test_the_architect_may_build_fewer() -> None:
    scene = Scene(ann=Player("architect", gold=9, hand="temple tavern"))
    scene.play("gold", "build:temple")
    assert scene.play("end")[0] == "turn_ends seat=ann"


def test_the_architect_pays_for_each_district() -> None:
    scene = Scene(ann=Player("architect", gold=1, hand="temple tavern market"))
    scene.play("gold", "build:temple", "build:tavern")
    assert scene.refused("build:market") == "too_dear cost=2 gold=1"


def test_the_architect_builds_no_district_twice() -> None:
    scene = Scene(ann=Player("architect", gold=9, hand="tavern tavern"))
    scene.play("gold", "build:tavern")
    assert scene.refused("build:tavern") == "already_built card=tavern"


def test_only_what_is_left_of_the_deck_is_drawn() -> None:
    scene = Scene(ann=Player("architect"))
    del scene.state.deck[:-1]
    scene.play("bonus_cards")
    assert len(scene.hand("ann")) == 1
    empty = Scene(ann=Player("architect"))
    empty.state.deck.clear()
    assert empty.refused("bonus_cards") == "deck_empty"


def test_the_architect_has_no_income() -> None:
    scene = Scene(ann=Player("architect", city="manor temple tavern prison"))
    assert scene.offers("income") == set()
