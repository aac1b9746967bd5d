"""Bots: legal always, blind to what is hidden, each level better than the one before."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

import pytest

from citadels_p2p import arena
from citadels_p2p.arena import simulate
from citadels_p2p.bots import LEVELS, Bot, Observation, make_bot, rollout_policy
from citadels_p2p.bots.determinization import Worlds, characters_of, remember
from citadels_p2p.bots.hard import Hard
from citadels_p2p.cards import EDITIONS
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.game import Game, resume
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules import Choice, Move, Rules, State, default, new
from tests.rules.scene import Player, Scene

BOTS: dict[str, Callable[[], Bot]] = {
    "easy": lambda: make_bot("easy"),
    "normal": lambda: make_bot("normal"),
    "hard": lambda: Hard(iterations=12),
}


def first_sight(seats: int = 4, *, kind: str, seed: int = 1) -> Observation:
    """What the first seat sees that is asked for a choice of this kind."""
    game = Game("classic", seats, seed=seed)
    while (sight := game.observation).choice.kind != kind:
        game.settle(default(game.state))
    return sight


def offering(sight: Observation, choice: Choice) -> Observation:
    """The same sight, with another choice before the seat."""
    other = Observation(sight.state, sight.seat, sight.faces)
    other.__dict__["choice"] = choice
    return other


def sit_through(
    state: State, dealer: OpenDealer, bots: list[Bot], look: Callable[[Observation], None]
) -> None:
    """A whole match between bots; `look` is told of every sight before it is acted upon."""
    game = resume(state, dealer)
    while not game.over:
        sight = game.observation
        look(sight)
        game.play(*bots[sight.seat].choose(sight, dealer.random))


def test_levels_are_named_from_the_weakest() -> None:
    assert LEVELS == ("easy", "normal", "hard")
    with pytest.raises(ValueError, match="unknown_level"):
        make_bot("grandmaster")
    with pytest.raises(ValueError, match="unknown_level"):
        next(simulate(Rules.make(), 1, levels=("grandmaster",)))


def test_bots_that_sit_among_their_like_think_as_long_as_they_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[tuple[str, float | None, object]] = []

    def make(level: str, seconds: float | None = None, clock: object = None) -> Bot:
        if clock is not None:  # not only asked whether there is such a level
            given.append((level, seconds, clock))
        return make_bot("easy")

    monkeypatch.setattr(arena, "make_bot", make)
    next(arena.simulate(Rules.make("classic", seats=2), 1, 3, ("normal", "hard"), think=0.25))
    next(arena.simulate_any(1, 3, ("normal", "hard"), seats=2, think=0.25))
    asked = {("normal", 0.25, time.thread_time), ("hard", 0.25, time.thread_time)}
    assert set(given) == asked


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", ["character", "act"])
def test_a_bot_chooses_what_is_offered(level: str, kind: str) -> None:
    sight = first_sight(kind=kind)
    for seed in range(20):
        (pick,) = BOTS[level]().choose(sight, Random(seed))
        assert pick in {move.id for move in sight.choice.moves}


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_keeps_the_bounds_of_a_choice_of_several(level: str) -> None:
    sight = first_sight(kind="act")
    assert sight.view.you is not None
    hand = sight.view.you.hand
    cards = tuple(Move("card", held.slot).saying(("card", held.card)) for held in hand)
    for low, high in ((0, 4), (2, 2), (4, 4), (0, 0)):
        offer = offering(sight, Choice(sight.seat, "discard", cards, low, high))
        picks = BOTS[level]().choose(offer, Random(1))
        assert low <= len(set(picks)) == len(picks) <= high


@pytest.mark.parametrize("level", ["normal", "hard"])
@pytest.mark.parametrize(
    ("ann", "words"),
    [
        (Player("magician", hand="temple tavern market"), ("redraw",)),
        (Player("cardinal", hand="manor temple church"), ("gold", "borrow:bob")),
    ],
    ids=["redraw", "borrow"],
)
def test_a_bot_that_has_begun_does_something(
    level: str, ann: Player, words: tuple[str, ...]
) -> None:
    """Leaving it would bring the same menu again, and the same bot might begin for ever."""
    scene = Scene(ann=ann, bob=Player(gold=5))
    scene.play(*words)
    seat, state = scene.state.stack[-1].seat, scene.state
    sight = Observation(state, seat, scene.dealer.knowledge(state, seat))
    for seed in range(12):
        picks = BOTS[level]().choose(sight, Random(seed))
        assert picks
        assert picks != ("decline",)


def test_quick_judgement_does_not_even_weigh_leaving_what_leads_back() -> None:
    scene = Scene(ann=Player("cardinal", hand="manor temple church"), bob=Player(gold=5))
    scene.play("gold", "borrow:bob")
    assert "decline" in scene.offers()
    frame = scene.state.stack[-1]
    faces = scene.dealer.knowledge(scene.state, frame.seat)
    _, weighed = rollout_policy.choose(scene.state, frame, faces, Random(1))
    assert [move.verb for _, move in weighed] == ["build"]


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_sight_and_chance_give_the_same_answer(level: str) -> None:
    sight = first_sight(kind="act")
    assert BOTS[level]().choose(sight, Random(4)) == BOTS[level]().choose(sight, Random(4))


def test_the_normal_bot_plays_what_stands_in_no_table_of_its_own() -> None:
    """Characters of other boxes are left to quick judgement, not to the dice alone."""
    rules = Rules.make("2016", seats=4, characters=["wizard", "abbot", "navigator"])
    won = 0
    for result in simulate(rules, 8, seed=3, levels=("normal", "easy", "easy", "easy")):
        won += 0 in result.winners
    assert won >= 7


@pytest.mark.parametrize("seats", [2, 4])
def test_the_normal_bot_beats_the_easy_one(seats: int) -> None:
    won = {"easy": 0.0, "normal": 0.0}
    for levels in (("easy", "normal"), ("normal", "easy")):
        for result in simulate(Rules.make("classic", seats=seats), 8, seed=7, levels=levels):
            for winner in result.winners:
                won[levels[winner % 2]] += 1 / len(result.winners)
    assert won["normal"] >= 15


def test_the_hard_bot_beats_the_easy_one() -> None:
    won = 0
    for game in range(3):
        dealer, state = OpenDealer(Random(game)), new(Rules.make("classic", seats=3))
        bots: list[Bot] = [make_bot("easy") for _ in range(3)]
        bots[game] = Hard(iterations=12)
        sit_through(state, dealer, bots, lambda sight: None)
        points = [place.names for place in state.places]
        won += len(points[game]) == max(map(len, points))
    assert won == 3


class Ticking:
    """A clock on which every look takes a while."""

    def __init__(self, tick: float) -> None:
        self.tick, self.now = tick, 0.0

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


@pytest.mark.parametrize("tick", [0.01, 0.07, 0.3])
def test_the_hard_bot_thinks_as_long_as_it_may_and_no_longer(tick: float) -> None:
    clock = Ticking(tick)
    Hard(seconds=1.0, clock=clock).choose(first_sight(kind="act"), Random(1))
    assert 0.95 - 2.5 * tick < clock.now <= 1.0 + tick


def test_the_hard_bot_without_time_plays_as_the_normal_one() -> None:
    sight = first_sight(kind="act")
    hurried = Hard(seconds=0.0).choose(sight, Random(4))
    assert hurried == make_bot("normal").choose(sight, Random(4))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_hard_bot_plays_any_rules(edition: str) -> None:
    """Its choices are legal whatever the cards: `sit_through` lets the engine play them."""
    for seed in range(2):
        random = Random(f"{edition}/{seed}")
        rules = draw_rules(random, (edition,))
        bots: list[Bot] = [make_bot("easy") for _ in range(rules.seats)]
        bots[0] = Hard(iterations=3)
        sit_through(new(rules), OpenDealer(random), bots, lambda sight: None)


def test_the_hard_bot_imagines_markers_that_are_all_lifted() -> None:
    """Every warrant and every threat was taken off: none of them can be the true one."""
    rules = Rules.make("2016", seats=7, characters=["magistrate", "blackmailer", "queen"])
    for seed in range(3):
        bots: list[Bot] = [Hard(iterations=2) for _ in range(7)]
        sit_through(new(rules), OpenDealer(Random(seed)), bots, lambda sight: None)


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_plays_the_same_whatever_it_can_not_see(level: str) -> None:
    """Every card that the seat may not see is swapped with another: it notices nothing."""
    asked = 0

    def look(sight: Observation) -> None:
        nonlocal asked
        if sight.seat != 0 or len(sight.choice.moves) < 2 or sight.choice.low is not None:
            return
        asked += 1
        true = BOTS[level]().choose(sight, Random(asked))
        kept = dict(dealer.faces)
        hidden = [slot for slot in kept if slot not in sight.faces and slot not in state.faces]
        cards = [slot for slot in hidden if slot < len(state.tables.labels)]
        faces = [kept[slot] for slot in cards]
        Random(asked).shuffle(faces)
        dealer.faces.update(zip(cards, faces, strict=True))
        tampered = Observation(state, 0, dealer.knowledge(state, 0))
        assert BOTS[level]().choose(tampered, Random(asked)) == true
        dealer.faces.update(kept)

    dealer, state = OpenDealer(Random(5)), new(Rules.make("classic", seats=2))
    sit_through(state, dealer, [make_bot("normal"), make_bot("normal")], look)
    assert asked > 10


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_imagined_world_contradicts_nothing_that_was_seen(edition: str) -> None:
    """Every hidden slot gets a face, the pack stays whole, and known cards stay themselves."""
    random = Random(edition)
    rules = draw_rules(random, (edition,), 5)
    passed = None

    def look(sight: Observation) -> None:
        nonlocal passed
        if sight.seat != 0:
            return
        passed = remember(sight) or passed
        world = Worlds(sight, passed).draw(Random(1))
        pack = range(len(state.tables.labels))
        assert sorted(world[slot] for slot in pack) == sorted(state.tables.labels)
        for slot, card in {**sight.faces, **state.faces}.items():
            assert world[slot] == card
        assert {world[slot] for slot in characters_of(state)} == set(state.tables.roster)
        if passed is not None and passed.round == state.round and state.phase == "selection":
            others = {world[slot] for slot in passed.before}
            assert not others & passed.offered

    state = new(rules)
    sit_through(state, OpenDealer(random), [make_bot("normal") for _ in range(5)], look)
