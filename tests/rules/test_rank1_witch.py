"""Rank 1, the Witch: she names a character, and plays its turn when its holder has gathered."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def bewitched(character: str, ann: Player, bob: Player, **others: Player) -> Scene:
    """Ann, the Witch, has named Bob's character; Bob is asked."""
    scene = Scene(ann=ann, bob=bob, **others)
    scene.play("gold", f"bewitch:{character}")
    return scene


def test_she_must_gather_first_and_then_name_a_character() -> None:
    scene = Scene(ann=Player("witch"), bob=Player("king"))
    assert scene.asked == "ann gather"
    assert scene.refused("end") == "gather_first"
    scene.play("gold")
    assert scene.asked == "ann bewitch"
    assert scene.play("bewitch:king")[:2] == [
        "named seat=ann character=king purpose=witchcraft",
        "turn_ends seat=ann",
    ]


def test_she_does_not_name_herself() -> None:
    scene = Scene(ann=Player("witch"), bob=Player("king"))
    scene.play("gold")
    assert scene.refused("bewitch:witch") == "not_that_character character=witch"


def test_gathering_she_draws_by_her_observatory() -> None:
    scene = Scene(
        ann=Player("witch", city="observatory"), bob=Player("king"), edition="dark-city"
    )
    assert "cards_drawn seat=ann count=3" in scene.play("cards")


def test_the_bewitched_only_gathers_and_the_turn_ends() -> None:
    scene = bewitched(
        "merchant", Player("witch"), Player("merchant", gold=5, hand="temple", city="tavern")
    )
    assert scene.asked == "bob gather"
    assert scene.offers() == {"gold", "cards"}
    told = scene.play("gold")
    assert told[:2] == ["gold_gathered seat=bob gold=2", "turn_ends seat=bob"]
    assert scene.gold("bob") == 7


def test_then_the_witch_plays_that_character() -> None:
    scene = bewitched("merchant", Player("witch", city="tavern"), Player("merchant"))
    assert "turn_resumed seat=ann rank=6 character=merchant" in scene.play("gold")
    assert scene.asked == "ann act"
    assert scene.offers() == {"income", "bonus_gold", "end"}


def test_she_builds_with_her_own_hand_and_gold() -> None:
    scene = bewitched("merchant", Player("witch", hand="manor"), Player("merchant", gold=9))
    scene.play("gold", "bonus_gold", "build:manor")
    assert scene.city("ann") == ["manor"]
    assert scene.gold("ann") == 0
    assert scene.gold("bob") == 11


def test_her_own_uniques_serve_her_then() -> None:
    scene = bewitched("merchant", Player("witch", gold=5, city="smithy"), Player("merchant"))
    scene.play("gold")
    assert scene.offers("smithy") == {"smithy"}


def test_a_bewitched_king_still_takes_the_crown() -> None:
    scene = bewitched("king", Player("witch"), Player("king"))
    assert scene.crown == "bob"
    scene.play("gold")
    assert scene.crown == "bob"


def test_the_witch_places_the_threats_of_a_bewitched_blackmailer() -> None:
    scene = bewitched(
        "blackmailer", Player("witch"), Player("blackmailer"), dan=Player("merchant", gold=4)
    )
    scene.play("gold", "place_threats", "threats:merchant,warlord", "sign:merchant", "end")
    scene.play("gold")
    assert "bribed seat=dan to=ann gold=3" in scene.play("bribe")


def test_she_builds_and_is_taxed_only_in_the_resumed_part() -> None:
    scene = Scene(
        ann=Player("witch", gold=3, hand="temple"),
        bob=Player("merchant"),
        cast="tax_collector",
    )
    scene.play("gold", "bewitch:merchant", "gold")
    assert "taxed seat=ann gold=1" in scene.play("build:temple")


def test_a_witch_who_does_not_answer_gathers_gold_and_names_the_highest_rank() -> None:
    scene = Scene(ann=Player("witch"), bob=Player("king"))
    scene.time_out()
    told = scene.time_out()
    assert "named seat=ann character=warlord purpose=witchcraft" in told


def test_in_the_older_box_the_emperor_she_plays_acts_at_once() -> None:
    scene = Scene(ann=Player("witch"), bob=Player("emperor"), edition="dark-city")
    scene.play("gold", "bewitch:emperor", "gold")
    assert scene.asked == "ann crown"
