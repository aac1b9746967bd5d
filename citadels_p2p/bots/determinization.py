"""Worlds that a seat cannot tell from the true one: every hidden card given a likely face.

Determinization, as in Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search
(IEEE TCIAIG 4(2), 2012). Districts are spread evenly over the hidden slots. Characters are
spread so that nothing contradicts what was called, shown or passed on: by the order in which
they were chosen and by whom, where that is known; else so that a seat more often holds what
suits it. What the seat saw of a hand lies in it.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

from citadels_p2p.bots.drafters import Drafters
from citadels_p2p.bots.judgement import characters_of, suspects
from citadels_p2p.bots.memory import Memory, Passed
from citadels_p2p.bots.observation import Observation
from citadels_p2p.rules.state import State

#: how many times a spread of characters is tried before one that contradicts a call is taken
TRIES: Final = 30


class Worlds:
    """The worlds consistent with an observation; what all of them share is found once."""

    def __init__(
        self, observation: Observation, memory: Memory, drafters: Drafters | None = None
    ) -> None:
        state, tables = observation.state, observation.state.tables
        self._known = {**observation.faces, **state.faces}
        known = self._known
        pack = range(len(tables.labels))
        cards = Counter(tables.labels)
        cards.subtract(known[slot] for slot in pack if slot in known)
        for glimpse in memory.glimpses:
            for slot, card in zip(sorted(glimpse.slots), glimpse.cards, strict=True):
                if slot not in known and cards[card]:
                    known[slot] = card
                    cards[card] -= 1
        self._districts = [slot for slot in pack if slot not in known]
        self._cards = sorted(cards.elements())
        self._markers = [
            (markers.slot, markers.characters)
            for markers in state.hidden_markers.values()
            if markers.slot not in known and markers.characters
        ]
        slots = characters_of(state)
        shown = {known[slot] for slot in slots if slot in known}
        self._left = [id for id in tables.roster if id not in shown]
        #: the hidden picks, each with the characters it may be and how likely each is
        self._picks = [
            (slot, weighed) for _, slot, weighed in suspects(state, known, memory.passed)
        ]
        held = {slot for slot, _ in self._picks}
        self._rest = [slot for slot in slots if slot not in known and slot not in held]
        self._chain = None
        if drafters is not None:
            may = {slot: {id for id, _ in weighed} for slot, weighed in self._picks}
            self._chain = drafters.chain(observation, known, may)
        self._nobody: list[Passed | None] = [None] * state.rules.seats

    def draw(self, random: Random) -> dict[int, str]:
        """One world: slot → face for every slot there is."""
        return self.remembered(random)[0]

    def remembered(self, random: Random) -> tuple[dict[int, str], list[Passed | None]]:
        """One world, and what each seat would remember in it of the characters it chose among,
        where that is to be said.
        """
        faces = dict(self._known)
        cards = self._cards[:]
        random.shuffle(cards)
        faces.update(zip(self._districts, cards, strict=False))
        for slot, characters in self._markers:
            faces[slot] = characters[int(random.random() * len(characters))]
        passed = self._nobody
        if self._chain is None:
            held = self._draw_picks(random)
        else:
            held, passed = self._chain.draw(random)
        faces.update(held)
        taken = set(held.values())
        rest = [id for id in self._left if id not in taken]
        random.shuffle(rest)
        faces.update(zip(self._rest, rest, strict=False))
        return faces, passed

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


def imagined(
    state: State,
    seat: int,
    faces: dict[int, str],
    random: Random,
    memory: Memory | None = None,
) -> dict[int, str]:
    """A face for every hidden card of which the seat knows none; no matter which, it can be so.

    `faces`: slot → card for what it knows; `memory`: what it has seen before.
    """
    world = dict(faces)
    if state.rules.drawn:
        world = Worlds(Observation(state, seat, faces), memory or Memory()).draw(random)
    lots = [slot for slot in state.lots if slot not in world]
    seen = Counter(world[slot] for slot in state.lots if slot in world)
    labels = sorted((Counter(state.lots.values()) - seen).elements())
    random.shuffle(labels)
    return world | dict(zip(lots, labels, strict=False))
