"""Where other engines go wrong: each fault that random play has found in one, as a case."""

from __future__ import annotations

import pytest

from tests.rules.scene import Player, Scene


@pytest.mark.parametrize("named", ["king", "emperor", "patrician"])
def test_a_named_rank_four_that_nobody_drafted(named: str) -> None:
    scene = Scene(crown="bob", ann=Player("assassin"), cast=named)
    scene.play(f"murder:{named}", "gold", "end")
    assert scene.state.round == 2
    assert scene.crown == "bob"


@pytest.mark.parametrize("left", [0, 1])
def test_the_smithy_and_a_short_deck(left: int) -> None:
    scene = Scene(ann=Player("king", gold=2, city="smithy"))
    scene.leave_in_deck(left)
    if not left:
        assert scene.refused("smithy") == "deck_empty"
        return
    assert "cards_gained seat=ann count=1 reason=smithy" in scene.play("smithy")


def test_the_architect_and_a_short_deck() -> None:
    scene = Scene(ann=Player("architect"))
    scene.leave_in_deck(1)
    assert scene.play("bonus_cards") == ["cards_gained seat=ann count=1 reason=architect"]


def test_a_secret_vault_cannot_be_built_by_the_wizard() -> None:
    scene = Scene(ann=Player("wizard", gold=9), bob=Player(hand="secret_vault"))
    scene.play("gold", "peek:bob")
    assert scene.offers() == {"pocket:secret_vault"}
    assert scene.refused("raise:secret_vault") == "not_buildable card=secret_vault"


def warranted(hand: str, city: str = "", gold: int = 9) -> Scene:
    """Bob, King, under Ann's signed warrant, has gathered gold."""
    scene = Scene(ann=Player("magistrate"), bob=Player("king", gold=gold, hand=hand, city=city))
    scene.play("place_warrants", "warrants:architect,bishop,king", "sign:king")
    scene.pass_turn()
    scene.play("gold")
    return scene


def test_after_confiscated_stables_another_district_may_be_built() -> None:
    scene = warranted("stables temple")
    scene.play("build:stables", "confiscate")
    assert scene.play("build:temple") == ["built seat=bob card=temple paid=1"]


def test_the_navigator_does_not_build_stables_either() -> None:
    scene = Scene(ann=Player("navigator", gold=5, hand="stables"))
    scene.play("gold")
    assert scene.refused("build:stables") == "no_building"


def test_who_reveals_a_district_to_the_magistrate_shows_it_to_all() -> None:
    scene = warranted("manor")
    scene.play("build:manor")
    slot = scene.state.stack[-1].slots[0]
    assert scene.state.faces[slot] == "manor"
    assert slot not in scene.state.places[1].hand


def test_the_witch_bewitching_her_own_other_character() -> None:
    scene = Scene(seats=2, ann=Player("witch king"), bob=Player("thief bishop"))
    scene.play("gold", "bewitch:king")
    scene.pass_turn()
    assert scene.asked == "ann gather"
    assert "turn_resumed seat=ann rank=4 character=king" in scene.play("gold")


def test_a_bewitched_character_is_not_robbed_nor_threatened_but_is_called() -> None:
    scene = Scene(ann=Player("witch"), bob=Player("warlord", gold=4), cleo=Player("thief"))
    scene.play("gold", "bewitch:warlord")
    assert scene.turn == "cleo thief"
    scene.pass_turn()
    assert scene.turn == "bob warlord"
