"""How a match stood when it was left, out of its journal alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from citadels_p2p.match import left_off

MATCHES = Path(__file__).parents[1] / "vectors" / "matches"


def test_a_match_that_goes_on_is_seen_as_everybody_saw_it_last() -> None:
    view = left_off(MATCHES / "absence.citadels")
    assert view is not None
    assert view.you is None
    assert view.round == 2
    assert [(len(seat.city), seat.points_so_far) for seat in view.seats] == [
        (1, 4),
        (0, 0),
        (0, 0),
    ]


@pytest.mark.parametrize("content", [None, b"", b"no journal"])
def test_what_cannot_be_read_and_what_is_over_does_not_stand_anyhow(
    content: bytes | None, tmp_path: Path
) -> None:
    path = tmp_path / "one.citadels"
    if content is not None:
        path.write_bytes(content)
    assert left_off(path) is None
    assert left_off(MATCHES / "plain.citadels") is None
