"""Rank 1: those who silence, and those who rule through others. Assassin, Witch, Magistrate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from citadels_p2p.rules import board, building
from citadels_p2p.rules.characters.markers import Places, Placing, Sign
from citadels_p2p.rules.characters.naming import Naming
from citadels_p2p.rules.hooks import About, Ask, CharacterEffect, Faces, Step
from citadels_p2p.rules.moves import Move, shared
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Frame, Site, State

_DECLINE = Move("decline")

# Assassin


class Murder(Naming):
    """The named character is not called and loses its turn, whoever holds it."""

    verb = "murder"
    once = "assassin"
    purpose = "murder"

    def do(self, state: State, seat: int, move: Move) -> None:
        super().do(state, seat, move)
        state.silenced = move.character


# Witch


class Bewitch(Ask):
    """Having gathered she must name a character, and her turn pauses.

    Its holder only gathers; then she plays its turn with her own hand, gold and city.
    """

    kind = "bewitch"

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        return [shared("bewitch", character=id) for id in self._others(state)]

    def refuse(
        self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]
    ) -> Reason | None:
        if move.verb != "bewitch":
            return Reason("not_an_option")
        if move.character in self._others(state):
            return None
        return Reason("not_that_character", (move.character,))

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        board.name(state, frame.seat, move.character, "witchcraft")
        state.possessed = (move.character, frame.seat)

    def default(self, state: State, frame: Frame) -> Move:
        """The highest rank."""
        return Move("bewitch", character=self._others(state)[-1])

    @staticmethod
    def _others(state: State) -> list[str]:
        assert state.turn is not None
        return [id for id in state.plan.roster if id != state.turn.character]


# Magistrate

WARRANTS: Final = "warrants"


class PlaceWarrants(Placing):
    """Three warrants, one of them signed."""

    verb = "place_warrants"
    once = "magistrate"
    then = "warrants"


class Warrants(Places):
    """On three other characters, whether anybody holds them or not."""

    kind = "warrants"
    several = "warrants"
    count = 3
    purpose = WARRANTS


def _summon(state: State, site: Site) -> bool:
    """The first district that a bearer pays for in its turn may be taken into custody."""
    turn, warrants = state.turn, state.markers.get(WARRANTS)
    if warrants is None or turn is None or not site.paid or turn.paid != 1:
        return False
    judge = warrants.seat
    if turn.character not in warrants.characters or judge == site.seat:
        return False
    if site.card in state.places[judge].names:
        return False
    state.faces[site.slot] = site.card
    state.emit("summoned", site.seat, site.card, site.slot, site.gold, judge)
    labels = (site.card, str(site.gold), str(site.seat))
    state.stack.append(Frame("decide", "custody", judge, (site.slot,), labels))
    return True


def _site(frame: Frame) -> Site:
    card, gold, seat = frame.labels
    return Site(int(seat), frame.slots[0], card, int(gold))


class Custody(Ask):
    """Show the signed warrant and take the district; its builder gets the gold back.

    It used one of the builder's buildings all the same, unless it would not have.
    """

    kind = "custody"

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        assert state.turn is not None
        slot = state.markers[WARRANTS].slot
        signed = faces.get(slot) == state.turn.character
        return [Move("confiscate", slot), _DECLINE] if signed else [_DECLINE]

    def refuse(
        self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]
    ) -> Reason | None:
        assert state.turn is not None
        slot = state.markers[WARRANTS].slot
        if move.verb == "decline":
            return None
        if move.verb != "confiscate" or move.slot != slot:
            return Reason("not_an_option")
        if slot not in shown:
            return Reason("not_shown")
        character = shown[slot]
        if character == state.turn.character:
            return None
        return Reason("not_that_character", (character,))

    def reveals(self, move: Move) -> tuple[int, ...]:
        return (move.slot,) if move.verb == "confiscate" else ()

    def do(self, state: State, frame: Frame, move: Move, shown: Mapping[int, str]) -> None:
        site, judge = _site(frame), frame.seat
        if move.verb == "decline":
            building.finish(state, site)
            return
        assert state.turn is not None
        del state.markers[WARRANTS]
        state.turn.spent -= site.gold
        state.bank -= site.gold
        state.places[site.seat].gold += site.gold
        board.place(state, judge, site.slot, site.card)
        state.emit("confiscated", judge, site.seat, site.card, site.slot, site.gold)
        building.settle(state, judge)

    def default(self, state: State, frame: Frame) -> Move:
        """The district goes its way."""
        return _DECLINE

    def about(self, state: State, frame: Frame, move: Move) -> About:
        site = _site(frame)
        return (("card", site.card), ("owner", site.seat))

    def concerns(self, state: State, frame: Frame) -> About:
        site = _site(frame)
        return (("seat", site.seat), ("card", site.card))


CHARACTERS: dict[str, CharacterEffect] = {
    "assassin": CharacterEffect(acts=(Murder(),)),
    "witch": CharacterEffect(errand="bewitch"),
    "magistrate": CharacterEffect(acts=(PlaceWarrants(),), on_payment=_summon),
}
OLDER: dict[str, CharacterEffect] = {}
ASKS: dict[str, Ask] = {
    "bewitch": Bewitch(),
    "warrants": Warrants(),
    "sign": Sign(),
    "custody": Custody(),
}
STEPS: dict[str, Step] = {}
