"""Whether the host does its duty by us, as one operator sees it: pure, time is an argument.

Silence is seen by all (`unanswered`). Besides, a host that we hear owes us its entries, and a
majority's confirmation of them; it takes out who has left for good, and it may not mislead us.
Where it stays in debt it is suspected, and we would rather have another. That is no verdict,
and it ends with the answer.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Collection, Iterable

from protocol.errors import RemoteError
from protocol.journal.accusation import is_accusation
from protocol.journal.statements import DOMAIN_REFUSAL, Refusal, Signed, unseal
from protocol.messages import Refused, Submit, Witness
from protocol.replication.effects import Clear, Cut, Effect, Send, Suspect
from protocol.replication.follower import Follower
from protocol.replication.leader import Leader
from protocol.replication.replica import Replica
from protocol.replication.timers import Timers

ENOUGH = 2
"""Who was replaced so many times more than the best of those who are here gets no vote."""

LONGEST = 3
"""With each suspected host in a row the next one gets twice as long; so often at most."""


class Distrust:
    """Which hosts an operator suspects, and whom it would not have again: its own record.

    A host that leaves statements lying is suspected until it answers. It may be replaced
    meanwhile, and does not get our vote before it has answered. Who was replaced so again and
    again does not get it either, while there is somebody better: an honest laptop that was
    merely slow then plays on as a guest.

    Why so: docs/decisions, 13.
    """

    def __init__(self) -> None:
        self.suspected: int | None = None  #: the host that owes an answer now
        self._replaced: Counter[int] = Counter()
        self._in_a_row = 0

    def patience(self, seconds: float) -> float:
        """How long the present host may take: longer, where several have been too slow."""
        return seconds * float(2 ** min(self._in_a_row, LONGEST))

    def clear(self) -> None:
        """The host has answered: no reason is left to want another, or to wait longer."""
        self.suspected = None
        self._in_a_row = 0

    def replace(self) -> int | None:
        """Another hosts now: whom we suspected, if anybody."""
        before, self.suspected = self.suspected, None
        if before is not None:
            self._replaced[before] += 1
            self._in_a_row += 1
        return before

    def would_have(self, candidate: int, others: Iterable[int]) -> bool:
        """Whether we would have this host, with these to choose from beside it.

        Not one that owes us an answer: deposed for it, it would be the first to stand again.
        """
        rivals = tuple(others)
        if candidate == self.suspected and rivals:
            return False
        best = min((self._replaced[one] for one in (candidate, *rivals)), default=0)
        return self._replaced[candidate] - best < ENOUGH


GRACE = 20.0
"""A host whose link is there again gets its time anew, but once in so many seconds."""


class HostWatch:
    """The debts of whoever hosts, to us and to those whose words we hold."""

    def __init__(self, replica: Replica, timers: Timers, now: float) -> None:
        self.distrust = Distrust()
        self._replica = replica
        self._timers = timers
        self._timing = timers.timing
        self._shown: dict[int, float] = {}  # our own submissions: since when each waits
        self._told_all = now
        self._newest_shown = -1  # of our counters: nobody has been shown a later one
        self._theirs = (0, 0)  # the host's newest entry, and newest confirmed one, as it says
        self._ours = (0, 0, 0)  # our own, and what of them is on our disk and folded
        self._starved = now  # since when we lack one of them, and nothing comes
        self._asked = now  # when we last said again where we are
        self._confirmed = (-1, now)  # what we know confirmed, and since when
        self._counted = now  # since when it counts somebody that has left for good
        self._given = now  # when the host was last given more time
        self._misled: int | None = None  # what that was when our host last misled us

    def come_back(self, now: float) -> None:
        """The link to the host broke, and is there again: it is given its time, but not again
        and again.
        """
        if now - self._given >= GRACE:
            self._given = now
            self._give_time(now)

    def begin(self, now: float, host: int | None) -> None:
        """Another hosts: it is given its time, and owes nothing yet."""
        self._misled, self._given = None, now
        self._replica.unanswered.leave_to(host)
        self._give_time(now)

    def _give_time(self, now: float) -> None:
        self._shown = dict.fromkeys(self._shown, now)
        self._theirs, self._starved, self._counted = (0, 0), now, now
        self._confirmed = self._replica.confirmed, now
        self._replica.unanswered.renew(now)

    def excuse(self, now: float) -> list[Effect]:
        """Who hosts no more owes nothing; what it owed counts as for who is replaced."""
        before, self._misled = self.distrust.replace(), None
        if before is None:
            return []
        self._give_time(now)
        return [Clear(before)]

    @property
    def is_misled(self) -> bool:
        """Whether our host has sent us what no honest one sends, and nothing better since."""
        return self._misled is not None

    def hear(self, head: int, confirmed: int) -> None:
        """How far the host says that it is."""
        self._theirs = head, confirmed

    def mislead(self) -> None:
        """It sent what no honest host sends, and nothing signed shows it to others."""
        self._misled = self._replica.confirmed

    def hear_word(
        self, now: float, operator: int, authored: Signed, follower: Follower
    ) -> list[Effect]:
        """Somebody shows what the host has left lying: we bring it there too."""
        replica = self._replica
        try:
            statement = replica.chain.check_authored(authored)
        except RemoteError as problem:
            return [Cut(operator, problem)]
        if statement.author not in (replica.me, follower.host) and not is_accusation(
            statement.body
        ):
            replica.unanswered.hear(now, statement, authored)
        return []

    def hear_entry(self, signed: Signed, part: Leader | Follower) -> list[Effect]:
        """Somebody shows an entry: our host's next one counts as shown by it."""
        chain = self._replica.chain
        if isinstance(part, Leader) or not part.may_speak:
            return []
        with contextlib.suppress(RemoteError):
            entry = chain.check(signed)
            if entry is not None and (entry.term, entry.seq) == (part.term, chain.head + 1):
                return part.entries((signed,))
        return []

    def hear_refusal(self, signed: Signed, follower: Follower) -> list[Effect]:
        """The host's answer, perhaps passed on, to us or to somebody whose words we hold."""
        replica, host = self._replica, follower.host
        if host is None:
            return []
        identity = replica.chain.genesis.operators[host].identity
        try:
            refusal = unseal(signed, Refusal, DOMAIN_REFUSAL, identity)
        except RemoteError:
            return []  # of a former host: nobody's fault
        if (refusal.match, refusal.term) != (replica.chain.genesis.digest, follower.term):
            return []  # of another match, or a former term, perhaps another's: of nothing here
        if refusal.author == replica.me:
            return follower.refused(signed, refusal)
        if replica.unanswered.refused(refusal) is None:
            return []
        return [Send(refusal.author, Refused(signed))]

    def tend(self, now: float, follower: Follower, linked: Collection[int]) -> list[Effect]:
        """Show and bring what is owed; suspect a host that stays in debt."""
        effects = self.show(now, follower, sorted(linked))
        if follower.host in linked:
            effects += self.bring(now, follower)
        if follower.host in linked or self.is_misled:
            effects += self.look(now, follower)
        return effects

    def bring(self, now: float, follower: Follower) -> list[Effect]:
        """Others' words, to the host itself."""
        if follower.host is None or not follower.may_speak:
            return []
        words = self._replica.unanswered.bring(now, self._timing.show)
        return [Send(follower.host, Submit(authored)) for authored in words]

    def show(self, now: float, follower: Follower, others: Iterable[int]) -> list[Effect]:
        """What of ours the host has not answered for a while, to everybody else: at once while
        it is out of reach, for then it hears us by way of others. And the first entry of its
        own that it does not confirm: perhaps it has shown it to us alone.

        Also where we follow nobody: then others may follow one that has left us out.
        """
        show, chain = self._timing.show, self._replica.chain
        self._note_waiting(now)
        lies_open = self._unconfirmed(now, follower) >= show
        again = now - self._told_all >= show
        at_once = follower.host is not None and self._timers.is_out_of_reach(now)
        if not (again or at_once):
            return []
        if again:
            self._told_all = now
        listeners = [one for one in others if one != follower.host]
        waiting = self._replica.outbox.unanswered()
        words: list[Submit | Witness] = [
            Submit(one.authored)
            for one in waiting
            if (again and now - self._shown.get(one.counter, now) >= show)
            or (at_once and one.counter > self._newest_shown)
        ]
        if at_once and listeners:
            self._newest_shown = max((one.counter for one in waiting), default=-1)
        if again and lies_open and follower.may_speak:
            first = max(self._replica.confirmed, 0) + 1
            words += [Witness(entry.signed) for entry in chain.entries[first : first + 1]]
        return [Send(one, word) for word in words for one in listeners]

    def look(self, now: float, follower: Follower) -> list[Effect]:
        """Suspect the host that we are linked with, or clear it."""
        host, distrust, timers = follower.host, self.distrust, self._timers
        if host is None:
            return []
        effects: list[Effect] = []
        late = self._owed(now, follower)
        if min(now - self._starved, now - self._asked) >= self._timing.show:
            self._asked = now
            effects.append(Send(host, follower.follows))
        if late and distrust.suspected is None and timers.is_heard(now):
            distrust.suspected = host
            timers.distrust(now)
            effects.append(Suspect(host, "withholds", late[0]))
        elif not late and distrust.suspected == host:
            distrust.clear()
            timers.trust(now)
            effects.append(Clear(host))
        return effects

    def _owed(self, now: float, follower: Follower) -> list[int]:
        """Those whom it owes something for too long."""
        patience = self.distrust.patience(self._timing.answer)
        self._note_waiting(now)
        late = [*self._replica.unanswered.overdue(now, patience)]
        kept_waiting = any(now - since >= patience for since in self._shown.values())
        if not self._replica.leaving:
            self._counted = now
        kept_waiting = kept_waiting or now - self._counted >= patience
        if kept_waiting or self._is_left_out(now, follower, patience):
            late.append(self._replica.me)
        return late

    def _note_waiting(self, now: float) -> None:
        waiting = [one.counter for one in self._replica.outbox.unanswered()]
        self._shown = {counter: self._shown.get(counter, now) for counter in waiting}

    def _unconfirmed(self, now: float, follower: Follower) -> float:
        """For how long nothing new is confirmed of what we have: on our disk, and folded, so
        that we have acknowledged it. What waits for us is no debt of the host's.
        """
        confirmed, since = self._confirmed
        replica = self._replica
        shown = replica.certain
        if shown != confirmed or shown >= min(replica.stored, replica.folded):
            self._confirmed = shown, now
            since = now
        return now - since

    def _is_left_out(self, now: float, follower: Follower, patience: float) -> bool:
        """Whether it shows us nothing, not even its election, confirms nothing, or has misled
        us.
        """
        replica = self._replica
        held = min(replica.stored, replica.folded)
        ours = replica.chain.head, max(replica.certain, 0), held
        lacking = any(theirs > own for theirs, own in zip(self._theirs, ours, strict=False))
        lacking = lacking or not follower.may_speak
        if not lacking or ours != self._ours:
            self._starved, self._ours = now, ours
        if self._misled is not None and replica.confirmed > self._misled:
            self._misled = None
        return (
            self._misled is not None
            or self._unconfirmed(now, follower) >= patience
            or now - self._starved >= patience
        )
