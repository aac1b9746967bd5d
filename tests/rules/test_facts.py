"""What the engine accepts and refuses: facts at their moment, options by their ids."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_p2p.dealer import OpenDealer
from citadels_p2p.rules import (
    Away,
    Back,
    Called,
    Dealt,
    Decided,
    Event,
    Fact,
    Move,
    Opened,
    Reason,
    Rules,
    Shuffled,
    State,
    TimedOut,
    apply,
    choice,
    commits,
    decision,
    digest,
    hidden_picks,
    menu,
    need,
    new,
    parse_move,
    refuse,
    reveals,
    step,
    view,
    zones,
)
from citadels_p2p.rules.events import KINDS
from citadels_p2p.rules.moves import VERBS
from citadels_p2p.rules.needs import Call, Deal, Decide, Open, Shuffle
from citadels_p2p.rules.reasons import REASONS
from citadels_p2p.rules.state import Turn

RULES = Rules.make("classic", seats=4)


def until(*wanted: type, then: str = "", seed: int = 1) -> tuple[State, OpenDealer]:
    """A match at the first moment that such a thing is needed; people who must decide sleep."""
    state, dealer = new(RULES), OpenDealer(Random(seed))
    while not isinstance(need(state), wanted) or (then and state.stack[-1].then != then):
        asked = need(state)
        fact = (
            TimedOut(asked.seat) if isinstance(asked, Decide) else dealer.answer(state, asked)
        )
        apply(state, fact)
    return state, dealer


def code(state: State, fact: Fact) -> str:
    """Why the fact is refused; '' where it is not."""
    reason = refuse(state, fact)
    return reason.code if reason else ""


# Facts


def test_a_match_begins_with_lots_then_the_deck_then_the_hands() -> None:
    state, dealer = new(RULES), OpenDealer(Random(1))
    asked: list[object] = []
    while not isinstance(need(state), Decide):
        asked.append(need(state))
        apply(state, dealer.answer(state, need(state)))
    lots, first, deck, *hands, pile = asked[:8]
    assert lots == Shuffle("lots", (68, 69, 70, 71), ("0", "1", "2", "3"))
    assert first == Open((68,))
    assert deck == Shuffle("deck", tuple(range(68)), RULES.pack)
    assert hands == [Deal(tuple(range(4 * seat, 4 * seat + 4)), seat) for seat in range(4)]
    assert isinstance(pile, Shuffle)
    assert [RULES.rank_of(character) for character in pile.fresh] == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("wanted", [Shuffle, Deal, Open, Call, Decide])
def test_a_fact_that_answers_something_else_is_refused(wanted: type) -> None:
    state, _ = until(wanted)
    facts: dict[type, Fact] = {
        Shuffle: Shuffled(),
        Deal: Dealt(),
        Open: Opened(("king",)),
        Call: Called(),
        Decide: Decided(0, Move("gold")),
    }
    before = digest(state)
    for kind, fact in facts.items():
        if kind is not wanted:
            assert step(state, fact) == Reason("not_needed")
    assert digest(state) == before


def test_a_refused_step_and_an_accepted_one_leave_the_state_given() -> None:
    state, _ = until(Decide)
    seat = state.stack[-1].seat
    twin = state.copy()
    stepped = step(state, TimedOut(seat))
    assert not isinstance(stepped, Reason)
    after, events = stepped
    assert [event.kind for event in events] == ["timed_out", "character_taken"]
    assert state == twin != after


def test_only_the_seat_that_is_asked_may_decide() -> None:
    state, _ = until(Decide)
    seat = state.stack[-1].seat
    assert code(state, TimedOut((seat + 1) % 4)) == "not_your_turn"
    assert code(state, Decided((seat + 1) % 4, Move("gold"))) == "not_your_turn"


def test_an_answer_to_a_call_must_be_a_hidden_character_of_that_rank() -> None:
    state, dealer = until(Call)
    rank = state.stack[-1].slots[0]
    truth = dealer.answer(state, need(state))
    assert isinstance(truth, Called)
    held = {slot: seat for seat, place in enumerate(state.places) for slot in place.picks}
    slot, seat = next(iter(held.items()))
    name = next(c for c, r in state.tables.ranks.items() if r == rank)
    other = next(c for c, r in state.tables.ranks.items() if r != rank)
    assert code(state, Called(seat, slot, other)) == "wrong_rank"
    assert code(state, Called((seat + 1) % 4, slot, name)) == "no_such_card"
    assert code(state, Called(9, slot, name)) == "no_such_card"
    assert code(state, Called(seat, None, name)) == "not_an_option"
    assert code(state, Called(seat, slot, name)) == ""


def test_faces_that_no_pack_holds_are_refused() -> None:
    state, _ = until(Open, then="face_up")
    count = len(state.stack[-1].slots)
    assert code(state, Opened(("thief",) * (count + 1))) == "not_shown"
    assert code(state, Opened(("thief",) * count)) == "false_face"
    assert code(state, Opened(("keep",) * count)) == "false_face"


def test_a_holder_that_kept_silent_is_exposed() -> None:
    """At the round's end an unrevealed character that nobody silenced proves a lie."""
    state, dealer = until(Call)
    while isinstance(need(state), Call):
        apply(state, Called())
    opened = dealer.answer(state, need(state))
    assert isinstance(opened, Opened)
    reason = refuse(state, opened)
    assert reason is not None
    assert reason.code == "silent_holder"
    assert set(reason.fields()) == {"seat", "character"}


def test_nobody_is_asked_for_what_lies_face_up_nor_once_every_chosen_one_was_shown() -> None:
    """In a round of sleepers the calls stop after the last character that somebody chose."""
    state, dealer = until(Call, seed=0)
    holders = {dealer.faces[slot] for place in state.places for slot in place.picks}
    last = max(state.tables.ranks[character] for character in holders)
    open_ranks = {state.tables.ranks[character] for character in state.faceup.values()}
    called = []
    while state.round == 1:
        asked = need(state)
        if isinstance(asked, Call):
            called.append(asked.rank)
        sleeps = isinstance(asked, Decide)
        apply(state, TimedOut(asked.seat) if sleeps else dealer.answer(state, asked))
    assert called == [rank for rank in range(1, last + 1) if rank not in open_ranks]
    assert min(open_ranks) < last, "the seed no longer shows it"
    assert not {*range(last + 1, 9)} <= open_ranks, "the seed no longer shows it"


def test_away_and_back() -> None:
    state, _ = until(Decide)
    assert code(state, Back(2)) == "already_so"
    assert [event.kind for event in apply(state, Away(2))] == ["seat_away"]
    assert not view(state, None, {}).seats[2].present
    assert code(state, Away(2)) == "already_so"
    assert code(state, Away(4)) == "not_your_turn"
    assert [event.kind for event in apply(state, Back(2))] == ["seat_back"]
    assert view(state, None, {}).seats[2].present


def test_after_the_end_nothing_is_accepted() -> None:
    state, dealer = until(Decide)
    state.ends = True
    while state.phase != "over":
        asked = need(state)
        fact = (
            TimedOut(asked.seat) if isinstance(asked, Decide) else dealer.answer(state, asked)
        )
        apply(state, fact)
    assert code(state, Shuffled()) == code(state, TimedOut(0)) == "match_over"


# Showing and committing


def test_a_district_is_built_only_when_shown_and_only_then() -> None:
    state, dealer = until(Decide, then="act")
    seat = state.stack[-1].seat
    apply(state, Decided(seat, Move("gold")))
    state.places[seat].gold = 9
    slot = state.places[seat].hand[0]
    build, card = Move("build", slot), dealer.faces[slot]
    assert reveals(state, build) == (slot,)
    assert reveals(state, Move("end")) == ()
    assert code(state, Decided(seat, build)) == "not_shown"
    assert code(state, Decided(seat, build, ((slot, "ballroom"),))) == "false_face"
    assert code(state, Decided(seat, Move("end"), ((slot, card),))) == "not_shown"
    assert code(state, Decided(seat, build, ((slot, card), (slot, card)))) == "not_shown"
    assert code(state, Decided(seat, build, ((slot, card),))) == ""


def test_no_more_copies_are_shown_than_there_are() -> None:
    state, _ = until(Decide, then="act")
    seat, other = state.stack[-1].seat, (state.stack[-1].seat + 1) % 4
    apply(state, Decided(seat, Move("gold")))
    state.places[seat].gold = 9
    state.faces[state.places[other].hand[0]] = "library"
    slot = state.places[seat].hand[0]
    shown = Decided(seat, Move("build", slot), ((slot, "library"),))
    assert code(state, shown) == "false_face"


def test_a_seat_commits_itself_to_the_character_it_takes_and_to_nothing_else() -> None:
    state, _ = until(Decide)
    slot = state.stack[-1].slots[0]
    assert commits(state, Move("take", slot)) == slot
    state, _ = until(Decide, then="act")
    assert commits(state, Move("gold")) is None


# Options and ids


@given(st.text(max_size=40))
def test_any_text_is_a_move_in_its_one_form_or_none(text: str) -> None:
    move = parse_move(text)
    assert move is None or move.id == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "gold:", "gold:1", "build", "build:x", "build:-1", "build:01", "build:1:2"),
        *("murder:", "murder:The King", "discard:5,", "discard:5,5", "discard:9,5", "fly:1"),
        *("destroy:2", "BUILD:1", "build:1\n", "build:\u0661", "discard:" + "1," * 300 + "1"),
    ],
)
def test_nothing_else_is_a_move(text: str) -> None:
    assert parse_move(text) is None


def test_a_move_that_was_never_offered_is_refused_whatever_it_is() -> None:
    """Every verb with odd arguments, at every kind of question: a reason, never a failure."""
    moves = [
        Move(verb, slot, seat, character, slots)
        for verb in VERBS
        for slot, seat in ((-1, -1), (0, 0), (999999, 999999), (70, 2))
        for character in ("", "king", "nobody")
        for slots in ((), (0, 1), (3, 3), (999999,))
    ]
    for then in ("character", "act"):
        state, dealer = until(Decide, then=then)
        seat = state.stack[-1].seat
        offered = {move.id for move in choice(state, dealer.knowledge(state, seat)).moves}
        for move in moves:
            reason = refuse(state, Decided(seat, move))
            if reason is None:
                assert move.id in offered
            else:
                assert set(reason.fields()) == set(REASONS[reason.code])


def test_picks_that_are_no_decision() -> None:
    state, _ = until(Decide)
    for picks in ((), ("gold", "gold"), ("card:1",) * 2, ("nonsense",), ("",)):
        assert decision(state, picks) == Reason("not_an_option")
    calling, _ = until(Call)
    assert decision(calling, ("gold",)) == Reason("not_needed")


def test_a_choice_of_several_keeps_its_bounds() -> None:
    state, _ = until(Decide, then="act")
    seat = state.stack[-1].seat
    state.turn = Turn(seat, 3, state.tables.roles["magician"])
    apply(state, Decided(seat, Move("redraw")))
    hand = state.places[seat].hand
    cards = tuple(f"card:{slot}" for slot in hand)
    move = decision(state, cards[::-1])
    assert isinstance(move, Move)
    assert move.slots == tuple(sorted(hand))
    assert move.picks == tuple(f"card:{slot}" for slot in sorted(hand))
    assert decision(state, ()) == Move("discard")
    assert decision(state, (*cards, "card:67")) == Reason("too_many", (len(hand),))
    assert decision(state, (cards[0], cards[0])) == Reason("not_an_option")
    assert decision(state, ("gold",)) == Reason("not_an_option")
    assert code(state, Decided(seat, Move("discard", slots=(66, 67)))) == "no_such_card"
    assert code(state, Decided(seat, Move("discard", slots=(hand[0],) * 2))) == "not_an_option"


def test_moves_say_what_they_concern() -> None:
    state, dealer = until(Decide, then="act")
    seat = state.stack[-1].seat
    apply(state, Decided(seat, Move("gold")))
    state.places[seat].gold = 9
    offer = choice(state, dealer.knowledge(state, seat))
    built = next(move for move in offer.moves if move.verb == "build")
    card = dealer.faces[built.slot]
    assert built.fields() == {
        "slot": built.slot,
        "card": card,
        "cost": state.tables.districts[card].cost,
    }
    assert built == Move("build", built.slot)


def test_a_menu_says_why_not() -> None:
    state, dealer = until(Decide, then="act")
    seat = state.stack[-1].seat
    state.deck, below = [], state.deck
    state.places[seat].gold = 0
    knows = dealer.knowledge(state, seat)
    why = {move.id: reason.code for move, reason in menu(state, knows) if reason is not None}
    assert why["cards"] == "deck_empty"
    assert why["end"] == "gather_first"
    state.deck = below
    apply(state, Decided(seat, Move("gold")))
    entries = menu(state, knows)
    why = {move.id: reason.code for move, reason in entries if reason is not None}
    assert why["gold"] == why["cards"] == "already_gathered"
    dear = next(move for move, reason in entries if reason and reason.code == "too_dear")
    assert dear.fields()["card"] == dealer.faces[dear.slot]
    legal = tuple(move for move, reason in entries if reason is None)
    assert legal == choice(state, knows).moves
    calling, dealer = until(Decide)
    assert all(reason is None for _, reason in menu(calling, dealer.knowledge(calling, 0)))


# Values


def test_rules_travel_as_plain_options() -> None:
    rules = Rules.make("classic", seats=3)
    assert rules.to_options() == {"city": 8, "edition": "classic", "seats": 3}
    assert Rules.from_options(rules.to_options()) == rules
    assert len(rules.pack) == 68
    assert rules.rank_of("warlord") == 8
    assert rules.rank_of("keep") is None


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"edition": "1999"}, "unknown_edition"),
        ({"edition": 7}, "unknown_edition"),
        ({"seats": 1}, "seats_out_of_range"),
        ({"seats": 8}, "seats_out_of_range"),
        ({"seats": True}, "seats_out_of_range"),
        ({"seats": "4"}, "seats_out_of_range"),
        ({"city": 5}, "city_out_of_range"),
        ({"city": None}, "city_out_of_range"),
        ({"house_rule": 1}, "unknown_option"),
    ],
)
def test_nonsense_is_no_rules(changed: dict[str, object], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        Rules.from_options({**Rules.make().to_options(), **changed})


def test_states_are_values() -> None:
    state, _ = until(Decide, then="act")
    twin = state.copy()
    assert twin == state
    assert digest(twin) == digest(state)
    twin.places[0].gold += 1
    assert twin != state
    assert digest(twin) != digest(state)
    assert state != object()
    with pytest.raises(FrozenInstanceError):
        RULES.city = 9  # type: ignore[misc]


def test_every_card_in_use_lies_in_one_zone() -> None:
    state, _ = until(Decide, then="character")
    kinds = [zone.kind for zone in zones(state).values()]
    assert kinds.count("deck") + kinds.count("hand") == 68
    assert kinds.count("picking") + kinds.count("aside") + kinds.count("open") == 8


def test_hidden_picks_are_the_characters_in_their_zone() -> None:
    state, dealer = new(RULES), OpenDealer(Random(2))
    sizes = set()
    for _ in range(300):
        asked = need(state)
        if isinstance(asked, Decide):
            apply(state, TimedOut(asked.seat))
        else:
            apply(state, dealer.answer(state, asked))
        in_zone = {
            slot: zone.seat for slot, zone in zones(state).items() if zone.kind == "pick"
        }
        assert hidden_picks(state) == in_zone
        sizes.add(len(in_zone))
    assert sizes == {0, 1, 2, 3, 4}


def test_events_name_their_fields() -> None:
    event = Event(3, "robbed", (0, 1, 5))
    assert event.fields() == {"seat": 0, "victim": 1, "gold": 5}
    assert set(event.fields()) == set(KINDS["robbed"])
