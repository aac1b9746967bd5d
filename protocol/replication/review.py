"""Others' complaints: each is looked into, and none is dropped before it is decided. Pure.

    Fault ─ judged with our own journal ─┬─ proven: the match stops here too
                                         ├─ decided, and nothing: its teller has stopped
                                         └─ about a history that we lack: *open*
    open ─ Audit, to its teller and to everybody else who may have it ─ Segment, until the
           history reaches the entry that the evidence names ─ judged there

An open case outlives links, goodbyes, a change of host and a restart: it is on our disk, and
whoever holds the evidence says it again on each new link. What a liar complains of without end
is bounded: `MAX_COMPLAINTS` of each operator, one question at a time, and entries are held for
one of them.

What a segment shows is taken for nothing but the judgement. If it proves the fault, and goes on
from all that we know confirmed, it is ours from then on, so that our own file shows it too and
we can bring it to the next one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

import msgspec

from protocol.errors import Malformed, ProtocolError, RemoteError
from protocol.journal.chain import Chain
from protocol.journal.evidence import MAX_EXHIBITS
from protocol.journal.judgement import court, orders, place_needed, prove
from protocol.journal.statements import Ordered, Signed, entry_hash
from protocol.journal.stop_reason import StopReason
from protocol.messages import Audit, Fault, Segment, Witness
from protocol.replication.delivery import next_batch
from protocol.replication.displacement import MAX_HELD, MAX_HELD_BYTES, opened
from protocol.replication.effects import Effect, Fail, Judge, Send, Suspect
from protocol.replication.replica import Replica

MAX_COMPLAINTS = 8
"""Faults of one operator that are looked into in a match; an honest one stops at the first."""

PATIENCE = 1.5
"""Seconds for an answer; then somebody else is asked."""

ROOM = 30.0
"""Seconds for which entries may be held for one complaint while another one waits for its
room: a whole journal is shown in less.
"""

TELL = 10.0
"""Seconds after which a person is told of a complaint that is still open."""


@dataclass(eq=False, slots=True)
class _Case:
    """A complaint that is open: what is asked for, and what has come of it."""

    fault: Fault
    since: float
    needed: tuple[int, bytes]  # the entry to judge after; 0 and b"" where none is needed
    base: int  # up to here our journal and that of the segment are the same, as we hope
    tellers: set[int] = field(default_factory=set)
    step: int = 1  # how much further back we ask where they are not
    held: list[Signed] = field(default_factory=list)
    givers: set[int] = field(default_factory=set)  # whose these are
    filled: float = 0.0  # since when there are any
    size: int = 0
    newest: bytes = b""  # the hash of the last of these, or of our entry where they begin
    root: bytes = b""  # the hash of our entry where they begin
    asked: tuple[int, float] | None = None  # whom, since when
    last: int = -1  # whom we have asked last
    shunned: set[int] = field(default_factory=set)  # who has not what we need
    spared: float = -TELL  # when nobody was left, and all were asked again
    is_judged: bool = False  # now
    looked: float | None = None  # when it was last looked at with our own journal

    def take(self, now: float, entries: Iterable[Signed]) -> None:
        """The next entries, unchecked but for their hashes. Raises `Malformed`."""
        self.filled = self.filled if self.held else now
        for signed in entries:
            order = signed.read(Ordered)
            if order.seq != self.base + len(self.held) + 1 or order.previous != self.newest:
                raise Malformed("entries that do not follow each other")
            self.root = self.root if self.held else self.newest
            self.held.append(signed)
            self.newest = entry_hash(signed.content)
            self.size += len(signed.content)
        if len(self.held) > MAX_HELD or self.size > MAX_HELD_BYTES:
            raise Malformed("more entries or more bytes than a match has")

    def start_again(self, head: int) -> None:
        """Nothing is held any more."""
        self.base, self.step, self.held, self.size = head, 1, [], 0
        self.givers.clear()


class Review:
    """The complaints of one match, on one laptop. Time is an argument."""

    def __init__(
        self,
        replica: Replica,
        hear: Callable[[float, int, msgspec.Struct], list[Effect]],
    ) -> None:
        """`hear` is the machine's, for what else a complaint shows."""
        self._replica = replica
        self._hear = hear
        self.cases: list[_Case] = []  #: what is looked into
        self._decided: dict[Fault, int] = {}  # and nothing came of them, in which term
        self._complaints: Counter[int] = Counter()
        self._told: set[int] = set()  # of whom our person knows that it has stopped

    @property
    def reasons(self) -> tuple[StopReason, ...]:
        """The open cases, for our disk."""
        faults = (case.fault for case in self.cases)
        return tuple(StopReason(one.code, one.culprit, one.evidence) for one in faults)

    def recall(self, now: float, reason: StopReason) -> None:
        """What our disk remembers: of a case that was open, or of the fault that stopped us."""
        self._open(now, Fault(reason.code, reason.culprit, reason.evidence))

    def hear(self, now: float, operator: int, fault: Fault) -> bool:
        """An operator says why it has stopped; whether that is a new case."""
        known = next((case for case in self.cases if case.fault == fault), None)
        # Decided in an earlier term: our journal may have the other half of a proof by now.
        if known is None and self._decided.get(fault) != self._replica.chain.term:
            if fault not in self._decided:
                if self._complaints[operator] >= MAX_COMPLAINTS:
                    return False
                self._complaints[operator] += 1
            known = self._open(now, fault)
            known.tellers.add(operator)
            return True
        if known is not None:
            known.tellers.add(operator)
        return False

    def _open(self, now: float, fault: Fault) -> _Case:
        needed = place_needed(self._replica.chain.genesis, fault.evidence) or (0, b"")
        case = _Case(fault, now, needed, self._replica.chain.head)
        self.cases.append(case)
        return case

    def look(self, now: float, linked: Collection[int]) -> list[Effect]:
        """What is to be done about the open cases. Our own checks come first: call it when
        nothing waits for the disk or the application.
        """
        effects: list[Effect] = []
        for case in tuple(self.cases):
            if not case.is_judged:
                effects += self._look_at(now, case, linked)
        return effects

    def _look_at(self, now: float, case: _Case, linked: Collection[int]) -> list[Effect]:
        replica, chain = self._replica, self._replica.chain
        is_due = case.looked is None or now - case.looked >= PATIENCE
        if is_due:
            case.looked = now
            # what needs no application
            proven = prove(self._replica.chain, case.fault.evidence)
            if proven is not None:
                return [Fail(proven)]
        place, named = case.needed
        if not named:
            return self._decide(now, case)
        if chain.place_of(named) == place:
            case.start_again(chain.head)
            return self._judge(case, place) if place <= replica.folded else []
        told = self._complained(case) if now - case.since >= TELL else []
        return told + self._ask(now, case, linked)

    def _judge(self, case: _Case, place: int) -> list[Effect]:
        """In our journal up to this entry, and in what is held for it."""
        case.is_judged, case.asked = True, None
        judges, segment = court(self._replica.chain, place), tuple(case.held)
        return [Judge(case, judges, segment, case.fault.evidence)]

    def judged(self, now: float, case: object) -> list[Effect]:
        """The answer to `Judge`: it proves nothing."""
        assert isinstance(case, _Case)
        return self._decide(now, case)

    def unfounded(self, case: object) -> None:
        """The answer to `Judge`: what is held leads to the entry by its hashes alone. Another
        may have these contents under the right signatures.
        """
        assert isinstance(case, _Case)
        case.is_judged = False
        self._discard(case)

    def _discard(self, case: _Case) -> None:
        """What is held is no journal, or not the one that is needed: where one alone has given
        it, somebody else is asked.
        """
        case.shunned |= case.givers if len(case.givers) == 1 else set()
        case.start_again(self._replica.chain.head)

    def _decide(self, now: float, case: _Case) -> list[Effect]:
        """It shows nothing: its tellers have stopped, and that is all we know of them. Their
        history may be another than ours.
        """
        self.cases.remove(case)
        self._decided[case.fault] = self._replica.chain.term
        effects = self._complained(case)
        for entry in orders(case.fault.evidence):
            for teller in sorted(case.tellers):
                effects += self._hear(now, teller, Witness(entry))
        return effects

    def _complained(self, case: _Case) -> list[Effect]:
        news, self._told = case.tellers - self._told, self._told | case.tellers
        return [Suspect(one, "complained") for one in sorted(news)]

    # What we lack.

    def _ask(self, now: float, case: _Case, linked: Collection[int]) -> list[Effect]:
        """One after the other is asked for what leads to the entry, its tellers first."""
        if case.asked is not None:
            if case.asked[0] in linked and now - case.asked[1] < PATIENCE:
                return []
            case.last, case.asked = case.asked[0], None
        # A teller has it; but it may be gone, or may be the liar.
        ring = sorted(linked, key=lambda one: (one not in case.tellers, one))
        if case.last in ring:
            ring = ring[ring.index(case.last) + 1 :] + ring[: ring.index(case.last) + 1]
        if case.shunned.issuperset(linked) and now - case.spared >= TELL:
            # Who was asked for several things may have been misunderstood, or have more by now.
            case.spared = now
            case.shunned.clear()
        ring = [one for one in ring if one not in case.shunned]
        return [self._question(now, case, ring[0])] if ring else []

    def _question(self, now: float, case: _Case, operator: int) -> Send:
        chain, place = self._replica.chain, case.needed[0]
        case.asked = operator, now
        if not case.held:
            case.base = max(min(case.base, chain.head, place - 1), 0)
            case.newest = chain.hash_at(case.base)
        known = case.base + len(case.held)
        table = chain.genesis.table
        return Send(operator, Audit(table, *case.needed, known, case.newest))

    def _has_room(self, now: float, case: _Case) -> bool:
        """Whether one of its tellers has no other case for which entries are held. One that
        holds some for long makes room, or who shows a little of what it complains of, and no
        more, would keep all that our disk remembers from being judged.
        """
        # -1: what our own disk remembers, until a teller says it again
        ours, taken = case.tellers or {-1}, set[int]()
        for one in self.cases:
            theirs = one.tellers or {-1}
            if one is case or not one.held:
                continue
            if theirs & ours and not one.is_judged and now - one.filled >= ROOM:
                one.start_again(self._replica.chain.head)
            else:
                taken |= theirs
        return not ours <= taken

    def hear_segment(self, now: float, operator: int, segment: Segment) -> list[Effect]:
        """Some of what we have asked this operator for, or that it parts from us earlier.

        It may have been asked for several things, and does not say what it answers: entries
        tell that by what they follow. Nobody is shunned for an answer without any.
        """
        chain = self._replica.chain
        first = opened(segment.entries[0]) if segment.entries else None
        known = (
            one
            for one in self.cases
            if one.asked is not None
            and one.asked[0] == operator
            and segment.known == one.base + len(one.held)
            and (not segment.entries or (first and first.previous == one.newest))
            and (one.held or self._has_room(now, one))
        )
        case = next(known, None)
        if case is None:
            return []
        case.asked = None
        place, named = case.needed
        if not segment.entries:
            if not case.givers <= {operator}:
                # What others gave it has not. Who of them lies shows when it is asked for all.
                case.start_again(chain.head)
            elif case.held or not case.base:
                case.start_again(chain.head)
                case.last = operator  # the next one is asked
                return []
            else:
                case.base, case.step = max(case.base - case.step, 0), 2 * case.step
            return [self._question(now, case, operator)]
        case.givers.add(operator)
        try:
            case.take(now, segment.entries)
            if case.base + len(case.held) < place:
                return [self._question(now, case, operator)]
            if case.newest != named:
                raise Malformed("another history than the evidence names")
        except RemoteError:
            self._discard(case)
            return []
        if chain.hash_at(min(case.base, chain.head)) != case.root:
            case.start_again(chain.head)  # our own has given way meanwhile
            return []
        return self._judge(case, case.base)


def answer(chain: Chain, audit: Audit) -> list[Segment]:
    """The next entries that lead to one of this journal, for who has to judge there; nothing
    where it does not have that, and a segment without entries where the two part earlier.
    """
    if audit.table != chain.genesis.table or chain.place_of(audit.hash) != audit.seq:
        return []
    if audit.known >= audit.seq:
        return []
    if chain.hash_at(audit.known) != audit.known_hash:
        return [Segment(audit.known, ())]
    return [Segment(audit.known, next_batch(chain, audit.known, audit.seq))]


def make_fault(problem: ProtocolError, chain: Chain | None = None) -> Fault:
    """A failure as others are told of it.

    Where nothing signed shows it, the newest entry of our history may: whoever was shown
    another one can tell who showed them.
    """
    if not isinstance(problem, RemoteError):
        return Fault("failed", None, ())
    evidence = problem.evidence[:MAX_EXHIBITS]
    if not evidence and problem.culprit is not None and chain is not None:
        evidence = (chain.entries[-1].exhibit(),)
    return Fault(problem.code, problem.culprit, evidence)
