"""Rank 4, the Emperor: he gives the crown away, and is paid for it."""

from __future__ import annotations

import pytest

from citadels_p2p.rules import Rules
from tests.rules.scene import Player, Scene


def test_one_gold_for_each_noble_district() -> None:
    scene = Scene(ann=Player("emperor", city="manor castle temple"))
    assert scene.play("income") == ["income seat=ann gold=2 quarter=noble"]


def test_he_gives_the_crown_neither_to_himself_nor_back_to_its_holder() -> None:
    scene = Scene(crown="bob", ann=Player("emperor"))
    assert scene.offers("crown") == {"crown:cleo", "crown:dan"}
    assert scene.refused("crown:ann") == "not_yourself"
    assert scene.refused("crown:bob") == "holds_crown seat=bob"


def test_holding_it_himself_he_must_give_it_away() -> None:
    scene = Scene(crown="ann", ann=Player("emperor"))
    assert scene.offers("crown") == {"crown:bob", "crown:cleo", "crown:dan"}


def test_his_turn_does_not_end_before() -> None:
    scene = Scene(crown="bob", ann=Player("emperor"))
    scene.play("gold")
    assert scene.refused("end") == "duty_first"
    assert scene.play("crown:cleo") == ["crown_taken seat=cleo before=bob"]
    assert "end" in scene.offers()


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


# The older box


def older(ann: Player, cleo: Player) -> Scene:
    return Scene(crown="bob", ann=ann, cleo=cleo, edition="dark-city")


def test_older_he_acts_as_soon_as_he_is_called() -> None:
    scene = older(Player("emperor"), Player())
    assert scene.asked == "ann crown"


def test_older_the_receiver_chooses_what_to_give() -> None:
    scene = older(Player("emperor"), Player(gold=1, hand="temple manor"))
    scene.play("crown:cleo")
    assert scene.asked == "cleo tribute"
    assert scene.offers() == {"tribute_gold", "tribute:temple", "tribute:manor"}
    scene.play("tribute:manor")
    assert scene.hand("ann") == ["manor"]
    assert scene.asked == "ann act"


def test_older_killed_he_leaves_the_crown_where_it_is() -> None:
    scene = Scene(
        crown="bob", dan=Player("assassin"), ann=Player("emperor"), edition="dark-city"
    )
    scene.play("murder:emperor", "gold", "end")
    assert scene.crown == "bob"
    assert scene.asked != "ann crown"
