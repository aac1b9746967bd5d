"""What a bot advises: always something legal, with reasons that a client can say."""

from __future__ import annotations

from random import Random

import pytest

from citadels_p2p.bots import Observation, make_bot
from citadels_p2p.bots.advice import GROUNDS, Adviser, Counsel
from citadels_p2p.game import Game
from citadels_p2p.match.news import Ground
from cli.text import Scene
from cli.text import advice as text


def counsels(edition: str, seats: int, seed: int) -> list[tuple[Observation, Counsel]]:
    """What the first seat is advised in a whole game between bots, with what it saw."""
    game, chance, adviser = Game(edition, seats, seed=seed), Random(seed), Adviser(iterations=8)
    bots, found = [make_bot("normal") for _ in range(seats)], []
    while not game.over:
        seat, sight = game.seat, game.observation
        assert seat is not None
        if seat == 0:
            found.append((sight, adviser.advise(sight)))
            picks = found[-1][1].picks
            assert game.refusal(*picks) is None, picks
            assert not found[-1][1].next or game.refusal(*found[-1][1].next) is None
        game.play(*bots[seat].choose(sight, chance))
    return found


@pytest.mark.parametrize(
    ("edition", "seats", "seed"), [("classic", 2, 1), ("classic", 5, 2), ("2016", 4, 3)]
)
def test_what_is_advised_is_legal_and_every_reason_can_be_said(
    edition: str, seats: int, seed: int
) -> None:
    scene = Scene.of([f"Player {seat}" for seat in range(seats)], 0, {})
    told = set()
    for _, counsel in counsels(edition, seats, seed):
        for code, fields in counsel.grounds:
            assert tuple(fields) == GROUNDS[code]
            assert text.ground(Ground(code, fields), scene)
            told.add(code)
        if counsel.percent is not None:
            assert 0 <= counsel.percent <= 100
    assert len(told) > 4, "most decisions have a reason"
    assert text.GROUNDS.keys() == GROUNDS.keys()


def test_the_same_question_is_answered_alike() -> None:
    first, second = (counsels("classic", 3, 4) for _ in range(2))
    assert [counsel for _, counsel in first] == [counsel for _, counsel in second]
