"""Worlds that a seat cannot tell from the true one: every hidden card given a likely face.

Determinization, as in Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search
(IEEE TCIAIG 4(2), 2012). Districts are spread evenly over the hidden slots. Characters are
spread so that nothing contradicts what was called, shown or passed on, and so that a seat more
often holds what suits it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import exp
from random import Random

from citadels_p2p.bots.observation import Observation
from citadels_p2p.bots.rollout_policy import worth_being
from citadels_p2p.rules.state import State

#: how many times a spread of characters is tried before one that contradicts a call is taken
TRIES = 30


@dataclass(frozen=True, slots=True)
class Passed:
    """What a seat remembers of a round's choice of characters.

    It chose among `offered`; whoever had chosen before, and what lay face down, had `before`.
    """

    round: int
    offered: frozenset[str]
    before: frozenset[int]


def remember(observation: Observation) -> Passed | None:
    """What is worth remembering while characters are before the seat; else None."""
    state, frame = observation.state, observation.state.stack[-1]
    if state.phase != "selection" or frame.need != "decide" or not state.pile:
        return None
    if any(slot not in observation.faces for slot in state.pile):
        return None
    others = [slot for place in state.places for slot in place.picks]
    before = frozenset(
        slot for slot in (*others, *state.aside) if slot not in observation.faces
    )
    return Passed(
        state.round, frozenset(observation.faces[slot] for slot in state.pile), before
    )


def characters_of(state: State) -> list[int]:
    """Every slot where a character of this round lies."""
    picks = [slot for place in state.places for slot in place.picks]
    return [*picks, *state.pile, *state.aside, *state.faceup]


class Worlds:
    """The worlds consistent with an observation; what all of them share is found once."""

    def __init__(self, observation: Observation, passed: Passed | None) -> None:
        state, tables = observation.state, observation.state.tables
        self._known = {**observation.faces, **state.faces}
        known = self._known
        cards = Counter(tables.labels)
        self._districts: list[int] = []
        for slot in range(len(tables.labels)):
            if slot in known:
                cards[known[slot]] -= 1
            else:
                self._districts.append(slot)
        self._cards = sorted(cards.elements())
        self._markers = [
            (markers.slot, markers.characters)
            for markers in state.hidden_markers.values()
            if markers.slot not in known and markers.characters
        ]
        self._spread_characters(observation, passed)

    def _spread_characters(self, observation: Observation, passed: Passed | None) -> None:
        state, known = observation.state, self._known
        slots = characters_of(state)
        shown = {known[slot] for slot in slots if slot in known}
        left = [id for id in state.tables.roster if id not in shown]
        fits = passed if passed is not None and passed.round == state.round else None
        #: the hidden picks, each with the characters it may be and how likely each is
        self._picks: list[tuple[int, list[tuple[str, float]]]] = []
        late = {id for id, _ in state.tables.calls[state.called :]}
        for seat, place in enumerate(state.places):
            for slot in place.picks:
                if slot in known:
                    continue
                may = [
                    id
                    for id in left
                    if (state.phase != "turns" or id in late or id == state.silenced)
                    and (fits is None or (slot in fits.before) != (id in fits.offered))
                ]
                weighed = [(id, exp(worth_being(state, seat, id))) for id in may]
                self._picks.append((slot, weighed))
        held = {slot for slot, _ in self._picks}
        self._rest = [slot for slot in slots if slot not in known and slot not in held]
        self._left = left

    def draw(self, random: Random) -> dict[int, str]:
        """One world: slot → face for every slot there is."""
        faces = dict(self._known)
        cards = self._cards[:]
        random.shuffle(cards)
        faces.update(zip(self._districts, cards, strict=False))
        for slot, characters in self._markers:
            faces[slot] = characters[int(random.random() * len(characters))]
        held = self._draw_picks(random)
        faces.update(held)
        taken = set(held.values())
        rest = [id for id in self._left if id not in taken]
        random.shuffle(rest)
        faces.update(zip(self._rest, rest, strict=False))
        return faces

    def _draw_picks(self, random: Random) -> dict[int, str]:
        """Characters for the hidden picks; those with few possibilities first."""
        picks = self._picks
        for _ in range(TRIES):
            random.shuffle(picks)
            held: dict[int, str] = {}
            taken: set[str] = set()
            for slot, weighed in picks:
                open_ = [pair for pair in weighed if pair[0] not in taken]
                if not open_:
                    break
                ids, weights = zip(*open_, strict=True)
                id = random.choices(ids, weights)[0]
                held[slot] = id
                taken.add(id)
            else:
                return held
        free = self._left[:]
        random.shuffle(free)
        return dict(zip((slot for slot, _ in picks), free, strict=False))
