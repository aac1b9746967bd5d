"""The face of the engine: a whole match in one process, for whoever writes programs."""

from __future__ import annotations

import doctest
import pickle
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest

import citadels_p2p.game
from citadels_p2p import Game
from citadels_p2p.bots import make_bot
from citadels_p2p.game import Refused
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules import Reason, Rules, State, digest

ROOT = Path(__file__).parent.parent.parent


def play_on(game: Game) -> Game:
    easy = make_bot("easy")
    while not game.over:
        game.play(*easy.choose(game.observation, game.random))
    return game


@pytest.mark.parametrize("page", ["README.md", "docs/library.md"])
def test_what_the_pages_play(page: str) -> None:
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
    assert (failed, tried > 3) == (0, True)


def test_what_the_module_says() -> None:
    assert doctest.testmod(citadels_p2p.game).failed == 0


def test_the_package_imports_nothing_before_it_is_asked() -> None:
    program = (
        "import sys, citadels_p2p; assert 'citadels_p2p.rules' not in sys.modules;"
        "citadels_p2p.Game; assert 'citadels_p2p.rules' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT)
    with pytest.raises(AttributeError, match="no attribute 'Match'"):
        citadels_p2p.Match  # type: ignore[attr-defined]  # noqa: B018


def test_the_same_seed_deals_the_same() -> None:
    one, same, other = (play_on(Game("2016", 5, seed=seed)) for seed in (4, 4, 5))
    assert one.log == same.log
    assert digest(one.state) == digest(same.state) != digest(other.state)
    assert Game(seed=None).view(0) != Game(seed=None).view(0)


@pytest.mark.parametrize("seed", range(12))
def test_a_game_tells_what_its_seats_may_know(seed: int) -> None:
    game = Game(draw_rules(Random(f"face/{seed}")), seed=seed)
    easy = make_bot("easy")
    while not game.over:
        assert game.question is not None
        assert game.question.seat == game.seat
        assert game.options == game.question.moves == game.observation.choice.moves
        assert game.view(game.seat) == game.observation.view
        assert game.view().you is None
        before = len(game.log)
        happened = game.play(*easy.choose(game.observation, game.random))
        assert tuple(game.log[before:]) == happened
    assert (game.seat, game.question, game.options) == (None, None, ())
    assert game.log[-1].fields() == {"winners": game.scores.winners}
    assert [event.n for event in game.log] == [*range(1, game.state.n + 1)]
    assert game.refusal("end") == Reason("match_over")


def test_a_copy_goes_its_own_way_with_the_same_chance() -> None:
    game = Game("dark-city", 4, seed=2)
    for _ in range(15):
        game.play(*make_bot("normal").choose(game.observation, game.random))
    before, told = digest(game.state), len(game.log)
    twin = play_on(game.copy())
    assert (digest(game.state), len(game.log)) == (before, told)
    assert play_on(game).log == twin.log


def test_a_pickled_game_goes_on_as_it_would_have() -> None:
    game = Game("2016", 5, seed=4, characters=["random"], uniques=["random"])
    kept = [pickle.dumps(game)]
    while not game.over:
        game.play(*make_bot("easy").choose(game.observation, game.random))
        if len(game.moves) % 20 == 0:
            kept.append(pickle.dumps(game))
    assert len(kept) > 5
    for text in kept:
        twin: Game = pickle.loads(text)
        assert play_on(twin).log == game.log
        assert (twin.moves, twin.state, twin.record()) == (
            game.moves,
            game.state,
            game.record(),
        )


@pytest.mark.parametrize("again", [deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
def test_a_state_made_again_is_equal_and_independent(again: Callable[[State], State]) -> None:
    game = Game("dark-city", 3, seed=6)
    while game.state.turn is None:
        game.play(*make_bot("easy").choose(game.observation, game.random))
    state, twin = game.state, again(game.state)
    assert twin == state
    assert (twin.rules, twin.log) == (state.rules, state.log)
    assert twin.tables is state.tables
    for mine, own in zip(twin.places, state.places, strict=True):
        assert (mine.names, mine.uniques, mine.quarters) == (
            own.names,
            own.uniques,
            own.quarters,
        )
    before = digest(state)
    assert twin.turn is not None
    twin.turn.used.append("x")
    twin.places[0].hand.append(99)
    twin.emit("goes_on")
    assert (digest(state), len(game.log)) == (before, state.n)


@pytest.mark.parametrize("options", [(), ("end",), ("take:9",), ("take:75", "take:76"), ("x",)])
def test_what_is_not_possible_is_refused_and_changes_nothing(options: tuple[str, ...]) -> None:
    game = Game("classic", 4, seed=1)
    before = digest(game.state)
    with pytest.raises(Refused) as caught:
        game.play(*options)
    assert caught.value.reason == game.refusal(*options)
    assert str(caught.value).startswith(caught.value.reason.code)
    assert digest(game.state) == before


def test_a_reason_tells_its_values() -> None:
    assert str(Refused(Reason("too_few", (2,)))) == "too_few: low 2"


def test_a_secret_that_is_not_offered_is_refused() -> None:
    """Which marker is the true one is for nobody else to check, so it is checked here."""
    game = Game("2016", 4, seed=3, characters=["magistrate"])
    while game.question is not None and game.question.kind != "sign":
        picks = make_bot("easy").choose(game.observation, game.random)
        mark = [move.id for move in game.options if move.verb == "place_warrants"]
        game.play(*(mark[:1] or picks))
    (first, *_) = game.options
    marked = {move.character for move in game.options}
    outside = next(id for id in game.rules.characters if id not in marked)
    assert game.refusal(f"sign:{first.slot}:{outside}") == Reason("not_an_option")
    assert game.refusal(first) is None


def test_rules_may_be_given_whole() -> None:
    rules = Rules.make("dark-city", 6, draft="deal")
    assert Game(rules, seed=1).rules == rules
    assert Game("dark-city", 6, seed=1, draft="deal").rules == rules
    with pytest.raises(ValueError, match="unknown_edition"):
        Game("monopoly")
