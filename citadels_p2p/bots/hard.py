"""The hard bot: looks ahead in worlds that it cannot tell from the true one.

Information set Monte Carlo tree search, single observer, with the opponents' answers imagined
by quick judgement (Cowling, Powley, Whitehouse, IEEE TCIAIG 4(2), 2012). Every iteration draws
a world, plays the seat's own decisions down the tree while its turn lasts, imagines the rest of
this round and the next, and judges who is likely to win.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import repeat
from math import exp, log, sqrt
from random import Random

from citadels_p2p.bots import reflex
from citadels_p2p.bots.normal import Normal
from citadels_p2p.bots.sight import Sight
from citadels_p2p.bots.worlds import Passed, Worlds, remember
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.rules import asks, flow
from citadels_p2p.rules.asks import ASKS
from citadels_p2p.rules.board import needed
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.scoring import score
from citadels_p2p.rules.state import Frame, State

#: seconds for one decision
SECONDS = 1.0

#: how eagerly options are tried that look worse; rewards lie between 0 and 1
EAGER = 0.35

#: rounds imagined beyond the present one
AHEAD = 1

#: of the reward of a finished match, the part that winning alone decides
WINNING = 0.8

#: the part of the time allowed in which thinking has to end, so that a pause of the machine's
#: does not carry it far beyond
PUNCTUAL = 0.97

#: the first iterations follow judgement alone, one for each of so many likely options
WIDTH = 12


class _Node:
    """What was tried at one decision of the seat's own: by option, visits and rewards."""

    __slots__ = ("arms", "visits")

    def __init__(self) -> None:
        self.arms: dict[str, _Arm] = {}
        self.visits = 0


class _Arm:
    __slots__ = ("next", "present", "reward", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.present = 0  #: how often it could have been tried
        self.reward = 0.0
        self.next: _Node | None = None


class Hard:
    """Thinks for up to `seconds`, or for so many `iterations` where they are given.

    Where there is no time for a single one it plays as the normal bot does. One bot plays one
    seat of one match: it remembers which characters it passed on. With `iterations` the same
    sight and chance give the same choice.
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
        self._passed: Passed | None = None

    def choose(self, sight: Sight, random: Random) -> tuple[str, ...]:
        """The ids of the options chosen."""
        deadline = self._clock() + PUNCTUAL * self._seconds
        self._passed = remember(sight) or self._passed
        choice = sight.choice
        if choice.low is not None:
            return Normal().choose(sight, random)
        if len(choice.moves) == 1:
            return (choice.moves[0].id,)
        worlds, root = Worlds(sight, self._passed), _Node()
        for _ in self._while_time_is_left(deadline):
            _iterate(sight, worlds, root, random)
        if not root.arms:
            return Normal().choose(sight, random)
        best = max(root.arms.items(), key=lambda pair: (pair[1].visits, pair[1].reward))
        return (best[0],)

    def _while_time_is_left(self, deadline: float) -> Iterator[None]:
        """Once for every iteration, as long as one more of the usual length ends in time."""
        if self._iterations is not None:
            yield from repeat(None, self._iterations)
            return
        began = now = self._clock()
        done = 0
        while now + (now - began) / max(done, 1) < deadline:
            yield
            now = self._clock()
            done += 1


def _iterate(sight: Sight, worlds: Worlds, root: _Node, random: Random) -> None:
    state, me = sight.state.copy(), sight.seat
    dealer = OpenDealer(random)
    dealer.faces = worlds.draw(random)
    last = state.round + AHEAD
    path: list[tuple[_Node, _Arm]] = []
    node: _Node | None = root
    while True:
        frame = dealer.advance(state)
        if frame.need == "over" or state.round > last:
            break
        if frame.seat != me:
            node = node if node is root else None
        if node is not None and not ASKS[frame.then].several and frame.seat == me:
            move, arm = _descend(node, state, frame, dealer, random)
            if arm is not None:
                path.append((node, arm))
                fresh = arm.visits == 0
                if arm.next is None:
                    arm.next = _Node()
                node = None if fresh else arm.next
        else:
            move, _ = reflex.choose(state, frame, dealer.faces, random)
        if ASKS[frame.then].invents and (hidden := asks.secret(state, move)) is not None:
            move = dealer.invent(hidden)
        flow.decided(state, move, dealer.faces)
    reward = _reward(state, me)
    for visited, arm in path:
        visited.visits += 1
        arm.visits += 1
        arm.reward += reward


def _descend(
    node: _Node, state: State, frame: Frame, dealer: OpenDealer, random: Random
) -> tuple[Move, _Arm | None]:
    """The option to try next: likely ones first, then by upper confidence bounds."""
    best, weighed = reflex.choose(state, frame, dealer.faces, random)
    if not weighed:
        return best, None
    arms = node.arms
    untried: list[tuple[float, str, Move]] = []
    chosen, bound = None, -1.0
    for weight, move in weighed:
        arm = arms.get(move.id)
        if arm is None:
            arm = arms[move.id] = _Arm()
        arm.present += 1
        if arm.visits == 0:
            untried.append((weight, move.id, move))
            continue
        upper = arm.reward / arm.visits + EAGER * sqrt(log(arm.present) / arm.visits)
        if upper > bound:
            chosen, bound = move, upper
    tried = len(weighed) - len(untried)
    if untried and (chosen is None or tried < WIDTH or node.visits > 12 * tried):
        chosen = max(untried)[2]
    assert chosen is not None
    return chosen, arms[chosen.id]


def _reward(state: State, me: int) -> float:
    """How likely the seat is to win from here, between 0 and 1."""
    seats = range(state.rules.seats)
    values = [reflex.standing(state, seat) for seat in seats]
    left = needed(state) - max(len(place.city) for place in state.places)
    spread = 2.5 + 0.8 * max(left, 0)
    top = max(values)
    weights = [exp((value - top) / spread) for value in values]
    share = weights[me] / sum(weights)
    if state.phase != "over":
        return share
    winners = score(state).winners
    won = 1.0 / len(winners) if me in winners else 0.0
    return WINNING * won + (1.0 - WINNING) * share
