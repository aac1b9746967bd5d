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
from tests.screens import patrol
from tests.screens.test_attention import crowded

#: an edition and a language each, with seven and eight at the table
SEEDS = (1, 7, 11, 14)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    i18n.use("en")


@pytest.mark.parametrize("seed", SEEDS)
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
    without = tuple(row for row in shown.block if "more" not in patrol.text_of(row))
    assert patrol.faults(replace(shown, block=without))
    for lost in ("17", "▸6", "Tavern for 1 gold"):
        block = tuple(
            tuple(span._replace(text=span.text.replace(lost, "")) for span in row)
            for row in shown.block
        )
        assert patrol.faults(replace(shown, block=block)), lost
