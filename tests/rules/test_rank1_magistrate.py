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


def test_a_warrant_may_lie_on_a_character_that_nobody_has() -> None:
    scene = Scene(ann=Player("magistrate"), bob=Player("king"))
    scene.play("place_warrants", "warrants:king,thief,warlord", "sign:warlord")
    assert scene.asked == "ann act"


def test_the_first_district_paid_for_may_be_taken_for_nothing() -> None:
    scene = warrants(Player("magistrate"), Player("king", gold=3, hand="manor"))
    assert scene.play("build:manor") == ["summoned seat=bob card=manor paid=3 judge=ann"]
    assert scene.asked == "ann custody"
    assert scene.play("confiscate") == ["confiscated seat=ann owner=bob card=manor returned=3"]
    assert scene.city("ann") == ["manor"]


def test_its_builder_gets_all_the_gold_back_and_the_building_is_used() -> None:
    scene = warrants(Player("magistrate"), Player("king", gold=9, hand="manor temple"))
    scene.play("build:manor", "confiscate")
    assert scene.gold("bob") == 11
    assert scene.city("bob") == []
    assert scene.refused("build:temple") == "build_limit limit=1"


def test_what_the_magistrate_lets_pass_stands() -> None:
    scene = warrants(Player("magistrate"), Player("king", gold=3, hand="manor"))
    scene.play("build:manor")
    assert scene.play("decline") == ["built seat=bob card=manor paid=3"]


def test_an_unsigned_warrant_takes_nothing() -> None:
    scene = warrants(
        Player("magistrate"), Player("king", gold=3, hand="manor"), signed="bishop"
    )
    scene.play("build:manor")
    assert scene.offers() == {"decline"}
    assert scene.refused("confiscate").startswith("not_that_character")


def test_who_bears_no_warrant_builds_undisturbed() -> None:
    scene = Scene(ann=Player("magistrate"), bob=Player("king", gold=3, hand="manor"))
    scene.play("place_warrants", "warrants:architect,bishop,thief", "sign:bishop")
    scene.pass_turn()
    scene.play("gold")
    assert scene.play("build:manor") == ["built seat=bob card=manor paid=3"]


def test_nor_does_he_disturb_himself_as_his_other_character() -> None:
    scene = Scene(seats=2, ann=Player("magistrate king", gold=3, hand="manor"))
    scene.play("place_warrants", "warrants:architect,bishop,king", "sign:king")
    scene.pass_turn()
    scene.play("gold")
    assert scene.play("build:manor") == ["built seat=ann card=manor paid=3"]


def test_after_the_first_one_later_ones_are_safe() -> None:
    scene = warrants(
        Player("magistrate"),
        Player("architect", gold=9, hand="manor temple"),
        signed="architect",
    )
    scene.play("build:manor", "decline")
    assert scene.play("build:temple") == ["built seat=bob card=temple paid=1"]


def test_he_takes_no_district_that_he_has() -> None:
    scene = warrants(Player("magistrate", city="manor"), Player("king", gold=3, hand="manor"))
    assert scene.play("build:manor") == ["built seat=bob card=manor paid=3"]


def test_the_magistrate_pays_the_tax_on_what_he_took() -> None:
    scene = warrants(
        Player("magistrate"), Player("king", gold=3, hand="manor"), cleo=Player("tax_collector")
    )
    scene.play("build:manor")
    assert "taxed seat=ann gold=1" in scene.play("confiscate")
    assert scene.gold("bob") == 5


def test_what_he_takes_may_complete_his_city() -> None:
    six = "castle temple church tavern market watchtower"
    scene = warrants(Player("magistrate", city=six), Player("king", gold=3, hand="manor"))
    scene.play("build:manor")
    assert scene.play("confiscate")[1:] == [
        "city_completed seat=ann first=yes",
        "last_round",
    ]


def test_what_was_borrowed_for_a_district_stays_with_the_cardinal() -> None:
    scene = Scene(
        ann=Player("magistrate"),
        bob=Player("cardinal", hand="manor temple"),
        cleo=Player(gold=5),
    )
    scene.play("place_warrants", "warrants:cardinal,king,thief", "sign:cardinal")
    scene.pass_turn()
    scene.play("gold", "borrow:cleo", "build:manor", "pay_cards:temple", "confiscate")
    assert scene.gold("bob") == 3
    assert scene.gold("cleo") == 4
    assert scene.hand("cleo") == ["temple"]


def test_the_alchemist_is_not_paid_twice_for_what_was_taken() -> None:
    scene = Scene(ann=Player("magistrate"), bob=Player("alchemist", gold=3, hand="manor"))
    scene.play("place_warrants", "warrants:alchemist,king,thief", "sign:alchemist")
    scene.pass_turn()
    scene.play("gold", "build:manor", "confiscate", "end")
    assert scene.gold("bob") == 5


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
