"""Rank 1, the Assassin: names a character to be murdered."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def scene_with_a_victim() -> Scene:
    return Scene(
        ann=Player("assassin"), bob=Player("merchant", gold=3, hand="tavern", city="market")
    )


def test_the_assassin_names_another_character_aloud() -> None:
    """A character is named, not a player."""
    scene = scene_with_a_victim()
    assert scene.play("murder:merchant") == ["named seat=ann character=merchant purpose=murder"]


def test_the_assassin_may_name_any_of_the_other_seven() -> None:
    scene = scene_with_a_victim()
    assert scene.offers("murder") == {
        "murder:thief",
        "murder:magician",
        "murder:king",
        "murder:bishop",
        "murder:merchant",
        "murder:architect",
        "murder:warlord",
    }


def test_the_assassin_may_not_name_the_assassin() -> None:
    assert scene_with_a_victim().refused("murder:assassin") == (
        "not_that_character character=assassin"
    )


def test_the_victim_keeps_silent_and_loses_the_whole_turn() -> None:
    """No turn, no resources, no income: the call goes by."""
    scene = scene_with_a_victim()
    told = scene.play("murder:merchant", "gold", "end")
    assert "rank_silent rank=6" in told
    assert not any(line.startswith("turn_begins seat=bob") for line in told)
    assert scene.gold("bob") == 3


def test_the_call_of_the_murdered_sounds_the_same_if_nobody_holds_the_card() -> None:
    """Until the round's end nobody learns whether there was a victim."""
    there = scene_with_a_victim().play("murder:merchant", "gold", "end")
    absent = scene_with_a_victim().play("murder:bishop", "gold", "end")
    assert "rank_silent rank=6" in there
    assert "rank_silent rank=5" in absent
    assert not any("seat=" in line for line in there + absent if "rank_silent" in line)


def test_a_murder_of_nobody_changes_nothing() -> None:
    scene = scene_with_a_victim()
    told = scene.play("murder:bishop", "gold", "end")
    assert scene.turn == "bob merchant"
    assert not any(line.startswith("exposed") for line in told)


def test_the_murdered_is_shown_when_the_round_is_over() -> None:
    """Not before the last turn, and only then."""
    scene = Scene(ann=Player("assassin"), bob=Player("king"), cleo=Player("warlord"))
    before = scene.play("murder:king", "gold", "end")
    assert not any(line.startswith("exposed") for line in before)
    assert "exposed seat=bob character=king" in scene.pass_turn()


def test_the_murder_lasts_for_one_round() -> None:
    """Next round the character is as alive as the others."""
    scene = Scene(seats=4, ann=Player("assassin"), bob=Player("king"))
    scene.play("murder:king", "gold", "end")
    assert scene.state.silenced == ""
    assert scene.state.named == {}


def test_the_murder_may_be_left_undone() -> None:
    scene = scene_with_a_victim()
    scene.pass_turn()
    assert scene.turn == "bob merchant"


def test_a_second_murder_is_refused() -> None:
    scene = scene_with_a_victim()
    scene.play("murder:merchant")
    assert scene.refused("murder:king") == "already_used"


def test_of_two_characters_only_the_murdered_one_is_silent() -> None:
    """With two or three people the other character still has its turn."""
    scene = Scene(seats=2, ann=Player("assassin"), bob=Player("bishop warlord"))
    scene.play("murder:bishop", "gold", "end")
    assert scene.turn == "bob warlord"
