"""Rank 5, the Bishop: gold for religious districts, and a city the Warlord cannot touch."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_one_gold_for_each_religious_district() -> None:
    scene = Scene(ann=Player("bishop", city="temple church monastery cathedral manor"))
    assert scene.play("income") == ["income seat=ann gold=4 quarter=religious"]


def test_a_robbed_bishop_protects_as_before() -> None:
    scene = Scene(
        ann=Player("thief"),
        bob=Player("bishop", gold=3, city="market"),
        cleo=Player("warlord", gold=9),
    )
    scene.play("rob:bishop", "gold", "end", "gold", "end")
    assert scene.refused("destroy:bob:market") == "protected seat=bob"


def test_the_protection_lasts_for_this_round() -> None:
    """In the next one another person may be the Bishop."""
    scene = Scene(ann=Player("bishop", city="market"))
    assert scene.state.guarded == [0]
    scene.pass_turn()
    assert scene.asked.endswith("character")
    assert scene.state.guarded == []
