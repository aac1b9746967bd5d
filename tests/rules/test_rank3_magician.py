"""Rank 3, the Magician: exchanges a whole hand with a player, or cards with the deck."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def scene_of_hands(ann: str = "castle market", bob: str = "temple") -> Scene:
    return Scene(ann=Player("magician", hand=ann, city="manor"), bob=Player(hand=bob))


def test_the_magician_swaps_whole_hands() -> None:
    """All cards of the hand, and none of the city."""
    scene = scene_of_hands()
    told = scene.play("swap:bob")
    assert told[0] == "hands_swapped seat=ann other=bob given=2 taken=1"
    assert scene.hand("ann") == ["temple"]
    assert scene.hand("bob") == ["castle", "market"]
    assert scene.city("ann") == ["manor"]


def test_each_side_sees_only_what_it_got() -> None:
    """Everybody learns how many cards moved, nobody but the two which."""
    told = scene_of_hands().play("swap:bob")
    assert sorted(told[1:]) == [
        "cards_gained seat=ann count=1 reason=magician",
        "cards_gained seat=bob count=2 reason=magician",
    ]
    assert not any("castle" in line or "temple" in line for line in told)


def test_the_magician_may_give_his_hand_for_an_empty_one() -> None:
    scene = scene_of_hands(bob="")
    scene.play("swap:bob")
    assert scene.hand("ann") == []
    assert scene.hand("bob") == ["castle", "market"]


def test_the_magician_does_not_swap_with_himself() -> None:
    assert scene_of_hands().refused("swap:ann") == "not_yourself"


def test_two_empty_hands_are_not_swapped() -> None:
    """Nothing would change, so it is not offered."""
    assert scene_of_hands(ann="", bob="").refused("swap:bob") == "no_cards seat=bob"


def test_the_magician_may_build_what_he_got() -> None:
    scene = Scene(ann=Player("magician"), bob=Player(hand="temple"))
    scene.play("swap:bob", "gold", "build:temple")
    assert scene.city("ann") == ["temple"]


def test_or_he_puts_cards_under_the_deck_and_draws_as_many() -> None:
    """As many as he likes, old ones face down to the bottom first."""
    scene = Scene(
        ann=Player("magician", hand="castle market temple"), deck="palace fortress manor"
    )
    scene.play("redraw")
    assert scene.asked == "ann discard"
    assert scene.offers() == {"card:castle", "card:market", "card:temple"}
    assert scene.play("discard:castle,temple") == [
        "cards_discarded seat=ann count=2 reason=magician",
        "cards_gained seat=ann count=2 reason=magician",
    ]
    assert scene.hand("ann") == ["fortress", "market", "palace"]
    assert sorted(scene.under_deck(2)) == ["castle", "temple"]


def test_he_may_exchange_his_whole_hand_with_the_deck() -> None:
    scene = Scene(ann=Player("magician", hand="castle market"), deck="palace fortress manor")
    scene.play("redraw", "discard:castle,market")
    assert scene.hand("ann") == ["fortress", "palace"]


def test_he_may_think_better_of_it_and_exchange_none() -> None:
    """Any number includes none; nothing has happened, and the power is not spent."""
    scene = scene_of_hands()
    assert scene.play("redraw", "discard:") == []
    assert scene.hand("ann") == ["castle", "market"]
    assert {"redraw", "swap:bob"} <= scene.offers()


def test_the_magician_has_no_income() -> None:
    scene = Scene(ann=Player("magician", city="manor temple tavern prison"))
    assert scene.offers("income") == set()
