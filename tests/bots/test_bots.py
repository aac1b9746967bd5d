"""Bots: legal always, blind to what is hidden, each level better than the one before."""

from __future__ import annotations

import copy
import time
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest

from citadels_p2p import arena
from citadels_p2p.arena import simulate
from citadels_p2p.bots import LEVELS, Bot, Observation, make_bot, rollout_policy
from citadels_p2p.bots import hard as hard_bot
from citadels_p2p.bots.determinization import Worlds
from citadels_p2p.bots.drafters import Drafters
from citadels_p2p.bots.hard import Hard
from citadels_p2p.bots.judgement import Sight, characters_of
from citadels_p2p.bots.memory import Memory
from citadels_p2p.bots.weights import PARTS, WEIGHTS
from citadels_p2p.cards import EDITIONS
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.dice import Dice
from citadels_p2p.game import Game, OpenMatch, resume
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules import Rules, State, default, new
from citadels_p2p.rules.asks import ASKS
from citadels_p2p.rules.hooks import Faces
from citadels_p2p.rules.move_ids import VERBS
from citadels_p2p.rules.moves import option_of
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


def seen(scene: Scene) -> Observation:
    """What the seat sees that is asked in a scene."""
    seat = scene.state.stack[-1].seat
    return Observation(scene.state, seat, scene.dealer.knowledge(scene.state, seat))


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
@pytest.mark.parametrize(
    ("ann", "words"),
    [
        (Player("magician", hand="temple tavern market"), ("redraw",)),
        (Player("magistrate"), ("place_warrants",)),
        (Player("blackmailer"), ("place_threats",)),
        (
            Player("king", gold=2, hand="thieves_den temple tavern market manor church"),
            ("gold", "thieves_den:thieves_den"),
        ),
    ],
    ids=["redraw", "warrants", "threats", "den"],
)
def test_a_bot_keeps_the_bounds_of_a_choice_of_several(
    level: str, ann: Player, words: tuple[str, ...]
) -> None:
    scene = Scene(ann=ann, bob=Player("architect", gold=5))
    scene.play(*words)
    sight = seen(scene)
    choice = sight.choice
    assert choice.low is not None
    assert choice.high is not None
    for seed in range(12):
        picks = BOTS[level]().choose(sight, Random(seed))
        assert choice.low <= len(set(picks)) == len(picks) <= choice.high
        assert {*picks} <= {move.id for move in choice.moves}


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
    sight = seen(scene)
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


def test_every_verb_of_the_engine_has_a_weight() -> None:
    """Those of one option and those of several; `seal` is what others see of `sign`."""
    options = {option_of(verb) for verb in PARTS}
    assert not WEIGHTS.keys() & PARTS.keys()
    assert WEIGHTS.keys() | PARTS.keys() == VERBS.keys() - options - {"seal"}
    assert PARTS.keys() == {ask.several for ask in ASKS.values() if ask.several}
    assert options == {"card", "role"}


def test_costs_are_what_the_edition_and_the_city_make_of_them() -> None:
    """With the Factory a unique district costs one less, and older boxes print other costs."""
    for city, payable in (("factory", 1), ("", 0)):
        scene = Scene(ann=Player("king", gold=5, hand="library", city=city), edition="2016")
        sight = seen(scene)
        assert Sight(sight.state, 0, sight.faces, None).payable(5) == payable
    for edition, payable in (("dark-city", 1), ("2016", 0)):
        scene = Scene(ann=Player("king", gold=4, hand="imperial_treasury"), edition=edition)
        sight = seen(scene)
        assert Sight(sight.state, 0, sight.faces, None).payable(4) == payable


@pytest.mark.parametrize("seats", [2, 4])
def test_the_normal_bot_beats_the_easy_one(seats: int) -> None:
    won = {"easy": 0.0, "normal": 0.0}
    for levels in (("easy", "normal"), ("normal", "easy")):
        for result in simulate(Rules.make("classic", seats=seats), 8, seed=7, levels=levels):
            for winner in result.winners:
                won[levels[winner % 2]] += 1 / len(result.winners)
    assert won["normal"] >= 15


def test_the_hard_bot_beats_the_normal_one() -> None:
    """Even one that thinks of ten futures only; it wins more than nine of ten."""
    won = 0.0
    for number in range(20):
        game = Game("classic", 2, seed=number // 2, city=6)
        bots = [Hard(iterations=10), make_bot("normal")]
        while not game.over:
            bot = bots[(game.frame.seat + number) % 2]
            game.play(*bot.choose(game.observation, game.random))
        winners = game.scores.winners
        won += (number % 2 in winners) / len(winners)
    assert won >= 15


class Ticking:
    """A clock on which every look takes a while."""

    def __init__(self, tick: float) -> None:
        self.tick, self.now = tick, 0.0

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


@pytest.mark.parametrize("tick", [0.01, 0.07, 0.3])
def test_the_hard_bot_thinks_as_long_as_it_may_and_no_longer(
    tick: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hard_bot, "PAUSE", 10**6)
    clock = Ticking(tick)
    Hard(seconds=1.0, clock=clock).choose(first_sight(kind="act"), Random(1))
    assert 0.95 - 2.5 * tick < clock.now <= 1.0 + tick


def test_the_hard_bot_stops_where_more_thinking_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It chooses the same in less time: all chance is the same for both."""
    judged = 0
    reward = hard_bot._reward

    def counted(state: State, me: int, faces: Faces) -> float:
        nonlocal judged
        judged += 1
        return reward(state, me, faces)

    monkeypatch.setattr(hard_bot, "_reward", counted)
    chosen: list[list[tuple[str, ...]]] = []
    tried: list[int] = []
    for pause in (hard_bot.PAUSE, 10**6):
        monkeypatch.setattr(hard_bot, "PAUSE", pause)
        judged = 0
        sights = [first_sight(kind="character", seed=seed) for seed in range(3)]
        chosen.append([Hard(iterations=200).choose(sight, Random(1)) for sight in sights])
        tried.append(judged)
    assert chosen[0] == chosen[1]
    assert tried[0] < 0.9 * tried[1]


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
def test_a_bot_plays_the_same_whatever_it_cannot_see(level: str) -> None:
    """Every card and character that the seat may not see is swapped with another: it notices
    nothing, nor does what it has come to know of the others.
    """
    asked, bot = 0, BOTS[level]()

    def look(sight: Observation) -> None:
        nonlocal asked
        if sight.seat != 0 or len(sight.choice.moves) < 2 or sight.choice.low is not None:
            return
        asked += 1
        other = copy.deepcopy(bot)
        true = bot.choose(sight, Random(asked))
        kept = dict(dealer.faces)
        hidden = [slot for slot in kept if slot not in sight.faces and slot not in state.faces]
        pack = len(state.tables.labels)
        for slots in (
            [slot for slot in hidden if slot < pack],
            [slot for slot in characters_of(state) if slot in hidden],
        ):
            faces = [kept[slot] for slot in slots]
            Random(asked).shuffle(faces)
            dealer.faces.update(zip(slots, faces, strict=True))
        tampered = Observation(state, 0, dealer.knowledge(state, 0))
        assert other.choose(tampered, Random(asked)) == true
        dealer.faces.update(kept)

    dealer, state = OpenDealer(Random(5)), new(Rules.make("classic", seats=2))
    sit_through(state, dealer, [make_bot("normal"), make_bot("normal")], look)
    assert asked > 10


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_imagined_world_contradicts_nothing_that_was_seen(edition: str) -> None:
    """Every hidden slot gets a face, the pack stays whole, and known cards stay themselves."""
    random = Random(edition)
    rules = draw_rules(random, (edition,), 5)
    memory, drafters = Memory(), Drafters()

    def look(sight: Observation) -> None:
        if sight.seat != 0:
            return
        memory.note(sight)
        drafters.note(sight)
        passed = memory.passed
        world = Worlds(sight, memory, drafters).draw(Random(1))
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


MARKED = ("magistrate", "blackmailer", "magician", "king", "bishop", "merchant", "architect")


def test_markers_are_laid_by_worth_and_by_chance() -> None:
    """No pair of characters more than a third of the time, and none on one that lies open."""
    rules = Rules.make("2016", seats=4, characters=[*MARKED, "warlord"])
    laid: dict[str, list[list[str]]] = {"warrants": [], "threats": []}
    for seed in range(150):
        dealer = OpenDealer(Dice(seed))
        game = OpenMatch(new(rules), dealer)
        bots = [make_bot("normal") for _ in range(4)]
        while game.state.round < 3:
            frame = game.frame
            picks = bots[frame.seat].choose(game.observation, dealer.random)
            if frame.then in laid:
                bearers = sorted(pick.partition(":")[2] for pick in picks)
                assert not {*bearers} & {*game.state.faceup.values()}
                laid[frame.then].append(bearers)
            game.choose(picks)
    for sets in laid.values():
        assert len(sets) > 100
        pairs = Counter(pair for bearers in sets for pair in combinations(bearers, 2))
        assert max(pairs.values()) <= len(sets) / 3


def remembered(scene: Scene, *words: str) -> Memory:
    """What Ann remembers of a scene played on; she looks at each of her choices."""
    memory = Memory()
    for word in words:
        if scene.state.stack[-1].seat == 0:
            memory.note(seen(scene))
        scene.play(word)
    memory.note(Observation(scene.state, 0, scene.dealer.knowledge(scene.state, 0)))
    return memory


def test_what_the_spy_saw_lies_in_that_hand_in_every_world() -> None:
    bob = Player("architect", gold=9, hand="palace temple market")
    scene = Scene(ann=Player("spy"), bob=bob)
    memory = remembered(scene, "spy:unique:bob", "count:0")
    sight = Observation(scene.state, 0, scene.dealer.knowledge(scene.state, 0))
    hand = scene.state.places[1].hand
    for knows, told in ((memory, True), (Memory(), False)):
        worlds = [Worlds(sight, knows).draw(Random(seed)) for seed in range(5)]
        hands = [sorted(world[slot] for slot in hand) for world in worlds]
        assert all(cards == ["market", "palace", "temple"] for cards in hands) == told


def test_a_card_that_was_built_or_left_is_not_imagined_in_that_hand_any_more() -> None:
    bob = Player("architect", gold=9, hand="palace temple market")
    words = ("spy:unique:bob", "count:0", "agree", "gold", "end", "gold", "build:palace")
    memory = remembered(Scene(ann=Player("spy"), bob=bob), *words)
    assert [glimpse.cards for glimpse in memory.glimpses] == [("market", "temple")]


def test_a_hand_given_away_is_remembered_where_it_has_gone() -> None:
    ann = Player("magician", hand="palace temple")
    scene = Scene(ann=ann, bob=Player("king", hand="market"))
    (kept,) = remembered(scene, "swap:bob").glimpses
    assert kept.cards == ("palace", "temple")
    assert kept.slots == {*scene.state.places[1].hand}


def test_nothing_is_remembered_for_another_seat_or_of_another_match() -> None:
    memory = Memory()
    for game in (Game("classic", 4, seed=1), Game("classic", 4, seed=2)):
        memory.note(game.observation)
        assert memory.passed is not None
        sight = game.observation
        assert memory.passed.offered == {sight.faces[slot] for slot in game.state.pile}
        other = (sight.seat + 1) % 4
        memory.note(Observation(game.state, other, game.dealer.knowledge(game.state, other)))
        assert memory.passed is None


def test_what_was_passed_on_tells_whom_to_rob() -> None:
    """Who chooses first knows of what it left that others hold it, and of nothing else."""
    wider = 0
    for seed in range(12):
        game, memory = Game("classic", 4, seed=seed), Memory()
        first, faces = game.frame.seat, game.observation.faces
        offered = {faces[slot] for slot in game.state.pile}
        memory.note(game.observation)
        while game.state.phase == "selection":
            game.play(game.options[0])
        faces = game.dealer.knowledge(game.state, first)
        informed = Sight(game.state, first, faces, memory.passed).bearers([1.0] * 4)
        assert informed.keys() <= offered
        wider += len(Sight(game.state, first, faces, None).bearers([1.0] * 4)) > len(informed)
    assert wider > 6
