"""Rank 8, the Diplomat: one district for another."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_one_gold_for_each_military_district() -> None:
    scene = Scene(ann=Player("diplomat", city="prison"))
    assert scene.play("income") == ["income seat=ann gold=1 quarter=military"]


def test_the_difference_is_paid_to_the_other_player() -> None:
    scene = Scene(ann=Player("diplomat", gold=4, city="temple"), bob=Player(city="palace"))
    assert scene.play("exchange:temple:bob:palace") == [
        "exchanged seat=ann card=temple other=bob other_card=palace paid=4"
    ]
    assert (scene.city("ann"), scene.city("bob")) == (["palace"], ["temple"])
    assert (scene.gold("ann"), scene.gold("bob")) == (0, 4)


def test_what_he_cannot_pay_he_cannot_get() -> None:
    scene = Scene(ann=Player("diplomat", gold=3, city="temple"), bob=Player(city="palace"))
    assert scene.refused("exchange:temple:bob:palace") == "too_dear cost=4 gold=3"


def test_not_with_the_bishop() -> None:
    scene = Scene(ann=Player("diplomat", city="palace"), bob=Player("bishop", city="temple"))
    scene.pass_turn()
    assert scene.refused("exchange:palace:bob:temple") == "protected seat=bob"


def test_neither_takes_a_keep_nor_gives_one() -> None:
    scene = Scene(
        ann=Player("diplomat", gold=5, city="temple"), bob=Player(city="keep"), edition="2016"
    )
    assert scene.refused("exchange:temple:bob:keep") == "untouchable card=keep"
    scene = Scene(ann=Player("diplomat", gold=5, city="keep"), bob=Player(city="manor"))
    assert scene.refused("exchange:keep:bob:manor") == "untouchable card=keep"


def test_the_great_wall_itself_costs_him_no_gold_more() -> None:
    """It speaks of the other districts only: three dearer than the Manor, and no more."""
    scene = Scene(ann=Player("diplomat", gold=3, city="manor"), bob=Player(city="great_wall"))
    assert scene.play("exchange:manor:bob:great_wall") == [
        "exchanged seat=ann card=manor other=bob other_card=great_wall paid=3"
    ]


def test_gold_of_the_artist_counts_and_goes_along() -> None:
    scene = Scene(ann=Player("diplomat", gold=5, city="temple"), bob=Player(city="manor"))
    scene.gild("bob", "manor")
    told = scene.play("exchange:temple:bob:manor")
    assert told == ["exchanged seat=ann card=temple other=bob other_card=manor paid=3"]
    assert scene.points("ann")["districts"] == 4
