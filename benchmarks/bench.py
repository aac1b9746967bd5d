"""`citadels bench`: what this machine can do, part by part."""

from __future__ import annotations

import argparse
import dataclasses
import json
import platform
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from citadels_p2p import compiled
from cli.i18n import N_, _, counted
from cli.line.exits import Exit
from cli.text.columns import columns

if TYPE_CHECKING:
    from benchmarks import cards, engine, flood, hall, startup, table

#: how many operators sit at the tables that are measured
TABLES = (2, 4, 8)

#: part → what is measured
PARTS: dict[str, str] = {
    "engine": N_("the engine"),
    "cards": N_("the sealed cards"),
    "table": N_("whole tables, every operator a process of its own"),
    "start": N_("starting up"),
    "hostile": N_("a table under siege"),
    "hall": N_("a hall full of tables"),
}

Lines: TypeAlias = list[str]


def bench(options: argparse.Namespace) -> int:
    """Measure this machine, or the one part that `--only` names."""
    parts = PARTS if options.only is None else (options.only,)
    found: dict[str, list[Any]] = {}
    for part in parts:
        print(_("Measuring {what}…").format(what=_(PARTS[part])), file=sys.stderr)
        figures, shown = _MEASURES[part]()
        found[part] = figures
        if not options.json:
            print("\n".join((*shown, "")))
    if options.json:
        every = [
            {"part": part, **dataclasses.asdict(figure)}
            for part, figures in found.items()
            for figure in figures
        ]
        print(json.dumps({**origin(), "figures": every}))
    else:
        print(from_where())
    return Exit.FINE


def origin() -> dict[str, object]:
    """Of what the figures are: engine, Python and how that was built, the checkout's commit."""
    ask = ["git", "-C", str(Path.cwd()), "describe", "--always", "--dirty", "--exclude=*"]
    try:
        commit = subprocess.run(ask, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:  # no git here
        commit = ""
    tuned = "--enable-optimizations" in str(sysconfig.get_config_var("CONFIG_ARGS"))
    return {
        "compiled": compiled(),
        "python": platform.python_version(),
        "pgo": tuned,
        "commit": commit,
    }


def from_where() -> str:
    """The same in a line."""
    found = origin()
    tuned = " (PGO)" if found["pgo"] else ""
    made = "mypyc, " if found["compiled"] else ""
    return f"{made}Python {found['python']}{tuned}, {found['commit']}"


def _engine() -> tuple[list[engine.Figure], Lines]:
    from benchmarks import engine

    figures = engine.measure()
    rows = [(_("games a second"), _("median"), _("from"), _("to"))]
    for one in figures:
        rows.append((one.name, f"{one.median:.0f}", f"{one.low:.0f}", f"{one.high:.0f}"))
    made = _("The engine is compiled.") if compiled() else _("The engine is not compiled.")
    return figures, [*columns(rows, "<>>>"), made]


def _cards() -> tuple[list[cards.Figure], Lines]:
    from benchmarks import cards

    figures = cards.measure()
    rows = [(_("milliseconds"), _("median"), _("from"), _("to"), _("ratio"), "")]
    for one in figures:
        times = (_short(one.median_ms), _short(one.low_ms), _short(one.high_ms))
        rows.append((one.name, *times, f"{one.ratio:.2f}", one.note))
    return figures, columns(rows, "<>>>><", elastic=5)


def _table() -> tuple[list[table.TableFigure], Lines]:
    from benchmarks import table

    try:
        figures = [table.measure(operators) for operators in TABLES]
    except table.LostTable as problem:
        line = _("A table broke off before its last score, and an operator said last:")
        raise SystemExit(f"citadels: {line}\n{problem}") from None
    rows: Sequence[tuple[str, Callable[[table.TableFigure], str]]] = (
        (_("operators"), lambda one: str(one.operators)),
        (_("rounds"), lambda one: str(one.rounds)),
        (_("decisions"), lambda one: str(one.decisions)),
        (_("entries in the journal"), lambda one: str(one.entries)),
        (_("seconds, all together"), lambda one: f"{one.wall_seconds:.1f}"),
        (_("milliseconds for a decision"), lambda one: f"{one.decision_ms:.0f}"),
        (_("processor seconds of an operator"), lambda one: f"{one.cpu_seconds:.1f}"),
        (_("memory of an operator, MB"), lambda one: _known(one.memory_mb)),
        (_("sent by an operator, kB"), lambda one: f"{one.sent_kb:.0f}"),
        (_("journal, kB"), lambda one: f"{one.journal_kb:.0f}"),
        (_("processor seconds to verify it"), lambda one: f"{one.verify_seconds:.1f}"),
    )
    shown = [(name, *(value(one) for one in figures)) for name, value in rows]
    return figures, columns(shown, "<" + ">" * len(figures))


def _start() -> tuple[list[startup.Start], Lines]:
    from benchmarks import startup

    figures = startup.measure()
    rows = [(_("milliseconds"), _("median"), _("from"), _("to"), _("MB"))]
    for one in figures:
        times = (_short(one.median_ms), _short(one.low_ms), _short(one.high_ms))
        rows.append((f"citadels {one.name}", *times, _known(one.memory_mb)))
    return figures, columns(rows, "<>>>>")


def _hostile() -> tuple[list[flood.Siege], Lines]:
    from benchmarks import flood

    found = flood.measure()
    told = counted(
        "A table of four, {answers} answers each in peace and among {count} hostile "
        "connection, which came {visits} times.",
        "A table of four, {answers} answers each in peace and among {count} hostile "
        "connections, which came {visits} times.",
        count=found.besiegers,
        answers=found.answers,
        visits=found.connections,
    )
    rows = [
        (_("milliseconds"), _("median"), "p99"),
        (_("in peace"), _short(found.peace_median_ms), _short(found.peace_p99_ms)),
        (_("under siege"), _short(found.siege_median_ms), _short(found.siege_p99_ms)),
        (_("ratio"), f"{found.ratio_median:.2f}", f"{found.ratio_p99:.2f}"),
    ]
    return [found], [told, *columns(rows, "<>>")]


def _hall() -> tuple[list[hall.Hall], Lines]:
    from benchmarks import hall

    found = hall.measure()
    rows = [
        (_("an open lobby beside {count} tables").format(count=found.tables), ""),
        (_("milliseconds of the processor for its first look"), _short(found.first_look_ms)),
        (_("milliseconds of the processor for a knock, both ends"), _short(found.knock_ms)),
        (_("knocks at a table in an hour"), _short(found.knocks)),
        (_("percent of a core in that hour, both ends"), _short(found.idle)),
    ]
    return [found], columns(rows, "<>")


_Measure: TypeAlias = Callable[[], tuple[list[Any], Lines]]
_MEASURES: dict[str, _Measure] = {
    "engine": _engine,
    "cards": _cards,
    "table": _table,
    "start": _start,
    "hostile": _hostile,
    "hall": _hall,
}


def _known(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _short(value: float) -> str:
    """Three digits that count, and no powers of ten."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
