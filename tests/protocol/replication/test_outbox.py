"""Our own statements: signed once, sent in order, and what becomes of each."""

from __future__ import annotations

import pytest

from protocol.application import Contribution
from protocol.errors import Equivocation, Unavailable
from protocol.journal.chain import Chain
from protocol.journal.evidence import prove_alone
from protocol.journal.statements import DOMAIN_AUTHORED, Authored, Refusal, Signed, sign
from protocol.replication.outbox import WINDOW, Outbox, Submission
from protocol.wire.codec import decode
from tests.protocol.journal.signing import (
    ANNA,
    BERT,
    CARLA,
    ELSEWHERE,
    MATCH,
    chain_of,
    elect,
    refuse,
    said,
)

ME = 1


def outbox(submissions: tuple[Submission, ...] = ()) -> Outbox:
    return Outbox(identity=BERT, match=MATCH, me=ME, submissions=submissions)


def written(box: Outbox, chain: Chain, *keys: bytes) -> tuple[Submission, ...]:
    """Some submissions, on the disk."""
    submissions = box.write((Contribution(key=key, body=key) for key in keys), chain.hash_at(0))
    box.kept([submission.counter for submission in submissions])
    return submissions


def counters(submissions: tuple[Submission, ...]) -> list[int]:
    return [submission.counter for submission in submissions]


def test_a_submission_is_signed_once_under_the_next_counter() -> None:
    box, chain = outbox(), chain_of()
    first, second = written(box, chain, b"a", b"b")
    statement = decode(second.authored.content, Authored, limit=1024)
    assert (first.counter, second.counter) == (1, 2)
    assert (statement.author, statement.counter, statement.body) == (ME, 2, b"b")
    assert statement.ancestor == chain.hash_at(0)
    assert chain.check_authored(second.authored) == statement
    assert written(box, chain, b"a") == ()
    assert counters(written(box, chain, b"c")) == [3]


def test_nothing_is_sent_before_it_is_on_the_disk() -> None:
    box, chain = outbox(), chain_of()
    (submission,) = box.write((Contribution(key=b"a", body=b"a"),), chain.hash_at(0))
    assert (box.pending(), box.send(1), box.unanswered()) == ((), (), ())
    assert not box.is_settled
    ((said, signed),) = box.kept([1])
    assert signed == submission.authored == sign(BERT, DOMAIN_AUTHORED, said)
    assert box.kept([1]) == []
    assert box.send(1) == (submission,)


def test_a_term_is_sent_each_submission_once_unless_again() -> None:
    box = outbox()
    submissions = written(box, chain_of(), b"a", b"b")
    assert box.send(1) == submissions
    assert box.send(1) == ()
    assert box.send(1, again=True) == submissions
    assert box.send(2) == submissions
    third = written(box, chain_of(), b"c")
    assert box.send(2) == third


def test_so_many_wait_at_once() -> None:
    box, chain = outbox(), chain_of()
    written(box, chain, *(b"%d" % number for number in range(WINDOW + 2)))
    assert counters(box.send(1)) == counters(box.unanswered()) == list(range(1, WINDOW + 1))
    box.ordered(chain.extend(ANNA, box.pending()[0].authored), ANNA.public)
    assert counters(box.send(1)) == [WINDOW + 1]


def test_what_is_ordered_waits_no_more_and_settles_up_to_it() -> None:
    box, chain = outbox(), chain_of()
    first, second = written(box, chain, b"a", b"b")
    assert (box.settled, box.is_settled) == (0, False)
    placed = box.ordered(chain.extend(ANNA, first.authored), ANNA.public)
    assert (placed.submission, placed.lost, placed.was_refused) == (first, (), False)
    assert (box.settled, box.pending()) == (1, (second,))
    box.ordered(chain.extend(ANNA, second.authored), ANNA.public)
    assert (box.settled, box.is_settled) == (2, True)


def test_a_later_place_passes_over_what_was_said_before() -> None:
    box, chain = outbox(), chain_of()
    first, second, third = written(box, chain, b"a", b"b", b"c")
    placed = box.ordered(chain.extend(ANNA, second.authored), ANNA.public)
    assert placed.lost == ((first, "lost"),)
    assert box.pending() == (third,)
    assert box.refusals[b"a"] == 1
    assert box.said() == (second.contribution, third.contribution)
    assert counters(written(box, chain, b"a")) == [4]  # owed again


def test_an_entry_of_ours_that_the_disk_does_not_know_stops_us() -> None:
    chain = chain_of(1)  # Bert's, of another disk
    box = outbox()
    with pytest.raises(Unavailable) as caught:
        box.ordered(chain.entries[1], ANNA.public)
    assert caught.value.hint == "outbox_lost"
    written(box, chain, b"other")
    with pytest.raises(Unavailable):
        box.ordered(chain.entries[1], ANNA.public)


def refusal(chain: Chain, submission: Submission, **changes: object) -> tuple[Signed, Refusal]:
    signed = refuse(
        chain,
        submission.authored,
        **{"author": ME, "counter": submission.counter, **changes},  # type: ignore[arg-type]
    )
    return signed, decode(signed.content, Refusal, limit=1024)


def test_what_is_refused_is_not_said_again_and_may_be_owed_anew() -> None:
    box, chain = outbox(), chain_of()
    (submission,) = written(box, chain, b"a")
    signed, told = refusal(chain, submission)
    taken = box.refused(signed, told, 1)
    assert taken is not None
    assert (taken.counter, taken.refusal) == (1, signed)
    assert (box.pending(), box.said(), box.refusals[b"a"]) == ((), (), 1)
    assert box.refused(signed, told, 1) is None  # known
    assert box.refusals[b"a"] == 1
    assert counters(written(box, chain, b"a")) == [2]


@pytest.mark.parametrize(
    "changes",
    [
        {"counter": 2},
        {"refused": b"\1" * 32},
        {"match": ELSEWHERE},
        {"author": 2},
        {"term": 2},
    ],
    ids=str,
)
def test_a_refusal_of_something_else_refuses_nothing(changes: dict[str, object]) -> None:
    box, chain = outbox(), chain_of()
    (submission,) = written(box, chain, b"a")
    assert box.refused(*refusal(chain, submission, **changes), 1) is None
    assert box.pending() == (submission,)


def test_what_was_refused_may_have_its_place_in_another_term() -> None:
    box, chain = outbox(), chain_of()
    (submission,) = written(box, chain, b"a")
    box.refused(*refusal(chain, submission), 1)
    chain.begin_term(CARLA, elect(chain, 2))
    entry = chain.extend(CARLA, submission.authored)
    placed = box.ordered(entry, CARLA.public)
    assert placed.was_refused
    assert box.said() == (submission.contribution,)
    # Where that gives way it is refused again, as it was.
    box.undone((entry,))
    assert (box.pending(), box.said()) == ((), ())


def test_who_refuses_and_orders_in_one_term_is_exposed() -> None:
    box, chain = outbox(), chain_of()
    (submission,) = written(box, chain, b"a")
    box.refused(*refusal(chain, submission), 1)
    with pytest.raises(Equivocation) as caught:
        box.ordered(chain.extend(ANNA, submission.authored), ANNA.public)
    assert caught.value.culprit == ANNA.public
    assert prove_alone(chain.genesis, caught.value.evidence) is not None


def test_what_lost_its_place_waits_again_in_its_order() -> None:
    box, chain = outbox(), chain_of()
    submissions = written(box, chain, b"a", b"b", b"c")
    entries = [chain.extend(ANNA, one.authored) for one in submissions[:2]]
    for entry in entries:
        box.ordered(entry, ANNA.public)
    box.undone(reversed(entries))
    assert box.pending() == submissions
    assert box.settled == 0


def test_a_restart_goes_on_where_the_disk_ends() -> None:
    chain = chain_of()
    before = outbox()
    first, second = written(before, chain, b"a", b"b")
    refused = before.refused(*refusal(chain, first), 1)
    assert refused is not None
    box = outbox((refused, second))
    assert box.pending() == (second,)
    assert box.said() == (second.contribution,)
    assert (box.submission(1), box.submission(3)) == (refused, None)
    assert counters(written(box, chain, b"a", b"b")) == [3]


def test_our_own_words_are_known_again() -> None:
    box, chain = outbox(), chain_of()
    (submission,) = written(box, chain, b"a")
    assert box.knows(submission.authored)
    assert not box.knows(said(chain, ME, 1, b"other"))
    assert not box.knows(said(chain, ME, 2))
    assert box.knows(said(chain, 0, 0))  # the genesis is nobody's submission
