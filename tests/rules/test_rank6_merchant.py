"""Rank 6, the Merchant: gold for trade districts, and one gold more."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_one_gold_for_each_trade_district() -> None:
    city = "tavern market trading_post docks harbor town_hall"
    scene = Scene(ann=Player("merchant", city=f"{city} prison"))
    assert scene.play("income") == ["income seat=ann gold=6 quarter=trade"]


def test_one_gold_more() -> None:
    scene = Scene(ann=Player("merchant"))
    assert scene.play("bonus_gold") == ["gold_gained seat=ann gold=1 reason=merchant"]
    assert scene.refused("bonus_gold") == "already_used"


def test_the_extra_gold_is_not_income_for_districts() -> None:
    """It needs no trade district, and collecting leaves it untouched."""
    scene = Scene(ann=Player("merchant", city="market"))
    scene.play("income", "bonus_gold")
    assert scene.gold("ann") == 2


def test_the_extra_gold_may_pay_for_a_district() -> None:
    scene = Scene(ann=Player("merchant", hand="docks"))
    scene.play("gold", "bonus_gold", "build:docks")
    assert scene.gold("ann") == 0


def test_a_murdered_merchant_gets_no_extra_gold() -> None:
    scene = Scene(ann=Player("assassin"), bob=Player("merchant", city="market"))
    scene.play("murder:merchant", "gold", "end")
    assert scene.gold("bob") == 0
