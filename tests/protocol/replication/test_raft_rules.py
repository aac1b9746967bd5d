"""Raft's rules on one operator's machine: each by the one message that it is about."""

from __future__ import annotations

import math
from random import Random

import msgspec
import pytest

from protocol.application import FORBIDDEN
from protocol.errors import IllegalEntry
from protocol.journal.chain import Chain
from protocol.journal.statements import Signed
from protocol.messages import (
    Acked,
    Commit,
    Elected,
    Entries,
    Follow,
    Heartbeat,
    Refused,
    Remember,
    RequestVote,
    Submit,
    TrialVote,
    Watch,
)
from protocol.replication.ballot import MAX_AHEAD, Ballot
from protocol.replication.effects import (
    Clear,
    Cut,
    Effect,
    Examine,
    Fail,
    Hosting,
    Send,
    StoreBallot,
    StoreEntry,
    StoreSubmissions,
    Suspect,
)
from protocol.replication.observer import Observer
from protocol.replication.raft import Raft
from protocol.replication.replica import Replica
from protocol.replication.timers import Timeouts
from tests.protocol.journal.signing import (
    BERT,
    IDENTITIES,
    ack,
    chain_of,
    elect,
    order,
    refuse,
    said,
    vote,
)
from tests.protocol.tabletop import TABLE

HEAD = 3


def machine(
    me: int, chain: Chain | None = None, *, confirmed: int = HEAD, ballot: Ballot | None = None
) -> Raft:
    """An operator with three entries, linked with everybody at second 0."""
    held = chain or chain_of(HEAD)
    replica = Replica(identity=IDENTITIES[me], me=me, chain=held)
    replica.confirmed = confirmed
    timing = Timeouts(jitter=0.0)
    raft = Raft(replica, now=0.0, timing=timing, chance=Random(1), ballot=ballot)
    raft.start(0.0)
    for other in range(5):
        if other != me:
            raft.linked(0.0, other)
    return raft


def messages(effects: list[Effect], kind: type[msgspec.Struct]) -> list[int]:
    return [e.operator for e in effects if isinstance(e, Send) and isinstance(e.message, kind)]


def only(effects: list[Effect], kind: type[object]) -> list[object]:
    return [effect for effect in effects if isinstance(effect, kind)]


def beat(raft: Raft, term: int = 1, *, hosting: bool = True, head: int = HEAD) -> Heartbeat:
    return Heartbeat(term, hosting, head, HEAD, raft.replica.chain.hash_at(HEAD))


def ask(
    raft: Raft, term: int, *, last_term: int = 1, seq: int = HEAD, trial: bool = True
) -> RequestVote:
    ours = (last_term, seq) == (1, HEAD)
    shown = raft.replica.chain.hash_at(HEAD) if ours else bytes([seq]) * 32
    return RequestVote(term, last_term, seq, shown, trial)


def bereft(me: int = 2) -> Raft:
    """Its host's link broke."""
    raft = machine(me)
    raft.unlinked(0.0, 0)
    return raft


def granted(effects: list[Effect]) -> bool:
    (sent,) = [e for e in effects if isinstance(e, Send) and isinstance(e.message, TrialVote)]
    assert isinstance(sent.message, TrialVote)
    return sent.message.granted


@pytest.mark.parametrize(
    ("term", "last_term", "seq", "expected"),
    [
        (2, 1, HEAD, True),
        (2, 1, HEAD + 1, True),
        (2, 1, HEAD - 1, False),
        (2, 2, HEAD - 1, True),
        (2, 0, HEAD + 9, False),
        (1, 1, HEAD, False),
        (1 + MAX_AHEAD, 1, HEAD, True),
        (2 + MAX_AHEAD, 1, HEAD, False),
    ],
)
def test_a_trial_vote_goes_to_a_later_term_and_a_journal_as_new(
    term: int, last_term: int, seq: int, expected: bool
) -> None:
    raft = bereft()
    effects = raft.hear(0.1, 3, ask(raft, term, last_term=last_term, seq=seq))
    assert granted(effects) == expected
    assert not only(effects, StoreBallot)
    assert raft.term == 1  # a trial binds nobody


@pytest.mark.parametrize(("seq", "candidate"), [(HEAD, 3), (HEAD - 1, None)])
def test_who_asks_for_a_later_term_takes_us_there_with_or_without_a_vote(
    seq: int, candidate: int | None
) -> None:
    raft = bereft()
    effects = raft.hear(0.1, 3, ask(raft, 4, seq=seq, trial=False))
    ballots = [e.ballot for e in effects if isinstance(e, StoreBallot)]
    assert ballots[-1] == Ballot(4, candidate)
    assert raft.term == 4
    assert raft.host is None


def test_a_term_too_far_ahead_is_ignored() -> None:
    raft = bereft()
    assert not only(raft.hear(0.1, 3, ask(raft, 2 + MAX_AHEAD, trial=False)), StoreBallot)
    assert raft.term == 1


def test_a_host_that_asks_has_stepped_down() -> None:
    raft = machine(2)
    raft.hear(0.1, 0, beat(raft))
    assert not granted(raft.hear(0.2, 3, ask(raft, 2)))
    assert granted(raft.hear(0.2, 0, ask(raft, 2)))


def test_a_link_that_is_there_again_counts_as_a_word_of_the_host() -> None:
    raft = machine(2)
    raft.unlinked(1.0, 0)
    assert raft.due == pytest.approx(min(0.5, 1.35))
    effects = raft.linked(1.2, 0)
    assert messages(effects, Remember) == messages(effects, Follow) == [0]
    assert not messages(raft.tick(2.8), RequestVote)
    assert messages(raft.tick(2.95), RequestVote) == [0, 1, 3, 4]


def test_a_host_that_misleads_is_suspected_and_cleared_when_it_confirms_more() -> None:
    raft = machine(2)
    wrong = order(raft.replica.chain, said(raft.replica.chain, 1, 9), signer=BERT)
    effects = raft.hear(0.1, 0, Entries((wrong,)))
    assert [cut.operator for cut in effects if isinstance(cut, Cut)] == [0]
    raft.unlinked(0.1, 0)
    assert only(raft.linked(0.4, 0), Suspect) == [Suspect(0, "withholds", 2)]
    entry = order(raft.replica.chain, said(raft.replica.chain, 1, 9))
    raft.hear(0.6, 0, Entries((entry,)))
    raft.stored(4, raft.replica.chain.hash_at(4))
    raft.folded(4, None, None)
    acks = tuple(ack(raft.replica.chain, one, 4) for one in (0, 1, 3))
    raft.hear(0.7, 0, Commit(4, acks))
    assert raft.replica.confirmed == 4
    assert only(raft.tick(1.0), Clear) == [Clear(0)]


def elected(raft: Raft, candidate: int = 1, term: int = 2) -> Signed:
    signed = elect(raft.replica.chain, candidate, term)
    raft.hear(0.1, 3, Elected(signed))
    assert (raft.host, raft.term) == (candidate, term)
    return signed


def test_who_knows_an_older_host_only_is_told_the_newest() -> None:
    raft = machine(2)
    older, newer = elect(raft.replica.chain, 3, 2), elected(raft, 1, 5)
    for operator, message in (
        (4, Elected(older)),
        (4, beat(raft, 3)),
        (4, ask(raft, 3, trial=False)),
        (4, Entries(())),
    ):
        effects = raft.hear(0.2, operator, message)
        assert effects == [Send(4, Elected(newer))], message
    assert raft.hear(0.2, 4, Elected(newer)) == []
    assert only(raft.linked(0.3, 4), Send)[1] == Send(4, Elected(newer))


def test_an_election_makes_us_follow_and_store_its_term() -> None:
    raft = machine(2)
    effects = raft.hear(0.1, 3, Elected(elect(raft.replica.chain, 1, 2)))
    assert only(effects, StoreBallot) == [StoreBallot(Ballot(2, 1))]
    assert Hosting(1) in effects
    assert messages(effects, Follow) == [1]


def test_a_word_of_a_later_term_makes_a_host_give_in_once_a_second() -> None:
    raft = machine(0)
    assert raft.is_host
    assert not only(raft.hear(1.0, 3, beat(raft, 4, hosting=False)), StoreBallot)
    assert raft.is_host
    effects = raft.hear(2.0, 3, beat(raft, 4, hosting=False))
    assert only(effects, StoreBallot) == [StoreBallot(Ballot(4))]
    assert not raft.is_host
    assert raft.due <= 2.0
    guest = machine(2)
    guest.hear(1.0, 3, beat(guest, 4, hosting=False))
    assert (guest.term, guest.host) == (1, 0)  # a guest stays with its host


def test_a_guest_hears_its_hosts_beats_and_no_others() -> None:
    raft = machine(2)
    for now in (0.5, 1.0, 1.5, 2.0):
        raft.hear(now, 3, beat(raft, hosting=False))
    assert messages(raft.tick(1.75), RequestVote)
    raft = machine(2)
    raft.hear(1.0, 0, beat(raft))
    assert not messages(raft.tick(2.6), RequestVote)
    raft.hear(2.65, 0, beat(raft, hosting=False))  # it has started again
    assert messages(raft.tick(3.0), RequestVote)


def suspicious() -> tuple[Raft, float]:
    """Its host names entries, and shows nothing; and until when."""
    raft, now, effects = machine(2), 0.0, list[Effect]()
    while Suspect(0, "withholds", 2) not in effects:
        now += 0.5
        effects = [*raft.hear(now, 0, beat(raft, head=HEAD + 5)), *raft.tick(now)]
    return raft, now


@pytest.mark.parametrize("hosting", [False, True])
def test_a_host_that_is_in_a_later_term_owes_nothing_in_ours(hosting: bool) -> None:
    raft, now = suspicious()
    effects = raft.hear(now + 0.1, 0, beat(raft, 2, hosting=hosting))
    assert only(effects, Clear) == [Clear(0)]
    assert not only(raft.tick(now + 0.5), Suspect)
    assert any(messages(raft.tick(now + later), RequestVote) for later in range(1, 8))


@pytest.mark.parametrize("voting", [False, True])
def test_who_was_deposed_by_the_vote_of_one_that_forgot_owes_nothing(voting: bool) -> None:
    """Whoever does not follow that election follows nobody: nothing else ends the suspicion."""
    raft, now = suspicious()
    chain = raft.replica.chain
    acks = tuple(ack(chain, one, HEAD) for one in (2, 3, 4))
    raft.replica.confirm(HEAD, acks, HEAD)
    if voting:
        raft.hear(now, 1, ask(raft, 2, trial=False))
        assert (raft.term, raft.host) == (2, None)
    older = Elected(elect(chain_of(1), 1, 2, voters=(0, 1, 3)))
    assert raft.hear(now, 1, older) == [Suspect(3, "forgets"), Clear(0)]
    assert raft.hear(now, 1, older) == []
    assert not only(raft.tick(now + 0.5), Suspect)


def test_beats_go_to_all_every_half_second() -> None:
    raft = machine(2)
    raft.hear(0.4, 0, beat(raft))
    assert messages(raft.tick(0.4), Heartbeat) == []
    assert messages(raft.tick(0.5), Heartbeat) == [0, 1, 3, 4]
    assert messages(raft.tick(0.9), Heartbeat) == []
    raft.unlinked(0.9, 3)
    assert messages(raft.tick(1.0), Heartbeat) == [0, 1, 4]
    assert raft.heartbeat() == Heartbeat(1, False, HEAD, HEAD, raft.replica.chain.hash_at(HEAD))


def test_after_a_restart_nobody_hosts_and_no_vote_is_given_twice() -> None:
    raft = machine(2, ballot=Ballot(3, 1))
    assert (raft.host, raft.term) == (None, 3)
    for other in (0, 1):
        raft.hear(0.1, other, Remember(None, None, 1, 0))
    effects = raft.hear(0.2, 4, ask(raft, 3, trial=False))
    assert not only(effects, StoreBallot)
    effects = raft.hear(0.2, 4, ask(raft, 4, trial=False))
    assert only(effects, StoreBallot)[-1] == StoreBallot(Ballot(4, 4))


@pytest.mark.parametrize("is_replaced", [False, True])
def test_an_order_that_our_game_refuses_costs_its_host_the_link_and_no_other_host(
    is_replaced: bool,
) -> None:
    raft, theirs = machine(2), chain_of(HEAD + 2)
    shown = tuple(entry.signed for entry in theirs.entries[HEAD + 1 :])
    raft.hear(0.1, 0, Entries(shown))
    if is_replaced:
        raft.hear(0.2, 3, Elected(elect(chain_of(HEAD), 3)))
        assert raft.host == 3
    raft.folded(HEAD + 1, None, None)
    effects = raft.folded(HEAD + 2, "refused", None)
    assert [cut.operator for cut in effects if isinstance(cut, Cut)] == [0] * (not is_replaced)


def test_after_a_restart_our_own_newest_vote_is_heard_of() -> None:
    raft = machine(2, ballot=Ballot(1))
    for other in (0, 1):
        raft.hear(0.1, other, Remember(None, vote(raft.replica.chain, 2, 4, term=7), 1, 0))
    assert not only(raft.hear(0.2, 4, ask(raft, 6, trial=False)), StoreBallot)[1:]
    effects = raft.hear(1.0, 4, ask(raft, 8, trial=False))
    assert only(effects, StoreBallot)[-1] == StoreBallot(Ballot(8, 4))


def test_a_word_of_ours_that_our_disk_forgot_stops_us() -> None:
    raft = machine(2, ballot=Ballot(1))
    (fail,) = raft.hear(0.1, 0, Remember(said(raft.replica.chain, 2, 1), None, 1, 0))
    assert isinstance(fail, Fail)
    raft = machine(2)
    forged = said(raft.replica.chain, 2, 1, signer=BERT)
    (cut,) = raft.hear(0.1, 0, Remember(forged, None, 1, 0))
    assert isinstance(cut, Cut)


def test_a_guest_brings_others_words_and_passes_refusals_on() -> None:
    raft = machine(2)
    word = said(raft.replica.chain, 3, 1)
    raft.hear(0.1, 0, beat(raft))
    assert messages(raft.hear(0.1, 3, Submit(word)), Submit) == [0]
    refusal = refuse(raft.replica.chain, word, author=3)
    assert messages(raft.hear(0.2, 0, Refused(refusal)), Refused) == [3]


def test_a_forbidden_word_is_judged_at_its_ancestor_accused_and_stops_the_host() -> None:
    raft = machine(0)
    chain = raft.replica.chain
    raft.hear(0.1, 3, Follow(TABLE, 1, HEAD, chain.hash_at(HEAD), 0))
    word = said(chain, 3, 1, b"cheat", ancestor=chain.hash_at(2))
    raft.hear(0.1, 3, Submit(word))
    code = f"{FORBIDDEN}illegal: no"
    effects = raft.folded(HEAD + 1, code, None)
    (examine,) = [e for e in effects if isinstance(e, Examine)]
    assert examine.place == 2
    (stored,) = [e for e in raft.examined(examine.key, code) if isinstance(e, StoreSubmissions)]
    effects = raft.kept([submission.counter for submission in stored.submissions])
    (entry,) = [e.entry for e in effects if isinstance(e, StoreEntry)]
    effects = raft.stored(entry.seq, entry.hash)
    (fail,) = [e for e in effects if isinstance(e, Fail)]
    assert isinstance(fail.fault, IllegalEntry)
    assert fail.fault.culprit == IDENTITIES[3].public
    assert messages(effects, Entries) == [3]


def test_a_late_word_is_refused_and_nobody_accused() -> None:
    raft = machine(0)
    chain = raft.replica.chain
    raft.hear(0.1, 3, Follow(TABLE, 1, HEAD, chain.hash_at(HEAD), 0))
    raft.hear(0.1, 3, Submit(said(chain, 3, 1)))
    effects = raft.folded(HEAD + 1, f"{FORBIDDEN}illegal: no", None)
    (examine,) = [e for e in effects if isinstance(e, Examine)]
    assert messages(effects, Refused) == [3]
    assert raft.examined(examine.key, "stale") == []


def test_a_host_counts_acknowledgements_of_its_term() -> None:
    raft = machine(0, confirmed=HEAD - 1)
    chain = raft.replica.chain
    for other in (1, 2):
        raft.hear(0.1, other, Follow(TABLE, 1, 0, chain.hash_at(0), 0))
    raft.hear(0.2, 1, Acked(ack(chain, 1, HEAD, term=2)))
    raft.hear(0.2, 2, Acked(ack(chain, 2, HEAD - 1)))
    (cut,) = raft.hear(0.2, 1, Acked(ack(chain, 3, HEAD)))  # somebody else's
    assert isinstance(cut, Cut)
    assert raft.replica.confirmed == HEAD - 1
    raft.tick(0.5)  # its own
    raft.hear(0.6, 3, Acked(ack(chain, 3, HEAD)))
    effects = raft.hear(0.6, 2, Acked(ack(chain, 2, HEAD)))
    assert raft.replica.confirmed == HEAD
    assert messages(effects, Commit) == [2]


def test_a_spectator_says_where_it_is_and_nothing_else() -> None:
    chain = chain_of(HEAD)
    replica = Replica(identity=IDENTITIES[4], me=-1, chain=chain)
    observer = Observer(replica)
    assert (observer.is_host, observer.is_settled, observer.due) == (False, False, math.inf)
    assert observer.start(0.0) == observer.tick(9.0) == observer.unlinked(0.0, 0) == []
    assert observer.balloted(0.0, Ballot()) == observer.write(()) == []
    (send,) = observer.linked(0.0, 3)
    assert isinstance(send, Send)
    assert (send.operator, isinstance(send.message, Watch)) == (3, True)
    replica.confirmed = 2
    (send,) = observer.linked(0.0, 3)
    assert isinstance(send, Send)
    assert isinstance(send.message, Watch)
    assert (send.message.following, send.message.hash) == (3, chain.hash_at(2))
    entry = order(chain, said(chain, 1, 4))
    effects = observer.hear(0.1, 3, Entries((entry,)))
    assert [e.entry.seq for e in effects if isinstance(e, StoreEntry)] == [4]
    assert observer.stored(4, chain.hash_at(4)) == []
    assert replica.stored == 4
    observer.folded(4, None, None)
    effects = observer.hear(0.2, 3, Commit(4, tuple(ack(chain, one, 4) for one in (0, 1, 2))))
    assert replica.confirmed == 4
    assert not only(effects, Send)
    assert observer.hear(0.3, 3, beat(machine(2))) == []


def test_an_election_that_would_undo_what_was_confirmed_is_not_followed() -> None:
    """Its voter has forgotten what it acknowledged: that is suspicious, and no proof."""
    raft = machine(2, confirmed=HEAD - 1)
    raft.replica.confirm(
        HEAD, tuple(ack(raft.replica.chain, one, HEAD) for one in (0, 1, 3)), HEAD
    )
    signed = elect(chain_of(HEAD - 1), 4, 2, voters=(2, 3, 4))
    assert raft.hear(0.1, 4, Elected(signed)) == [Suspect(3, "forgets")]
    assert (raft.host, raft.term) == (0, 1)
    assert raft.hear(0.2, 4, Elected(signed)) == []  # said once


def test_a_candidate_follows_nobody_and_is_no_host_yet() -> None:
    raft = machine(0)
    raft.tick(3.5)  # it heard no majority, and steps down
    assert (raft.is_host, raft.host, raft.part.term) == (False, None, 1)
    for other in (1, 2):
        effects = raft.hear(9.0, other, TrialVote(2, True))
    assert not only(effects, StoreBallot)  # it has not asked
    raft.tick(9.0)
    for other in (1, 2):
        effects = raft.hear(9.0, other, TrialVote(2, True))
    assert only(effects, StoreBallot) == [StoreBallot(Ballot(2, 0))]
    assert (raft.is_host, raft.host, raft.part.term) == (False, None, 2)


def test_an_entry_is_stored_at_once_unless_it_may_wait() -> None:
    raft = machine(2)
    effects = raft.hear(
        0.1, 0, Entries((order(raft.replica.chain, said(raft.replica.chain, 1, 4)),))
    )
    (stored,) = [effect for effect in effects if isinstance(effect, StoreEntry)]
    assert not stored.lazy
    assert not StoreEntry(stored.entry).lazy
