"""The end: a completed city, the round played out, and the last score."""

from __future__ import annotations

import pytest

from citadels_p2p.rules import Shuffled, refuse
from tests.rules.scene import Player, Scene

SIX = "manor castle temple church tavern market"
SEVEN = f"{SIX} docks"


def test_the_seventh_district_completes_a_city_and_begins_the_last_round() -> None:
    scene = Scene(ann=Player("thief", hand="prison", city=SIX))
    scene.play("gold")
    assert scene.play("build:prison") == [
        "built seat=ann card=prison paid=2",
        "city_completed seat=ann first=yes",
        "last_round",
    ]


def test_the_round_is_played_to_its_end() -> None:
    """Everybody who has not had a turn yet still has it."""
    scene = Scene(
        ann=Player("thief", hand="prison", city=SIX), bob=Player("warlord", city="keep")
    )
    scene.play("gold", "build:prison", "end")
    assert scene.turn == "bob warlord"
    told = scene.pass_turn()
    assert told[-1] == "match_over winners=ann"
    assert scene.asked == "over"


def test_no_round_follows_the_last() -> None:
    scene = Scene(ann=Player("thief", hand="prison", city=SIX))
    told = scene.play("gold", "build:prison", "end")
    assert not any(line.startswith("round_begins") for line in told)
    reason = refuse(scene.state, Shuffled())
    assert reason is not None
    assert reason.code == "match_over"


def test_the_last_round_is_announced_once() -> None:
    """Who completes a city later in the same round is not first."""
    scene = Scene(
        ann=Player("thief", hand="prison", city=SIX),
        bob=Player("king", hand="docks", city=SIX, gold=1),
    )
    scene.play("gold", "build:prison", "end", "gold")
    assert scene.play("build:docks") == [
        "built seat=bob card=docks paid=3",
        "city_completed seat=bob first=no",
    ]
    scene.play("end")
    assert scene.points("ann")["first_city"] == 4
    assert scene.points("bob")["other_city"] == 2


def test_first_is_who_completed_first_in_time() -> None:
    """Not who has the higher rank, the crown, or more districts."""
    scene = Scene(
        crown="bob",
        ann=Player("thief", hand="prison", city=SIX),
        bob=Player("architect", gold=9, hand="docks prison keep", city=SIX),
    )
    scene.play("gold", "build:prison", "end", "gold", "build:docks", "build:prison", "end")
    assert len(scene.city("bob")) == 8
    assert "first_city" in scene.points("ann")
    assert "other_city" in scene.points("bob")


def test_a_city_may_grow_beyond_seven() -> None:
    """The Architect goes on building in the very turn that completes the city."""
    scene = Scene(ann=Player("architect", gold=9, hand="prison keep watchtower", city=SIX))
    scene.play("gold", "build:prison")
    assert scene.play("build:keep") == ["built seat=ann card=keep paid=3"]
    scene.play("build:watchtower", "end")
    assert len(scene.city("ann")) == 9
    assert scene.points("ann")["first_city"] == 4


def test_the_warlord_cannot_take_the_end_back() -> None:
    """A city completed earlier in the round is safe."""
    scene = Scene(
        ann=Player("architect", hand="prison", city=SIX), bob=Player("warlord", gold=9)
    )
    scene.play("gold", "build:prison", "end")
    assert scene.offers("destroy") == set()
    scene.pass_turn()
    assert scene.asked == "over"


def test_the_warlord_may_still_destroy_in_cities_that_are_not_complete() -> None:
    scene = Scene(
        ann=Player("warlord", gold=9),
        bob=Player(city=SEVEN),
        cleo=Player(city="temple"),
        first="bob",
    )
    assert scene.offers("destroy") == {"destroy:cleo:temple"}


def test_a_murdered_king_inherits_before_the_points_are_counted() -> None:
    """The last round ends like every other: exposure, heir, and then the score."""
    scene = Scene(
        ann=Player("assassin"), bob=Player("king"), cleo=Player(city=SEVEN), first="cleo"
    )
    told = scene.play("murder:king", "gold", "end")
    assert told[-4:] == [
        "exposed seat=bob character=king",
        "heir seat=bob character=king",
        "crown_taken seat=bob before=ann",
        "match_over winners=cleo",
    ]


@pytest.mark.parametrize("seats", [2, 3])
def test_two_and_three_people_need_eight_districts(seats: int) -> None:
    scene = Scene(seats=seats, ann=Player("thief king", gold=9, hand="prison keep", city=SIX))
    scene.play("gold")
    assert scene.play("build:prison") == ["built seat=ann card=prison paid=2"]
    scene.play("end", "gold")
    assert "last_round" in scene.play("build:keep")


def test_with_two_and_three_people_the_round_is_played_out_as_well() -> None:
    """Both characters of everybody have their turns."""
    scene = Scene(
        seats=2,
        ann=Player("thief warlord", hand="prison", city=SEVEN),
        bob=Player("king architect"),
    )
    scene.play("gold", "build:prison", "end")
    turns = []
    while scene.asked != "over":
        turns.append(scene.turn)
        scene.pass_turn()
    assert turns == ["bob king", "bob architect", "ann warlord"]


@pytest.mark.parametrize(("needed", "standing"), [(6, 5), (7, 6), (8, 7)])
def test_the_agreed_number_of_districts_completes_a_city(needed: int, standing: int) -> None:
    """Six, seven or eight; bonuses and safety follow it."""
    city = " ".join(SEVEN.split()[:standing])
    scene = Scene(
        city=needed,
        ann=Player("thief", hand="prison", city=city),
        bob=Player("warlord", gold=9),
    )
    scene.play("gold")
    assert "city_completed seat=ann first=yes" in scene.play("build:prison")
    scene.play("end")
    assert scene.offers("destroy") == set()
    assert scene.points("ann")["first_city"] == 4


def test_with_eight_agreed_a_city_of_seven_is_in_danger() -> None:
    scene = Scene(city=8, ann=Player("warlord"), bob=Player(city=SEVEN))
    assert "destroy:bob:temple" in scene.offers()
    assert "other_city" not in scene.points("bob")
