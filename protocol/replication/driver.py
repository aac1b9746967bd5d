"""One match on one laptop, sans-IO: machine, disk and application joined.

The machine (`raft`, or `observer`) decides. The driver performs its effects in order, asks the
shell for the work that takes time, and brings the answers back to the machine:

    effects ─┬─ Send, Cut, Hosting, Suspect, Clear ── the shell
             ├─ Store…, Truncate ── the disk ── stored, kept, balloted ─────┐
             ├─ Fold, Confirm, Reject, Recall, Rewind ── the application ───┼─ machine ─ effects
             └─ Examine ── an application made anew ── examined ────────────┘

It has no thread, no loop and no clock of its own: `session.match_runtime` drives it with
threads, and `tests/simulation` in virtual time. Three rules live here:

- *What is owed.* The application is asked when `asking` says so. What it says is on our disk
  before it leaves.
- *Generations.* A rewind voids every answer of the application to what was asked before it.
- *Failure.* After the first one nothing is performed, and no answer counts. Who has stopped
  still shows others what it knows confirmed.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Generic, TypeVar

import msgspec

from protocol.application import SPECTATOR, A, Contribution, Maker
from protocol.errors import LocalError, Malformed, ProtocolError, RemoteError, Unavailable
from protocol.journal.chain import Chain
from protocol.journal.genesis import NO_TERM
from protocol.journal.judgement import add_segment, is_proof, judge
from protocol.journal.statements import FULL, Authored
from protocol.journal.stop_reason import CLAIMED, StopReason
from protocol.messages import (
    Audit,
    Elected,
    Fault,
    Follow,
    Heartbeat,
    Remember,
    RequestVote,
    Segment,
    TrialVote,
    Voted,
    Witness,
)
from protocol.replication.catching_up import MAX_BATCHES, answer
from protocol.replication.effects import (
    Ask,
    Clear,
    Confirm,
    Cut,
    Effect,
    Examine,
    Fail,
    Fold,
    Hosting,
    Judge,
    Recall,
    Reject,
    Rewind,
    Send,
    StoreBallot,
    StoreEntry,
    StoreRefusal,
    StoreSubmissions,
    Suspect,
    Truncate,
)
from protocol.replication.folding import fold, fold_back, judge_at
from protocol.replication.observer import Observer
from protocol.replication.raft import Raft
from protocol.replication.review import PATIENCE, Review
from protocol.replication.review import answer as segments
from protocol.replication.shell import Disk, Shell, Written
from protocol.wire.rate_limits import TokenBucket


class Asking:
    """When an application is asked what it owes: once for each state of things.

    It is asked for certain when the machine is settled, once for each confirmed entry and for
    each refusal. What nothing can change may be said early: of that it is asked once for each
    newest entry. A question that is due is taken as asked.
    """

    def __init__(self, machine: Raft | Observer) -> None:
        self._machine = machine
        self.rejections = 0  #: so often something was refused: it may be owed in another form
        self._asked: tuple[int, int] | None = None
        self._asked_early: tuple[int, int] | None = None

    def again(self) -> None:
        """The application went back, and knows nothing of what it was asked."""
        self._asked = self._asked_early = None

    def is_due(self, *, settled: bool = False) -> bool:
        """Whether it is asked for certain. `settled`: the machine was a moment ago."""
        state = (self._machine.replica.confirmed, self.rejections)
        if self._asked == state or not (settled or self._machine.is_settled):
            return False
        self._asked = state
        return True

    def is_due_early(self) -> bool:
        """Whether it is asked what it may say before the newest entry is certain."""
        replica = self._machine.replica
        state = (replica.chain.head, self.rejections)
        # Compared first: most rounds of the machine bring nothing new.
        if self._asked_early == state or replica.is_certain or not self._machine.may_hasten:
            return False
        self._asked_early = state
        return True


T = TypeVar("T")
_log = logging.getLogger(__name__)

ANSWER_SECONDS = 1 / 64
"""Per message of an answer, of at most 64 KiB or one entry: a whole match at once, and 4 MiB a
second afterwards, which is as fast as anybody is read.
"""

ENTRIES = 32
"""In such a message, mostly."""

WORDS = 64
WORD_SECONDS = 1 / 16
"""Words of one kind of one operator that it may say at any time, at once, and the seconds until
the next: a heartbeat every half second, an entry that others lack every 1.5 s, and what is said
on a new link or for an election. Beyond that they are not heard.
"""

_SAID_FREELY = (Elected, Heartbeat, Remember, RequestVote, TrialVote, Voted, Witness)

_SHOWN = frozenset(
    ("seq", "author", "counter", "operator", "instead_of", "why", "about", "place", "code")
)
"""What the trace shows of an effect: numbers and codes, which everybody at the table knows."""


class Driver(Generic[A]):
    """One match in progress. Every call but those of the shell's answers names the time."""

    def __init__(
        self,
        machine: Raft | Observer,
        application: A,
        make: Maker[A],
        disk: Disk,
        shell: Shell,
    ) -> None:
        """`application` has folded all that the machine's journal holds."""
        self.machine = machine
        self.application = application
        self.failed = False
        self.closed = False  #: set by the shell: nothing is performed any more
        self._names = False  # whether it is known who has made us stop
        self._make = make
        self._disk = disk
        self._shell = shell
        self._me = machine.replica.me
        self._working = 0  # jobs of the disk and of the application that are not done
        self._judging = 0
        self._generation = 0  # of the application: what it did before a rewind is void
        self._asking = Asking(machine)
        self._found: set[int] = set()  # who is suspected for what no answer ends
        self.knowing: set[int] = set()  #: who has said that the match has stopped for it
        self.comparing: set[int] = set()  #: whom we have shown our history, for it to compare
        self._linked: set[int] = set()
        self._answers: dict[int, TokenBucket] = {}  # left for each: a new link gains nothing
        # The same of what it says unasked, by operator and kind.
        self._words: dict[tuple[int, type], TokenBucket] = {}
        self._review = Review(machine.replica, self._hear_shown)
        self._court: Chain | None = None  # what proved it, where it is no part of ours
        self._proven: RemoteError | None = None  # by our own journal, another time
        self._now = 0.0

    @property
    def chain(self) -> Chain:
        return self.machine.replica.chain

    @property
    def is_over(self) -> bool:
        return self.failed or self.closed

    @property
    def is_busy(self) -> bool:
        """Whether something waits for the disk, the application or its judgement."""
        return bool(self._working or self._judging)

    @property
    def is_reviewing(self) -> bool:
        """Whether a complaint is open, and somebody here may still show us what we lack."""
        return bool(self._review.cases and self._linked) and not self.is_over

    # What happens to the match.

    def resume(
        self,
        now: float = 0.0,
        reasons: Iterable[StopReason] = (),
        stopped: RemoteError | None = None,
    ) -> None:
        """Once, before all else: show the application what our disk knows confirmed, and look
        again into what it remembers of the evidence that we were shown. `stopped`: what the
        entry after our journal proves (`replay`); the match ends as soon as it is taken up.
        """
        self._proven = stopped
        self._now = now
        for reason in reasons:
            if reason.code != CLAIMED:
                self._review.recall(now, reason)
        if self.machine.replica.confirmed >= 0:
            self._confirm(self.machine.replica.confirmed)

    def start(self, now: float) -> None:
        """Take part, from now on; or stop again for what has stopped us."""
        if self._proven is not None:
            self.fail(self._proven)
        elif not self.is_over:
            self.perform([*self.machine.start(now), *_full(self.chain.head)])

    def linked(self, now: float, operator: int) -> None:
        """We can speak with this operator."""
        self._now = now
        self._linked.add(operator)
        if not self.is_over:
            self.perform(self.machine.linked(now, operator))
        self._look()

    def unlinked(self, now: float, operator: int) -> None:
        self._linked.discard(operator)
        if not self.is_over:
            self.perform(self.machine.unlinked(now, operator))

    def hear(self, now: float, operator: int, message: msgspec.Struct) -> None:
        """Something that it said. Who has stopped still shows what it has."""
        self._now = now
        match message:
            case _ if self.closed:
                return
            case Fault():
                self.knowing.add(operator)
                self._hear_fault(operator, message)
            case Audit() | Follow():
                self._answer(now, operator, message)
            case Segment() if not self.is_settled:
                self._reviewed(self._review.hear_segment(now, operator, message))
            case _ if not self.failed and self._may_say(now, operator, message):
                self.perform(self.machine.hear(now, operator, message))

    def _may_say(self, now: float, operator: int, message: msgspec.Struct) -> bool:
        """Whether it has words left. Nothing that we do bounds these, and each may cost us
        some signatures to check, or an entry to send; nobody honest says many of them.
        """
        if not isinstance(message, _SAID_FREELY):
            return True
        kind = operator, type(message)
        return self._words.setdefault(kind, TokenBucket(WORDS, WORD_SECONDS)).spend(now)

    def _answer(self, now: float, operator: int, question: Audit | Follow) -> None:
        """A few bytes ask for a whole match. Who has had its share asks again later, as every
        honest program does that is not answered.
        """
        left = self._answers.setdefault(operator, TokenBucket(MAX_BATCHES, ANSWER_SECONDS))
        if left.tokens(now) <= 0:
            return
        replica, cost = self.machine.replica, 0
        told: Sequence[msgspec.Struct] = ()
        if isinstance(question, Audit):
            told = segments(replica.chain, question)
            if self._court is not None and not told:
                told = segments(self._court, question)
        elif self.failed:
            told = answer(replica, question)
        else:
            effects = self.machine.hear(now, operator, question)
            if effects:  # what it lacks goes to it as it acknowledges, and is of its asking too
                lacks = max(0, replica.chain.head - question.confirmed)
                cost = len(effects) + lacks // ENTRIES
            self.perform(effects)
        for one in told:
            self._shell.send(operator, one)
        cost += len(told)
        if cost and isinstance(question, Follow) and question.term == NO_TERM:
            self.comparing.add(operator)
        left.take(now, cost)

    def wake(self, now: float) -> None:
        """The time has come that `Shell.wake_at` named; too early does no harm."""
        self._now = now
        if not self.is_over:
            self.perform(self.machine.tick(now))
        self._look()

    def tick(self, now: float, silences: tuple[float, ...]) -> None:
        """Tell the application the time; one that is at work is told the next time."""
        if self._working or self.is_over:
            return
        game, asks = self.application, self.machine.is_settled
        withheld = self.machine.replica.unanswered.authors

        def tick() -> tuple[bool, tuple[Contribution, ...]]:
            return game.tick(now, silences, withheld), game.owed() if asks else ()

        def ticked(told: tuple[bool, tuple[Contribution, ...]]) -> None:
            news, owed = told
            self._write(owed)
            if news:
                self._shell.advanced(max(0, self.machine.replica.confirmed))

        self._work(tick, ticked)

    def say(self, contribution: Contribution) -> None:
        if not self.is_over:
            # The application may have gone back since it made this, and forgotten that it did.
            self._restore(contribution)
            self.perform(self.machine.write((contribution,)))

    def fail(self, problem: ProtocolError) -> None:
        """The match stops here; what is on the disk stays there. If it has stopped before, and
        that names nobody, it is known now who did it.
        """
        if self.failed and (self.is_settled or not is_proof(problem)):
            return
        self.failed = True
        _log.debug("operator %d stops: %s", self._me, _fault(problem))
        if is_proof(problem):
            self._names = True
            self._disk.fault(problem.code, problem.culprit, problem.evidence)
        self._shell.stopped(problem)
        self._look()

    def punish(self, problem: ProtocolError) -> None:
        """Stop for what others would find too, and for nothing else."""
        if not self.is_over and self.machine.replica.exposes(problem):
            self.fail(problem)

    def proof(self, evidence: tuple[bytes, ...]) -> Callable[[], RemoteError | None]:
        """A job as for `Shell.judge`: the fault that these exhibits show to whoever folds our
        journal up to their place.
        """
        return self._judgement(self.chain, self.machine.replica.folded, evidence)

    def _judgement(
        self, chain: Chain, stood: int, evidence: tuple[bytes, ...], *, shown: bool = False
    ) -> Callable[[], RemoteError | None]:
        def judged(place: int, said: Authored) -> str | None:
            try:
                return self._verdict(place, said, chain)()
            except LocalError as problem:
                if shown:  # a liar's journal may hold anything
                    raise Malformed("a journal that does not stand") from problem
                raise

        return lambda: judge(chain, evidence, judged, stood)

    # What others complain of.

    @property
    def is_settled(self) -> bool:
        """Whether nothing is looked into any more: who has stopped and names nobody may still
        be shown who did it.
        """
        return self.closed or self._names

    def _hear_fault(self, operator: int, fault: Fault) -> None:
        if not self.is_settled and self._review.hear(self._now, operator, fault):
            self._disk.cases(self._review.reasons)
            self._look()

    def _hear_shown(self, now: float, operator: int, message: msgspec.Struct) -> list[Effect]:
        return [] if self.failed else self.machine.hear(now, operator, message)

    def _look(self) -> None:
        """Look into the open cases, once nothing of our own waits to be checked."""
        if not self._review.cases or self.is_settled:
            return
        if not self.is_busy:
            before = self._review.reasons
            self._reviewed(self._review.look(self._now, self._linked))
            if self._review.reasons != before:
                self._disk.cases(self._review.reasons)
        self._shell.wake_at(self._due)

    @property
    def _due(self) -> float:
        """When we are to be woken: a machine that has stopped, or looks on, wakes nobody."""
        due = math.inf if self.failed else self.machine.due
        is_open = bool(self._review.cases) and not self.is_settled
        return min(due, self._now + PATIENCE) if is_open else due

    def _reviewed(self, effects: Iterable[Effect]) -> None:
        """Do what the review asks; where the match has stopped, nothing else is done."""
        if not self.failed:
            self.perform(effects)
            return
        for effect in effects:
            if isinstance(effect, Send | Judge):
                self._perform(effect)
            elif isinstance(effect, Fail):
                self.fail(effect.fault)

    def _judge(self, job: Judge) -> None:
        """Have a case judged, in our own journal or in what others have shown of theirs."""
        self._judging += 1
        judges, shown, base = job.judges, bool(job.segment), job.judges.head
        was = judges.hash_at(base)

        def judge_there() -> tuple[bool, RemoteError | None]:
            """Whether that is a journal, and what it proves."""
            try:
                add_segment(judges, job.segment)
            except RemoteError:
                return False, None
            return True, self._judgement(judges, judges.head, job.evidence, shown=shown)()

        def judged(found: tuple[bool, RemoteError | None]) -> None:
            is_journal, proven = found
            self._judged()
            if self.is_settled:
                return
            if proven is None:
                if is_journal:
                    self._reviewed(self._review.judged(self._now, job.case))
                else:
                    self._review.unfounded(job.case)
                self._look()
                return
            # Our own entry may have given way while they were judging.
            goes_on = self.chain.place_of(was) == base >= self.machine.replica.confirmed
            if shown and goes_on:
                self._adopt(base, judges)
            elif shown:
                self._court = judges
            self.fail(proven)

        def failed(problem: ProtocolError) -> None:
            self._judged()
            if shown and not self.is_settled:  # what does not stand proves nothing
                self._reviewed(self._review.judged(self._now, job.case))
            elif not self.closed:
                self.fail(problem)

        self._shell.judge(judge_there, judged, failed)

    def _adopt(self, base: int, judges: Chain) -> None:
        """What exposes somebody goes on from what we hold: it is ours now, for the next one who
        needs it. Nothing is folded any more.
        """
        replica = self.machine.replica
        for effect in replica.let_go(base):
            if isinstance(effect, Truncate):
                self._disk.truncate(effect.seq, effect.certificate)
        for entry in judges.entries[base + 1 :]:
            replica.chain.append(entry)
            self._disk.entry(entry, self._written(lambda _: []), lazy=entry.seq < judges.head)

    # Effects.

    def perform(self, effects: Iterable[Effect]) -> None:
        """Do what the machine asks, in order, then ask what is owed if all is settled. Only
        called while something is performed.
        """
        for effect in effects:
            if _log.isEnabledFor(logging.DEBUG):
                _log.debug("operator %d: %s", self._me, _described(effect))
            self._perform(effect)
            if self.is_over:
                return
        self._ask()
        self._shell.wake_at(self._due)

    def _perform(self, effect: Effect) -> None:
        shell, disk, machine = self._shell, self._disk, self.machine
        match effect:  # the most frequent first
            case Send(operator, message):
                shell.send(operator, message)
            case StoreEntry(entry, lazy):
                seq, name = entry.seq, entry.hash
                stored = self._written(lambda _: [*machine.stored(seq, name), *_full(seq)])
                disk.entry(entry, stored, lazy=lazy)
            case Fold(seq, author, body):
                self._work(
                    partial(self._fold, seq, author, body, checkpoint=effect.checkpoint),
                    lambda done: self.perform(machine.folded(seq, *done)),
                )
            case Ask():
                self._ask(settled=True)
            case StoreSubmissions(submissions):
                counters = tuple(one.counter for one in submissions)
                disk.submissions(submissions, self._written(lambda _: machine.kept(counters)))
            case StoreRefusal(author, counter, refusal):
                disk.refusal(author, counter, refusal)
            case StoreBallot(ballot):
                disk.ballot(ballot, self._written(lambda now: machine.balloted(now, ballot)))
            case Truncate(seq, certificate):
                disk.truncate(seq, certificate)
            case Rewind():
                self._rewind(effect)
            case Confirm(seq, certificate):
                disk.certificate(certificate)
                self._confirm(seq)
            case Reject(key, _, code):
                self._reject(key, code)
            case Recall(contribution):
                self._restore(contribution)
            case Examine(key, place, statement):
                self._examine(key, place, statement)
            case Hosting(operator, instead_of):
                shell.hosted(operator, instead_of)
            case Suspect() | Clear():
                self._suspect(effect)
            case Cut(operator, fault):
                shell.cut(operator, fault)
            case Judge():
                self._judge(effect)
            case Fail(fault):
                self._stop(fault)

    def _suspect(self, effect: Suspect | Clear) -> None:
        """A debt ends with the answer; what somebody has done does not."""
        operator = effect.operator
        if isinstance(effect, Suspect):
            if effect.why != "withholds":
                self._found.add(operator)
            self._shell.suspected(operator, effect.why, effect.about)
        elif operator not in self._found:
            self._shell.cleared(operator)

    def _stop(self, fault: ProtocolError) -> None:
        """Our machine would stop the match: for what others find too, else it costs a link."""
        replica = self.machine.replica
        if not is_proof(fault) or replica.exposes(fault):
            self.fail(fault)
            return
        keys = [operator.identity for operator in replica.chain.genesis.operators]
        if fault.culprit in keys:
            self._shell.cut(keys.index(fault.culprit), type(fault)(fault.detail))

    # The disk.

    def _written(self, done: Callable[[float], list[Effect]]) -> Written:
        """Something goes to the disk; `done` is the machine's, once it is there."""
        self._working += 1

        def written(now: float, failure: Unavailable | None) -> None:
            self._worked()
            if failure is not None:
                self.fail(failure)
            elif not self.is_over:
                self.perform(done(now))
                self._look()

        return self._shell.returning(written)

    # The application.

    def _fold(
        self, seq: int, author: int, body: bytes, *, checkpoint: bool
    ) -> tuple[str | None, bytes | None, bool]:
        """A job: a refusal's code, the digest at a checkpoint, whether it turned the match."""
        code = fold(self.application.fold, seq, author, body)
        digest = self.application.digest() if code is None and checkpoint else None
        return code, digest, self.application.turned()

    def _rewind(self, rewind: Rewind) -> None:
        """Fold again what is certain; what was under way in the application is void."""
        self._generation += 1
        self._asking.again()
        entries = tuple(self.chain.entries[1 : rewind.seq + 1])
        again = partial(fold_back, self._make, self.application, self.chain, entries, rewind)
        self._work(again, lambda _: self._ask())

    def _confirm(self, seq: int) -> None:
        """Tell the application, ask it at once what it owes, then tell the person."""
        game, asks = self.application, not self.is_over and self._asking.is_due()

        def confirm() -> tuple[tuple[Contribution, ...], frozenset[int]]:
            game.confirm(seq)
            return game.owed() if asks else (), game.departed()

        def confirmed(told: tuple[tuple[Contribution, ...], frozenset[int]]) -> None:
            effects = [*self.machine.write(told[0]), *self.machine.departed(told[1])]
            if effects:
                self.perform(effects)
            self._shell.advanced(seq)

        self._work(confirm, confirmed)

    def _reject(self, key: bytes, code: str) -> None:
        def rejected(_: None) -> None:
            self._shell.refused(key, code)
            self._asking.rejections += 1
            self._ask()

        self._work(partial(self.application.refused, key, code), rejected)

    def _restore(self, contribution: Contribution) -> None:
        self._work(partial(self.application.restore, (contribution,)), lambda _: None)

    def _ask(self, *, settled: bool = False) -> None:
        """What is owed for certain; else what may be said early."""
        if self._asking.is_due(settled=settled):
            self._work(self.application.owed, self._write)
        elif self._asking.is_due_early():
            early, after = partial(self.application.owed, early=True), self.chain.head
            self._work(early, lambda said: self._write(said, after))

    def _write(self, said: tuple[Contribution, ...], after: int | None = None) -> None:
        """Have this said, if it is anything: who owes nothing changes nothing."""
        if said:
            self.perform(self.machine.write(said, after))

    def _work(self, job: Callable[[], T], then: Callable[[T], object]) -> None:
        """Have the application do `job`; `then` has its result, unless it is void by then."""
        self._working += 1
        generation = self._generation

        def done(result: T) -> None:
            self._worked()
            if not self.is_over and generation == self._generation:
                then(result)
                self._look()

        def failed(problem: ProtocolError) -> None:
            self._worked()
            if not self.is_over and generation == self._generation:
                self.fail(problem)

        self._shell.work(job, done, failed)

    def _worked(self) -> None:
        self._working -= 1
        if not self.is_busy:
            self._shell.rested()

    # Judgement.

    def _examine(self, key: bytes, place: int, statement: Authored) -> None:
        self._judging += 1

        def examined(code: str | None) -> None:
            self._judged()
            if not self.is_over:
                self.perform(self.machine.examined(key, code))

        def failed(problem: ProtocolError) -> None:
            self._judged()
            if not self.closed:
                self.fail(problem)

        self._shell.judge(self._verdict(place, statement), examined, failed)

    def _judged(self) -> None:
        self._judging -= 1
        if not self.is_busy:
            self._shell.rested()

    def _verdict(
        self, place: int, statement: Authored, chain: Chain | None = None
    ) -> Callable[[], str | None]:
        """What the game said right after an entry of a journal, ours as it is now."""
        make, chain = self._make, self.chain if chain is None else chain
        genesis, entries = chain.genesis, tuple(chain.entries[1 : place + 1])
        return lambda: judge_at(
            make(genesis, SPECTATOR).fold, entries, statement, lambda: self.closed
        )


def _full(head: int) -> list[Effect]:
    """Nobody goes on with a journal that somebody has filled: all see the same."""
    return [Fail(Unavailable("journal_full", f"{head} entries"))] if head >= FULL else []


def _described(effect: Effect) -> str:
    """An effect for the trace: never a body, a key or a signature."""
    match effect:
        case Send(operator, message):
            return f"Send {type(message).__name__} to {operator}"
        case StoreEntry(entry):
            return f"StoreEntry {entry.seq} by {entry.author} in term {entry.term}"
        case StoreBallot(ballot):
            return f"StoreBallot term {ballot.term} for {ballot.candidate}"
        case Cut(operator, fault):
            return f"Cut {operator}: {_fault(fault)}"
        case Fail(fault):
            return f"Fail: {_fault(fault)}"
    shown = [name for name in effect.__struct_fields__ if name in _SHOWN]
    told = (f"{name}={getattr(effect, name)}" for name in shown)
    return " ".join((type(effect).__name__, *told))


def _fault(problem: ProtocolError) -> str:
    return f"{type(problem).__name__}: {problem}"
