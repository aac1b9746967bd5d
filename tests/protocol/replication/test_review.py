"""Others' complaints: open until they are decided, whoever goes, comes or lies meanwhile."""

from __future__ import annotations

import msgspec
import pytest

from protocol.errors import BadSignature
from protocol.journal.chain import Chain
from protocol.journal.judgement import add_segment, judge
from protocol.journal.statements import Authored, Signed
from protocol.messages import Audit, Fault, Segment, Witness
from protocol.replication.effects import Effect, Fail, Judge, Send, Suspect
from protocol.replication.replica import Replica
from protocol.replication.review import MAX_COMPLAINTS, PATIENCE, ROOM, TELL, Review, answer
from tests.protocol.journal.signing import (
    ANNA,
    CARLA,
    IDENTITIES,
    chain_of,
    elect,
    order,
    refuse,
    said,
    shown,
)
from tests.protocol.tabletop import genesis, operators

FINDER, OTHER, EMIL = 0, 3, 4


def replica(me: int, chain: Chain) -> Replica:
    made = Replica(identity=IDENTITIES[me], me=me, chain=chain)
    made.confirmed = 0
    return made


class Table:
    """Emil, who reviews, and what others answer him."""

    def __init__(self, entries: int = 2) -> None:
        self.ours = replica(EMIL, chain_of(entries))
        self.heard: list[msgspec.Struct] = []
        self.review = Review(self.ours, self._hear)

    def _hear(self, now: float, operator: int, message: msgspec.Struct) -> list[Effect]:
        self.heard.append(message)
        return []

    def ask(self, now: float, *linked: int) -> list[tuple[int, Audit]]:
        """Whom it asks for what it lacks."""
        return sent(self.review.look(now, linked))

    def told_by(self, now: float, teller: Replica, asked: Audit) -> list[Effect]:
        """It has its answers, until nothing more is asked."""
        effects: list[Effect] = []
        waiting = [asked]
        while waiting:
            for segment in answer(teller.chain, waiting.pop()):
                effects = self.review.hear_segment(now, teller.me, segment)
                waiting += [question for _, question in sent(effects)]
        return effects


def sent(effects: list[Effect]) -> list[tuple[int, Audit]]:
    """Who is asked for what by these."""
    return [
        (one.operator, one.message)
        for one in effects
        if isinstance(one, Send) and isinstance(one.message, Audit)
    ]


def elected_ahead() -> tuple[Replica, Fault]:
    """R12: Carla was elected, has shown one entry to Anna alone, and refuses what stands."""
    chain = chain_of(2)
    chain.begin_term(CARLA, elect(chain, 2))
    entry = chain.check(order(chain, said(chain, 1, 3), signer=CARLA))
    assert entry is not None
    chain.append(entry)
    word = said(chain, 3, 1, ancestor=chain.hash_at(4))
    refusal = refuse(chain, word, author=3, term=2, signer=CARLA)
    evidence = shown(refusal=refusal, authored=word)
    return replica(FINDER, chain), Fault("illegal", CARLA.public, evidence)


def accepts(place: int, statement: Authored) -> str | None:
    return None


def culprit(effect: Effect) -> bytes | None:
    assert isinstance(effect, Judge)
    add_segment(effect.judges, effect.segment)
    proven = judge(effect.judges, effect.evidence, accepts, effect.judges.head)
    return None if proven is None else proven.culprit


def test_what_is_ahead_of_us_is_asked_of_its_teller_and_judged_there() -> None:
    teller, fault = elected_ahead()
    table = Table()
    assert table.review.hear(0.0, FINDER, fault)
    ((asked, audit),) = table.ask(0.0, FINDER, 3)
    assert (asked, audit.seq, audit.known) == (FINDER, 4, 2)
    (found,) = table.told_by(0.1, teller, audit)
    assert culprit(found) == CARLA.public
    assert isinstance(found, Judge)
    assert (found.judges.head, len(found.segment)) == (4, 2)
    assert table.ours.chain.head == 2  # it is not ours because somebody shows it


def test_it_waits_for_its_teller_for_ever_and_asks_others_meanwhile() -> None:
    """R3: it took ten seconds, and was dropped."""
    teller, fault = elected_ahead()
    table = Table()
    table.review.hear(0.0, FINDER, fault)
    assert table.ask(0.0) == []  # its teller has gone at once
    ((asked, _),) = table.ask(0.5, 3)
    assert asked == 3
    assert table.ask(1.0, 3) == []
    assert [who for who, _ in table.ask(0.5 + PATIENCE, 2, 3)] == [2]
    for now in range(10, 1000, 50):
        assert table.ask(float(now), 3)
    ((_, audit),) = table.ask(1000.0, FINDER)
    (found,) = table.told_by(1000.1, teller, audit)
    assert culprit(found) == CARLA.public


def test_our_person_is_told_of_an_open_complaint_after_a_while() -> None:
    _, fault = elected_ahead()
    table = Table()
    table.review.hear(0.0, FINDER, fault)
    assert Suspect(FINDER, "complained") not in table.review.look(TELL - 0.1, (FINDER,))
    assert Suspect(FINDER, "complained") in table.review.look(TELL, (FINDER,))
    assert Suspect(FINDER, "complained") not in table.review.look(TELL + 9.0, (FINDER,))


def test_where_our_newest_entries_are_others_it_asks_from_further_back() -> None:
    teller, fault = elected_ahead()
    table = Table(1)
    chain = table.ours.chain
    for counter in range(1, 4):  # of Carla's, and confirmed nowhere
        chain.extend(ANNA, said(chain, 2, counter))
    table.review.hear(0.0, FINDER, fault)
    ((_, audit),) = table.ask(0.0, FINDER)
    assert audit.known == 3
    (found,) = table.told_by(0.1, teller, audit)
    assert culprit(found) == CARLA.public
    assert isinstance(found, Judge)
    assert found.judges.head - len(found.segment) <= 1


def test_who_shows_something_else_is_asked_no_more_and_another_is() -> None:
    teller, fault = elected_ahead()
    table = Table()
    table.review.hear(0.0, FINDER, fault)
    table.ask(0.0, FINDER, 3)
    other = chain_of(3)
    wrong = order(other, said(other, 2, 1))
    for entries in ((Signed(b"", bytes(64)),), (wrong,), (other.entries[3].signed, wrong)):
        assert table.review.hear_segment(0.1, FINDER, Segment(2, entries)) == []
    ((asked, audit),) = table.ask(0.2, FINDER, 3)
    assert asked == 3
    teller.me = 3
    (found,) = table.told_by(0.3, teller, audit)
    assert culprit(found) == CARLA.public


def test_what_nobody_asked_for_is_nothing_to_a_review() -> None:
    _, fault = elected_ahead()
    table = Table()
    table.review.hear(0.0, FINDER, fault)
    table.ask(0.0, FINDER)
    entries = (chain_of(3).entries[3].signed,)
    assert table.review.hear_segment(0.1, 3, Segment(2, entries)) == []  # not of Dora
    assert table.review.hear_segment(0.1, FINDER, Segment(1, entries)) == []  # not from there
    assert table.ask(0.2, FINDER) == []  # the question is open still


def test_what_our_own_journal_shows_needs_nobody() -> None:
    table = Table()
    chain = table.ours.chain
    other = Chain(chain.entries[0].signed)
    other.extend(ANNA, said(other, 3, 1))
    table.review.hear(0.0, FINDER, Fault("malformed", None, (other.entries[1].exhibit(),)))
    (fail,) = table.review.look(0.0, ())
    assert isinstance(fail, Fail)


def test_what_proves_nothing_is_decided_once_and_its_entries_are_witnesses() -> None:
    table = Table()
    entry = table.ours.chain.entries[2]
    fault = Fault("malformed", ANNA.public, (entry.exhibit(),))
    assert table.review.hear(0.0, FINDER, fault)
    (found,) = table.review.look(0.0, (FINDER,))
    assert culprit(found) is None
    assert isinstance(found, Judge)
    assert table.review.judged(0.1, found.case) == [Suspect(FINDER, "complained")]
    assert table.heard == [Witness(entry.signed)]
    assert not table.review.cases
    assert not table.review.hear(1.0, FINDER, fault)  # it is said on each new link
    assert not table.review.cases


def test_a_complaint_without_evidence_says_that_its_teller_has_stopped() -> None:
    table = Table()
    table.review.hear(0.0, FINDER, Fault("failed", None, ()))
    table.review.hear(0.0, 3, Fault("failed", None, ()))
    assert table.review.look(0.0, ()) == [
        Suspect(FINDER, "complained"),
        Suspect(3, "complained"),
    ]


def test_complaints_without_end_are_looked_into_a_few_times() -> None:
    table = Table()
    for number in range(MAX_COMPLAINTS + 3):
        fault = Fault("malformed", None, (b"%d" % number,))
        assert table.review.hear(0.0, FINDER, fault) == (number < MAX_COMPLAINTS)
    assert table.review.hear(0.0, OTHER, Fault("malformed", None, (b"hers",)))


def test_the_same_complaint_in_another_term_is_no_other_complaint() -> None:
    """It is said again on each link, and judged again by what our journal has by then."""
    table, fault = Table(), Fault("malformed", None, (b"nothing",))
    for term in range(2, MAX_COMPLAINTS + 3):
        assert table.review.hear(0.0, FINDER, fault)
        table.review.look(0.0, (FINDER,))
        assert not table.review.cases
        assert not table.review.hear(0.0, FINDER, fault)
        host = IDENTITIES[term % 2]
        table.ours.chain.begin_term(host, elect(table.ours.chain, term % 2, term=term))
    assert table.review.hear(0.0, FINDER, Fault("malformed", None, (b"another",)))


def test_what_the_disk_remembers_is_looked_into_again() -> None:
    teller, fault = elected_ahead()
    before = Table()
    before.review.hear(0.0, FINDER, fault)
    (reason,) = before.review.reasons
    again = Table()
    again.review.recall(50.0, reason)
    ((_, audit),) = again.ask(50.0, FINDER)
    (found,) = again.told_by(50.1, teller, audit)
    assert culprit(found) == CARLA.public


def test_an_answer_is_of_our_own_journal_and_no_other() -> None:
    teller, _ = elected_ahead()
    chain = teller.chain
    table = chain.genesis.table
    here = Audit(table, 4, chain.hash_at(4), 1, chain.hash_at(1))
    (segment,) = answer(chain, here)
    assert segment == Segment(1, tuple(one.signed for one in chain.entries[2:]))
    for wrong in (
        Audit(bytes(16), 4, chain.hash_at(4), 1, chain.hash_at(1)),
        Audit(table, 4, chain.hash_at(3), 1, chain.hash_at(1)),
        Audit(table, 9, bytes(32), 1, chain.hash_at(1)),
        Audit(table, 4, chain.hash_at(4), 4, chain.hash_at(4)),
    ):
        assert answer(chain, wrong) == []
    parted = Audit(table, 4, chain.hash_at(4), 1, bytes(32))
    assert answer(chain, parted) == [Segment(1, ())]


def test_what_nobody_has_signed_keeps_nothing_open() -> None:
    table = Table()
    far = order(chain_of(2), said(chain_of(2), 3, 1), seq=9, previous=bytes(32))
    word = said(chain_of(2), 3, 1)
    refusal = refuse(chain_of(2), word, author=3, place=9, hashed=bytes(32))
    for number, evidence in enumerate(
        (
            shown(ordered=Signed(far.content, bytes(64))),
            shown(refusal=Signed(refusal.content, bytes(64)), authored=word),
        )
    ):
        table.review.hear(0.0, FINDER, Fault("illegal", None, evidence))
        table.review.look(float(number), (FINDER,))
        assert not table.review.cases
    for evidence in (shown(ordered=far), shown(refusal=refusal, authored=word)):
        table.review.hear(0.0, OTHER, Fault("illegal", None, evidence))
        table.review.look(9.0, ())
        assert table.review.cases


def test_no_word_alone_stops_one_of_two() -> None:
    """That it has come to another state shows in its signed digest; a code shows nothing."""
    two = operators(2)
    review = Review(Replica(identity=two[0], me=0, chain=Chain(genesis(two))), lambda *_: [])
    assert review.hear(0.0, 1, Fault("diverged", None, ()))
    assert review.look(0.0, (1,)) == [Suspect(1, "complained")]


def test_whoever_begins_an_answer_and_says_no_more_keeps_nobody_else_from_giving_it() -> None:
    """Its entries are not the teller's, who would seem to have none of what it names."""
    teller, fault = elected_ahead()
    table, liar = Table(), chain_of(2)
    liar.extend(ANNA, said(liar, 2, 1))
    table.review.hear(0.0, FINDER, fault)
    table.ask(0.0, FINDER, 3)  # it is slow to answer
    ((asked, audit),) = table.ask(PATIENCE, 3)
    begun = Segment(audit.known, (liar.entries[3].signed,))
    ((_, asked_on),) = sent(table.review.hear_segment(PATIENCE, asked, begun))
    assert asked_on.known == 3
    ((asked, audit),) = table.ask(3 * PATIENCE, FINDER)
    assert asked == FINDER
    (found,) = table.told_by(3 * PATIENCE, teller, audit)
    assert culprit(found) == CARLA.public


@pytest.mark.parametrize("linked", [(FINDER, OTHER), (FINDER,)])
def test_what_one_operator_complains_of_without_end_fills_the_memory_once(
    linked: tuple[int, ...],
) -> None:
    """Each complaint may name a place that is never reached; another's has room of its own, and
    its teller's answer, also where all of them have asked that one.
    """
    teller, fault = elected_ahead()
    table, liar = Table(), chain_of(3)
    word, begun = said(liar, 3, 1), liar.entries[3].signed
    for place in range(40, 40 + MAX_COMPLAINTS):
        refusal = refuse(liar, word, author=3, place=place, hashed=bytes(32))
        evidence = shown(refusal=refusal, authored=word)
        assert table.review.hear(0.0, OTHER, Fault("illegal", None, evidence))
    asked = table.ask(0.0, OTHER)
    assert len(asked) == MAX_COMPLAINTS
    goes_on = [
        question
        for who, audit in asked
        for question in sent(
            table.review.hear_segment(0.0, who, Segment(audit.known, (begun,)))
        )
    ]
    assert [audit.known for _, audit in goes_on] == [3]
    assert table.review.hear(0.0, FINDER, fault)
    asked = table.ask(0.1, *linked)
    (audit,) = (audit for who, audit in asked if (who, audit.seq) == (FINDER, 4))
    (found,) = table.told_by(0.2, teller, audit)
    assert culprit(found) == CARLA.public


def test_whose_answers_to_two_questions_cross_is_asked_again() -> None:
    """Both are asked after one entry, of which it has another; the second "we part earlier" was
    taken for a journal that leads nowhere, and nobody asked it any more.
    """
    teller, fault = elected_ahead()
    table, liar = Table(0), chain_of(3)
    table.ours.chain.begin_term(IDENTITIES[1], elect(table.ours.chain, 1, 3))  # another entry 1
    word = said(liar, 3, 1)
    refusal = refuse(liar, word, author=3, place=40, hashed=bytes(32))
    table.review.hear(0.0, OTHER, Fault("illegal", None, shown(refusal=refusal, authored=word)))
    table.review.hear(0.0, FINDER, fault)
    assert len(table.ask(0.0, FINDER)) == 2
    for _ in range(4):
        table.review.hear_segment(0.1, FINDER, Segment(1, ()))
        table.review.hear_segment(0.1, FINDER, Segment(0, ()))
    found: list[Effect] = []
    for now in (PATIENCE, 2 * PATIENCE, TELL):
        for _, audit in table.ask(now, FINDER):
            found += table.told_by(now, teller, audit)
    assert CARLA.public in [culprit(one) for one in found if isinstance(one, Judge)]


def test_a_teller_that_says_nothing_keeps_nobody_else_from_being_asked() -> None:
    teller, fault = elected_ahead()
    table = Table()
    table.review.hear(0.0, OTHER, fault)
    ((asked, _),) = table.ask(0.0, FINDER, OTHER)
    assert asked == OTHER
    ((asked, audit),) = table.ask(PATIENCE, FINDER, OTHER)
    assert asked == FINDER
    (found,) = table.told_by(PATIENCE, teller, audit)
    assert culprit(found) == CARLA.public


def test_what_is_being_judged_is_judged_once() -> None:
    """A liar's answer comes late: we have the entry by now, and judge it in our own journal."""
    longer, table = chain_of(4), Table(2)
    refusal = refuse(longer, word := said(longer, 3, 9), author=3, place=4, signer=CARLA)
    evidence = shown(refusal=refusal, authored=word)
    table.review.hear(0.0, FINDER, Fault("illegal", CARLA.public, evidence))
    assert table.ask(0.0, FINDER)
    for entry in longer.entries[3:]:
        table.ours.chain.append(entry)
    table.ours.folded = table.ours.stored = 4
    (job,) = table.review.look(PATIENCE, (FINDER,))
    assert isinstance(job, Judge)
    assert table.review.hear_segment(PATIENCE, FINDER, Segment(4, ())) == []
    table.review.judged(2.0, job.case)
    assert not table.review.cases


@pytest.mark.parametrize("tellers", [(), (OTHER,)])
def test_what_is_shown_in_part_makes_room_for_what_else_is_remembered(
    tellers: tuple[int, ...],
) -> None:
    """Started again, we have two complaints and no tellers; a liar begins to answer one."""
    teller, fault = elected_ahead()
    liar, before = chain_of(3), Table()
    word, begun = said(liar, 3, 1), liar.entries[3].signed
    refusal = refuse(liar, word, author=3, place=40, hashed=bytes(32))
    endless = Fault("illegal", None, shown(refusal=refusal, authored=word))
    for one in (endless, fault):
        before.review.hear(0.0, OTHER, one)
    table = Table()
    for reason in before.review.reasons:
        table.review.recall(0.0, reason)
    for one in tellers:
        table.review.hear(0.0, one, endless)
        table.review.hear(0.0, one, fault)
    asked = table.ask(0.0, OTHER)
    (audit,) = (audit for _, audit in asked if audit.seq == 40)
    table.review.hear_segment(0.0, OTHER, Segment(audit.known, (begun,)))
    for now in (PATIENCE, 2 * PATIENCE, ROOM):
        asked = table.ask(now, FINDER)
        (audit,) = (audit for _, audit in asked if audit.seq == 4)
        found = table.told_by(now, teller, audit)
    assert culprit(found[0]) == CARLA.public


def test_entries_under_false_signatures_do_not_decide_what_they_lead_to() -> None:
    """Their hashes are right, as of the contents alone: another may have them whole."""
    teller, fault = elected_ahead()
    table = Table()
    for one in (OTHER, FINDER):
        table.review.hear(0.0, one, fault)
    ((asked, audit),) = table.ask(0.0, OTHER)
    (segment,) = answer(teller.chain, audit)
    forged = tuple(Signed(one.content, bytes(64)) for one in segment.entries)
    (job,) = table.review.hear_segment(0.0, asked, Segment(segment.known, forged))
    assert isinstance(job, Judge)
    with pytest.raises(BadSignature):
        add_segment(job.judges, job.segment)
    table.review.unfounded(job.case)
    ((asked, audit),) = table.ask(0.0, OTHER, FINDER)
    assert asked == FINDER
    (found,) = table.told_by(0.0, teller, audit)
    assert culprit(found) == CARLA.public


def test_what_showed_nothing_is_judged_again_once_our_own_journal_has_the_other_half() -> None:
    """Elected twice in a term, at two places: one order, and the journal that has the other."""
    chain, other = chain_of(2), chain_of(1)
    begun = chain.begin_term(CARLA, elect(chain, 2))
    rival = other.begin_term(CARLA, elect(other, 2))
    fault = Fault("equivocation", CARLA.public, (rival.exhibit(),))
    table = Table(1)
    table.review.hear(0.0, FINDER, fault)
    (found,) = table.review.look(0.0, (FINDER,))
    assert culprit(found) is None
    assert isinstance(found, Judge)
    table.review.judged(0.1, found.case)
    assert not table.review.cases
    for entry in (chain.entries[2], begun):
        table.ours.chain.append(entry)
    table.review.hear(5.0, FINDER, fault)  # it is said again, on the next link
    (found,) = table.review.look(5.0, (FINDER,))
    assert isinstance(found, Fail)
    assert found.fault.culprit == CARLA.public
