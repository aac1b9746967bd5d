"""Rank 5, the Cardinal: cards for religious districts, and others' gold for his own cards."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_one_card_for_each_religious_district() -> None:
    scene = Scene(ann=Player("cardinal", city="temple church manor"))
    assert scene.play("income") == ["cards_gained seat=ann count=2 reason=cardinal"]


def test_exactly_the_missing_gold_comes_from_one_player() -> None:
    scene = Scene(
        ann=Player("cardinal", hand="palace temple church tavern"), bob=Player(gold=5)
    )
    scene.play("gold", "borrow:bob")
    told = scene.play("build:palace")
    assert told == [
        "gold_paid seat=bob gold=3 reason=cardinal to=ann",
        "site_begun seat=ann card=palace",
    ]
    assert scene.gold("bob") == 2
    scene.play("pay_cards:temple,church,tavern")
    assert scene.gold("ann") == 0


def test_and_as_many_hand_cards_go_to_him() -> None:
    scene = Scene(
        ann=Player("cardinal", hand="castle temple church tavern"), bob=Player(gold=5)
    )
    scene.play("gold", "borrow:bob", "build:castle")
    assert scene.asked == "ann pay_cards"
    told = scene.play("pay_cards:temple,tavern")
    assert told == [
        "cards_given seat=ann to=bob count=2 reason=cardinal",
        "built seat=ann card=castle paid=4",
        "cards_gained seat=bob count=2 reason=cardinal",
    ]
    assert scene.hand("bob") == ["tavern", "temple"]
    assert scene.hand("ann") == ["church"]


def test_who_does_not_say_for_which_district_has_borrowed_nothing() -> None:
    scene = Scene(ann=Player("cardinal", hand="manor temple church"), bob=Player(gold=5))
    scene.play("gold", "borrow:bob")
    assert scene.time_out() == ["timed_out seat=ann"]
    assert scene.offers("borrow") == {"borrow:bob"}


def test_who_does_not_say_which_cards_gives_the_first_ones() -> None:
    scene = Scene(ann=Player("cardinal", hand="manor temple church"), bob=Player(gold=5))
    scene.play("gold", "borrow:bob", "build:manor")
    scene.time_out()
    assert scene.city("ann") == ["manor"]
    assert scene.hand("bob") == ["temple"]


def test_the_lender_needs_enough_gold() -> None:
    scene = Scene(ann=Player("cardinal", hand="castle temple church"), bob=Player(gold=1))
    scene.play("gold")
    assert scene.offers("borrow") == set()


def test_the_card_to_be_built_does_not_pay() -> None:
    scene = Scene(ann=Player("cardinal", hand="castle temple"), bob=Player(gold=5))
    scene.play("gold")
    assert scene.offers("borrow") == set()


def test_what_he_can_pay_himself_is_not_borrowed_for() -> None:
    scene = Scene(ann=Player("cardinal", hand="church manor temple"), bob=Player(gold=5))
    scene.play("gold", "borrow:bob")
    assert scene.offers() == {"build:manor", "decline"}


def test_only_after_gathering() -> None:
    scene = Scene(ann=Player("cardinal", hand="manor temple church"), bob=Player(gold=5))
    assert scene.refused("borrow:bob") == "gather_first"


def test_it_uses_the_building_of_the_turn() -> None:
    scene = Scene(ann=Player("cardinal", hand="manor temple church"), bob=Player(gold=5))
    scene.play("gold", "borrow:bob", "build:manor", "pay_cards:church")
    assert scene.refused("build:temple") == "build_limit limit=1"


def test_with_one_card_there_is_none_left_to_pay_with() -> None:
    scene = Scene(ann=Player("cardinal", hand="manor"), bob=Player(gold=5))
    scene.play("gold")
    assert scene.refused("borrow:bob") == "too_few_cards"


def test_once_a_district_is_built_nothing_is_borrowed_for_another() -> None:
    scene = Scene(
        ann=Player("cardinal", gold=1, hand="manor temple church"), bob=Player(gold=5)
    )
    scene.play("gold", "build:temple")
    assert scene.offers("borrow") == set()
    assert scene.refused("borrow:bob") == "build_limit limit=1"


def test_where_no_card_of_the_deck_could_be_borrowed_for_it_is_refused() -> None:
    """Which cards are in the hand is nobody's business; that none helps may be known to all."""
    scene = Scene(ann=Player("cardinal", gold=9, hand="manor temple"), bob=Player(gold=5))
    scene.play("gold")
    assert scene.offers("borrow") == set()
    assert scene.refused("borrow:bob") == "out_of_reach"
