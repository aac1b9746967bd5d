"""Keep, Great Wall, Graveyard: against the Warlord."""

from __future__ import annotations

import pytest

from tests.rules.scene import Player, Scene

# Keep


def test_the_keep_protects_nothing_but_itself() -> None:
    scene = Scene(ann=Player("warlord"), bob=Player(city="keep temple"))
    assert scene.offers("destroy") == {"destroy:bob:temple"}


def test_not_even_its_owner_destroys_the_keep() -> None:
    scene = Scene(ann=Player("warlord", gold=9, city="keep"))
    assert scene.refused("destroy:ann:keep") == "untouchable card=keep"


# Great Wall


@pytest.mark.parametrize(("district", "price"), [("temple", 1), ("market", 2), ("fortress", 5)])
def test_the_great_wall_adds_one_gold_to_the_price_of_the_others(
    district: str, price: int
) -> None:
    scene = Scene(ann=Player("warlord", gold=price), bob=Player(city=f"great_wall {district}"))
    assert scene.play(f"destroy:bob:{district}") == [
        f"destroyed seat=ann owner=bob card={district} paid={price}"
    ]


def test_the_great_wall_guards_its_own_city_only() -> None:
    scene = Scene(
        ann=Player("warlord"), bob=Player(city="great_wall"), cleo=Player(city="temple")
    )
    assert scene.offers("destroy") == {"destroy:cleo:temple"}


def test_the_great_wall_also_costs_its_owner() -> None:
    """The Warlord pays more in that city, even if it is his own."""
    scene = Scene(ann=Player("warlord", gold=2, city="great_wall market"))
    assert scene.play("destroy:ann:market") == [
        "destroyed seat=ann owner=ann card=market paid=2"
    ]


def test_a_destroyed_great_wall_makes_nothing_dearer() -> None:
    """In a later turn the price is what it was without."""
    scene = Scene(seats=2, ann=Player("warlord", gold=5), bob=Player(city="great_wall temple"))
    scene.play("destroy:bob:great_wall")
    assert scene.state.turn is not None
    scene.state.turn.used.clear()
    assert scene.offers("destroy") == {"destroy:bob:temple"}


# Graveyard


def graveyard(gold: int = 1) -> Scene:
    return Scene(
        ann=Player("warlord", gold=9),
        bob=Player(gold=gold, city="graveyard market"),
        cleo=Player(city="castle"),
    )


def test_the_graveyard_takes_a_destroyed_district_to_hand_for_one_gold() -> None:
    """Its owner is asked at once."""
    scene = graveyard()
    scene.play("destroy:bob:market")
    assert scene.asked == "bob respond"
    assert scene.offers() == {"recover:market", "decline"}
    assert scene.play("recover:market") == ["recovered seat=bob card=market paid=1"]
    assert scene.hand("bob") == ["market"]
    assert scene.gold("bob") == 0
    assert scene.asked == "ann act"


def test_the_graveyard_may_be_left_alone() -> None:
    """Then the district goes under the deck as always."""
    scene = graveyard()
    scene.play("destroy:cleo:castle")
    assert scene.play("decline") == ["recovery_declined seat=bob card=castle"]
    assert scene.under_deck(1) == ["castle"]
    assert scene.gold("bob") == 1


def test_a_graveyard_in_a_completed_city_still_serves() -> None:
    """Completion forbids destroying there, not recovering from elsewhere."""
    full = "graveyard manor castle temple church tavern market"
    scene = Scene(
        ann=Player("warlord", gold=9), bob=Player(gold=1, city=full), cleo=Player(city="palace")
    )
    scene.play("destroy:cleo:palace", "recover:palace")
    assert scene.hand("bob") == ["palace"]


def test_one_who_does_not_answer_leaves_the_district_where_it_goes() -> None:
    scene = graveyard()
    scene.play("destroy:cleo:castle")
    assert scene.time_out() == ["timed_out seat=bob", "recovery_declined seat=bob card=castle"]
