"""The rows of `docs/BENCHMARKS.md` that one command measures: `python -m benchmarks.page`.

It runs in a checkout and writes what it finds between the page's marks: what was measured, of
which commit, by which Python, and how much else the machine had to do.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks import cards, engine, table
from benchmarks.bench import TABLES, from_where

PAGE = Path("docs", "BENCHMARKS.md")
MARKS = re.compile(
    r"(<!-- made by python -m benchmarks\.page -->\n).*?(<!-- end -->)", re.DOTALL
)


def written(page: str, rows: str) -> str:
    """The page with these rows between its marks; ValueError where it has none."""
    if not MARKS.search(page):
        raise ValueError(f"no marks in {PAGE}")
    return MARKS.sub(lambda found: f"{found[1]}{rows}{found[2]}", page)


def measure() -> None:
    """Everything, as tables, some minutes; what breaks off leaves the rows before it there."""
    load = f"; load {os.getloadavg()[0]:.0f}" if hasattr(os, "getloadavg") else ""
    rows = f"Measured: {from_where()}{load}.\n"
    for part in (_engine, _cards, _tables):
        rows += f"\n{part()}"
        PAGE.write_text(written(PAGE.read_text("utf-8"), rows), encoding="utf-8")


def _engine() -> str:
    rows = [
        (one.name, _whole(one.median), _whole(one.low), _whole(one.high))
        for one in engine.measure()
    ]
    counted = engine.instructions()
    if counted is not None:
        rows.append(("millions of instructions a game, 4 seats", f"{counted:.2f}", "", ""))
    return _table(("games a second of processor time", "median", "from", "to"), rows)


def _cards() -> str:
    rows = [(one.name, f"{one.median_ms:.3g}", f"{one.ratio:.2f}") for one in cards.measure()]
    return _table(("sealed cards: milliseconds of the processor", "median", "ratio"), rows)


def _tables() -> str:
    found = [table.measure(operators) for operators in TABLES]
    rows = [
        ("decisions", *(str(one.decisions) for one in found)),
        ("entries in the journal", *(str(one.entries) for one in found)),
        (
            "processor seconds of the operator that used most",
            *(f"{one.cpu_seconds:.1f}" for one in found),
        ),
        ("processor seconds to verify it", *(f"{one.verify_seconds:.1f}" for one in found)),
        ("sent by one operator, at most, kB", *(_whole(one.sent_kb) for one in found)),
    ]
    return _table(("a whole table of operators", *map(str, TABLES)), rows)


def _whole(number: float) -> str:
    return f"{number:.0f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    print("Measuring; this takes some minutes.", file=sys.stderr)
    measure()
