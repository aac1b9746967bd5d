"""One question for every ask of the rules, seen beside the options that it heads.

`questions.txt` is what people read, kept whole: a question that does not fit its options shows
at once. It is written anew with `python -m tests.cli.test_questions`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from citadels_p2p.dealer import OpenDealer
from citadels_p2p.match.asks import ask_of
from citadels_p2p.match.news import Ask, Option
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules import Decided, Move, Rules, State, apply, new, reveals, secret
from citadels_p2p.rules.asks import ASKS, compose
from citadels_p2p.rules.moves import parse_move
from cli import i18n
from cli.i18n import speaking
from cli.text import Scene as Names
from cli.text import label, question
from cli.text.questions import QUESTIONS
from tests.rules.asked import SCENES, theater
from tests.rules.scene import Player, Scene

GOLDEN = Path(__file__).with_name("questions.txt")
LANGUAGES = sorted(i18n.LANGUAGES)


def _asked(scene: Scene) -> Ask:
    seat = scene.state.stack[-1].seat
    return ask_of(1, scene.state, scene.dealer.knowledge(scene.state, seat))


def _names(scene: Scene) -> Names:
    names = ("Ann", "Bob", "Cleo", "Dan")[: scene.rules.seats]
    return Names.of(names, scene.state.stack[-1].seat)


def _page() -> str:
    """Every question in every language, above the labels of its options."""
    lines = []
    for word in ASKS:
        scene = SCENES[word]()
        lines.append(f"[{word}]")
        for language in LANGUAGES:
            with speaking(language):
                ask, names = _asked(scene), _names(scene)
                labels = " / ".join(label(option, names) for option in ask.options)
                lines += [f"{language}: {question(ask, names)}", f"    {labels}"]
        lines.append("")
    return "\n".join(lines)


def test_every_ask_has_a_scene_and_a_question_of_its_own() -> None:
    assert set(SCENES) == set(ASKS)
    assert set(QUESTIONS) - {"moment"} == set(ASKS)
    said = [str(QUESTIONS[word]) for word in ASKS]
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("word", ASKS)
def test_the_scene_asks_it(word: str) -> None:
    assert _asked(SCENES[word]()).word == word


def test_every_question_heads_its_own_options() -> None:
    """In four languages; where a sentence is changed, the page is written anew and read."""
    assert _page() == GOLDEN.read_text(encoding="utf-8")


def test_of_two_characters_one_is_exchanged_of_one_the_only_one() -> None:
    two, one = theater(2), theater(4)
    assert question(_asked(two), _names(two)) == "Do you exchange one of your characters?"
    assert question(_asked(one), _names(one)) == "Do you exchange your character?"


def test_the_older_library_says_how_many_cards_stay() -> None:
    scene = Scene(
        edition="dark-city",
        ann=Player("king", city="library observatory"),
        deck="temple manor castle",
    )
    scene.play("cards")
    assert question(_asked(scene)).endswith("2 cards stay, one after the other.")
    scene.play("keep:temple")
    assert question(_asked(scene)) == "Which card do you keep?"


def test_an_ask_that_nobody_knows_is_asked_in_general() -> None:
    assert question(Ask(1, "what", ())) == "What do you decide?"


# Options that can be told apart


def _decisions(rules: Rules, random: Random) -> Iterator[tuple[State, OpenDealer, Ask]]:
    """Every decision of a match in which everybody plays anything."""
    state, dealer = new(rules), OpenDealer(random)
    while dealer.advance(state).need == "decide":
        frame = state.stack[-1]
        ask = ask_of(1, state, dealer.knowledge(state, frame.seat))
        yield state, dealer, ask
        options = [parse_move(option.id) for option in ask.options]
        moves = [move for move in options if move is not None]
        if ask.low is not None and ask.high is not None:
            some = random.sample(moves, random.randint(ask.low, ask.high))
            move = compose(ASKS[frame.then], some)
        else:
            move = random.choice(moves)
        hidden = secret(state, move)
        if hidden is not None:
            move = dealer.invent(hidden)
        shown = tuple((slot, dealer.faces[slot]) for slot in reveals(state, move))
        apply(state, Decided(frame.seat, move, shown))


def _meaning(option: Option, state: State, dealer: OpenDealer) -> tuple[object, ...]:
    """What an option does; equal cards with equal things on them are as good as one another."""
    move = parse_move(option.id)
    assert isinstance(move, Move)
    on = [
        (dealer.faces.get(slot), state.gilded.get(slot), len(state.tucked.get(slot, ())))
        for slot in (move.slot, move.give)
    ]
    return (move.verb, move.seat, move.character, move.quarter, move.number, *on)


@pytest.mark.parametrize("seed", range(24))
def test_labels_of_one_question_differ_wherever_its_options_do(seed: int) -> None:
    random = Random(seed)
    rules = draw_rules(random)
    names = Names.of([f"P{seat}" for seat in range(rules.seats)], None)
    for state, dealer, ask in _decisions(rules, random):
        meanings: dict[str, tuple[object, ...]] = {}
        for option in ask.options:
            meaning = _meaning(option, state, dealer)
            said = label(option, names)
            assert meanings.setdefault(said, meaning) == meaning, (ask.word, said)


if __name__ == "__main__":
    GOLDEN.write_text(_page(), encoding="utf-8")
