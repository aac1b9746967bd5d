"""The figures of a whole table: every operator a process of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import table


@pytest.mark.long
def test_a_table_of_two_is_played_measured_and_verified() -> None:
    figure = table.measure(2)
    assert (figure.operators, figure.decision_ms > 0) == (2, True)
    assert figure.entries > figure.decisions > figure.rounds > 0
    assert figure.verify_seconds > 0
    assert figure.cpu_seconds < 2 * figure.wall_seconds + 10
    assert figure.sent_kb > figure.journal_kb / 10
    assert figure.memory_mb is None or 10 < figure.memory_mb < 1000


def test_a_table_that_breaks_says_what_an_operator_said_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:

    def start(home: Path, operators: int, address: str | None) -> object:
        return real(home, 99, address)  # more seats than there are

    real = table._start
    monkeypatch.setattr(table, "_start", start)
    with pytest.raises(table.LostTable, match="seats_out_of_range"):
        table.measure(2)
