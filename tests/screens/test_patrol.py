"""A slice of the patrol: whole games at every size, in every language, each frame looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

from citadels_p2p import rules
from citadels_p2p.rules import Rules
from cli import i18n
from cli.screen.look import Look
from cli.screen.screen import Screen
from cli.text.cells import text_of
from tests.screens import patrol
from tests.screens.test_attention import crowded
from tests.slice import and_long

#: an edition and a language each, with seven and eight at the table
SEEDS, MORE_SEEDS = (7, 14), (1, 11)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    i18n.use("en")


@pytest.mark.parametrize("seed", and_long(SEEDS, MORE_SEEDS))
def test_nothing_is_wrong_with_any_frame_of_a_game(seed: int) -> None:
    ((_, chosen, language),) = patrol.games([seed])
    i18n.use(language)
    frames, found = asyncio.run(patrol.walk(chosen, seed))
    assert frames > 100
    assert not found, found[0]


def frame(screen: Screen, size: tuple[int, int]) -> patrol.Frame:
    state = rules.new(Rules.make("classic", seats=4))
    return patrol.Frame(screen, state, size, screen.paint(Look(), *size))


def test_the_patrol_sees_what_is_wrong() -> None:
    shown = frame(crowded(6, 4), (60, 18))
    assert patrol.faults(shown) == []
    without = tuple(row for row in shown.block if "▼" not in text_of(row))
    assert patrol.faults(replace(shown, block=without))
    for lost in ("17", "6 Merchant", "What do you do?"):
        block = tuple(
            tuple(span._replace(text=span.text.replace(lost, "")) for span in row)
            for row in shown.block
        )
        assert patrol.faults(replace(shown, block=block)), lost


def test_the_patrol_sees_keys_that_change_and_lines_that_go() -> None:
    screen = crowded(6, 4)
    state = rules.new(Rules.make("classic", seats=4))
    first = patrol.painted(screen, state, (60, 18))
    second = patrol.painted(screen, state, (60, 18), first)
    assert patrol.faults(second, [patrol.keys_stand_still]) == []
    *others, last = first.items
    for items in (others, (*others, replace(last, number=7))):
        wrong = replace(second, items=tuple(items))
        assert patrol.faults(wrong, [patrol.keys_stand_still])
    later = replace(second, items=(), turn="another")
    assert patrol.faults(later, [patrol.keys_stand_still]) == []


def test_the_patrol_sees_a_focus_on_a_sacrifice() -> None:
    screen = crowded(6, 4)
    shown = frame(screen, (80, 24))
    menu = shown.menu
    assert menu is not None
    menu.items = tuple(
        replace(item, option=replace(item.option, sacrifice=place == menu.focus))
        for place, item in enumerate(menu.items)
        if item.option is not None
    )
    assert patrol.faults(shown, [patrol.the_focus_gives_nothing_up])
