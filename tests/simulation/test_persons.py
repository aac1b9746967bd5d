"""Over a slow network persons think while their last word is on its way.

More: `python -m tests.simulation.persons`.
"""

from __future__ import annotations

from unittest import mock

from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from tests.simulation.persons import evening


def test_who_is_asked_early_decides_the_same_and_waits_less() -> None:
    early = evening(3, 0.05, 1)
    with mock.patch.object(SealedDealer, "foretell", return_value=()):
        late = evening(3, 0.05, 1)
    assert early.laptops[0].app.match.events == late.laptops[0].app.match.events
    assert early.asks == late.asks
    assert late.held == 0
    assert early.held > early.asks / 3
    assert early.clock.now < 0.88 * late.clock.now
