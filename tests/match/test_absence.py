"""Operators vanish and return, and the match goes on as the table has agreed.

What it never does: open a card of an absent hand, take a share from somebody who is not gone,
or refuse an honest entry for more than having come too late.
"""

from __future__ import annotations

from random import Random

import pytest

from citadels_p2p import rules
from citadels_p2p.bots import Observation, make_bot
from citadels_p2p.match.archive.assurance import check_hidden
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.match.fold.refusal import STALE
from citadels_p2p.match.news import Ask, Notice
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import Liveness
from citadels_p2p.rules import Reason, Rules, digest
from citadels_p2p.rules.needs import Decide
from protocol.application import FORBIDDEN, Contribution
from protocol.cards.escrow import SEAL_BYTES, STRICT, seal_to
from tests.match.vacant_chairs import VacantChairs
from tests.protocol.tiny_group import TinyGroup

EASY = make_bot("easy")


def table(seats: int, seed: int = 0, **liveness: object) -> VacantChairs:
    chosen = Rules.make("classic", seats=seats, city=6)
    agreed = Liveness(**liveness)  # type: ignore[arg-type]  # the fields by name
    return VacantChairs(chosen, [EASY] * seats, seed=seed, liveness=agreed)


def held_back(chairs: VacantChairs, operator: int) -> None:
    """Nobody reads a card in the hand of an operator that is gone, and none lies open."""
    match = chairs.witness.match
    if match.stage != "play" or not match.at_rest:
        return
    for seat in match.seats_of(operator):
        for slot in match.state.places[seat].hand:
            for other in chairs.here - {operator}:
                assert chairs.dealers[other].contributor.known.peek(slot) is None


@pytest.mark.parametrize("seed", range(4))
def test_the_match_ends_although_somebody_vanishes(seed: int) -> None:
    """At any moment, at any table that has somebody to stand in for it."""
    seats = 3 + seed % 3
    chairs = table(seats, seed)
    leaves = chairs.random.randint(1, 160)
    absent = chairs.random.randrange(seats)
    for turn in range(20_000):
        if turn == leaves:
            chairs.vanish(absent)
        if turn >= leaves:
            held_back(chairs, absent)
        if not chairs.round():
            break
    finished = {o: chairs.dealers[o].match for o in chairs.here}
    assert {match.stage for match in finished.values()} == {"done"}
    assert len({match.digest() for match in finished.values()}) == 1
    assert not any(map(check_hidden, finished.values()))
    assert check_hidden(chairs.gather())


def test_it_takes_its_seat_again_hand_and_all() -> None:
    """Back from its own disk and the journal, it sees the hand it had, and plays on."""
    chairs = table(4, seed=3)
    dealer = chairs.dealers[3]
    chairs.until(lambda: dealer.match.state.round == 2 and dealer.match.at_rest)
    hand = sorted(dealer.faces(3)[slot] for slot in dealer.match.state.places[3].hand)
    before = {s: dealer.match.cards.state(s) for s in dealer.match.state.places[3].hand}
    chairs.vanish(3)
    chairs.until(lambda: 3 in chairs.witness.match.absence.gone)
    chairs.until(lambda: chairs.witness.match.at_rest)
    kept = [s for s in chairs.witness.match.state.places[3].hand if s in before]
    untouched = all(chairs.witness.match.cards.state(s) == before[s] for s in kept)
    chairs.come_back(3, restarted=True)
    chairs.until(lambda: not chairs.witness.match.absence.attendance.away)
    again = chairs.dealers[3]
    if untouched and len(kept) == len(before):
        assert sorted(again.faces(3)[slot] for slot in kept) == hand
    chairs.until(lambda: again.match.at_rest)
    assert set(again.match.state.places[3].hand) <= set(again.faces(3))
    chairs.play()
    assert {one.match.stage for one in chairs.dealers} == {"done"}


def test_a_hand_that_was_never_touched_is_never_opened() -> None:
    """No share of a card that was dealt to the absent one is ever put together."""
    chairs = table(3, seed=8)
    dealer = chairs.dealers[2]
    chairs.until(lambda: dealer.match.stage == "play" and dealer.match.state.round == 1)
    chairs.until(lambda: dealer.match.at_rest)
    chairs.vanish(2)
    match = chairs.witness.match
    chairs.until(lambda: 2 in match.absence.gone)
    owned = {
        (slot, match.cards.state(slot).version)
        for slot in match.state.places[2].hand
        if match.custody._reader.get(slot) == 2
    }
    assert owned
    chairs.play()
    opened = {
        slot
        for author, body in chairs.journal
        if isinstance(entry := bodies.read(body), bodies.Recovered)
        for slot in entry.slots
    }
    for slot, version in owned:
        if match.cards.state(slot).version == version:
            assert 2 not in match.cards.shares(slot)
            assert slot not in opened


@pytest.mark.parametrize("seed", range(3))
def test_who_is_gone_is_not_called(seed: int) -> None:
    """Its character stays closed, at its call and at the round's end; it gets nothing."""
    chairs = table(3, seed=seed)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 1 and match.at_rest)
    chairs.vanish(2)
    chairs.until(lambda: 2 in match.absence.gone)
    begun, hand = len(match.events), list(match.state.places[2].hand)
    gold = match.state.places[2].gold
    while match.stage == "play" and match.state.round < 5:
        assert not [
            s for s, seat in match.hidden_picks().items() if seat == 2 and match.face(s)
        ]
        chairs.round()
    called = [e for e in match.events[begun:] if e.kind in ("rank_called", "exposed")]
    assert any(e.kind == "rank_called" and e.values[1] is not None for e in called)
    assert not any(2 in e.values[1:] for e in called if e.kind == "rank_called")
    assert not any(e.values[0] == 2 for e in called if e.kind == "exposed")
    assert match.state.places[2].gold <= gold
    assert match.state.places[2].hand == hand
    chairs.play()
    assert not check_hidden(match)
    assert check_hidden(chairs.gather())


def test_who_comes_back_after_its_call_has_not_lied() -> None:
    """It never said 'not I': its character is shown at the round's end, as ever."""
    for seed in range(4):
        chairs = table(4, seed=seed)
        match = chairs.dealers[0].match
        chairs.until(
            lambda match=match: match.state.round == 2 and match.state.turn is not None
        )
        chairs.vanish(3)
        chairs.until(lambda match=match: 3 in match.absence.gone)
        chairs.until(lambda match=match: match.state.called > 6 or match.state.round > 2)
        chairs.come_back(3)
        chairs.until(lambda match=match: match.state.round == 4 or match.is_over)
        assert match.cheat is None


class Thieving:
    """Takes the Magician where it can, and the last seat's whole hand as soon as it may."""

    def choose(self, sight: Observation, random: Random) -> tuple[str, ...]:
        offer = sight.choice
        for move in offer.moves:
            card = move.slot >= 0 and sight.faces.get(move.slot)
            if move.id == f"swap:{sight.state.rules.seats - 1}" or card == "magician":
                return (move.id,)
        return EASY.choose(sight, random)


def test_nobody_takes_the_hand_of_who_is_gone() -> None:
    """It waits for it; who had decided before it heard is late, and decides anew."""
    chosen = Rules.make("classic", seats=4, city=6)
    chairs = VacantChairs(chosen, [Thieving(), EASY, EASY, EASY], seed=23)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 1)
    chairs.vanish(3)
    chairs.until(lambda: 3 in match.absence.gone)
    hand = list(match.state.places[3].hand)

    def is_magician() -> bool:
        turn, at_rest = match.state.turn, match.at_rest
        return at_rest and turn is not None and (turn.seat, turn.character) == (0, "magician")

    chairs.until(is_magician)
    assert "swap:3" not in {move.id for move in rules.choice(match.state, {}).moves}
    late = bodies.write(bodies.Acted(match.step, 0, ("swap:3",)))
    seq = len(chairs.journal) + 1
    assert {chairs.dealers[o].fold(seq, 0, late) for o in chairs.here} == {STALE}
    chairs.play()
    assert match.state.places[3].hand == hand
    assert check_hidden(chairs.gather())


@pytest.mark.parametrize("seats", [4, 7])
def test_characters_before_one_that_vanishes_are_veiled_and_mixed_by_all(seats: int) -> None:
    """They lay under its key alone: with it those who stand in could read them."""
    chairs = table(seats, seed=5)
    match = chairs.witness.match
    chairs.until(lambda: chooser(chairs) not in (None, match.state.crown))
    absent = chooser(chairs)
    assert absent is not None
    after = (absent + 1) % seats
    before = set(match.state.pile)
    assert {match.cards.layers(slot) for slot in before} == {(absent,)}
    chairs.vanish(absent)
    chairs.until(lambda: chooser(chairs) == after)
    others = set(range(seats)) - {absent}
    said = [(author, bodies.read(body)) for author, body in chairs.journal]
    veils = [who for who, one in said if isinstance(one, bodies.Veiled)]
    assert (sorted(veils), set(veils)) == (sorted(others), others)
    mixes = [
        who
        for who, one in said
        if isinstance(one, bodies.Shuffled) and set(one.slots) == before
    ]
    assert mixes == [absent, *sorted(others)]  # in turn, before one is taken for it
    assert before > set(match.state.pile)
    for slot in match.state.pile:
        readers = {
            one for one in chairs.here if chairs.dealers[one].contributor.known.peek(slot)
        }
        assert readers == {after}
    chairs.come_back(absent)
    assert not any(
        chairs.dealers[absent].contributor.known.peek(slot) for slot in match.state.pile
    )
    chairs.play()
    assert {chairs.dealers[o].match.stage for o in chairs.here} == {"done"}
    assert check_hidden(chairs.gather())


@pytest.mark.parametrize("mixed", range(3))
def test_one_that_is_back_before_all_have_mixed_its_characters(mixed: int) -> None:
    """Others' layers lie on them: it can pass them to nobody, so the next one mixes them."""
    chairs = table(4, seed=5)
    match = chairs.witness.match
    chairs.until(lambda: chooser(chairs) not in (None, match.state.crown))
    absent = chooser(chairs)
    assert absent is not None
    after = (absent + 1) % 4
    mixer = [one for one in range(4) if one != absent][mixed]
    chairs.vanish(absent)
    chairs.until(
        lambda: any((one.kind, one.operator) == ("remask", mixer) for one in match.duties)
    )
    chairs.come_back(absent)
    chairs.order(absent, said(b"returned", bodies.Returned()))
    chairs.until(lambda: chooser(chairs) == after)
    for slot in match.state.pile:
        readers = {
            one for one in chairs.here if chairs.dealers[one].contributor.known.peek(slot)
        }
        assert readers == {after}
    chairs.play()
    assert {one.match.stage for one in chairs.dealers} == {"done"}
    assert check_hidden(chairs.gather())


@pytest.mark.parametrize("absent", [1, 2])
def test_characters_that_come_to_one_that_is_gone_stay_closed_to_it(absent: int) -> None:
    """Nobody passes it any; whoever comes next is dealt them, and mixes them."""
    chairs = table(4, seed=6)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 1)
    chairs.vanish(absent)
    chairs.until(lambda: match.state.round == 2)
    since = len(chairs.journal)
    chairs.until(lambda: match.state.round == 3)
    assert absent in match.absence.gone
    said = [bodies.read(body) for _, body in chairs.journal[since:]]
    passed = {one.seat for one in said if isinstance(one, bodies.Passed)}
    assert passed
    assert absent not in passed
    chairs.come_back(absent)
    chairs.play()
    assert check_hidden(chairs.gather())


@pytest.mark.parametrize("absent", range(4))
def test_a_character_taken_for_one_that_was_gone_is_dealt_to_it_alone(absent: int) -> None:
    """Its layer was laid on by nobody while it was gone."""
    chairs = table(4, seed=6)
    match = chairs.witness.match if absent else chairs.dealers[1].match
    chairs.until(lambda: match.state.round == 1)
    chairs.vanish(absent)
    chairs.until(lambda: match.state.round == 2 and absent in match.hidden_picks().values())
    chairs.come_back(absent)
    chairs.until(lambda: absent not in match.absence.gone and match.at_rest)
    (slot,) = (one for one, seat in match.hidden_picks().items() if seat == absent)
    readers = {one for one in chairs.here if chairs.dealers[one].contributor.known.peek(slot)}
    assert readers == {absent}
    assert match.face(slot) is None
    chairs.play()
    assert check_hidden(chairs.gather())


def test_a_shuffle_that_was_made_before_somebody_came_back_is_stale() -> None:
    """Who is back shuffles first: what was made for the pile as it was proves nothing now."""
    chairs = table(3, seed=8)
    match = chairs.dealers[1].match
    chairs.until(lambda: match.state.round == 1)
    chairs.vanish(0)
    chairs.until(
        lambda: (
            0 in match.absence.gone
            and match.absence.owed_at.get(0) != match.step
            and any(one.kind == "shuffle" for one in match.duties)
        )
    )
    assert match.duties[0].operator == 1
    (letter,) = chairs._owed(1)
    chairs.come_back(0)
    chairs.until(lambda: 0 in match.shuffled)
    refusals = chairs.refusals
    chairs.order(1, letter)
    assert chairs.refusals == refusals + 1
    chairs.play()
    assert check_hidden(chairs.gather())


def chooser(chairs: VacantChairs) -> int | None:
    """The seat that chooses among characters now, if nothing else is to be done."""
    match = chairs.witness.match
    need = rules.need(match.state)
    if not match.at_rest or not isinstance(need, Decide) or need.kind != "character":
        return None
    return need.seat


def test_a_minority_sends_nobody_away() -> None:
    """One that misses another is not believed; a word of the missed one settles it."""
    chairs = table(5, seed=1)
    chairs.until(lambda: chairs.witness.match.state.round == 1)
    match = chairs.witness.match
    words = match.absence.attendance.words
    for voter in (0, 1):
        chairs.order(voter, said(b"missed", bodies.Missed(4, words[4])))
    assert match.absence.attendance.missed_by(4) == {0, 1}
    assert match.absence.attendance.away == frozenset()
    chairs.until(lambda: not match.absence.attendance.missed_by(4))
    chairs.play()
    assert not any(event.kind == "seat_away" for event in match.events)


@pytest.mark.parametrize("seed", range(2))
def test_who_hears_one_that_is_gone_is_not_missed_for_standing_in_late(seed: int) -> None:
    """It misses it itself first, in its own time: its duties begin with that."""
    chairs = table(5, seed, away=5)
    match = chairs.witness.match
    chairs.until(
        lambda: match.stage == "play" and [duty.kind for duty in match.duties] == ["act"]
    )
    chairs.vanish(4)
    chairs.whispers = {(4, 0)}
    for _ in range(11):
        chairs.pass_time()
    for voter in (1, 2, 3):
        since = match.absence.attendance.words[4]
        chairs.order(voter, said(b"missed", bodies.Missed(4, since)))
    assert match.absence.gone == {4}
    chairs.until(lambda: match.state.round == 3)
    seats = {event.values for event in match.events if event.kind == "seat_away"}
    assert seats == {(4,)}


def test_one_that_was_sent_away_wrongly_returns_at_once() -> None:
    """Its characters and turns are its own again, and nothing of its hand was shown."""
    chairs = table(5, seed=2)
    chairs.until(lambda: chairs.witness.match.state.round == 1)
    match = chairs.witness.match
    since = match.absence.attendance.words[4]
    for voter in (0, 1, 2):
        chairs.order(voter, said(b"missed", bodies.Missed(4, since)))
    assert match.absence.gone == {4}
    chairs.until(lambda: not match.absence.gone)
    chairs.play()
    assert check_hidden(chairs.gather())


def test_nobody_answers_before_its_own_clock_agrees() -> None:
    """However many others say that somebody is gone, a holder waits for its own time."""
    chairs = table(5, seed=4)
    chairs.until(lambda: chairs.witness.match.state.round == 1)
    match = chairs.witness.match
    chairs.vanish(4)
    since = match.absence.attendance.words[4]
    for voter in (0, 1, 2):
        chairs.order(voter, said(b"missed", bodies.Missed(4, since)))
    chairs.until(lambda: any(d.absent == 4 or d.kind == "timeout" for d in match.duties))
    assert 3 not in match.absence.attendance.missed_by(4)
    assert any(duty.operator == 3 and duty.absent == 4 for duty in match.duties)
    owed = [name for name, _ in chairs.dealers[3]._obligations()]
    assert not [name for name in owed if name.startswith((b"recover", b"timeout"))]
    chairs.until(lambda: 3 in match.absence.attendance.missed_by(4))
    chairs.until(lambda: match.state.round == 3)


def test_a_holder_misses_who_is_away_to_all_others_and_is_heard_by_it_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A liar that whispers: of five, all four have to give their parts of its share."""
    chairs = table(5, seed=1)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 2 and match.at_rest)
    since = match.absence.attendance.words[4]
    for voter in (0, 1, 2):
        chairs.order(voter, said(b"missed", bodies.Missed(4, since)))
    assert (match.absence.gone, match.absence.undone_at(match.step)) == ({4}, set())
    chairs.vanish(4)
    tick = chairs.dealers[3].tick
    monkeypatch.setattr(
        chairs.dealers[3], "tick", lambda now, silence: tick(now, (*silence[:4], 0.0))
    )
    chairs.until(lambda: match.state.round == 4, most=2000)
    assert 3 in match.absence.attendance.missed_by(4)
    assert sum(event.kind == "seat_away" for event in match.events) == 1


def test_who_hears_the_one_that_is_gone_has_time_to_miss_it_before_it_enters_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else whoever whispers to the first of them has that one called away as well."""
    chairs = table(5, seed=1)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 2 and Duty("act", 4, (), 4) in match.duties)
    since = match.absence.attendance.words[4]
    for voter in (1, 2, 3):
        chairs.order(voter, said(b"missed", bodies.Missed(4, since)))
    assert match.absence.gone == {4}
    chairs.vanish(4)
    tick = chairs.dealers[0].tick
    monkeypatch.setattr(
        chairs.dealers[0], "tick", lambda now, silence: tick(now, (*silence[:4], 0.0))
    )
    chairs.until(lambda: match.state.round == 3, most=2000)
    assert sum(event.kind == "seat_away" for event in match.events) == 1


def test_a_time_out_is_for_who_is_gone_and_only_then() -> None:
    chairs = table(3, seed=5)
    match = chairs.witness.match
    chairs.until(lambda: any(duty.kind == "act" for duty in match.duties))
    (duty,) = match.duties
    for author in range(3):
        entry = bodies.write(bodies.TimedOut(match.step, duty.seat))
        verdicts = [one.fold(len(chairs.journal) + 1, author, entry) for one in chairs.dealers]
        assert all(code and code.startswith(FORBIDDEN) for code in verdicts)


def owing(chairs: VacantChairs, operator: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to where its program owes shares; from then on it says nothing by itself."""
    match = chairs.witness.match
    chairs.until(
        lambda: any((one.kind, one.operator) == ("deal", operator) for one in match.duties)
    )
    monkeypatch.setattr(chairs.dealers[operator], "owed", lambda **_: ())


def test_one_that_says_other_things_than_it_owes_is_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It hands its seat over and takes it back, again and again, and keeps its work back."""
    chosen = Rules.make("classic", seats=4, city=6)
    chairs = VacantChairs(chosen, [EASY, EASY, EASY, None], seed=1)
    match = chairs.witness.match
    owing(chairs, 3, monkeypatch)
    began = chairs.now
    while 3 not in match.absence.gone and chairs.now < began + 2 * chairs.liveness.away:
        level = "" if match.bots.get(3) else "easy"
        chairs.order(3, said(b"hand over", bodies.HandedOver(3, level)))
        chairs.pass_time()
        chairs.round()
    assert match.absence.gone == {3}
    step = match.step
    chairs.until(lambda: match.step > step)


def test_one_that_owes_is_here_by_what_it_owes_and_not_by_saying_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A host could order that of itself after the first that misses it, again and again."""
    chairs = table(4, seed=1)
    match = chairs.witness.match
    owing(chairs, 3, monkeypatch)
    since = match.absence.attendance.words[3]
    chairs.order(0, said(b"missed", bodies.Missed(3, since)))
    refusals = chairs.refusals
    chairs.order(3, said(b"returned", bodies.Returned()))
    assert chairs.refusals == refusals + 1
    assert match.absence.attendance.missed_by(3) == {0}


def test_one_that_was_sent_away_owing_is_not_back_before_others_have_done_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else it could be back each time before they have, and the match would stand still."""
    chairs = table(4, seed=1)
    match = chairs.witness.match
    owing(chairs, 3, monkeypatch)
    since, step = match.absence.attendance.words[3], match.step
    for voter in (0, 1, 2):
        chairs.order(voter, said(b"missed", bodies.Missed(3, since)))
    while 3 in match.absence.gone:
        chairs.order(3, said(b"returned", bodies.Returned()))
        if 3 in match.absence.gone:
            chairs.round()
    assert match.step > step or match.at_rest
    assert chairs.refusals
    monkeypatch.undo()
    chairs.play()
    assert check_hidden(chairs.gather())


def test_a_stand_in_that_did_not_miss_it_yet_does_so_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It hears the one that is gone and not back: both would wait for each other."""
    chairs = table(5, seed=1)
    match = chairs.witness.match
    owing(chairs, 3, monkeypatch)
    since, step = match.absence.attendance.words[3], match.step
    for voter in (0, 1, 2):
        chairs.order(voter, said(b"missed", bodies.Missed(3, since)))
    assert match.absence.gone == {3}
    chairs.until(lambda: all(one.operator == 4 for one in match.duties))
    monkeypatch.setattr(
        chairs.dealers[3], "owed", lambda **_: (said(b"returned", bodies.Returned()),)
    )
    began = chairs.now
    chairs.until(lambda: match.step > step or chairs.now > began + 2 * chairs.liveness.away)
    assert match.step > step
    assert 4 not in match.absence.attendance.away


def test_without_escrow_the_match_waits_and_goes_on_when_all_are_back() -> None:
    for chairs in (table(3, seed=7, escrow=STRICT), table(2, seed=7)):
        last = len(chairs.dealers) - 1
        chairs.until(lambda chairs=chairs: chairs.witness.match.state.round == 2)
        chairs.vanish(last)
        for _ in range(300):
            chairs.round()
        assert chairs.witness.match.stage == "play"
        assert chairs.witness.presence.waits_for(chairs.witness.match) == (last,)
        assert not any(e.kind == "timed_out" for e in chairs.witness.match.events)
        chairs.come_back(last, restarted=True)
        chairs.play()
        assert {one.match.stage for one in chairs.dealers} == {"done"}


def test_with_too_few_left_the_match_waits() -> None:
    """Four need three: the second that vanishes stops it, and its return lets it go on."""
    chairs = table(4, seed=9)
    chairs.until(lambda: chairs.witness.match.state.round == 1)
    chairs.vanish(3)
    chairs.until(lambda: 3 in chairs.witness.match.absence.gone)
    chairs.vanish(2)
    for _ in range(300):
        chairs.round()
    assert chairs.witness.match.stage == "play"
    chairs.come_back(2)
    chairs.play()
    assert {chairs.dealers[o].match.stage for o in chairs.here} == {"done"}


def test_two_may_be_gone_at_a_table_of_six() -> None:
    chairs = table(6, seed=11)
    chairs.until(lambda: chairs.witness.match.state.round == 1)
    chairs.vanish(0)
    chairs.vanish(4)
    chairs.until(lambda: chairs.witness.match.absence.gone == {0, 4})
    chairs.until(lambda: chairs.witness.match.state.round == 3)
    chairs.come_back(0)
    chairs.until(lambda: chairs.witness.match.absence.gone == {4})


def test_who_comes_back_after_the_end_finds_it_as_the_others_left_it() -> None:
    """With the same digest, which is what laptops compare."""
    chairs = table(4, seed=3)
    chairs.until(lambda: chairs.witness.match.state.round == 2)
    chairs.vanish(3)
    chairs.until(lambda: chairs.witness.match.is_over)
    ended = digest(chairs.witness.match.state)
    assert 3 in chairs.witness.match.absence.gone
    chairs.come_back(3)
    chairs.until(lambda: chairs.witness.match.stage == "done")
    for one in chairs.dealers:
        assert one.match.is_over
        assert digest(one.match.state) == ended


def test_a_dealer_that_seals_a_wrong_value_is_named() -> None:
    """The holder complains, everybody sees why, and the match ends with the dealer's name."""

    class Cheat(SealedDealer):
        def _make(self, duty: Duty, key: bytes) -> Contribution:
            made = super()._make(duty, key)
            if duty.kind != "entrust":
                return made
            entry = bodies.read(made.body)
            assert isinstance(entry, bodies.Entrusted)
            keys, group, holder = self.match.keys, self.match.group, 2
            wrong = seal_to(
                *(group, keys.context(), self.me, holder),
                *(group.random_scalar(), keys.publics[holder]),
            )
            raw = entry.escrow[:-SEAL_BYTES] + wrong
            return Contribution(key=key, body=bodies.write(bodies.Entrusted(raw)))

    chairs = table(3, seed=12)
    chairs.dealers[0] = Cheat(chairs.genesis, 0, {0: EASY}, TinyGroup())
    chairs.until(lambda: chairs.dealers[1].match.cheat is not None)
    for one in chairs.dealers:
        assert one.match.cheat is not None
        assert one.match.cheat.culprit == chairs.genesis.operators[0].identity
        assert one.owed() == ()


def test_a_false_complaint_is_a_cheat() -> None:
    chairs = table(3, seed=13)
    chairs.until(lambda: len(chairs.witness.match.keys.escrows) == 3)
    keys = chairs.witness.match.keys
    proof = keys.escrows[0].complain(1, chairs.dealers[1].contributor.pair().secret)
    for dealer, holder in ((0, 1), (1, 1), (0, 2)):
        entry = bodies.write(bodies.Complained(dealer, proof))
        seq = len(chairs.journal) + 1
        codes = {one.fold(seq, holder, entry) for one in chairs.dealers}
        assert all(code and code.startswith(FORBIDDEN) for code in codes)


def test_chance_decides_for_a_person_whose_time_is_up() -> None:
    """By its own program, with a legal choice; nobody else has a say in it."""
    chosen = Rules.make("classic", seats=2, city=6)
    agreed = Liveness(step_time=30)
    chairs = VacantChairs(chosen, [None, EASY], seed=14, liveness=agreed)
    dealer = chairs.dealers[0]
    asked, decided, late = 0, 0, 0
    for _ in range(3000):
        for news in dealer.news():
            asked += isinstance(news, Ask)
            late += isinstance(news, Notice) and news.code == "time_up"
            if isinstance(news, Ask):
                assert news.deadline == 30.0
        if asked >= 6:
            break
        chairs.round()
    decided = sum(
        isinstance(entry := bodies.read(body), bodies.Acted) and entry.seat == 0
        for _, body in chairs.journal
    )
    assert asked >= 6
    assert decided == asked - 1
    assert late >= decided - 1
    assert chairs.now >= 30.0 * decided


def test_who_never_decides_is_away_where_the_table_has_agreed_how_long_that_takes() -> None:
    """A changed program is linked, answers who misses it, and never decides: the others' own
    clocks run as well, and what it says besides is no word of it.
    """
    chosen = Rules.make("classic", seats=3, city=6)
    limits = Liveness(away=5, step_time=30)
    chairs = VacantChairs(chosen, [None, EASY, EASY], seed=16, liveness=limits)
    liar = chairs.dealers[0]
    liar.persons.is_newly_late = lambda now, allowed: False  # type: ignore[method-assign]
    attendance = chairs.dealers[1].match.absence.attendance
    chairs.until(lambda: any(isinstance(news, Ask) for news in liar.news()))
    asked, step = chairs.now, liar.match.step
    chairs.until(lambda: bool(attendance.missed_by(0)))
    assert 35.0 <= chairs.now - asked <= 37.0
    chairs.until(lambda: liar.match.step > step)
    assert chairs.now - asked <= 40.0
    chairs.until(lambda: attendance.away == frozenset())
    for _ in range(4):
        step = liar.match.step
        chairs.until(lambda before=step: liar.match.step > before)  # type: ignore[misc]


def test_who_was_not_heard_while_it_should_decide_has_its_time_anew_but_once() -> None:
    """Its program began anew, and gives its person the whole time: nobody misses it before."""
    chosen = Rules.make("classic", seats=3, city=6)
    limits = Liveness(away=5, step_time=30)
    chairs = VacantChairs(chosen, [None, EASY, EASY], seed=16, liveness=limits)
    chairs.until(lambda: any(isinstance(news, Ask) for news in chairs.dealers[0].news()))
    asked, step = chairs.now, chairs.witness.match.step
    chairs.vanish(0)
    chairs.vanish(1)  # so that nobody misses the first one
    while chairs.now < asked + 20.0:
        chairs.pass_time(1.0)
    chairs.come_back(0, restarted=True)
    chairs.come_back(1)
    chairs.pass_time()
    attendance = chairs.dealers[2].match.absence.attendance
    chairs.until(lambda: any(isinstance(news, Ask) for news in chairs.dealers[0].news()))
    chairs.until(lambda: chairs.dealers[2].match.step > step or bool(attendance.missed_by(0)))
    assert not attendance.missed_by(0)
    assert 50.0 <= chairs.now - asked <= 52.0


def test_who_never_decides_does_not_hold_the_table_by_a_link_that_breaks() -> None:
    chosen = Rules.make("classic", seats=3, city=6)
    limits = Liveness(away=8, step_time=30)
    chairs = VacantChairs(chosen, [None, EASY, EASY], seed=16, liveness=limits)
    liar = chairs.dealers[0]
    liar.persons.is_newly_late = lambda now, allowed: False  # type: ignore[method-assign]
    chairs.until(lambda: any(isinstance(news, Ask) for news in liar.news()))
    asked, step = chairs.now, liar.match.step
    while chairs.dealers[1].match.step == step:
        assert chairs.now - asked <= 6 + 30 + 8 + 12
        chairs.vanish(0)
        chairs.pass_time(6.0)
        chairs.come_back(0)
        for _ in range(6):
            chairs.round()


def hurry(chairs: VacantChairs, operator: int) -> None:
    made = chairs.dealers[operator].hurry()
    assert isinstance(made, Contribution)
    chairs.order(operator, made)


def test_most_of_those_who_wait_may_agree_that_a_decision_has_taken_long_enough() -> None:
    """R14: without a step time whoever is linked and never decides held the table for ever."""
    chosen = Rules.make("classic", seats=3, city=6)
    chairs = VacantChairs(chosen, [None, EASY, EASY], seed=16, liveness=Liveness(away=5))
    liar = chairs.dealers[0]
    liar.persons.is_newly_late = lambda now, allowed: False  # type: ignore[method-assign]
    attendance = chairs.dealers[1].match.absence.attendance
    chairs.until(lambda: any(isinstance(news, Ask) for news in liar.news()))
    step = liar.match.step
    for _ in range(200):
        chairs.round()
    assert (liar.match.step, attendance.missed_by(0)) == (step, frozenset())
    hurry(chairs, 1)
    assert liar.match.allowed == 0
    hurry(chairs, 2)
    agreed = chairs.now
    assert liar.match.allowed == 30
    chairs.until(lambda: liar.match.step > step)
    assert 35.0 <= chairs.now - agreed <= 42.0
    assert liar.match.allowed == 0
    chairs.until(lambda: attendance.away == frozenset())


def test_chance_decides_for_a_person_whom_the_others_have_hurried() -> None:
    chosen = Rules.make("classic", seats=3, city=6)
    chairs = VacantChairs(chosen, [None, EASY, EASY], seed=16, liveness=Liveness(away=5))
    dealer = chairs.dealers[0]
    attendance = chairs.dealers[1].match.absence.attendance
    chairs.until(lambda: any(isinstance(news, Ask) for news in dealer.news()))
    step, asked = dealer.match.step, chairs.now
    for operator in (1, 2):
        hurry(chairs, operator)
    chairs.until(lambda: dealer.match.step > step)
    assert 29.0 <= chairs.now - asked <= 34.0
    assert not attendance.missed_by(0), chairs.now - asked
    acts = [(author, bodies.read(body)) for author, body in chairs.journal]
    by_chance = [one for author, one in acts if author == 0 and isinstance(one, bodies.Acted)]
    assert by_chance[-1].step == step


def test_who_hurries_whom_is_bounded() -> None:
    """Nobody twice, nobody itself, no decision that is over, and not beside a step time."""
    chosen = Rules.make("classic", seats=3, city=6)
    chairs = VacantChairs(chosen, [None, EASY, EASY], seed=16)
    dealer = chairs.dealers[0]
    assert chairs.dealers[1].hurry() == Reason("not_needed")
    chairs.until(lambda: any(isinstance(news, Ask) for news in dealer.news()))
    assert dealer.hurry() == Reason("not_needed")
    hurry(chairs, 1)
    assert chairs.dealers[1].hurry() == Reason("already_so")
    step, seq = dealer.match.step, len(chairs.journal) + 1
    for author, when in ((1, step), (0, step), (2, step - 1), (2, step + 1)):
        assert dealer.fold(seq, author, bodies.write(bodies.Hurried(when))) == STALE


def test_where_a_step_time_runs_nobody_is_hurried() -> None:
    chosen = Rules.make("classic", seats=3, city=6)
    limits = Liveness(step_time=30)
    chairs = VacantChairs(chosen, [None, EASY, EASY], seed=16, liveness=limits)
    chairs.until(lambda: any(isinstance(news, Ask) for news in chairs.dealers[0].news()))
    assert chairs.dealers[1].hurry() == Reason("not_needed")


def test_who_decides_in_time_is_missed_by_nobody() -> None:
    chosen = Rules.make("classic", seats=3, city=6)
    limits = Liveness(away=5, step_time=30)
    chairs = VacantChairs(chosen, [None, EASY, EASY], seed=16, liveness=limits)
    attendance = chairs.dealers[1].match.absence.attendance
    for _ in range(600):
        chairs.round()
        list(chairs.dealers[0].news())  # which is when its person is asked
        assert not attendance.missed_by(0)
    assert chairs.now > 60.0


def test_a_question_that_stands_while_somebody_comes_back_is_asked_anew() -> None:
    """An answer that meets the return, when no seat may act, closes it for a moment only."""
    chosen = Rules.make("classic", seats=3, city=6)
    chairs = VacantChairs(chosen, [None, EASY, EASY], seed=16, liveness=Liveness(away=20))
    dealer = chairs.dealers[0]
    asked: list[Ask] = []

    def is_asked() -> bool:
        asked.extend(news for news in dealer.news() if isinstance(news, Ask))
        return bool(asked)

    def answer() -> Contribution | Reason:
        ask = asked.pop()
        least = 1 if ask.low is None else ask.low
        return dealer.decide(ask.id, tuple(one.id for one in ask.options[:least]))

    def is_asked_without_it() -> bool:
        while is_asked() and 2 not in dealer.match.absence.gone:
            made = answer()
            assert isinstance(made, Contribution)
            chairs.order(0, made)
        return bool(asked)

    chairs.until(lambda: dealer.match.stage == "play")
    chairs.vanish(2)
    chairs.until(is_asked_without_it)
    chairs.come_back(2)
    chairs.until(lambda: not dealer.match.at_rest)
    closed = asked[-1].id
    assert answer() == Reason("ask_closed")
    assert dealer.open_ask() is None
    chairs.until(is_asked)
    assert asked[-1].id > closed
    assert isinstance(answer(), Contribution)


def test_time_that_ran_out_for_one_question_decides_no_other() -> None:
    """Others decided meanwhile, for one who was away: the next question has its own time."""
    chosen = Rules.make("classic", seats=3, city=6)
    limits = Liveness(away=5, step_time=30)
    chairs = VacantChairs(chosen, [None, EASY, EASY], seed=16, liveness=limits)
    dealer = chairs.dealers[0]
    chairs.until(lambda: any(isinstance(news, Ask) for news in dealer.news()))
    assert dealer.open_ask() is not None
    chairs.vanish(0)
    step = dealer.match.step
    chairs.until(lambda: chairs.witness.match.step > step)
    chairs.come_back(0)
    chairs.until(lambda: 0 not in chairs.witness.match.absence.attendance.away)
    assert dealer.match.step > step
    asked = dealer.persons.asked
    assert asked is None or asked.step == dealer.match.step


def test_no_such_bot_is_refused_with_a_reason() -> None:
    chosen = Rules.make("classic", seats=2, city=6)
    dealers = VacantChairs(chosen, [None, EASY], seed=15).dealers
    for dealer, code in zip(dealers, ("unknown_level", "no_such_seat"), strict=True):
        refused = dealer.hand_over("nobody")
        assert isinstance(refused, Reason)
        assert (refused.code, refused.fields()) == (code, {})


def test_a_seat_is_handed_to_a_bot_and_taken_back() -> None:
    chosen = Rules.make("classic", seats=2, city=6)
    chairs = VacantChairs(chosen, [None, EASY], seed=15)
    dealer = chairs.dealers[0]
    asked: list[Ask] = []

    def is_asked() -> bool:
        asked.extend(news for news in dealer.news() if isinstance(news, Ask))
        return bool(asked)

    chairs.until(is_asked)
    made = dealer.hand_over("easy")
    assert isinstance(made, Contribution)
    chairs.order(0, made)
    assert all(one.match.bots == {0: "easy"} for one in chairs.dealers)
    assert dealer.decide(asked[0].id, (asked[0].options[0].id,)) == Reason("ask_closed")
    chairs.until(lambda: dealer.match.state.round == 3)
    assert dealer.hand_over("easy") == Reason("already_so")
    assert dealer.hand_over("sage") == Reason("unknown_level")
    made = dealer.hand_over("")
    assert isinstance(made, Contribution)
    chairs.order(0, made)
    asked.clear()
    chairs.until(is_asked)
    assert dealer.persons.sits == 0
    theirs = bodies.write(bodies.HandedOver(1, "easy"))
    codes = {one.fold(len(chairs.journal) + 1, 0, theirs) for one in chairs.dealers}
    assert codes == {"forbidden illegal: hands over somebody else's seat"}


@pytest.mark.parametrize("stage", ["audit", "done"])
def test_no_seat_is_handed_over_once_the_match_is_over(stage: str) -> None:
    """The same where it was said in time and is ordered too late."""
    chairs = VacantChairs(Rules.make("classic", seats=2, city=6), [None, EASY], seed=15)
    dealer = chairs.dealers[0]
    chairs.until(lambda: dealer.match.stage == "play")
    chairs.order(0, said(b"hand over", bodies.HandedOver(0, "easy")))
    chairs.until(lambda: dealer.match.stage == stage)
    for level in ("", "normal"):
        before = dealer.digest()
        late = bodies.write(bodies.HandedOver(0, level))
        seq = len(chairs.journal) + 1
        assert {one.fold(seq, 0, late) for one in chairs.dealers} == {STALE}
        assert dealer.match.bots == {0: "easy"}
        assert dealer.digest() == before
        assert dealer.hand_over(level) == Reason("match_over")
    chairs.play()


def said(name: bytes, body: bodies.Body) -> Contribution:
    return Contribution(key=name, body=bodies.write(body))


def flap(chairs: VacantChairs, operator: int) -> None:
    """It goes, and is here again as soon as the others play on without it."""
    chairs.vanish(operator)
    chairs.until(lambda: operator in chairs.witness.match.absence.gone)
    chairs.come_back(operator)


def flap_thrice(chairs: VacantChairs, operator: int) -> None:
    """As often as it is back at once, in the first round."""
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 1)
    for _ in range(3):
        flap(chairs, operator)
        chairs.until(lambda: operator not in match.absence.gone)


def test_who_comes_and_goes_too_often_is_back_with_the_next_round() -> None:
    """Each going costs the others a pass of the whole stock; so one a round is the most."""
    chairs = table(3, seed=11)
    match = chairs.witness.match
    flap_thrice(chairs, 2)
    goings = []
    while match.state.round < 8:
        flap(chairs, 2)
        goings.append(match.state.round)
        chairs.until(lambda: 2 not in match.absence.gone or match.is_over)
        assert match.state.round > goings[-1]
    assert len(goings) > 3
    chairs.play()
    assert {one.match.stage for one in chairs.dealers} == {"done"}
    assert check_hidden(chairs.gather())


def test_who_is_waited_for_is_back_at_once_however_often_it_went() -> None:
    """Of two nobody plays on without the other: holding it off would gain nothing."""
    chairs = table(2, seed=11)
    match = chairs.witness.match
    chairs.until(lambda: match.state.round == 1)
    for _ in range(6):
        now = match.state.round
        chairs.vanish(1)
        for _ in range(100):
            chairs.round()
        chairs.come_back(1)
        chairs.until(lambda: not match.absence.attendance.away)
        assert not match.held_off
        assert match.state.round - now < 2


def test_a_holder_that_had_not_missed_it_stands_in_for_who_is_held_off() -> None:
    """It hears it again and would never miss it; of five, all four have to give their parts."""
    chairs = table(5, seed=12)
    match = chairs.witness.match
    flap_thrice(chairs, 4)
    since = match.absence.attendance.words[4]
    for voter in (0, 1, 2):
        chairs.order(voter, said(b"missed", bodies.Missed(4, since)))
    assert match.held_off == {4}
    assert 3 not in match.absence.attendance.missed_by(4)
    before = match.state.round
    chairs.until(lambda: match.state.round > before and 4 not in match.absence.gone)


class Spy:
    """It spies where it can, and contests any count."""

    def __init__(self, *, contests: bool) -> None:
        self._contests = contests

    def choose(self, seen: Observation, random: Random) -> tuple[str, ...]:
        if self._contests and rules.asked(seen.state) == "counted":
            return ("contest",)
        spies = [one.id for one in seen.choice.moves if one.verb == "spy"]
        return (spies[0],) if spies else EASY.choose(seen, random)


def spied(seed: int, then: str, *, contests: bool) -> VacantChairs:
    """A table of four where a Spy looks at a hand, until the rules wait for this."""
    chosen = Rules.make("2016", seats=4, characters=["spy"])
    chairs = VacantChairs(chosen, [Spy(contests=contests)] * 4, seed=seed)
    match = chairs.witness.match
    chairs.until(lambda: match.stage == "play" and match.state.stack[-1].then == then)
    return chairs


@pytest.mark.parametrize("seed", range(4))
def test_a_spy_that_vanishes_opens_nobodys_hand(seed: int) -> None:
    """It has counted nothing: there is nothing to contest."""
    chairs = spied(seed, "count", contests=False)
    chairs.until(lambda: chairs.witness.match.at_rest)
    frame = chairs.witness.match.state.stack[-1]
    spy, victim = frame.seat, int(frame.labels[0])
    chairs.vanish(spy)
    match = chairs.dealers[victim].match
    before, turn = len(match.events), match.state.turn
    chairs.until(lambda: match.at_rest and match.state.turn != turn)
    told = [event.kind for event in match.events[before:]]
    assert "spied" in told
    assert "hand_opened" not in told


@pytest.mark.parametrize("seed", range(3))
def test_who_contests_a_count_and_vanishes_has_agreed(seed: int) -> None:
    """Its hand stays closed, as every hand of who is gone."""
    chairs = spied(seed, "contested", contests=True)
    victim = chairs.witness.match.state.stack[-1].seat
    chairs.vanish(victim)
    match = chairs.witness.match
    before = len(match.events)
    chairs.until(lambda: "spied" in [event.kind for event in match.events[before:]])
    assert "hand_opened" not in [event.kind for event in match.events[before:]]
