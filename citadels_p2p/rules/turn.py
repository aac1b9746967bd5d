"""A seat's turn: one open menu from its beginning to its end.

Resources must be gathered before the turn may end or a district be built; the powers of the
character and of the city's own uniques may be used at any moment, each once.
"""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.rules import board
from citadels_p2p.rules.hooks import About, Act, Ask, Faces, Step
from citadels_p2p.rules.moves import Move, OnSlots
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State, Turn

#: what gathering gives: gold, or cards drawn of which one is kept
GOLD = 2
CARDS = 2

_GOLD, _CARDS, _END = Move("gold"), Move("cards"), Move("end")
_BUILD, _KEEP = OnSlots("build"), OnSlots("keep")


def begin_turn(state: State, seat: int, rank: int, character: str) -> None:
    """The seat plays as this character, until it ends its turn."""
    state.turn = Turn(seat, rank, character)
    state.emit("turn_begins", seat, rank, character)
    state.stack.append(state.plan.menus[seat])
    hook = state.plan.effect[character].on_turn
    if hook is not None:
        hook(state, seat)


class _Menu(Ask):
    """Everything a seat may do in its turn."""

    kind = "act"
    stays = True

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        turn, plan, seat = state.turn, state.plan, frame.seat
        assert turn is not None
        home, used, gathered = state.places[seat], turn.used, turn.gathered
        moves: list[Move] = []
        if not gathered:
            moves.append(_GOLD)
            if state.deck:
                moves.append(_CARDS)
        for act in plan.character_acts[turn.character]:
            if act.once not in used:
                act.options(state, seat, faces, moves)
        for card in home.uniques:
            for act in plan.district_acts.get(card, ()):
                if act.once not in used:
                    act.options(state, seat, faces, moves)
        if gathered:
            if turn.built < plan.effect[turn.character].limit:
                cost, names, gold = plan.cost, home.names, home.gold
                for slot in home.hand:
                    if slot in faces:
                        card = faces[slot]
                        if cost[card] <= gold and card not in names:
                            moves.append(_BUILD[slot])
            moves.append(_END)
        return moves

    def refuse(
        self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]
    ) -> Reason | None:
        turn, seat, verb = state.turn, frame.seat, move.verb
        assert turn is not None
        if verb == "build":
            return _refuse_build(state, turn, move.slot, shown.get(move.slot))
        if verb == "end":
            return None if turn.gathered else Reason("gather_first")
        if verb in ("gold", "cards"):
            if turn.gathered:
                return Reason("already_gathered")
            return Reason("deck_empty") if verb == "cards" and not state.deck else None
        act = state.plan.act_of.get(verb)
        if act is None or not _has(state, turn, act):
            return Reason("not_an_option")
        if act.once in turn.used:
            return Reason("already_used")
        return act.refuse(state, seat, move)

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        turn, seat, verb = state.turn, frame.seat, move.verb
        assert turn is not None
        if verb == "build":
            _build(state, turn, move.slot, shown[move.slot])
        elif verb == "end":
            state.stack.pop()
            state.turn = None
            state.emit("turn_ends", seat)
        elif verb == "gold":
            turn.gathered = True
            state.bank -= GOLD
            state.places[seat].gold += GOLD
            state.emit("gold_gathered", seat, GOLD)
        elif verb == "cards":
            turn.gathered = True
            _gather_cards(state, seat)
        else:
            act = state.plan.act_of[verb]
            turn.used.append(act.once)
            act.do(state, seat, move)

    def default(self, state: State, frame: Frame) -> Move:
        """Gold, then the end of the turn."""
        assert state.turn is not None
        return _END if state.turn.gathered else _GOLD

    def reveals(self, move: Move) -> tuple[int, ...]:
        return (move.slot,) if move.verb == "build" else ()

    def about(self, state: State, frame: Frame, move: Move) -> About:
        if move.verb == "gold":
            return (("gold", GOLD),)
        if move.verb == "cards":
            return (("count", min(_drawn(state, frame.seat), len(state.deck))),)
        act = state.plan.act_of.get(move.verb)
        return act.about(state, frame.seat, move) if act is not None else ()


def _has(state: State, turn: Turn, act: Act) -> bool:
    plan = state.plan
    return act in plan.character_acts[turn.character] or any(
        act in plan.district_acts.get(card, ()) for card in state.places[turn.seat].uniques
    )


def _refuse_build(state: State, turn: Turn, slot: int, card: str | None) -> Reason | None:
    home, plan = state.places[turn.seat], state.plan
    limit = plan.effect[turn.character].limit
    if not turn.gathered:
        return Reason("gather_first")
    if slot not in home.hand:
        return Reason("no_such_card")
    if turn.built >= limit:
        return Reason("build_limit", (limit,))
    if card is None:
        return Reason("not_shown")
    cost = plan.cost.get(card)
    if cost is None:
        return Reason("false_face", (card,))
    if card in home.names:
        return Reason("already_built", (card,))
    return Reason("too_dear", (cost, home.gold)) if cost > home.gold else None


def _build(state: State, turn: Turn, slot: int, card: str) -> None:
    seat = turn.seat
    cost = state.plan.cost[card]
    turn.built += 1
    board.pay_bank(state, seat, cost)
    state.places[seat].hand.remove(slot)
    board.place(state, seat, slot, card)
    state.emit("built", seat, card, slot, cost)
    board.note_completion(state, seat)


def _drawn(state: State, seat: int) -> int:
    count, draws = CARDS, state.plan.draws
    for card in state.places[seat].uniques:
        count += draws.get(card, 0)
    return count


def _gather_cards(state: State, seat: int) -> None:
    count = min(_drawn(state, seat), len(state.deck))
    state.stack.append(Frame("deal", "gathered", seat, board.top(state, count)))


def _gathered(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    seat, slots = frame.seat, frame.slots
    home = state.places[seat]
    board.leave_deck(state, slots)
    state.emit("cards_drawn", seat, len(slots))
    keeps_all = state.plan.keeps_all
    if len(slots) > 1 and not any(card in keeps_all for card in home.uniques):
        home.drawn = list(slots)
        state.stack.append(Frame("decide", "keep", seat, slots))
    else:
        home.hand += slots
        state.emit("cards_kept", seat, len(slots), 0)


class _Keep(Ask):
    """Of the cards drawn, one stays; the others go under the deck."""

    kind = "keep"

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        return [_KEEP[slot] for slot in frame.slots]

    def refuse(
        self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]
    ) -> Reason | None:
        if move.verb != "keep":
            return Reason("not_an_option")
        return None if move.slot in frame.slots else Reason("no_such_card")

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        home = state.places[frame.seat]
        home.drawn = []
        home.hand.append(move.slot)
        rest = [slot for slot in frame.slots if slot != move.slot]
        board.put_under(state, rest)
        state.emit("cards_kept", frame.seat, 1, len(rest))

    def default(self, state: State, frame: Frame) -> Move:
        """The first one drawn."""
        return _KEEP[frame.slots[0]]


ASKS: dict[str, Ask] = {"act": _Menu(), "keep": _Keep()}
STEPS: dict[str, Step] = {"gathered": _gathered}
