"""Rank 1: those who silence, and those who rule through others. Assassin, Witch, Magistrate."""

from __future__ import annotations

from typing import Final

from citadels_p2p.rules import board, building
from citadels_p2p.rules.characters.markers import Places, Placing, ShowMarker, Sign
from citadels_p2p.rules.choices import AskAct, OnCharacter
from citadels_p2p.rules.hooks import About, Ask, CharacterEffect
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.state import Frame, Site, State

# Assassin


class Murder(OnCharacter):
    """The named character is not called and loses its turn, whoever holds it."""

    verb = "murder"
    power = "assassin"
    purpose = "murder"

    def do(self, state: State, seat: int, move: Move) -> None:
        super().do(state, seat, move)
        state.silenced = move.character


# Witch


class Witchcraft(OnCharacter):
    """The named character's holder only gathers.

    Then she plays its turn with her own hand, gold and city.
    """

    verb = "bewitch"
    purpose = "witchcraft"

    def do(self, state: State, seat: int, move: Move) -> None:
        super().do(state, seat, move)
        state.possessed = (move.character, seat)


# Magistrate

WARRANTS: Final = "warrants"


def _summon(state: State, site: Site) -> bool:
    """The first district that a bearer pays for in its turn may be taken into custody."""
    turn, warrants = state.turn, state.hidden_markers.get(WARRANTS)
    if warrants is None or turn is None or not site.paid or turn.paid != 1:
        return False
    judge = warrants.seat
    if turn.character not in warrants.characters or judge == site.seat:
        return False
    card = site.card
    if card in state.places[judge].districts:
        return False
    state.faces[site.slot] = card.id
    state.emit("summoned", site.seat, card.id, site.slot, (site.gold, judge))
    labels = (card.id, str(site.gold), str(site.seat))
    state.stack.append(Frame("decide", "custody", judge, (site.slot,), labels))
    return True


def _site(state: State, frame: Frame) -> Site:
    card, gold, seat = frame.labels
    return Site(int(seat), frame.slots[0], state.tables.districts[card], int(gold))


class Custody(ShowMarker):
    """Show the signed warrant and take the district; its builder gets the gold back.

    It used one of the builder's buildings all the same, unless it would not have.
    """

    kind = "custody"
    verb = "confiscate"
    purpose = WARRANTS

    def wanted(self, state: State, frame: Frame) -> str:
        return state.in_turn().character

    def decline(self, state: State, frame: Frame) -> None:
        """The district goes its way."""
        building.finish(state, _site(state, frame))

    def accept(self, state: State, frame: Frame, move: Move) -> None:
        site, judge = _site(state, frame), frame.seat
        del state.hidden_markers[WARRANTS]
        state.in_turn().spent -= site.gold
        state.bank -= site.gold
        state.places[site.seat].gold += site.gold
        board.place(state, judge, site.slot, site.card)
        state.emit("confiscated", judge, site.seat, site.card.id, (site.slot, site.gold))
        building.settle(state, judge)

    def about(self, state: State, frame: Frame, move: Move) -> About:
        card, _, owner = frame.labels
        return (("card", card), ("owner", int(owner)))

    def concerns(self, state: State, frame: Frame) -> About:
        card, _, owner = frame.labels
        return (("seat", int(owner)), ("card", card))


CHARACTERS: Final[dict[str, CharacterEffect]] = {
    "assassin": CharacterEffect(acts=(Murder(),)),
    "witch": CharacterEffect(errand="bewitch"),
    "magistrate": CharacterEffect(acts=(Placing("magistrate", WARRANTS),), on_payment=_summon),
}
ASKS: Final[dict[str, Ask]] = {
    # having gathered she must name a character, and her turn pauses
    "bewitch": AskAct(Witchcraft(), "bewitch"),
    # three, one of them signed, on other characters, whether anybody holds them or not
    "warrants": Places(WARRANTS, 3),
    "sign": Sign(),
    "custody": Custody(),
}
