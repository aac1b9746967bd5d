"""Less and less often: what is said again and again, and whoever asks for the same again."""

from __future__ import annotations

from collections.abc import Iterable

from protocol.replication.effects import Effect, Reject
from protocol.replication.outbox import Outbox

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 30.0
"""Seconds until what was refused twice may be said again; twice as long each time."""

GIVE_IN, LONGEST_PATIENCE = 1.0, 60.0
"""A host steps down for whoever has named a later term for so many seconds, and for one and the
same not again before twice as many; then twice as long each time. A term that somebody invents
makes nobody a host in a breath, not even where that one starts again and again.
"""


class LateRejections:
    """Our game is told late of what is refused again and again, and so says it again late."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._late: list[tuple[float, Reject]] = []

    @property
    def times(self) -> list[float]:
        """When the game is told of something."""
        return [at for at, _ in self._late]

    def hold(self, now: float, effects: Iterable[Effect]) -> list[Effect]:
        """What of these happens at once."""
        at_once: list[Effect] = []
        for effect in effects:
            if isinstance(effect, Reject):
                times = self._outbox.times_refused(effect.key)
                if times >= 2:
                    pause = min(FIRST_PAUSE * 2.0 ** min(times, 16), LONGEST_PAUSE)
                    self._late.append((now + pause, effect))
                    continue
            at_once.append(effect)
        return at_once

    def release(self, now: float) -> list[Effect]:
        """What has waited long enough."""
        due: list[Effect] = [answer for at, answer in self._late if at <= now]
        self._late = [(at, answer) for at, answer in self._late if at > now]
        return due


class Yielding:
    """For whom a host steps down, on a mere word of a later term."""

    def __init__(self) -> None:
        self._until: dict[int, tuple[float, float]] = {}  # until when, and how long next

    def gives_in(self, now: float, operator: int) -> bool:
        """Whether we step down once more for this operator; taken as done where we do."""
        until, pause = self._until.setdefault(operator, (now + GIVE_IN, 2 * GIVE_IN))
        if now < until:
            return False
        self._until[operator] = now + pause, min(2 * pause, LONGEST_PATIENCE)
        return True
