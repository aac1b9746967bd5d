"""The hard bot: looks ahead in worlds that it cannot tell from the true one.

Information set Monte Carlo tree search, single observer, with the opponents' answers imagined
by quick judgement (Cowling, Powley, Whitehouse, IEEE TCIAIG 4(2), 2012). Every iteration plays
one of the options in a world, the seat's further decisions down the tree while its turn lasts,
imagines the rest of the round, and judges who is likely to win. Where several things are
chosen at once, the likely sets of them are the options. Those whom it imagines remember which
characters they passed on, and choose theirs as it has come to know them (drafters.py).

Each option is tried in the same worlds in the same order, with the same chance in them: so what
tells options apart is not that one of them met with better luck.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from math import log, sqrt
from random import Random
from typing import Final, TypeAlias

from citadels_p2p.bots import rollout_policy
from citadels_p2p.bots.determinization import Worlds
from citadels_p2p.bots.drafters import Drafters
from citadels_p2p.bots.judgement import points, softmax
from citadels_p2p.bots.memory import Memory, Passed
from citadels_p2p.bots.observation import Observation
from citadels_p2p.bots.prospects import prospects
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.dice import Dice
from citadels_p2p.rules import asks, flow
from citadels_p2p.rules.asks import ASKS
from citadels_p2p.rules.hooks import Faces
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.scoring import score
from citadels_p2p.rules.state import Frame, State

#: seconds for one decision
SECONDS: Final = 1.0

#: how eagerly options are tried that look worse; rewards lie between 0 and 1
EAGER: Final = 0.2

#: rounds imagined beyond the present one: one more would cost as much as it would blur
AHEAD: Final = 0

#: of the reward of a finished match, the part that winning alone decides
WINNING: Final = 0.8

#: as how many visits judgement counts, and how much reward a gold's worth of it promises
TRUST: Final = 1.0
GOLD: Final = 0.03

#: what judgement says beyond so much gold is a matter of order, not of worth
REACH: Final = 6.0

#: worlds that are the same for all options; whoever is tried more often gets others
KEPT: Final = 300

#: iterations from one look at whether the choice is made already to the next
PAUSE: Final = 8

#: iterations, where nothing tells yet how long one takes
MANY: Final = 1_000_000

#: the part of the time allowed in which thinking has to end, so that a pause of the machine's
#: does not carry it far beyond
PUNCTUAL: Final = 0.97


class _Arm:
    """What was tried of one option: visits and rewards, and what came next."""

    __slots__ = ("next", "present", "promise", "reward", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.present = 0  #: how often it could have been tried
        self.reward = 0.0
        self.promise = 0.0  #: what judgement promises, less than what it does of the best
        self.next: _Node = {}


#: one decision of the seat's own: its options by id
_Node: TypeAlias = dict[str, "_Arm"]


class Hard:
    """Thinks for up to `seconds`, or for so many `iterations` where they are given.

    It stops where more thinking could not change its mind. Where there is no time for a single
    iteration it plays as the normal bot does. One bot plays one seat of one match: it remembers
    what it was shown. With `iterations` the same observation and chance give the same choice.
    """

    def __init__(
        self,
        seconds: float = SECONDS,
        iterations: int | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._seconds = seconds
        self._iterations = iterations
        self._clock = clock
        self.memory = Memory()
        self.drafters = Drafters()

    def choose(self, observation: Observation, random: Random) -> tuple[str, ...]:
        quick, search = self._searched(observation, random)
        return search.best().picks if search is not None and search.visits else quick.picks

    def weigh(self, observation: Observation, random: Random) -> list[tuple[Move, float]]:
        """What it would choose, and the next best, each with how likely it then holds itself to
        win, as a part of one; () where there is but one answer.
        """
        _, search = self._searched(observation, random)
        return [] if search is None else search.ranked()

    def note(self, observation: Observation) -> None:
        """Look at the table before a choice that somebody else makes for the seat."""
        self.memory.note(observation)
        self.drafters.note(observation)

    def _searched(
        self, observation: Observation, random: Random
    ) -> tuple[Move, _Search | None]:
        """What quick judgement would choose; where there is a choice, the options tried."""
        deadline = self._clock() + PUNCTUAL * self._seconds
        memory, state = self.memory, observation.state
        self.note(observation)
        quick, weighed = rollout_policy.choose(
            state, state.stack[-1], observation.faces, random, passed=memory.passed
        )
        if len(weighed) < 2:
            return quick, None
        search = _Search(observation, memory, self.drafters, weighed, random)
        for left in self._left(deadline):
            if search.visits % PAUSE == 0 and search.is_decided(left):
                break
            search.iterate()
        return quick, search

    def _left(self, deadline: float) -> Iterator[int]:
        """How many iterations are left, as long as one of the usual length ends in time."""
        if self._iterations is not None:
            yield from range(self._iterations, 0, -1)
            return
        began = now = self._clock()
        done = 0
        while now + (usual := (now - began) / max(done, 1)) < deadline:
            yield int((deadline - now) / usual) + 1 if usual else MANY
            now = self._clock()
            done += 1


class _Search:
    """The tree below one decision, and the worlds that it is tried in."""

    def __init__(
        self,
        observation: Observation,
        memory: Memory,
        drafters: Drafters,
        weighed: list[tuple[float, Move]],
        random: Random,
    ) -> None:
        self._observation = observation
        self._random = random
        self._worlds = Worlds(observation, memory, drafters)
        self._own = memory.passed
        self._draft, self._quick = drafters.draft, drafters.quick
        self._drawn: list[tuple[dict[int, str], int, list[Passed | None]]] = []
        self._weighed = weighed
        self._root: _Node = {}
        self.visits = 0

    def best(self) -> Move:
        """The option that was tried most."""
        return self._ranked()[0][1]

    def ranked(self) -> list[tuple[Move, float]]:
        """The options that were tried, the best first, each with its mean reward."""
        return [(move, arm.reward / arm.visits) for arm, move in self._ranked() if arm.visits]

    def _ranked(self) -> list[tuple[_Arm, Move]]:
        root = self._root
        arms = [(root[move.id], move) for _, move in self._weighed]
        return sorted(arms, key=lambda pair: (-pair[0].visits, -pair[0].reward))

    def is_decided(self, left: int) -> bool:
        """Can so many more iterations not make another option the one tried most?"""
        tried = sorted(arm.visits for arm in self._root.values())
        return len(tried) > 1 and tried[-1] - tried[-2] > left

    def iterate(self) -> None:
        """Try one option in its next world."""
        self.visits += 1
        move, arm = _promising(self._root, self._weighed)
        faces, seed, remembered = self._world(arm.visits)
        passed = remembered[:]
        state, me = self._observation.state.copy(), self._observation.seat
        dealer = OpenDealer(Dice(seed))
        dealer.faces = faces.copy()
        passed[me] = self._own
        now = state.round
        last = now + AHEAD
        path = [arm]
        node: _Node | None = arm.next if arm.visits else None
        frame = state.stack[-1]
        while True:
            if ASKS[frame.then].invents and (hidden := asks.secret(state, move)) is not None:
                move = dealer.invent(hidden)
            flow.decided(state, move, dealer.faces)
            frame = dealer.advance(state)
            if frame.need == "over" or state.round > last:
                break
            if frame.seat != me:
                node = None
            choosing = frame.then == "character" and state.round == now
            if choosing:
                passed[frame.seat] = _passed_on(state, dealer.faces)
            weighed: list[tuple[float, Move]] = []
            if choosing and self._thinks(frame.seat, dealer.random):
                move = self._drafted(state, frame, dealer)
            else:
                move, weighed = rollout_policy.choose(
                    state, frame, dealer.faces, dealer.random, passed=passed[frame.seat]
                )
            if node is not None and weighed:
                move, arm = _promising(node, weighed)
                path.append(arm)
                node = arm.next if arm.visits else None
        reward = _reward(state, me, dealer.faces)
        for arm in path:
            arm.visits += 1
            arm.reward += reward

    def _thinks(self, seat: int, random: Random) -> bool:
        """Whether a seat chooses its character as one that thinks, this time."""
        draft, me = self._draft, self._observation.seat
        if draft is None or seat == me or draft.round != self._observation.state.round:
            return False
        return random.random() >= self._quick[seat]

    def _drafted(self, state: State, frame: Frame, dealer: OpenDealer) -> Move:
        """The character that one who thinks may choose, each as likely as it is liked."""
        assert self._draft is not None
        likes = self._draft.likings[frame.seat].thinking
        moves = ASKS[frame.then].options(state, frame, dealer.faces)
        chances = [likes[dealer.faces[move.slot]] for move in moves]
        return dealer.random.choices(moves, chances)[0]

    def _world(self, number: int) -> tuple[dict[int, str], int, list[Passed | None]]:
        """The faces of one of the worlds, the seed of all chance in it, and what is remembered
        there by each seat.
        """
        if number < len(self._drawn):
            return self._drawn[number]
        faces, passed = self._worlds.remembered(self._random)
        world = faces, self._random.getrandbits(32), passed
        if number < KEPT:
            self._drawn.append(world)
        return world


def _passed_on(state: State, faces: Faces) -> Passed:
    """What a seat will remember that chooses its character now."""
    others = [slot for place in state.places for slot in place.picks]
    return Passed(
        state.round,
        frozenset([faces[slot] for slot in state.pile]),
        frozenset([*others, *state.aside]),
    )


def _promising(node: _Node, weighed: list[tuple[float, Move]]) -> tuple[Move, _Arm]:
    """The option to try next, by upper confidence bounds.

    What judgement holds of an option counts as some visits, and the less the more it was tried.
    """
    present = []
    total = visits = 0.0
    top = max(weight for weight, _ in weighed)
    for weight, move in weighed:
        arm = node.get(move.id)
        if arm is None:
            arm = node[move.id] = _Arm()
            arm.promise = GOLD * max(weight - top, -REACH)
        arm.present += 1
        total += arm.reward
        visits += arm.visits
        present.append((arm, move))
    mean = total / visits if visits else 0.5
    best, bound = present[0], -9.0
    for pair in present:
        arm = pair[0]
        count = arm.visits + TRUST
        value = (arm.reward + TRUST * (mean + arm.promise)) / count
        upper = value + EAGER * sqrt(log(arm.present + 1) / count)
        if upper > bound:
            best, bound = pair, upper
    return best[1], best[0]


def _reward(state: State, me: int, faces: Faces) -> float:
    """How likely the seat is to win from here, between 0 and 1."""
    if state.phase != "over":
        return prospects(state, faces)[me]
    winners = score(state).winners
    won = 1.0 / len(winners) if me in winners else 0.0
    totals = [float(points(state, seat)) for seat in range(state.rules.seats)]
    return WINNING * won + (1.0 - WINNING) * softmax(totals, 3.0)[me]
