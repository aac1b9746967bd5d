"""Laboratory and Smithy: used once in their owner's turn."""

from __future__ import annotations

import pytest

from citadels_p2p.rules.districts.actions import Lab, Smithy
from tests.rules.scene import Player, Scene


def test_the_laboratory_turns_one_hand_card_into_two_gold() -> None:
    """The card goes under the deck."""
    scene = Scene(ann=Player("thief", hand="castle market", city="laboratory"))
    assert scene.play("lab:castle") == [
        "cards_discarded seat=ann count=1 reason=laboratory",
        "gold_gained seat=ann gold=2 reason=laboratory",
    ]
    assert scene.gold("ann") == 2
    assert scene.hand("ann") == ["market"]
    assert scene.under_deck(1) == ["castle"]


def test_the_laboratory_works_once_a_turn() -> None:
    scene = Scene(ann=Player("thief", hand="castle market", city="laboratory"))
    scene.play("lab:castle")
    assert scene.refused("lab:market") == "already_used"


def test_the_laboratory_needs_a_card() -> None:
    scene = Scene(ann=Player("thief", city="laboratory"))
    assert scene.offers("lab") == set()


def test_the_laboratory_is_optional_and_works_before_and_after_building() -> None:
    scene = Scene(ann=Player("thief", gold=1, hand="temple castle", city="laboratory"))
    scene.play("gold", "build:temple", "lab:castle", "end")
    assert scene.gold("ann") == 4


def test_the_smithy_gives_three_cards_for_two_gold() -> None:
    scene = Scene(ann=Player("thief", gold=2, city="smithy"), deck="castle temple manor")
    assert scene.play("smithy") == [
        "gold_paid seat=ann gold=2 reason=smithy to=nobody",
        "cards_gained seat=ann count=3 reason=smithy",
    ]
    assert scene.gold("ann") == 0
    assert scene.hand("ann") == ["castle", "manor", "temple"]


def test_the_smithy_works_once_a_turn() -> None:
    scene = Scene(ann=Player("thief", gold=9, city="smithy"))
    scene.play("smithy")
    assert scene.refused("smithy") == "already_used"


def test_the_smithy_must_be_paid() -> None:
    scene = Scene(ann=Player("thief", gold=1, city="smithy"))
    assert scene.refused("smithy") == "too_dear cost=2 gold=1"


def test_the_smithy_needs_a_deck() -> None:
    scene = Scene(ann=Player("thief", gold=9, city="smithy"))
    scene.state.deck.clear()
    assert scene.refused("smithy") == "deck_empty"


def test_laboratory_and_smithy_work_beside_the_character_s_power() -> None:
    """They are the district's, not the character's, and each has its own once."""
    scene = Scene(ann=Player("merchant", hand="castle", city="laboratory smithy market"))
    scene.play("income", "lab:castle", "smithy", "bonus_gold", "gold")
    assert scene.gold("ann") == 4


def test_laboratory_and_smithy_work_only_in_their_owner_s_turn() -> None:
    scene = Scene(
        ann=Player("thief", gold=5, hand="castle"), bob=Player("king", city="laboratory smithy")
    )
    assert scene.refused("lab:castle") == "not_an_option"
    assert scene.refused("smithy") == "not_an_option"


def test_laboratory_and_smithy_work_in_the_turn_they_are_built() -> None:
    scene = Scene(ann=Player("thief", gold=5, hand="smithy"))
    scene.play("gold", "build:smithy", "smithy")
    assert len(scene.hand("ann")) == 3


def test_with_two_characters_they_work_once_in_each_turn() -> None:
    scene = Scene(seats=2, ann=Player("thief king", hand="castle market", city="laboratory"))
    scene.play("lab:castle", "gold", "end", "lab:market")
    assert scene.gold("ann") == 6


def test_a_destroyed_laboratory_is_used_no_more() -> None:
    scene = Scene(ann=Player("warlord", gold=4, hand="castle", city="laboratory"))
    scene.play("destroy:ann:laboratory")
    assert scene.refused("lab:castle") == "not_an_option"


def test_a_district_keeps_to_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would be refused before the gathering is not offered there either."""
    monkeypatch.setattr(Smithy, "after_gathering", True)
    scene = Scene(ann=Player("thief", gold=9, city="smithy"))
    assert scene.refused("smithy") == "gather_first"
    assert scene.offers("smithy") == set()
    scene.play("gold")
    assert scene.offers("smithy") == {"smithy"}


def test_a_district_works_as_often_as_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lab, "times", 2)
    scene = Scene(ann=Player("thief", hand="castle market temple", city="laboratory"))
    scene.play("lab:castle")
    assert len(scene.offers("lab")) == 2
    scene.play("lab:market")
    assert scene.offers("lab") == set()
    assert scene.refused("lab:temple") == "already_used"
