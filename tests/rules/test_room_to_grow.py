"""The core carries characters it has never heard of: here a Wizard and an Emperor.

The Wizard looks at a hand and takes a card of it or builds it at once: a private look, then a
choice in the middle of a power. The Emperor gives the crown away and draws a random card of the
one who gets it: a pile of lots in the middle of a turn. Neither touches a room of the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from citadels_p2p.arena import play
from citadels_p2p.cards import CHARACTERS, EDITIONS, Character
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.inspection import Inspector
from citadels_p2p.rules import Reason, Rules, asks, board, building, effects, flow, moves, new
from citadels_p2p.rules.hooks import Act, Ask, CharacterEffect, Faces
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.state import Frame, State


class Peek(Act):
    """Look at another hand."""

    verb = "peek"
    outlay = "gift"
    power = "wizard"

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        for other, place in enumerate(state.places):
            if other != seat and place.hand:
                moves.append(Move("peek", seat=other))

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        if move.seat == seat or not 0 <= move.seat < len(state.places):
            return Reason("not_an_option")
        return None if state.places[move.seat].hand else Reason("hand_empty")

    def do(self, state: State, seat: int, move: Move) -> None:
        slots = tuple(state.places[move.seat].hand)
        state.stack.append(Frame("decide", "peeked", seat, slots))
        state.stack.append(Frame("deal", "settled", seat, slots))


class Peeked(Ask):
    """One of the cards seen comes to hand, or is built at once for its cost."""

    kind = "target"
    outlay = "plain"

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        home, found = state.places[frame.seat], []
        for slot in frame.slots:
            found.append(Move("pocket", slot))
            card = state.tables.districts[faces[slot]]
            if card.cost <= home.gold and card not in home.districts:
                found.append(Move("raise", slot))
        return found

    def refuse(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        if move.verb not in ("pocket", "raise") or move.slot not in frame.slots:
            return Reason("not_an_option")
        if move.verb == "pocket":
            return None
        home, card = state.places[frame.seat], building.read(state, move.slot, shown)
        if isinstance(card, Reason):
            return card
        if card in home.districts:
            return Reason("already_built", (card.id,))
        return Reason("too_dear", (card.cost, home.gold)) if card.cost > home.gold else None

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        seat, slot = frame.seat, move.slot
        victim = next(place for place in state.places if slot in place.hand)
        victim.hand.remove(slot)
        if move.verb == "pocket":
            state.places[seat].drawn.append(slot)
            state.emit("cards_discarded", state.places.index(victim), 1, "wizard")
            state.stack.append(Frame("deal", "crossed", seat, (slot,), ("wizard",)))
            return
        card = state.tables.districts[shown[slot]]
        board.pay_bank(state, seat, card.cost)
        board.place(state, seat, slot, card)
        state.emit("built", seat, card.id, slot, (card.cost,))
        board.note_completion(state, seat)

    def default(self, state: State, frame: Frame) -> Move:
        return Move("pocket", frame.slots[0])

    def reveals(self, move: Move) -> tuple[int, ...]:
        return (move.slot,) if move.verb == "raise" else ()


class Crown(Act):
    """Give the crown to somebody else, and draw one of that hand's cards by lots."""

    verb = "crown"
    outlay = "plain"
    power = "emperor"

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        for other in range(len(state.places)):
            if other not in (seat, state.crown):
                moves.append(Move("crown", seat=other))

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        fits = 0 <= move.seat < len(state.places) and move.seat not in (seat, state.crown)
        return None if fits else Reason("not_an_option")

    def do(self, state: State, seat: int, move: Move) -> None:
        board.take_crown(state, move.seat)
        hand = state.places[move.seat].hand
        if hand:
            board.draw_lots(state, seat, [str(slot) for slot in hand], "drawn_by_lots")


def drawn_by_lots(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    board.put_lots_away(state)
    slot = int(faces[0])
    victim = next(place for place in state.places if slot in place.hand)
    victim.hand.remove(slot)
    state.places[frame.seat].drawn.append(slot)
    state.emit("cards_discarded", state.places.index(victim), 1, "emperor")
    state.stack.append(Frame("deal", "crossed", frame.seat, (slot,), ("emperor",)))


@pytest.fixture
def grown(monkeypatch: pytest.MonkeyPatch) -> str:
    """An edition in which the Wizard and the Emperor take the third and the fourth rank."""
    box = EDITIONS["classic"]
    roster = (*box.characters[:2], "wizard", "emperor", *box.characters[4:])
    monkeypatch.setitem(CHARACTERS, "wizard", Character("wizard", 3))
    monkeypatch.setitem(CHARACTERS, "emperor", Character("emperor", 4, "noble"))
    monkeypatch.setitem(EDITIONS, "grown", replace(box, id="grown", characters=roster))
    for verb, names in {
        "peek": ("seat",),
        "pocket": ("slot",),
        "raise": ("slot",),
        "crown": ("seat",),
    }.items():
        monkeypatch.setitem(moves.VERBS, verb, names)
    monkeypatch.setitem(effects.CHARACTERS, "wizard", CharacterEffect(acts=(Peek(),)))
    monkeypatch.setitem(
        effects.CHARACTERS, "emperor", CharacterEffect(acts=(Crown(),), crown_bound=True)
    )
    monkeypatch.setitem(asks.ASKS, "peeked", Peeked())
    monkeypatch.setitem(flow.STEPS, "drawn_by_lots", drawn_by_lots)
    return "grown"


def test_a_wizard_and_an_emperor_play_under_inspection(grown: str) -> None:
    used: set[str] = set()

    class Watcher(Inspector):
        def decided(self, state: State, move: Move, faces: Mapping[int, str]) -> None:
            used.add(move.verb)
            super().decided(state, move, faces)

    for seed in range(6):
        dealer = OpenDealer(Random(seed))
        state = new(Rules.make(grown, seats=4))
        play(state, dealer, ("easy",) * 4, Watcher(dealer, every=29))
        assert state.phase == "over"
    assert {"peek", "pocket", "raise", "crown"} <= used
