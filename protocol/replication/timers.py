"""Whom an operator hears, and when it looks for another host: pure, time is an argument."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from protocol.errors import LocalError
from protocol.journal.statements import quorum
from protocol.replication.effects import Effect, Reject
from protocol.replication.outbox import Outbox

if TYPE_CHECKING:
    from random import Random


PATIENCE = 8
"""A network is taken to be at most so many times slower than `again` and `turn` foresee."""

HASTE = 20.0
"""Seconds, once in which a new link to one and the same operator hastens an election."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds."""

    heartbeat: float = 0.5
    """Between two words on every link."""
    silence: float = 1.5
    """Without a word of the host, an operator looks for another one."""
    lease: float = 3.0
    """Without a word of a majority, a host orders no more."""
    hasty: float = 0.15
    """Instead of `silence` where the host's link broke: systems tell when a program ends."""
    turn: float = 0.2
    """How much longer each next operator in seat order waits."""
    jitter: float = 0.05
    """Drawn anew each time, so that two never stay in step."""
    again: float = 0.8
    """Until a candidate that got no majority tries again: at first. Twice as long each time
    after that, up to `PATIENCE` times, so that votes arrive over the slowest network too."""
    show: float = 1.5
    """Without an answer of the host, an author shows to all what it said; again as often."""
    reluctant: float = 5.0
    """Without any host, who was replaced again and again is voted for after all."""
    answer: float = 5.0
    """So long a host may leave lying what it was brought, before it is suspected."""

    def __post_init__(self) -> None:
        """Raises `LocalError` where these cannot hold a table together."""
        for holds, rule in (
            (min(self.heartbeat, self.again, self.show) > 0.0, "pauses last"),
            (self.heartbeat < self.silence, "a host speaks before it counts as silent"),
            (self.silence <= self.lease, "guests look for a host before it gives up"),
            (self.hasty <= self.silence, "a broken link is no slower than silence"),
            (0.0 <= self.jitter <= self.turn, "chance does not change the turns"),
            (self.show <= self.answer, "what is owed is shown before anybody is suspected"),
            (self.silence <= self.reluctant, "nobody is taken after all before its time"),
        ):
            if not holds:
                raise LocalError(f"timeouts: {rule}: {self}")


class Timers:
    """The host as one operator hears it, and the others as a host does."""

    def __init__(
        self, me: int, operators: int, timing: Timeouts, chance: Random, now: float
    ) -> None:
        self.timing = timing
        self.due = now  #: when to look for another host
        self.is_host_gone = False  #: not merely silent
        self.is_distrusted = False  #: it speaks, and owes an answer
        self._me = me
        self._operators = operators
        self._chance = chance
        self._last_host = 0
        self._host_heard = now
        self.hosted = now  #: when somebody was last known to host
        self._heard: dict[int, float] = {}  # when each was last heard in our term
        self._slower = 1  # how many times longer than usual an attempt is given
        self._hastened: dict[int, float] = {}  # when each one's link did so last

    def restart(self, now: float, seconds: float) -> None:
        """Look for another host after so long, in our turn after the last one."""
        turn = (self._me - self._last_host - 1) % self._operators
        chance = self._chance.uniform(0, self.timing.jitter)
        self.due = now + seconds + self._slower * (turn * self.timing.turn + chance)

    def attempt(self, now: float) -> None:
        """An election begins, ours or another's: each has more time than the one before it."""
        self.restart(now, self._slower * self.timing.again)
        self._slower = min(2 * self._slower, PATIENCE)

    def linked(self, now: float, operator: int) -> None:
        """Somebody can be reached that could not: no need to wait as long as we did. One whose
        link comes and goes hastens us once in a while, or nobody would ever wait long enough.
        """
        if self._slower > 1 and now - self._hastened.get(operator, -HASTE) >= HASTE:
            self._hastened[operator] = now
            self._slower = 1
            before = self.due
            self.restart(now, self.timing.again)
            self.due = min(self.due, before)

    def follow(self, now: float, host: int, *, linked: bool) -> None:
        self._slower = 1
        self._last_host = host
        self.is_host_gone = not linked
        self.is_distrusted = False
        self._host_heard = now
        self.restart(now, self.timing.silence)

    def lead(self, now: float, others: Iterable[int]) -> None:
        """We host; these count as heard just now."""
        self._slower = 1
        self._last_host = self._me
        self.is_host_gone = self.is_distrusted = False
        self._heard = dict.fromkeys(others, now)

    def lose_host(self, last: int | None = None) -> None:
        """Nobody hosts, as far as we know; `last` did."""
        self.is_host_gone, self.is_distrusted = True, False
        if last is not None:
            self._last_host = last

    def hear(self, operator: int, now: float) -> None:
        self._heard[operator] = now

    def hear_host(self, now: float) -> bool:
        """The host spoke as one: whether we are content with it."""
        self._host_heard = self.hosted = now
        if self.is_host_gone or self.is_distrusted:
            return False
        self._slower = 1
        self.restart(now, self.timing.silence)
        return True

    def host_is_gone(self, now: float) -> None:
        """The host is not merely silent."""
        if not self.is_host_gone:
            self.is_host_gone = True
            before = self.due
            self.restart(now, self.timing.hasty)
            self.due = min(self.due, before)

    def distrust(self, now: float) -> None:
        """The host speaks, and does not answer."""
        if not self.is_distrusted:
            self.is_distrusted = True
            self.restart(now, 0.0)

    def trust(self, now: float) -> None:
        """It has answered."""
        if self.is_distrusted:
            self.is_distrusted = False
            self.restart(now, self.timing.silence)

    def hears_host(self, now: float) -> bool:
        """Whether there is no reason to want another."""
        return not (self.is_host_gone or self.is_distrusted) and self.is_heard(now)

    def is_heard(self, now: float) -> bool:
        """Whether the host has spoken lately, whatever we think of it."""
        return now - self._host_heard < self.timing.silence

    def is_out_of_reach(self, now: float) -> bool:
        """Whether what passes between the host and us goes by way of others."""
        return self.is_host_gone or not self.is_heard(now)

    def hears_majority(self, now: float, members: frozenset[int]) -> bool:
        """Whether we and those we have heard lately are more than half of these."""
        fresh = {one for one, at in self._heard.items() if now - at <= self.timing.lease}
        return len(members & (fresh | {self._me})) >= quorum(len(members))


FIRST_PAUSE, LONGEST_PAUSE = 0.25, 30.0
"""Seconds until what was refused twice may be said again; twice as long each time."""

RENEWED = 1.0
"""Seconds until it may be said again where something new is confirmed."""

GIVE_IN, LONGEST_PATIENCE = 1.0, 60.0
"""A host steps down for whoever has named a later term for so many seconds, and for one and the
same not again before twice as many; then twice as long each time. A term that somebody invents
makes nobody a host in a breath, not even where that one starts again and again.
"""


LED_ON, LONGEST_LED = 0.5, 4.0
"""Seconds. Who has no host follows one operator into a later term at once, and again after the
first of these; then after twice as long each time, up to the second. That is less than an
honest candidate lets pass between two tries, and leaves time for an election in between.
"""


class LateRejections:
    """Our game is told late of what is refused again and again, and so says it again late; but
    not much later than something new is confirmed, which may have taken the reason away.
    """

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        # When it is told, of what, since when it waits, and what was confirmed then.
        self._late: list[tuple[float, Reject, float, int]] = []
        self.due = math.inf  #: when the game is told of the first of them

    def hold(self, now: float, confirmed: int, effects: Iterable[Effect]) -> list[Effect]:
        """What of these happens at once."""
        at_once: list[Effect] = []
        for effect in effects:
            if isinstance(effect, Reject):
                times = self._outbox.refusals[effect.key]
                if times >= 2:
                    pause = min(FIRST_PAUSE * 2.0 ** min(times, 16), LONGEST_PAUSE)
                    self._late.append((now + pause, effect, now, confirmed))
                    self.due = min(self.due, now + pause)
                    continue
            at_once.append(effect)
        return at_once

    def release(self, now: float, confirmed: int) -> list[Effect]:
        """What has waited long enough."""
        late, self._late = self._late, []
        due: list[Effect] = []
        for one in late:
            at, answer, since, place = one
            if at <= now or (confirmed > place and now - since >= RENEWED):
                due.append(answer)
            else:
                self._late.append(one)
        self.due = min((at for at, *_ in self._late), default=math.inf)
        return due


class Yielding:
    """Whose word of a later term we take up, and when again."""

    def __init__(
        self,
        first: float = GIVE_IN,
        pause: float = 2 * GIVE_IN,
        longest: float = LONGEST_PATIENCE,
    ) -> None:
        """As a host steps down for it, unless otherwise said: `first` after so many seconds,
        again after `pause`, after `longest` at last.
        """
        self._first, self._pause, self._longest = first, pause, longest
        self._until: dict[int, tuple[float, float]] = {}  # until when, and how long next

    def gives_in(self, now: float, operator: int) -> bool:
        """Whether we do so once more for this operator; taken as done where we do."""
        until, pause = self._until.setdefault(operator, (now + self._first, self._pause))
        if now < until:
            return False
        self._until[operator] = now + pause, min(2 * pause, self._longest)
        return True

    def forget(self) -> None:
        """All begins anew."""
        self._until.clear()
