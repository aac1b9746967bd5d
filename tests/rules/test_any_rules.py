"""Random rosters, uniques, editions and seats under inspection."""

from __future__ import annotations

from random import Random

import pytest

from citadels_p2p.arena import play
from citadels_p2p.cards import EDITIONS
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.inspection import Inspector
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules import Rules, new, score


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seed", range(6))
def test_every_step_holds_whatever_is_played_with(edition: str, seed: int) -> None:
    random = Random(f"{edition}/{seed}")
    rules = draw_rules(random, [edition])
    dealer, state = OpenDealer(random), new(rules)
    play(state, dealer, ("easy",) * rules.seats, Inspector(dealer, every=31))
    assert score(state).winners


@pytest.mark.parametrize("seed", range(30))
def test_rules_travel_as_plain_options(seed: int) -> None:
    rules = draw_rules(Random(seed))
    assert Rules.from_options(rules.to_options()) == rules


def test_so_many_seats_no_edition_takes() -> None:
    with pytest.raises(ValueError, match="seats_out_of_range"):
        draw_rules(Random(1), ["classic"], 8)
