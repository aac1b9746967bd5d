"""Hear yourself first: what a program that starts with a disk waits for before it speaks.

The disk may be a backup, an unpacked copy, or that of a second laptop with the same key. So a
restarted program says nothing new and gives no vote before a majority has told it what they
last heard under its own signature, and before it has what they know confirmed. A disk that
knows less than that is found out here (`outbox_lost`), before it can say two things.

Why so: docs/decisions, 15.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from protocol.application import Contribution
from protocol.errors import RemoteError, Unavailable
from protocol.journal.election import open_vote
from protocol.journal.statements import quorum
from protocol.messages import Remember
from protocol.replication.ballot import MAX_AHEAD, BallotBox
from protocol.replication.effects import Cut, Effect, Fail, Reject
from protocol.replication.follower import Follower
from protocol.replication.leader import Leader
from protocol.replication.replica import Replica

LONGEST_WAIT = 15.0
"""Seconds for what was named as confirmed to arrive; whoever named too much holds nobody up."""


@dataclass(frozen=True, slots=True)
class _Said:
    contribution: Contribution
    after: bytes  # the newest entry of the game when it was said


class RestartGuard:
    """What everybody reminds everybody of when they meet, and what we hold until we know.

    Pure; time is an argument.
    """

    def __init__(self, replica: Replica, ballots: BallotBox, *, restarted: bool) -> None:
        """`restarted`: there was a disk; a match that begins now has nothing to remember."""
        self.is_over = not restarted  #: whether we may say something new
        self._replica = replica
        self._ballots = ballots
        self._is_restarted = restarted
        self._told: set[int] = set()
        self._since: float | None = None  # when a majority had told us
        self._terms: dict[int, int] = {}  # where each one was when we met it
        self._confirmed = 0  # what others know confirmed
        self._held: list[_Said] = []

    @property
    def may_vote(self) -> bool:
        """Whether a majority, ourselves included, has told us what it heard of us."""
        members = self._replica.chain.members
        told = (self._told | {self._replica.me}) & members
        return not self._is_restarted or len(told) >= quorum(len(members))

    def remember(self, operator: int, part: Leader | Follower) -> Remember:
        """What this operator said last, as far as no confirmed entry shows it."""
        said = self._replica.unanswered.newest_of(operator)
        if isinstance(part, Leader):
            said = part.intake.newest_of(operator)
        if said is None:
            said = self._replica.unconfirmed_of(operator)
        known = max(self._replica.confirmed, 0)
        return Remember(said, self._ballots.vote_of(operator), self._ballots.term, known)

    def hear(self, now: float, operator: int, message: Remember) -> list[Effect]:
        """What we said last, by our own signature: more than our disk knows, or not."""
        chain, outbox = self._replica.chain, self._replica.outbox
        me = self._replica.me
        try:
            if message.statement is not None:
                said = chain.check_authored(message.statement)
                if said.author == me and not outbox.knows(message.statement):
                    problem = Unavailable("outbox_lost", "others heard what our disk forgot")
                    return [Fail(problem)]
            vote = None if message.vote is None else open_vote(chain.genesis, message.vote)
        except RemoteError as problem_of_theirs:
            return [Cut(operator, problem_of_theirs)]
        if vote is not None and vote.voter == me and self._is_restarted:
            self._ballots.spend(vote.term)
        self._told.add(operator)
        self._place(operator, message)
        if self.may_vote and self._since is None:
            self._since = now
        return []

    def _place(self, operator: int, message: Remember) -> None:
        """Where another one is: we may have voted up to there, before we started again.

        Counted anew with each that is heard, or the first to speak could spend 1,000 terms.
        """
        if not self._is_restarted or message.term > self._ballots.term + MAX_AHEAD:
            return
        self._terms.setdefault(operator, message.term)
        if not self.is_over:
            self._confirmed = max(self._confirmed, message.confirmed)
        members = self._replica.chain.members
        liars = len(members) - quorum(len(members))  # as many as there may be
        terms = sorted(self._terms.values(), reverse=True)
        named = terms[min(liars, len(terms) - 1)]  # those above it may be lies
        self._ballots.suppose_spent(named)

    def hold(self, contributions: Iterable[Contribution]) -> None:
        """Something was said too early."""
        after = self._replica.newest_of_the_game
        self._held += [_Said(said, after) for said in contributions]

    def knows_all(self, now: float, linked: Collection[int]) -> bool:
        """Whether all who are linked have told us what they heard of us, and we have what they
        know confirmed; or have waited for it long enough.
        """
        if self._since is None:
            self._since = now
        known = max(self._replica.confirmed, 0)  # the genesis is everybody's
        has_heard_all = known >= self._confirmed and self._told >= {*linked}
        return self.is_over or has_heard_all or now - self._since >= LONGEST_WAIT

    def look(
        self, now: float, part: Leader | Follower, linked: Collection[int] = ()
    ) -> list[Effect]:
        """Whether we may say something new from now on: once all who are linked have told us
        what they heard, with what they know confirmed, under a host that we follow. What was
        held is said, or overtaken.
        """
        if self.is_over or not self.may_vote:
            return []
        if isinstance(part, Follower) and not part.may_speak:
            return []
        self.is_over = self.knows_all(now, linked)
        if not self.is_over:
            return []
        after, held, self._held = self._replica.newest_of_the_game, self._held, []
        fresh = [said.contribution for said in held if said.after == after]
        overtaken = [said.contribution for said in held if said.after != after]
        return [
            *self._replica.write(fresh),
            *(Reject(said.key, 0, "lost") for said in overtaken),
        ]
