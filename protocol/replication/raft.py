"""Who orders, and what happens when it is gone: Raft's rules, literally.

After Ongaro, *Consensus: Bridging Theory and Practice* (2014), chapter 3, with pre-vote (9.6)
and check-quorum (6.2):

- One vote a term, on disk before it is sent, and only for a journal at least as new as ours.
- Who loses the host first asks whether it *would* be voted for. Whoever still hears the host
  says no, so that a laptop that wakes up does not depose a healthy host.
- A new host confirms an entry of its own term, its election, before anything older.
- A host that hears no majority steps down.
- A host that leaves statements lying is treated as one that is silent (`unanswered`).
- Who starts again hears first what others last heard of it (`restart`).

What differs: votes are signed and go into the journal, so a term is proven and not claimed; and
candidates prefer the seat order after the lost host, by waiting a little longer each.

    role           becomes        when
    ─────────────  ─────────────  ────────────────────────────────────────────────────────────
    follower       pre-candidate  its election timer rings: no host is known, or it is silent,
                                  gone or in debt
    pre-candidate  candidate      a majority would vote for it
                   follower       it hears its host again
    candidate      leader         a majority votes for it
                   pre-candidate  its election timer rings
    leader         follower       it hears no majority for the lease
    any of these   follower       somebody's election, or a later term
    observer       -              never: it has no vote (`observer`)

`Roles` makes these transitions. Candidates keep the journal as followers of nobody.

Time is an argument, in seconds of any clock that only moves forward; safety needs none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from protocol.application import Contribution
from protocol.journal.genesis import FIRST_TERM, HOST, NO_TERM
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
from protocol.replication.ballot import FAR, MAX_AHEAD, STEP, Ballot, BallotBox
from protocol.replication.catching_up import OtherSources, answer
from protocol.replication.effects import Cut, Effect, Hosting, Send, StoreBallot
from protocol.replication.follower import Follower
from protocol.replication.host_watch import HostWatch
from protocol.replication.leader import Leader
from protocol.replication.parting import Partings
from protocol.replication.replica import Replica
from protocol.replication.restart import RestartGuard
from protocol.replication.roles import Role, Roles
from protocol.replication.timers import (
    LED_ON,
    LONGEST_LED,
    LateRejections,
    Timeouts,
    Timers,
    Yielding,
)

if TYPE_CHECKING:
    from random import Random


LEAP = 1 << 32
"""Counters, of which a program that starts with a disk leaves out fewer, at random; and terms,
where it elects itself. An honest person may have put back an older disk.
"""

MANY_TRIALS = 3
"""Tries, refused, of who has started again in the first term; then it believes operator 0 no
more that it does not host. Where nobody hosts, that costs half a second.
"""


class Raft(Roles):
    """One operator's part in a match, whoever hosts. Every call returns effects, in order.

    It is its roles, and does not hold them: role, term, host and what goes with them are the
    machine's own state, and its face. What is here decides, by messages and time; `Roles` makes
    the changes, and asks nothing of what is here.
    """

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
        if ballot is None or ballot.term < chain.term:
            ballot = Ballot(chain.term)
        timers = Timers(replica.me, operators, timing, chance, now)
        watch = HostWatch(replica, timers, now)
        ballots = BallotBox(replica.identity, chain.genesis, replica.me, ballot)
        self._restart = RestartGuard(replica, ballots, restarted=host is None)
        if host is None:
            replica.outbox.leap(chance.randrange(1, LEAP))
        self._sources = OtherSources(replica, timers, now)
        self._partings = Partings(replica, self._sources, timing.show)
        self._late = LateRejections(replica.outbox)
        self._yielding = Yielding()
        self._led = Yielding(0.0, LED_ON, LONGEST_LED)  # while nobody hosts
        self._chance = chance
        self._now = now
        self._last_heartbeat = now
        self._first_host_beat = now
        self._trials = 0  # how often we have asked for trial votes
        for entry in chain.entries:
            if entry.election is not None:
                ballots.note(entry.election)
        super().__init__(replica, ballots, timers, watch, host, now)

    @property
    def is_host(self) -> bool:
        return self.role is Role.LEADER

    @property
    def is_settled(self) -> bool:
        return self._restart.is_over and self.part.is_settled

    def start(self, now: float) -> list[Effect]:
        """Once, before anything else."""
        effects, self.replica.lost = [*self.replica.lost, *self.replica.count_again()], []
        if isinstance(self.part, Leader):
            effects += self.part.start()
        if self.host is not None:
            effects.append(Hosting(self.host))
        if self._is_alone and not self.is_host:
            # Whoever has left may still be here, and know more of our journal than our disk.
            self._ballots.spend(self.term + self._chance.randrange(1, LEAP))
            self._timers.restart(now, self._timers.timing.lease)
        return effects

    @property
    def _is_alone(self) -> bool:
        """Whether nobody else counts: our own vote is a majority."""
        return self.replica.chain.members == {self._me}

    @property
    def may_hasten(self) -> bool:
        """Whether our newest entries say what is owed, though they may still give way."""
        return self._restart.is_over and self.part.may_hasten

    def write(
        self, contributions: Iterable[Contribution], after: int | None = None
    ) -> list[Effect]:
        """Say something, owed early `after` an entry or not; after a restart, a bit later."""
        if not self._restart.is_over:
            self._restart.hold(contributions)
            return []
        return self.replica.write(contributions, after)

    def kept(self, counters: Iterable[int]) -> list[Effect]:
        return self._paced(self.part.kept(counters))

    def stored(self, seq: int, entry_hash: bytes) -> list[Effect]:
        """An entry is on our disk, unless it has given way meanwhile."""
        if not self.replica.has_stored(seq, entry_hash):
            return []
        return self.part.stored(seq)

    def folded(
        self, seq: int, code: str | None, digest: bytes | None, turned: bool = True
    ) -> list[Effect]:
        return self._paced(self.part.folded(seq, code, digest, turned))

    def examined(self, key: bytes, code: str | None) -> list[Effect]:
        return self._paced(self.part.examined(key, code))

    def departed(self, operators: frozenset[int]) -> list[Effect]:
        """These have left for good, as our game says; that is confirmed."""
        self.replica.departed |= operators
        return self.part.departed() if isinstance(self.part, Leader) else []

    def linked(self, now: float, operator: int) -> list[Effect]:
        self._now = now
        self.reached.add(operator)
        self._timers.linked(now, operator)
        effects: list[Effect] = [
            Send(operator, self._restart.remember(operator, self.part)),
            *self.correct(operator),
            Send(operator, self.heartbeat()),
        ]
        if operator == self.host and isinstance(self.part, Follower):
            self._timers.is_host_gone = False
            self._hear_host(now)
            self._watch.come_back(now)
            effects += [*self.part.connected(), *self._look_at_host(now)]
        return effects

    def unlinked(self, now: float, operator: int) -> list[Effect]:
        self.reached.discard(operator)
        self._partings.forget(operator)
        if isinstance(self.part, Leader):
            self.part.delivery.end(operator)
        elif operator == self.host:
            self.part.disconnected()
            self._timers.host_is_gone(now)
        return []

    def hear(self, now: float, operator: int, message: msgspec.Struct) -> list[Effect]:
        self._now = now
        effects = self._paced(self._heard(now, operator, message))
        effects += self._restart.look(now, self.part, self.reached)
        if isinstance(message, (Submit, Refused)):
            effects += self._look_at_host(now)
        return effects

    def _heard(self, now: float, operator: int, message: msgspec.Struct) -> list[Effect]:
        match message:
            case Heartbeat():
                return self._hear_heartbeat(now, operator, message)
            case RequestVote():
                return self._requested(now, operator, message)
            case TrialVote():
                return [
                    *self.count_pre_vote(now, operator, message),
                    *self._recall_first_host(now, message),
                ]
            case Voted(vote):
                return self.count_vote(now, operator, vote)
            case Elected(election):
                return self.elected(now, operator, election)
            case Witness(entry):
                shown = self._partings.see(now, operator, entry)
                return shown or self._watch.hear_entry(entry, self.part)
            case Remember():
                return self._restart.hear(now, operator, message)
            case Follow(term=term) if term == NO_TERM or self._me != self.host != operator:
                return [Send(operator, one) for one in answer(self.replica, message)]
            case History():
                effects = self._partings.hear(operator, message, self.part)
                # What a majority has signed may be of a later term than ours: so are we.
                newest = self.replica.chain.term
                return effects + (self.enter_term(newest) if newest > self.term else [])
        if isinstance(self.part, Leader):
            return self._hear_guest(now, operator, message, self.part)
        match message:
            case Submit(authored):
                return self._watch.hear_word(now, operator, authored, self.part)
            case Refused(refusal):
                if operator == self.host:
                    self._hear_host(now)  # else it is passed on
                return self._watch.hear_refusal(refusal, self.part)
            case Acked(ack):
                return self.part.acknowledged(operator, ack)
            case Entries(entries) if operator == self.host:
                self._hear_host(now)
                return self.part.entries(entries)
            case Commit(seq, acks) if operator == self.host:
                self._hear_host(now)
                return self.part.commit(seq, acks)
        # Anybody else takes us, or itself, for the host.
        return [] if operator == self.host else self.correct(operator)

    def _hear_guest(
        self, now: float, operator: int, message: msgspec.Struct, leader: Leader
    ) -> list[Effect]:
        match message:
            case Follow():
                if message.term == self.term:
                    self._timers.hear(operator, now)
                return self._partings.follow(now, operator, message, leader)
            case Submit(authored):
                return leader.submit(operator, authored)
            case Acked(ack):
                return leader.acked(operator, ack)
        return self.correct(operator)

    def _paced(self, effects: list[Effect]) -> list[Effect]:
        """These effects, without what our game is told later."""
        if not effects:
            return effects
        for one in effects:
            if isinstance(one, Cut) and one.operator == self.host:
                self._watch.mislead()
        return self._late.hold(self._now, self.replica.confirmed, effects)

    def _look_at_host(self, now: float) -> list[Effect]:
        """Bring, show and ask for what is owed; suspect a host that stays in debt."""
        follower = self.part
        if not isinstance(follower, Follower):
            return []
        linked = self.reached
        asked = self._sources.ask(now, follower, linked)
        return [*asked, *self._watch.tend(now, follower, linked)]

    # Time.

    @property
    def due(self) -> float:
        """When `tick` has something to do."""
        due = min(self._last_heartbeat + self._timers.timing.heartbeat, self._late.due)
        return due if self.is_host else min(due, self._timers.due)

    def tick(self, now: float) -> list[Effect]:
        self._now = now
        effects = self._late.release(now, self.replica.confirmed)
        if now >= self._last_heartbeat + self._timers.timing.heartbeat:
            self._last_heartbeat = now
            effects += [*self.tell_all(self.heartbeat()), *self.part.flush()]
            effects += self._restart.look(now, self.part, self.reached)
            effects += self._look_at_host(now)
        if isinstance(self.part, Leader):
            heard = self._timers.hears_majority(now, self.replica.chain.members)
            if not heard or self.replica.is_out:
                effects += self.step_down(now)
        elif now >= self._timers.due:
            effects += self._start_pre_vote(now)
        return effects

    def _hear_host(self, now: float) -> None:
        self._led.forget()
        if self._timers.hear_host(now):
            self.stay_follower()

    def _is_content(self, now: float) -> bool:
        """Whether we have a host and no reason to want another."""
        if isinstance(self.part, Leader):
            return self._timers.hears_majority(now, self.replica.chain.members)
        return self.host is not None and self._timers.hears_host(now)

    # Who is where.

    def heartbeat(self) -> Heartbeat:
        chain = self.replica.chain
        known = max(self.replica.confirmed, 0)
        return Heartbeat(self.term, self.is_host, chain.head, known, chain.hash_at(known))

    def _hear_heartbeat(self, now: float, operator: int, heartbeat: Heartbeat) -> list[Effect]:
        effects = self._partings.hear_of(now, operator, heartbeat, hosting=self.is_host)
        self._sources.hear_of(operator, heartbeat.confirmed)
        if operator == HOST:
            self._first_host_beat = now
        if heartbeat.confirmed >= self.replica.confirmed:
            self._astray.discard(operator)  # what both know confirmed is compared
        if heartbeat.term < self.term:
            return effects + self.correct(operator)
        if heartbeat.term > self.term:
            heard = self._ballots.hear_of(heartbeat.term)
            is_far = heartbeat.term > self.term + STEP
            if is_far:
                # A liar may have led it there, and neither of us would vote for the other.
                heard = min(heartbeat.term, self.term + FAR)
            if isinstance(self.part, Leader) and self._yielding.gives_in(now, operator):
                # It has promised itself to a later term, and follows only one after that.
                effects += self.enter_term(heard)
                self._timers.due = now
            elif is_far and not self._is_content(now) and self._led.gives_in(now, operator):
                self._ballots.spend(heard)  # of a vote so far ahead nobody reminds us
                effects += self.enter_term(heard)
            return effects + (self._lacks_host(now) if operator == self.host else [])
        self._timers.hear(operator, now)
        first = heartbeat.hosting and (self.term, operator) == (FIRST_TERM, HOST)
        if first and self.host is None:  # the genesis is its election
            effects += self.become_follower(now, HOST, None)
        if operator == self.host:
            self._watch.hear(heartbeat.head, heartbeat.confirmed)
            if heartbeat.hosting:
                self._hear_host(now)
            else:
                effects += self._lacks_host(now)
        return effects

    def _lacks_host(self, now: float) -> list[Effect]:
        """Our host says that it is none: it has started again, stepped down, or is in a later
        term, whose host we perhaps do not follow.
        """
        self._timers.host_is_gone(now)
        return self._watch.excuse(now)

    # Elections.

    def _start_pre_vote(self, now: float) -> list[Effect]:
        """We have no host to be content with: would a majority have us?"""
        counts = self._me in self.replica.chain.members
        ready = self._restart.may_vote and self.replica.is_at_rest
        if self._is_alone:
            ready = ready and self._restart.knows_all(now, self.reached)
        if not (counts and ready):
            self._timers.due = now + self._timers.timing.hasty
            return []
        self._trials += 1
        return self.start_pre_vote(now)

    def _requested(self, now: float, operator: int, request: RequestVote) -> list[Effect]:
        """Somebody would host, or asks whether it could."""
        # The host itself asks only when it has stepped down.
        content = self._is_content(now) and operator != self.host
        content = content or not self._would_have(operator)
        as_new = self.replica.is_no_newer(request.last_term, request.seq, request.hash)
        sensible = self.term <= request.term <= self.term + MAX_AHEAD
        if request.trial:
            granted = as_new and sensible and not content and request.term > self.term
            behind = [] if granted else self.correct(operator)
            return [*behind, Send(operator, TrialVote(request.term, granted))]
        if content or not sensible:
            return self.correct(operator)
        if request.term > self.term and not self._led.gives_in(now, operator):
            return []  # it asks faster than anybody honest
        effects = self.enter_term(request.term) if request.term > self.term else []
        if not as_new or self.host is not None or not self._ballots.may_vote_for(operator):
            return effects
        self._ballots.vote_for(operator, request.seq, request.hash)
        self._timers.attempt(now)
        return [*effects, StoreBallot(self._ballots.ballot)]

    def _recall_first_host(self, now: float, vote: TrialVote) -> list[Effect]:
        """Who would not vote for us has a host perhaps, and would show us its election; but the
        host of the first term has none. A program that has started again and hears nothing of
        it, or for long that it does not host, learns by this alone that others follow it, and
        says what it has to say by them.
        """
        silent = now - self._first_host_beat >= self._timers.timing.silence
        speaks = HOST in self.reached and not silent and self._trials < MANY_TRIALS
        known = vote.granted or self.host is not None or self._me == HOST or speaks
        if known or self.term != FIRST_TERM or self.role is not Role.PRE_CANDIDATE:
            return []
        return self.become_follower(now, HOST, None)

    def _would_have(self, candidate: int) -> bool:
        """Whether our vote may be had, and by this one: perhaps nobody else has all."""
        counts = {candidate, self._me} <= self.replica.chain.members - self._astray
        others = (self.reached | {self._me}) - {candidate}
        late = self._now - self._timers.hosted > self._timers.timing.reluctant
        trusted = late or self._watch.distrust.would_have(candidate, others)
        return counts and trusted and self._restart.may_vote
