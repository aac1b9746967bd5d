"""Who orders, and what happens when it is gone: Raft's rules, literally.

After Ongaro, *Consensus: Bridging Theory and Practice* (2014), chapter 3, with pre-vote (9.6)
and check-quorum (6.2):

- One vote a term, on disk before it is sent, and only for a journal at least as new as ours.
- Who loses the host first asks whether it *would* be voted for. Whoever still hears the host
  says no, so that a laptop that wakes up does not depose a healthy host.
- A new host confirms an entry of its own term, its election, before anything older.
- A host that hears no majority steps down.
- A host that leaves statements lying is treated as one that is silent (`unanswered`).
- Who starts again hears first what others last heard of it (`recollection`).

What differs: votes are signed and go into the journal, so a term is proven and not claimed; and
candidates prefer the seat order after the lost host, by waiting a little longer each.

Time is an argument, in seconds of any clock that only moves forward; safety needs none.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import msgspec

from protocol.application import Contribution
from protocol.journal.genesis import FIRST_TERM, HOST
from protocol.journal.statements import quorum
from protocol.messages import (
    Acked,
    Commit,
    Elected,
    Entries,
    Follow,
    Heartbeat,
    History,
    Refused,
    Remember,
    RequestVote,
    Submit,
    TrialVote,
    Voted,
    Witness,
)
from protocol.replication.backoff import LateRejections, Yielding
from protocol.replication.ballot import MAX_AHEAD, Ballot, BallotBox
from protocol.replication.catching_up import OtherSources, answer
from protocol.replication.effects import Cut, Effect, Hosting, Send, StoreBallot
from protocol.replication.follower import Follower
from protocol.replication.gossip import compare, gossip
from protocol.replication.host_watch import HostWatch
from protocol.replication.leader import Leader
from protocol.replication.leadership import Leadership
from protocol.replication.replica import Replica
from protocol.replication.restart import Reminders
from protocol.replication.timers import Timeouts, Timers


class Raft:
    """One operator's part in a match, whoever hosts. Every call returns effects, in order."""

    def __init__(
        self,
        replica: Replica,
        *,
        now: float,
        timing: Timeouts,
        chance: Random,
        ballot: Ballot | None = None,
    ) -> None:
        """A match that begins under operator 0; or, with our `ballot`, one that goes on."""
        chain = replica.chain
        operators = len(chain.genesis.operators)
        host = HOST if ballot is None else None
        is_restarted = ballot is not None
        if ballot is None or ballot.term < chain.term:
            ballot = Ballot(chain.term)
        self.replica = replica
        self._me = replica.me
        self._quorum = quorum(operators)
        self._hearing = Timers(self._me, operators, timing, chance, now)
        self._watch = HostWatch(replica, self._hearing, now)
        self._poll = BallotBox(replica.identity, chain.genesis, self._me, ballot)
        self._reminders = Reminders(replica, self._poll, restarted=is_restarted)
        self._sources = OtherSources(replica, self._hearing, now)
        self._late = LateRejections(replica.outbox)
        self._yielding = Yielding()
        self._now = now
        self._beaten = now
        for entry in chain.entries:
            if entry.election is not None:
                self._poll.note(entry.election)
        self._office = Leadership(replica, self._poll, self._hearing, self._watch, host)
        if host is None:
            self._poll.spend(self.term)  # our disk may not know what we did in this term
            # After a restart of everybody, whoever hosted last is the first to ask.
            self._hearing.lose((chain.host_index(chain.term) - 1) % operators)
            self._hearing.wait(now, timing.hasty)
        elif host == self._me:
            self._hearing.host(now, range(operators))
        else:
            self._hearing.follow(now, host, linked=True)

    @property
    def host(self) -> int | None:
        """Who hosts in our term, where we know it."""
        return self._office.host

    @property
    def role(self) -> Leader | Follower:
        """What we are to that host, or as that host."""
        return self._office.role

    @property
    def term(self) -> int:
        return self._poll.term

    @property
    def is_host(self) -> bool:
        return isinstance(self.role, Leader)

    @property
    def is_settled(self) -> bool:
        return self._reminders.is_over and self.role.is_settled

    def start(self, now: float) -> list[Effect]:
        """Once, before anything else."""
        effects, self.replica.lost = self.replica.lost, []
        if isinstance(self.role, Leader):
            effects += self.role.start()
        if self.host is not None:
            effects.append(Hosting(self.host))
        if self._quorum == 1 and not self.is_host:
            effects += self._office.stand(now)
        return effects

    def write(self, contributions: Iterable[Contribution]) -> list[Effect]:
        """Say something; after a restart, once we have heard what we have said before."""
        if not self._reminders.is_over:
            self._reminders.hold(contributions)
            return []
        return self.role.write(contributions)

    def kept(self, counters: Iterable[int]) -> list[Effect]:
        """Our letters are on our disk."""
        return self._paced(self.role.kept(counters))

    def stored(self, seq: int, entry_hash: bytes) -> list[Effect]:
        """An entry is on our disk, unless it has given way meanwhile."""
        if not self.replica.has_stored(seq, entry_hash):
            return []
        return self.role.stored(seq)

    def folded(
        self, seq: int, code: str | None, digest: bytes | None, turned: bool = True
    ) -> list[Effect]:
        """The application's answer to `Fold(seq, …)`."""
        return self._paced(self.role.folded(seq, code, digest, turned))

    def examined(self, key: bytes, code: str | None) -> list[Effect]:
        """The application's answer to `Examine(key, …)`."""
        return self._paced(self.role.examined(key, code))

    def linked(self, now: float, operator: int) -> list[Effect]:
        """We can speak with this operator."""
        self._now = now
        self._office.linked.add(operator)
        effects: list[Effect] = [
            Send(operator, self._reminders.of(operator, self.role)),
            *self._office.correct(operator),
            Send(operator, self.beat()),
        ]
        if operator == self.host and isinstance(self.role, Follower):
            self._hearing.host_is_back()
            self._hear_host(now)
            self._watch.come_back(now)
            effects += self.role.connected()
        return effects

    def unlinked(self, now: float, operator: int) -> list[Effect]:
        """The link broke."""
        self._office.linked.discard(operator)
        if isinstance(self.role, Leader):
            self.role.gone(operator)
        elif operator == self.host:
            self.role.disconnected()
            self._hearing.host_is_gone(now)
        return []

    def hear(self, now: float, operator: int, message: msgspec.Struct) -> list[Effect]:
        """Something that this operator said on its link."""
        self._now = now
        effects = self._paced(self._heard(now, operator, message))
        effects += self._reminders.look(now, self.role)
        if isinstance(message, Submit | Refused):
            effects += self._look_at_host(now)
        return effects

    def _heard(self, now: float, operator: int, message: msgspec.Struct) -> list[Effect]:
        match message:
            case Heartbeat():
                return self._hear_beat(now, operator, message)
            case RequestVote():
                return self._requested(now, operator, message)
            case TrialVote(term, granted):
                wanted = self._poll.tried(operator, term, granted)
                return self._office.stand(now) if wanted else []
            case Voted(vote):
                return self._office.count(now, operator, vote)
            case Elected(election):
                return self._office.elected(now, operator, election)
            case Witness(entry):
                return compare(self.replica.chain, entry)
            case Remember():
                return self._reminders.hear(now, operator, message)
        if isinstance(self.role, Leader):
            return self._hear_guest(now, operator, message, self.role)
        match message:
            case Submit(authored):
                return self._watch.hear_word(now, operator, authored, self.role)
            case Refused(refusal):
                if operator == self.host:
                    self._hear_host(now)  # else it is passed on
                return self._watch.hear_refusal(refusal, self.role)
            case Follow() if operator != self.host:
                return [Send(operator, one) for one in answer(self.replica, message)]
            case History():
                return self._sources.hear(operator, message, self.role)
        if operator == self.host:
            return self._hear_order(now, message, self.role)
        return self._office.correct(operator)  # it takes us, or itself, for the host

    def _hear_guest(
        self, now: float, operator: int, message: msgspec.Struct, role: Leader
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
        return self._office.correct(operator)

    def _hear_order(self, now: float, message: msgspec.Struct, role: Follower) -> list[Effect]:
        match message:
            case Entries(entries):
                self._hear_host(now)
                return role.entries(entries)
            case Commit(seq, acks):
                self._hear_host(now)
                return role.commit(seq, acks)
        return []

    def _paced(self, effects: list[Effect]) -> list[Effect]:
        """These effects, without what our game is told later."""
        if any(isinstance(one, Cut) and one.operator == self.host for one in effects):
            self._watch.mislead()
        return self._late.hold(self._now, effects)

    def _look_at_host(self, now: float) -> list[Effect]:
        """Bring, show and ask for what is owed; suspect a host that stays in debt."""
        role = self.role
        if not isinstance(role, Follower):
            return []
        linked = self._office.linked
        return [*self._sources.ask(now, role, linked), *self._watch.tend(now, role, linked)]

    # Time.

    @property
    def due(self) -> float:
        """When `tick` has something to do."""
        beat = self._beaten + self._hearing.timing.beat
        beat = min([beat, *self._late.times])
        return beat if isinstance(self.role, Leader) else min(beat, self._hearing.due)

    def tick(self, now: float) -> list[Effect]:
        """Time has passed."""
        self._now = now
        effects = self._late.release(now)
        if now >= self._beaten + self._hearing.timing.beat:
            self._beaten = now
            effects += [*self._office.tell_all(self.beat()), *self.role.flush()]
            effects += [*self._reminders.look(now, self.role), *self._look_at_host(now)]
        if isinstance(self.role, Leader):
            if not self._hearing.hears_majority(now):
                effects += self._office.step_down(now)
        elif now >= self._hearing.due:
            effects += self._canvass(now)
        return effects

    def _hear_host(self, now: float) -> None:
        if self._hearing.hear_host(now):
            self._poll.drop()

    def _is_content(self, now: float) -> bool:
        """Whether we have a host and no reason to want another."""
        if isinstance(self.role, Leader):
            return self._hearing.hears_majority(now)
        return self.host is not None and self._hearing.hears_host(now)

    # Who is where.

    def beat(self) -> Heartbeat:
        """Where we are."""
        chain = self.replica.chain
        known = max(self.replica.confirmed, 0)
        return Heartbeat(self.term, self.is_host, chain.head, known, chain.hash_at(known))

    def _hear_beat(self, now: float, operator: int, beat: Heartbeat) -> list[Effect]:
        effects = gossip(self.replica, operator, beat)
        self._reminders.beat(operator, beat)
        self._sources.beat(operator, beat.confirmed)
        if beat.term < self.term:
            return effects + self._office.correct(operator)
        if beat.term > self.term:
            sensible = beat.term <= self.term + MAX_AHEAD
            if sensible:
                self._poll.hear(beat.term)
            ahead = sensible and isinstance(self.role, Leader)
            if ahead and self._yielding.gives_in(now, operator):
                # It has promised itself to a later term, and follows only one after that.
                effects += self._office.enter(now, beat.term)
                self._hearing.due = now
            return effects
        self._hearing.hear(operator, now)
        if beat.hosting and self.host is None and (self.term, operator) == (FIRST_TERM, HOST):
            effects += self._office.follow(now, HOST, None)  # the genesis is its election
        if operator == self.host:
            self._watch.hear(beat.head, beat.confirmed)
            if beat.hosting:
                self._hear_host(now)
            else:
                self._hearing.host_is_gone(now)  # started again, or stepped down
                effects += self._watch.excuse()
        return effects

    # Elections.

    def _canvass(self, now: float) -> list[Effect]:
        """Would a majority have us?"""
        if not self.replica.is_at_rest or not self._reminders.may_vote:
            self._hearing.due = now + self._hearing.timing.hasty
            return []
        self._hearing.wait(now, self._hearing.timing.again)
        if self._poll.try_out():
            return self._office.stand(now)
        return self._office.request(self._poll.next_term, trial=True)

    def _requested(self, now: float, operator: int, request: RequestVote) -> list[Effect]:
        """Somebody would host, or asks whether it could."""
        # The host itself asks only when it has stepped down.
        content = self._is_content(now) and operator != self.host
        content = content or not self._would_have(operator)
        as_new = self._is_as_new(request)
        sensible = self.term <= request.term <= self.term + MAX_AHEAD
        if request.trial:
            granted = as_new and sensible and not content and request.term > self.term
            behind = [] if granted else self._office.correct(operator)
            return [*behind, Send(operator, TrialVote(request.term, granted))]
        if content or not sensible:
            return self._office.correct(operator)
        effects = self._office.enter(now, request.term) if request.term > self.term else []
        if not as_new or self.host is not None or not self._poll.may_promise(operator):
            return effects
        self._poll.promise(operator, request.seq, request.hash)
        self._hearing.wait(now, self._hearing.timing.again)
        return [*effects, StoreBallot(self._poll.ballot)]

    def _would_have(self, candidate: int) -> bool:
        """Whether our vote may be had, and by this one."""
        others = (self._office.linked | {self._me}) - {candidate}
        trusted = self._watch.distrust.would_have(candidate, others)
        # Perhaps nobody else has all that was confirmed.
        trusted = trusted or self._now - self._hearing.hosted > self._hearing.timing.reluctant
        return self._reminders.may_vote and trusted

    def _is_as_new(self, request: RequestVote) -> bool:
        chain = self.replica.chain
        return (chain.term, chain.head) <= (request.last_term, request.seq)

    def balloted(self, now: float, ballot: Ballot) -> list[Effect]:
        """Our term and vote are on our disk: now we may give it."""
        return self._office.balloted(now, ballot)
