"""What the older boxes read differently: the first eight characters, and ties."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_the_warlord_destroys_at_the_end_of_his_turn() -> None:
    scene = Scene(
        ann=Player("warlord", gold=9, hand="manor", city="prison"),
        bob=Player(city="temple"),
        edition="original",
    )
    assert scene.refused("destroy:bob:temple") == "gather_first"
    scene.play("gold", "destroy:bob:temple")
    assert scene.offers() == {"end"}
    assert scene.refused("income") == "turn_closing"


def test_the_merchants_extra_gold_comes_after_the_action() -> None:
    scene = Scene(ann=Player("merchant"), edition="original")
    assert scene.refused("bonus_gold") == "gather_first"
    scene.play("gold", "bonus_gold")
    assert scene.gold("ann") == 3


def test_ties_go_to_the_districts_themselves_then_to_gold() -> None:
    scene = Scene(
        seats=4,
        edition="original",
        ann=Player("assassin", city="dragon_gate"),
        bob=Player("warlord", city="palace manor", gold=1),
        cleo=Player(city="castle fortress"),
    )
    scene.state.places[2].gold = 3
    assert scene.total("bob") == scene.total("ann") == 8
    assert scene.total("cleo") == 9
    assert scene.winners() == ["cleo"]
    scene = Scene(
        edition="original",
        ann=Player("assassin", city="dragon_gate"),
        bob=Player("warlord", city="palace manor"),
    )
    assert scene.winners() == ["bob"]


def test_still_equal_the_richer_wins() -> None:
    scene = Scene(
        edition="original",
        ann=Player("assassin", city="palace", gold=1),
        bob=Player("warlord", city="fortress"),
    )
    assert scene.winners() == ["ann"]


def test_eight_districts_complete_a_city_at_any_table() -> None:
    assert Scene(edition="original").rules.city == 8
    assert Scene(edition="dark-city", seats=6).rules.city == 8
