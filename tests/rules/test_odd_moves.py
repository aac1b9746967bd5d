"""Whatever anybody may send to a power or a question: it is offered, or there is a reason."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from citadels_p2p.cards import CHARACTERS, EDITIONS
from citadels_p2p.rules import Decided, Move, choice, refuse
from citadels_p2p.rules.moves import VERBS
from citadels_p2p.rules.reasons import REASONS
from tests.rules.asked import SCENES
from tests.rules.scene import Player, Scene

POWERS = [
    (box.id, character)
    for box in EDITIONS.values()
    for character in box.cast
    if CHARACTERS[character].fewest_seats <= 4
]


def odd_moves(scene: Scene, verb: str) -> Iterator[Move]:
    """Every mixture of right and wrong arguments that this verb takes.

    The slots are of Ann and of Bob, in the hand and in the city, and of nobody.
    """
    ann, bob = scene.state.places[:2]
    slots = (-1, 999999, *ann.hand[:1], *ann.city[:1], *bob.hand[:1], *bob.city[:1])
    values: dict[str, tuple[object, ...]] = {
        "slot": slots,
        "give": slots,
        "seat": (-1, 0, 1, 2, len(scene.state.places)),
        "number": (-1, 0, 1, 99),
        "character": ("", "king", "nobody"),
        "quarter": ("", "trade", "gold"),
        "slots": ((), slots[:2], slots[2:3] * 2, slots[2:4]),
        "characters": ((), ("king",) * 2, ("nobody", "king"), ("king", "bishop", "thief")),
    }
    names = VERBS[verb]
    for arguments in product(*(values[name] for name in names)):
        yield Move(verb, **dict(zip(names, arguments, strict=True)))  # type: ignore[arg-type]


@pytest.mark.parametrize(("edition", "character"), POWERS)
def test_a_power_takes_what_it_offers_and_refuses_the_rest(
    edition: str, character: str
) -> None:
    scene = Scene(
        edition=edition,
        ann=Player(character, gold=5, hand="temple castle", city="manor market"),
        bob=Player(gold=3, hand="tavern docks", city="prison church"),
    )
    offered = {move.id for move in choice(scene.state, scene.dealer.faces).moves}
    for verb in scene.state.tables.roles[character].act_of:
        for move in odd_moves(scene, verb):
            reason = refuse(scene.state, Decided(0, move))
            assert (reason is None) == (move.id in offered), move.id
            assert reason is None or set(reason.fields()) == set(REASONS[reason.code])


@pytest.mark.parametrize("word", SCENES)
def test_a_question_gives_a_reason_for_what_is_no_answer(word: str) -> None:
    scene = SCENES[word]()
    seat = scene.state.stack[-1].seat
    refused = 0
    for verb in VERBS:
        for move in odd_moves(scene, verb):
            reason = refuse(scene.state, Decided(seat, move))
            if reason is not None:
                refused += 1
                assert set(reason.fields()) == set(REASONS[reason.code])
    assert refused
