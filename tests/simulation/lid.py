"""A laptop's own time: it ends with the power, stops with the match, and waits under a lid."""

from __future__ import annotations

from collections.abc import Callable

from tests.simulation.world import Clock

Event = Callable[[], None]


class Lid:
    """Plans what happens on one laptop. What was planned in an earlier life is void."""

    def __init__(self, clock: Clock) -> None:
        self.life = 0
        self._clock = clock
        self._closed_until = 0.0
        self._held: list[Event] = []
        self._stopped = False

    def begin(self) -> None:
        """The power is on."""
        self.life += 1
        self._held = []
        self._stopped = False

    def end(self) -> None:
        """The power is gone."""
        self.life += 1

    def stop(self) -> None:
        """The match has stopped: nothing is planned to any purpose in this life."""
        self._stopped = True

    def close(self, seconds: float) -> None:
        """For so long nothing happens here, and the world goes on; 0 opens it."""
        self._closed_until = self._clock.now + seconds

    @property
    def is_closed(self) -> bool:
        """Whether what comes now has to wait: for the lid, or for what has waited longer."""
        return self._clock.now < self._closed_until or bool(self._held)

    def plan(self, delay: float, event: Event) -> None:
        """Something after so many seconds."""
        self.plan_at(self._clock.now + delay, event)

    def plan_at(self, moment: float, event: Event) -> None:
        """Something of this life; later, if the lid is closed by then."""
        life = self.life

        def happen() -> None:
            if life != self.life or self._stopped:
                return
            if self.is_closed:
                self._hold(event)
            else:
                event()

        self._clock.plan_at(moment, happen)

    def _hold(self, event: Event) -> None:
        """When the lid opens, all that came meanwhile happens in its order."""
        self._held.append(event)
        if len(self._held) == 1:
            life = self.life
            self._clock.plan_at(self._closed_until, lambda: self._wake(life))

    def _wake(self, life: int) -> None:
        if life != self.life:
            return
        if self._clock.now < self._closed_until:
            self._clock.plan_at(self._closed_until, lambda: self._wake(life))
            return
        held, self._held = self._held, []
        for event in held:
            if life == self.life and not self._stopped:
                event()
