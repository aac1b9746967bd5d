"""Rank 3, the Wizard: a look into a hand, and one card of it."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def peeked(ann: Player, bob: Player) -> Scene:
    """Ann, who has gathered gold, looks at Bob's hand."""
    scene = Scene(ann=ann, bob=bob)
    scene.play("gold", "peek:bob")
    return scene


def test_he_sees_another_hand() -> None:
    scene = Scene(ann=Player("wizard"), bob=Player(hand="temple manor"))
    assert scene.play("peek:bob") == ["hand_seen seat=ann other=bob reason=wizard"]
    assert scene.offers("pocket") == {"pocket:temple", "pocket:manor"}


def test_a_hand_must_not_be_empty_nor_his_own() -> None:
    scene = Scene(ann=Player("wizard", hand="temple"), bob=Player())
    assert scene.offers("peek") == set()
    assert scene.refused("peek:bob") == "no_cards seat=bob"
    assert scene.refused("peek:ann") == "not_yourself"


def test_he_takes_a_card_into_his_hand() -> None:
    scene = peeked(Player("wizard", hand="church"), Player(hand="temple manor"))
    assert scene.play("pocket:manor") == ["cards_given seat=bob to=ann count=1 reason=wizard"]
    assert scene.hand("ann") == ["church", "manor"]
    assert scene.hand("bob") == ["temple"]


def test_or_builds_it_at_once_for_its_cost() -> None:
    scene = peeked(Player("wizard", gold=1), Player(hand="temple manor"))
    assert "built seat=ann card=manor paid=3" in scene.play("raise:manor")
    assert scene.gold("ann") == 0


def test_what_he_cannot_pay_he_cannot_build() -> None:
    scene = peeked(Player("wizard"), Player(hand="temple manor"))
    assert scene.offers("raise") == {"raise:temple"}
    assert scene.refused("raise:manor") == "too_dear cost=3 gold=2"


def test_this_turn_he_may_build_what_stands_in_his_city() -> None:
    scene = peeked(
        Player("wizard", gold=9, hand="temple", city="manor temple"), Player(hand="manor")
    )
    scene.play("raise:manor", "build:temple")
    assert scene.city("ann") == ["manor", "temple", "manor", "temple"]


def test_who_does_not_answer_takes_the_first_card() -> None:
    scene = peeked(Player("wizard"), Player(hand="temple manor"))
    assert "cards_given seat=bob to=ann count=1 reason=wizard" in scene.time_out()
