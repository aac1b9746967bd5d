"""Operators leave for good: their layer is taken off the cards, and the escrow is made anew.

What it never does: open a card of the hand that was left behind, or let anybody follow one.
"""

from __future__ import annotations

import pytest

from citadels_p2p.bots import make_bot
from citadels_p2p.match.archive.assurance import check_hidden
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.refusal import STALE
from citadels_p2p.match.options import Liveness
from citadels_p2p.rules import Reason, Rules
from protocol.application import FORBIDDEN, Contribution
from protocol.cards.escrow import STRICT
from tests.match.vacant_chairs import VacantChairs

EASY = make_bot("easy")
GIVE_UP = 60


def table(seats: int, seed: int = 0, **liveness: object) -> VacantChairs:
    chosen = Rules.make("classic", seats=seats, city=6)
    agreed = Liveness(**{"give_up": GIVE_UP, **liveness})  # type: ignore[arg-type]
    return VacantChairs(chosen, [EASY] * seats, seed=seed, liveness=agreed)


def unread(chairs: VacantChairs, operator: int) -> None:
    """Nobody at the table, and not who left, reads a card in the hands it left behind."""
    match = chairs.witness.match
    for seat in match.seats_of(operator):
        for slot in match.state.places[seat].hand:
            assert match.face(slot) is None
            assert match.cards.state(slot).audience is None
            for dealer in chairs.dealers:
                if dealer.match.folded == match.folded:
                    assert dealer.contributor.known.peek(slot) is None


@pytest.mark.parametrize("seed", range(6))
def test_the_match_ends_without_one_that_was_given_up(seed: int) -> None:
    """At any moment, anybody, at any table that can spare it."""
    seats = 3 + seed % 3
    chairs = table(seats, seed)
    for _ in range(chairs.random.randint(60, 120)):
        chairs.round()
    absent = chairs.random.randrange(seats)
    chairs.vote_out(absent)
    match = chairs.witness.match
    for _ in range(20_000):
        if match.stage != "play":
            break
        if match.at_rest:
            unread(chairs, absent)
        chairs.round()
    chairs.play()
    assert len({chairs.dealers[o].match.digest() for o in chairs.here}) == 1
    assert check_hidden(chairs.gather())
    assert absent not in match.keys.given


def test_its_layer_is_in_no_card_that_is_laid_or_shuffled_afterwards() -> None:
    chairs = table(4, seed=1)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 2)
    chairs.leave(3)
    chairs.until(lambda: match.absence.departed == (3,))
    joint, moment = match.cards.joint, match.state.round
    chairs.until(lambda: match.state.round == moment + 1 and bool(match.hidden_picks()))
    assert match.cards.departed == {3}
    assert match.cards.joint == joint
    for slot in match.state.deck:
        assert 3 in match.cards.sharers(slot)
    for slot in match.hidden_picks():
        assert match.cards.layers(slot) == (0, 1, 2)
    recovered = parts(chairs)
    chairs.until(lambda: match.state.round == moment + 3)
    assert parts(chairs) == recovered  # nothing of its key is ever needed again


def parts(chairs: VacantChairs) -> int:
    """How often somebody has given a part of a share."""
    bodies_ = (bodies.read(body) for _, body in chairs.journal)
    return sum(isinstance(body, bodies.Recovered) for body in bodies_)


def test_the_escrow_is_made_anew_so_that_another_may_leave() -> None:
    """Five ask for four: without this the second one that leaves would stop the match."""
    chairs = table(5, seed=2)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 1)
    chairs.leave(4)
    chairs.until(lambda: match.absence.departed == (4,))
    assert match.keys.needed == 3
    assert set(match.keys.escrows[0].seals) == {1, 2, 3}
    chairs.leave(1)
    chairs.until(lambda: match.absence.departed == (4, 1))
    assert match.absence.departed == (4, 1)
    assert match.keys.needed == 2
    chairs.play()
    assert {chairs.dealers[o].match.stage for o in chairs.here} == {"done"}
    assert check_hidden(chairs.gather())


def test_of_three_two_are_left_and_hold_nothing_of_each_other() -> None:
    chairs = table(3, seed=3)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 1)
    chairs.leave(1)
    chairs.until(lambda: match.absence.departed == (1,))
    assert match.keys.needed is None
    assert set(match.keys.escrows) == {1}
    chairs.vanish(2)
    for _ in range(300):
        chairs.round()
    assert match.stage == "play"
    chairs.come_back(2)
    chairs.play()
    assert {chairs.dealers[o].match.stage for o in chairs.here} == {"done"}


def test_who_leaves_by_its_own_word_is_not_waited_for() -> None:
    chairs = table(4, seed=4, give_up=0)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 2 and match.at_rest)
    hand = [(s, match.cards.state(s).version) for s in match.state.places[2].hand]
    assert hand
    now = chairs.now
    chairs.leave(2)
    assert chairs.dealers[2].owed() == ()
    chairs.until(lambda: match.absence.departed == (2,))
    assert chairs.now == now  # its word is enough: no clock has to agree
    for slot, version in hand:
        assert match.cards.state(slot).version >= version + 3  # mixed by the three others
    unread(chairs, 2)
    chairs.play()
    assert check_hidden(chairs.gather())


def test_who_left_for_good_is_heard_no_more() -> None:
    """It comes back, folds everything, sees what all see, and has no say."""
    chairs = table(4, seed=5)
    match = chairs.dealers[1].match
    chairs.until(lambda: match.state.round == 1)
    chairs.vote_out(0)
    chairs.come_back(0, restarted=True)
    dealer = chairs.dealers[0]
    assert dealer.owed() == ()
    for body in (bodies.Returned(), bodies.Missed(1, match.absence.attendance.words[1])):
        seq = len(chairs.journal) + 1
        assert {one.fold(seq, 0, bodies.write(body)) for one in chairs.dealers} == {STALE}
    unread(chairs, 0)
    chairs.play()
    assert len({one.match.digest() for one in chairs.dealers}) == 1


def test_one_that_was_away_meanwhile_entrusts_its_key_to_those_who_are_left() -> None:
    """Six: one leaves for good while another is away, who then comes back and plays on."""
    chairs = table(6, seed=6)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 1)
    chairs.vanish(1)
    chairs.until(lambda: 1 in match.absence.gone)
    chairs.leave(5)
    chairs.until(lambda: match.absence.departed == (5,))
    assert 5 in match.keys.escrows[1].seals
    chairs.until(lambda: match.state.round == 2)
    chairs.come_back(1)
    chairs.until(lambda: 5 not in match.keys.escrows[1].seals)
    chairs.play()
    assert {chairs.dealers[o].match.stage for o in chairs.here} == {"done"}
    assert check_hidden(chairs.gather())


def test_nobody_leaves_twice() -> None:
    """Once it is said, and once all of it is done."""
    chairs = table(4, seed=7)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 1)
    chairs.leave(2)
    leaver = chairs.dealers[2]
    assert leaver.match.absence.leaving == (2,)
    assert leaver.depart() == Reason("already_so")
    chairs.until(lambda: match.absence.departed == (2,))
    chairs.come_back(2)
    assert leaver.depart() == Reason("already_so")


def test_who_has_left_has_no_seat_for_a_bot() -> None:
    chairs = VacantChairs(
        Rules.make("classic", seats=4, city=6), [EASY, EASY, None, EASY], seed=7
    )
    match, leaver = chairs.witness.match, chairs.dealers[2]
    chairs.until(lambda: match.state.round == 1)
    goodbye = leaver.depart()
    assert isinstance(goodbye, Contribution)
    chairs.order(2, goodbye)
    assert leaver.hand_over("easy") == Reason("already_so")  # before it is over for it, too
    (over,) = leaver.owed()
    chairs.order(2, over)
    chairs.vanish(2)
    assert leaver.hand_over("easy") == Reason("already_so")
    chairs.until(lambda: match.absence.departed == (2,))
    chairs.come_back(2)
    assert leaver.hand_over("") == leaver.hand_over("easy") == Reason("already_so")


@pytest.mark.parametrize("stage", ["audit", "done"])
def test_nobody_leaves_for_good_once_the_match_is_over(stage: str) -> None:
    chairs = table(4, seed=7)
    match = chairs.witness.match
    chairs.until(lambda: match.stage == stage)
    before = match.digest()
    late = bodies.write(bodies.GivenUp(2, match.absence.attendance.words[2]))
    seq = len(chairs.journal) + 1
    assert {one.fold(seq, 2, late) for one in chairs.dealers} == {STALE}
    assert match.digest() == before
    assert match.absence.left == ()
    assert chairs.dealers[2].depart() == Reason("match_over")
    chairs.play()


def after_a_goodbye(seed: int) -> VacantChairs:
    """The last of four says in the second round that it leaves for good, and not yet *over*."""
    chairs = table(4, seed=seed)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 2)
    word = chairs.dealers[3].depart()
    assert isinstance(word, Contribution)
    chairs.order(3, word)
    return chairs


def test_a_goodbye_is_not_taken_back() -> None:
    """Whoever saw something coming could say it, have that undone, and be back at once."""
    chairs = after_a_goodbye(seed=7)
    match = chairs.witness.match
    missed = bodies.Missed(3, match.absence.attendance.words[3])
    chairs.order(1, Contribution(key=b"missed", body=bodies.write(missed)))
    back, seq = bodies.write(bodies.Returned()), len(chairs.journal) + 1
    assert {one.fold(seq, 3, back) for one in chairs.dealers} == {STALE}
    assert 3 in match.absence.gone


def test_who_said_goodbye_and_says_over_after_the_end_keeps_no_key_from_anybody() -> None:
    """Its lid was closed between the two words, and the others have played on without it."""
    chairs = after_a_goodbye(seed=3)
    chairs.vanish(3)
    chairs.play()
    assert chairs.witness.match.stage == "done"
    assert check_hidden(chairs.gather())


def test_the_score_waits_for_no_key_of_who_has_gone_home() -> None:
    """Who said goodbye comes back once two others have the score and have closed their laptops:
    those who are left are no majority, and nobody can be missed.
    """
    chairs = table(6, seed=3)
    leaver, match = chairs.dealers[5], chairs.witness.match
    chairs.until(lambda: match.state.round == 2)
    word = leaver.depart()
    assert isinstance(word, Contribution)
    chairs.order(5, word)
    chairs.vanish(5)
    chairs.until(lambda: match.stage == "done")
    assert all(chairs.dealers[one].is_finished for one in chairs.here)
    for gone in (3, 4):
        chairs.vanish(gone)
    chairs.come_back(5)
    chairs.until(lambda: 5 in match.ended and {one.operator for one in match.duties} == {3, 4})
    assert not leaver.is_finished  # they may be here in a moment
    for _ in range(2 * chairs.liveness.away + 2):
        chairs.pass_time()
    assert leaver.match.stage == "audit"
    assert leaver.is_finished


def test_who_said_goodbye_and_has_lost_its_key_can_say_over() -> None:
    chairs = after_a_goodbye(seed=3)
    chairs.vanish(3)
    for _ in range(20):
        chairs.round()
    chairs.come_back(3, robbed=True)
    assert chairs.dealers[3].can_mend()
    assert [one.key for one in chairs.dealers[3].owed()] == [b"over"]


def test_nobody_is_given_up_once_the_match_is_over() -> None:
    """Who vanished before it gave its key away is waited for no more, and that is all."""
    chairs = table(4, seed=7)
    match = chairs.witness.match
    chairs.until(lambda: match.stage == "audit")
    chairs.vanish(3)
    chairs.until(lambda: 3 in match.absence.gone or match.stage == "done")
    chairs.pass_time(10.0 * GIVE_UP)
    word = match.absence.attendance.words[3]
    late = bodies.write(bodies.GivenUp(3, word))
    seq = len(chairs.journal) + 1
    assert {chairs.dealers[o].fold(seq, 0, late) for o in chairs.here} == {STALE}
    for operator in chairs.here:
        assert not [one for one in chairs.dealers[operator].owed() if b"given_up" in one.key]
    chairs.play()
    assert match.absence.left == ()
    assert match.stage == "done"


@pytest.mark.parametrize("moment", range(0, 25, 4))
def test_another_vanishes_and_returns_in_the_midst_of_it(moment: int) -> None:
    """What was under way is stale at most, and all goes on."""
    chairs = table(6, seed=30 + moment)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 1)
    chairs.leave(5)
    start = len(chairs.journal)
    chairs.until(lambda: len(chairs.journal) >= start + moment)
    chairs.vanish(2)
    chairs.until(lambda: match.absence.departed == (5,))
    chairs.come_back(2)
    chairs.until(lambda: match.absence.attendance.away == {5})
    moment = match.state.round
    chairs.until(lambda: match.state.round > moment + 1 or match.stage == "done")


def test_two_leave_at_once() -> None:
    chairs = table(6, seed=9)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 1)
    chairs.leave(5)
    chairs.leave(4)
    chairs.until(lambda: match.absence.departed == (5, 4))
    assert match.keys.needed == 3
    chairs.play()
    assert check_hidden(chairs.gather())


def test_a_minority_gives_nobody_up_and_nobody_who_is_here() -> None:
    chairs = table(5, seed=7, give_up=0)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 1)

    def said(author: int, operator: int, since: int) -> set[str | None]:
        entry = bodies.write(bodies.GivenUp(operator, since))
        seq = len(chairs.journal) + 1
        verdicts = {chairs.dealers[o].fold(seq, author, entry) for o in chairs.here}
        if verdicts == {None}:
            chairs.journal.append((author, entry))
        return verdicts

    assert said(0, 4, match.absence.attendance.words[4]) == {STALE}
    chairs.vanish(4)
    chairs.until(lambda: 4 in match.absence.gone)
    word = match.absence.attendance.words[4]
    assert said(0, 4, word) == {None}
    assert said(0, 4, word) == {f"{FORBIDDEN}illegal: gives it up twice"}
    assert said(1, 4, word - 1) == {STALE}
    assert said(1, 9, 0) == {STALE}
    assert said(1, 4, word) == {None}
    assert match.absence.leaving == ()
    chairs.come_back(4)
    chairs.until(lambda: 4 not in match.absence.attendance.away)
    assert match.absence.attendance.given_up_by(4) == frozenset()
    chairs.play()


def test_nobody_leaves_for_good_where_the_others_could_not_play_on() -> None:
    for chairs in (table(2, seed=8), table(4, seed=8, escrow=STRICT)):
        match = chairs.witness.match
        chairs.until(lambda match=match: match.state.round == 1)
        if len(chairs.dealers) > 2:  # one of two resigns, and ends the match with it
            assert chairs.dealers[1].depart() == Reason("not_spared")
        entry = bodies.write(bodies.GivenUp(1, match.absence.attendance.words[1]))
        seq = len(chairs.journal) + 1
        assert {one.fold(seq, 1, entry) for one in chairs.dealers} == {STALE}
