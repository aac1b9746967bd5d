"""Rank 5, the Abbot: gold or cards for religious districts, and a gold from the richest."""

from __future__ import annotations

from citadels_p2p.rules import choice
from tests.rules.scene import Player, Scene


def test_a_gold_or_a_card_for_each_religious_district_in_any_mix() -> None:
    scene = Scene(ann=Player("abbot", city="temple church"), deck="manor castle")
    assert scene.offers("share") == {"share:0", "share:1", "share:2"}
    assert scene.play("share:1") == [
        "income seat=ann gold=1 quarter=religious",
        "cards_gained seat=ann count=1 reason=abbot",
    ]
    assert scene.refused("share:1") == "already_used"


def test_each_mix_is_offered_with_what_it_brings() -> None:
    scene = Scene(ann=Player("abbot", city="temple church"))
    mixes = [move for move in choice(scene.state, {}).moves if move.verb == "share"]
    shown = [(move.fields()["gold"], move.fields()["count"]) for move in mixes]
    assert shown == [(0, 2), (1, 1), (2, 0)]


def test_the_richest_gives_him_one_gold() -> None:
    scene = Scene(ann=Player("abbot", gold=1), bob=Player(gold=4), cleo=Player(gold=3))
    assert scene.offers("alms") == {"alms:bob"}
    assert scene.refused("alms:cleo") == "not_richest seat=cleo"
    assert scene.play("alms:bob") == ["gold_paid seat=bob gold=1 reason=abbot to=ann"]


def test_at_any_moment_of_his_turn() -> None:
    scene = Scene(ann=Player("abbot", gold=4, hand="manor"), bob=Player(gold=5))
    scene.play("gold")
    assert scene.refused("alms:bob") == "is_richest"
    scene.play("build:manor", "alms:bob")
    assert scene.gold("ann") == 4


def test_older_one_of_two_richest_himself_he_is_told_so() -> None:
    scene = Scene(ann=Player("abbot", gold=4), bob=Player(gold=4), edition="dark-city")
    assert scene.refused("alms:bob") == "is_richest"
