"""Timeouts that cannot hold a table together are not accepted."""

from __future__ import annotations

import pytest

from protocol.errors import LocalError
from protocol.replication.timers import Timeouts


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"heartbeat": 0.0}, "pauses last"),
        ({"again": 0.0}, "pauses last"),
        ({"show": 0.0}, "pauses last"),
        ({"heartbeat": 1.5}, "speaks before"),
        ({"lease": 1.4}, "guests look for a host before"),
        ({"hasty": 1.6}, "broken link"),
        ({"jitter": -0.01}, "the turns"),
        ({"jitter": 0.21}, "the turns"),
        ({"answer": 1.4}, "is shown before"),
        ({"reluctant": 1.4}, "before its time"),
    ],
)
def test_it_says_what_does_not_fit(wrong: dict[str, float], why: str) -> None:
    with pytest.raises(LocalError, match=why):
        Timeouts(**wrong)


def test_the_bounds_themselves_fit() -> None:
    silence = Timeouts().silence
    kept = Timeouts(lease=silence, hasty=silence, reluctant=silence, jitter=Timeouts().turn)
    assert kept.lease == silence
