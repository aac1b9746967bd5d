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


def test_before_the_pause_she_builds_nothing_and_uses_no_district() -> None:
    scene = Scene(ann=Player("witch", gold=5, hand="temple", city="smithy"), bob=Player("king"))
    assert scene.offers() == {"gold", "cards"}
    scene.play("gold")
    assert scene.offers("build") == set()


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


def test_income_comes_from_her_own_districts() -> None:
    scene = bewitched(
        "merchant", Player("witch", city="tavern market"), Player("merchant", city="docks")
    )
    scene.play("gold")
    assert scene.play("income") == ["income seat=ann gold=2 quarter=trade"]


def test_she_builds_with_her_own_hand_and_gold() -> None:
    scene = bewitched("merchant", Player("witch", hand="manor"), Player("merchant", gold=9))
    scene.play("gold", "bonus_gold", "build:manor")
    assert scene.city("ann") == ["manor"]
    assert scene.gold("ann") == 0
    assert scene.gold("bob") == 11


def test_limits_of_the_bewitched_hold_for_her() -> None:
    scene = bewitched(
        "architect", Player("witch", gold=9, hand="temple tavern market"), Player("architect")
    )
    scene.play("gold", "build:temple", "build:tavern", "build:market")
    assert scene.city("ann") == ["temple", "tavern", "market"]


def test_bans_of_the_bewitched_hold_for_her() -> None:
    scene = bewitched("navigator", Player("witch", hand="temple"), Player("navigator"))
    scene.play("gold")
    assert scene.refused("build:temple") == "no_building"


def test_the_uniques_of_the_bewitched_are_not_hers() -> None:
    scene = bewitched("merchant", Player("witch", gold=5), Player("merchant", city="smithy"))
    scene.play("gold")
    assert scene.offers("smithy") == set()


def test_her_own_uniques_serve_her_then() -> None:
    scene = bewitched("merchant", Player("witch", gold=5, city="smithy"), Player("merchant"))
    scene.play("gold")
    assert scene.offers("smithy") == {"smithy"}


def test_a_bewitched_king_still_takes_the_crown() -> None:
    scene = bewitched("king", Player("witch"), Player("king"))
    assert scene.crown == "bob"
    scene.play("gold")
    assert scene.crown == "bob"


def test_the_witch_gives_the_crown_of_a_bewitched_emperor_and_is_paid() -> None:
    scene = bewitched(
        "emperor", Player("witch"), Player("emperor"), dan=Player("warlord", gold=3)
    )
    scene.play("gold")
    assert scene.offers("crown") == {"crown:bob", "crown:cleo", "crown:dan"}
    scene.play("crown:dan", "tribute_gold")
    assert scene.crown == "dan"
    assert scene.gold("ann") == 3


def test_the_witch_places_the_threats_of_a_bewitched_blackmailer() -> None:
    scene = bewitched(
        "blackmailer", Player("witch"), Player("blackmailer"), dan=Player("merchant", gold=4)
    )
    scene.play("gold", "place_threats", "threats:merchant,warlord", "sign:merchant", "end")
    scene.play("gold")
    assert "bribed seat=dan to=ann gold=3" in scene.play("bribe")


def test_a_bewitched_bishop_protects_the_witch_and_not_his_holder() -> None:
    scene = bewitched(
        "bishop",
        Player("witch", city="temple"),
        Player("bishop", city="temple"),
        dan=Player("warlord"),
    )
    scene.play("gold", "end")
    assert scene.offers("destroy") == {"destroy:bob:temple"}


def test_she_does_not_go_on_when_nobody_has_the_character() -> None:
    scene = Scene(ann=Player("witch"), bob=Player("king"))
    scene.play("gold", "bewitch:warlord")
    scene.play("gold", "end")
    assert not any("turn_resumed" in line for line in scene.story)


def test_the_thief_cannot_aim_at_the_bewitched() -> None:
    scene = Scene(ann=Player("witch"), bob=Player("thief"), cleo=Player("merchant"))
    scene.play("gold", "bewitch:merchant")
    assert "rob:merchant" not in scene.offers("rob")
    assert scene.refused("rob:merchant") == "not_that_character character=merchant"
    assert scene.refused("rob:witch") == "not_that_character character=witch"


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
