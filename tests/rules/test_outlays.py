"""What a move costs its seat: nothing, something, or what it could have kept. Each says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import get_args

import pytest

from citadels_p2p.arena import play
from citadels_p2p.cards import EDITIONS
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.inspection import Inspector
from citadels_p2p.match.asks import ask_of
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules import State, asks, effects
from citadels_p2p.rules.hooks import CharacterEffect, DistrictEffect
from citadels_p2p.rules.income import Income
from citadels_p2p.rules.move_ids import VERBS
from citadels_p2p.rules.moves import Move, Outlay
from citadels_p2p.rules.setup import new
from tests.rules.asked import SCENES
from tests.rules.scene import Player, Scene

OUTLAYS = get_args(Outlay)


def _effects() -> Iterator[CharacterEffect | DistrictEffect]:
    for table in (effects.CHARACTERS, effects.OLDER):
        yield from table.values()
    for districts in (effects.DISTRICTS, effects.OLDER_DISTRICTS):
        yield from districts.values()


def _kinds() -> Iterator[object]:
    """Every act, every way of paying and every ask of every box."""
    yield Income()
    for effect in _effects():
        yield from effect.acts
        if isinstance(effect, DistrictEffect):
            yield from (*effect.ways, *effect.own_ways)
        elif effect.income is not None:
            yield effect.income
    yield from asks.ASKS.values()


@pytest.mark.parametrize("kind", [*_kinds()], ids=lambda kind: type(kind).__name__)
def test_every_act_way_and_ask_says_what_it_costs(kind: object) -> None:
    assert kind.outlay in OUTLAYS  # type: ignore[attr-defined]


def _owned(state: State, seat: int) -> tuple[int, int, int]:
    place = state.places[seat]
    return place.gold, len(place.hand), len(place.city)


class Bookkeeper(Inspector):
    """Holds every move to its word: a gift takes nothing, only a sacrifice takes a district."""

    def __init__(self, dealer: OpenDealer) -> None:
        super().__init__(dealer, every=10_000, menus=10_000)
        self.told: dict[str, set[str]] = {}

    def decided(self, state: State, move: Move, faces: Mapping[int, str]) -> None:
        seat = state.stack[-1].seat
        several = asks.ASKS[state.stack[-1].then].several
        outlay = "plain" if several else asks.describe(state, faces, move).outlay
        self.told.setdefault(move.verb, set()).add(outlay)
        before = _owned(state, seat)
        super().decided(state, move, faces)
        after = _owned(state, seat)
        if outlay == "gift":
            assert all(now >= then for now, then in zip(after, before, strict=True)), move
        if outlay == "plain":
            assert after[2] >= before[2], move


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_no_gift_takes_anything_and_only_a_sacrifice_takes_a_district(edition: str) -> None:
    told: dict[str, set[str]] = {}
    for seed in range(12):
        dealer = OpenDealer(Random(seed))
        rules = draw_rules(Random(seed), (edition,), None)
        clerk = Bookkeeper(dealer)
        play(new(rules), dealer, ("easy",) * rules.seats, clerk)
        for verb, outlays in clerk.told.items():
            told.setdefault(verb, set()).update(outlays)
    assert told["end"] == {"plain"}
    assert told["gold"] == {"gift"}
    assert told.get("lab", {"sacrifice"}) == {"sacrifice"}


@pytest.mark.parametrize("word", asks.ASKS)
def test_every_option_that_is_offered_tells_both_facts(word: str) -> None:
    scene = SCENES[word]()
    faces = scene.dealer.knowledge(scene.state, scene.state.stack[-1].seat)
    for move in asks.choice(scene.state, faces).moves:
        assert move.outlay in OUTLAYS
    for option in ask_of(1, scene.state, faces).options:
        assert not (option.gift and option.sacrifice)


def _outlays(scene: Scene) -> dict[str, str]:
    faces = scene.dealer.knowledge(scene.state, scene.state.stack[-1].seat)
    return {move.id: move.outlay for move in asks.choice(scene.state, faces).moves}


@pytest.mark.parametrize("word", asks.ASKS)
def test_whatever_names_somebody_else_is_done_to_somebody(word: str) -> None:
    """By the option alone, so that a new card is covered; only markers name nobody."""
    scene = SCENES[word]()
    seat = scene.state.stack[-1].seat
    faces = scene.dealer.knowledge(scene.state, seat)
    for option in ask_of(1, scene.state, faces).options:
        fields, secret = option.fields, option.verb in ("seal", "sign")
        aimed = ("character" in fields and not secret) or fields.get("seat", seat) != seat
        aimed &= option.verb != "borrow"  # for what is asked next, and that may be left
        assert option.harms == (aimed or option.verb in ("confiscate", "threaten")), option.id


def test_ones_own_district_is_a_sacrifice_and_anothers_is_not() -> None:
    scene = Scene(ann=Player("warlord", gold=5, city="tavern"), bob=Player(city="temple"))
    told = {id[:9]: outlay for id, outlay in _outlays(scene).items()}
    assert (told["destroy:0"], told["destroy:1"]) == ("sacrifice", "plain")


def test_who_has_no_hand_gives_nothing_in_a_swap() -> None:
    for hand, outlay in (("", "gift"), ("manor", "plain")):
        scene = Scene(
            ann=Player("magician", hand=hand), bob=Player("king", hand="temple church")
        )
        assert _outlays(scene)["swap:1"] == outlay


def test_every_verb_of_a_turn_is_known() -> None:
    verbs = {
        kind.verb  # type: ignore[attr-defined]
        for kind in _kinds()
        if isinstance(getattr(kind, "verb", None), str)
    }
    assert verbs <= VERBS.keys()


@pytest.mark.parametrize(
    ("character", "gold", "code"),
    [("abbot", 9, "is_richest"), ("marshal", 0, "too_dear"), ("diplomat", 9, "out_of_reach")],
)
def test_a_power_that_finds_no_target_stays_in_the_menu_with_its_reason(
    character: str, gold: int, code: str
) -> None:
    city = "temple" if character == "diplomat" else ""
    scene = Scene(
        edition="2016",
        ann=Player(character, gold=gold, city=city),
        bob=Player(gold=3, city="watchtower church temple keep"),
    )
    faces = scene.dealer.knowledge(scene.state, 0)
    barred = {one.option.verb: one for one in ask_of(1, scene.state, faces).barred}
    verb = {"abbot": "alms", "marshal": "seize", "diplomat": "exchange"}[character]
    if code == "too_dear":
        assert barred[verb].fields == {"cost": 1, "gold": 0}
    assert barred[verb].reason == code
    assert barred[verb].option.fields == {}


def _closes(scene: Scene, verb: str) -> set[str]:
    faces = scene.dealer.knowledge(scene.state, scene.state.stack[-1].seat)
    options = ask_of(1, scene.state, faces).options
    return next(set(one.closes) for one in options if one.verb == verb)


def test_the_end_of_a_turn_closes_all_that_was_possible() -> None:
    scene = Scene(ann=Player("merchant", gold=5, hand="manor", city="tavern"))
    scene.play("gold")
    assert _closes(scene, "end") == {"income", "bonus_gold", "build"}
    assert _closes(scene, "build") == set()


def test_a_power_of_the_turns_end_closes_what_comes_before_it() -> None:
    scene = Scene(
        edition="dark-city",
        ann=Player("warlord", gold=5, hand="manor", city="watchtower"),
        bob=Player(city="temple"),
    )
    scene.play("gold")
    assert _closes(scene, "destroy") == {"income", "build"}


def test_where_steps_are_fixed_a_later_one_closes_the_earlier() -> None:
    scene = Scene(
        readings={"steps": "fixed"},
        edition="2016",
        ann=Player("warlord", gold=5, hand="manor", city="watchtower"),
        bob=Player(city="temple"),
    )
    scene.play("gold")
    assert _closes(scene, "build") == {"income", "destroy"}
    assert _closes(scene, "income") == set()
