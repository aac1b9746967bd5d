"""A turn: resources first, then a district, with powers at any moment of it."""

from __future__ import annotations

import pytest

from tests.rules.scene import Player, Scene


def test_a_turn_begins_with_the_character_shown_to_all() -> None:
    """Whoever is called lays the character open and plays."""
    scene = Scene(ann=Player("merchant"))
    assert scene.story[-2:] == [
        "rank_called rank=6 seat=ann character=merchant",
        "turn_begins seat=ann rank=6 character=merchant",
    ]
    assert scene.turn == "ann merchant"


# Resources


def test_two_gold_from_the_bank() -> None:
    scene = Scene(ann=Player("thief", gold=1))
    assert scene.play("gold") == ["gold_gathered seat=ann gold=2"]
    assert scene.gold("ann") == 3


def test_or_two_cards_of_which_one_is_kept_and_the_other_goes_under_the_deck() -> None:
    scene = Scene(ann=Player("thief", hand="market"), deck="castle temple")
    assert scene.play("cards") == ["cards_drawn seat=ann count=2"]
    assert scene.asked == "ann keep"
    assert scene.offers() == {"keep:castle", "keep:temple"}
    assert scene.play("keep:temple") == ["cards_kept seat=ann count=1 returned=1"]
    assert scene.hand("ann") == ["market", "temple"]
    assert scene.under_deck(1) == ["castle"]


def test_resources_must_be_gathered() -> None:
    """The turn cannot end before."""
    scene = Scene(ann=Player("thief"))
    assert scene.refused("end") == "gather_first"
    scene.play("gold", "end")
    assert scene.turn == ""


@pytest.mark.parametrize("second", ["gold", "cards"])
def test_resources_are_gathered_once(second: str) -> None:
    scene = Scene(ann=Player("thief"))
    scene.play("gold")
    assert scene.refused(second) == "already_gathered"


def test_one_card_must_be_kept_before_anything_else() -> None:
    scene = Scene(ann=Player("thief", gold=9, hand="market"), deck="castle temple")
    scene.play("cards")
    assert scene.offers() == {"keep:castle", "keep:temple"}


def test_with_one_card_left_in_the_deck_it_is_drawn_and_kept() -> None:
    scene = Scene(ann=Player("thief"))
    del scene.state.deck[:-1]
    told = scene.play("cards")
    assert told == ["cards_drawn seat=ann count=1", "cards_kept seat=ann count=1 returned=0"]


def test_with_an_empty_deck_only_gold_can_be_gathered() -> None:
    scene = Scene(ann=Player("thief"))
    scene.state.deck.clear()
    assert scene.refused("cards") == "deck_empty"


# Building


def test_a_district_is_paid_to_the_bank_and_stands_in_the_city() -> None:
    scene = Scene(ann=Player("thief", gold=2, hand="castle market"))
    scene.play("gold")
    assert scene.play("build:castle") == ["built seat=ann card=castle paid=4"]
    assert scene.gold("ann") == 0
    assert scene.hand("ann") == ["market"]
    assert scene.city("ann") == ["castle"]


def test_nothing_is_built_before_resources_are_gathered() -> None:
    scene = Scene(ann=Player("thief", gold=9, hand="castle"))
    assert scene.refused("build:castle") == "gather_first"


def test_building_is_optional() -> None:
    scene = Scene(ann=Player("thief", gold=9, hand="castle"))
    scene.play("gold")
    assert scene.play("end")[0] == "turn_ends seat=ann"


def test_no_more_than_one_district_a_turn() -> None:
    scene = Scene(ann=Player("thief", gold=9, hand="castle market"))
    scene.play("gold", "build:castle")
    assert scene.refused("build:market") == "build_limit limit=1"


def test_a_district_costs_what_is_printed_and_not_less() -> None:
    scene = Scene(ann=Player("thief", gold=1, hand="castle manor"))
    scene.play("gold")
    assert scene.refused("build:castle") == "too_dear cost=4 gold=3"
    assert scene.offers("build") == {"build:manor"}


def test_a_city_holds_no_two_districts_of_one_name() -> None:
    """No second castle, no second market."""
    scene = Scene(ann=Player("thief", gold=9, hand="castle market", city="castle"))
    scene.play("gold")
    assert scene.refused("build:castle") == "already_built card=castle"
    assert scene.offers("build") == {"build:market"}


def test_two_cities_may_hold_the_same_district() -> None:
    scene = Scene(ann=Player("thief", gold=9, hand="castle"), bob=Player(city="castle"))
    scene.play("gold", "build:castle")
    assert scene.city("ann") == scene.city("bob") == ["castle"]


def test_a_card_just_gathered_may_be_built() -> None:
    scene = Scene(ann=Player("thief", gold=4), deck="castle temple")
    scene.play("cards", "keep:castle", "build:castle")
    assert scene.city("ann") == ["castle"]


def test_only_cards_of_the_own_hand_are_built() -> None:
    scene = Scene(ann=Player("thief", gold=9), bob=Player(hand="castle"))
    scene.play("gold")
    (castle_of_bob,) = scene.state.places[1].hand
    assert scene.refused(f"build:{castle_of_bob}") == "no_such_card"


# Powers


def test_a_power_is_optional() -> None:
    """Nothing but gathering is a duty; the turn may end with every power unspent."""
    for character in ("assassin", "thief", "magician", "bishop", "merchant", "warlord"):
        scene = Scene(ann=Player(character, city="manor temple tavern prison", hand="castle"))
        assert "turn_ends seat=ann" in scene.pass_turn()


@pytest.mark.parametrize(
    ("character", "power"),
    [
        ("assassin", "murder:king"),
        ("thief", "rob:king"),
        ("magician", "swap:bob"),
        ("king", "income"),
        ("bishop", "income"),
        ("merchant", "income"),
        ("merchant", "bonus_gold"),
        ("architect", "bonus_cards"),
        ("warlord", "income"),
        ("warlord", "destroy:bob:market"),
    ],
)
def test_a_power_works_at_any_moment_of_the_turn_and_once(character: str, power: str) -> None:
    """Before gathering, between, or after building; never a second time."""
    moments = (
        [power, "gold", "build:tavern"],
        ["gold", power, "build:tavern"],
        ["gold", "build:tavern", power],
    )
    for moves in moments:
        scene = Scene(
            ann=Player(
                character, gold=5, hand="tavern harbor", city="manor temple docks prison"
            ),
            bob=Player(hand="tavern", city="market church"),
        )
        scene.play(*moves)
        verb = power.split(":")[0]
        assert scene.offers(verb) == set()


def test_the_paragraphs_of_one_character_are_used_apart() -> None:
    """Income, then a district, then the other power: each on its own."""
    scene = Scene(
        ann=Player("warlord", gold=1, hand="prison", city="watchtower"),
        bob=Player(city="market"),
    )
    scene.play("income", "gold", "build:prison", "destroy:bob:market", "end")
    assert scene.gold("ann") == 1


def test_income_for_the_districts_is_taken_in_one_go() -> None:
    """Taken before building, it gives nothing for what is built afterwards."""
    scene = Scene(ann=Player("bishop", gold=1, hand="temple", city="church"))
    assert scene.play("income") == ["income seat=ann gold=1 quarter=religious"]
    scene.play("gold", "build:temple")
    assert scene.refused("income") == "already_used"


def test_income_after_building_counts_the_new_district() -> None:
    """The Bishop may build a church first and then collect for it as well."""
    scene = Scene(ann=Player("bishop", hand="temple", city="church"))
    scene.play("gold", "build:temple")
    assert scene.play("income") == ["income seat=ann gold=2 quarter=religious"]


def test_without_a_fitting_district_there_is_no_income() -> None:
    scene = Scene(ann=Player("bishop", city="castle market"))
    assert scene.refused("income") == "no_income"


# Order and silence


def test_nobody_else_moves_in_a_turn() -> None:
    scene = Scene(ann=Player("thief"), bob=Player("king"))
    assert scene.asked == "ann act"
    told = scene.pass_turn()
    assert "turn_begins seat=bob rank=4 character=king" in told
    assert scene.asked == "bob act"


def test_one_who_does_not_answer_takes_gold_and_ends_the_turn() -> None:
    """The clock decides as plainly as can be."""
    scene = Scene(ann=Player("thief", hand="tavern"))
    assert scene.time_out() == ["timed_out seat=ann", "gold_gathered seat=ann gold=2"]
    assert scene.time_out()[:2] == ["timed_out seat=ann", "turn_ends seat=ann"]


# Two and three people


def two(ann: str, bob: str = "", **belongings: str) -> Scene:
    return Scene(seats=2, ann=Player(ann, gold=6, **belongings), bob=Player(bob))


def test_two_characters_give_two_turns_a_round() -> None:
    """Each is played when its own rank is called."""
    scene = two("architect thief", "king")
    assert scene.turn == "ann thief"
    scene.pass_turn()
    assert scene.turn == "bob king"
    scene.pass_turn()
    assert scene.turn == "ann architect"


def test_two_characters_share_one_city_one_hand_and_one_treasury() -> None:
    """A card that the Architect drew may be built by the Warlord."""
    scene = Scene(seats=2, ann=Player("architect warlord", gold=2), deck="castle temple")
    scene.play("cards", "keep:castle", "end")
    assert scene.turn == "ann warlord"
    scene.play("gold", "build:castle")
    assert scene.city("ann") == ["castle"]
    assert scene.gold("ann") == 0


def test_a_power_belongs_to_its_own_character_s_turn() -> None:
    """The Architect's three districts and two cards are not the Warlord's."""
    scene = two("architect warlord", hand="barracks tavern market temple")
    scene.play("gold", "build:tavern", "build:market", "end")
    assert scene.turn == "ann warlord"
    assert scene.refused("bonus_cards") == "not_an_option"
    scene.play("gold", "build:barracks")
    assert scene.refused("build:temple") == "build_limit limit=1"


def test_each_turn_has_its_own_income() -> None:
    scene = two("king bishop", city="manor temple church")
    assert scene.play("income") == ["income seat=ann gold=1 quarter=noble"]
    scene.play("gold", "end")
    assert scene.play("income") == ["income seat=ann gold=2 quarter=religious"]
