"""Who hosts, in which term: what is known of it, and the role that comes of it for us.

An office is taken by a majority's votes, and given up by whoever hears no majority any more.
Whether we would vote for somebody, or stand ourselves, is decided in `succession`.
"""

from __future__ import annotations

import msgspec

from protocol.errors import RemoteError
from protocol.journal.election import double_vote, open_election
from protocol.journal.statements import MAX_ORDERED, Election, Signed
from protocol.messages import Elected, RequestVote, Voted
from protocol.replication.ballot import Ballot, BallotBox
from protocol.replication.effects import (
    Clear,
    Effect,
    Fail,
    Hosting,
    Send,
    StoreBallot,
    Suspect,
)
from protocol.replication.follower import Follower
from protocol.replication.host_watch import HostWatch
from protocol.replication.leader import Leader
from protocol.replication.replica import Replica
from protocol.replication.timers import Timers
from protocol.wire.codec import decode


class Leadership:
    """The host of our term, and our own role under it. Pure; time is an argument.

    Every call that changes it returns effects, in order.
    """

    def __init__(
        self,
        replica: Replica,
        poll: BallotBox,
        hearing: Timers,
        watch: HostWatch,
        host: int | None,
    ) -> None:
        """`host`: who hosts in our term; None where we do not know yet."""
        self.host = host
        self.linked: set[int] = set()  #: with whom we can speak
        self._replica = replica
        self._me = replica.me
        self._poll = poll
        self._hearing = hearing
        self._watch = watch
        self._election: Signed | None = None  # what made `host` the host
        self._refused: set[int] = set()  # terms whose election we do not follow
        self.role: Leader | Follower
        if host == self._me:
            self.role = Leader(replica, poll.term)
        else:
            self.role = Follower(replica, poll.term, host)

    @property
    def term(self) -> int:
        return self._poll.term

    # Leaving.

    def enter(self, now: float, term: int) -> list[Effect]:
        """A later term, in which nobody is known to host yet."""
        effects = self._follow_nobody()
        self._poll.enter(term)
        self.role = Follower(self._replica, term, None)
        self._hearing.wait(now, self._hearing.timing.again)
        return [*effects, StoreBallot(self._poll.ballot)]

    def step_down(self, now: float) -> list[Effect]:
        """We hear no majority: others may have a host already, and we order no more."""
        effects = self._follow_nobody()
        self.role = Follower(self._replica, self.term, None)
        self._hearing.wait(now, self._hearing.timing.hasty)
        return effects

    def _follow_nobody(self) -> list[Effect]:
        """Our host is none any more, ourselves included."""
        effects: list[Effect] = []
        if isinstance(self.role, Leader):
            effects += self.role.step_down()
        self._hearing.lose(self.host)
        if self.host is not None:
            self.host = None
            effects.append(Hosting(None))
        self._election = None
        return effects

    # Standing for it.

    def stand(self, now: float) -> list[Effect]:
        """We are a candidate: our own vote first, on our disk."""
        if not self._replica.is_at_rest:
            return []  # the host came back meanwhile
        chain = self._replica.chain
        effects = self._follow_nobody()
        self._poll.stand(chain.head, chain.hash_at(chain.head))
        self.role = Follower(self._replica, self.term, None)
        self._hearing.wait(now, self._hearing.timing.again)
        return [*effects, StoreBallot(self._poll.ballot)]

    def balloted(self, now: float, ballot: Ballot) -> list[Effect]:
        """Our term and vote are on our disk: now we may give it."""
        made = self._poll.vote() if ballot == self._poll.ballot else None
        if made is None:
            return []
        candidate, vote = made
        if candidate != self._me:
            return [Send(candidate, Voted(vote))]
        if not self._poll.is_candidate:
            return []
        return [*self.request(self.term, trial=False), *self.count(now, self._me, vote)]

    def request(self, term: int, *, trial: bool) -> list[Effect]:
        """Ask everybody for a vote in `term`, or whether we would have it."""
        chain, head = self._replica.chain, self._replica.chain.head
        return self.tell_all(RequestVote(term, chain.term, head, chain.hash_at(head), trial))

    def count(self, now: float, operator: int, vote: Signed) -> list[Effect]:
        """Somebody votes for us: with a majority's votes we host."""
        election = self._poll.count(operator, vote)
        if election is None:
            return []
        self._election, self.host = election, self._me
        self._hearing.host(now, self.linked)
        hosting = self._hosting(self._me)
        words = self._replica.unanswered.take()
        sequencer = self.role = Leader(self._replica, self.term)
        return [
            *hosting,
            *self.tell_all(Elected(election)),
            *sequencer.start(election, words),
        ]

    # Others in it.

    def elected(self, now: float, operator: int, signed: Signed) -> list[Effect]:
        """Somebody hosts, as a majority's votes show."""
        if self._election == signed:
            return []
        try:
            election = open_election(self._replica.chain.genesis, signed)
        except RemoteError:
            return []  # no proof, no host
        if election.term < self.term:
            return self.correct(operator)
        if election.term == self.term and self.host is not None:
            return self._two_hosts(election)
        forgetful = self._replica.forgetful_voter(election)
        if forgetful is not None:
            # What we know confirmed would be undone: we do not follow, and name nobody.
            return [] if election.term in self._refused else self._refuse(election, forgetful)
        effects = self._follow_nobody()
        if self._poll.elected(election):
            effects.append(StoreBallot(self._poll.ballot))
        return effects + self.follow(now, election.candidate, signed)

    def _refuse(self, election: Election, forgetful: int) -> list[Effect]:
        self._refused.add(election.term)
        return [Suspect(forgetful, "differs")]

    def follow(self, now: float, host: int, election: Signed | None) -> list[Effect]:
        """This operator hosts in our term."""
        self._election, self.host = election, host
        self._hearing.follow(now, host, linked=host in self.linked)
        self._watch.begin(now, self.host)
        follower = self.role = Follower(self._replica, self.term, host)
        greeting = follower.connected() if host in self.linked else []
        return [*self._hosting(host), *greeting]

    def _hosting(self, host: int) -> list[Effect]:
        """Who hosts, and instead of whom; who was suspected of hosting badly owes no more."""
        before = self._watch.distrust.replace()
        if before is None:
            return [Hosting(host)]
        return [Hosting(host, None if before == host else before), Clear(before)]

    def _two_hosts(self, other: Election) -> list[Effect]:
        """Two elections of one term: somebody voted twice."""
        if other.candidate == self.host or self._election is None:
            return []
        ours = decode(self._election.content, Election, limit=MAX_ORDERED)
        return [Fail(double_vote(self._replica.chain.genesis, ours, other))]

    # Telling.

    def correct(self, operator: int) -> list[Effect]:
        """Tell somebody who hosts, with the proof."""
        return [] if self._election is None else [Send(operator, Elected(self._election))]

    def tell_all(self, message: msgspec.Struct) -> list[Effect]:
        """Say this to everybody with whom we can speak."""
        return [Send(operator, message) for operator in sorted(self.linked)]
