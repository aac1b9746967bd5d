"""A seat's turn: one open menu from its beginning to its end.

Resources must be gathered before the turn may end or a district be built; the powers of the
character and of the city's own uniques may be used at any moment, each once, unless the table
plays with fixed steps.
"""

from __future__ import annotations

from typing import Final

from citadels_p2p.rules import building, gathering, steps
from citadels_p2p.rules.hooks import About, Act, Ask, District, Faces, Role, Step, Way
from citadels_p2p.rules.move_ids import BUILDING, GATHERING
from citadels_p2p.rules.moves import Move, OnSlots, Outlay
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State, Turn

_END: Final = Move("end")
_BUILD: Final = OnSlots("build")


def begin_turn(state: State, seat: int, rank: int, character: str) -> None:
    """The holder of this character answers its call: its turn, to the end.

    What detains it, an errand instead of the menu, or another seat that plays the turn after
    it, let it gather first.
    """
    tables, stack = state.tables, state.stack
    role = tables.roles[character]
    effect = role.effect
    state.turn = Turn(seat, rank, role)
    state.emit("turn_begins", seat, rank, character)
    if effect.on_called is not None:
        effect.on_called(state, seat)
    if state.possessed is not None and state.possessed[0] == character:
        stack.append(tables.gathering[seat])
        return
    stack.append(Frame("decide", effect.errand, seat) if effect.errand else tables.menus[seat])
    if tables.detains or effect.errand:
        detained = [frame for hook in tables.detains if (frame := hook(state, seat, character))]
        if detained or effect.errand:
            stack += detained
            stack.append(tables.gathering[seat])
    if effect.on_turn is not None:
        effect.on_turn(state, seat)


def go_on(state: State, turn: Turn) -> None:
    """Nothing more is asked in this turn: it ends, or another seat takes it up."""
    state.turn = None
    state.emit("turn_ends", turn.seat)
    if turn.resumed or state.possessed is None or state.possessed[0] != turn.character:
        return
    seat = state.possessed[1]
    state.turn = Turn(seat, turn.rank, turn.role)
    state.turn.gathered = state.turn.resumed = True
    state.emit("turn_resumed", seat, turn.rank, turn.character)
    state.stack.append(state.tables.menus[seat])
    hook = turn.role.effect.on_turn
    if hook is not None:
        hook(state, seat)


def spend(state: State, turn: Turn, act: Act) -> None:
    """This power of the turn is used from now on."""
    turn.used.append(act.power)
    if act.at_turn_end:
        turn.closing = True
    if state.tables.fixed_steps:
        turn.step = turn.role.step_of[act.verb]


class _Menu(Ask):
    """Everything a seat may do in its turn."""

    kind = "act"
    outlay = "plain"
    stays = True

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        turn, tables, seat = state.turn, state.tables, frame.seat
        assert turn is not None
        used, role = turn.used, turn.role
        if turn.gathered:
            moves: list[Move] = []
            offers = role.closing if turn.closing else role.acts
        else:
            moves = gathering.options(state)
            offers = role.early
        for act in offers:
            if not used or act.power not in used or used.count(act.power) < act.times:
                act.options(state, seat, faces, moves)
        if not turn.closing:
            for card in state.places[seat].uniques:
                for act in card.effect.acts:
                    if _ready(turn, act):
                        act.options(state, seat, faces, moves)
            if turn.gathered:
                self._sites(state, turn, role, faces, moves)
        if turn.gathered and (not role.musts or _duty(state, turn) is None):
            moves.append(_END)
        if tables.fixed_steps:
            duty = _duty(state, turn) is not None
            first, last = steps.span(turn, duty=duty)
            of = role.step_of
            moves = [m for m in moves if first <= of.get(m.verb, steps.BUILDING) <= last]
        return moves

    def _sites(
        self, state: State, turn: Turn, role: Role, faces: Faces, moves: list[Move]
    ) -> None:
        """What of the hand can be built, and how."""
        tables, home, plain = state.tables, state.places[turn.seat], role.plain
        for standing in home.uniques:
            plain = plain and not standing.yard
        spent = turn.built >= role.limit
        if plain and (spent or home.gold < tables.cheapest) and not tables.sites:
            return
        districts, gold = tables.districts, home.gold
        for slot in home.hand:
            face = faces.get(slot)
            if face is None:
                continue
            card = districts[face]
            if not plain or card.site:
                _ways(state, turn, slot, card, moves)
            elif card.cost <= gold and not spent:
                for standing in home.districts:
                    if standing is card:
                        break
                else:
                    moves.append(_BUILD[slot])

    def refuse(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        turn, seat, verb = state.in_turn(), frame.seat, move.verb
        if verb == "end":
            return _refuse_end(state, turn)
        if verb in GATHERING:
            return gathering.refuse(state, turn, verb)
        if state.tables.fixed_steps:
            step, duty = turn.role.step_of.get(verb, steps.BUILDING), _duty(state, turn)
            if (early := steps.refusal(turn, step, duty=duty is not None)) is not None:
                return early
        act = turn.role.act_of.get(verb)
        if turn.closing and (act is None or not act.at_turn_end):
            return Reason("turn_closing")
        if verb == "build" or verb in state.tables.way_of:
            return _refuse_build(state, turn, move, shown.get(move.slot))
        if act is None or not _has(state, turn, act):
            return Reason("not_an_option")
        if turn.used.count(act.power) >= act.times:
            return Reason("already_used")
        if (act.after_gathering or act.at_turn_end) and not turn.gathered:
            return Reason("gather_first")
        return act.refuse(state, seat, move)

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        turn, tables, seat, verb = state.turn, state.tables, frame.seat, move.verb
        assert turn is not None
        role = turn.role
        if tables.fixed_steps and verb not in role.act_of:
            turn.step = role.step_of.get(verb, steps.BUILDING)
        if verb == "end":
            state.stack.pop()
            _end(state, turn)
        elif verb in GATHERING:
            gathering.gather(state, turn, verb)
        elif verb == "build":
            building.build(state, turn, move.slot, shown[move.slot])
        elif (act := role.act_of.get(verb)) is not None:
            if not act.defers:
                spend(state, turn, act)
            act.do(state, seat, move)
        else:
            tables.way_of[verb].do(state, turn, move, tables.districts[shown[move.slot]])

    def default(self, state: State, frame: Frame) -> Move:
        """Gold, then what must be done, then the end of the turn."""
        turn = state.in_turn()
        if not turn.gathered:
            return gathering.DEFAULT
        return _duty(state, turn) or _END

    def reveals(self, move: Move) -> tuple[int, ...]:
        return (move.slot,) if move.verb in BUILDING else ()

    def about(self, state: State, frame: Frame, move: Move) -> About:
        if move.verb in GATHERING:
            return gathering.about(state, frame.seat, move)
        if move.verb in state.tables.way_of:
            return state.tables.way_of[move.verb].about(state, frame.seat, move)
        act = state.role().act_of.get(move.verb)
        return act.about(state, frame.seat, move) if act is not None else ()

    def outlay_of(self, state: State, frame: Frame, move: Move) -> Outlay:
        if move.verb in GATHERING:
            return gathering.OUTLAY
        if move.verb in state.tables.way_of:
            return state.tables.way_of[move.verb].outlay
        act = state.role().act_of.get(move.verb)
        return act.outlay_of(state, frame.seat, move) if act is not None else self.outlay

    def harms(self, state: State, frame: Frame, move: Move) -> bool:
        """Not where nothing is done yet but asked."""
        act = state.role().act_of.get(move.verb)
        deferred = act is not None and act.defers
        return not deferred and super().harms(state, frame, move)

    def closes(self, state: State, frame: Frame, verb: str, other: str) -> bool:
        turn, tables = state.in_turn(), state.tables
        closing = {v for v, act in turn.role.act_of.items() if act.at_turn_end}
        if verb == "end" or (verb in closing and other not in closing):
            return verb != other != "end"
        of = turn.role.step_of if tables.fixed_steps else {}
        return of.get(verb, steps.BUILDING) > of.get(other, steps.BUILDING)


def _ready(turn: Turn, act: Act) -> bool:
    """Is it this act's time, and its power not yet spent?"""
    if (act.after_gathering or act.at_turn_end) and not turn.gathered:
        return False
    return turn.used.count(act.power) < act.times


def _has(state: State, turn: Turn, act: Act) -> bool:
    uniques = state.places[turn.seat].uniques
    return act in turn.role.acts or any(act in card.effect.acts for card in uniques)


def _end(state: State, turn: Turn) -> None:
    """What happens at the end of a turn: others' powers, districts, then the character."""
    seat = turn.seat
    for hook in state.tables.ends:
        hook(state, seat)
    for card in state.places[seat].uniques:
        if (last := card.effect.on_end) is not None:
            last(state, seat)
    if (last := turn.role.effect.on_end) is not None:
        last(state, seat)


def _duty(state: State, turn: Turn) -> Move | None:
    """What must still be done before the turn may end."""
    for act in turn.role.musts:
        if act.power not in turn.used and (move := act.duty(state, turn.seat)) is not None:
            return move
    return None


def _refuse_end(state: State, turn: Turn) -> Reason | None:
    if not turn.gathered:
        return Reason("gather_first")
    return Reason("duty_first") if _duty(state, turn) is not None else None


def _refuse_build(state: State, turn: Turn, move: Move, face: str | None) -> Reason | None:
    tables = state.tables
    if not turn.gathered:
        return Reason("gather_first")
    if move.slot not in state.places[turn.seat].hand:
        return Reason("no_such_card")
    if face is None:
        return building.spent(state, turn) or Reason("not_shown")
    card = tables.districts.get(face)
    if card is None:
        return Reason("false_face", (face,))
    reason = building.refusal(state, turn, card)
    if reason is not None or move.verb == "build":
        return reason or building.affords(state, turn.seat, card)
    way = tables.way_of[move.verb]
    if way not in _open_ways(state, turn.seat, card):
        return Reason("not_an_option")
    return way.refuse(state, turn, move, card)


def _open_ways(state: State, seat: int, card: District) -> list[Way]:
    """How the seat may pay for this card, beside its own gold."""
    ways = [*card.effect.own_ways]
    for standing in state.places[seat].uniques:
        ways += standing.effect.ways
    return ways


def _ways(state: State, turn: Turn, slot: int, card: District, moves: list[Move]) -> None:
    """Add every way in which this card can be built."""
    if building.refusal(state, turn, card) is not None:
        return
    if building.affords(state, turn.seat, card) is None:
        moves.append(_BUILD[slot])
    for way in _open_ways(state, turn.seat, card):
        moves += way.options(state, turn, slot, card)


ASKS: Final[dict[str, Ask]] = {"act": _Menu(), **gathering.ASKS}
STEPS: Final[dict[str, Step]] = gathering.STEPS
