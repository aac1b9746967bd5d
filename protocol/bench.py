"""What the sealed cards cost on this machine, beside the bare multiplications they are made of.

Every figure comes with a ratio: its median over what the same number of scalar multiplications
cost in a bare loop, measured between its own repetitions, so that it can be compared across
machines and on a busy one.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from protocol.group import Edwards25519, Point, Scalar
from protocol.keygen import KeyPair, check_key, commit_key, open_key
from protocol.sealed import CardHolder, SealedCards
from protocol.transcript import whole

PACK = 68
ROUND = 9
BARE = 20
"""Multiplications in one bare loop: long enough to time, short enough to go between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured operation, in milliseconds, over the repetitions of one run.

    `ratio` is the median over the cost of the same scalar multiplications (fixed and variable
    base, each kind timed alone in the same run); `note` says what is included.
    """

    name: str
    median_ms: float
    low_ms: float
    high_ms: float
    ratio: float
    note: str


def measure(repeat: int = 7) -> list[Figure]:
    """Measure everything; about 12 s on one core where a multiplication takes 80 µs."""
    return [
        *_bare(repeat),
        *_shuffles(PACK, repeat),
        *_shuffles(ROUND, repeat),
        *_shares(repeat),
        *(_set_up(operators, max(3, repeat // 2)) for operators in (2, 4, 8)),
    ]


@dataclass(frozen=True, eq=False)
class _Counting(Edwards25519):
    """The real group, counting its multiplications while `counts` is watched."""

    counts: dict[str, int] = field(default_factory=lambda: {"base": 0, "multiply": 0})

    def base(self, scalar: Scalar) -> Point:
        self.counts["base"] += 1
        return Edwards25519.base(self, scalar)

    def multiply(self, scalar: Scalar, point: Point) -> Point:
        self.counts["multiply"] += 1
        return Edwards25519.multiply(self, scalar, point)


class _Table:
    """Operators with keys and some laid cards."""

    def __init__(self, group: Edwards25519, operators: int, count: int) -> None:
        context = b"bench".ljust(32, b"\0")
        keys = [KeyPair.create(group) for _ in range(operators)]
        openings = [open_key(group, context, i, pair) for i, pair in enumerate(keys)]
        promises = [commit_key(context, i, opening) for i, opening in enumerate(openings)]
        publics = [
            check_key(group, context, i, promise, opening)
            for i, (promise, opening) in enumerate(zip(promises, openings, strict=True))
        ]
        self.cards = SealedCards(group, context, publics)
        self.holders = [CardHolder(self.cards, i, pair) for i, pair in enumerate(keys)]
        self.slots = range(count)
        self.cards.lay(self.slots, [whole(slot // 3) for slot in self.slots])

    def pass_round(self) -> None:
        for operator, holder in enumerate(self.holders):
            step, _ = holder.make_shuffle(self.slots, b"deck")
            self.cards.apply_shuffle(operator, self.slots, b"deck", step)


def _bare(repeat: int) -> list[Figure]:
    single = [_bare_seconds() for _ in range(3 * repeat)]
    variable, fixed = zip(*single, strict=True)
    return [
        _figure("multiply", variable, statistics.median(variable), "one, variable base"),
        _figure("multiply_base", fixed, statistics.median(fixed), "one, fixed base"),
    ]


def _shuffles(count: int, repeat: int) -> list[Figure]:
    table = _Table(Edwards25519(), 2, count)
    counted = _Table(_Counting(), 2, count)
    slots = table.slots
    steps: list[bytes] = []

    def make(of: _Table) -> None:
        steps.append(of.holders[0].make_shuffle(slots, b"deck")[0])

    def apply(of: _Table) -> None:
        of.cards.apply_shuffle(0, slots, b"deck", steps[-1])

    return _pair(f"shuffle_{count}", "shuffle and prove", table, counted, make, apply, repeat)


def _shares(repeat: int) -> list[Figure]:
    table = _Table(Edwards25519(), 2, 1)
    counted = _Table(_Counting(), 2, 1)
    steps: list[bytes] = []

    def make(of: _Table) -> None:
        steps.append(of.holders[0].make_shares((0,), b"deal"))

    def apply(of: _Table) -> None:
        with suppress(_Again), of.cards.trial():
            of.cards.apply_shares(0, (0,), b"deal", steps[-1])
            raise _Again

    return _pair("share", "one card", table, counted, make, apply, 3 * repeat)


class _Again(Exception):  # noqa: N818 - no error: it takes a share back, to be given again
    pass


def _pair(
    name: str,
    note: str,
    table: _Table,
    counted: _Table,
    make: Callable[[_Table], None],
    apply: Callable[[_Table], None],
    repeat: int,
) -> list[Figure]:
    """Figures for making a step and for checking and applying it, with their true counts."""
    _taken(counted)
    make(counted)
    make_count = _taken(counted)
    apply(counted)
    apply_count = _taken(counted)
    made, applied, bare = [], [], []
    for _ in range(repeat):
        bare.append(_bare_seconds())
        made.append(_seconds(lambda: make(table)))
        applied.append(_seconds(lambda: apply(table)))
    return [
        _figure(f"{name}_create", made, _cost(make_count, bare), note),
        _figure(f"{name}_verify", applied, _cost(apply_count, bare), "check and apply"),
    ]


def _set_up(operators: int, repeat: int) -> Figure:
    """Keys, laying and the whole chain of shuffles, one after the other.

    Every operator makes one shuffle, and all others check it at the same time on their own
    machines.
    """

    def run(group: Edwards25519) -> None:
        _Table(group, operators, PACK).pass_round()

    counting = _Counting()
    run(counting)
    count = dict(counting.counts)
    taken, bare = [], []
    for _ in range(repeat):
        bare.append(_bare_seconds())
        taken.append(_seconds(lambda: run(Edwards25519())))
    note = f"keys and {PACK} cards, sequential work"
    return _figure(f"set_up_{operators}", taken, _cost(count, bare), note)


def _taken(counted: _Table) -> dict[str, int]:
    """The multiplications since the last time this was asked."""
    group = counted.cards.group
    assert isinstance(group, _Counting)
    count = dict(group.counts)
    group.counts.update(dict.fromkeys(count, 0))
    return count


def _bare_seconds() -> tuple[float, float]:
    """Seconds for one multiplication in a bare loop: variable base, fixed base."""
    group = Edwards25519()
    scalar = group.random_scalar()
    point = group.base(scalar)
    variable = _seconds(lambda: [group.multiply(scalar, point) for _ in range(BARE)])
    fixed = _seconds(lambda: [group.base(scalar) for _ in range(BARE)])
    return variable / BARE, fixed / BARE


def _cost(count: dict[str, int], bare: Sequence[tuple[float, float]]) -> float:
    """Seconds that so many multiplications take in the bare loop, by its median."""
    variable = statistics.median(pair[0] for pair in bare)
    fixed = statistics.median(pair[1] for pair in bare)
    return count["multiply"] * variable + count["base"] * fixed


def _figure(name: str, seconds: Sequence[float], bare: float, note: str) -> Figure:
    middle = statistics.median(seconds)
    return Figure(
        name=name,
        median_ms=middle * 1e3,
        low_ms=min(seconds) * 1e3,
        high_ms=max(seconds) * 1e3,
        ratio=middle / bare,
        note=note,
    )


def _seconds(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started
