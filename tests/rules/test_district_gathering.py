"""Gold Mine; Library, Observatory and Laboratory as the older boxes read them."""

from __future__ import annotations

import pytest

from tests.rules.scene import Player, Scene


def test_the_gold_mine_gives_a_gold_more_to_who_gathers_gold() -> None:
    scene = Scene(ann=Player("thief", city="gold_mine"))
    assert scene.play("gold") == ["gold_gathered seat=ann gold=3"]


def test_no_other_district_adds_to_the_gold_mine() -> None:
    scene = Scene(ann=Player("thief", city="keep gold_mine temple statue"))
    assert scene.play("gold") == ["gold_gathered seat=ann gold=3"]


def test_the_gold_mine_gives_nothing_to_who_gathers_cards() -> None:
    scene = Scene(ann=Player("thief", city="gold_mine"), deck="temple manor")
    scene.play("cards", "keep:temple")
    assert scene.gold("ann") == 0


@pytest.mark.parametrize(("edition", "gold"), [("original", 1), ("classic", 2), ("2016", 2)])
def test_the_laboratory_pays_by_the_edition(edition: str, gold: int) -> None:
    scene = Scene(edition=edition, ann=Player("thief", hand="temple", city="laboratory"))
    scene.play("lab:temple")
    assert scene.gold("ann") == gold


def test_the_older_library_keeps_two_of_the_three_that_the_observatory_draws() -> None:
    scene = Scene(
        edition="original",
        ann=Player("thief", city="library observatory"),
        deck="temple manor market",
    )
    assert scene.play("cards", "keep:market", "keep:temple") == [
        "cards_drawn seat=ann count=3",
        "cards_kept seat=ann count=1 returned=0",
        "cards_kept seat=ann count=1 returned=1",
    ]
    assert scene.hand("ann") == ["market", "temple"]
    assert scene.under_deck(1) == ["manor"]


def test_the_older_library_alone_keeps_both() -> None:
    scene = Scene(edition="original", ann=Player("thief", city="library"), deck="temple manor")
    scene.play("cards")
    assert scene.hand("ann") == ["manor", "temple"]
