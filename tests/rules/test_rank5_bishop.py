"""Rank 5, the Bishop: gold for religious districts, and a city the Warlord cannot touch."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_one_gold_for_each_religious_district() -> None:
    scene = Scene(ann=Player("bishop", city="temple church monastery cathedral manor"))
    assert scene.play("income") == ["income seat=ann gold=4 quarter=religious"]


def test_the_warlord_cannot_destroy_the_bishop_s_districts() -> None:
    scene = Scene(
        ann=Player("warlord", gold=9),
        bob=Player("bishop", city="temple market"),
        cleo=Player(city="temple"),
    )
    scene.pass_turn()
    assert scene.turn == "ann warlord"
    assert scene.refused("destroy:bob:market") == "protected seat=bob"
    assert scene.offers("destroy") == {"destroy:cleo:temple"}


def test_a_murdered_bishop_protects_nothing() -> None:
    """He did not answer the call, so his districts may be destroyed."""
    scene = Scene(
        ann=Player("assassin"),
        bob=Player("bishop", city="market"),
        cleo=Player("warlord", gold=1),
    )
    scene.play("murder:bishop", "gold", "end")
    told = scene.play("destroy:bob:market")
    assert told == ["destroyed seat=cleo owner=bob card=market paid=1"]


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


def test_one_city_of_two_characters_is_protected_as_a_whole() -> None:
    """With two or three people the living Bishop guards the city of both characters."""
    scene = Scene(
        seats=2, ann=Player("bishop thief", city="market"), bob=Player("warlord", gold=9)
    )
    scene.pass_turn()
    scene.pass_turn()
    assert scene.turn == "bob warlord"
    assert scene.refused("destroy:ann:market") == "protected seat=ann"


def test_the_warlord_who_is_also_the_bishop_spares_his_own_city() -> None:
    """The card says that the Warlord cannot destroy there, whoever he is."""
    scene = Scene(seats=2, ann=Player("bishop warlord", gold=9, city="market"))
    scene.pass_turn()
    assert scene.turn == "ann warlord"
    assert scene.refused("destroy:ann:market") == "protected seat=ann"
