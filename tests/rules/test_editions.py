"""What lies in each box: how many cards, at what cost, and the settings with a name."""

from __future__ import annotations

from collections import Counter

import pytest

from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, PRESETS, QUARTERS
from citadels_p2p.rules import Rules, effects


def _uniques(edition: str) -> dict[str, int]:
    box = EDITIONS[edition]
    return {
        row.card: row.cost
        for row in (*box.deck, *box.chest)
        if DISTRICTS[row.card].quarter == "unique"
    }


@pytest.mark.parametrize(
    ("edition", "cards"), [("classic", 68), ("2016", 68), ("original", 66), ("dark-city", 69)]
)
def test_every_usual_deck_has_its_number_of_cards(edition: str, cards: int) -> None:
    assert len(Rules.make(edition).pack) == cards


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_fifty_four_plain_districts_are_the_same_everywhere(edition: str) -> None:
    deck = Rules.make(edition).pack
    counts = Counter(DISTRICTS[card].quarter for card in deck)
    assert [counts[quarter] for quarter in QUARTERS[:4]] == [12, 11, 20, 11]
    plain = [DISTRICTS[card] for card in deck if DISTRICTS[card].quarter != "unique"]
    assert sum(row.cost for row in plain) == 152


@pytest.mark.parametrize(
    ("edition", "names"), [("classic", 13), ("2016", 30), ("original", 11), ("dark-city", 24)]
)
def test_every_box_has_its_unique_districts(edition: str, names: int) -> None:
    assert len(_uniques(edition)) == names


def test_the_dark_city_has_all_its_bonus_districts_but_the_joke() -> None:
    bonus = set(_uniques("dark-city")) - set(_uniques("original"))
    assert len(bonus) == 13
    assert "ball_room" not in bonus


def test_boxes_differ_in_what_some_districts_cost() -> None:
    old, new = _uniques("dark-city"), _uniques("2016")
    both = [card for card in old if card in new]
    assert {card: (old[card], new[card]) for card in both if old[card] != new[card]} == {
        "observatory": (5, 4),
        "imperial_treasury": (4, 5),
    }


@pytest.mark.parametrize(
    "card", [id for id, row in DISTRICTS.items() if row.quarter == "unique"]
)
def test_every_unique_district_has_an_effect(card: str) -> None:
    assert card in effects.DISTRICTS


# Choosing the unique districts


def test_the_newest_box_plays_with_exactly_fourteen() -> None:
    thirty = tuple(_uniques("2016"))
    assert len(Rules.make("2016", uniques=thirty[:14]).pack) == 68
    for count in (13, 15):
        with pytest.raises(ValueError, match="uniques_out_of_range"):
            Rules.make("2016", uniques=thirty[:count])


def test_the_dark_city_takes_out_a_card_for_every_one_beyond_fifteen() -> None:
    base = tuple(_uniques("original"))
    Rules.make("dark-city", uniques=(*base, "lighthouse", "museum", "park"))
    with pytest.raises(ValueError, match="uniques_out_of_range"):
        Rules.make("dark-city", uniques=(*base, "lighthouse", "museum", "park", "armory"))
    Rules.make("dark-city", uniques=(*base[1:], "lighthouse", "museum", "park", "armory"))


def test_the_graveyard_leaves_the_game_when_the_diplomat_joins() -> None:
    rules = Rules.make("dark-city", characters=["diplomat"])
    assert "graveyard" not in rules.uniques
    assert Rules.from_options(rules.to_options()) == rules
    with pytest.raises(ValueError, match="not_together:graveyard"):
        Rules.make("dark-city", characters=["diplomat"], uniques=tuple(_uniques("original")))


# Settings by name


@pytest.mark.parametrize("name", PRESETS)
def test_every_setting_makes_a_match_for_every_number_of_seats(name: str) -> None:
    preset = PRESETS[name]
    for seats in range(2, 9):
        rules = Rules.make(
            preset.edition,
            seats,
            characters=preset.roster(seats),
            uniques=preset.uniques,
        )
        assert len(rules.characters) == (9 if seats in (3, 8) else 8)
        assert set(rules.uniques) == set(preset.uniques)


def test_the_first_game_is_what_the_box_plays_unless_told_otherwise() -> None:
    plain, first = Rules.make("2016", 4), PRESETS["first_game"]
    assert (plain.characters, set(plain.uniques)) == (first.roster(4), set(first.uniques))


def test_no_queen_plays_below_five_seats() -> None:
    preset = PRESETS["devious_dignitaries"]
    assert preset.roster(5, ninth=True)[-1] == "queen"
    assert preset.roster(4, ninth=True)[-1] == "artist"


def test_no_emperor_plays_with_two() -> None:
    preset = PRESETS["illustrious_emissaries"]
    assert "emperor" in preset.roster(3)
    assert "king" in preset.roster(2)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("seats", range(2, 9))
def test_whoever_cannot_play_is_replaced_at_its_rank(name: str, seats: int) -> None:
    """No Queen below five, no Emperor with two, nobody of rank nine with two."""
    preset = PRESETS[name]
    for ninth in (True, None):
        roster = preset.roster(seats, ninth=ninth)
        assert all(CHARACTERS[id].fewest_seats <= seats for id in roster)
        assert [CHARACTERS[id].rank for id in roster] == list(range(1, len(roster) + 1))
        kept = [id for id in preset.characters if CHARACTERS[id].fewest_seats <= seats]
        assert set(kept) <= set(roster)
        Rules.make("2016", seats, characters=roster, uniques=preset.uniques)


@pytest.mark.parametrize("seats", [3, 8])
def test_a_list_that_leaves_out_a_ninth_that_is_needed_gets_the_usual_one(seats: int) -> None:
    roster = PRESETS["vicious_nobles"].roster(seats, ninth=False)
    ninth = Rules.make("2016", seats).characters[8]
    assert Rules.make("2016", seats, characters=roster).characters == (*roster, ninth)


@pytest.mark.parametrize(("seats", "count"), [(2, 8), (3, 9), (4, 8), (8, 9)])
def test_one_name_is_enough_the_other_ranks_are_as_usual(seats: int, count: int) -> None:
    usual = Rules.make("2016", seats).characters
    roster = Rules.make("2016", seats, characters=["scholar"]).characters
    assert roster == (*usual[:6], "scholar", *usual[7:])
    assert len(roster) == count


def test_the_dark_city_needs_a_ninth_with_eight_only() -> None:
    assert len(Rules.make("dark-city", 3).characters) == 8
    assert Rules.make("dark-city", 8).characters[8] == "queen"
    assert Rules.make("dark-city", 8, characters=["witch"]).characters[8] == "queen"


@pytest.mark.parametrize(("seats", "ninth"), [(4, "artist"), (5, "queen"), (6, "queen")])
def test_a_ninth_that_nobody_names_is_the_first_who_plays_with_so_many(
    seats: int, ninth: str
) -> None:
    assert Rules.make("dark-city", seats, characters=["ninth"]).characters[8] == ninth


def test_its_tax_collector_has_the_thiefs_rank() -> None:
    """Rank two in The Dark City, nine in the newest box."""
    rules = Rules.make("dark-city", characters=["tax_collector"])
    assert (rules.characters[1], rules.rank_of("tax_collector")) == ("tax_collector", 2)
    with pytest.raises(ValueError, match="two_of_a_rank"):
        Rules.make("dark-city", characters=["tax_collector", "thief"])


@pytest.mark.parametrize("edition", ["classic", "original"])
def test_eight_need_a_box_with_a_ninth_character(edition: str) -> None:
    with pytest.raises(ValueError, match="seats_out_of_range"):
        Rules.make(edition, 8)


def test_two_never_play_with_a_ninth_character() -> None:
    assert len(PRESETS["vicious_nobles"].roster(2, ninth=True)) == 8


def test_the_two_printings_of_a_setting_differ_in_one_district() -> None:
    for name in ("devious_dignitaries", "illustrious_emissaries", "vicious_nobles"):
        later, earlier = PRESETS[name], PRESETS[f"{name}_2016"]
        assert len(set(later.uniques) - set(earlier.uniques)) == 1


def test_the_cast_of_the_newest_box_leaves_a_choice_at_each_rank() -> None:
    ranks = Counter(CHARACTERS[id].rank for id in EDITIONS["2016"].cast)
    assert sorted(ranks) == [*range(1, 10)]
    assert min(ranks.values()) >= 3
