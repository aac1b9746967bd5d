"""Shell: an operator says what is wrong with the match: it is looked into, not believed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Generic, TypeVar

from protocol.application import Application
from protocol.journal.refusals import is_ahead
from protocol.messages import Entries, Fault, Witness
from protocol.replication.complaints import assess_fault
from protocol.replication.gossip import follows, orders
from protocol.session.events import Suspected
from protocol.session.match_runtime import MatchRuntime
from protocol.session.reporting import EventStream, now
from protocol.session.table import Table

A = TypeVar("A", bound=Application)

CATCH_UP_SECONDS = 10.0
"""So long the entries are waited for of which a complaint speaks."""

MAX_COMPLAINTS = 8
"""Faults of one operator that are looked into in a match; an honest one stops at the first."""


class FaultReview(Generic[A]):
    """The complaints of one match."""

    def __init__(
        self,
        table: Table,
        runtime: MatchRuntime[A],
        events: EventStream,
        followed: Callable[[], int | None],
        beat: float,
    ) -> None:
        """`followed`: whose order we follow now, by roster index; None where it is ours or
        nobody's. `beat`: seconds between two looks at our own journal.
        """
        self._table = table
        self._runtime = runtime
        self._events = events
        self._followed = followed
        self._beat = beat
        self._complaints: Counter[int] = Counter()  # of each operator

    async def review(self, index: int, fault: Fault) -> None:
        """What we were sent may prove it and say who: first come our own checks."""
        assert self._table.genesis is not None
        if self._complaints[index] >= MAX_COMPLAINTS:
            return
        self._complaints[index] += 1
        runtime = self._runtime
        await runtime.quiet()
        shown, host = follows(runtime.chain, fault.evidence), self._followed()
        if shown is not None and host is not None:
            runtime.hear(host, Entries((shown,)))
            await runtime.quiet()
        until = now() + CATCH_UP_SECONDS
        while is_ahead(runtime.chain, fault.evidence) and now() < until:  # noqa: ASYNC110
            await asyncio.sleep(self._beat)  # what it speaks of is on its way to us
        await runtime.quiet()
        proven = assess_fault(fault, self._table.genesis, runtime.chain)
        proven = proven or await runtime.prove(fault.evidence)
        if proven is not None:
            runtime.fail(proven)
            return
        if self._complaints[index] == 1:
            # It has stopped; that is all we know of it.
            self._events.tell(Suspected(index, self._table.name_of(index), "complained"))
        for entry in orders(fault.evidence):
            runtime.hear(index, Witness(entry))  # its history may be another than ours
