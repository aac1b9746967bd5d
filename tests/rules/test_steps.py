"""The steps of a turn in a fixed order: gathering, income, powers, building, the end."""

from __future__ import annotations

from random import Random

import pytest

from citadels_p2p.arena import play
from citadels_p2p.cards import EDITIONS
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.inspection import Inspector
from citadels_p2p.rosters import draw_roster
from citadels_p2p.rules import Rules, new, score
from tests.rules.scene import Player, Scene

FIXED = {"steps": "fixed"}


def warlord(**settings: str) -> Scene:
    """A Warlord who could do everything at once."""
    return Scene(
        readings=FIXED,
        ann=Player("warlord", gold=5, hand="tavern temple", city="prison smithy"),
        bob=Player(city="market"),
        **settings,  # type: ignore[arg-type]  # an edition only
    )


def test_nothing_comes_before_the_gathering() -> None:
    scene = warlord()
    assert scene.offers() == {"gold", "cards"}
    for early in ("income", "destroy:bob:market", "smithy"):
        assert scene.refused(early) == "gather_first"


def test_the_steps_follow_one_another() -> None:
    scene = warlord()
    scene.play("gold", "income", "destroy:bob:market", "smithy", "build:tavern", "end")


def test_a_step_that_is_past_does_not_come_back() -> None:
    scene = warlord()
    scene.play("gold", "smithy")
    assert scene.refused("income") == "step_over"
    scene.play("destroy:bob:market")  # within a step the order is free
    scene.play("build:tavern")
    assert scene.offers() == {"end"}


def test_building_at_once_gives_income_and_powers_up() -> None:
    scene = warlord()
    scene.play("gold", "build:tavern")
    assert scene.refused("income") == "step_over"
    assert scene.refused("destroy:bob:market") == "step_over"


def test_in_the_older_boxes_the_warlord_comes_after_building() -> None:
    scene = warlord(edition="dark-city")
    scene.play("gold", "income", "build:tavern", "destroy:bob:market", "end")


def test_what_must_be_done_comes_before_building() -> None:
    """The Emperor gives the crown away in his turn, whatever else he does."""
    scene = Scene(readings=FIXED, ann=Player("emperor", gold=5, hand="tavern", city="manor"))
    scene.play("gold", "income")
    assert scene.refused("build:tavern") == "duty_first"
    scene.play("crown:bob", "build:tavern", "end")


def test_borrowing_is_a_part_of_building() -> None:
    scene = Scene(
        readings=FIXED,
        ann=Player("cardinal", hand="harbor temple tavern", city="church"),
        bob=Player(gold=3),
    )
    scene.play("gold", "borrow:bob")
    assert scene.asked == "ann borrow"
    scene.play("build:harbor")
    assert scene.asked == "ann pay_cards"
    scene.play("pay_cards:temple,tavern")
    assert scene.city("ann") == ["church", "harbor"]
    assert scene.refused("income") == "step_over"


@pytest.mark.parametrize("edition", ["classic", "dark-city", "2016"])
def test_whole_matches(edition: str) -> None:
    """Nobody is ever without a move, and every offer is legal."""
    random = Random(edition)
    for seats in (2, 5):
        roster = draw_roster(random, EDITIONS[edition], seats)
        rules = Rules.make(edition, seats, characters=roster, steps="fixed")
        dealer, state = OpenDealer(random), new(rules)
        play(state, dealer, ("easy",) * seats, Inspector(dealer, every=31))
        assert score(state).winners
