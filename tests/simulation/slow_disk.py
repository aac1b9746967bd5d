"""A disk in virtual time: it works in order, at its own pace, and reports a moment later.

What a power cut leaves is what it had finished.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random

from protocol.journal.chain import Entry
from protocol.journal.statements import Signed
from protocol.journal.stop_reason import StopReason
from protocol.replication.ballot import Ballot
from protocol.replication.outbox import Submission
from protocol.replication.shell import Written
from tests.simulation.lid import Lid
from tests.simulation.world import Clock

Step = Callable[[], object]


@dataclass
class Disk:
    """What survives a power cut."""

    entries: list[Signed]
    submissions: dict[int, Submission] = field(default_factory=dict)
    certificate: tuple[Signed, ...] = ()
    ballot: Ballot = field(default_factory=Ballot)
    fault: StopReason | None = None
    cases: tuple[StopReason, ...] = ()

    def remember(self, counter: int, refusal: Signed) -> None:
        """A submission of ours was refused."""
        submission = self.submissions.get(counter)
        if submission is not None:
            self.submissions[counter] = replace(submission, refusal=refusal)

    def lose_secrets(self) -> None:
        """Their file is gone; what we have said is not."""
        for counter, one in self.submissions.items():
            said = replace(one.contribution, keep=b"")
            self.submissions[counter] = replace(one, contribution=said)


class SlowDisk:
    """How a laptop writes on its disk: a `shell.Disk`."""

    def __init__(
        self, contents: Disk, me: int, *, clock: Clock, lid: Lid, chance: Random
    ) -> None:
        self.contents = contents
        self.seconds = (0.0002, 0.005)  #: for one write
        self.on_write: Callable[[bool], bool] = lambda _: True  #: before and after each write
        self._me = me
        self._clock = clock
        self._lid = lid
        self._chance = chance
        self.begin()

    def begin(self) -> None:
        """The power is on: nothing waits."""
        self._free = self._clock.now
        self._together: list[tuple[Step, Written | None]] = []

    @property
    def backlog(self) -> float:
        """Seconds that it still needs for what was asked of it; below 0: it rests."""
        return self._free - self._clock.now

    def entry(self, entry: Entry, done: Written, *, lazy: bool = False) -> None:
        self._together.append((lambda: self.contents.entries.append(entry.signed), done))
        if not lazy:
            # What takes the place of other entries is on the disk whole, or not at all.
            steps, self._together = self._together, []
            self._write(steps)

    def truncate(self, seq: int, certificate: tuple[Signed, ...]) -> None:
        def truncated() -> None:
            del self.contents.entries[seq + 1 :]
            self.contents.certificate = certificate

        self._together.append((truncated, None))

    def submissions(self, submissions: Iterable[Submission], done: Written) -> None:
        written = {one.counter: one for one in submissions}
        self._write([(lambda: self.contents.submissions.update(written), done)])

    def ballot(self, ballot: Ballot, done: Written) -> None:
        self._write([(lambda: setattr(self.contents, "ballot", ballot), done)])

    def refusal(self, author: int, counter: int, refusal: Signed) -> None:
        if author == self._me:
            self._write([(lambda: self.contents.remember(counter, refusal), None)])

    def certificate(self, acks: tuple[Signed, ...]) -> None:
        self._write([(lambda: setattr(self.contents, "certificate", acks), None)])

    def fault(self, code: str, culprit: bytes | None, evidence: tuple[bytes, ...]) -> None:
        """What stopped the match; a later call takes the place of an earlier one."""
        reason = StopReason(code, culprit, evidence)
        self._write([(lambda: setattr(self.contents, "fault", reason), None)])

    def cases(self, reasons: Iterable[StopReason]) -> None:
        """What is looked into."""
        kept = tuple(reasons)
        self._write([(lambda: setattr(self.contents, "cases", kept), None)])

    def _write(self, steps: list[tuple[Step, Written | None]]) -> None:
        """One transaction."""
        moment = max(self._free, self._clock.now) + self._chance.uniform(*self.seconds)
        self._free, life = moment, self._lid.life

        def finish() -> None:
            if life != self._lid.life or not self.on_write(False):
                return
            for step, _ in steps:
                step()
            if self.on_write(True):
                self._lid.plan(self._chance.uniform(0, 0.001), report)

        def report() -> None:
            for _, done in steps:
                if done is not None:
                    done(None)

        self._clock.plan_at(moment, finish)
