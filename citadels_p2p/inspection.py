"""Watching a match at every step.

Nothing is lost, nothing is made, nothing leaks, nothing sticks.

Used by checked simulations and by the tests; a fault is an AssertionError that says what broke.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from citadels_p2p.dealer import OpenDealer
from citadels_p2p.rules import asks, flow
from citadels_p2p.rules.digest import digest
from citadels_p2p.rules.moves import Move, parse_move
from citadels_p2p.rules.needs import Decided, Fact
from citadels_p2p.rules.refusals import refuse
from citadels_p2p.rules.state import Frame, State
from citadels_p2p.rules.view import View, view
from citadels_p2p.rules.zones import KINDS, zones


class Inspector:
    """Plays the dealer's part and the decisions through facts, and examines what they do."""

    def __init__(self, dealer: OpenDealer) -> None:
        self.dealer = dealer
        self.steps = 0

    def advance(self, state: State) -> Frame:
        """As the dealer's, one inspected fact after the other."""
        while state.stack[-1].need not in ("decide", "over"):
            self.happen(state, self.dealer.answer(state, flow.need(state)))
        if state.stack[-1].need == "decide":
            self.examine_choice(state)
        return state.stack[-1]

    def decided(self, state: State, move: Move, faces: Mapping[int, str]) -> None:
        """As the engine's, inspected."""
        self.happen(state, self._fact(state, move))

    def happen(self, state: State, fact: Fact) -> None:
        """One fact, on the state and on a copy, which must come to the same."""
        assert refuse(state, fact) is None, (fact, refuse(state, fact))
        before, number = view(state, None, {}), state.n
        twin = state.copy()
        assert twin == state
        events = flow.apply(state, fact)
        self.steps += 1
        assert [event.n for event in events] == list(range(number + 1, state.n + 1))
        for event in events:
            event.fields()
        after = view(state, None, {})
        assert events or before == after, (fact, "changes what is seen and tells nothing")
        if self.steps % 16 == 0:
            flow.apply(twin, fact)
            assert twin == state
            assert digest(twin) == digest(state)
        self.examine(state, after)

    def examine(self, state: State, seen: View) -> None:
        """What must hold of every state."""
        gold = state.bank + sum(place.gold for place in state.places)
        assert gold == 0, "gold is not conserved"
        assert all(place.gold >= 0 for place in state.places)
        self._examine_cards(state)
        for seat, place in enumerate(state.places):
            knows = self.dealer.knowledge(state, seat)
            own = view(state, seat, knows)
            assert own.seats == seen.seats
            assert own.you is not None
            assert len(own.you.hand) == len(place.hand) == own.seats[seat].hand
            assert [state.plan.quarter[card] for card in place.names] == [
                quarter
                for slot in place.city
                for quarter in (state.plan.quarter[state.faces[slot]],)
            ]
            counts = Counter(state.plan.quarter[card] for card in place.names)
            assert place.quarters == [counts[quarter] for quarter in range(len(place.quarters))]
            assert len(set(place.names)) == len(place.names), "two of a kind in a city"

    def _examine_cards(self, state: State) -> None:
        where = zones(state)
        size = len(state.plan.labels)
        faces = self.dealer.faces
        assert all(zone.kind in KINDS for zone in where.values())
        assert set(range(size)) <= set(where), "a district is nowhere"
        listed = len(state.deck) + sum(
            len(place.hand) + len(place.drawn) + len(place.city) for place in state.places
        )
        asked = sum(1 for slot, zone in where.items() if slot < size and zone.kind == "open")
        assert listed + asked == size, "a district is in two places"
        if faces and where[0].kind != "lots" and len(faces) >= size and 0 in faces:
            dealt = Counter(faces[slot] for slot in range(size))
            assert dealt == Counter(state.rules.pack)
        for slot, card in state.faces.items():
            assert faces[slot] == card, "the engine believes a false face"
            assert where[slot].kind in ("city", "open", "picking")
        characters = [slot for slot in where if slot >= size and slot not in state.lots]
        if state.round and state.stack[-1].then != "settled":
            held = sorted(faces[slot] for slot in characters)
            assert held == sorted(state.plan.roster), "characters are not conserved"

    def examine_choice(self, state: State) -> None:
        """Every option offered is legal; the ids lead back to it; the default is legal too."""
        frame = state.stack[-1]
        faces = self.dealer.knowledge(state, frame.seat)
        offer = asks.choice(state, faces)
        ids = [move.id for move in offer.moves]
        assert len(set(ids)) == len(ids)
        assert offer.moves or offer.low == 0, "nobody can move"
        moves, ask = list(offer.moves), asks.ASKS[frame.then]
        if offer.low is not None and offer.high is not None:
            moves = [
                asks.compose(ask, moves[: offer.high]),
                asks.compose(ask, moves[: offer.low]),
            ]
        for move in [*moves, flow.default(state)]:
            assert parse_move(move.id) == move
            assert asks.decision(state, move.picks) == move
            fact = self._fact(state, move)
            assert refuse(state, fact) is None, (move, refuse(state, fact))
        self._examine_refusals(state, frame, set(ids))

    def _examine_refusals(self, state: State, frame: Frame, ids: set[str]) -> None:
        """What the menu does not offer is refused with a reason."""
        if frame.then != "act":
            return
        faces = self.dealer.faces
        for slot in state.places[frame.seat].hand:
            move = Move("build", slot)
            reason = refuse(state, Decided(frame.seat, move, ((slot, faces[slot]),)))
            assert (reason is None) == (move.id in ids), (move, reason)
        for owner, place in enumerate(state.places):
            for slot in place.city:
                move = Move("destroy", slot, owner)
                reason = refuse(state, Decided(frame.seat, move))
                assert (reason is None) == (move.id in ids), (move, reason)

    def _fact(self, state: State, move: Move) -> Decided:
        shown = tuple((slot, self.dealer.faces[slot]) for slot in asks.reveals(state, move))
        return Decided(state.stack[-1].seat, move, shown)
