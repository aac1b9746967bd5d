"""Watching a match at every step.

Nothing is lost, nothing is made, nothing leaks, nothing sticks.

At every step gold, districts, characters and the crown are accounted for, and the fact passes
the engine's own gate: so every option that is ever taken is legal. What costs more is done at
every so many decisions. A *whole menu* puts all that is offered, and the default, to the gate.
A *deeper look* takes copies, digests, ids and refusals, and changes what a seat may not see to
hold that it sees and may do the same. A fault is an AssertionError.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

from citadels_p2p.dealer import OpenDealer
from citadels_p2p.game import OpenMatch
from citadels_p2p.rules import asks, flow
from citadels_p2p.rules.moves import Move, parse_move
from citadels_p2p.rules.needs import Decided, Fact
from citadels_p2p.rules.reasons import REASONS
from citadels_p2p.rules.refusals import refuse
from citadels_p2p.rules.state import Frame, State, digest
from citadels_p2p.rules.view import view
from citadels_p2p.rules.zones import KINDS, zones


class Inspector:
    """Plays the dealer's part and the decisions through facts, and examines what they do.

    `every`: steps, and decisions, from one deeper look to the next. `menus`: decisions from one
    whole menu to the next.
    """

    def __init__(self, dealer: OpenDealer, every: int = 1, menus: int = 1) -> None:
        self.dealer = dealer
        self.every = every
        self.menus = menus
        self.steps = 0
        self.decisions = 0
        #: for what is hidden; the dealer's own chance stays as it is
        self._random = Random(every)

    def advance(self, state: State) -> Frame:
        """As the dealer's, one inspected fact after the other."""
        while state.stack[-1].need not in ("decide", "over"):
            self.happen(state, self.dealer.answer(state, flow.need(state)))
        frame = state.stack[-1]
        if frame.need == "decide":
            self.decisions += 1
            if self.decisions % self.menus == 0:
                self._examine_menu(state, frame)
            if self.decisions % self.every == 0:
                self._examine_ids(state, frame)
                self._examine_refusals(state, frame)
                self._examine_secrecy(state, frame)
        return frame

    def decided(self, state: State, move: Move, faces: Mapping[int, str]) -> None:
        """As the engine's, inspected."""
        self.happen(state, self._fact(state, move))

    def happen(self, state: State, fact: Fact) -> None:
        """One fact that must be possible, and what must hold after it."""
        reason = refuse(state, fact)
        assert reason is None, (fact, reason)
        self.steps += 1
        if self.steps % self.every:
            flow.apply(state, fact)
        else:
            self._look_deeper(state, fact)
        account(state)

    def _look_deeper(self, state: State, fact: Fact) -> None:
        before, number, twin = view(state, None, {}), state.n, state.copy()
        assert twin == state
        events = flow.apply(state, fact)
        assert twin != state, (fact, "does nothing")
        assert flow.apply(twin, fact) == events
        assert twin == state
        assert digest(twin) == digest(state)
        assert [event.n for event in events] == list(range(number + 1, state.n + 1))
        for event in events:
            event.fields()
        after = view(state, None, {})
        assert events or before == after, (fact, "changes what is seen and tells nothing")
        self._examine_faces(state)

    def _examine_faces(self, state: State) -> None:
        """The engine believes nothing false, and keeps no face of a hidden card."""
        where, faces, size = zones(state), self.dealer.faces, len(state.tables.labels)
        assert all(zone.kind in KINDS for zone in where.values())
        for slot, card in state.faces.items():
            assert faces[slot] == card, "the engine believes a false face"
            assert where[slot].kind in ("city", "open", "picking")
        if state.round:
            pack = Counter(faces[slot] for slot in range(size))
            assert pack == Counter(state.rules.pack), "a district has become another"
        for place in state.places:
            names = [card.id for card in place.districts]
            assert names == [state.faces[slot] for slot in place.city]
            counts = Counter(card.quarter for card in place.districts)
            assert place.quarters == [counts[quarter] for quarter in range(len(place.quarters))]

    def _menu(self, state: State, frame: Frame) -> list[Move]:
        """Every option; of several, the fewest and the most."""
        ask = asks.ASKS[frame.then]
        moves = ask.options(state, frame, self.dealer.faces)
        assert moves or ask.several, "nobody can move"
        if not ask.several:
            return moves
        return [asks.compose(ask, moves[:count]) for count in {*ask.bounds(state, frame)}]

    def _examine_menu(self, state: State, frame: Frame) -> None:
        """Every option offered is legal; so is the default."""
        for move in (*self._menu(state, frame), flow.default(state)):
            reason = refuse(state, self._fact(state, move))
            assert reason is None, (move, reason)

    def _examine_ids(self, state: State, frame: Frame) -> None:
        """Ids are unique and lead back to their moves.

        Knowing more than one may see adds nothing.
        """
        moves = self._menu(state, frame)
        offer = asks.choice(state, self.dealer.knowledge(state, frame.seat))
        ids = [move.id for move in offer.moves]
        assert len(set(ids)) == len(ids)
        for move in (*moves, *offer.moves):
            assert parse_move(move.id) == move
            move.fields()
        for move in moves:
            assert asks.decision(state, move.picks) == move
        if offer.low is None:
            assert offer.moves == tuple(moves)

    def _examine_refusals(self, state: State, frame: Frame) -> None:
        """What the menu does not offer is refused, with a reason that has its fields."""
        if frame.then != "act":
            return
        offered = {move.id for move in self._menu(state, frame)}
        others = [Move("build", slot) for slot in state.places[frame.seat].hand]
        for owner, place in enumerate(state.places):
            others += [Move("destroy", slot, owner) for slot in place.city]
        for move in (*others, *(Move(verb) for verb in ("gold", "cards", "income", "end"))):
            reason = refuse(state, self._fact(state, move))
            assert (reason is None) == (move.id in offered), (move, reason)
            if reason is not None:
                assert reason.code in REASONS
                reason.fields()

    def _examine_secrecy(self, state: State, frame: Frame) -> None:
        """Its hand is seen whole; of what is hidden nothing is seen, whatever it is.

        The public side is the same for everybody.
        """
        seat, dealer = frame.seat, self.dealer
        knows, truth = dealer.knowledge(state, seat), dealer.faces
        seen, offer = view(state, seat, knows), asks.choice(state, knows)
        assert seen.seats == view(state, None, {}).seats
        assert seen.you is not None
        assert len(seen.you.hand) == seen.seats[seat].hand
        hidden = [slot for slot in truth if slot not in knows and slot not in state.faces]
        cards = [truth[slot] for slot in hidden]
        self._random.shuffle(cards)
        dealer.faces = truth | dict(zip(hidden, cards, strict=True))
        knows = dealer.knowledge(state, seat)
        assert view(state, seat, knows) == seen, "a seat sees what is hidden from it"
        assert asks.choice(state, knows) == offer, "a choice tells what is hidden"
        dealer.faces = truth

    def _fact(self, state: State, move: Move) -> Decided:
        frame = state.stack[-1]
        ask = asks.ASKS[frame.then]
        if ask.invents and (secret := ask.secret(state, frame, move)) is not None:
            move = secret.public
        faces = self.dealer.faces
        return Decided(
            frame.seat, move, tuple([(slot, faces[slot]) for slot in ask.reveals(move)])
        )


class InspectedMatch(OpenMatch):
    """A match at whose every step an inspector looks."""

    __slots__ = ("inspector",)

    def __init__(self, state: State, inspector: Inspector) -> None:
        self.inspector = inspector
        self.state = state
        self.dealer = inspector.dealer
        self.frame = inspector.advance(state)

    def settle(self, move: Move) -> Frame:
        """The asked seat makes a move, which must be legal, and the dealer deals on."""
        state = self.state
        if (secret := asks.secret(state, move)) is not None:
            move = self.dealer.invent(secret)
        self.inspector.decided(state, move, self.dealer.faces)
        self.frame = self.inspector.advance(state)
        return self.frame


def account(state: State) -> None:
    """Gold, districts, characters and the crown are all there, each once."""
    gold, slots = state.bank, state.deck[:]
    characters = [*state.pile, *state.aside, *state.faceup]
    for place in state.places:
        assert place.gold >= 0
        gold += place.gold
        slots += place.hand
        slots += place.city
        if place.drawn:
            slots += place.drawn
        characters += place.picks
    for tucked in state.tucked.values():
        slots += tucked
    if state.gold_on_character:
        gold += sum(state.gold_on_character.values())
    if state.gilded:
        gold += sum(state.gilded.values())
    assert gold == 0, "gold is not conserved"
    size = len(state.tables.labels) if state.rules.drawn else 0
    if size and len(slots) != size:  # a district is taken out, whose fate is to be decided
        asks = [frame.slots for frame in state.stack if frame.need == "decide"]
        slots += {slot for asked in asks for slot in asked if slot < size}.difference(slots)
    assert _each_once(slots, 0, size), "a district is lost or double"
    if state.round:
        if state.crown is None:
            assert state.rules.draft == "deal", "the crown is lost"
        else:
            assert 0 <= state.crown < state.rules.seats
        size = len(state.tables.roster)
        assert _each_once(characters, min(characters), size), "a character is lost or double"


def _each_once(numbers: list[int], first: int, count: int) -> bool:
    """Are these so many numbers from `first` on, in any order?"""
    return sorted(numbers) == list(range(first, first + count))
