"""Random games of every edition, told by fingerprints of all that they come through.

A program: `python games.py COUNT` plays so many games of each edition. What it prints but for
the first line must be the same however the engine was made.
"""

from __future__ import annotations

import pickle
import sys
from copy import deepcopy
from hashlib import sha256
from random import Random

from citadels_p2p import Game, compiled
from citadels_p2p.arena import play, simulate, simulate_any
from citadels_p2p.bots import Bot, make_bot
from citadels_p2p.bots.hard import Hard
from citadels_p2p.bots.observation import Observation
from citadels_p2p.cards import EDITIONS
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.dice import Dice
from citadels_p2p.inspection import Inspector
from citadels_p2p.notation import read_record, resumed
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules import (
    Decide,
    Decided,
    Move,
    Over,
    Rules,
    apply,
    choice,
    decision,
    digest,
    menu,
    need,
    new,
    refuse,
    reveals,
    score,
    secret,
    view,
)


def told(rules: Rules, random: Random) -> str:
    """A game at random: every state, event, view, menu and refusal, in one fingerprint."""
    state, dealer, easy = new(rules), OpenDealer(random), make_bot("easy")
    everything = sha256()
    while not isinstance(asked := need(state), Over):
        if isinstance(asked, Decide):
            seat, faces = asked.seat, dealer.knowledge(state, asked.seat)
            seen = view(state, seat, faces), choice(state, faces), menu(state, faces)
            everything.update(repr(seen).encode())
            move = decision(state, easy.choose(Observation(state, seat, faces), random))
            assert isinstance(move, Move)
            shown = tuple((slot, faces[slot]) for slot in reveals(state, move))
            if (hidden := secret(state, move)) is not None:
                move = dealer.invent(hidden)
            fact = Decided(seat, move, shown)
            assert refuse(state, fact) is None
            events = apply(state, fact)
        else:
            events = apply(state, dealer.answer(state, asked))
        everything.update(digest(state) + repr(events).encode())
        assert state.copy() == state
    everything.update(repr(score(state)).encode())
    return f"{state.n} {everything.hexdigest()}"


def faced(rules: Rules, random: Random) -> str:
    """A game by its face, with a copy taken on the way; positions and record as text."""
    game = Game(rules, seed=str(random.random()))
    twin, position, pickled = None, "", b""
    while not game.over:
        if len(game.log) > 40 and twin is None:
            twin = game.copy()
            position = game.position(open=True)
            assert Game.at(position, seed=1).state == game.state
            state = deepcopy(game.state)
            assert (state, state.log) == (game.state, game.log)
            pickled = pickle.dumps(game)
        game.play(*make_bot("easy").choose(game.observation, game.random))
    assert twin is not None
    for other in (twin, pickle.loads(pickled)):
        while not other.over:
            other.play(*make_bot("easy").choose(other.observation, other.random))
        assert (other.state, other.log, other.moves) == (game.state, game.log, game.moves)
    record = game.record()
    assert resumed(read_record(record)).state == game.state
    said = f"{game.log!r} {position} {record}"
    return f"{game!r} {sha256(said.encode()).hexdigest()}"


def thoughtful(level: str) -> Bot:
    """A bot of the level; one that thinks does so for a count, not for a time."""
    return Hard(iterations=25) if level == "hard" else make_bot(level)


def contest(rules: Rules, random: Random) -> str:
    """A game between bots of all levels."""
    levels = [("hard", "normal", "easy")[seat % 3] for seat in range(rules.seats)]
    state = play(new(rules), OpenDealer(random), levels, make=thoughtful)
    return f"{state.n} {digest(state).hex()}"


def inspected(rules: Rules, random: Random) -> str:
    """A game whose every step is examined: copies, replays, ids, refusals, secrets."""
    dealer = OpenDealer(random)
    inspector = Inspector(dealer, every=31)
    state = play(new(rules), dealer, ("easy",) * rules.seats, inspector)
    return f"{inspector.steps} {digest(state).hex()}"


def main(count: int) -> None:
    """Print how the engine was made, and a line for each game."""
    print("compiled" if compiled() else "interpreted")
    for edition in EDITIONS:
        for game in range(count):
            for tell in (told, faced, contest, inspected) if game < 2 else (told,):
                random = Dice(f"{edition}/{game}")
                rules = draw_rules(random, (edition,))
                print(edition, game, tell.__name__, tell(rules, random))
    rules = Rules.make("2016", seats=5)
    assert pickle.loads(pickle.dumps(rules)) == rules
    for result in simulate(rules, 4, jobs=2):
        print("in two processes", result.digest.hex())
    for drawn, result in simulate_any(4, jobs=2):
        print("in two processes", drawn.to_options(), result.digest.hex())


if __name__ == "__main__":
    main(int(sys.argv[1]))
