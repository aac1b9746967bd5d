"""Who hosts, in which term, and our own role in it: every transition of `raft` is made here.

Whether we would vote for somebody, or want to host ourselves, is decided in `raft`; its
docstring has the table of roles.
"""

from __future__ import annotations

import logging
from enum import Enum

import msgspec

from protocol.errors import Malformed, RemoteError
from protocol.journal.election import (
    check_majority,
    journal_of,
    open_election,
)
from protocol.journal.statements import Election, Signed
from protocol.messages import Elected, RequestVote, TrialVote, Voted
from protocol.replication.answers import Answers
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

_log = logging.getLogger(__name__)


class Role(Enum):
    """What an operator is in its term."""

    FOLLOWER = "follower"
    PRE_CANDIDATE = "pre-candidate"
    CANDIDATE = "candidate"
    LEADER = "leader"
    OBSERVER = "observer"


class Roles:
    """Role, term and host of one operator. Pure; time is an argument.

    Every call that changes one of them returns effects, in order.
    """

    def __init__(
        self,
        replica: Replica,
        ballots: BallotBox,
        timers: Timers,
        watch: HostWatch,
        host: int | None,
        now: float,
    ) -> None:
        """`host`: who hosts in our term; None where we do not know yet."""
        self.host = host  #: who hosts in our term, where we know it
        self.reached: set[int] = set()  #: with whom we can speak
        self.replica = replica
        self._me = replica.me
        self._ballots = ballots
        self._timers = timers
        self._watch = watch
        self._election: Signed | None = None  # what made `host` the host
        self._refused: set[int] = set()  # terms whose election we do not follow
        self._astray: set[int] = set()  # whose history undoes what we know confirmed
        self._answers = Answers(replica)
        self.role = Role.FOLLOWER
        #: what keeps the journal for us: a follower for all roles but one
        self.part: Leader | Follower = self._follower(host)
        chain, operators = replica.chain, len(replica.chain.genesis.operators)
        if host is None:
            ballots.spend(self.term)  # our disk may not know what we did in this term
            # After a restart of everybody, whoever hosted last is the first to ask.
            timers.lose_host((chain.host_index(chain.term) - 1) % operators)
            timers.restart(now, timers.timing.hasty)
        elif host == self._me:
            self.role, self.part = Role.LEADER, Leader(replica, self.term)
            timers.lead(now, range(operators))
        else:
            timers.follow(now, host, linked=True)

    @property
    def term(self) -> int:
        return self._ballots.term

    def _become(self, role: Role, part: Leader | Follower | None = None) -> None:
        self.role, self.part = role, part or self.part
        _log.debug(
            "operator %d: %s in term %d, host %s", self._me, role.value, self.term, self.host
        )

    # Follower.

    def _follower(self, host: int | None = None) -> Follower:
        """Of our term; nobody's while we know no `host`."""
        return Follower(self.replica, self.term, host, self.reached, self._answers)

    def enter_term(self, term: int) -> list[Effect]:
        """Become a follower in a later term, in which nobody is known to host yet.

        When we look for a host ourselves stays as it was: nobody keeps us from it by asking.
        """
        effects = self._lose_host()
        self._ballots.enter(term)
        self._become(Role.FOLLOWER, self._follower())
        return [*effects, StoreBallot(self._ballots.ballot)]

    def step_down(self, now: float) -> list[Effect]:
        """We hear no majority, so that others may have a host already; or want ours no more."""
        effects = self._lose_host()
        self._become(Role.FOLLOWER, self._follower())
        self._timers.restart(now, self._timers.timing.hasty)
        return effects

    def become_follower(self, now: float, host: int, election: Signed | None) -> list[Effect]:
        self._election, self.host = election, host
        self._timers.follow(now, host, linked=host in self.reached)
        self._watch.begin(now, host)
        follower = self._follower(host)
        self._become(Role.FOLLOWER, follower)
        greeting = follower.connected() if host in self.reached else []
        return [*self._hosting(host), *greeting]

    def stay_follower(self) -> None:
        """The host is heard again: no vote is wanted any more."""
        if self.role is Role.PRE_CANDIDATE:
            self._become(Role.FOLLOWER)

    def _lose_host(self) -> list[Effect]:
        """Our host is none any more, ourselves included."""
        effects: list[Effect] = []
        if isinstance(self.part, Leader):
            effects += self.part.step_down()
        self._timers.lose_host(self.host)
        if self.host is not None:
            self.host = None
            effects.append(Hosting(None))
        self._election = None
        return effects

    # Candidate.

    def start_pre_vote(self, now: float) -> list[Effect]:
        """Become a pre-candidate: ask everybody whether we would have its vote."""
        self._timers.attempt(now)
        self._become(Role.PRE_CANDIDATE)
        if self._ballots.start_pre_vote(self.replica.chain.members):
            return self.become_candidate(now)
        return self._request(self._ballots.next_term, trial=True)

    def count_pre_vote(self, now: float, operator: int, vote: TrialVote) -> list[Effect]:
        """Somebody would vote for us, or would not."""
        if self.role is not Role.PRE_CANDIDATE:
            return []
        wanted = self._ballots.count_pre_vote(operator, vote.term, granted=vote.granted)
        return self.become_candidate(now) if wanted else []

    def become_candidate(self, now: float) -> list[Effect]:
        """Our own vote first, on our disk; no longer wanted where the host came back."""
        chain = self.replica.chain
        if not self.replica.is_at_rest:
            return []
        effects = self._lose_host()
        self._ballots.start_vote(chain.head, chain.hash_at(chain.head), chain.members)
        self._become(Role.CANDIDATE, self._follower())
        self._timers.attempt(now)
        return [*effects, StoreBallot(self._ballots.ballot)]

    def balloted(self, now: float, ballot: Ballot) -> list[Effect]:
        """Our term and vote are on our disk: now we may give it."""
        made = self._ballots.signed_vote() if ballot == self._ballots.ballot else None
        if made is None:
            return []
        candidate, vote = made
        if candidate != self._me:
            return [Send(candidate, Voted(vote))]
        if self.role is not Role.CANDIDATE:
            return []
        return [*self._request(self.term, trial=False), *self.count_vote(now, self._me, vote)]

    def _request(self, term: int, *, trial: bool) -> list[Effect]:
        """Ask everybody for a vote in `term`, or whether we would have it."""
        chain, head = self.replica.chain, self.replica.chain.head
        return self.tell_all(RequestVote(term, chain.term, head, chain.hash_at(head), trial))

    def count_vote(self, now: float, operator: int, vote: Signed) -> list[Effect]:
        """Somebody votes for us: with a majority's votes we host."""
        if self.role is not Role.CANDIDATE:
            return []
        chain = self.replica.chain
        if self._ballots.shown != (chain.head, chain.hash_at(chain.head)):
            # Somebody has shown us more since: these votes are for another journal.
            self._become(Role.FOLLOWER)
            return []
        election = self._ballots.count_vote(operator, vote)
        return [] if election is None else self._become_leader(now, election)

    # Leader.

    def _become_leader(self, now: float, election: Signed) -> list[Effect]:
        """Order from now on; first of all our election."""
        self._election, self.host = election, self._me
        self._timers.lead(now, self.reached)
        hosting = self._hosting(self._me)
        words = self.replica.unanswered.take()
        leader = Leader(self.replica, self.term)
        self._become(Role.LEADER, leader)
        return [*hosting, *self.tell_all(Elected(election)), *leader.start(election, words)]

    # Others' elections.

    def elected(self, now: float, operator: int, signed: Signed) -> list[Effect]:
        """Somebody hosts, as a majority's votes show."""
        if self._election == signed:
            return []
        try:
            election = open_election(self.replica.chain.genesis, signed)
            self._check_majority(election)
        except RemoteError:
            return []  # no proof, no host
        if election.term < self.term:
            told = self.replica.forgetful_voter(election) if operator == self.host else None
            if told is not None:
                return self._leave_host(now, operator, election.term, told)
            return self.correct(operator)
        if election.candidate in self._astray:
            return self._watch.excuse(now)
        if election.candidate == self._me:
            # We host no more, or have forgotten that we did: nobody follows itself.
            return self.enter_term(election.term) if election.term > self.term else []
        if (proven := self._ballots.double_vote(election)) is not None:
            return [Fail(proven)]
        if election.term == self.term and self.host is not None:
            return []  # the same one asked its voters anew, for another journal
        forgetful = self.replica.forgetful_voter(election)
        if forgetful is not None:
            # What we know confirmed would be undone: we do not follow, and name nobody.
            return self._refuse(now, election.term, forgetful)
        effects = self._lose_host()
        if self._ballots.elected(election):
            effects.append(StoreBallot(self._ballots.ballot))
        return effects + self.become_follower(now, election.candidate, signed)

    def _check_majority(self, election: Election) -> None:
        """Raise `Malformed` unless a majority has voted: of those who count in the journal that
        was shown, where we have it, else in ours. Whoever lacks too much of it has the history
        first, from anybody; but for one removal, which no history shows before it is confirmed.
        """
        replica, chain = self.replica, self.replica.chain
        seq, shown = journal_of(election)
        if chain.place_of(shown) == seq:
            check_majority(chain.genesis, election, chain.membership.at(seq))
            return
        try:
            check_majority(chain.genesis, election, chain.members)
        except Malformed:
            sure = chain.membership.at(max(replica.confirmed, 0))
            leaving = sure & replica.departed
            # One removal waits at a time; where several might be meant, nobody guesses.
            check_majority(
                chain.genesis, election, sure - leaving if len(leaving) == 1 else sure
            )

    def _refuse(self, now: float, term: int, forgetful: int) -> list[Effect]:
        """Another hosts for all others: who hosted before owes us nothing more."""
        if term in self._refused:
            return []
        self._refused.add(term)
        return [Suspect(forgetful, "forgets"), *self._watch.excuse(now)]

    def _leave_host(self, now: float, host: int, term: int, forgetful: int) -> list[Effect]:
        """It shows us an election of its history that we would have refused. We had not heard
        of it: we had begun anew, and have perhaps voted for it.
        """
        self._astray.add(host)
        return [*self._refuse(now, term, forgetful), *self.step_down(now)]

    def _hosting(self, host: int) -> list[Effect]:
        """Who hosts, and instead of whom; who was suspected of hosting badly owes no more."""
        before = self._watch.distrust.replace()
        if before is None:
            return [Hosting(host)]
        return [Hosting(host, None if before == host else before), Clear(before)]

    # Telling.

    def correct(self, operator: int) -> list[Effect]:
        """Tell somebody who hosts, with the proof."""
        return [] if self._election is None else [Send(operator, Elected(self._election))]

    def tell_all(self, message: msgspec.Struct) -> list[Effect]:
        return [Send(operator, message) for operator in sorted(self.reached)]
