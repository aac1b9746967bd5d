"""Rank 2, the Thief: names a character and takes all its gold when it is called."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def scene_with_a_victim(gold: int = 5) -> Scene:
    return Scene(ann=Player("thief", gold=1), bob=Player("merchant", gold=gold, city="market"))


def test_the_thief_names_a_character_aloud() -> None:
    scene = scene_with_a_victim()
    assert scene.play("rob:merchant") == ["named seat=ann character=merchant purpose=theft"]


def test_all_gold_changes_hands_when_the_named_is_called() -> None:
    """At the reveal: before the victim gathers anything."""
    scene = scene_with_a_victim()
    told = scene.play("rob:merchant", "gold", "end")
    called = told.index("rank_called rank=6 seat=bob character=merchant")
    assert told[called + 1 :] == [
        "robbed seat=ann victim=bob gold=5",
        "turn_begins seat=bob rank=6 character=merchant",
    ]
    assert scene.gold("ann") == 8
    assert scene.gold("bob") == 0


def test_what_the_victim_gathers_afterwards_is_its_own() -> None:
    scene = scene_with_a_victim()
    scene.play("rob:merchant", "gold", "end", "gold", "income", "bonus_gold")
    assert scene.gold("bob") == 4


def test_a_victim_without_gold_loses_nothing() -> None:
    scene = scene_with_a_victim(gold=0)
    told = scene.play("rob:merchant", "gold", "end")
    assert "robbed seat=ann victim=bob gold=0" in told
    assert scene.gold("ann") == 3


def test_nothing_is_taken_when_nobody_holds_the_named() -> None:
    scene = scene_with_a_victim()
    told = scene.play("rob:king", "gold", "end")
    assert not any(line.startswith("robbed") for line in told)
    assert scene.gold("bob") == 5


def test_the_thief_may_not_rob_the_thief() -> None:
    assert scene_with_a_victim().refused("rob:thief") == "not_that_character character=thief"


def test_a_murdered_thief_robs_nobody() -> None:
    """He has no turn, so he names nobody."""
    scene = Scene(ann=Player("assassin"), bob=Player("thief"), cleo=Player("king", gold=4))
    scene.play("murder:thief", "gold", "end")
    assert scene.turn == "cleo king"
    assert scene.gold("cleo") == 4


def test_the_thief_may_use_the_gold_only_in_a_later_turn() -> None:
    """The loot comes after his own turn is over."""
    scene = scene_with_a_victim()
    scene.play("rob:merchant")
    assert scene.gold("ann") == 1


def test_a_second_naming_is_refused() -> None:
    scene = scene_with_a_victim()
    scene.play("rob:merchant")
    assert scene.refused("rob:king") == "already_used"


def test_with_two_characters_the_whole_treasury_is_lost() -> None:
    """One treasury serves both characters, so robbing either takes it all."""
    scene = Scene(seats=2, ann=Player("thief"), bob=Player("king warlord", gold=6))
    scene.play("rob:warlord", "gold", "end", "gold", "end")
    assert scene.gold("bob") == 0
    assert scene.gold("ann") == 10
