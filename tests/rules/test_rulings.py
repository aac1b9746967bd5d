"""Rulings: questions the cards leave open, and how this table answers them.

What concerns one card alone stands in that card's own file, and the eight points on which other
programs differ in theirs. Here are the rulings that join several cards, turns or people.
"""

from __future__ import annotations

import pytest

from citadels_p2p.rules import view
from tests.rules.scene import Player, Scene

# What is open and what is hidden


def test_gold_and_numbers_of_cards_are_open_and_the_cards_are_not() -> None:
    scene = Scene(ann=Player("thief", gold=3, hand="castle market"), bob=Player("king", gold=1))
    seen = view(scene.state, None, {})
    assert (seen.seats[0].gold, seen.seats[0].hand) == (3, 2)
    assert seen.you is None
    assert "castle" not in repr(seen)


def test_everybody_sees_the_own_hand_and_nobody_else_s() -> None:
    scene = Scene(ann=Player("thief", hand="castle"), bob=Player("king", hand="market"))
    seen = view(scene.state, 1, scene.dealer.knowledge(scene.state, 1))
    assert seen.you is not None
    assert [card.card for card in seen.you.hand] == ["market"]
    assert seen.you.characters == ("king",)
    assert "castle" not in repr(seen)


def test_a_character_is_hidden_until_it_is_called() -> None:
    scene = Scene(ann=Player("thief"), bob=Player("king"))
    assert view(scene.state, None, {}).seats[1].characters == (None,)
    scene.pass_turn()
    assert view(scene.state, None, {}).seats[1].characters == ("king",)


def test_a_destroyed_district_s_place_under_the_deck_is_nobody_s_business() -> None:
    """Everybody saw which card it was; lying in the deck it is face down like the others."""
    scene = Scene(ann=Player("warlord", gold=9), bob=Player(city="palace"))
    scene.play("destroy:bob:palace")
    assert "palace" not in repr(view(scene.state, None, {}))


def test_nobody_has_too_many_cards() -> None:
    """A hand has no limit."""
    hand = "manor castle palace temple church monastery tavern market docks harbor prison"
    scene = Scene(ann=Player("architect", hand=hand, city="library smithy", gold=2))
    scene.play("cards", "bonus_cards", "smithy")
    assert len(scene.hand("ann")) == 11 + 2 + 2 + 3


def test_the_bank_is_never_empty() -> None:
    """The number of coins in the box is no limit."""
    scene = Scene(ann=Player("thief", gold=100))
    scene.play("gold")
    assert scene.gold("ann") == 102


# Moments of a turn


@pytest.mark.parametrize(
    ("character", "power"),
    [
        ("magician", "swap:bob"),
        ("warlord", "destroy:bob:temple"),
        ("assassin", "murder:king"),
        ("thief", "rob:king"),
        ("king", "income"),
        ("architect", "bonus_cards"),
    ],
)
def test_a_power_may_be_used_before_resources_are_gathered(character: str, power: str) -> None:
    scene = Scene(ann=Player(character, city="manor"), bob=Player(hand="castle", city="temple"))
    scene.play(power, "gold", "end")


def test_the_district_of_this_turn_may_pay_and_be_paid_for() -> None:
    """Income pays for a district, or a district brings income: one of the two."""
    pays = Scene(ann=Player("king", hand="manor", city="castle"))
    pays.play("income", "gold", "build:manor")
    assert pays.gold("ann") == 0
    brings = Scene(ann=Player("king", gold=1, hand="manor", city="castle"))
    brings.play("gold", "build:manor", "income")
    assert brings.gold("ann") == 2


def test_a_district_s_own_power_works_in_the_turn_it_is_built() -> None:
    scene = Scene(ann=Player("thief", gold=3, hand="laboratory castle"))
    scene.play("gold", "build:laboratory", "lab:castle")
    assert scene.gold("ann") == 2


def test_an_observatory_built_after_gathering_is_for_the_next_turn() -> None:
    scene = Scene(ann=Player("thief", gold=4, hand="observatory"), deck="castle temple manor")
    assert scene.play("cards") == ["cards_drawn seat=ann count=2"]
    scene.play("keep:castle", "build:observatory")
    assert scene.refused("cards") == "already_gathered"


def test_bonus_gold_and_bonus_cards_are_no_income_of_districts() -> None:
    """The School of Magic adds to neither."""
    merchant = Scene(ann=Player("merchant", city="school_of_magic"))
    assert merchant.play("bonus_gold") == ["gold_gained seat=ann gold=1 reason=merchant"]
    architect = Scene(ann=Player("architect", city="school_of_magic"))
    assert architect.play("bonus_cards") == ["cards_gained seat=ann count=2 reason=architect"]


# Robbed, murdered, both


def test_the_robbery_comes_before_anything_the_victim_may_do() -> None:
    """Income and resources are safe, what was saved is not."""
    scene = Scene(ann=Player("thief"), bob=Player("bishop", gold=6, city="temple church"))
    scene.play("rob:bishop", "gold", "end", "income", "gold")
    assert scene.gold("ann") == 8
    assert scene.gold("bob") == 4


def test_a_murder_after_no_robbery_leaves_the_gold_with_the_victim() -> None:
    """The Thief comes after the Assassin and has to choose somebody else."""
    scene = Scene(ann=Player("assassin"), bob=Player("thief"), cleo=Player("merchant", gold=7))
    scene.play("murder:merchant", "gold", "end")
    assert scene.refused("rob:merchant") == "not_that_character character=merchant"
    scene.pass_turn()
    assert scene.gold("cleo") == 7


def test_the_thief_may_rob_a_character_that_lies_face_up() -> None:
    """It is a wasted guess, but no rule forbids it."""
    scene = Scene(pile="magician bishop assassin thief king merchant architect warlord")
    assert scene.faceup() == ["magician", "bishop"]
    scene.play("take:thief", "take:king", "take:merchant", "take:architect")
    assert scene.turn == "ann thief"
    scene.play("rob:magician")


def test_a_murdered_player_s_districts_stay_and_work() -> None:
    """The Great Wall goes on raising prices, the Graveyard goes on serving."""
    scene = Scene(
        ann=Player("assassin"),
        bob=Player("king", gold=1, city="great_wall graveyard temple"),
        cleo=Player("warlord", gold=5),
    )
    scene.play("murder:king", "gold", "end")
    assert scene.play("destroy:bob:temple") == [
        "destroyed seat=cleo owner=bob card=temple paid=1"
    ]
    assert scene.asked == "bob respond"


# The Warlord beside other cards


def test_great_wall_and_keep_stand_together() -> None:
    """The Keep needs no Wall, and the Wall no Keep."""
    scene = Scene(
        ann=Player("warlord", gold=1), bob=Player(city="great_wall keep temple market")
    )
    assert scene.offers("destroy") == {"destroy:bob:temple"}


def test_the_graveyard_s_gold_is_paid_to_the_bank_and_not_to_the_warlord() -> None:
    scene = Scene(ann=Player("warlord", gold=3), bob=Player(gold=2, city="graveyard castle"))
    scene.play("destroy:bob:castle", "recover:castle")
    assert scene.gold("ann") == 0
    assert scene.gold("bob") == 1


def test_what_the_graveyard_recovered_may_be_built_again() -> None:
    """It is a card in hand like any other, and costs its full price again."""
    scene = Scene(seats=2, ann=Player("warlord"), bob=Player(gold=1, city="graveyard temple"))
    scene.play("destroy:bob:temple", "recover:temple")
    assert scene.city("bob") == ["graveyard"]
    scene.pass_turn()
    while scene.asked != "bob act":
        if scene.asked == "ann act":
            scene.pass_turn()
        else:
            scene.play(min(scene.offers()))
    scene.play("gold")
    assert scene.play("build:temple") == ["built seat=bob card=temple paid=1"]


def test_the_warlord_goes_on_with_his_turn_after_the_graveyard() -> None:
    scene = Scene(
        ann=Player("warlord", gold=3, hand="prison"),
        bob=Player(gold=1, city="graveyard castle"),
    )
    scene.play("destroy:bob:castle", "decline", "gold", "build:prison", "end")
    assert scene.city("ann") == ["prison"]


def test_with_two_characters_the_graveyard_is_closed_to_its_owner_as_warlord() -> None:
    """Whoever destroys is the Warlord, whichever other character he holds."""
    scene = Scene(
        seats=2, ann=Player("king warlord", gold=5, city="graveyard"), bob=Player(city="castle")
    )
    scene.pass_turn()
    scene.play("destroy:bob:castle")
    assert scene.asked == "ann act"
    assert scene.under_deck(1) == ["castle"]


# The Magician beside other cards


def test_the_magician_s_new_hand_counts_for_the_map_room() -> None:
    scene = Scene(
        ann=Player("magician", city="map_room"), bob=Player(hand="castle market temple")
    )
    scene.play("swap:bob")
    assert scene.points("ann")["map_room"] == 3


def test_redrawing_takes_from_the_top_and_returns_to_the_bottom() -> None:
    """The cards given up are not among those drawn while the deck holds others."""
    scene = Scene(ann=Player("magician", hand="castle"), deck="palace")
    scene.play("redraw", "discard:castle")
    assert scene.hand("ann") == ["palace"]
    assert scene.under_deck(1) == ["castle"]


def test_redrawing_from_an_empty_deck_brings_the_same_cards_back() -> None:
    """As many as were put under it are always there."""
    scene = Scene(ann=Player("magician", hand="castle market"))
    scene.state.deck.clear()
    scene.play("redraw", "discard:castle,market")
    assert scene.hand("ann") == ["castle", "market"]


# Points


def test_a_second_copy_counts_for_nobody_else() -> None:
    """The two Keeps may stand in two cities."""
    scene = Scene(ann=Player("thief", gold=9, hand="keep"), bob=Player(city="keep"))
    scene.play("gold", "build:keep")
    assert scene.points("ann") == scene.points("bob") == {"districts": 3}


def test_a_killed_king_s_crown_is_for_the_next_choice_only() -> None:
    """It calls no one out of turn and brings no points."""
    scene = Scene(ann=Player("assassin"), bob=Player("king"), first="cleo")
    scene.play("murder:king", "gold", "end")
    assert scene.asked == "over"
    assert scene.total("bob") == 0
