"""A contest between levels: fair seats, honest intervals."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from multiprocessing import active_children
from pathlib import Path
from random import Random

import pytest

from citadels_p2p.arena import Result, simulate_any
from citadels_p2p.bots import Observation
from citadels_p2p.contest import Bout, IllegalAnswer, contest, interval, standings
from citadels_p2p.rules import Rules
from citadels_p2p.workers import AHEAD, Processes, spread
from tests.optional import optional

ROOT = Path(__file__).parents[2]


def test_every_deal_is_played_from_every_seat() -> None:
    bouts = list(contest(Rules.make("classic", seats=3), 6, 1, ("normal", "easy")))
    seated = Counter(bout.levels for bout in bouts[:3])
    assert seated == {
        ("normal", "easy", "normal"): 1,
        ("easy", "normal", "normal"): 1,
        ("normal", "normal", "easy"): 1,
    }


def test_the_same_seed_gives_the_same_contest() -> None:
    rules = Rules.make("classic", seats=2)
    totals = [
        [bout.totals for bout in contest(rules, 4, 3, ("normal", "easy"))] for _ in range(2)
    ]
    assert totals[0] == totals[1]


class Meddler:
    """Takes the first options, and all the gold that it can reach."""

    def choose(self, observation: Observation, random: Random) -> tuple[str, ...]:
        choice = observation.choice
        for place in observation.state.places:
            place.gold = 99
        return tuple(
            move.id for move in choice.moves[: 1 if choice.low is None else choice.low]
        )


class Cheat:
    def choose(self, observation: Observation, random: Random) -> tuple[str, ...]:
        return ("end", "end")


def test_a_bot_of_ones_own_plays_and_meddles_with_nothing() -> None:
    rules = Rules.make("classic", seats=2)
    alone, together = (
        list(contest(rules, 4, 3, ("mine", "normal"), jobs=jobs, bots={"mine": Meddler}))
        for jobs in (1, 2)
    )
    assert [bout.digest for bout in alone] == [bout.digest for bout in together]
    assert {row.level for row in standings(alone)} == {"mine", "normal"}
    assert all(0 < max(bout.totals) < 60 for bout in alone)


def test_a_bot_of_ones_own_that_chooses_what_it_may_not_is_named() -> None:
    rules = Rules.make("classic", seats=2)
    with pytest.raises(
        IllegalAnswer, match=r"mine at seat . chose .*, and may choose 1 of: take"
    ):
        list(contest(rules, 1, 3, ("mine", "normal"), bots={"mine": Cheat}))
    with pytest.raises(ValueError, match="is there already: easy"):
        list(contest(rules, 1, 3, ("easy",), bots={"easy": Cheat}))


def test_several_processes_play_the_same_contest_in_the_same_order() -> None:
    rules = Rules.make("classic", seats=2)
    alone, together = (
        [(bout.game, bout.digest) for bout in contest(rules, 5, 3, ("normal", "easy"), jobs=n)]
        for n in (1, 2)
    )
    assert alone == together


def test_several_processes_play_the_same_games_by_any_rules() -> None:
    alone, together = (list(simulate_any(20, 4, jobs=jobs)) for jobs in (1, 2))
    assert alone == together


def test_a_fault_in_one_of_several_processes_is_raised_and_ends_them() -> None:
    results = spread(reciprocal, range(-3, 3), 2)
    assert [next(results) for _ in range(3)] == [-1 / 3, -1 / 2, -1]
    with pytest.raises(ZeroDivisionError):
        next(results)
    assert not active_children()


@pytest.mark.skipif(os.name == "nt", reason="Windows ends processes one by one")
def test_what_a_game_has_started_ends_with_its_process(tmp_path: Path) -> None:
    os.mkfifo(fifo := tmp_path / "line")
    results = spread(partial(never_ending, str(fifo)), range(2), 2)
    assert next(results) == 0
    with fifo.open("rb") as line:  # from when the other game's program has opened it
        results.close()  # type: ignore[attr-defined]
        assert select.select([line], [], [], 60)[0], "it still holds the line"
        assert line.read() == b""


def never_ending(fifo: str, game: int) -> int:
    """Game 1 waits for a program that does not end."""
    if game:
        held = f"line = open({fifo!r}, 'w')\nwhile True: pass"
        subprocess.run([sys.executable, "-c", held], check=True)
    return game


@pytest.mark.skipif(sys.platform == "win32", reason="Windows counts in classes")
def test_what_nobody_waits_for_gives_way_to_all_others() -> None:
    for idle, niceness in ((True, 19), (False, os.nice(0))):
        where = Processes(1, idle=idle, pause=lambda: None)
        assert list(spread(os.nice, [0], where)) == [niceness]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other interruptions")
def test_a_process_that_is_beginning_leaves_ctrl_c_to_us() -> None:
    from tests.bots import interrupted  # by no process of another test

    assert list(spread(interrupted.play, range(4), 2)) == [0, 1, 2, 3]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_process_that_is_ended_from_outside_is_missed() -> None:
    with pytest.raises(ChildProcessError, match="worker_ended"):
        list(spread(os._exit, range(2), 2))


def test_an_executor_plays_the_same_games_in_the_same_order() -> None:
    rules = Rules.make("classic", seats=2)
    with ThreadPoolExecutor(2) as executor:
        for given in (
            partial(contest, rules, 5, 3, ("normal", "easy")),
            partial(simulate_any, 9, 4),
        ):
            alone, together = (list(map(told, given(jobs=jobs))) for jobs in (1, executor))
            assert alone == together


def told(result: Bout | tuple[Rules, Result]) -> object:
    """A result without its times."""
    return (result.game, result.digest) if isinstance(result, Bout) else result


class Patient(Executor):
    """Begins nothing: whoever waits for a game plays it."""

    def __init__(self) -> None:
        self.given: list[Asked] = []

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        self.given.append(Asked(partial(fn, *args, **kwargs)))
        return self.given[-1]


class Asked(Future[float]):
    def __init__(self, play: Callable[[], float]) -> None:
        super().__init__()
        self._play = play

    def result(self, timeout: float | None = None) -> float:
        return self._play()


def test_an_executor_is_given_no_more_games_than_may_be_asked_for_soon() -> None:
    executor = Patient()
    results = spread(reciprocal, range(-2, 10**9), executor)
    assert [next(results), next(results)] == [-1 / 2, -1]
    assert len(executor.given) == AHEAD + 1
    with pytest.raises(ZeroDivisionError):
        next(results)
    assert [future.cancelled() for future in executor.given] == [False] * 3 + [True] * (
        AHEAD - 1
    )


@pytest.mark.long
def test_a_cluster_plays_the_same_contest() -> None:
    """The worked example, on a cluster of processes of this machine."""
    optional("distributed")
    ran = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "contest_on_dask.py"), "8"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), *sys.path))},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    rules = Rules.make("classic", seats=4)
    bouts = contest(rules, 8, 1, ("normal", "easy", "easy", "easy"))
    digest = sha256(b"".join(bout.digest for bout in bouts)).hexdigest()
    assert ran.stdout.splitlines()[-1] == digest
    assert [line.partition(":")[0] for line in ran.stdout.splitlines()[:2]] == [
        "normal",
        "easy",
    ]


def reciprocal(number: int) -> float:
    return 1 / number


def test_standings_share_every_win_among_the_levels() -> None:
    rows = standings(contest(Rules.make("classic", seats=4), 8, 2, ("normal", "easy")))
    assert [row.level for row in rows] == ["normal", "easy"]
    assert sum(row.won for row in rows) == pytest.approx(1.0)
    assert [row.fair for row in rows] == [0.5, 0.5]
    assert all(row.low <= row.won <= row.high for row in rows)


def test_the_slowest_decision_is_told_of_every_bot_that_decides() -> None:
    bouts = list(contest(Rules.make("classic", seats=2), 2, 2, ("normal", "easy")))
    normal, easy = standings(bouts)
    assert (normal.level, easy.level) == ("normal", "easy")
    slowest = max(normal.slowest, easy.slowest)
    assert slowest == max(max(bout.slowest) for bout in bouts)
    # Windows counts a processor's time by ticks of its timer: a fast bot takes none, or one.
    tick = 0.016 if sys.platform == "win32" else 0.0
    assert slowest < max(bout.seconds for bout in bouts) + tick
    assert normal.slowest > 0 or sys.platform == "win32"


def test_the_interval_is_wilsons() -> None:
    """0 of 10 and 5 of 10: the textbook's values."""
    assert interval(0.0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert interval(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)


def test_an_unknown_level_is_refused_before_anything_is_played() -> None:
    with pytest.raises(ValueError, match="unknown_level"):
        next(contest(Rules.make(), 1, 1, ("genius",)))
