"""What must hold of a position that somebody wrote, so that the engine can go on from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from citadels_p2p.bots.determinization import imagined
from citadels_p2p.cards import CHARACTERS, DISTRICTS
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.game import OpenMatch
from citadels_p2p.notation.words import Unreadable
from citadels_p2p.rules import asks, flow
from citadels_p2p.rules.needs import TimedOut
from citadels_p2p.rules.refusals import refuse
from citadels_p2p.rules.scoring import score
from citadels_p2p.rules.state import State, digest
from citadels_p2p.rules.view import view
from citadels_p2p.rules.zones import zones

#: decisions: about two rounds
REHEARSED = 60
_NEEDS = ("shuffle", "deal", "open", "call", "decide", "over")
_PHASES = ("setup", "selection", "turns", "closing", "scoring", "over")


def check(state: State, faces: dict[int, str]) -> None:
    """Nothing is lost, double or out of reach; Unreadable, in words, where something is."""
    _check_asked(state)
    _check_seats(state)
    _check_cards(state)
    _check_faces(state, {**state.faces, **faces})
    _rehearse(state, faces)


def _check_asked(state: State) -> None:
    if state.phase not in _PHASES:
        raise Unreadable(f"there is no such phase: {state.phase}")
    if not state.frames():
        raise Unreadable("nothing is asked: stack is missing")
    for frame in state.frames():
        known = asks.ASKS if frame.need == "decide" else flow.STEPS
        if frame.need not in _NEEDS:
            raise Unreadable(f"there is no such need: {frame.need}")
        if frame.then not in known and frame.then not in ("settled", "called"):
            raise Unreadable(f"nothing goes on as: {frame.then}")


def _check_seats(state: State) -> None:
    named = [
        *(seat for seat in (state.crown, state.first) if seat is not None),
        *(state.builders + state.guarded + state.also_first),
        *(seat for seats in state.later for seat in seats),
        *(seat for _, seat in state.named.values()),
        *(laid.seat for laid in state.hidden_markers.values()),
        *(frame.seat for frame in state.stack if frame.seat >= 0 or frame.need == "decide"),
    ]
    if state.possessed is not None:
        named.append(state.possessed[1])
    if state.turn is not None:
        named.append(state.turn.seat)
    for seat in named:
        if not 0 <= seat < state.rules.seats:
            raise Unreadable(f"there is no seat {seat}")


def _check_cards(state: State) -> None:
    """Every district is somewhere, each once; characters likewise, where there are any."""
    districts = [*state.deck, *(slot for slots in state.tucked.values() for slot in slots)]
    characters = [*state.pile, *state.aside, *state.faceup]
    for place in state.places:
        districts += [*place.hand, *place.drawn, *place.city]
        characters += place.picks
    size = len(state.tables.labels) if state.rules.drawn else 0
    decided = {slot for frame in state.stack for slot in frame.slots if slot < size}
    lost = set(range(size)).difference(districts)
    _once(districts, "district")
    _once(characters, "character")
    if lost - decided:
        raise Unreadable(f"no word of the district in slot {min(lost)}")
    if any(slot >= size for slot in districts):
        raise Unreadable(f"there are {size} districts, in slots from 0 on")
    if any(slot < size for slot in (*characters, *state.lots)):
        raise Unreadable(f"slots below {size} are districts'")
    if characters and len(characters) != len(state.tables.roster):
        raise Unreadable(f"there are {len(state.tables.roster)} characters in a round")
    used = [*zones(state), *state.faces]
    if any(slot >= state.fresh_slot for slot in used):
        raise Unreadable(f"slot {max(used)} has never been used: fresh_slot is the next")


def _once(slots: Iterable[int], kind: str) -> None:
    for slot, times in Counter(slots).items():
        if times > 1:
            raise Unreadable(f"a {kind} is twice on the table: slot {slot}")


def _check_faces(state: State, faces: dict[int, str]) -> None:
    """No more of a card than the deck has, and no character twice."""
    size = len(state.tables.labels)
    left = Counter(state.tables.labels)
    roles: Counter[str] = Counter()
    secrets = {laid.slot for laid in state.hidden_markers.values()}
    lots = {*state.lots}
    for slot, card in faces.items():
        if state.rules.drawn and slot < size:
            if card not in DISTRICTS:
                raise Unreadable(f"no such district: {card}")
            left[card] -= 1
            if left[card] < 0:
                raise Unreadable(f"the deck has no {card} more")
        elif slot not in lots:
            if card not in CHARACTERS:
                raise Unreadable(f"no such character: {card}")
            roles[card] += slot not in secrets
            if roles[card] > 1 or card not in state.tables.ranks:
                raise Unreadable(f"no {card} can be in slot {slot}")


def _rehearse(state: State, faces: dict[int, str]) -> None:
    """All that is ever asked of a position, and two rounds of it at random."""
    try:
        faces = imagined(state, max(0, state.stack[-1].seat), faces, Random(0))
        flow.need(state)
        digest(state)
        score(state)
        for seat in range(state.rules.seats):
            view(state, seat, faces)
        if state.stack[-1].need == "decide":
            asks.choice(state, faces)
            refuse(state, TimedOut(state.stack[-1].seat))
            flow.default(state)
        dealer = OpenDealer(Random(0))
        dealer.faces = dict(faces)
        OpenMatch(state.copy(), dealer).play_out(dealer.random, REHEARSED)
    except MemoryError:
        raise
    except Exception as fault:  # whatever breaks, the text is at fault: it is not ours
        raise Unreadable(f"no match comes to this: {type(fault).__name__} {fault}") from fault
