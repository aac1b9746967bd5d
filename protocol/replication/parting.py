"""Another's confirmed history that is not ours: it is fetched, compared and judged.

    another hash where both know the journal confirmed
      ├─ our entry there, to the other one: `Witness`
      └─ `Follow` in nobody's term, from ever further back, until a place is common
           └─ `History` from there on, with its certificate ─ `journal.branches`

Who is exposed by both histories together ends the match. Where they expose nobody, whoever
forgot what it had acknowledged is suspected. The history that was confirmed in the later term
is played on; who holds the other one stops. Nobody waits without a word.

Each question is about one entry, goes back twice as far as the one before, and is asked of one
operator one at a time, so a liar makes nobody work much.
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass

from protocol.errors import Diverged, Malformed, RemoteError
from protocol.journal.branches import Branch, expose, forgetful
from protocol.journal.chain import Chain
from protocol.journal.evidence import exhibit
from protocol.journal.genesis import NO_TERM
from protocol.journal.judgement import prove
from protocol.journal.statements import Ordered, Signed, entry_hash
from protocol.messages import Elected, Follow, Heartbeat, History, Witness
from protocol.replication.catching_up import CatchingUp, OtherSources
from protocol.replication.effects import Cut, Effect, Fail, Send, Suspect
from protocol.replication.follower import Follower
from protocol.replication.leader import Leader
from protocol.replication.replica import Replica


def gossip(replica: Replica, operator: int, heartbeat: Heartbeat) -> list[Effect]:
    """Who was shown another confirmed history is shown ours.

    A host that lies can show two guests different entries, and confirm each with its own and
    that guest's signature. Every heartbeat says how far its sender knows the journal confirmed,
    and the hash there. With the entry under the host's signature, beside its own, whoever was
    shown something else has the proof.
    """
    chain = replica.chain
    known = heartbeat.confirmed
    if known > replica.confirmed or chain.hash_at(known) == heartbeat.hash:
        return []
    return [Send(operator, Witness(chain.entries[known].signed))]


def compare(chain: Chain, shown: Signed) -> list[Effect]:
    """Somebody was shown another entry than we; two by one host are proof enough."""
    problem = prove(chain, (exhibit("ordered", shown),))
    return [] if problem is None else [Fail(problem)]


@dataclass(slots=True)
class _Question:
    since: float
    place: int  # from where on we have asked for the other history
    step: int  # how much further back we ask next
    answer: CatchingUp


class Partings:
    """One operator's questions to those whose confirmed history is not its own.

    Pure; time is an argument.
    """

    def __init__(self, replica: Replica, sources: OtherSources, patience: float) -> None:
        """`sources`: who else asks for history; `patience`: seconds for an answer, then the
        question may be asked again.
        """
        self._replica = replica
        self._sources = sources
        self._patience = patience
        self._questions: dict[int, _Question] = {}
        self._named: dict[int, bytes] = {}  # what each knows confirmed, by its last heartbeat
        self._compared: dict[int, bytes] = {}  # the same when its history was last compared
        self._judged: set[bytes] = set()  # the entries of histories that have parted from ours
        self._terms = (-1, -1)  # those of our newest entry and the newest confirmed, meanwhile

    def forget(self, operator: int) -> None:
        """The link broke: what was asked is asked again on the next one, from where we were."""
        question = self._questions.get(operator)
        if question is not None:
            question.since = -math.inf
            question.answer = CatchingUp(self._replica.chain, question.place)

    def hear_of(
        self, now: float, operator: int, heartbeat: Heartbeat, *, hosting: bool
    ) -> list[Effect]:
        """Where another one is. Who knows something else confirmed is shown ours, and asked.

        `hosting`: whether we put things in order. Nobody who follows us is ahead of us: who
        knows confirmed what we do not hold follows nobody, and shows nothing unless asked.
        """
        self._named[operator] = heartbeat.hash
        self._look_anew()
        replica, known = self._replica, heartbeat.confirmed
        if shown := gossip(replica, operator, heartbeat):
            return [*shown, *self._doubt(now, operator, known - 1)]
        is_beyond = hosting and known > replica.confirmed
        if is_beyond and replica.chain.place_of(heartbeat.hash) != known:
            return self._doubt(now, operator, replica.confirmed)
        return []

    def see(self, now: float, operator: int, entry: Signed) -> list[Effect]:
        """It shows its entry, where we have named another: it proves something, or we ask."""
        found = compare(self._replica.chain, entry)
        place = None if found else self._differs(entry)
        if place is None:
            return found
        question = self._question_to(operator)
        if question is None or question.place != place:
            return self._doubt(now, operator, place - 1)
        return [self._ask(now, operator, place - question.step, 2 * question.step)]

    def _differs(self, entry: Signed) -> int | None:
        """The number of this entry, if what we know confirmed there is another."""
        try:
            seq = entry.read(Ordered).seq
        except RemoteError:
            return None
        replica = self._replica
        here = 0 < seq <= replica.confirmed
        return seq if here and replica.chain.entries[seq].signed != entry else None

    def follow(self, now: float, operator: int, follow: Follow, leader: Leader) -> list[Effect]:
        """It would follow us: where it knows confirmed what we have not, we ask for that first.

        Who has not answered, or has nothing new to show, has to do with its host alone.
        """
        place = follow.confirmed
        if self._replica.chain.place_of(follow.hash) == place or follow.term != leader.term:
            return leader.follow(operator, follow)
        self._named[operator] = follow.hash
        self._look_anew()
        if follow.hash in self._judged:
            # Somebody has shown us that; this one may know it without a certificate.
            return self._show_election(operator)
        if self._question_to(operator) is not None:
            is_late = not self._is_asked(now, operator)
            return leader.follow(operator, follow) if is_late else []
        if self._compared.get(operator) == follow.hash:
            return self._show_election(operator)  # we have judged; it may have to judge us yet
        known = max(self._replica.confirmed, 0)
        asked = self._doubt(now, operator, min(place - 1, known))
        return asked or leader.follow(operator, follow)

    def _look_anew(self) -> None:
        """What was judged was judged beside our journal of that time. One of another term has
        other voters, who may have forgotten more.
        """
        chain, sure = self._replica.chain, max(self._replica.confirmed, 0)
        terms = chain.term, chain.entries[sure].term
        if terms != self._terms:
            self._terms = terms
            self._compared.clear()
            self._judged.clear()

    def _show_election(self, operator: int) -> list[Effect]:
        """The first election of ours that is confirmed nowhere: who voted for it may have
        forgotten what the other knows confirmed.
        """
        for entry in self._replica.chain.entries[max(self._replica.confirmed, 0) + 1 :]:
            if entry.election is not None:
                return [Send(operator, Elected(entry.inside))]
        return []

    def _question_to(self, operator: int) -> _Question | None:
        """What it was asked on this link."""
        question = self._questions.get(operator)
        return None if question is None or question.since == -math.inf else question

    def _is_asked(self, now: float, operator: int) -> bool:
        question = self._questions.get(operator)
        return question is not None and now - question.since < self._patience

    def _doubt(self, now: float, operator: int, place: int) -> list[Effect]:
        """Its confirmed history seems to be another: we ask for it, from this place on."""
        named = self._named.get(operator, b"")
        is_known = self._compared.get(operator) == named or named in self._judged
        if is_known or self._is_asked(now, operator):
            return []
        broken = self._questions.get(operator)
        if broken is not None and broken.since == -math.inf:
            return [self._ask(now, operator, min(place, broken.place), broken.step)]
        return [self._ask(now, operator, place, 1)]

    def _ask(self, now: float, operator: int, place: int, step: int) -> Send:
        place, chain = max(place, 0), self._replica.chain  # the genesis is common
        self._questions[operator] = _Question(now, place, step, CatchingUp(chain, place))
        table, here = chain.genesis.table, chain.hash_at(place)
        return Send(operator, Follow(table, NO_TERM, place, here, 0))

    def hear(self, operator: int, message: History, part: Leader | Follower) -> list[Effect]:
        """Its answer, or a part of it; or one to somebody who lacks history."""
        question = self._question_to(operator)
        try:
            if question is None or not question.answer.hear(message.entries):
                return self._sources.hear(operator, message, part, self._judge)
            if not message.acks:
                return []
            del self._questions[operator]
            sure, entries = question.answer.close(message.acks)
            if sure < question.place:
                return []
            effects = self._judge(question.place, entries, message.acks)
            self._compared[operator] = self._named.get(operator, b"")
            return effects
        except RemoteError as problem:
            return [Cut(operator, problem)]

    def _judge(
        self, place: int, entries: tuple[Signed, ...], acks: tuple[Signed, ...]
    ) -> list[Effect]:
        """What our history and another one show together, both confirmed from `place` on."""
        replica, chain = self._replica, self._replica.chain
        last = max(replica.confirmed, place)  # the genesis is everybody's
        known = [entry.signed for entry in chain.entries[place : last + 1]]
        members = chain.membership.at(place)
        ours = Branch(place, known, replica.certificate, members)
        theirs = Branch(place, (known[0], *entries), acks, members)
        parted = ours.parts_from(theirs)
        if parted is None:
            held = [entry.signed for entry in chain.entries[place:]]
            return self._overlooked(Branch(place, held, (), members), theirs)
        proven = expose(chain.genesis, ours, theirs, parted)
        if proven is not None:
            return [Fail(proven)]
        if theirs.removed(parted) & chain.members - replica.departed:
            raise Malformed("a majority without somebody who is here")
        self._note(theirs)
        is_older = ours.newest.term < theirs.newest.term
        older, newer = (ours, theirs) if is_older else (theirs, ours)
        voters = forgetful(chain.genesis, older, newer, parted)
        effects: list[Effect] = [Suspect(one, "forgets") for one in sorted(voters)]
        if not is_older:
            return effects
        shown = (ours.exhibit(parted),)  # whoever has another one there asks us
        return [*effects, Fail(Diverged(parted, evidence=shown))]

    def _note(self, theirs: Branch) -> None:
        self._judged.update(entry_hash(one.content) for one in theirs.signed)

    def _overlooked(self, ours: Branch, theirs: Branch) -> list[Effect]:
        """All that both know confirmed is the same. What a majority has signed beyond that may
        be another than what we hold ourselves, of a later term: somebody has forgotten it.
        """
        genesis, parted = self._replica.chain.genesis, ours.parts_from(theirs)
        if parted is None:
            return []
        proven = expose(genesis, ours, theirs, parted)
        if proven is not None:
            return [Fail(proven)]
        with contextlib.suppress(RemoteError):  # of an earlier term: then it gives way
            voters = forgetful(genesis, theirs, ours, parted)
            self._note(theirs)
            return [Suspect(one, "forgets") for one in sorted(voters)]
        return []
