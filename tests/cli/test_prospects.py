"""What a character would bring, said while one is chosen, is what its turn then offers."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from citadels_p2p import Game
from citadels_p2p.cards import EDITIONS
from citadels_p2p.rosters import draw_rules
from cli.text.prospects import prospects
from cli.text.scene import Scene

SCENE = Scene.of(("Ann", "Boris", "Vera", "Glib"), 0)
MORE = {"merchant": 1}
"""What comes on top of the districts, in gold."""


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_the_figure_is_what_the_districts_pay(edition: str) -> None:
    paid = set()
    for seed in range(6):
        game = Game(draw_rules(Random(seed), (edition,), 4), seed=seed)
        while not game.over:
            frame, state = game.state.stack[-1], game.state
            for id, role in state.tables.roles.items() if frame.then == "character" else ():
                told = prospects(id, game.view(frame.seat), SCENE)
                if role.income < 0 or not told:
                    continue
                place = state.places[frame.seat]
                count = place.quarters[role.income] + MORE.get(id, 0)
                count += sum(card.effect.any_income for card in place.uniques)
                kind = "card" if id == "patrician" else "gold"
                assert told[-1].startswith(f"+{count} {kind}" if count else f"no {kind}"), id
                paid.add((kind, count > 0))
            game.play_out(game.dealer.random, 1)
    assert {("gold", True), ("gold", False)} <= paid
    assert edition != "2016" or {("card", True), ("card", False)} <= paid


@pytest.mark.parametrize("role", ["thief", "magician"])
def test_all_are_named_who_have_most(role: str) -> None:
    me, *others = Game("classic", 4, seed=1).view(0).seats
    for most, said in (((2, 2, 1), "Boris, Vera (2)"), ((2, 2, 2), "Boris, Vera, 1 more (2)")):
        rich = (replace(x, gold=n, hand=n) for x, n in zip(others, most, strict=True))
        table = replace(Game("classic", 4, seed=1).view(0), seats=(me, *rich))
        assert prospects(role, table, SCENE)[-1].endswith(said)
