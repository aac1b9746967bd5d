"""Rank 9: Queen, Artist, Tax Collector."""

from __future__ import annotations

import pytest

from citadels_p2p.rules import Reason, Rules, menu
from tests.rules.scene import Player, Scene

# Queen


@pytest.mark.parametrize(("holder", "gold"), [("bob", 3), ("eve", 3), ("cleo", 0), ("dan", 0)])
def test_the_queen_gains_three_beside_whoever_revealed_rank_four(
    holder: str, gold: int
) -> None:
    people = {"ann": Player("queen"), holder: Player("king")}
    scene = Scene(seats=5, **people)
    scene.pass_turn()
    assert bool(scene.offers("homage")) == bool(gold)
    if gold:
        assert scene.play("homage") == ["gold_gained seat=ann gold=3 reason=queen"]
    else:
        assert scene.refused("homage") == "not_an_option"


def test_it_is_the_revealed_character_that_matters_and_not_the_crown() -> None:
    scene = Scene(seats=5, crown="dan", ann=Player("queen"), bob=Player("emperor"))
    scene.play("gold", "crown:cleo", "end")
    assert scene.offers("homage") == {"homage"}


def test_beside_a_murdered_king_she_is_paid_when_he_is_shown() -> None:
    scene = Scene(seats=5, cleo=Player("assassin"), ann=Player("queen"), bob=Player("king"))
    scene.play("murder:king", "gold", "end")
    assert scene.offers("homage") == set()
    told = scene.pass_turn()
    shown = told.index("heir seat=bob character=king")
    assert told[shown + 1 : shown + 3] == [
        "crown_taken seat=bob before=ann",
        "gold_gained seat=ann gold=3 reason=queen",
    ]


def test_at_the_rounds_end_crown_throne_room_and_queen_follow_in_this_order() -> None:
    scene = Scene(
        seats=5,
        edition="dark-city",
        cleo=Player("assassin"),
        ann=Player("queen"),
        bob=Player("king"),
        dan=Player(city="throne_room"),
    )
    scene.play("murder:king", "gold", "end")
    told = scene.pass_turn()
    shown = told.index("exposed seat=bob character=king")
    assert told[shown + 1 : shown + 5] == [
        "heir seat=bob character=king",
        "crown_taken seat=bob before=ann",
        "gold_gained seat=dan gold=1 reason=throne_room",
        "gold_gained seat=ann gold=3 reason=queen",
    ]


def test_no_queen_below_five_seats() -> None:
    with pytest.raises(ValueError, match="too_few_seats:queen"):
        Rules.make("2016", seats=4, characters=["queen"])


# Artist


def test_the_artist_lays_one_gold_on_one_or_two_of_his_districts() -> None:
    scene = Scene(ann=Player("artist", gold=5, city="temple manor church"))
    assert scene.play("gild:temple") == ["gilded seat=ann card=temple gold=1"]
    scene.play("gild:manor")
    assert scene.gold("ann") == 3
    assert scene.refused("gild:church") == "already_used"


def test_not_without_gold() -> None:
    scene = Scene(ann=Player("artist", city="temple"))
    assert scene.refused("gild:temple") == "no_gold seat=ann"


def test_destroying_it_costs_one_more() -> None:
    scene = Scene(ann=Player("warlord", gold=9), bob=Player(city="manor"), cast="artist")
    scene.gild("bob", "manor")
    assert scene.play("destroy:bob:manor") == ["destroyed seat=ann owner=bob card=manor paid=3"]
    assert scene.state.gilded == {}


def test_the_other_districts_cost_no_more_to_destroy() -> None:
    scene = Scene(ann=Player("warlord", gold=2), bob=Player(city="manor market docks castle"))
    scene.gild("bob", "market")
    assert scene.offers("destroy") == {
        f"destroy:bob:{card}" for card in ("manor", "market", "docks")
    }


# Tax Collector


def taxed(**people: Player) -> Scene:
    return Scene(cast="tax_collector", **people)


def test_each_district_built_puts_a_gold_on_the_token() -> None:
    scene = taxed(ann=Player("architect", gold=9, hand="temple tavern"))
    assert "taxed seat=ann gold=1" in scene.play("gold", "build:temple", "build:tavern")
    assert scene.gold("ann") == 7
    assert scene.state.gold_on_character == {"tax_collector": 2}


def test_in_his_turn_he_may_take_it_all() -> None:
    scene = taxed(
        ann=Player("architect", gold=9, hand="temple tavern"), bob=Player("tax_collector")
    )
    scene.play("gold", "build:temple", "build:tavern", "end")
    assert scene.play("collect") == ["gold_gained seat=bob gold=2 reason=tax_collector"]
    assert scene.state.gold_on_character == {}


def test_where_nothing_lies_on_the_token_there_is_nothing_to_take() -> None:
    scene = taxed(ann=Player("tax_collector"))
    entries = menu(scene.state, scene.dealer.knowledge(scene.state, 0))
    (empty,) = [(move.fields(), reason) for move, reason in entries if move.id == "collect"]
    assert empty == ({"gold": 0}, Reason("no_income"))


def test_what_nobody_collects_stays_for_later_rounds() -> None:
    scene = taxed(ann=Player("king", gold=9, hand="temple"))
    scene.play("gold", "build:temple", "end")
    assert scene.state.round == 2
    assert scene.state.gold_on_character == {"tax_collector": 1}


# Tax Collector, rank 2 of the older box


def older(**people: Player) -> Scene:
    return Scene(edition="dark-city", cast="tax_collector", **people)


def test_older_he_is_called_second() -> None:
    rules = Rules.make("dark-city", seats=4, characters=["tax_collector"])
    assert rules.rank_of("tax_collector") == 2
    assert rules.rank_of("thief") is None


def test_older_whoever_built_gives_one_gold_at_the_end_of_the_turn() -> None:
    scene = older(
        ann=Player("tax_collector"), bob=Player("architect", gold=9, hand="temple tavern")
    )
    scene.pass_turn()
    scene.play("gold", "build:temple", "build:tavern")
    assert scene.play("end")[0] == "gold_paid seat=bob gold=1 reason=tax_collector to=ann"


def test_older_who_built_nothing_gives_nothing() -> None:
    scene = older(ann=Player("tax_collector"), bob=Player("architect", gold=9))
    scene.pass_turn()
    scene.play("gold", "end")
    assert scene.gold("ann") == 2


def test_older_an_assassin_who_built_pays_when_the_collector_is_revealed() -> None:
    scene = older(ann=Player("tax_collector"), bob=Player("assassin", gold=1, hand="temple"))
    told = scene.play("gold", "build:temple", "end")
    assert told[-1] == "gold_paid seat=bob gold=1 reason=tax_collector to=ann"


def test_older_if_nobody_holds_him_nothing_is_paid() -> None:
    scene = older(bob=Player("architect", gold=9, hand="temple"))
    scene.play("gold", "build:temple", "end")
    assert scene.gold("bob") == 10
