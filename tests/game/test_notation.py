"""Positions and records: there and back again; what is wrong is refused in words."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest

from citadels_p2p import Game
from citadels_p2p.bots import Observation, make_bot
from citadels_p2p.cards import EDITIONS
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.notation import (
    Line,
    Unreadable,
    read_position,
    read_record,
    record_of_facts,
    replay,
    resumed,
    write_position,
    write_record,
)
from citadels_p2p.notation.reading import VALUES
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules import (
    Away,
    Back,
    Decide,
    Decided,
    Fact,
    Move,
    Over,
    State,
    TimedOut,
    apply,
    decision,
    digest,
    need,
    new,
    reveals,
    secret,
    zones,
)

NOTATION = Path(__file__).parent.parent.parent / "docs" / "NOTATION.md"


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", NOTATION.read_text("utf-8"), re.M | re.S)


def states(seed: str, edition: str) -> Iterator[tuple[State, OpenDealer, Fact | None]]:
    """Every state of a match at random, between decisions too, and the fact that led to it."""
    random = Random(seed)
    rules = draw_rules(random, (edition,))
    state, dealer, easy = new(rules), OpenDealer(random), make_bot("easy")
    yield state, dealer, None
    while not isinstance(asked := need(state), Over):
        fact: Fact
        if isinstance(asked, Decide):
            knows = dealer.knowledge(state, asked.seat)
            move = decision(state, easy.choose(Observation(state, asked.seat, knows), random))
            assert isinstance(move, Move)
            shown = tuple((slot, knows[slot]) for slot in reveals(state, move))
            if (hidden := secret(state, move)) is not None:
                move = dealer.invent(hidden)
            fact = Decided(asked.seat, move, shown)
            if random.random() < 0.02:
                fact = TimedOut(asked.seat)
        else:
            fact = dealer.answer(state, asked)
        if random.random() < 0.01:
            seat = random.randrange(rules.seats)
            sort = Away if state.places[seat].present else Back
            apply(state, sort(seat))
            yield state, dealer, sort(seat)
        apply(state, fact)
        yield state, dealer, fact


def there_and_back(state: State, faces: Mapping[int, str]) -> None:
    text = write_position(state, faces)
    read = read_position(text)
    assert read.state == state
    assert digest(read.state) == digest(state)
    for mine, other in zip(state.places, read.state.places, strict=True):
        assert (mine.districts, mine.uniques, mine.quarters) == (
            other.districts,
            other.uniques,
            other.quarters,
        )
    where = zones(state)
    hidden = {slot for slot in faces if slot in where and slot not in state.faces}
    assert read.faces == {slot: faces[slot] for slot in hidden}
    assert write_position(*read) == text
    assert "\n" not in text


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seed", range(4))
def test_any_state_of_any_game_goes_there_and_back(edition: str, seed: int) -> None:
    some = Random(seed)
    for number, (state, dealer, _) in enumerate(states(f"{edition}/{seed}", edition)):
        if number < 12 or some.random() < 0.06:
            there_and_back(state, {})
            there_and_back(state, dealer.faces)
            if state.stack[-1].need == "decide":
                there_and_back(state, dealer.knowledge(state, state.stack[-1].seat))


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_everybody_saw_goes_there_and_back(edition: str) -> None:
    facts: list[Fact] = []
    rules = None
    for state, _, fact in states(f"facts/{edition}", edition):
        rules = rules or state.rules
        facts += [fact] if fact is not None else []
    assert rules is not None
    record = record_of_facts(rules, facts)
    text = write_record(record)
    assert read_record(text) == record
    *_, last = replay(read_record(text))
    assert (last.state, last.game) == (state, None)
    assert record.digest == digest(state).hex()


@pytest.mark.parametrize("seed", range(12))
def test_a_game_goes_there_and_back_by_its_seed(seed: int) -> None:
    game, easy = Game(draw_rules(Random(f"record/{seed}")), seed=seed), make_bot("easy")
    half: Game | None = None
    while not game.over:
        if len(game.moves) == 30:
            half = game.copy()
        game.play(*easy.choose(game.observation, game.random))
    assert half is not None
    for played in (game, half):
        record = read_record(played.record())
        assert write_record(record) == played.record()
        rests = list(replay(record))
        assert rests[-1].state == played.state
        assert len(rests) == len(played.moves) + 1
        again = resumed(record)
        assert (again.state, again.log) == (played.state, played.log)
    on = Game.at(half.position(half.seat), seed=5)
    assert on.view(half.seat) == half.view(half.seat)
    while not on.over:
        on.play(*easy.choose(on.observation, on.random))
    assert resumed(read_record(on.record())).state == on.state


def test_a_game_with_a_dealer_of_its_own_has_no_record() -> None:
    from citadels_p2p.game import resume

    game = resume(new(draw_rules(Random(1))), OpenDealer(Random(1)))
    with pytest.raises(ValueError, match="no_seed"):
        game.record()


def test_comments_and_names_stay() -> None:
    text = blocks("record")[0]
    record = read_record(text)
    assert Line("", (), "Anna has the second choice.") in record.lines
    assert Line("move", ("0", "murder:architect"), "who holds it?") in record.lines
    assert record.names == {0: "Anna"}
    assert read_record(write_record(record)) == record


# The page


def test_what_the_page_shows_can_be_read() -> None:
    (position,) = blocks("position")
    state, faces = read_position(position.strip())
    assert write_position(state, faces) == position.strip()
    by_seed, by_facts = blocks("record")
    assert write_position(
        list(replay(read_record(by_seed)))[-1].state, faces
    ) == write_position(state, faces)
    assert list(replay(read_record(by_facts)))[-1].state.round == 1


def test_what_the_page_says_in_python() -> None:
    failed, tried = doctest.testfile(str(NOTATION), module_relative=False)
    assert (failed, tried) == (0, 6)


def test_the_page_lists_every_field() -> None:
    rows = re.findall(r"^\| (`.*?) \|", NOTATION.read_text("utf-8"), re.M)
    listed = {word for row in rows for word in re.findall(r"`(\w+)`", row)}
    assert {*VALUES, "seat0", "seat7", "turn", "stack", "cards"} <= listed


# What is wrong


def wrong_positions() -> list[tuple[str, str]]:
    good = blocks("position")[0].strip()
    edits = [
        ("citadels-position/1 ", "", "begins with"),
        ("edition=classic", "edition=monopoly", "no such rules: unknown_edition"),
        ("seats=2", "seats=9", "seats_out_of_range"),
        (" crown=1", " crown=7", "no seat 7"),
        ("gold:1;", "gold:1;gold:1;", "said twice"),
        (" crown=1", " crown=1 crown=1", "said twice"),
        (" crown=1", " crown", "no name=value"),
        (" crown=1", " crown=one", "no number"),
        (" crown=1", " crown=-3", "less than nothing"),
        (" crown=1", " cake=1", "nothing is called 'cake'"),
        ("hand:0,1,3", "hand:0,1,4", "twice on the table"),
        ("hand:0,1,3", "hand:0,1", "no word of the district in slot 3"),
        ("(market)@6", "(church)@6,(church)@6", "twice"),
        ("(market)@6", "(palace)@6", None),
        ("(market)@6", "(dragon_gate)@6", "the deck has no dragon_gate more"),
        ("(market)@6", "(castle_in_spain)@6", "no such district"),
        ("(market)@6", "(market)6", "no card"),
        ("manor@2", "2", "which district stands"),
        ("picks:71,", "picks:", "8 characters"),
        ("picks:71,", "picks:(bishop)@71,", "no bishop can be"),
        ("67..8", "67..8,9999999", "no card"),
        ("67..8", "1..99999", "too many cards"),
        ("phase=turns", "phase=lunch", "no such phase"),
        ("decide:act", "decide:nap", "nothing goes on as"),
        ("decide:act", "dream:act", "no such need"),
        (" stack=decide:act:1", "", "stack is missing"),
        ("rank:5;", "", "a turn begins with"),
        ("fresh_slot=78", "fresh_slot=71", "never been used"),
        ("murder:architect:0", "murder:architect", "3 words"),
        ("character:bishop;", "character:nobody;", "nobody here is called"),
    ]
    return [(good.replace(old, put), why or "") for old, put, why in edits if why]


@pytest.mark.parametrize(("text", "why"), wrong_positions())
def test_a_wrong_position_is_refused_in_words(text: str, why: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_position(text)
    assert why in str(caught.value)


def test_a_position_without_end_is_not_even_read() -> None:
    with pytest.raises(Unreadable, match="shorter"):
        read_position("citadels-position/1 " + "x=1 " * 10_000)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_read_can_be_written_and_played_on(seed: int) -> None:
    """Hostile lines: pieces of a true one changed at random."""
    random = Random(f"hostile/{seed}")
    game, easy = Game(draw_rules(random), seed=seed), make_bot("easy")
    for _ in range(random.randrange(100)):
        if not game.over:
            game.play(*easy.choose(game.observation, random))
    true = game.position(open=seed % 2 == 0)
    words: list[str] = []
    for _ in range(40):
        text = spoilt(true, random)
        try:
            position = read_position(text)
        except Unreadable as fault:
            words.append(str(fault))
            continue
        assert read_position(write_position(*position)) == position
        on = Game.at(text, seed=1)
        for _ in range(40):
            if not on.over:
                on.play(*easy.choose(on.observation, on.random))
    assert 0 < len(words) < 40
    assert all(3 < len(word) < 400 for word in words)


def spoilt(text: str, random: Random) -> str:
    words = text.split(" ")
    at = random.randrange(1, len(words))
    word = words[at]
    place = random.randrange(len(word))
    match random.randrange(4):
        case 0:
            del words[at]
        case 1:
            sign = random.choice("0123456789,;:@().-=/_akz*")
            words[at] = word[:place] + sign + word[place + random.randrange(2) :]
        case 2:
            words[at] = re.sub(
                r"\d+", lambda _: str(random.choice((0, 1, 7, 99))), word, count=1
            )
        case _:
            words[at] = (
                word.partition("=")[0] + "=" + random.choice(words[1:]).partition("=")[2]
            )
    return " ".join(words)


@pytest.mark.parametrize(
    ("old", "put", "why"),
    [
        ("citadels-record/1", "citadels-record/2", "begins with"),
        ("rules city=8", "city=8", "line 2: no such line"),
        ("edition=classic", "edition=monopoly", "no such rules"),
        ("seed 7\n", "seed 7\nseed 7\n", "said twice"),
        ("seed 7", "seed", "no seed"),
        ("name 0 Anna", "name 5 Anna", "a name for seat 5"),
        ("name 0 Anna", "name 0 \x1b[2J", "printable"),
        ("digest d7", "digest xx", "64 hexadecimal"),
        ("digest d7", "digest d8", "another state"),
        ("move 0 gold", "move 1 gold", "not this seat's turn"),
        ("move 0 gold", "move 0 steal", "no move"),
        ("move 0 gold", "move 0 build:60", "refused (gather_first)"),
        ("move 0 gold", "open gold", "moves alone"),
        ("move 0 gold", "move 0", "moves alone"),
        ("seed 7\n", "", "refused (not_needed)"),
    ],
)
def test_a_wrong_record_is_refused_in_words(old: str, put: str, why: str) -> None:
    text = blocks("record")[0]
    assert old in text
    with pytest.raises(Unreadable) as caught:
        list(replay(read_record(text.replace(old, put, 1))))
    assert why in str(caught.value)


def test_a_record_of_facts_is_held_to_the_rules() -> None:
    text = blocks("record")[1]
    for put in ("open 1 2", "open", "call 0 king@70", "call king", "late", "move 0 take:71"):
        with pytest.raises(Unreadable):
            list(replay(read_record(text.replace("open 1", put))))


@pytest.mark.parametrize(
    "seed",
    [0, -5, 10**40, "", "club night", "é", "-5", "007", "a#b", '"', "seed", "a\nmove 0 gold"],
)
def test_a_record_comes_back_whatever_its_seed_is(seed: int | str) -> None:
    game = Game("classic", 4, seed=seed)
    game.play(game.options[0])
    again = resumed(read_record(game.record()))
    assert (again.log, again.moves, again.seed) == (game.log, game.moves, game.seed)


@pytest.mark.parametrize("seed", [True, 1.5, b"x", (1,)])
def test_what_is_no_seed_is_refused_at_once(seed: object) -> None:
    with pytest.raises(TypeError, match="a seed is a whole number or a text"):
        Game("classic", 4, seed=seed)  # type: ignore[arg-type]
