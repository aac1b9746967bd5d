"""Rank 7, the Scholar: seven cards, of which one stays."""

from __future__ import annotations

from tests.rules.scene import Player, Scene

SEVEN = "temple church manor castle tavern market docks"


def test_she_draws_seven_and_keeps_one() -> None:
    scene = Scene(ann=Player("scholar"), deck=SEVEN)
    assert scene.play("study") == ["cards_drawn seat=ann count=7"]
    assert scene.asked == "ann keep"
    scene.play("keep:castle")
    assert scene.hand("ann") == ["castle"]


def test_the_others_are_shuffled_into_the_deck() -> None:
    scene = Scene(ann=Player("scholar"), deck=SEVEN)
    before = scene.deck()
    scene.play("study")
    assert scene.play("keep:castle")[-1] == "deck_shuffled"
    assert scene.deck() == before - 1


def test_of_a_short_deck_what_there_is() -> None:
    scene = Scene(ann=Player("scholar"), deck="temple church")
    scene.leave_in_deck(2)
    assert scene.play("study") == ["cards_drawn seat=ann count=2"]
    scene.play("keep:church")
    assert scene.deck() == 1


def test_with_an_empty_deck_not_at_all() -> None:
    scene = Scene(ann=Player("scholar"))
    scene.leave_in_deck(0)
    assert scene.refused("study") == "deck_empty"


def test_what_she_gathers_is_not_concerned() -> None:
    scene = Scene(ann=Player("scholar"), deck=SEVEN)
    scene.play("cards")
    assert scene.asked == "ann keep"
    assert len(scene.offers()) == 2


def test_she_builds_up_to_two() -> None:
    scene = Scene(ann=Player("scholar", gold=9, hand="temple church tavern"))
    scene.play("gold", "build:temple", "build:church")
    assert scene.refused("build:tavern") == "build_limit limit=2"
