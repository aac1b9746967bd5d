"""Closed stays closed where the rules themselves show a card in one of two histories.

As in `test_closed`, honest programs are shown two histories. Operator 0 plays in both, 1 in the
one and 2 in the other; 2 is cut off where its cards are shown to somebody else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

import pytest

from citadels_p2p.bots import Observation, make_bot
from citadels_p2p.match.fold import owing
from citadels_p2p.match.fold.custody import Custody
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.rules import Rules, Zone
from tests.match.histories import Orders, branch, leaks, orders
from tests.match.test_closed import go_on
from tests.match.vacant_chairs import VacantChairs

__all__ = ["orders"]

EASY = make_bot("easy")
Patch = pytest.MonkeyPatch
Leak = tuple[int, ...]


class Robber:
    """Takes this character, and what it takes is seat 2's, while it `robs`."""

    def __init__(self, power: str, *verbs: str) -> None:
        self.power, self.verbs, self.robs = power, verbs, True

    def choose(self, sight: Observation, random: Random) -> tuple[str, ...]:
        moves = sight.choice.moves
        for move in moves:
            if move.slot >= 0 and sight.faces.get(move.slot) == self.power:
                return (move.id,)
            verb, _, whom = move.id.partition(":")
            if self.robs and verb in self.verbs and (whom == "2" or move.seat < 0):
                return (move.id,)
        picks = EASY.choose(sight, random)
        if self.robs or picks[0].partition(":")[0] not in self.verbs:
            return picks
        others = (one.id for one in moves if one.id.partition(":")[0] not in self.verbs)
        return (next(others, picks[0]),)


POWERS = {
    "magician": ("swap",),
    "wizard": ("peek", "pocket"),
    "emperor": ("crown", "tribute_card"),
}


def robbed(power: str, seed: int, orders: Orders) -> list[Leak]:
    """The host's turn begins. Here it takes from 2, who is missed in the same moment; there it
    does not, and 2 plays on with its hand.
    """
    robber = Robber(power, *POWERS[power])
    chosen = Rules.make("2016", seats=3, city=6, characters=[power])
    chairs = VacantChairs(chosen, [robber, EASY, EASY], seed=seed)
    match = chairs.witness.match

    def is_due() -> bool:
        state, turn = match.state, match.state.turn
        may = bool(state.places[2].hand) and state.crown != 2 and match.at_rest
        return may and turn is not None and (turn.seat, turn.character) == (0, power)

    chairs.until(is_due)
    here, there = (branch(chairs, pair, seed) for pair in ((0, 1), (0, 2)))
    hand = set(match.state.places[2].hand)
    here.until(lambda: not hand <= set(here.witness.match.state.places[2].hand))
    go_on(here, 1)
    robber.robs = False
    go_on(there, 1)
    return [found[:2] for found in leaks([here, there], orders, {0})]


def hands_as_they_lie(monkeypatch: Patch) -> None:
    """A left out for what was bound to somebody who is gone."""
    asked = Custody.unmasked

    def unmasked(self: Custody, slot: int, absent: int, operators: Iterable[int]) -> list[int]:
        bound = slot in self._reader or slot in self._kept
        return [] if bound else asked(self, slot, absent, operators)

    monkeypatch.setattr(Custody, "unmasked", unmasked)


@pytest.mark.parametrize(("power", "seed"), [("magician", 1), ("wizard", 1), ("emperor", 6)])
def test_a_power_over_the_hand_of_who_is_then_cut_off_shows_nothing_of_it(
    power: str, seed: int, orders: Orders, monkeypatch: Patch
) -> None:
    """What is taken is mixed with the stock before anybody stands in for 2."""
    assert robbed(power, seed, orders) == []
    hands_as_they_lie(monkeypatch)
    assert robbed(power, seed, orders)


class Drawer:
    """Draws and builds nothing: in the end the deck is what all have put back.

    While it `waits` it takes gold.
    """

    waits = False

    def choose(self, sight: Observation, random: Random) -> tuple[str, ...]:
        ids = {move.id for move in sight.choice.moves}
        for wish in ("gold",) if self.waits else ("cards", "draw"):
            if wish in ids:
                return (wish,)
        if "end" in ids:
            return ("end",)
        return EASY.choose(sight, random)


def drawn_again(seed: int, orders: Orders) -> list[Leak]:
    """Here the host draws what somebody has put back under the deck, there 2 does."""
    host = Drawer()
    chairs = VacantChairs(
        Rules.make("classic", seats=3, city=6), [host, Drawer(), Drawer()], seed=seed
    )
    match = chairs.witness.match
    chairs.until(lambda: match.stage == "play")
    never_seen = set(match.state.deck)

    def is_due() -> bool:
        never_seen.intersection_update(match.state.deck)
        turn = match.state.turn
        at_turn = match.at_rest and turn is not None and turn.seat == 0 and not turn.gathered
        return at_turn and not never_seen and 2 in map(put_back_by, match.state.deck[-2:])

    def put_back_by(slot: int) -> int:
        masked = match.custody.masks._newest[slot]
        return masked.index(max(masked))

    chairs.until(is_due)
    here, there = (branch(chairs, pair, seed) for pair in ((0, 1), (0, 2)))

    def looks(chairs: VacantChairs, seat: int) -> set[int]:
        """What it has drawn and may look at, before it keeps any of it."""
        match = chairs.witness.match
        drawn = {slot for slot, zone in match.zones.items() if zone == Zone("drawn", seat)}
        return drawn if match.at_rest else set()

    host.waits = False
    here.until(lambda: bool(looks(here, 0)))
    host.waits = True
    there.until(lambda: bool(looks(there, 2)))
    assert looks(here, 0) == looks(there, 2)
    return [found[:2] for found in leaks([here, there], orders, {0})]


def put_back_is_masked(monkeypatch: Patch) -> None:
    """C left out for one card: what its reader masked as it put it back counts as masked."""
    asked, mixed, alone = Custody.unmasked, Custody.mixed, set[tuple[int, int]]()

    def note(self: Custody, operator: int, duty: Duty, zones: Mapping[int, Zone]) -> None:
        mixed(self, operator, duty, zones)
        by_one = {(id(self), slot) for slot in duty.slots}
        alone.difference_update(by_one)
        if duty.seat >= 0:
            alone.update(by_one)

    def unmasked(self: Custody, slot: int, absent: int, operators: Iterable[int]) -> list[int]:
        return [] if (id(self), slot) in alone else asked(self, slot, absent, operators)

    monkeypatch.setattr(Custody, "mixed", note)
    monkeypatch.setattr(Custody, "unmasked", unmasked)


def test_what_was_put_back_under_the_deck_is_masked_before_it_is_drawn_again(
    orders: Orders, monkeypatch: Patch
) -> None:
    """One alone has masked it, as it went back: that tells nothing of who is gone since."""
    assert drawn_again(0, orders) == []
    put_back_is_masked(monkeypatch)
    assert drawn_again(0, orders)


def called(seed: int, orders: Orders) -> list[Leak]:
    """Characters are chosen. Here 2 is gone at its call, while 1 goes and comes back; there it
    waits for its call.
    """
    chairs = VacantChairs(Rules.make("classic", seats=3, city=6), [EASY] * 3, seed=seed)
    match = chairs.witness.match
    chairs.until(lambda: match.at_rest and match.state.turn is not None)
    assert 2 in match.hidden_picks().values()
    here, there = (branch(chairs, pair, seed) for pair in ((0, 1), (0, 2)))
    here.until(lambda: 2 in here.witness.match.absence.gone)
    here.vanish(1)
    here.pass_time(3.0)
    here.come_back(1, restarted=True)
    go_on(here, 1)
    return [found[:2] for found in leaks([here, there], orders, {0})]


def shown_at_the_end(monkeypatch: Patch) -> None:
    """G left out: what somebody who is gone has chosen is shown at the round's end."""
    monkeypatch.setattr(owing, "shown", lambda _, slots: list(slots))


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_is_said_here_of_who_waits_there_for_its_call(
    seed: int, orders: Orders, monkeypatch: Patch
) -> None:
    """Nobody blinds or opens its character for it, before or after somebody has come back."""
    assert called(seed, orders) == []
    shown_at_the_end(monkeypatch)
    assert called(seed, orders)
