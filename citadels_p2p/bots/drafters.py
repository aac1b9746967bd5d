"""Whom one plays with: how each seat chooses its character, and so who may hold which.

A selection is a Markov chain: what a seat hands on depends on nothing but what it was handed.
So every way in which the characters can have been chosen gets its chance forwards and backwards
over the piles (Rabiner, Proc. IEEE 77(2), 1989), and none is walked by itself.

A seat chooses as quick judgement would, or as one that thinks; which of the two it does is
learnt from the characters that are shown. The model of the latter is a linear softmax over what
everybody sees, fitted to games of hard bots (`python -m benchmarks.drafts` makes it anew).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final, NamedTuple, TypeAlias

from citadels_p2p.bots.draft_weights import WEIGHTS
from citadels_p2p.bots.judgement import points, worth_being
from citadels_p2p.bots.memory import Passed, offered
from citadels_p2p.bots.observation import Observation
from citadels_p2p.rules.hooks import Faces
from citadels_p2p.rules.state import State

#: how surely quick judgement takes what it holds to be worth most, by gold
SHARP: Final = 6.0

#: the part of all choices that no model foretells
ASTRAY: Final = 0.02

#: no seat is ever quite known
SURE: Final = 0.98

#: stages of a selection in which something is chosen or goes out of sight
_TAKES: Final = frozenset({"down", "take", "put", "join"})
_SILENT: Final = frozenset({"up", "mix", "rest"})


class Liking(NamedTuple):
    """How likely a seat is to choose each character beside another: character → weight."""

    quick: dict[str, float]
    thinking: dict[str, float]


@dataclass(frozen=True, slots=True)
class Draft:
    """What a seat keeps of a round's selection: who began, what it was offered, one time after
    another, and what each seat likes, by what everybody saw then.
    """

    round: int
    first: int
    offers: tuple[frozenset[str], ...]
    likings: tuple[Liking, ...]


class Step(NamedTuple):
    """A way on from one pile to the next: which character goes, and how likely that is.

    `quick`: how likely it is that it was quick judgement that chose so.
    """

    chance: float
    pile: int
    first: int
    character: int
    quick: float


#: what lies in the pile, and what lay face down first, where the last seat may take it
_Piles: TypeAlias = tuple[int, int]


class Chain:
    """All ways in which a round's characters may have been chosen."""

    def __init__(self, state: State, slots: list[tuple[int, int]]) -> None:
        self._state = state
        #: by stage: seat and slot of a take; else -1
        self._slots = slots
        self.layers: list[dict[_Piles, list[Step]]] = []
        #: by stage and piles: how likely all that is known of later stages is
        self._later: list[dict[_Piles, float]] = []
        self._start: _Piles = 0, 0

    def close(self, start: _Piles, last: dict[_Piles, float]) -> bool:
        """Go back from the last piles; False where nothing agrees with what is known."""
        self._start = start
        later = last
        self._later = [later]
        for layer in reversed(self.layers):
            now: dict[_Piles, float] = {}
            for piles, steps in layer.items():
                total = 0.0
                for step in steps:
                    total += step.chance * later.get((step.pile, step.first), 0.0)
                if total > 0.0:
                    now[piles] = total
            later = now
            self._later.append(later)
        self._later.reverse()
        return start in later

    @property
    def likelihood(self) -> float:
        """How likely all that is known was, before it was known."""
        return self._later[0].get(self._start, 0.0)

    def quick(self) -> list[tuple[int, float]]:
        """Each take by its seat, and how likely it is that quick judgement chose."""
        found = []
        now = {self._start: 1.0}
        for number, layer in enumerate(self.layers):
            seat = self._slots[number][0]
            later = self._later[number + 1]
            then: dict[_Piles, float] = {}
            all_, quick = 0.0, 0.0
            for piles, share in now.items():
                for step in layer[piles]:
                    key = step.pile, step.first
                    part = share * step.chance * later.get(key, 0.0)
                    if part > 0.0:
                        then[key] = then.get(key, 0.0) + share * step.chance
                        all_ += part
                        quick += part * step.quick
            if seat >= 0 and all_ > 0.0:
                found.append((seat, quick / all_))
            now = then
        return found

    def draw(self, random: Random) -> tuple[dict[int, str], list[Passed | None]]:
        """One way: the characters by slot, and what each seat would remember of it."""
        state = self._state
        roster = state.tables.roster
        held: dict[int, str] = {}
        passed: list[Passed | None] = [None] * state.rules.seats
        out = set(state.aside[:1])
        piles = self._start
        for number, layer in enumerate(self.layers):
            later = self._later[number + 1]
            steps = layer[piles]
            if len(steps) > 1:
                chances = [
                    step.chance * later.get((step.pile, step.first), 0.0) for step in steps
                ]
                step = random.choices(steps, chances)[0]
            else:
                step = steps[0]
            seat, slot = self._slots[number]
            if seat >= 0:
                offered = frozenset(_named(piles[0], roster))
                passed[seat] = Passed(state.round, offered, frozenset(out))
                held[slot] = roster[step.character]
                out.add(slot)
            piles = step.pile, step.first
        return held, passed


class Drafters:
    """What one seat knows of how the others choose. It begins anew where it is lost."""

    def __init__(self) -> None:
        self._seat, self._n = -1, 0
        self.draft: Draft | None = None
        #: by seat: how likely it is to choose as quick judgement does
        self.quick: list[float] = []
        self._before: list[float] = []

    def note(self, observation: Observation) -> None:
        """Look at the table; to be done whenever the seat is asked for a choice."""
        state, seat = observation.state, observation.seat
        seats = state.rules.seats
        if seat != self._seat or state.n < self._n or len(self.quick) != seats:
            self.draft = None
            self.quick = [0.5] * seats
        self._seat, self._n = seat, state.n
        offer = offered(observation)
        if offer is None:
            return
        draft = self.draft
        if draft is None or draft.round != state.round:
            self._before = self.quick[:]
            likings = tuple(liking(state, other) for other in range(seats))
            self.draft = Draft(state.round, state.crown or 0, (offer,), likings)
        else:
            offers = (*draft.offers, offer)
            self.draft = Draft(draft.round, draft.first, offers, draft.likings)

    def chain(
        self, observation: Observation, known: Faces, may: dict[int, set[str]]
    ) -> Chain | None:
        """All ways in which this round's characters may have been chosen, by what is `known`
        and what each hidden slot `may` be; None where that is not to be said.

        What it tells of the other seats is kept.
        """
        state, draft = observation.state, self.draft
        if draft is None or draft.round != state.round:
            return None
        before = self._before
        chain = _Building(observation, draft, before, known, may).build()
        if chain is not None:
            odds = [share / (1.0 - share) for share in before]
            for seat, share in chain.quick():
                if seat != observation.seat:
                    odds[seat] *= share * (1.0 - before[seat]) / ((1.0 - share) * before[seat])
            self.quick = [min(max(one / (1.0 + one), 1.0 - SURE), SURE) for one in odds]
        return chain


class _Building:
    """Makes the chain of one round, stage by stage."""

    def __init__(
        self,
        observation: Observation,
        draft: Draft,
        quick: list[float],
        known: Faces,
        may: dict[int, set[str]],
    ) -> None:
        self._state, self._me = observation.state, observation.seat
        self._draft, self._quick = draft, quick
        self._known, self._may = known, may
        self._roster = self._state.tables.roster
        self._taken = [0] * self._state.rules.seats
        self._offers = [_mask(offer, self._roster) for offer in draft.offers]
        self._asked = 0

    def build(self) -> Chain | None:
        """The chain; None where the rules deal the characters, or nothing agrees."""
        state = self._state
        stages = list(state.tables.schedule)
        if any(stage not in _TAKES and stage not in _SILENT for stage, _ in stages):
            return None
        pending = state.phase == "selection"
        joins = any(stage == "join" for stage, _ in stages)
        done = stages[: state.cursor - 1] if pending else stages
        shown = state.faceup.values()
        start = _mask((id for id in self._roster if id not in shown), self._roster), 0
        slots: list[tuple[int, int]] = []
        chain = Chain(state, slots)
        here: set[_Piles] = {start}
        for stage, number in done:
            if stage in _SILENT:
                continue
            seat = (self._draft.first + number) % state.rules.seats
            slot = -1
            if stage == "take":
                picks, at = state.places[seat].picks, self._taken[seat]
                if at >= len(picks):
                    return None
                slot = picks[at]
                self._taken[seat] = at + 1
            slots.append((seat if stage == "take" else -1, slot))
            layer = {
                piles: steps
                for piles in here
                if (steps := self._steps(stage, seat, slot, piles, joins))
            }
            if stage in ("take", "put") and seat == self._me:
                self._asked += 1
            here = {(step.pile, step.first) for steps in layer.values() for step in steps}
            chain.layers.append(layer)
        if pending:
            if self._asked >= len(self._offers):
                return None
            here = {piles for piles in here if piles[0] == self._offers[self._asked]}
        return chain if chain.close(start, dict.fromkeys(here, 1.0)) else None

    def _steps(
        self, stage: str, seat: int, slot: int, piles: _Piles, joins: bool
    ) -> list[Step]:
        """The ways on from these piles."""
        pile, first = piles
        if stage == "join":
            return [Step(1.0, pile | first, 0, -1, 0.0)]
        mine = stage in ("take", "put") and seat == self._me
        if mine and (self._asked >= len(self._offers) or pile != self._offers[self._asked]):
            return []
        found = []
        each = 1.0 / max(pile.bit_count(), 1)
        weighs = stage == "take" and not mine
        likings = self._draft.likings[seat]
        share = self._quick[seat]
        quick_all = thinking_all = 0.0
        if weighs:
            for id in _named(pile, self._roster):
                quick_all += likings.quick[id]
                thinking_all += likings.thinking[id]
        for character, id in enumerate(self._roster):
            bit = 1 << character
            if not pile & bit or (stage == "take" and not self._fits(slot, id)):
                continue
            chance, quick = each, 0.0
            if weighs:
                quick = share * _likely(likings.quick[id], quick_all, each)
                chance = quick + (1.0 - share) * _likely(
                    likings.thinking[id], thinking_all, each
                )
                quick /= chance
            keeps = bit if joins and stage == "down" else first
            found.append(Step(chance, pile & ~bit, keeps, character, quick))
        return found

    def _fits(self, slot: int, id: str) -> bool:
        known = self._known.get(slot)
        if known is not None:
            return known == id
        may = self._may.get(slot)
        return may is None or id in may


def _likely(weight: float, total: float, each: float) -> float:
    return (1.0 - ASTRAY) * weight / total + ASTRAY * each


def _mask(ids: Iterable[str], roster: tuple[str, ...]) -> int:
    held = set(ids)
    return sum(1 << number for number, id in enumerate(roster) if id in held)


def _named(mask: int, roster: tuple[str, ...]) -> list[str]:
    return [id for number, id in enumerate(roster) if mask >> number & 1]


def liking(state: State, seat: int) -> Liking:
    """What a seat is likely to choose now, by what everybody sees."""
    roster = state.tables.roster
    quick = {id: exp(SHARP * worth_being(state, seat, id)) for id in roster}
    seen = situation(state, seat)
    roles = state.tables.roles
    quarters = state.places[seat].quarters
    thinking = {}
    for id in roster:
        total = 0.0
        if (weights := WEIGHTS.get(id)) is not None:
            quarter = roles[id].income
            total = weights[0] * (quarters[quarter] if quarter >= 0 else 0)
            for weight, value in zip(weights[1:], seen, strict=True):
                total += weight * value
        thinking[id] = exp(total)
    return Liking(quick, thinking)


def situation(state: State, seat: int) -> list[float]:
    """What decides how a seat chooses, beside the districts that would pay it: 14 numbers."""
    place = state.places[seat]
    most = gold = hand = 0
    best = -99
    for other, them in enumerate(state.places):
        if other != seat:
            most = max(most, len(them.city))
            gold = max(gold, them.gold)
            hand = max(hand, len(them.hand))
            best = max(best, points(state, other))
    size, cards = len(place.city), len(place.hand)
    return [
        1.0,
        float(place.gold),
        1.0 if place.gold >= 4 else 0.0,
        float(cards),
        float(min(cards, 2)),
        float(size),
        1.0 if size >= 5 else 0.0,
        1.0 if size >= 6 else 0.0,
        1.0 if most >= 5 else 0.0,
        1.0 if most >= 6 else 0.0,
        float(min(gold, 10)),
        float(min(hand, 8)),
        1.0 if state.crown == seat else 0.0,
        (points(state, seat) - best) / 5.0,
    ]
