"""A driver and a shell that does nothing by itself: what was asked is done by hand."""

from __future__ import annotations

import logging
import math
from collections import Counter, deque
from collections.abc import Callable
from random import Random

import msgspec
import pytest

from protocol.application import SPECTATOR, Contribution
from protocol.errors import (
    Diverged,
    Equivocation,
    LocalError,
    ProtocolError,
    RemoteError,
    Unavailable,
)
from protocol.journal.accusation import make_accusation
from protocol.journal.chain import Chain, Entry
from protocol.journal.election import make_election
from protocol.journal.evidence import exhibit
from protocol.journal.statements import (
    CHECKPOINT,
    DOMAIN_AUTHORED,
    DOMAIN_ORDERED,
    DOMAIN_VOTE,
    MAX_STATEMENT,
    Authored,
    Ordered,
    Signed,
    Vote,
    sign,
)
from protocol.messages import (
    Audit,
    Elected,
    Entries,
    Fault,
    Follow,
    Heartbeat,
    History,
    RequestVote,
    Segment,
    Witness,
)
from protocol.replication.catching_up import MAX_BATCHES
from protocol.replication.driver import ANSWER_SECONDS, WORD_SECONDS, WORDS, Driver
from protocol.replication.effects import Confirm, Effect, Examine, Fail, Fold, Reject, Rewind
from protocol.replication.observer import Observer
from protocol.replication.raft import Raft
from protocol.replication.replica import Replica
from protocol.replication.review import PATIENCE
from protocol.replication.shell import Written
from protocol.replication.timers import Timeouts
from protocol.wire.codec import decode
from tests.protocol.high_card import HighCard
from tests.protocol.journal.signing import order, said
from tests.protocol.replication.test_elections import FIRST, IDENTITIES


def word(chain: Chain, body: bytes) -> Signed:
    statement = Authored(chain.genesis.digest, 0, 1, chain.hash_at(0), body)
    return sign(IDENTITIES[0], DOMAIN_AUTHORED, statement)


Failed = Callable[[ProtocolError], None]


class Laptop:
    """Disk and shell of one driver."""

    def __init__(self) -> None:
        replica = Replica(identity=IDENTITIES[0], me=0, chain=Chain(FIRST))
        machine = Raft(replica, now=0.0, timing=Timeouts(), chance=Random(1))
        self.told: list[tuple[object, ...]] = []
        self.jobs: deque[tuple[Callable[[], object], Callable[..., None], Failed]] = deque()
        self.writes: deque[Written] = deque()
        self.judgements: deque[tuple[Callable[[], object], Callable[..., None], Failed]] = (
            deque()
        )
        self.asked = self.asked_early = 0
        self.game = HighCard(replica.chain.genesis, 0)
        owed = self.game.owed

        def counted(*, early: bool = False) -> tuple[Contribution, ...]:
            self.asked += not early
            self.asked_early += early
            return () if early else owed()

        self.game.owed = counted  # type: ignore[method-assign]
        self.driver = Driver(machine, self.game, HighCard, self, self)

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *given, **_: self.told.append((name, *given))

    def entry(self, entry: object, done: Written, *, lazy: bool = False) -> None:
        self.writes.append(done)

    def submissions(self, submissions: object, done: Written) -> None:
        self.writes.append(done)

    def ballot(self, ballot: object, done: Written) -> None:
        self.writes.append(done)

    def returning(self, done: Callable[[float, Unavailable | None], None]) -> Written:
        return lambda failure: done(1.0, failure)

    def work(
        self, job: Callable[[], object], done: Callable[..., None], failed: Failed
    ) -> None:
        self.jobs.append((job, done, failed))

    def judge(
        self, job: Callable[[], object], done: Callable[..., None], failed: Failed
    ) -> None:
        self.judgements.append((job, done, failed))

    def names(self) -> list[object]:
        return [name for name, *_ in self.told]

    def run(self) -> None:
        """All that waits is done, in its order, and what comes of it."""
        while self.jobs or self.writes:
            if self.writes:
                self.writes.popleft()(None)
            else:
                job, done, _ = self.jobs.popleft()
                done(job())


@pytest.fixture
def laptop() -> Laptop:
    made = Laptop()
    made.driver.start(0.0)
    made.run()  # it was asked early, and owes nothing yet
    return made


def confirm(laptop: Laptop, seq: int = 0) -> None:
    """A majority holds everything up to here."""
    laptop.driver.machine.replica.confirmed = seq
    laptop.driver.perform([Confirm(seq, ())])


def test_what_is_owed_is_asked_once_for_each_confirmed_entry(laptop: Laptop) -> None:
    confirm(laptop)
    laptop.driver.perform([])
    laptop.run()
    assert laptop.asked == 1
    assert ("advanced", 0) in laptop.told


def test_a_full_journal_ends_the_match_and_names_nobody(
    laptop: Laptop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.replication.driver.FULL", 1)
    assert not laptop.driver.failed
    laptop.driver.say(Contribution(key=b"said", body=b"H\x00" + bytes(32)))
    laptop.run()
    assert laptop.driver.failed
    (problem,) = [told[1] for told in laptop.told if told[0] == "stopped"]
    assert isinstance(problem, Unavailable)
    assert problem.hint == "journal_full"


def test_a_full_journal_is_not_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.replication.driver.FULL", 0)
    laptop = Laptop()
    laptop.driver.start(0.0)
    assert laptop.driver.failed


def test_nothing_is_asked_before_what_turned_the_match_is_confirmed(laptop: Laptop) -> None:
    laptop.driver.machine.replica.turned = 1
    confirm(laptop)
    laptop.run()
    assert laptop.asked == 0


def test_before_that_it_is_asked_early_once_for_each_newest_entry(laptop: Laptop) -> None:
    replica = laptop.driver.machine.replica
    replica.turned, asked = 1, laptop.asked_early
    laptop.driver.perform([])
    laptop.run()
    assert laptop.asked_early == asked  # as for the genesis, which is still the newest
    laptop.driver.say(Contribution(key=b"said", body=b"H\x00" + bytes(32)))
    laptop.run()
    assert replica.chain.head == 1
    assert (laptop.asked, laptop.asked_early) == (0, asked + 1)


def test_what_is_said_early_names_the_entry_after_which_it_was_owed(laptop: Laptop) -> None:
    replica = laptop.driver.machine.replica
    replica.confirmed = 0
    laptop.driver.say(Contribution(key=b"first", body=b"H\x00" + bytes(32)))
    laptop.run()
    head = replica.chain.head
    assert head > replica.confirmed
    replica.write((Contribution(key=b"later", body=b"3"),), after=head)
    *_, early = replica.outbox._slots.values()
    statement = decode(early.submission.authored.content, Authored, limit=MAX_STATEMENT)
    assert statement.ancestor == replica.chain.hash_at(head)


def test_at_a_checkpoint_the_application_tells_its_digest(laptop: Laptop) -> None:
    body, signed = b"H\0" + bytes(32), Signed(b"", b"")
    folds = [
        Fold(CHECKPOINT - 1, 1, body, signed),
        Fold(CHECKPOINT, 2, body, signed),
        Fold(2 * CHECKPOINT, 2, body, signed),
    ]
    laptop.driver.perform(folds)
    told = [job() for job, *_ in laptop.jobs]
    digest = laptop.game.digest()
    assert told == [(None, None, False), (None, digest, False), ("not_now", None, False)]


def test_a_refusal_is_told_and_asks_anew(laptop: Laptop) -> None:
    confirm(laptop)
    job, done, _ = laptop.jobs.popleft()
    job()
    done(((), frozenset()))  # it owes nothing yet
    laptop.game.refused = lambda key, code: laptop.told.append(("game", key, code))  # type: ignore[method-assign]
    laptop.driver.perform([Reject(b"key", 1, "no")])
    laptop.run()
    assert laptop.told.index(("game", b"key", "no")) < laptop.told.index(
        ("refused", b"key", "no")
    )
    assert laptop.asked == 2


def test_a_rewind_voids_what_was_under_way(laptop: Laptop) -> None:
    confirm(laptop)
    laptop.driver.perform([Rewind(0, 0, ())])
    job, done, failed = laptop.jobs.popleft()
    done(job())
    failed(LocalError("late"))
    assert not laptop.driver.failed
    assert "advanced" not in laptop.names()
    assert laptop.asked == 1
    laptop.run()
    assert laptop.game.confirmed == 0
    assert laptop.asked == 2  # the state is as new as it was, and the answer is needed again


def test_what_a_person_says_is_on_the_disk_before_it_leaves(laptop: Laptop) -> None:
    laptop.driver.say(Contribution(key=b"said", body=b"H"))
    assert b"said" not in laptop.game.said
    job, done, _ = laptop.jobs.popleft()
    done(job())
    assert b"said" in laptop.game.said
    outbox = laptop.driver.machine.replica.outbox
    assert (len(laptop.writes), outbox.pending()) == (1, ())
    laptop.writes.popleft()(None)
    assert len(outbox.pending()) == 1


def test_a_failed_write_stops_the_match_once(laptop: Laptop) -> None:
    laptop.driver.say(Contribution(key=b"said", body=b"H"))
    problem = Unavailable("disk_full")
    laptop.writes.popleft()(problem)
    laptop.driver.fail(Unavailable("disk_full"))
    assert [one for one in laptop.told if one[0] == "stopped"] == [("stopped", problem)]
    assert "fault" not in laptop.names()


def test_an_application_that_fails_stops_the_match_and_is_waited_for_no_more(
    laptop: Laptop,
) -> None:
    confirm(laptop)
    *_, failed = laptop.jobs.popleft()
    problem = LocalError("a bug")
    failed(problem)
    assert ("stopped", problem) in laptop.told
    assert not laptop.driver.is_busy


def test_after_a_failure_nothing_is_performed_and_no_answer_counts(laptop: Laptop) -> None:
    confirm(laptop)
    chain, host = laptop.driver.chain, IDENTITIES[0]
    words = (word(chain, b"a"), word(chain, b"b"))
    orders = tuple(exhibit("ordered", order(chain, one, signer=host)) for one in words)
    fault = Equivocation("two entries", culprit=host.public, evidence=orders)
    laptop.driver.perform([Fail(fault), Confirm(0, ())])
    assert len(laptop.jobs) == 1
    assert ("fault", "equivocation", host.public, orders) in laptop.told
    laptop.told.clear()
    laptop.run()
    calls: tuple[Callable[[], None], ...] = (
        lambda: laptop.driver.linked(1.0, 1),
        lambda: laptop.driver.unlinked(1.0, 1),
        lambda: laptop.driver.wake(1.0),
        lambda: laptop.driver.tick(1.0, (0.0,) * 3),
        lambda: laptop.driver.say(Contribution(key=b"late", body=b"H")),
    )
    for call in calls:
        call()
    assert (laptop.told, list(laptop.jobs)) == ([("rested",)], [])


@pytest.mark.parametrize("evidence", [(b"shown",), ()])
def test_what_nobody_else_would_find_costs_a_link_and_stops_nothing(
    laptop: Laptop, evidence: tuple[bytes, ...]
) -> None:
    """R13: else whoever sends us something odd, to us alone, could send us home."""
    host = IDENTITIES[0].public
    laptop.driver.punish(Equivocation("two entries", culprit=host, evidence=evidence))
    assert not laptop.driver.failed
    laptop.driver.perform([Fail(Equivocation("two entries", culprit=host, evidence=(b"x",)))])
    assert not laptop.driver.failed
    assert "cut" in laptop.names()
    assert "stopped" not in laptop.names()


def test_who_has_stopped_for_nobody_is_shown_who_did_it(laptop: Laptop) -> None:
    """Two histories have parted, and then somebody comes who has the proof, while the liar's
    own noise is looked at.
    """
    chain, host = laptop.driver.chain, IDENTITIES[0].public
    words = (word(chain, body) for body in (b"one", b"other"))
    orders = (order(chain, one, signer=IDENTITIES[0]) for one in words)
    evidence = tuple(exhibit("ordered", one) for one in orders)
    laptop.driver.fail(Diverged(12))
    for _ in range(2):
        laptop.driver.hear(1.0, 0, Fault("equivocation", host, (b"noise",)))
        laptop.driver.hear(1.0, 2, Fault("equivocation", host, evidence))
        laptop.driver.hear(1.0, 0, Fault("equivocation", host, (b"more noise",)))
        while laptop.judgements:
            job, done, _ = laptop.judgements.popleft()
            done(job())
    told = [one[1] for one in laptop.told if one[0] == "stopped"]
    assert [getattr(one, "culprit", None) for one in told] == [None, host]
    assert laptop.names().count("fault") == 1


def another_term(chain: Chain) -> Entry:
    """Bert is elected by three, and orders that first."""
    match, host = chain.genesis.digest, IDENTITIES[1]
    votes = [
        sign(IDENTITIES[one], DOMAIN_VOTE, Vote(match, 2, one, 1, 0, chain.hash_at(0)))
        for one in (1, 2, 3)
    ]
    return chain.begin_term(host, make_election(host, match, 2, 1, votes))


def test_who_has_stopped_for_nobody_asks_for_the_history_that_shows_it(laptop: Laptop) -> None:
    """The proof is of a history that it lacks, and cannot take any more: it judges there, and
    shows it to the next one.
    """
    driver, host = laptop.driver, IDENTITIES[1]
    theirs = Chain(FIRST)
    match = theirs.genesis.digest
    entry = another_term(theirs)
    nowhere = Authored(match, 0, 1, bytes(32), b"two")
    wrong = order(theirs, sign(IDENTITIES[0], DOMAIN_AUTHORED, nowhere), signer=host)
    driver.machine.replica.confirmed = 0
    driver.linked(0.5, 2)
    laptop.run()
    driver.fail(Diverged(1))
    driver.machine.replica.confirmed = 1  # ours is another there
    laptop.told.clear()
    driver.hear(1.0, 2, Fault("illegal", host.public, (exhibit("ordered", wrong),)))
    question = Audit(theirs.genesis.table, 1, entry.hash, 0, theirs.hash_at(0))
    assert ("send", 2, question) in laptop.told
    driver.wake(1.0 + PATIENCE)
    assert laptop.told.count(("send", 2, question)) == 2  # nobody else wakes it
    driver.hear(3.0, 2, Segment(0, (entry.signed,)))
    while laptop.judgements:
        job, done, _ = laptop.judgements.popleft()
        done(job())
    (problem,) = [told[1] for told in laptop.told if told[0] == "stopped"]
    assert isinstance(problem, RemoteError)
    assert problem.culprit == host.public
    driver.hear(4.0, 1, question)
    assert laptop.told[-1] == ("send", 1, Segment(0, (entry.signed,)))


def test_a_journal_that_is_shown_and_does_not_stand_proves_nothing(laptop: Laptop) -> None:
    """A liar's program has taken what the game refuses; ours goes on."""
    driver, host = laptop.driver, IDENTITIES[1]
    theirs = Chain(FIRST)
    match, start = theirs.genesis.digest, theirs.hash_at(0)
    shown = [another_term(theirs).signed]
    one, other = (
        sign(host, DOMAIN_AUTHORED, Authored(match, 1, counter, start, b"no card"))
        for counter in (1, 2)
    )
    shown.append(theirs.extend(host, one).signed)
    evidence = (exhibit("ordered", order(theirs, other, signer=host)),)
    driver.linked(0.5, 2)
    laptop.run()
    driver.hear(1.0, 2, Fault("illegal", host.public, evidence))
    driver.hear(1.1, 2, Segment(0, tuple(shown)))
    job, _, failed = laptop.judgements.popleft()
    with pytest.raises(RemoteError) as raised:
        job()
    failed(raised.value)
    assert "stopped" not in laptop.names()
    assert ("suspected", 2, "complained", None) in laptop.told


def test_who_has_stopped_still_shows_what_it_knows_confirmed(laptop: Laptop) -> None:
    replica = laptop.driver.machine.replica
    chain = replica.chain
    follow = Follow(chain.genesis.table, 1, 0, chain.hash_at(0), 0)
    laptop.driver.fail(Unavailable("disk_full"))
    laptop.told.clear()
    told = [History((), ())]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("protocol.replication.driver.answer", lambda *_: told)
        laptop.driver.hear(1.0, 2, follow)
        laptop.driver.closed = True
        laptop.driver.hear(1.0, 2, follow)
    assert laptop.told == [("send", 2, told[0])]


@pytest.mark.parametrize("stopped", [False, True])
@pytest.mark.parametrize("kind", ["follow", "comparison", "audit"])
def test_who_floods_us_with_questions_costs_one_match_and_a_little_more_each_second(
    laptop: Laptop, kind: str, stopped: bool
) -> None:
    """Nobody else waits for it, a new link gains nothing, and later it is answered again."""
    replica = laptop.driver.machine.replica
    chain = replica.chain
    while chain.head < 300:
        chain.extend(IDENTITIES[0], said(chain, 1, chain.head + 1))
    replica.stored = replica.folded = replica.turned = replica.confirmed = chain.head
    replica._certificates.append((chain.head, ()))
    table, here = chain.genesis.table, chain.hash_at(0)
    question: Audit | Follow = Follow(table, int(kind == "follow"), 0, here, 0)
    if kind == "audit":
        question = Audit(table, chain.head, chain.hash_at(chain.head), 0, here)
    if stopped:
        laptop.driver.fail(Unavailable("disk_full"))

    def asked(now: float, operator: int, times: int) -> int:
        laptop.told.clear()
        for _ in range(times):
            laptop.driver.unlinked(now, operator)
            laptop.driver.linked(now, operator)
            laptop.driver.hear(now, operator, question)
            if kind == "follow":  # what names more than we have pays nothing back
                laptop.driver.hear(now, operator, Follow(table, 1, 1 << 40, here, 0))
        shown = (one[2] for one in laptop.told if one[:2] == ("send", operator))
        return sum(isinstance(one, History | Entries | Segment) for one in shown)

    one = asked(1.0, 1, 1)
    assert one > 0
    assert asked(1.0, 1, 5_000) < MAX_BATCHES + one
    assert asked(1.0, 1, 5_000) == 0
    assert 0 < asked(2.0, 1, 5_000) < 1 / ANSWER_SECONDS + one
    assert asked(2.0, 2, 1) > 0


@pytest.mark.parametrize("kind", ["beat", "witness", "request"])
def test_who_says_without_end_what_costs_us_much_is_not_heard(
    laptop: Laptop, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A false heartbeat has us send an entry, a witness has us check signatures."""
    machine, heard = laptop.driver.machine, Counter[int]()
    entry = machine.replica.chain.entries[0].signed
    word: Heartbeat | Witness | RequestVote = {
        "beat": Heartbeat(1, False, 0, 0, bytes(32)),
        "witness": Witness(entry),
        "request": RequestVote(2, 1, 0, bytes(32), True),
    }[kind]

    def hear(_now: float, operator: int, _message: msgspec.Struct) -> list[Effect]:
        heard[operator] += 1
        return []

    monkeypatch.setattr(machine, "hear", hear)
    for number in range(4_000):
        laptop.driver.hear(1.0 + number / 2_000, 1, word)
    assert heard[1] < WORDS + 3 / WORD_SECONDS
    laptop.driver.hear(3.0, 2, word)
    assert heard[2] == 1
    for second in range(600):  # as anybody honest
        laptop.driver.hear(4.0 + second / 2, 2, word)
    assert heard[2] == 601


def test_an_application_at_work_is_told_the_time_later(laptop: Laptop) -> None:
    confirm(laptop)
    laptop.driver.tick(1.0, (0.0,) * 3)
    assert (len(laptop.jobs), laptop.driver.is_busy) == (1, True)
    laptop.run()
    assert not laptop.driver.is_busy
    assert laptop.told[-1][0] == "wake_at"
    assert ("rested",) in laptop.told
    laptop.game.tick = lambda now, silences, withheld: True  # type: ignore[method-assign]
    laptop.driver.tick(1.0, (0.0,) * 3)
    laptop.told.clear()
    laptop.run()
    assert ("advanced", 0) in laptop.told


def test_it_rests_when_neither_the_application_nor_a_judgement_is_waited_for(
    laptop: Laptop,
) -> None:
    chain = laptop.driver.chain
    statement = Authored(chain.genesis.digest, 1, 1, chain.hash_at(0), b"H\0" + bytes(32))
    confirm(laptop)
    laptop.driver.perform([Examine(b"refused", 0, statement)])
    laptop.told.clear()
    job, done, _ = laptop.judgements.popleft()
    done(job())
    assert ("rested",) not in laptop.told
    laptop.run()
    assert ("rested",) in laptop.told
    laptop.driver.perform([Examine(b"refused", 0, statement)])
    laptop.told.clear()
    *_, failed = laptop.judgements.popleft()
    assert laptop.driver.is_busy
    failed(Unavailable("unreadable"))
    assert {"rested", "stopped"} <= set(laptop.names())


def test_the_trace_shows_effects_and_never_what_is_in_them(
    laptop: Laptop, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="protocol")
    body = b"H\0" + b"my body".ljust(32)
    laptop.driver.say(Contribution(key=b"my key", body=body, keep=b"my secret"))
    laptop.run()
    laptop.driver.perform([Reject(b"my key", 3, "no")])
    assert "StoreSubmissions" in caplog.text
    assert "StoreEntry 1 by 0 in term 1" in caplog.text
    assert "Reject counter=3 code=no" in caplog.text
    assert "my " not in caplog.text


class Kept(Laptop):
    """Its disk keeps the entries that it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.disk = [*Chain(FIRST).entries]

    def entry(self, entry: object, done: Written, *, lazy: bool = False) -> None:
        assert isinstance(entry, Entry)
        self.disk.append(entry)
        super().entry(entry, done)

    def truncate(self, seq: int, certificate: tuple[Signed, ...]) -> None:
        del self.disk[seq + 1 :]

    def judge_all(self) -> None:
        """All that is to be judged is, whatever comes of it."""
        while self.judgements:
            job, done, failed = self.judgements.popleft()
            try:
                found = job()
            except ProtocolError as problem:
                failed(problem)
            else:
                done(found)
        self.run()


def elected(chain: Chain, host: int, term: int) -> Signed:
    """Its election is the next entry."""
    votes = []
    for voter in (0, 1, 2):
        head = chain.head
        given = Vote(chain.genesis.digest, term, voter, host, head, chain.hash_at(head))
        votes.append(sign(IDENTITIES[voter], DOMAIN_VOTE, given))
    made = make_election(IDENTITIES[host], chain.genesis.digest, term, host, votes)
    chain.begin_term(IDENTITIES[host], made)
    return made


def spoken(chain: Chain, author: int, body: bytes, counter: int = 1) -> Signed:
    head = chain.hash_at(chain.head)
    told = Authored(chain.genesis.digest, author, counter, head, body)
    return sign(IDENTITIES[author], DOMAIN_AUTHORED, told)


def seated() -> Kept:
    laptop = Kept()
    laptop.driver.start(0.0)
    laptop.run()
    for one in range(1, len(IDENTITIES)):
        laptop.driver.linked(0.5, one)
    laptop.run()
    return laptop


def test_what_is_accused_after_an_illegal_entry_is_no_fault_of_our_own() -> None:
    """The host accuses a friend of what was said after an entry that no game takes."""
    laptop, theirs = seated(), Chain(FIRST)
    made = elected(theirs, 1, 2)
    theirs.extend(IDENTITIES[1], spoken(theirs, 1, b"no card"))
    accused = make_accusation(spoken(theirs, 2, b"?"))
    theirs.extend(IDENTITIES[1], spoken(theirs, 1, accused, 2))
    laptop.driver.hear(1.0, 1, Elected(made))
    laptop.driver.hear(1.0, 1, Entries(tuple(one.signed for one in theirs.entries[1:])))
    laptop.run()
    laptop.judge_all()
    assert not laptop.driver.failed
    assert "cut" in laptop.names()


def test_what_exposes_somebody_behind_an_entry_that_gave_way_is_kept_beside_ours() -> None:
    """It was put behind whatever stood there by then: nobody could read that any more."""
    laptop = seated()
    driver, ours = laptop.driver, laptop.driver.chain
    replica = driver.machine.replica
    replica.confirmed = 0
    laptop.disk.append(ours.extend(IDENTITIES[0], spoken(ours, 1, b"H")))
    replica.stored = replica.folded = 1
    theirs, third = Chain(FIRST), Chain(FIRST)
    theirs.append(ours.entries[1])
    elected(theirs, 1, 2)
    wrong = order(theirs, said(theirs, 2, 1, ancestor=bytes(32), signer=IDENTITIES[2]))
    wrong = sign(IDENTITIES[1], DOMAIN_ORDERED, wrong.read(Ordered))
    fault = Fault("illegal", IDENTITIES[1].public, (exhibit("ordered", wrong),))
    driver.hear(1.0, 3, fault)
    driver.hear(1.1, 3, Segment(1, (theirs.entries[2].signed,)))
    made = elected(third, 2, 3)
    driver.hear(1.2, 2, Elected(made))  # while that is being judged
    driver.hear(1.2, 2, Entries((third.entries[1].signed,)))
    laptop.run()
    laptop.judge_all()
    assert "stopped" in laptop.names()
    assert driver.chain.entries == laptop.disk == third.entries
    before = laptop.names().count("send")
    audit = Audit(ours.genesis.table, 2, theirs.hash_at(2), 0, ours.hash_at(0))
    driver.hear(2.0, 3, audit)
    (_, _, segment) = [told for told in laptop.told if told[0] == "send"][before]
    assert isinstance(segment, Segment)
    assert segment.entries == tuple(one.signed for one in theirs.entries[1:])


class Onlooker(Laptop):
    """A spectator's, whose machine wakes nobody."""

    def __init__(self) -> None:
        super().__init__()
        replica = Replica(identity=IDENTITIES[0], me=SPECTATOR, chain=Chain(FIRST))
        self.game = HighCard(replica.chain.genesis, SPECTATOR)
        self.driver = Driver(Observer(replica), self.game, HighCard, self, self)
        self.due = math.inf

    def wake_at(self, due: float) -> None:
        self.due = due

    @property
    def audits(self) -> int:
        return sum(one[0] == "send" and isinstance(one[2], Audit) for one in self.told)


def test_who_looks_on_asks_again_for_what_a_complaint_names() -> None:
    laptop, theirs = Onlooker(), Chain(FIRST)
    laptop.driver.start(0.0)
    elected(theirs, 1, 2)
    wrong = theirs.extend(IDENTITIES[1], spoken(theirs, 2, b"no card"))
    fault = Fault("illegal", IDENTITIES[1].public, (wrong.exhibit(),))
    laptop.driver.linked(0.5, 2)
    laptop.driver.hear(1.0, 2, fault)
    assert (laptop.audits, laptop.due) == (1, 1.0 + PATIENCE)
    laptop.driver.wake(laptop.due)
    assert laptop.audits == 2
    laptop.driver.unlinked(3.0, 2)
    laptop.driver.wake(4.0)
    laptop.driver.linked(5.0, 2)
    assert laptop.audits == 3
