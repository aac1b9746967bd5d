"""Rank 4, the Emperor: he gives the crown away, and is paid for it."""

from __future__ import annotations

import pytest

from citadels_p2p.rules import Rules
from tests.rules.scene import Player, Scene


def test_one_gold_for_each_noble_district() -> None:
    scene = Scene(ann=Player("emperor", city="manor castle temple"))
    assert scene.play("income") == ["income seat=ann gold=2 quarter=noble"]


def test_he_takes_a_gold_from_the_receiver() -> None:
    scene = Scene(crown="bob", ann=Player("emperor"), cleo=Player(gold=2, hand="temple"))
    scene.play("crown:cleo")
    assert scene.offers() == {"tribute_gold", "tribute_card"}
    assert scene.play("tribute_gold") == ["gold_paid seat=cleo gold=1 reason=emperor to=ann"]


def test_or_a_random_card_of_the_hand() -> None:
    scene = Scene(crown="bob", ann=Player("emperor"), cleo=Player(hand="temple"))
    scene.play("crown:cleo")
    assert scene.offers() == {"tribute_card"}
    told = scene.play("tribute_card")
    assert "cards_given seat=cleo to=ann count=1 reason=emperor" in told
    assert scene.hand("ann") == ["temple"]


def test_nothing_from_who_has_neither() -> None:
    scene = Scene(crown="bob", ann=Player("emperor"), cleo=Player())
    scene.play("crown:cleo")
    assert scene.asked == "ann act"


def test_killed_he_still_moves_the_crown_at_the_rounds_end_and_gets_nothing() -> None:
    scene = Scene(
        crown="bob", dan=Player("assassin"), ann=Player("emperor"), cleo=Player(gold=3)
    )
    told = scene.play("murder:emperor", "gold", "end")
    assert told[-2:] == [
        "exposed seat=ann character=emperor",
        "heir seat=ann character=emperor",
    ]
    assert scene.asked == "ann crown"
    assert "crown_taken seat=cleo before=bob" in scene.play("crown:cleo")
    assert scene.gold("cleo") == 3


def test_killed_and_held_by_nobody_he_moves_nothing() -> None:
    scene = Scene(crown="bob", dan=Player("assassin"), cast="emperor")
    scene.play("murder:emperor", "gold", "end")
    assert scene.crown == "bob"


def test_not_with_two_players() -> None:
    with pytest.raises(ValueError, match="too_few_seats:emperor"):
        Rules.make("2016", seats=2, characters=["emperor"])


def test_he_never_lies_face_up() -> None:
    pile = "emperor assassin thief magician bishop merchant architect warlord"
    scene = Scene(
        cast="emperor",
        pile=pile,
        again="emperor magician bishop merchant architect warlord",
    )
    assert scene.faceup() == ["assassin", "thief"]
    assert "face_up_replaced character=emperor" in scene.story


def test_who_does_not_answer_crowns_his_left_neighbour() -> None:
    scene = Scene(crown="bob", ann=Player("emperor"))
    scene.play("gold")
    assert "crown_taken seat=cleo before=bob" in scene.time_out()
