"""The bench measures what it says; how fast it is, is not tested here."""

from __future__ import annotations

from benchmarks import cards


def test_every_figure_is_sound() -> None:
    figures = [
        *cards.bare(1),
        *cards.shuffles(2, 1),
        *cards.shares(1, 1),
        cards.set_up(2, 1, 3),
    ]
    assert [figure.name for figure in figures] == [
        "multiply",
        "multiply_base",
        "shuffle_2_create",
        "shuffle_2_verify",
        "share_create",
        "share_verify",
        "set_up_2",
    ]
    for figure in figures:
        assert 0 < figure.low_ms <= figure.median_ms <= figure.high_ms
        assert figure.ratio > 0


def test_a_shuffle_costs_the_multiplications_that_the_paper_counts() -> None:
    """Making: 6n + 1 with a variable base, 4n + 4 with the fixed; checking: 8n + 4, n + 4."""
    for count in (1, 3, 7):
        made, checked = cards.shuffle_counts(count)
        assert made == (6 * count + 1, 4 * count + 4)
        assert checked == (8 * count + 4, count + 4)
