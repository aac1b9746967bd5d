"""Rank 2: those who live off others. Thief, Spy, Blackmailer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from citadels_p2p.cards import QUARTERS
from citadels_p2p.rules import board
from citadels_p2p.rules.characters.markers import Places, Placing, ShowMarker, lift
from citadels_p2p.rules.choices import OnCharacter, Pick
from citadels_p2p.rules.hooks import About, Act, Ask, CharacterEffect, Faces, Step
from citadels_p2p.rules.moves import Move, shared
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, State

THEFT: Final = "theft"


def _exempt(state: State) -> tuple[str, ...]:
    """Who cannot suffer: rank 1, who was silenced, who is played by another."""
    possessed = state.possessed[0] if state.possessed else ""
    return (state.tables.roster[0], state.silenced, possessed)


# Thief


class Rob(OnCharacter):
    """All the gold of the named character's holder, when it is shown."""

    verb = "rob"
    power = "thief"
    purpose = THEFT

    def exempt(self, state: State) -> tuple[str, ...]:
        return _exempt(state)


def _robbed(state: State, seat: int, character: str) -> None:
    """All gold goes to the thief the moment the named character is shown, before it gathers."""
    mark = state.named.get(THEFT)
    if mark is not None and mark[0] == character and mark[1] != seat:
        _take_all(state, mark[1], seat)


def _take_all(state: State, seat: int, victim: int) -> None:
    gold = state.places[victim].gold
    state.places[victim].gold = 0
    state.places[seat].gold += gold
    state.emit("robbed", seat, victim, gold)


# Spy


class Spying(Act):
    """Name a quarter, then see a hand.

    For each card of that quarter: a gold of its holder, as far as it goes, and a card of the
    deck.
    """

    verb = "spy"
    power = "spy"
    outlay = "gift"

    def candidates(self, state: State, seat: int) -> Sequence[Move]:
        seats = range(state.rules.seats)
        return [shared("spy", seat=other, quarter=q) for other in seats for q in QUARTERS]

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        if move.seat == seat:
            return Reason("not_yourself")
        if not 0 <= move.seat < state.rules.seats or move.quarter not in QUARTERS:
            return Reason("not_an_option")
        return board.bars_hand(state, move.seat)

    def do(self, state: State, seat: int, move: Move) -> None:
        slots = tuple(state.places[move.seat].hand)
        labels = (str(move.seat), move.quarter)
        state.emit("hand_seen", seat, move.seat, "spy")
        state.stack.append(Frame("decide", "count", seat, slots, labels))
        state.stack.append(Frame("deal", "settled", seat, slots))


def _true_count(state: State, frame: Frame, faces: Faces) -> int:
    quarter = QUARTERS.index(frame.labels[1])
    districts = state.tables.districts
    return sum(districts[faces[slot]].quarter == quarter for slot in frame.slots)


class Count(Ask):
    """How many cards of the quarter there are: the two who know the hand must agree."""

    kind = "count"
    outlay = "plain"

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        return [Move("count", number=_true_count(state, frame, faces))]

    def refuse(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        possible = move.verb == "count" and 0 <= move.number <= len(frame.slots)
        return None if possible else Reason("not_an_option")

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        other, quarter = frame.labels
        if not state.places[frame.seat].present:
            # Nobody has counted. Its holder could only contest none, and would show its hand.
            _reward(state, frame.seat, int(other), quarter, 0)
            return
        labels = (str(frame.seat), quarter, str(move.number))
        state.stack.append(Frame("decide", "counted", int(other), frame.slots, labels))

    def default(self, state: State, frame: Frame) -> Move:
        return Move("count", number=0)

    def concerns(self, state: State, frame: Frame) -> About:
        return (("seat", int(frame.labels[0])), ("quarter", frame.labels[1]))


class Counted(Pick):
    """The holder of the hand agrees to the count, or the hand is opened to everybody."""

    kind = "counted"
    outlay = "plain"
    verbs: tuple[str, ...] = ("agree", "contest")

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        agreed = _true_count(state, frame, faces) == int(frame.labels[2])
        return [Move("agree" if agreed else "contest")]

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        spy, quarter, number = frame.labels
        if move.verb == "agree":
            _reward(state, int(spy), frame.seat, quarter, int(number))
        else:
            state.stack.append(
                Frame("open", "contested", frame.seat, frame.slots, frame.labels)
            )

    def about(self, state: State, frame: Frame, move: Move) -> About:
        return (("quarter", frame.labels[1]), ("count", int(frame.labels[2])))

    def concerns(self, state: State, frame: Frame) -> About:
        spy, quarter, number = frame.labels
        return (("seat", int(spy)), ("quarter", quarter), ("count", int(number)))


def _contested(state: State, frame: Frame, faces: tuple[str, ...]) -> None:
    spy, quarter, number = frame.labels
    for slot in frame.slots:
        state.faces.pop(slot, None)
    if not all(faces):  # its laptop is gone, and the hand stays closed: as if it had agreed
        _reward(state, int(spy), frame.seat, quarter, int(number))
        return
    index = QUARTERS.index(quarter)
    state.emit("hand_opened", frame.seat, faces)
    count = sum(state.tables.districts[card].quarter == index for card in faces)
    _reward(state, int(spy), frame.seat, quarter, count)


def _reward(state: State, seat: int, other: int, quarter: str, count: int) -> None:
    state.emit("spied", seat, other, quarter, (count,))
    gold = min(count, state.places[other].gold)
    if gold:
        board.pay_seat(state, other, seat, gold, "spy")
    board.draw(state, seat, count, "spy")


# Blackmailer

THREATS: Final = "threats"


def _threatened(state: State, seat: int, character: str) -> Frame | None:
    """Right after gathering a bearer must pay or dare."""
    threats = state.hidden_markers.get(THREATS)
    if threats is None or threats.seat == seat or character not in threats.characters:
        return None
    return Frame("decide", "bribe", seat, (), (str(threats.seat), character))


class Bribe(Pick):
    """Half the gold, rounded down, and the threat goes away unseen; it may be nothing."""

    kind = "bribe"
    outlay = "plain"
    verbs: tuple[str, ...] = ("bribe", "refuse_bribe")

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        seat, other, character = frame.seat, int(frame.labels[0]), frame.labels[1]
        if move.verb == "bribe":
            gold = state.places[seat].gold // 2
            state.places[seat].gold -= gold
            state.places[other].gold += gold
            lift(state, THREATS, character)
            state.emit("bribed", seat, other, gold)
            return
        state.emit("bribe_refused", seat, other)
        state.stack.append(Frame("decide", "threaten", other, (), (str(seat), character)))

    def about(self, state: State, frame: Frame, move: Move) -> About:
        return (("gold", state.places[frame.seat].gold // 2),)

    def concerns(self, state: State, frame: Frame) -> About:
        return (("seat", int(frame.labels[0])), ("gold", state.places[frame.seat].gold // 2))


class Threaten(ShowMarker):
    """Show the threat; a real one takes all the gold."""

    kind = "threaten"
    verb = "threaten"
    purpose = THREATS

    def wanted(self, state: State, frame: Frame) -> str:
        return frame.labels[1]

    def accept(self, state: State, frame: Frame, move: Move) -> None:
        """The real one lies open: what is left of them is known to be empty."""
        victim, character = int(frame.labels[0]), frame.labels[1]
        del state.hidden_markers[THREATS]
        state.emit("threat_shown", frame.seat, victim, character)
        _take_all(state, frame.seat, victim)

    def decline(self, state: State, frame: Frame) -> None:
        """The threat is dropped."""
        lift(state, THREATS, frame.labels[1])
        state.emit("threat_dropped", frame.seat, int(frame.labels[0]))

    def about(self, state: State, frame: Frame, move: Move) -> About:
        return ()

    def concerns(self, state: State, frame: Frame) -> About:
        return (("seat", int(frame.labels[0])), ("character", frame.labels[1]))


# Tax Collector, where he is of this rank


def _begin_taxes(state: State, seat: int) -> None:
    """Who built before him pays now."""
    state.named["taxes"] = ("tax_collector", seat)
    for builder in dict.fromkeys(state.builders):
        _tax(state, builder, seat)


def _tax_turn(state: State, seat: int) -> None:
    """Whoever built in the turn gives one gold at its end, if there is one."""
    mark = state.named.get("taxes")
    if mark is not None and state.turn is not None and state.turn.paid:
        _tax(state, seat, mark[1])


def _tax(state: State, seat: int, collector: int) -> None:
    if seat != collector and state.places[seat].gold:
        board.pay_seat(state, seat, collector, 1, "tax_collector")


CHARACTERS: Final[dict[str, CharacterEffect]] = {
    "thief": CharacterEffect(acts=(Rob(),), on_reveal=_robbed),
    "spy": CharacterEffect(acts=(Spying(),)),
    "blackmailer": CharacterEffect(
        acts=(Placing("blackmailer", THREATS),), detains=_threatened
    ),
}
OLDER: Final[dict[str, CharacterEffect]] = {
    "tax_collector": CharacterEffect(on_turn=_begin_taxes, on_any_end=_tax_turn),
}
ASKS: Final[dict[str, Ask]] = {
    "count": Count(),
    "counted": Counted(),
    # two, one of them real, on characters that may suffer; one that bears a warrant may
    "threats": Places(THREATS, 2, _exempt),
    "bribe": Bribe(),
    "threaten": Threaten(),
}
STEPS: Final[dict[str, Step]] = {"contested": _contested}
