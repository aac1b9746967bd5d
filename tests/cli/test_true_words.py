"""What an option or a refusal says is what the engine does."""

from __future__ import annotations

from random import Random

import pytest

from citadels_p2p.cards import EDITIONS, READINGS
from citadels_p2p.match.asks import ask_of
from citadels_p2p.match.news import Ask
from citadels_p2p.rules import Rules
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.view import view
from cli.text import cards, label, narrate, refusal
from cli.text import scene as words
from cli.text.game import option_value
from cli.text.guide import advice
from cli.text.table import Box, describe, gold_short, my_hand, stands_already
from tests.rules import scene as rules
from tests.rules.scene import Player, Scene


def asked(scene: Scene) -> Ask:
    """The open question, as the seat that it is put to gets it."""
    state = scene.state
    seat = state.stack[-1].seat
    return ask_of(1, state, scene.dealer.knowledge(state, seat))


def seen_by(scene: Scene) -> words.Scene:
    """The table as the seat that is asked sees it."""
    return words.Scene.of(rules.PEOPLE[: scene.rules.seats], scene.state.stack[-1].seat)


def box_at(scene: Scene) -> Box:
    """What a person at this table knows of its box."""
    return Box.of(scene.rules.edition, options=scene.rules.to_options())


def said(scene: Scene) -> dict[str, str]:
    """The options of the open question in words, by id."""
    return {option.id: label(option, seen_by(scene)) for option in asked(scene).options}


def why_not(scene: Scene, act: str) -> str:
    """Why this may not be played, in words."""
    reason = scene.reason(act)
    return refusal(reason.code, reason.fields(), seen_by(scene))


@pytest.mark.parametrize("edition", ["original", "classic", "2016", "dark-city"])
@pytest.mark.parametrize("seed", range(12))
def test_whether_there_is_a_choice_of_cards_is_said_before_they_are_drawn(
    edition: str, seed: int
) -> None:
    """Libraries and observatories, and a deck that runs out."""
    chance = Random(seed)
    standing = [card for card in ("library", "observatory", "keep") if chance.random() < 0.6]
    scene = Scene(edition=edition, ann=Player("thief", city=" ".join(standing)))
    del scene.state.deck[: -chance.randint(1, 4)]
    before, sentence = len(scene.hand("ann")), said(scene)["cards"]
    scene.play("cards")
    kept = len(scene.hand("ann")) - before
    if scene.asked == "ann keep":
        drawn = len(scene.state.places[0].drawn)
        assert sentence == f"Draw {drawn} cards to choose from", standing
    else:
        many = f"Draw {kept} cards and keep them all"
        assert sentence == ("Draw 1 card and keep it" if kept == 1 else many), standing


def test_the_queen_is_paid_beside_the_emperor_wherever_the_crown_went() -> None:
    scene = Scene(
        edition="2016", seats=5, crown="cleo", ann=Player("emperor"), bob=Player("queen")
    )
    scene.play("crown:dan", "gold", "end")
    assert scene.crown == "dan"
    assert said(scene)["homage"] == "Take your gold beside rank 4"


@pytest.mark.parametrize("seed", range(12))
def test_a_city_that_has_such_a_district_already_is_named(seed: int) -> None:
    """The Diplomat's two cities, and what is said of either."""
    chance = Random(seed)
    cities = [chance.sample(("temple", "manor", "market", "tavern"), 2) for _ in range(2)]
    scene = Scene(
        ann=Player("diplomat", gold=9, city=" ".join(cities[0])),
        bob=Player(city=" ".join(cities[1])),
    )
    for own in cities[0]:
        for other in cities[1]:
            act = f"exchange:{own}:bob:{other}"
            if other in cities[0]:
                reason = f"{cards.district(other)} already stands in your city."
            elif own in cities[1]:
                reason = f"{cards.district(own)} already stands in the city of bob."
            else:
                assert act in scene.offers("exchange")
                continue
            assert why_not(scene, act) == reason


@pytest.mark.parametrize(
    ("character", "act"),
    [
        ("warlord", "destroy:bob:keep"),
        ("marshal", "seize:bob:keep"),
        ("diplomat", "exchange:temple:bob:keep"),
    ],
)
def test_what_the_keep_withstands_is_the_power(character: str, act: str) -> None:
    """An Armory may destroy it, and who takes a district over destroys nothing."""
    scene = Scene(
        edition="2016",
        ann=Player(character, gold=9, city="temple armory"),
        bob=Player(city="keep"),
    )
    assert why_not(scene, act) == "The power of rank 8 does not work on Keep."
    assert "armory:bob:keep" in scene.offers("armory")


def test_the_trader_may_go_on_as_far_as_it_is_said() -> None:
    hand = "tavern temple church market manor"
    scene = Scene(edition="2016", ann=Player("trader", gold=20, hand=hand))
    scene.play("gold", "build:tavern", "build:temple")
    sentence = "Only trade districts may still be built in this turn."
    assert why_not(scene, "build:church") == why_not(scene, "build:manor") == sentence
    assert scene.offers("build") == {"build:market"}


@pytest.mark.parametrize(
    "city",
    ["manor temple market watchtower", "wishing_well capitol keep", "manor keep capitol"],
)
def test_what_a_vault_shown_at_the_end_counts_for(city: str) -> None:
    """It makes the fifth type, and is no unique district for anything else."""

    def lines(reading: str) -> dict[str, int]:
        scene = Scene(
            edition="2016",
            first="bob",
            readings={"unveiling": reading},
            ann=Player("king", hand="secret_vault", city=city),
        )
        scene.pass_turn()
        return scene.points("ann")

    assert option_value("unveiling", "quarter") == "counts for all five types too"
    fifth = {"quarters": 3} if city.startswith("manor temple") else {}
    assert lines("quarter") == {**lines("points"), **fifth}


def test_of_two_cities_complete_at_once_neither_is_called_earlier_than_the_other() -> None:
    seven = "temple church manor market tavern prison castle"
    scene = Scene(
        edition="dark-city",
        ann=Player("king", gold=9, hand="bell_tower"),
        bob=Player(city=seven),
        cleo=Player(city=seven),
    )
    scene.play("gold", "build:bell_tower")
    told = scene.play("toll")
    for person in ("bob", "cleo"):
        assert f"city_completed seat={person} first=yes" in told
    assert _completion(scene, 1) == "bob completes a city, which counts as first."
    assert _completion(scene, 2) == "cleo completes a city, which counts as first."
    assert _completion(scene, 0) == "Your city is complete and counts as first!"


def _completion(scene: Scene, seat: int) -> str:
    return narrate(Event(1, "city_completed", (seat, True)), seen_by(scene))


READERS = [
    ("warlord", "destroy:bob:temple"),
    ("diplomat", "exchange:tavern:bob:temple"),
    ("marshal", "seize:bob:temple"),
]
FULL = "temple church manor market watchtower prison"


@pytest.mark.parametrize("edition", ["classic", "2016", "dark-city"])
@pytest.mark.parametrize(("character", "act"), READERS)
@pytest.mark.parametrize("complete", READINGS["complete"])
def test_whether_a_complete_city_is_safe_is_said_as_the_table_has_it(
    edition: str, character: str, act: str, complete: str
) -> None:
    if character not in EDITIONS[edition].cast:
        return
    scene = Scene(
        edition=edition,
        city=6,
        first="bob",
        readings={"complete": complete},
        ann=Player(character, gold=9, city="tavern"),
        bob=Player(city=FULL),
    )
    scene.play("gold")
    sentence = " ".join(describe(character, box_at(scene)))
    assert ("that is not complete" in sentence) == (act not in scene.offers())
    assert ("be it complete or not" in sentence) == (act in scene.offers())


@pytest.mark.parametrize("edition", ["2016", "dark-city"])
@pytest.mark.parametrize("complete", READINGS["complete"])
def test_so_it_is_of_the_armory(edition: str, complete: str) -> None:
    scene = Scene(
        edition=edition,
        city=6,
        first="bob",
        readings={"complete": complete},
        ann=Player("king", city="armory"),
        bob=Player(city=FULL),
    )
    sentence = " ".join(describe("armory", box_at(scene)))
    assert ("complete or not" in sentence) == ("armory:bob:temple" in scene.offers())


def test_what_is_usual_where_chance_deals_the_characters_is_said_too() -> None:
    dealt = Rules.make("classic", draft="deal")
    box = Box.of("classic", options=dealt.to_options())
    assert dealt.complete == "open"
    assert "complete or not" in " ".join(describe("warlord", box))


@pytest.mark.parametrize("steps", READINGS["steps"])
def test_the_advice_knows_in_which_order_a_turn_goes(steps: str) -> None:
    scene = Scene(
        edition="2016",
        readings={"steps": steps},
        ann=Player("warlord", gold=9, city="prison"),
        bob=Player(city="temple"),
    )
    thought = advice(asked(scene), None, box_at(scene), seen_by(scene))[1]
    assert ("in whatever order you like" in thought) == ("income" in scene.offers())
    assert ("have a fixed order" in thought) == (scene.offers() == {"gold", "cards"})


@pytest.mark.parametrize("edition", ["dark-city", "2016"])
@pytest.mark.parametrize("seed", range(24))
def test_what_keeps_a_card_from_being_built_is_what_the_engine_says(
    edition: str, seed: int
) -> None:
    """The hand is marked by what lies open: a Quarry, a Factory and the Wizard change that."""
    chance = Random(seed)
    laid = ["quarry", "factory", "tavern", "temple"]
    standing = ["tavern", *chance.sample(laid, 3)]
    held = ["tavern", "temple", "keep", "map_room", *({"quarry", "factory"} - {*standing})]
    scene = Scene(
        edition=edition,
        ann=Player(
            chance.choice(["wizard", "king", "alchemist"]),
            gold=chance.randint(0, 5),
            hand=" ".join(held),
            city=" ".join(standing),
        ),
    )
    scene.play("gold")
    table, box = view(scene.state, 0, scene.dealer.knowledge(scene.state, 0)), box_at(scene)
    ask = asked(scene)
    for option in ask.options:
        if option.verb == "build":
            card = str(option.fields["card"])
            assert (stands_already(card, table, box), gold_short(card, table, box)) == (
                False,
                0,
            )
    for barred in ask.barred:
        if barred.option.verb == "build":
            card = str(barred.option.fields["card"])
            assert stands_already(card, table, box) == (barred.reason == "already_built"), card
            if barred.reason == "too_dear":
                cost = barred.fields["cost"]
                assert isinstance(cost, int)
                assert gold_short(card, table, box) == cost - table.seats[0].gold


def test_of_a_vault_in_the_hand_it_is_said_that_nobody_can_build_it() -> None:
    scene = Scene(edition="2016", ann=Player("king", gold=5, hand="secret_vault tavern"))
    table = view(scene.state, 0, scene.dealer.knowledge(scene.state, 0))
    assert my_hand(table, box_at(scene)) == (
        "Your hand: Secret Vault (unique, cannot be built), Tavern (1 trade)."
    )
