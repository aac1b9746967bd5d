"""Rank 2, the Spy: a type of district, a hand, gold and cards for what is found there."""

from __future__ import annotations

from citadels_p2p.rules import Decided, Move, Reason, choice, step
from tests.rules.scene import Player, Scene


def scene_of(bob: Player, ann_gold: int = 0, deck: str = "") -> Scene:
    return Scene(ann=Player("spy", gold=ann_gold), bob=bob, deck=deck)


def test_the_type_is_named_before_the_hand_is_seen() -> None:
    scene = scene_of(Player("king", hand="temple tavern"))
    assert len(scene.offers("spy")) == 5
    assert scene.play("spy:trade:bob") == ["hand_seen seat=ann other=bob reason=spy"]
    assert scene.asked == "ann count"


def test_an_empty_hand_is_not_spied_on() -> None:
    scene = scene_of(Player("king"))
    assert scene.offers("spy") == set()
    assert scene.refused("spy:trade:bob") == "no_cards seat=bob"


def test_nobody_spies_on_himself() -> None:
    scene = Scene(ann=Player("spy", hand="temple"), bob=Player("king", hand="temple"))
    assert scene.refused("spy:trade:ann") == "not_yourself"


def test_only_the_five_types_are_named_and_only_who_sits_there() -> None:
    scene = scene_of(Player("king", hand="temple"))
    assert scene.refused("spy:gold:bob") == "not_an_option"
    for seat in (-1, 4):
        nobody = Decided(0, Move("spy", seat=seat, quarter="trade"))
        assert step(scene.state, nobody) == Reason("not_an_option")


def test_for_each_card_of_the_type_a_gold_of_its_holder_and_a_card_of_the_deck() -> None:
    scene = scene_of(
        Player("king", gold=5, hand="tavern market temple"), deck="manor castle palace"
    )
    told = scene.play("spy:trade:bob", "count:2", "agree")
    assert told[-3:] == [
        "spied seat=ann other=bob quarter=trade count=2",
        "gold_paid seat=bob gold=2 reason=spy to=ann",
        "cards_gained seat=ann count=2 reason=spy",
    ]
    assert scene.hand("ann") == ["castle", "manor"]
    assert scene.hand("bob") == ["market", "tavern", "temple"]


def test_where_nothing_is_found_nothing_is_paid() -> None:
    scene = scene_of(Player("king", gold=5, hand="temple"))
    assert scene.play("spy:noble:bob", "count:0", "agree")[-1] == (
        "spied seat=ann other=bob quarter=noble count=0"
    )
    assert scene.gold("bob") == 5


def test_the_count_is_agreed_by_the_two_who_see_the_hand() -> None:
    scene = scene_of(Player("king", hand="tavern temple"))
    scene.play("spy:trade:bob")
    assert scene.offers() == {"count:1"}
    scene.play("count:1")
    assert scene.asked == "bob counted"
    assert scene.offers() == {"agree"}
    (agree,) = choice(scene.state, scene.dealer.faces).moves
    assert agree.fields() == {"quarter": "trade", "count": 1}


def test_a_false_count_is_contested_and_the_open_hand_decides() -> None:
    scene = scene_of(Player("king", gold=5, hand="tavern market temple"))
    scene.play("spy:trade:bob")
    scene.claim("count:1")
    assert scene.offers() == {"contest"}
    told = scene.play("contest")
    assert told[:2] == [
        "hand_opened seat=bob cards=tavern+market+temple",
        "spied seat=ann other=bob quarter=trade count=2",
    ]
    assert not scene.state.faces.keys() & set(scene.state.places[1].hand)
