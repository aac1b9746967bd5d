"""Whole games by keys alone; at every step the screen fits at every size."""

from __future__ import annotations

import asyncio

import pytest

from cli.screen.screen import Screen
from tests.screens import robot


@pytest.mark.parametrize(("seats", "edition"), [(2, "classic"), (4, "2016"), (7, "classic")])
def test_a_whole_game_by_keys(seats: int, edition: str) -> None:
    screen = Screen()
    frames = asyncio.run(robot.play(screen, robot.table(seats, 5, edition=edition)))
    assert frames > 100
    assert screen.model.over is not None
    assert "Ann" in "\n".join(screen.farewell()) or "You" in "\n".join(screen.farewell())
