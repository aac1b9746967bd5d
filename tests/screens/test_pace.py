"""Others' acts come one by one in practice, and nobody is made to wait elsewhere."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from citadels_p2p.match.news import Ask, Awaited, EventNews, Patience, StateNews
from cli.client.client_model import ClientModel
from cli.screen.pace import SECONDS, Pace
from cli.screen.page import Hurry
from cli.screen.screen import Screen
from cli.settings import UNSETTLED
from tests.cli.scripted import NAMES, event, lobby, view
from tests.screens import robot
from tests.screens.terminal import practice, window

AT_ONCE, SLOW = replace(UNSETTLED, pace="none"), replace(UNSETTLED, pace="slow")
BOBS = EventNews(event(1, "gold_gathered", 1, 2))


def paced(pace: str = "normal") -> ClientModel:
    model = ClientModel(replace(UNSETTLED, pace=pace))
    model.hear(replace(lobby(), you=0), 0.0)
    return model


def heard(model: ClientModel, pace: Pace, *news: EventNews | StateNews | Ask) -> list[float]:
    waits = []
    for one in news:
        model.hear(one, 0.0)
        waits.append(pace.after(one, model))
    return waits


def test_an_act_of_a_bot_stands_half_a_second_and_ones_own_turn_comes_at_once() -> None:
    model = paced()
    acted = StateNews(view(), NAMES, Awaited(1, "act"))
    mine = StateNews(view(), NAMES, Awaited(0, "act"))
    assert heard(model, Pace(), BOBS, acted, BOBS, mine) == [0.0, 0.5, 0.0, 0.0]
    assert heard(model, Pace(), BOBS, acted, acted)[2] == 0.0  # nothing was told meanwhile


def test_nobody_waits_at_a_table_of_laptops_nor_where_that_is_settled() -> None:
    acted = StateNews(view(), NAMES, Awaited(1, "act"))
    table = paced("slow")
    assert heard(table, Pace(), BOBS, acted)[1] == SECONDS["slow"]
    table.hear(replace(lobby(), you=0, patience=Patience(20, 0, "usual", 3, 2)), 0.0)
    assert heard(table, Pace(), BOBS, acted) == [0.0, 0.0]
    assert heard(paced("none"), Pace(), BOBS, acted) == [0.0, 0.0]


def test_enter_skips_ahead_to_the_next_decision() -> None:
    async def run() -> list[float]:
        model, pace = paced("slow"), Pace()
        acted = StateNews(view(), NAMES, Awaited(1, "act"))
        following = asyncio.ensure_future(pace.follow(acted, model))
        await asyncio.sleep(0)
        pace.hurry()
        await following
        skipped = heard(model, pace, BOBS, acted, BOBS, acted)
        heard(model, pace, Ask(1, "act", ()))
        model.answered(Ask(1, "act", ()))
        return [*skipped, *heard(model, pace, BOBS, acted)]

    assert asyncio.run(run()) == [0.0, 0.0, 0.0, 0.0, 0.0, SECONDS["slow"]]


def test_enter_pressed_twice_skips_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(breath: float) -> float:
        monkeypatch.setattr("cli.screen.pace.BREATH", breath)
        model, pace = paced("slow"), Pace()
        heard(model, pace, BOBS)
        acted = StateNews(view(), NAMES, Awaited(1, "act"))
        following = asyncio.ensure_future(pace.follow(acted, model))
        await asyncio.sleep(0)
        pace.skip()
        following.cancel()
        return heard(model, pace, BOBS, acted)[1]

    assert asyncio.run(run(1000.0)) == SECONDS["slow"]
    assert asyncio.run(run(0.0)) == 0.0


def test_the_footer_says_how_to_skip_and_enter_does_it() -> None:
    screen = Screen()
    screen.settings = screen.model.settings = SLOW
    screen.hear(replace(lobby(), you=0), 0.0)
    screen.hear(StateNews(view(), NAMES, Awaited(1, "act")), 0.0)
    assert "Enter skip ahead" in robot.text(robot.painted(screen, 80, 24)).splitlines()[-1]
    assert screen.press("enter") == (Hurry(),)
    screen.model.settings = AT_ONCE
    assert "skip ahead" not in robot.text(robot.painted(screen, 80, 24))
    assert screen.press("enter") == ()


def test_a_practice_game_is_told_act_by_act(tmp_path: Path) -> None:
    """Minutes of a slow game are skipped by one key."""
    with window(practice("--no-seat", "--pace", "slow"), tmp_path) as shown:
        shown.wait("Enter skip ahead")
        assert "The match is over" not in shown.look()
        while "The match is over" not in shown.look():
            shown.press("enter")
            shown.read(0.1)
