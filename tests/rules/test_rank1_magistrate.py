"""Rank 1, the Magistrate: three warrants, one of them signed."""

from __future__ import annotations

from citadels_p2p.rules import Decided, Move, Reason, refuse
from tests.rules.scene import Player, Scene


def warrants(ann: Player, bob: Player, signed: str = "king", **others: Player) -> Scene:
    """Ann has laid warrants on King, Bishop and Architect; the turn is Bob's, who gathered."""
    scene = Scene(ann=ann, bob=bob, **others)
    scene.play("place_warrants", "warrants:architect,bishop,king", f"sign:{signed}")
    scene.pass_turn()
    scene.play("gold")
    return scene


def test_three_warrants_lie_on_three_other_characters() -> None:
    scene = Scene(ann=Player("magistrate"), bob=Player("king"))
    scene.play("place_warrants")
    assert scene.asked == "ann warrants"
    assert "role:magistrate" not in scene.offers()
    assert scene.play("warrants:bishop,king,thief") == [
        "markers_placed seat=ann characters=bishop+king+thief purpose=warrants"
    ]


def test_which_one_is_signed_only_the_magistrate_knows() -> None:
    scene = Scene(ann=Player("magistrate"), bob=Player("king"))
    scene.play("place_warrants", "warrants:bishop,king,thief")
    assert scene.offers() == {"sign:bishop", "sign:king", "sign:thief"}
    before = scene.state.copy()
    assert scene.play("sign:king") == ["marker_signed seat=ann purpose=warrants"]
    other = Scene(ann=Player("magistrate"), bob=Player("king"))
    other.play("place_warrants", "warrants:bishop,king,thief", "sign:thief")
    assert scene.state == other.state != before


def test_the_first_district_paid_for_may_be_taken_for_nothing() -> None:
    scene = warrants(Player("magistrate"), Player("king", gold=3, hand="manor"))
    assert scene.play("build:manor") == ["summoned seat=bob card=manor paid=3 judge=ann"]
    assert scene.asked == "ann custody"
    assert scene.play("confiscate") == ["confiscated seat=ann owner=bob card=manor returned=3"]
    assert scene.city("ann") == ["manor"]


def test_what_the_magistrate_lets_pass_stands() -> None:
    scene = warrants(Player("magistrate"), Player("king", gold=3, hand="manor"))
    scene.play("build:manor")
    assert scene.play("decline") == ["built seat=bob card=manor paid=3"]


def test_who_bears_no_warrant_builds_undisturbed() -> None:
    scene = Scene(ann=Player("magistrate"), bob=Player("king", gold=3, hand="manor"))
    scene.play("place_warrants", "warrants:architect,bishop,thief", "sign:bishop")
    scene.pass_turn()
    scene.play("gold")
    assert scene.play("build:manor") == ["built seat=bob card=manor paid=3"]


def test_a_magistrate_who_does_not_answer_lets_the_district_pass() -> None:
    scene = warrants(Player("magistrate"), Player("king", gold=3, hand="manor"))
    scene.play("build:manor")
    assert "built seat=bob card=manor paid=3" in scene.time_out()


def test_who_does_not_say_which_is_signed_takes_the_warrants_back() -> None:
    scene = Scene(ann=Player("magistrate"), bob=Player("king"))
    scene.play("place_warrants", "warrants:bishop,king,thief")
    assert scene.time_out()[1:] == ["markers_withdrawn seat=ann purpose=warrants"]


def test_nothing_but_the_warrant_itself_can_be_shown() -> None:
    """Another card of his, said to be that character, takes nothing; nor an unseen warrant."""
    scene = warrants(
        Player("magistrate", hand="keep"), Player("king", gold=3, hand="manor"), signed="bishop"
    )
    scene.play("build:manor")
    (other,) = scene.state.places[0].hand
    own = scene.state.hidden_markers["warrants"].slot
    forged = Decided(0, Move("confiscate", other), ((other, "king"),))
    unseen = Decided(0, Move("confiscate", own))
    assert refuse(scene.state, forged) == Reason("not_an_option")
    assert refuse(scene.state, unseen) == Reason("not_shown")
