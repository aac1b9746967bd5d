"""Citadels for libraries of learning: their own tests, and secrets kept."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import warnings
from pathlib import Path
from random import Random
from typing import Any

import pytest

from citadels_p2p import Game
from citadels_p2p.cards import EDITIONS
from citadels_p2p.environments.sight import length, names, sight
from citadels_p2p.environments.speech import WORDS, Speech
from citadels_p2p.rosters import draw_rules
from tests.optional import optional
from tests.slice import and_long

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


def test_pettingzoo_finds_no_fault_where_all_step_together() -> None:
    """Turn by turn, as its wrapper has it; its seed test looks at no mask."""
    optional("pettingzoo")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.test import parallel_api_test, parallel_seed_test
        from pettingzoo.utils.conversions import turn_based_aec_to_parallel
        from pettingzoo.utils.wrappers import TerminateIllegalWrapper

        from citadels_p2p.environments.aec import CitadelsEnv

        def together() -> object:
            env = TerminateIllegalWrapper(CitadelsEnv("classic", 4), illegal_reward=-1)
            return turn_based_aec_to_parallel(env)

        parallel_api_test(turn_based_aec_to_parallel(CitadelsEnv("classic", 4)), num_cycles=150)
        parallel_seed_test(together, num_cycles=30)


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
    and_long(
        [{"players": 2}],
        [
            {"players": 5, "edition": "2016", "draw": True},
            {"players": 8, "edition": "dark-city"},
        ],
    ),
)
def test_open_spiel_finds_no_fault(chosen: dict[str, object]) -> None:
    pyspiel = optional("pyspiel", everywhere=sys.version_info < (3, 14))
    import citadels_p2p.environments.open_spiel  # noqa: F401

    game = pyspiel.load_game("python_citadels", chosen)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
    state, random, said = game.new_initial_state(), Random(1), 0
    twin = state.clone()
    while not state.is_terminal():
        act(state, random)
        if (said := said + 1) % 40 == 0:
            copied = state.clone()
            assert str(copied) == str(state)
            assert copied.legal_actions() == state.legal_actions()
            pickled = pickle.loads(pickle.dumps(state))
            assert str(pickled) == str(state)
            assert pickled.information_state_string(0) == state.information_state_string(0)
    assert sum(state.returns()) == pytest.approx(1)
    assert twin.history() == []
    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert str(again) == str(state)


def act(state: Any, random: Random) -> None:
    """A word at random, or a card by chance."""
    if state.is_chance_node():
        outcomes, likely = zip(*state.chance_outcomes(), strict=True)
        assert sum(likely) == pytest.approx(1)
        state.apply_action(random.choices(outcomes, likely)[0])
    else:
        state.apply_action(random.choice(state.legal_actions()))


def spiel(**chosen: object) -> Any:
    pyspiel = optional("pyspiel", everywhere=sys.version_info < (3, 14))
    import citadels_p2p.environments.open_spiel  # noqa: F401

    return pyspiel.load_game("python_citadels", chosen)


def test_open_spiels_own_simulation_finds_no_fault() -> None:
    game = spiel(players=3, edition="2016", draw=True)
    optional("absl")
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    GamesSimTest().sim_game(game)


@pytest.mark.parametrize("seed", range(3))
def test_a_state_made_anew_from_what_a_seat_knows_is_one_to_that_seat(seed: int) -> None:
    random = Random(f"infostate/{seed}")
    state = spiel(players=4, edition="2016", draw=bool(seed % 2)).new_initial_state()
    other, kept = 0, [""] * 4
    while not state.is_terminal():
        if not state.is_chance_node() and random.random() < 0.1:
            for seat in range(4):
                told = state.information_state_string(seat)
                recalled = told.partition(" | ")[0]
                assert recalled.startswith(kept[seat]), "a seat forgets nothing"
                kept[seat] = recalled
                assert told.endswith(state.observation_string(seat))
                world = state.resample_from_infostate(seat, random.random)
                assert world.information_state_string(seat) == told
                assert world.observation_tensor(seat) == state.observation_tensor(seat)
                assert world.current_player() == state.current_player()
                if seat == state.current_player():
                    assert world.legal_actions() == state.legal_actions()
                other += str(world) != str(state)
            while not world.is_terminal():
                act(world, random)
            assert sum(world.returns()) == pytest.approx(1)
        for _ in range(9):
            if not state.is_terminal():
                act(state, random)
    assert other


def test_information_set_search_plays_a_part_of_a_match() -> None:
    game = spiel(players=2)
    from open_spiel.python.algorithms import ismcts, mcts

    numbers = optional("numpy").random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, numbers)
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=evaluator,
        uct_c=1.4,
        max_simulations=3,
        max_world_samples=-1,
        random_state=numbers,
    )
    state, random, searched = game.new_initial_state(), Random(1), 0
    while searched < 8:
        if state.current_player() == 0:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            searched += 1
        else:
            act(state, random)


def test_every_number_of_a_sight_has_a_name() -> None:
    assert len({*names()}) == len(names()) == length()
    game = Game("2016", 4, seed=1)
    told = dict(zip(names(), sight(game, 3), strict=True))
    assert (told["seat 0 gold"], told["seats"], told["hand church"]) == (2, 4, 1)
    assert told["phase selection"] == told["ask character"] == told["seat 0 crown"] == 1


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
