"""Rank 6, the Trader: gold for trade districts, and as many of them as he likes."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_one_gold_for_each_trade_district() -> None:
    scene = Scene(ann=Player("trader", city="tavern market temple"))
    assert scene.play("income") == ["income seat=ann gold=2 quarter=trade"]


def test_he_gets_no_extra_gold() -> None:
    scene = Scene(ann=Player("trader"))
    assert scene.offers("bonus_gold") == set()
