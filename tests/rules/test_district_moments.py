"""Bell Tower, Park, Poor House, Hospital, Throne Room: districts that wait for their moment."""

from __future__ import annotations

from tests.rules.scene import Player, Scene

SEVEN = "temple manor market prison tavern docks harbor"

# Bell Tower


def _bell(**people: Player) -> Scene:
    ann = people.pop("ann", Player("thief", gold=3, hand="bell_tower"))
    return Scene(edition="dark-city", ann=ann, **people)


def test_who_builds_the_bell_tower_may_announce_an_earlier_end() -> None:
    scene = _bell()
    scene.play("gold", "build:bell_tower")
    assert scene.asked == "ann respond"
    assert scene.play("toll") == ["fewer_needed seat=ann count=7"]


def test_the_bell_tower_may_stay_silent() -> None:
    scene = _bell(bob=Player(city=SEVEN))
    scene.play("gold", "build:bell_tower", "decline")
    assert not scene.state.ends


def test_cities_that_are_complete_by_the_announcement_all_were_first() -> None:
    scene = _bell(bob=Player(city=SEVEN), cleo=Player(city=SEVEN.replace("harbor", "castle")))
    scene.play("gold", "build:bell_tower")
    assert scene.play("toll")[1:] == [
        "city_completed seat=bob first=yes",
        "city_completed seat=cleo first=yes",
        "last_round",
    ]
    assert scene.points("bob")["first_city"] == scene.points("cleo")["first_city"] == 4


def test_a_city_of_seven_is_safe_once_the_bell_has_rung() -> None:
    scene = _bell(bob=Player("warlord", gold=3), cleo=Player(city=SEVEN))
    scene.play("gold", "build:bell_tower", "toll", "end", "gold")
    assert scene.refused("destroy:cleo:temple") == "city_complete seat=cleo"


# Park


def test_the_park_gives_two_cards_to_an_empty_hand_at_the_turns_end() -> None:
    scene = Scene(ann=Player("thief", city="park"), deck="temple manor")
    scene.play("gold", "end")
    assert scene.asked == "ann respond"
    assert scene.play("restock")[0] == "cards_gained seat=ann count=2 reason=park"
    assert scene.hand("ann") == ["manor", "temple"]


def test_the_cards_of_the_park_may_be_left() -> None:
    scene = Scene(ann=Player("thief", city="park"))
    scene.play("gold", "end", "decline")
    assert scene.hand("ann") == []


def test_the_park_speaks_in_its_owners_turn_only() -> None:
    scene = Scene(ann=Player("thief"), bob=Player(city="park"))
    assert "turn_ends seat=ann" in scene.pass_turn()


# Poor House


def test_the_poor_house_gives_a_gold_to_who_ends_a_turn_without() -> None:
    scene = Scene(ann=Player("thief", hand="market", city="poor_house"))
    assert "gold_gained seat=ann gold=1 reason=poor_house" in scene.play(
        "gold", "build:market", "end"
    )
    assert scene.gold("ann") == 1


def test_the_poor_house_gives_nothing_to_who_has_gold() -> None:
    scene = Scene(ann=Player("thief", city="poor_house"))
    scene.pass_turn()
    assert scene.gold("ann") == 2


# Hospital


def _hospital(character: str = "king", **people: Player) -> Scene:
    scene = Scene(
        edition="dark-city",
        crown="dan",
        ann=Player("assassin"),
        bob=Player(character, hand="temple", city="hospital"),
        **people,
    )
    scene.play("murder:king")
    scene.pass_turn()
    return scene


def test_the_murdered_owner_of_the_hospital_gathers_all_the_same() -> None:
    scene = _hospital()
    assert scene.asked == "bob respond"
    assert scene.play("treat:king") == ["turn_begins seat=bob rank=4 character=king"]
    assert scene.asked == "bob gather"
    scene.play("gold")
    assert scene.gold("bob") == 2


def test_the_hospital_gives_neither_building_nor_power() -> None:
    scene = _hospital()
    told = scene.play("treat:king", "gold")
    assert told[1:3] == ["gold_gathered seat=bob gold=2", "turn_ends seat=bob"]
    assert scene.city("bob") == ["hospital"]


def test_the_hospital_may_be_left_unused() -> None:
    scene = _hospital()
    scene.play("decline")
    assert scene.gold("bob") == 0


def test_the_owner_is_asked_whether_it_is_he_who_was_murdered_or_not() -> None:
    """Else the others would learn from the asking."""
    scene = _hospital("merchant", cleo=Player("king"))
    assert scene.asked == "bob respond"
    assert scene.offers() == {"decline"}


def test_nobody_is_treated_for_another_than_the_murdered() -> None:
    scene = _hospital("merchant")
    slot = scene.state.places[1].picks[0]
    assert scene.refused(f"treat:{slot}") == "not_that_character character=merchant"


# Throne Room


def test_the_throne_room_pays_a_gold_each_time_the_crown_goes_to_another() -> None:
    scene = Scene(
        edition="dark-city", crown="bob", ann=Player("king"), cleo=Player(city="throne_room")
    )
    assert "gold_gained seat=cleo gold=1 reason=throne_room" in scene.story
    assert scene.gold("cleo") == 1


def test_the_throne_room_pays_nothing_where_the_crown_stays() -> None:
    scene = Scene(
        edition="dark-city", crown="ann", ann=Player("king"), cleo=Player(city="throne_room")
    )
    scene.pass_turn()
    assert scene.gold("cleo") == 0


def test_the_throne_room_pays_when_the_emperor_moves_the_crown() -> None:
    scene = Scene(
        edition="dark-city",
        crown="bob",
        ann=Player("emperor"),
        cleo=Player(city="throne_room"),
    )
    scene.play("crown:dan")
    assert scene.gold("cleo") == 1
