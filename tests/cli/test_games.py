"""Whole practice games, played by robots that know only what a person or a program sees."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from random import Random

import pytest

from citadels_p2p import match
from citadels_p2p.match.acts import Answer, Leave
from citadels_p2p.match.news import Bye, Session
from citadels_p2p.rules import Rules
from cli.client.effects import Client, Effect, Print
from cli.client.json_lines import JsonLines
from cli.client.plain import Plain


def practice(seats: int, seed: int) -> Session:
    levels = ("normal",) * (seats - 1)
    rules = Rules.make("classic", seats=seats)
    return match.practice(rules, levels=levels, name="Ann", seed=seed)


async def play(
    session: Session, client: Client, robot: Callable[[list[str]], str | None]
) -> list[str]:
    """Every line of a game in which `robot` answers to the lines since it last did."""
    out: list[str] = []
    answered = 0

    async def perform(effects: tuple[Effect, ...]) -> bool:
        """Whether something went to the session."""
        for act in effects:
            if isinstance(act, Print):
                out.append(act.text)
            elif isinstance(act, Answer | Leave):
                await session.do(act)
                return True
        return False

    await perform(client.greet())
    while True:
        news = await asyncio.wait_for(session.next(), 60)
        await perform(client.hear(news))
        if isinstance(news, Bye):
            return out
        tries = 0
        while (line := robot(out[answered:])) is not None:
            tries += 1
            assert tries < 8, out[-20:]
            if await perform(client.read(line)):
                answered = len(out)


def choices(lines: list[str]) -> tuple[list[tuple[str, str]], int]:
    """The choices listed last, number and words, and how many lines came after them."""
    found = [re.match(r"  (\d+)\. ([^(]+)", line) for line in lines]
    last = max((at for at, one in enumerate(found) if one), default=-1)
    first = last
    while first > 0 and found[first - 1]:
        first -= 1
    listed = [(one[1], one[2]) for one in found[first : last + 1] if one]
    return listed, len(lines) - last - 1


@pytest.mark.parametrize("seats", [2, 3, 4, 7])
def test_a_game_by_typed_numbers(seats: int) -> None:
    random = Random(seats)

    def robot(lines: list[str]) -> str | None:
        listed, _after = choices(lines)
        return random.choice(listed)[0] if listed else None

    out = asyncio.run(play(practice(seats, seats), Plain(), robot))
    assert "Final score:" in out
    assert out[-1] == "Goodbye."
    assert not re.search(r"[{}]|None|\bslot\b|_", "\n".join(out))


def test_a_game_over_the_machine_client() -> None:
    random = Random(1)

    def robot(lines: list[str]) -> str | None:
        for line in map(json.loads, lines):
            if line["type"] == "over":
                return '{"do": "leave"}'
            if line["type"] == "ask" and "options" in line:
                option = random.choice(line["options"])["id"]
                return json.dumps({"answer": line["id"], "option": option})
            if line["type"] == "ask":
                several = line["subset"]
                few = [option["id"] for option in several["of"][: several["max"]]]
                return json.dumps({"answer": line["id"], "subset": few})
        return None

    out = asyncio.run(play(practice(4, 3), JsonLines("p", 1), robot))
    lines = [json.loads(line) for line in out]
    numbers = [line["n"] for line in lines if line["type"] == "event"]
    assert numbers == list(range(1, len(numbers) + 1))
    over = next(line for line in lines if line["type"] == "over")
    for score in over["scores"]:
        assert score["total"] == sum(part["points"] for part in score["lines"])
    assert "error" not in {line["type"] for line in lines}
    assert lines[-1] == {"type": "bye", "code": 0, "reason": ""}
