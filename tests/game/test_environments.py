"""Citadels for libraries of learning: their own tests, and secrets kept."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from random import Random

import pytest

from citadels_p2p import Game
from citadels_p2p.cards import EDITIONS
from citadels_p2p.environments.sight import length, sight
from citadels_p2p.environments.speech import WORDS, Speech
from citadels_p2p.rosters import draw_rules
from tests.optional import optional

ROOT = Path(__file__).parents[2]
ANYTHING = {"characters": ["random"], "uniques": ["random"]}
BOXES = [
    (edition, seats)
    for edition in ("classic", "2016", "dark-city")
    for seats in range(EDITIONS[edition].seats[0], EDITIONS[edition].seats[1] + 1)
]


@pytest.mark.parametrize("seed", range(16))
def test_any_game_can_be_said_to_its_end(seed: int) -> None:
    random = Random(f"speech/{seed}")
    game = Game(draw_rules(random), seed=seed)
    speech = Speech(game)
    while actions := speech.actions():
        assert len(sight(game, game.frame.seat, speech.chosen())) == length()
        if (action := random.randrange(len(WORDS))) not in actions:
            with pytest.raises(ValueError, match="cannot be said"):
                speech.say(action)
        speech.say(random.choice(actions))
    assert game.over


def test_every_option_can_be_said() -> None:
    """Whatever is offered has words that lead to it, or to its like."""
    random = Random("all")
    game = Game("2016", 5, seed=2, **ANYTHING)  # type: ignore[arg-type]
    while (question := game.question) is not None:
        if question.low is None:
            chosen = [[move] for move in question.moves]
        else:
            chosen = [random.sample(question.moves, question.low)]
        for moves in chosen:
            twin, told = game.copy(), len(game.moves)
            speech = Speech(twin)
            for word in speech.words([move.id for move in moves]):
                assert len(twin.moves) == told
                speech.say(word)
            assert len(twin.moves) == told + 1
            said = twin.moves[told][1]
            assert question.low is not None or said.verb == moves[0].verb
        game.play(*random.choice(chosen))


@pytest.mark.parametrize("seed", range(6))
def test_a_sight_holds_nothing_that_is_hidden(seed: int) -> None:
    random = Random(f"sight/{seed}")
    game = Game(draw_rules(random, ("2016", "dark-city")), seed=seed)
    speech = Speech(game)
    for _ in range(150):
        if game.over:
            break
        for seat in range(game.rules.seats):
            truth = game.dealer.faces
            knows = game.dealer.knowledge(game.state, seat)
            hidden = [slot for slot in truth if slot not in knows | game.state.faces]
            cards = [truth[slot] for slot in hidden]
            before = sight(game, seat)
            random.shuffle(cards)
            game.dealer.faces = truth | dict(zip(hidden, cards, strict=True))
            assert sight(game, seat) == before
            game.dealer.faces = truth
        speech.say(random.choice(speech.actions()))


@pytest.mark.parametrize(("edition", "seats"), BOXES)
def test_pettingzoo_finds_no_fault(edition: str, seats: int) -> None:
    optional("pettingzoo")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.test import api_test, seed_test

        from citadels_p2p.environments.aec import CitadelsEnv

    options = ANYTHING if edition == "2016" else {}
    with warnings.catch_warnings():
        # it wants a bare array, and has a list of the environments that give a mask with it
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        api_test(CitadelsEnv(edition, seats, **options), num_cycles=300)
        if seats == 4:
            seed_test(lambda: CitadelsEnv(edition, seats, **options), num_cycles=60)


def test_the_winner_is_rewarded() -> None:
    optional("pettingzoo")
    from citadels_p2p.environments.aec import CitadelsEnv

    env = CitadelsEnv("classic", 3, render_mode="ansi")
    env.reset(seed=4)
    random, earned = Random(1), {}
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        earned[agent] = reward
        legal = [*seen["action_mask"].nonzero()[0]]
        env.step(None if over else random.choice(legal))
    assert sum(earned.values()) == pytest.approx(1)
    assert {f"seat_{seat}" for seat in env.game.scores.winners} == {
        agent for agent, reward in earned.items() if reward
    }
    assert "over" in env.render()
    env.reset(seed=4)
    with pytest.raises(ValueError, match="cannot be said"):
        env.step(0)


@pytest.mark.parametrize(
    "chosen",
    [
        {"players": 2},
        {"players": 5, "edition": "2016", "draw": True},
        {"players": 8, "edition": "dark-city"},
    ],
)
def test_open_spiel_finds_no_fault(chosen: dict[str, object]) -> None:
    pyspiel = optional("pyspiel", everywhere=sys.version_info < (3, 14))
    import citadels_p2p.environments.open_spiel  # noqa: F401

    game = pyspiel.load_game("python_citadels", chosen)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
    state = game.new_initial_state()
    state.apply_action(7)
    twin = state.clone()
    random, said = Random(1), 0
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
        if (said := said + 1) % 40 == 0:
            copied = state.clone()
            assert str(copied) == str(state)
            assert copied.legal_actions() == state.legal_actions()
    assert sum(state.returns()) == pytest.approx(1)
    assert str(twin) != str(state)
    assert twin.history_str() == "7"


def test_the_worked_example(capsys: pytest.CaptureFixture[str]) -> None:
    optional("pettingzoo")
    example = ROOT / "examples" / "random_against_normal.py"
    assert len(example.read_text(encoding="utf-8").splitlines()) < 40
    ran = subprocess.run(
        [sys.executable, str(example), "6"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.fullmatch(r"normal wins [\d.]+ of 6\n", ran.stdout)
