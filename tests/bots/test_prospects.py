"""Who is likely to win from where a round has ended."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from citadels_p2p.bots.prospect_weights import WEIGHTS
from citadels_p2p.bots.prospects import STAGES, numbers, prospects, stage
from citadels_p2p.dice import Dice
from citadels_p2p.game import Game
from citadels_p2p.rosters import draw_rules


def ends_of_rounds(seed: int) -> Iterator[Game]:
    """Of a match by any rules, played at random."""
    game, seen = Game(draw_rules(Dice(f"prospects {seed}")), seed=seed), 1
    chance = Dice(seed)
    while not game.over:
        if game.state.round > seen:
            seen = game.state.round
            yield game
        game.play_out(chance, decisions=1)


@pytest.mark.parametrize("seed", range(12))
def test_all_seats_have_a_part_of_one(seed: int) -> None:
    for game in ends_of_rounds(seed):
        parts = prospects(game.state, game.dealer.faces)
        assert len(parts) == game.state.rules.seats
        assert sum(parts) == pytest.approx(1.0)
        assert all(0.0 < part < 1.0 for part in parts)


@pytest.mark.parametrize("seed", range(12))
def test_a_district_more_makes_a_seat_likelier(seed: int) -> None:
    """One that is built for nothing, by nobody's power; the others stay as they are."""
    for game in ends_of_rounds(seed):
        state, faces = game.state, game.dealer.faces
        before, far = prospects(state, faces), stage(state)
        for seat, place in enumerate(state.places):
            built = [slot for slot in place.hand if is_new(game, slot, seat)]
            if not built:
                continue
            after = state.copy()
            slot = built[0]
            home = after.places[seat]
            home.hand.remove(slot)
            home.city.append(slot)
            card = after.tables.districts[faces[slot]]
            home.districts.append(card)
            home.quarters[card.quarter] += 1
            if stage(after) == far:  # else all seats are weighed anew
                assert prospects(after, faces)[seat] > before[seat]


def is_new(game: Game, slot: int, seat: int) -> bool:
    """Whether this card is no unique one, and does not stand there already."""
    card = game.state.tables.districts[game.dealer.faces[slot]]
    return card.quarter != 4 and card not in game.state.places[seat].districts


def test_what_is_looked_at() -> None:
    """The second seat after the crown, with two cards of use, of which it can pay one."""
    game = next(ends_of_rounds(0))
    state, faces = game.state.copy(), dict(game.dealer.faces)
    seat = ((state.crown or 0) + 2) % state.rules.seats
    place = state.places[seat]
    cards = {card.id: card for card in state.tables.districts.values()}
    place.gold, place.city, place.districts, place.uniques = 2, [], [], []
    place.quarters = [0] * 5
    place.hand = [900, 901, 902]
    faces |= {900: "temple", 901: "fortress", 902: "temple"}
    shown = numbers(state, seat, faces)
    assert shown[7:11] == [0.0, 2.0, 2.0, 3.0]
    assert shown[11:14] == [2.0, 2.0, 1.0]
    assert shown[14:17] == [0.0, 0.0, 1.0 if state.rules.seats > 2 else 0.0]
    place.districts, place.quarters[cards["temple"].quarter] = [cards["temple"]], 1
    place.city = [903]
    shown = numbers(state, seat, faces)
    assert shown[7] == 1.0
    assert shown[11:14] == [1.0, 1.0, 0.0]


def test_every_distance_from_the_end_has_its_row() -> None:
    assert {len(row) for row in WEIGHTS} == {20}
    assert len(WEIGHTS) == STAGES
    for game in ends_of_rounds(3):
        assert 0 <= stage(game.state) < len(WEIGHTS)
