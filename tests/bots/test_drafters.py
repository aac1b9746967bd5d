"""Who may hold which character, by the order of the draft and by how each seat chooses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from statistics import mean

import pytest

from citadels_p2p.bots import Bot, Observation
from citadels_p2p.bots.drafters import ASTRAY, Drafters
from citadels_p2p.bots.hard import Hard
from citadels_p2p.bots.judgement import characters_of, suspects
from citadels_p2p.bots.memory import Memory
from citadels_p2p.contest import contest
from citadels_p2p.game import Game
from citadels_p2p.rules import Rules

SEATS = range(2, 8)


def likely(drafters: Drafters, seat: int, pile: frozenset[str], id: str) -> float:
    """How likely a seat takes one of these, before anything is known of it."""
    draft = drafters.draft
    assert draft is not None
    shares = [
        (1 - ASTRAY) * likes[id] / sum(likes[one] for one in pile) + ASTRAY / len(pile)
        for likes in draft.likings[seat]
    ]
    return sum(shares) / 2


def ways(
    sight: Observation, drafters: Drafters, may: dict[int, set[str]]
) -> Iterator[tuple[float, dict[int, str]]]:
    """Each way in which the characters can have been chosen, one by one, as the rulebook says;
    with its chance, and who then holds what.
    """
    state, draft = sight.state, drafters.draft
    assert draft is not None
    every = frozenset(state.tables.roster) - set(state.faceup.values())
    stages = [row for row in state.tables.schedule if row[0] not in ("up", "mix", "rest")]

    def go(
        at: int, pile: frozenset[str], down: tuple[str, ...], held: dict[int, str], asked: int
    ) -> Iterator[tuple[float, dict[int, str]]]:
        if at == len(stages):
            yield 1.0, held
            return
        stage, number = stages[at]
        seat = ((draft.first if draft else 0) + number) % state.rules.seats
        mine = stage in ("take", "put") and seat == sight.seat
        if stage == "join":
            yield from go(at + 1, pile | {down[0]}, down[1:], held, asked)
            return
        if mine and draft is not None and pile != draft.offers[asked]:
            return
        earlier = [row for row in stages[:at] if row == (stage, number)]
        for id in sorted(pile):
            chance, now = 1.0 / len(pile), held
            if stage == "take":
                slot = state.places[seat].picks[len(earlier)]
                if id not in may.get(slot, {sight.faces.get(slot) or state.faces.get(slot)}):
                    continue
                now = {**held, slot: id}
                if not mine:
                    chance = likely(drafters, seat, pile, id)
            under = (*down, id) if stage == "down" else down
            for more, all_ in go(at + 1, pile - {id}, under, now, asked + mine):
                yield chance * more, all_

    yield from go(0, every, (), {}, 0)


def drafted(seats: int, seed: int) -> tuple[Observation, Drafters, dict[int, set[str]]]:
    """What a seat knows once all have chosen, when it is asked again."""
    random = Random(seed)
    game, drafters, memory = Game("classic", seats, seed=seed), Drafters(), Memory()
    me = (game.frame.seat + random.randrange(seats)) % seats
    while game.state.phase == "selection":
        sight = game.observation
        if sight.seat == me:
            drafters.note(sight)
            memory.note(sight)
        game.play(random.choice(game.options))
    while game.frame.seat != me:
        game.play(random.choice(game.options))
    sight = game.observation
    drafters.note(sight)
    known = {**sight.faces, **sight.state.faces}
    rows = suspects(sight.state, known, memory.passed)
    return sight, drafters, {slot: {id for id, _ in may} for _, slot, may in rows}


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(3))
def test_the_chances_are_those_of_all_ways_walked_one_by_one(seats: int, seed: int) -> None:
    sight, drafters, may = drafted(seats, seed)
    known = {**sight.faces, **sight.state.faces}
    total, by_pair = 0.0, Counter[tuple[int, str]]()
    for chance, held in ways(sight, drafters, may):
        total += chance
        for pair in held.items():
            by_pair[pair] += chance
    chain = drafters.chain(sight, known, may)
    assert chain is not None
    assert chain.likelihood == pytest.approx(total)
    for (slot, id), chance in by_pair.items():
        if slot in may:
            told = drafters.chain(sight, {**known, slot: id}, may)
            assert told is not None
            assert told.likelihood == pytest.approx(chance)
    drawn = Counter[tuple[int, str]]()
    for number in range(400):
        held, _ = chain.draw(Random(number))
        drawn.update(held.items())
    for pair, count in drawn.items():
        assert abs(count / 400 - by_pair[pair] / total) < 0.1


@pytest.mark.parametrize("seats", SEATS)
def test_what_is_drawn_contradicts_nothing(seats: int) -> None:
    for seed in range(5):
        sight, drafters, may = drafted(seats, seed)
        known = {**sight.faces, **sight.state.faces}
        chain = drafters.chain(sight, known, may)
        assert chain is not None
        for number in range(20):
            held, passed = chain.draw(Random(number))
            assert len({*held.values()}) == len(held)
            for slot, id in held.items():
                assert known.get(slot, id) == id
                assert id in may.get(slot, {id})
            for place, memory in zip(sight.state.places, passed, strict=True):
                assert memory is not None
                assert held[place.picks[-1]] in memory.offered
                assert not {held.get(slot) for slot in memory.before} & memory.offered


@pytest.mark.parametrize("seats", [3, 5])
def test_who_chooses_like_which_bot_is_learnt_from_the_characters_shown(seats: int) -> None:
    """A hard bot among normal ones and a second hard one tells which is which."""
    watching: list[Hard] = []

    def watch() -> Bot:
        watching.append(Hard(iterations=2))
        return watching[-1]

    levels = ["watching", "thinking", *["normal"] * (seats - 2)]
    bots = {"watching": watch, "thinking": lambda: Hard(iterations=24)}
    told: dict[str, list[float]] = {level: [] for level in levels}
    for bout in contest(Rules.make("classic", seats, 6), 2, seed=5, levels=levels, bots=bots):
        for level, quick in zip(bout.levels, watching[-1].drafters.quick, strict=True):
            told[level].append(quick)
    assert min(told["normal"]) > 0.5
    assert mean(told["normal"]) > mean(told["thinking"])


def test_nothing_is_known_of_another_match() -> None:
    drafters = Drafters()
    for game in (Game("classic", 4, seed=1), Game("classic", 4, seed=2)):
        drafters.note(game.observation)
        draft = drafters.draft
        assert draft is not None
        assert draft.offers == (
            frozenset(game.observation.faces[slot] for slot in game.state.pile),
        )
        other = (game.observation.seat + 1) % 4
        drafters.note(Observation(game.state, other, game.dealer.knowledge(game.state, other)))
        assert drafters.draft is None


def test_where_chance_deals_the_characters_no_order_tells_anything() -> None:
    rules = Rules.make("2016", 4, draft="deal")
    game, drafters = Game(rules, seed=3), Drafters()
    while game.state.phase == "selection":
        drafters.note(game.observation)
        game.play(game.options[0])
    sight = game.observation
    assert characters_of(sight.state)
    assert drafters.chain(sight, {**sight.faces, **sight.state.faces}, {}) is None
