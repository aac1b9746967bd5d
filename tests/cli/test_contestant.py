"""A program of somebody's own in a contest: it plays as a bot would, and holds up nobody."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import pytest

from citadels_p2p import arena
from citadels_p2p.bots import Bot, Observation, make_bot
from citadels_p2p.contest import PROGRAM, Bout, dealt, result_of
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.dice import Dice
from citadels_p2p.match import Act, Bye, OverNews, Session
from citadels_p2p.rules import Rules, digest, new, score
from cli.__main__ import main
from cli.client import contestant
from cli.client.contestant import trials
from cli.client.external_bot import ExternalBot, seat_program
from cli.commands import measure
from cli.line.exits import Exit
from protocol.errors import Unavailable
from tests.cli.scripted import ACT, NAMES, Scripted

RULES = Rules.make("classic", seats=3)
PYTHON = (sys.executable, "-u", "-c")
READER = "import json, sys\nfor line in sys.stdin:\n    said = json.loads(line)\n"
#: takes the first option, the last time that it is asked as the first
FIRST = (
    READER
    + """
    if said["type"] == "over":
        break
    if said["type"] != "ask":
        continue
    if "subset" in said:
        ids = [option["id"] for option in said["subset"]["of"]][: said["subset"]["min"]]
        print(json.dumps({"answer": said["id"], "subset": ids}))
    else:
        print(json.dumps({"answer": said["id"], "option": said["options"][0]["id"]}))
"""
)
DIES = READER + "    if said['type'] == 'ask': sys.exit('out of ideas')\n"
NONSENSE = READER + "    print('what?')\n" * 3
HANGS = "while True: pass"
ENDLESS = "import sys\nsys.stdin.readline()\nwhile True: sys.stdout.write('x' * 2 ** 16)"


class First:
    """The same in this process."""

    def choose(self, observation: Observation, random: Random) -> tuple[str, ...]:
        """The first option, or as many as are needed."""
        choice = observation.choice
        count = 1 if choice.low is None else choice.low
        return tuple(move.id for move in choice.moves[:count])


def played(
    source: str, games: int = 1, *, first: int = 0, patience: float = 60.0
) -> list[Bout]:
    return list(
        trials(
            RULES,
            games,
            5,
            ("normal", "easy"),
            first=first,
            command=(*PYTHON, source),
            patience=patience,
        )
    )


def test_it_plays_as_a_bot_would_from_every_seat() -> None:
    people = (PROGRAM, "normal", "easy")
    for bout in played(FIRST, 3):
        seated, random = dealt(RULES, people, 5, bout.game)

        def make(level: str) -> Bot:
            return First() if level == PROGRAM else make_bot(level)

        state = arena.play(new(RULES), OpenDealer(random), seated, make=make)
        assert (bout.levels, bout.digest, bout.failure) == (seated, digest(state), "")
        assert bout.levels[bout.game * 2 % 3] == PROGRAM


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (DIES, "bot_ended"),
        (NONSENSE, "bot_wrong"),
        (ENDLESS, "bot_wrong"),
        (HANGS, "bot_silent"),
    ],
)
def test_where_it_fails_the_match_goes_on_and_is_lost(source: str, why: str) -> None:
    (bout,) = played(source, patience=0.5 if source == HANGS else 60.0)
    seat = bout.levels.index(PROGRAM)
    assert bout.failure == why
    assert bout.totals[seat] == 0
    assert bout.winners
    assert seat not in bout.winners
    assert max(bout.totals) == bout.totals[bout.winners[0]]


def test_what_a_bot_won_in_its_place_is_not_its_own() -> None:
    state = arena.play(new(RULES), OpenDealer(Dice("any")), ("easy",) * 3)
    (winner,) = result_of(0, (PROGRAM,) * 3, state, 0, ()).winners
    seated = tuple(PROGRAM if seat == winner else "easy" for seat in range(3))
    bout = result_of(0, seated, state, 0, (), "bot_ended")
    totals = [row.total for row in score(state).seats]
    totals[winner] = 0
    assert bout.totals == tuple(totals)
    assert bout.winners == (totals.index(max(totals)),)


class Slow(Scripted):
    """Has not left before the program is gone."""

    bot: ExternalBot

    async def do(self, act: Act) -> None:
        while self.bot._plays:  # noqa: ASYNC110
            await asyncio.sleep(0)  # a program that ends tells only its table
        self.tell(Bye(0))


def test_whoever_ends_with_the_match_has_not_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Slow(OverNews((), (0,), "", "", NAMES))

    async def seat(*given: Any, **how: Any) -> ExternalBot:
        match.bot = await seat_program(*given, **how)
        return match.bot

    monkeypatch.setattr(contestant, "seat_program", seat)
    played = contestant._play(match, (*PYTHON, FIRST), 60)
    assert asyncio.run(asyncio.wait_for(played, 240)) == ""


def test_a_match_can_be_seen_again() -> None:
    (again,) = played(DIES, first=1)
    once = played(DIES, 2)[1]
    assert (again.game, again.levels, again.digest) == (1, once.levels, once.digest)


def test_in_two_processes_it_plays_the_same() -> None:
    rules, how = Rules.make("classic", seats=2), {"command": (*PYTHON, FIRST), "patience": 60.0}
    alone, together = (
        [bout.digest for bout in trials(rules, 2, 1, ("easy",), jobs=jobs, **how)]  # type: ignore[arg-type]
        for jobs in (1, 2)
    )
    assert alone == together


def test_a_program_that_does_not_start_plays_nowhere() -> None:
    with pytest.raises(Unavailable) as refused:
        next(trials(RULES, 1, 1, ("easy",), command=("no-such-program",), patience=1))
    assert refused.value.hint == "bot_command"


def test_who_stops_asking_ends_it() -> None:
    async def test() -> None:
        inner = Scripted(ACT)

        async def opening() -> Session:
            return inner

        bot = await seat_program((*PYTHON, HANGS), opening, patience=60)
        await bot.close()
        assert bot._process.returncode is not None

    asyncio.run(asyncio.wait_for(test(), 240))


def simulated(source: str, *further: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program.py"
        program.write_text(source, encoding="utf-8")
        asked = ["--bot-command", f'"{sys.executable}" "{program}"']
        return main(["simulate", "--seats", "2", "--seed", "9", *asked, *further])


def test_it_is_compared_with_the_levels(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it prints its answers and thinks of no buffer."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    assert simulated(FIRST, "--games", "2", "--json") == Exit.FINE
    told = json.loads(capsys.readouterr().out)
    assert told["levels"] == ["program", "easy"]
    assert {row["level"]: row["fair"] for row in told["standings"]} == {
        "program": 0.5,
        "easy": 0.5,
    }
    assert all(row["low"] <= row["won"] <= row["high"] for row in told["standings"])
    assert told["failures"] == []


def test_a_failure_is_told_with_how_to_see_it_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And soon it is enough."""
    monkeypatch.setattr(measure, "FAILURES", 2)
    assert simulated(DIES, "--games", "9", "--first", "3", "--json") == Exit.BUG
    told, errors = capsys.readouterr()
    assert json.loads(told)["failures"] == [
        {"game": game, "why": "bot_ended"} for game in (3, 4)
    ]
    assert "your program has ended" in errors
    assert "--seed 9 --first 4 --games 1" in errors


def test_every_failure_has_its_words() -> None:
    assert {"bot_ended", "bot_silent", "bot_wrong"} == {*measure.WHY}


@pytest.mark.parametrize(
    ("further", "said"),
    [
        (["--bot-command", '"'], "quote it"),
        (["--bot-command", "no-such-program-here"], "does not start"),
        (["--bot-command", "python3", "--check"], "--check"),
        (["--bot-command", "python3", "--seats", "any"], "one box"),
        (["--first", "-1"], "from 0 on"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(
    further: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(["simulate", *further])
    except SystemExit as ended:
        code = int(ended.code or 0)
    assert code == Exit.USAGE
    assert said in capsys.readouterr().err
