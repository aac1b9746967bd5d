"""The face of the engine: a whole match in one process, for whoever writes programs."""

from __future__ import annotations

import doctest
import pickle
import runpy
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from importlib import metadata
from itertools import islice
from pathlib import Path
from random import Random
from textwrap import dedent
from types import ModuleType
from xml.etree import ElementTree

import pytest

import citadels_p2p.contest
import citadels_p2p.game
from citadels_p2p import Game
from citadels_p2p.bots import make_bot
from citadels_p2p.game import NAMED, Refused
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules import Reason, Rules, State, digest
from tests.game import api_page

ROOT = Path(__file__).parent.parent.parent
PROGRAMS = sorted((ROOT / "examples" / "library").glob("[a-z]*.py"))


def play_on(game: Game) -> Game:
    easy = make_bot("easy")
    while not game.over:
        game.play(*easy.choose(game.observation, game.random))
    return game


@pytest.mark.parametrize("page", ["README.md", "docs/library.md"])
def test_what_the_pages_play(page: str) -> None:
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
    assert (failed, tried > 3) == (0, True)


@pytest.mark.parametrize("module", [citadels_p2p.game, citadels_p2p.contest])
def test_what_the_docstrings_play(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert (failed, tried > 3) == (0, True)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_small_program_prints_what_it_says(
    program: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [str(program)])
    played = runpy.run_path(str(program), run_name="__main__")
    said = dedent(played["__doc__"].partition("Prints:\n\n")[2])
    assert capsys.readouterr().out == said != ""


def test_the_page_of_all_that_can_be_called_is_up_to_date() -> None:
    """`python -m tests.game.api_page > docs/api.md` makes it anew."""
    assert (ROOT / "docs" / "api.md").read_text("utf-8") == api_page.page()


def test_there_are_ten_of_them() -> None:
    assert len(PROGRAMS) == 10


def test_the_package_imports_nothing_before_it_is_asked() -> None:
    program = (
        "import sys, citadels_p2p; assert 'citadels_p2p.rules' not in sys.modules;"
        "citadels_p2p.Game; assert 'citadels_p2p.rules' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT)
    with pytest.raises(AttributeError, match="no attribute 'Match'"):
        citadels_p2p.Match  # type: ignore[attr-defined]  # noqa: B018
    try:
        installed = metadata.version("citadels-p2p")
    except metadata.PackageNotFoundError:  # it runs from its folder
        installed = "?"
    assert citadels_p2p.__version__ == installed


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
        assert (mine.districts, mine.uniques, mine.quarters) == (
            own.districts,
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


@pytest.mark.parametrize("seed", range(6))
def test_what_was_pushed_is_taken_back(seed: int) -> None:
    """Whatever was played since, and the same comes of it once more."""
    random = Random(f"push/{seed}")
    game = Game(draw_rules(random), seed=seed)
    while not game.over:
        if seed % 2:
            game.random.random()  # players who have a chance already
        before, lists = game.copy(), (game.log[:], game.moves[:])
        depth = random.randrange(1, 4)
        for _ in range(depth):
            if not game.over:
                game.push(*random.choice([*islice(game.answers(), 20)]))
                game.play_out(random, random.randrange(3))
        while game._pushed:
            game.pop()
        assert (game, game.log, game.moves) == (before, *lists)
        assert game.options == before.options
        assert game.random.getstate() == before.random.getstate()
        game.play_out(random, 30)
    twin = before.copy()
    again = Random("again")
    state = again.getstate()
    twin.play_out(again)
    again.setstate(state)
    before.play_out(again)
    assert (before, before.log) == (twin, twin.log)
    with pytest.raises(IndexError, match="nothing was pushed"):
        game.pop()


def test_a_refused_push_is_no_push() -> None:
    game = Game("classic", seed=1)
    with pytest.raises(Refused):
        game.push("end")
    with pytest.raises(IndexError):
        game.pop()


@pytest.mark.parametrize("seed", range(6))
def test_games_are_equal_where_the_same_lies_everywhere(seed: int) -> None:
    random = Random(f"equal/{seed}")
    game = Game(draw_rules(random), seed=seed)
    while not game.over:
        position = game.position(open=True)
        assert Game.at(position, seed=1) == Game.at(position, seed=2) == game == game.copy()
        game.play_out(random, 40)
    assert game != Game("classic", seed=seed)
    assert game != position
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


def test_games_differ_by_a_hidden_card() -> None:
    game = Game("classic", seed=1)
    twin, deck = game.copy(), game.state.deck
    faces = twin.dealer.faces
    other = next(slot for slot in deck if faces[slot] != faces[deck[0]])
    faces[deck[0]], faces[other] = faces[other], faces[deck[0]]
    assert game != twin


@pytest.mark.parametrize("seed", range(6))
def test_no_seat_can_tell_a_determinized_game_from_the_true_one(seed: int) -> None:
    random = Random(f"worlds/{seed}")
    game = Game(draw_rules(random), seed=seed)
    others = 0
    while not game.over:
        for seat in range(game.rules.seats):
            world = game.determinized(seat, random)
            assert world.view(seat) == game.view(seat)
            assert world.log == game.log
            assert not world.moves
            others += world != game
        world = game.determinized(game.frame.seat, random)
        assert (world.options, str(world), world._repr_svg_()) == (
            game.options,
            str(game),
            game._repr_svg_(),
        )
        world.play_out(random)
        assert world.over
        game.play_out(random, 40)
    assert others


def test_an_observation_cannot_change_the_match() -> None:
    game = Game("2016", seed=2)
    before, position = digest(game.state), game.position(open=True)
    seen = game.observation
    seen.state.places[0].gold = 99
    seen.state.deck.clear()
    seen.faces.clear()
    assert (digest(game.state), game.position(open=True)) == (before, position)
    play_on(game)
    with pytest.raises(ValueError, match="nobody is asked"):
        game.observation  # noqa: B018


@pytest.mark.parametrize("seat", [-1, 4, 17])
def test_a_seat_that_is_not_there_is_refused(seat: int) -> None:
    game = Game("classic", 4, seed=1)
    for ask in (game.view, game.position, game.determinized):
        with pytest.raises(IndexError, match=f"no seat {seat}: the seats are 0 to 3"):
            ask(seat)


@pytest.mark.parametrize("seed", range(8))
def test_every_answer_is_legal_and_there_are_no_others(seed: int) -> None:
    random = Random(f"answers/{seed}")
    game = Game(draw_rules(random), seed=seed)
    several = 0
    while not game.over:
        answers = [*islice(game.answers(), 300)]
        assert len({tuple(option.id for option in answer) for answer in answers}) == len(
            answers
        )
        for answer in random.sample(answers, min(len(answers), 5)):
            assert game.refusal(*answer) is None
        if game.bounds is None:
            assert answers == [(option,) for option in game.options]
        else:
            several += 1
            low, high = game.bounds
            more = game.options[: high + 1]
            assert len(more) <= high or game.refusal(*more) is not None
            assert not low or game.refusal(*game.options[: low - 1]) is not None
        game.play(*random.choice(answers))
    assert not [*game.answers()]


def test_a_game_can_be_read_and_seen() -> None:
    random = Random(3)
    game = Game("2016", 6, seed=3, characters=["random"], uniques=["random"])
    while True:
        lines = str(game).splitlines()
        assert str(game).isascii()
        assert max(map(len, lines)) <= 96
        picture = ElementTree.fromstring(game._repr_svg_())
        titles = [one.text for one in picture.iter("{http://www.w3.org/2000/svg}title")]
        standing = [card for place in game.view().seats for card in place.city]
        assert titles == [f"{card.card.replace('_', ' ')}, {card.quarter}" for card in standing]
        for option in game.options:
            assert option.id in str(game)
        if game.over:
            break
        game.play_out(random, 15)
    won = " and ".join(f"seat {seat}" for seat in game.scores.winners)
    assert lines[-1] == f"(won by {won})"


def test_a_refusal_says_what_was_played_what_is_asked_and_what_is_possible() -> None:
    game = Game("classic", 4, seed=1)
    with pytest.raises(Refused) as caught:
        game.play("take:9", "end")
    said = str(caught.value)
    assert "take:9, end" in said
    assert "seat 3 is asked (character) for one of" in said
    assert all(option.id in said for option in game.options)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.reason) == (said, caught.value.reason)
    while len(game.options) <= NAMED:
        game.play_out(Random(1), 1)
        game = Game("2016", 8, seed=len(game.options)) if game.over else game
    with pytest.raises(Refused, match=rf"and {len(game.options) - NAMED} more$"):
        game.play("x")


def test_rules_that_cannot_be_say_what_is_possible() -> None:
    with pytest.raises(ValueError, match="seats_out_of_range") as caught:
        Game("2016", seats=19)
    assert caught.value.__notes__ == ["19 is not possible: 2 to 8"]


def test_rules_may_be_given_whole() -> None:
    rules = Rules.make("dark-city", 6, draft="deal")
    assert Game(rules, seed=1).rules == rules
    assert Game("dark-city", 6, seed=1, draft="deal").rules == rules
    with pytest.raises(ValueError, match="unknown_edition"):
        Game("monopoly")
