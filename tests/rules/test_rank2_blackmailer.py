"""Rank 2, the Blackmailer: two threats, one of them real."""

from __future__ import annotations

import pytest

from citadels_p2p.rules import Decided, Move, Reason, refuse
from tests.rules.scene import Player, Scene


def threats(bob: Player, real: str = "king", ann: Player | None = None) -> Scene:
    """Ann has threatened King and Bishop; Bob has gathered gold."""
    scene = Scene(ann=ann or Player("blackmailer"), bob=bob)
    scene.play("place_threats", "threats:bishop,king", f"sign:{real}")
    scene.pass_turn()
    scene.play("gold")
    return scene


def test_two_threats_lie_on_two_characters() -> None:
    scene = Scene(ann=Player("blackmailer"), bob=Player("king"))
    told = scene.play("place_threats", "threats:bishop,king", "sign:bishop")
    assert told == [
        "markers_placed seat=ann characters=bishop+king purpose=threats",
        "marker_signed seat=ann purpose=threats",
    ]


def test_not_on_the_first_rank_nor_on_herself() -> None:
    scene = Scene(ann=Player("blackmailer"), bob=Player("king"))
    scene.play("place_threats")
    assert {"role:assassin", "role:blackmailer"}.isdisjoint(scene.offers())
    assert scene.refused("threats:assassin,king").startswith("not_that_character")


def test_not_on_the_bewitched() -> None:
    scene = Scene(dan=Player("witch"), ann=Player("blackmailer"), bob=Player("king"))
    scene.play("gold", "bewitch:king", "place_threats")
    assert "role:king" not in scene.offers()


@pytest.mark.parametrize(("gold", "bribe"), [(5, 3), (4, 3), (0, 1)])
def test_the_bribe_is_half_the_gold_rounded_down(gold: int, bribe: int) -> None:
    scene = threats(Player("king", gold=gold))
    assert scene.play("bribe") == [f"bribed seat=bob to=ann gold={bribe}"]
    assert scene.gold("bob") == gold + 2 - bribe


def test_with_one_gold_a_bribe_of_nothing_will_do() -> None:
    scene = Scene(ann=Player("blackmailer"), bob=Player("king", gold=1), deck="temple manor")
    scene.play("place_threats", "threats:bishop,king", "sign:king")
    scene.pass_turn()
    scene.play("cards", "keep:temple")
    assert scene.play("bribe") == ["bribed seat=bob to=ann gold=0"]


def test_after_the_bribe_the_threat_is_gone_and_the_turn_goes_on() -> None:
    scene = threats(Player("king", gold=4, city="manor", hand="temple"))
    scene.play("bribe")
    assert scene.asked == "bob act"
    assert scene.offers() == {"income", "build:temple", "end"}


def test_who_pays_nothing_may_be_shown_the_real_threat_and_loses_all() -> None:
    scene = threats(Player("king", gold=4))
    assert scene.play("refuse_bribe") == ["bribe_refused seat=bob to=ann"]
    assert scene.asked == "ann threaten"
    assert scene.play("threaten") == [
        "threat_shown seat=ann victim=bob character=king",
        "robbed seat=ann victim=bob gold=6",
    ]
    assert scene.asked == "bob act"


def test_an_empty_threat_takes_nothing() -> None:
    scene = threats(Player("king", gold=4), real="bishop")
    scene.play("refuse_bribe")
    assert scene.offers() == {"decline"}
    assert scene.play("decline") == ["threat_dropped seat=ann victim=bob"]
    assert scene.gold("bob") == 6


def test_the_other_threat_stays() -> None:
    scene = Scene(ann=Player("blackmailer"), bob=Player("king"), cleo=Player("bishop", gold=3))
    scene.play("place_threats", "threats:bishop,king", "sign:bishop")
    scene.pass_turn()
    scene.play("gold", "bribe", "end", "gold", "refuse_bribe")
    assert "robbed seat=ann victim=cleo gold=5" in scene.play("threaten")


def test_who_does_not_answer_pays() -> None:
    scene = threats(Player("king", gold=4))
    assert scene.time_out()[1:] == ["bribed seat=bob to=ann gold=3"]


def test_nothing_but_the_threat_itself_can_be_shown() -> None:
    """Another card of hers, said to be that character, takes nothing; nor an unseen threat."""
    scene = threats(
        Player("king", gold=5), real="bishop", ann=Player("blackmailer", hand="keep")
    )
    scene.play("refuse_bribe")
    (other,) = scene.state.places[0].hand
    own = scene.state.hidden_markers["threats"].slot
    forged = Decided(0, Move("threaten", other), ((other, "king"),))
    unseen = Decided(0, Move("threaten", own))
    assert refuse(scene.state, forged) == Reason("not_an_option")
    assert refuse(scene.state, unseen) == Reason("not_shown")
