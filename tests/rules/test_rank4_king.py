"""Rank 4, the King: gold for noble districts, and the crown."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_one_gold_for_each_noble_district() -> None:
    scene = Scene(ann=Player("king", city="manor castle palace temple tavern"))
    assert scene.play("income") == ["income seat=ann gold=3 quarter=noble"]
    assert scene.gold("ann") == 3


def test_the_king_takes_the_crown_in_his_turn() -> None:
    """He must, so nobody is asked: it comes to him as his turn begins."""
    scene = Scene(ann=Player("king"), crown="cleo")
    assert scene.story[-1] == "crown_taken seat=ann before=cleo"
    assert scene.crown == "ann"


def test_a_king_who_has_the_crown_keeps_it() -> None:
    scene = Scene(ann=Player("king"), crown="ann")
    assert not any(line.startswith("crown_taken") for line in scene.story)
    assert scene.crown == "ann"


def test_the_king_chooses_first_in_the_next_round() -> None:
    scene = Scene(cleo=Player("king"), crown="ann")
    scene.pass_turn()
    assert scene.asked == "cleo character"


def test_the_crown_stays_where_it_is_if_nobody_chose_the_king() -> None:
    scene = Scene(ann=Player("merchant"), bob=Player("bishop"), crown="dan")
    scene.pass_turn()
    scene.pass_turn()
    assert scene.crown == "dan"
    assert scene.asked == "dan character"


def test_the_king_collects_without_the_crown_s_help() -> None:
    """Income is his choice and costs nothing; the crown came by itself."""
    scene = Scene(ann=Player("king", city="manor"), crown="bob")
    scene.pass_turn()
    assert scene.gold("ann") == 2
    assert scene.crown == "ann"


def murdered_king(crown: str) -> Scene:
    scene = Scene(
        ann=Player("assassin"), bob=Player("king", gold=1), cleo=Player("warlord"), crown=crown
    )
    scene.play("murder:king", "gold", "end")
    return scene


def test_a_murdered_king_loses_his_turn_like_everybody() -> None:
    scene = murdered_king(crown="ann")
    assert scene.turn == "cleo warlord"
    assert scene.gold("bob") == 1
    assert scene.crown == "ann"


def test_a_murdered_king_is_heir_at_the_end_of_the_round() -> None:
    """He shows his card after the last turn and takes the crown."""
    scene = murdered_king(crown="ann")
    told = scene.pass_turn()
    ended = told.index("turn_ends seat=cleo")
    assert told[ended + 1 : ended + 5] == [
        "exposed seat=bob character=king",
        "heir seat=bob character=king",
        "crown_taken seat=bob before=ann",
        "round_begins round=2 crown=bob",
    ]
    assert scene.asked == "bob character"


def test_a_murdered_king_who_had_the_crown_keeps_it() -> None:
    scene = murdered_king(crown="bob")
    told = scene.pass_turn()
    assert "heir seat=bob character=king" in told
    assert not any(line.startswith("crown_taken") for line in told)
    assert scene.crown == "bob"


def test_a_robbed_king_still_takes_the_crown() -> None:
    scene = Scene(ann=Player("thief"), bob=Player("king", gold=3), crown="cleo")
    told = scene.play("rob:king", "gold", "end")
    assert "robbed seat=ann victim=bob gold=3" in told
    assert scene.crown == "bob"
