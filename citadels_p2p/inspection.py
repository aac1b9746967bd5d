"""Watching a match at every step.

Nothing is lost, nothing is made, nothing leaks, nothing sticks.

At every step gold, districts, characters and the crown are accounted for, every fact passes the
engine's own gate, and every option offered is legal. A deeper look, at every so many steps,
takes what costs more: views, copies, digests, ids, refusals. A fault is an AssertionError.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from citadels_p2p.dealer import OpenDealer
from citadels_p2p.rules import asks, flow
from citadels_p2p.rules.digest import digest
from citadels_p2p.rules.moves import Move, parse_move
from citadels_p2p.rules.needs import Decided, Fact
from citadels_p2p.rules.reasons import REASONS
from citadels_p2p.rules.refusals import refuse
from citadels_p2p.rules.state import Frame, State
from citadels_p2p.rules.view import view
from citadels_p2p.rules.zones import KINDS, zones


class Inspector:
    """Plays the dealer's part and the decisions through facts, and examines what they do.

    `every`: steps from one deeper look to the next.
    """

    def __init__(self, dealer: OpenDealer, every: int = 1) -> None:
        self.dealer = dealer
        self.every = every
        self.steps = 0

    def advance(self, state: State) -> Frame:
        """As the dealer's, one inspected fact after the other."""
        while state.stack[-1].need not in ("decide", "over"):
            self.happen(state, self.dealer.answer(state, flow.need(state)))
        frame = state.stack[-1]
        if frame.need == "decide":
            self._examine_options(state, frame)
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
        self._examine_views(state)
        self._examine_faces(state)

    def _examine_views(self, state: State) -> None:
        """The public side is the same for everybody, and each sees its own hand whole."""
        public = view(state, None, {})
        for seat in range(state.rules.seats):
            own = view(state, seat, self.dealer.knowledge(state, seat))
            assert own.seats == public.seats
            assert own.you is not None
            assert len(own.you.hand) == own.seats[seat].hand

    def _examine_faces(self, state: State) -> None:
        """The engine believes nothing false, and keeps no face of a hidden card."""
        where, faces, size = zones(state), self.dealer.faces, len(state.plan.labels)
        assert all(zone.kind in KINDS for zone in where.values())
        for slot, card in state.faces.items():
            assert faces[slot] == card, "the engine believes a false face"
            assert where[slot].kind in ("city", "open", "picking")
        if state.round:
            pack = Counter(faces[slot] for slot in range(size))
            assert pack == Counter(state.rules.pack), "a district has become another"
        for place in state.places:
            assert place.names == [state.faces[slot] for slot in place.city]
            counts = Counter(state.plan.quarter[card] for card in place.names)
            assert place.quarters == [counts[quarter] for quarter in range(len(place.quarters))]

    def _examine_options(self, state: State, frame: Frame) -> None:
        """Every option offered is legal; so is the default."""
        ask = asks.ASKS[frame.then]
        moves = ask.options(state, frame, self.dealer.faces)
        assert moves or ask.several, "nobody can move"
        offered = {move.id for move in moves}
        if ask.several:
            low, high = ask.bounds(state, frame)
            moves = [asks.compose(ask, moves[:count]) for count in {low, high}]
        for move in (*moves, flow.default(state)):
            reason = refuse(state, self._fact(state, move))
            assert reason is None, (move, reason)
        if self.steps % self.every == 0:
            self._examine_ids(state, frame, moves)
            self._examine_refusals(state, frame, offered)

    def _examine_ids(self, state: State, frame: Frame, moves: list[Move]) -> None:
        """Ids are unique and lead back to their moves.

        Knowing more than one may see adds nothing.
        """
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

    def _examine_refusals(self, state: State, frame: Frame, offered: set[str]) -> None:
        """What the menu does not offer is refused, with a reason that has its fields."""
        if frame.then != "act":
            return
        others = [Move("build", slot) for slot in state.places[frame.seat].hand]
        for owner, place in enumerate(state.places):
            others += [Move("destroy", slot, owner) for slot in place.city]
        for move in (*others, *(Move(verb) for verb in ("gold", "cards", "income", "end"))):
            reason = refuse(state, self._fact(state, move))
            assert (reason is None) == (move.id in offered), (move, reason)
            if reason is not None:
                assert reason.code in REASONS
                reason.fields()

    def _fact(self, state: State, move: Move) -> Decided:
        secret = asks.secret(state, move)
        if secret is not None:
            move = secret.public
        shown = tuple((slot, self.dealer.faces[slot]) for slot in asks.reveals(state, move))
        return Decided(state.stack[-1].seat, move, shown)


def account(state: State) -> None:
    """Gold, districts, characters and the crown are all there, each once."""
    gold, slots = state.bank, state.deck[:]
    characters = [*state.pile, *state.aside, *state.faceup]
    for place in state.places:
        assert place.gold >= 0
        gold += place.gold
        slots += place.hand
        slots += place.drawn
        slots += place.city
        characters += place.picks
    for tucked in state.tucked.values():
        slots += tucked
    gold += sum(state.tokens.values()) + sum(state.gilded.values())
    assert gold == 0, "gold is not conserved"
    if len(slots) != len(state.plan.labels):
        slots += state.stack[-1].slots  # a destroyed district whose fate is being decided
    assert sorted(slots) == list(range(len(state.plan.labels))), "a district is lost or double"
    if state.round:
        if state.crown is None:
            assert state.rules.draft == "deal", "the crown is lost"
        else:
            assert 0 <= state.crown < state.rules.seats
        cast = range(state.cast, state.cast + len(state.plan.roster))
        assert sorted(characters) == list(cast), "a character is lost or double"
