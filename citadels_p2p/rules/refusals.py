"""Why a fact is refused.

Decided by everybody alike, from public facts and what the fact itself shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from citadels_p2p.rules.asks import ASKS, choice, describe, reveals
from citadels_p2p.rules.hooks import Faces
from citadels_p2p.rules.move_ids import VERBS
from citadels_p2p.rules.moves import Move, parse_move
from citadels_p2p.rules.needs import (
    Away,
    Back,
    Called,
    Dealt,
    Decided,
    Fact,
    Opened,
    Shuffled,
    TimedOut,
)
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State


def refuse(state: State, fact: Fact) -> Reason | None:
    """Why this fact cannot be now; None where it can."""
    frame = state.stack[-1]
    match fact:
        case Away() | Back():
            return _refuse_presence(state, fact)
        case _ if frame.need == "over":
            return Reason("match_over")
        case Decided() if frame.need == "decide":
            return _refuse_decision(state, frame, fact)
        case TimedOut() if frame.need == "decide":
            return None if fact.seat == frame.seat else Reason("not_your_turn", (fact.seat,))
        case Called() if frame.need == "call":
            return _refuse_answer(state, frame, fact)
        case Opened() if frame.need == "open":
            return _refuse_opened(state, frame, fact.faces)
        case Shuffled() if frame.need == "shuffle":
            return None
        case Dealt() if frame.need == "deal":
            return None
        case _:
            return Reason("not_needed")


def menu(state: State, faces: Faces) -> tuple[tuple[Move, Reason | None], ...]:
    """The legal moves of the seat that must decide; beside them what it cannot do now, and why.

    The second sort is for screens: building each hand card, gathering, ending the turn, and
    what its character and its districts can do; such a move names no target.
    """
    offer = choice(state, faces)
    entries: list[tuple[Move, Reason | None]] = [(move, None) for move in offer.moves]
    if state.turn is None or offer.kind != "act":
        return tuple(entries)
    groups = [state.role().acts]
    groups += [card.effect.acts for card in state.places[offer.seat].uniques]
    acts = [act for group in groups for act in group]
    verbs = ["gold", "cards", *(act.verb for act in acts), "end"]
    others = [Move(verb) for verb in verbs if not VERBS[verb]]
    others += [Move("build", slot) for slot in state.places[offer.seat].hand if slot in faces]
    for move in others:
        shown = tuple((slot, faces[slot]) for slot in reveals(state, move))
        reason = refuse(state, Decided(offer.seat, move, shown))
        if reason is not None:
            entries.append((describe(state, faces, move), reason))
    offered = {move.verb for move in offer.moves}
    for act in acts:
        if VERBS[act.verb] and act.verb not in offered:
            bare = Move(act.verb)
            candidates = act.candidates(state, offer.seat) or (bare,)
            reasons = [refuse(state, Decided(offer.seat, move)) for move in candidates]
            entries.append((bare.saying(outlay=act.outlay), _common(reasons)))
    return tuple(entries)


def _common(reasons: Sequence[Reason | None]) -> Reason:
    """What bars all targets of an act: the same for each, else the lowest price."""
    first = reasons[0]
    if first is not None and all(reason == first for reason in reasons):
        return first
    dear = [reason for reason in reasons if reason is not None and reason.code == "too_dear"]
    return min(dear, key=_price) if dear and None not in reasons else Reason("out_of_reach")


def _price(reason: Reason) -> int:
    cost = reason.values[0]
    assert isinstance(cost, int)
    return cost


def _refuse_presence(state: State, fact: Away | Back) -> Reason | None:
    if not 0 <= fact.seat < state.rules.seats:
        return Reason("not_your_turn", (fact.seat,))
    away = isinstance(fact, Away)
    return None if state.places[fact.seat].present == away else Reason("already_so")


def _refuse_decision(state: State, frame: Frame, fact: Decided) -> Reason | None:
    if fact.seat != frame.seat:
        return Reason("not_your_turn", (fact.seat,))
    ask = ASKS[frame.then]
    if fact.move.verb == ask.several:
        low, high = ask.bounds(state, frame)
        chosen = fact.move.picks
        if len(chosen) < low:
            return Reason("too_few", (low,))
        if len(chosen) > high:
            return Reason("too_many", (high,))
        if parse_move(fact.move.id) != fact.move:
            return Reason("not_an_option")
    shown = dict(fact.shown)
    if shown and (len(shown) != len(fact.shown) or shown.keys() - reveals(state, fact.move)):
        return Reason("not_shown")
    reason = ask.refuse(state, frame, fact.move, shown)
    if reason is not None:
        return reason
    for slot, card in fact.shown:
        reason = _refuse_pack(state, slot, (card,))
        if reason is not None:
            return reason
    return None


def _refuse_answer(state: State, frame: Frame, fact: Called) -> Reason | None:
    seat, slot, character = fact.seat, fact.slot, fact.character
    if seat is None and slot is None and character is None:
        return None
    if seat is None or slot is None or character is None:
        return Reason("not_an_option")
    if not 0 <= seat < state.rules.seats or slot not in state.places[seat].picks:
        return Reason("no_such_card")
    if slot in state.faces or state.tables.ranks.get(character) != frame.slots[0]:
        return Reason("wrong_rank")
    return _refuse_pack(state, slot, (character,))


def _refuse_opened(state: State, frame: Frame, faces: Sequence[str]) -> Reason | None:
    if len(faces) != len(frame.slots):
        return Reason("not_shown")
    reason = _refuse_pack(state, frame.slots[0], faces)
    if reason is None and frame.then == "exposed":
        return _refuse_silence(state, frame, faces)
    return reason


def _refuse_pack(state: State, slot: int, faces: Sequence[str]) -> Reason | None:
    """No more of any card than its pack holds, counting what already lies open."""
    tables = state.tables
    for markers in state.hidden_markers.values():
        if slot == markers.slot:
            (face,) = faces
            return None if face in markers.characters else Reason("false_face", (face,))
    if slot in state.lots:
        pack = Counter(state.lots.values())
    elif slot < len(tables.labels):
        pack = Counter(tables.labels)
    else:
        pack = Counter(tables.roster)
    seen = Counter(face for face in faces if face)
    seen.update(state.faces.values())
    for card in filter(None, faces):
        if seen[card] > pack[card]:
            return Reason("false_face", (card,))
    return None


def _refuse_silence(state: State, frame: Frame, faces: Sequence[str]) -> Reason | None:
    """Whoever did not answer the call of a character that nobody silenced has cheated."""
    spared = ["", state.silenced]
    spared += [character for character, _ in state.tables.calls[state.called :]]
    for slot, character in zip(frame.slots, faces, strict=True):
        if character not in spared:
            seat = next(s for s, place in enumerate(state.places) if slot in place.picks)
            return Reason("silent_holder", (seat, character))
    return None
