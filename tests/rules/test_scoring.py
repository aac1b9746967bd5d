"""Counting points: two worked examples, each line of the list, and ties."""

from __future__ import annotations

import pytest

from tests.rules.scene import Player, Scene

KIRILL = "castle tavern church docks laboratory harbor haunted_quarter"
ALICE = "manor prison docks market barracks dragon_gate school_of_magic"


# The worked examples: Kirill completed his city first, Alice in the same round


def worked_example() -> Scene:
    return Scene(
        ann=Player("architect", city=KIRILL), bob=Player("warlord", city=ALICE), first="ann"
    )


def test_kirill_scores_28() -> None:
    """4+1+2+3+5+4+2, first to complete, all five: the Haunted Quarter counts as military."""
    scene = worked_example()
    assert scene.points("ann") == {"districts": 21, "quarters": 3, "first_city": 4}
    assert scene.total("ann") == 28


def test_alice_scores_29_and_wins() -> None:
    """3+2+3+2+3+6+6, completed but not first, and two more for the Dragon Gate."""
    scene = worked_example()
    assert scene.points("bob") == {"districts": 25, "other_city": 2, "dragon_gate": 2}
    assert scene.total("bob") == 29
    assert scene.winners() == ["bob"]


# Line by line


def test_every_district_is_worth_its_cost() -> None:
    scene = Scene(ann=Player(city="temple market docks harbor fortress great_wall"))
    assert scene.points("ann") == {"districts": 1 + 2 + 3 + 4 + 5 + 6}


def test_a_district_is_worth_its_printed_cost_whatever_was_paid() -> None:
    """What the Warlord would pay, or a recovered card cost, has no part in it."""
    scene = Scene(ann=Player(city="great_wall castle"))
    assert scene.points("ann") == {"districts": 10}


def test_all_five_quarters_are_worth_three_points_once() -> None:
    """Two of each make no six."""
    one_each = "manor temple tavern prison keep"
    two_each = f"{one_each} castle church market barracks library"
    assert Scene(ann=Player(city=one_each)).points("ann")["quarters"] == 3
    assert Scene(ann=Player(city=two_each)).points("ann")["quarters"] == 3


@pytest.mark.parametrize("missing", ["manor", "temple", "tavern", "prison", "keep"])
def test_four_quarters_are_worth_nothing(missing: str) -> None:
    five = ["manor", "temple", "tavern", "prison", "keep"]
    scene = Scene(ann=Player(city=" ".join(card for card in five if card != missing)))
    assert "quarters" not in scene.points("ann")


def test_the_first_completed_city_is_worth_four_and_the_others_two() -> None:
    six = "manor castle temple church tavern"
    scene = Scene(
        ann=Player(city=f"{six} market docks"),
        bob=Player(city=f"{six} prison watchtower"),
        cleo=Player(city=f"{six} harbor"),
        first="bob",
    )
    assert scene.points("ann")["other_city"] == 2
    assert scene.points("bob")["first_city"] == 4
    assert set(scene.points("cleo")) == {"districts"}


def test_the_first_city_does_not_get_both_bonuses() -> None:
    scene = worked_example()
    assert "other_city" not in scene.points("ann")


def test_a_city_beyond_seven_is_worth_more_districts_and_no_more_bonus() -> None:
    nine = "manor castle temple church monastery tavern market docks harbor"
    scene = Scene(ann=Player(city=nine), first="ann")
    assert scene.points("ann") == {
        "districts": 3 + 4 + 1 + 2 + 3 + 1 + 2 + 3 + 4,
        "first_city": 4,
    }


def test_the_most_points_win() -> None:
    scene = Scene(ann=Player(city="fortress"), bob=Player(city="manor market castle"))
    assert scene.winners() == ["bob"]


# Ties


def last_round(ann: Player, bob: Player, cleo: Player | None = None) -> Scene:
    """A last round in which nobody builds, played to its end; Dan, who ended it, has little."""
    scene = Scene(first="dan", ann=ann, bob=bob, cleo=cleo or Player())
    while scene.asked != "over":
        scene.pass_turn()
    return scene


def test_a_tie_goes_to_the_higher_rank_of_the_last_round() -> None:
    scene = last_round(
        ann=Player("warlord", city="fortress"), bob=Player("king", city="palace")
    )
    assert scene.story[-1] == "match_over winners=ann"


def test_more_gold_or_cards_break_no_tie() -> None:
    scene = last_round(
        ann=Player("architect", city="fortress"),
        bob=Player("king", gold=9, hand="castle", city="palace"),
    )
    assert scene.story[-1] == "match_over winners=ann"


def test_the_tie_is_between_the_best_only() -> None:
    """A high rank helps nobody who has fewer points."""
    scene = last_round(
        ann=Player("thief", city="fortress"),
        bob=Player("king", city="palace"),
        cleo=Player("warlord", city="castle"),
    )
    assert scene.story[-1] == "match_over winners=bob"


def test_the_murdered_character_breaks_no_tie() -> None:
    """It was never revealed, so it counts for nothing, however high."""
    scene = Scene(
        ann=Player("warlord", city="fortress"),
        bob=Player("king", city="palace"),
        cleo=Player("assassin"),
        first="dan",
    )
    scene.play("murder:warlord", "gold", "end")
    scene.pass_turn()
    assert scene.story[-1] == "match_over winners=bob"


def test_with_two_characters_the_better_revealed_one_counts() -> None:
    scene = Scene(
        seats=3,
        ann=Player("assassin architect", city="fortress"),
        bob=Player("king merchant", city="palace"),
        first="cleo",
    )
    while scene.asked != "over":
        scene.pass_turn()
    assert scene.story[-1] == "match_over winners=ann"


def test_of_two_characters_the_living_one_still_counts() -> None:
    scene = Scene(
        seats=3,
        ann=Player("magician warlord", city="fortress"),
        bob=Player("king thief", city="palace"),
        cleo=Player("assassin"),
        first="cleo",
    )
    scene.play("murder:warlord", "gold", "end")
    while scene.asked != "over":
        scene.pass_turn()
    assert scene.points("ann") == scene.points("bob") == {"districts": 5}
    assert scene.winners() == ["bob"]


def test_what_is_still_equal_is_shared() -> None:
    """Where nobody concerned revealed anything, there is nothing left to tell them apart."""
    scene = last_round(
        ann=Player(city="fortress"), bob=Player(city="palace"), cleo=Player("king")
    )
    assert scene.story[-1] == "match_over winners=ann+bob"
