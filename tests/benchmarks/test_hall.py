"""The measurement of a hall measures: not how fast, that is for the bench."""

from __future__ import annotations

from benchmarks import hall


def test_every_table_answers_and_is_asked_seldom() -> None:
    found = hall.measure(tables=3, seconds=2400)
    assert found.tables == 3
    assert found.knock_ms == found.first_look_ms / 3 > 0
    assert 10 < found.knocks < 22
    assert found.idle > 0
