"""Who orders, and what happens when it is gone: Raft's rules, literally.

After Ongaro, *Consensus: Bridging Theory and Practice* (2014), chapter 3, with pre-vote (9.6)
and check-quorum (6.2):

- One vote a term, on disk before it is sent, and only for a journal at least as new as ours.
- Who loses the host first asks whether it *would* be voted for. Whoever still hears the host
  says no, so that a laptop that wakes up does not depose a healthy host.
- A new host confirms an entry of its own term, its election, before anything older.
- A host that hears no majority steps down.

What differs: votes are signed and go into the journal, so a term is proven and not claimed; and
candidates prefer the seat order after the lost host, by waiting a little longer each.

Time is an argument, in seconds of any clock that only moves forward; safety needs none.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import msgspec

from protocol.application import Contribution
from protocol.codec import decode
from protocol.effects import Effect, Fail, Hosting, Send, StoreBallot
from protocol.election import double_vote, open_election
from protocol.errors import RemoteError
from protocol.follower import Follower
from protocol.genesis import FIRST_TERM, HOST
from protocol.gossip import compare, gossip
from protocol.hearing import Hearing, Timing
from protocol.messages import (
    Acked,
    Beat,
    Commit,
    Elected,
    Entries,
    Follow,
    Refused,
    RequestVote,
    Submit,
    TrialVote,
    Voted,
    Witness,
)
from protocol.poll import MAX_AHEAD, Ballot, Poll
from protocol.replica import Replica
from protocol.sequencer import Sequencer
from protocol.statements import MAX_ORDERED, Election, Signed, quorum


class Succession:
    """One operator's part in a match, whoever hosts. Every call returns effects, in order."""

    def __init__(
        self,
        replica: Replica,
        *,
        now: float,
        timing: Timing,
        chance: Random,
        ballot: Ballot | None = None,
    ) -> None:
        """A match that begins under operator 0; or, with our `ballot`, one that goes on."""
        chain = replica.chain
        self.replica = replica
        self.host: int | None = HOST if ballot is None else None
        self.role: Sequencer | Follower
        self._me = replica.me
        operators = len(chain.genesis.operators)
        self._quorum = quorum(operators)
        self._hearing = Hearing(self._me, operators, timing, chance, now)
        if ballot is None or ballot.term < chain.term:
            ballot = Ballot(chain.term)
        self._poll = Poll(replica.identity, chain.genesis, self._me, ballot)
        self._election: Signed | None = None  # what made `host` the host
        self._linked: set[int] = set()
        self._beaten = now
        self.role = Follower(replica, self.term, self.host)
        if self.host is None:
            # After a restart of everybody, whoever hosted last is the first to ask.
            self._hearing.lose((chain.host_index(chain.term) - 1) % operators)
            self._hearing.wait(now, timing.hasty)
        elif self.host == self._me:
            self.role = Sequencer(replica, self.term)
            self._hearing.host(now, range(operators))
        else:
            self._hearing.follow(now, self.host, linked=True)

    @property
    def term(self) -> int:
        return self._poll.term

    @property
    def is_host(self) -> bool:
        return isinstance(self.role, Sequencer)

    @property
    def is_settled(self) -> bool:
        return self.role.is_settled

    def start(self, now: float) -> list[Effect]:
        """Once, before anything else."""
        effects, self.replica.lost = self.replica.lost, []
        if isinstance(self.role, Sequencer):
            effects += self.role.start()
        if self.host is not None:
            effects.append(Hosting(self.host))
        if self._quorum == 1 and not self.is_host:
            effects += self._stand(now)
        return effects

    def write(self, contributions: Iterable[Contribution]) -> list[Effect]:
        """Say something."""
        return self.role.write(contributions)

    def kept(self, counters: Iterable[int]) -> list[Effect]:
        """Our letters are on our disk."""
        return self.role.kept(counters)

    def stored(self, seq: int, entry_hash: bytes) -> list[Effect]:
        """An entry is on our disk, unless it has given way meanwhile."""
        if not self.replica.has_stored(seq, entry_hash):
            return []
        return self.role.stored(seq)

    def folded(
        self, seq: int, code: str | None, digest: bytes | None, turned: bool = True
    ) -> list[Effect]:
        """The application's answer to `Fold(seq, …)`."""
        return self.role.folded(seq, code, digest, turned)

    def linked(self, now: float, operator: int) -> list[Effect]:
        """We can speak with this operator."""
        self._linked.add(operator)
        effects: list[Effect] = [*self._correct(operator), Send(operator, self.beat())]
        if operator == self.host and isinstance(self.role, Follower):
            self._hearing.host_is_back()
            self._hear_host(now)
            effects += self.role.connected()
        return effects

    def unlinked(self, now: float, operator: int) -> list[Effect]:
        """The link broke."""
        self._linked.discard(operator)
        if isinstance(self.role, Sequencer):
            self.role.gone(operator)
        elif operator == self.host:
            self.role.disconnected()
            self._hearing.host_is_gone(now)
        return []

    def hear(self, now: float, operator: int, message: msgspec.Struct) -> list[Effect]:
        """Something that this operator said on its link."""
        match message:
            case Beat():
                return self._hear_beat(now, operator, message)
            case RequestVote():
                return self._requested(now, operator, message)
            case TrialVote(term, granted):
                return self._stand(now) if self._poll.tried(operator, term, granted) else []
            case Voted(vote):
                return self._count(now, operator, vote)
            case Elected(election):
                return self._elected(now, operator, election)
            case Witness(entry):
                return compare(self.replica.chain, entry)
        if isinstance(self.role, Sequencer):
            return self._hear_guest(now, operator, message, self.role)
        if operator == self.host:
            return self._hear_order(now, message, self.role)
        return self._correct(operator)  # it takes us, or itself, for the host

    def _hear_guest(
        self, now: float, operator: int, message: msgspec.Struct, role: Sequencer
    ) -> list[Effect]:
        match message:
            case Follow():
                if message.term == self.term:
                    self._hearing.hear(operator, now)
                return role.follow(operator, message)
            case Submit(authored):
                return role.submit(operator, authored)
            case Acked(ack):
                return role.acked(operator, ack)
        return self._correct(operator)

    def _hear_order(self, now: float, message: msgspec.Struct, role: Follower) -> list[Effect]:
        match message:
            case Entries(entries):
                self._hear_host(now)
                return role.entries(entries)
            case Commit(seq, acks):
                self._hear_host(now)
                return role.commit(seq, acks)
            case Refused(refusal):
                self._hear_host(now)
                return role.refused(refusal)
        return []

    # Time.

    @property
    def due(self) -> float:
        """When `tick` has something to do."""
        beat = self._beaten + self._hearing.timing.beat
        return beat if isinstance(self.role, Sequencer) else min(beat, self._hearing.due)

    def tick(self, now: float) -> list[Effect]:
        """Time has passed."""
        effects: list[Effect] = []
        if now >= self._beaten + self._hearing.timing.beat:
            self._beaten = now
            effects += [*self._tell_all(self.beat()), *self.role.flush()]
        if isinstance(self.role, Sequencer):
            if not self._hearing.hears_majority(now):
                effects += self._step_down(now)
        elif now >= self._hearing.due:
            effects += self._canvass(now)
        return effects

    def _hear_host(self, now: float) -> None:
        if self._hearing.hear_host(now):
            self._poll.drop()

    def _is_content(self, now: float) -> bool:
        """Whether we have a host and no reason to want another."""
        if isinstance(self.role, Sequencer):
            return self._hearing.hears_majority(now)
        return self.host is not None and self._hearing.hears_host(now)

    # Who is where.

    def beat(self) -> Beat:
        """Where we are."""
        chain = self.replica.chain
        known = max(self.replica.confirmed, 0)
        return Beat(self.term, self.is_host, chain.head, known, chain.hash_at(known))

    def _hear_beat(self, now: float, operator: int, beat: Beat) -> list[Effect]:
        effects = gossip(self.replica, operator, beat)
        if beat.term < self.term:
            return effects + self._correct(operator)
        if beat.term > self.term:
            if isinstance(self.role, Sequencer) and beat.term <= self.term + MAX_AHEAD:
                # It has promised itself to a later term, and follows only one after that.
                effects += self._enter(now, beat.term)
                self._hearing.due = now
            return effects
        self._hearing.hear(operator, now)
        if beat.hosting and self.host is None and (self.term, operator) == (FIRST_TERM, HOST):
            effects += self._follow(now, HOST, None)  # the genesis is its election
        if operator == self.host:
            if beat.hosting:
                self._hear_host(now)
            else:
                self._hearing.host_is_gone(now)  # started again, or stepped down
        return effects

    def _correct(self, operator: int) -> list[Effect]:
        """Tell somebody who hosts, with the proof."""
        return [] if self._election is None else [Send(operator, Elected(self._election))]

    def _tell_all(self, message: msgspec.Struct) -> list[Effect]:
        return [Send(operator, message) for operator in sorted(self._linked)]

    # Elections.

    def _enter(self, now: float, term: int) -> list[Effect]:
        """A later term, in which nobody is known to host yet."""
        effects = self._follow_nobody()
        self._poll.enter(term)
        self.role = Follower(self.replica, term, None)
        self._hearing.wait(now, self._hearing.timing.again)
        return [*effects, StoreBallot(self._poll.ballot)]

    def _follow_nobody(self) -> list[Effect]:
        """Our host is none any more, ourselves included."""
        effects: list[Effect] = []
        if isinstance(self.role, Sequencer):
            effects += self.role.step_down()
        self._hearing.lose(self.host)
        if self.host is not None:
            self.host = None
            effects.append(Hosting(None))
        self._election = None
        return effects

    def _step_down(self, now: float) -> list[Effect]:
        """We hear no majority: others may have a host already, and we order no more."""
        effects = self._follow_nobody()
        self.role = Follower(self.replica, self.term, None)
        self._hearing.wait(now, self._hearing.timing.hasty)
        return effects

    def _canvass(self, now: float) -> list[Effect]:
        """Would a majority have us?"""
        if not self.replica.is_at_rest:
            self._hearing.due = now + self._hearing.timing.hasty
            return []
        self._hearing.wait(now, self._hearing.timing.again)
        if self._poll.try_out():
            return self._stand(now)
        return self._request(self.term + 1, trial=True)

    def _request(self, term: int, *, trial: bool) -> list[Effect]:
        chain, head = self.replica.chain, self.replica.chain.head
        return self._tell_all(RequestVote(term, chain.term, head, chain.hash_at(head), trial))

    def _requested(self, now: float, operator: int, request: RequestVote) -> list[Effect]:
        """Somebody would host, or asks whether it could."""
        # The host itself asks only when it has stepped down.
        content = self._is_content(now) and operator != self.host
        as_new = self._is_as_new(request)
        sensible = self.term <= request.term <= self.term + MAX_AHEAD
        if request.trial:
            granted = as_new and sensible and not content and request.term > self.term
            behind = [] if granted else self._correct(operator)
            return [*behind, Send(operator, TrialVote(request.term, granted))]
        if content or not sensible:
            return self._correct(operator)
        effects = self._enter(now, request.term) if request.term > self.term else []
        if not as_new or self.host is not None or not self._poll.may_promise(operator):
            return effects
        self._poll.promise(operator, request.seq, request.hash)
        self._hearing.wait(now, self._hearing.timing.again)
        return [*effects, StoreBallot(self._poll.ballot)]

    def _is_as_new(self, request: RequestVote) -> bool:
        chain = self.replica.chain
        return (chain.term, chain.head) <= (request.last_term, request.seq)

    def _stand(self, now: float) -> list[Effect]:
        """We are a candidate: our own vote first, on our disk."""
        if not self.replica.is_at_rest:
            return []  # the host came back meanwhile
        chain = self.replica.chain
        effects = self._follow_nobody()
        self._poll.stand(chain.head, chain.hash_at(chain.head))
        self.role = Follower(self.replica, self.term, None)
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
        return [*self._request(self.term, trial=False), *self._count(now, self._me, vote)]

    def _count(self, now: float, operator: int, vote: Signed) -> list[Effect]:
        election = self._poll.count(operator, vote)
        if election is None:
            return []
        self._election, self.host = election, self._me
        self._hearing.host(now, self._linked)
        sequencer = self.role = Sequencer(self.replica, self.term)
        return [
            Hosting(self._me),
            *self._tell_all(Elected(election)),
            *sequencer.start(election),
        ]

    def _elected(self, now: float, operator: int, signed: Signed) -> list[Effect]:
        """Somebody hosts, as a majority's votes show."""
        if self._election == signed:
            return []
        try:
            election = open_election(self.replica.chain.genesis, signed)
        except RemoteError:
            return []  # no proof, no host
        if election.term < self.term:
            return self._correct(operator)
        if election.term == self.term and self.host is not None:
            return self._two_hosts(election)
        effects = self._follow_nobody()
        if self._poll.elected(election.term):
            effects.append(StoreBallot(self._poll.ballot))
        return effects + self._follow(now, election.candidate, signed)

    def _follow(self, now: float, host: int, election: Signed | None) -> list[Effect]:
        """This operator hosts in our term."""
        self._election, self.host = election, host
        self._hearing.follow(now, host, linked=host in self._linked)
        follower = self.role = Follower(self.replica, self.term, host)
        return [Hosting(host), *(follower.connected() if host in self._linked else [])]

    def _two_hosts(self, other: Election) -> list[Effect]:
        """Two elections of one term: somebody voted twice."""
        if other.candidate == self.host or self._election is None:
            return []
        ours = decode(self._election.content, Election, limit=MAX_ORDERED)
        return [Fail(double_vote(self.replica.chain.genesis, ours, other))]
