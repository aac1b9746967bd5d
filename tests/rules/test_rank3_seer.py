"""Rank 3, the Seer: a random card from everybody, and one back to each."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_a_card_comes_from_everybody_who_has_any() -> None:
    scene = Scene(
        ann=Player("seer"), bob=Player(hand="temple"), cleo=Player(hand="manor"), dan=Player()
    )
    told = scene.play("foresee")
    assert [line for line in told if line.startswith("cards_given")] == [
        "cards_given seat=bob to=ann count=1 reason=seer",
        "cards_given seat=cleo to=ann count=1 reason=seer",
    ]
    assert scene.hand("ann") == ["manor", "temple"]


def test_it_is_chance_that_decides_which() -> None:
    taken = set()
    for lot in ("first", "last"):
        scene = Scene(ann=Player("seer"), bob=Player(hand="temple manor"))
        slots = [str(slot) for slot in scene.state.places[1].hand]
        scene.arrange(" ".join(slots if lot == "first" else slots[::-1]))
        scene.play("foresee")
        taken |= set(scene.hand("ann"))
    assert taken == {"temple", "manor"}


def test_then_each_of_them_gets_a_card_of_the_hand_freely_chosen() -> None:
    scene = Scene(
        ann=Player("seer", hand="palace"), bob=Player(hand="temple"), cleo=Player(hand="manor")
    )
    scene.play("foresee")
    assert scene.asked == "ann give"
    assert scene.offers() == {"give:palace", "give:temple", "give:manor"}
    scene.play("give:palace", "give:temple")
    assert (scene.hand("bob"), scene.hand("cleo")) == (["palace"], ["temple"])
    assert scene.hand("ann") == ["manor"]
    assert scene.asked == "ann act"


def test_whose_hand_was_empty_gets_nothing() -> None:
    scene = Scene(ann=Player("seer"), bob=Player(hand="temple"), cleo=Player())
    scene.play("foresee", "give:temple")
    assert scene.hand("cleo") == []
    assert scene.asked == "ann act"


def test_with_nobody_to_take_from_it_cannot_be_used() -> None:
    scene = Scene(ann=Player("seer", hand="temple"))
    assert scene.refused("foresee") == "nobody_has_cards"
