"""The measurement of a table under siege measures: not how fast, that is for the bench."""

from __future__ import annotations

from benchmarks import flood


def test_a_siege_is_one_and_the_table_goes_on_answering() -> None:
    """The besiegers come more often than there are of them: they are sent away and return."""
    found = flood.measure(besiegers=100, answers=25, turns=1)
    assert found.connections > 100
    assert found.answers == 25
    assert 0 < found.peace_median_ms <= found.peace_p99_ms
    assert 0 < found.siege_median_ms <= found.siege_p99_ms
    assert found.ratio_median == found.siege_median_ms / found.peace_median_ms
