"""A match as text: where it began, and what was decided, line by line, with comments.

A record that has a seed is dealt by it, so its moves are enough. One without holds what the
table saw (cards opened, calls answered) as well, and tells of hidden cards no more than that.
NOTATION.md has the grammar.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from citadels_p2p.game import Game, Refused
from citadels_p2p.notation.reading import read_position, read_rules
from citadels_p2p.notation.words import Faces, Unreadable, cards, count, shortened
from citadels_p2p.notation.writing import write_rules
from citadels_p2p.rules import flow
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.moves import Move, parse_move
from citadels_p2p.rules.needs import (
    Away,
    Back,
    Call,
    Called,
    Deal,
    Dealt,
    Decided,
    Fact,
    Open,
    Opened,
    Shuffle,
    Shuffled,
    TimedOut,
)
from citadels_p2p.rules.refusals import refuse
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.setup import new
from citadels_p2p.rules.state import State, digest

#: the first line of every record
TITLE = "citadels-record/1"
#: characters; the longest matches have some 100 000
LONGEST = 1_000_000

_SEED = re.compile(r"[!$-~]{1,64}")  # no quote, no mark of a comment
_WHOLE = re.compile(r"-?[0-9]{1,4000}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_PRESENCE: dict[str, type[TimedOut] | type[Away] | type[Back]] = {
    "late": TimedOut,
    "away": Away,
    "back": Back,
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line: a word for what it is, what is said, and a comment, which may stand alone."""

    kind: str
    words: tuple[str, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A match as it was written down.

    `seed` deals it, or (None) every fact is in `lines`. `position` is the text of where it
    began; empty: at the very beginning. `names` by seat. `digest` is the last state's, in hex,
    or empty.
    """

    rules: Rules
    lines: tuple[Line, ...] = ()
    seed: int | str | None = None
    position: str = ""
    names: Mapping[int, str] = field(default_factory=dict)
    digest: str = ""


class Rest(NamedTuple):
    """A moment of a record: somebody had to decide, or it ended here.

    `game` knows every card; it is None where the record tells of no hidden ones.
    """

    events: tuple[Event, ...]
    state: State
    game: Game | None


# Writing


def write_record(record: Record) -> str:
    lines = [TITLE]
    if record.position:
        lines.append(f"position {record.position}")
    else:
        lines.append(f"rules {write_rules(record.rules)}")
    if record.seed is not None:
        lines.append(f"seed {_seed_word(record.seed)}")
    lines += [f"name {seat} {name}" for seat, name in record.names.items()]
    for line in record.lines:
        said = " ".join((line.kind, *line.words)) if line.kind else ""
        comment = f"# {line.comment}" if line.comment else ""
        lines.append(f"{said}  {comment}" if said and comment else said or comment)
    if record.digest:
        lines.append(f"digest {record.digest}")
    return "\n".join(lines) + "\n"


def record_of(game: Game) -> Record:
    """The record of a game that began with a seed; ValueError("no_seed") for another."""
    if game.seed is None:
        raise ValueError("no_seed")
    lines = tuple([Line("move", (str(seat), move.id)) for seat, move in game.moves])
    ended = digest(game.state).hex()
    return Record(game.began_by, lines, game.seed, game.began_at, digest=ended)


def record_of_facts(rules: Rules, facts: Iterable[Fact]) -> Record:
    """The record of a match of which everybody saw these facts, from its beginning."""
    state, lines = new(rules), []
    for fact in facts:
        lines += _lines(fact)
        flow.apply(state, fact)
    return Record(rules, tuple(lines), digest=digest(state).hex())


def _lines(fact: Fact) -> list[Line]:
    match fact:
        case Decided():
            shown = dict(fact.shown)
            words = (str(fact.seat), fact.move.id, cards([*shown], shown, {}))
            return [Line("move", tuple([word for word in words if word]))]
        case Opened():
            return [Line("open", fact.faces)]
        case Called():
            if fact.seat is None:
                return [Line("call")]
            return [Line("call", (str(fact.seat), f"{fact.character}@{fact.slot}"))]
        case TimedOut() | Away() | Back():
            kind = next(word for word, sort in _PRESENCE.items() if isinstance(fact, sort))
            return [Line(kind, (str(fact.seat),))]
        case _:
            return []  # that a pile was shuffled and cards were dealt goes without saying


# Reading


def read_record(text: str) -> Record:
    """What the text says; Unreadable, in words, for what is no record.

    Whether it can be played is for `replay` to say.
    """
    if len(text) > LONGEST:
        raise Unreadable("a record is shorter")
    title, *rest = text.splitlines() or [""]
    if title.strip() != TITLE:
        raise Unreadable(f"a record begins with {TITLE}")
    rules: Rules | None = None
    head: dict[str, str] = {}
    names: dict[int, str] = {}
    lines: list[Line] = []
    for number, row in enumerate(rest, 2):
        said, mark, comment = row.partition("#")
        kind, _, words = said.strip().partition(" ")
        words, comment = words.strip(), comment.strip()
        try:
            if kind in ("rules", "position", "seed", "digest"):
                if kind in head or mark:
                    raise Unreadable(f"said twice, or with a comment: {kind}")
                head[kind] = words
            elif kind == "name":
                seat, _, name = words.partition(" ")
                names[count(seat)] = _name(name)
            elif kind in _KINDS:
                lines.append(Line(kind, tuple(words.split()), comment))
            elif kind:
                raise Unreadable(f"no such line: {shortened(kind)}")
            elif mark:
                lines.append(Line("", (), comment))
        except Unreadable as fault:
            raise Unreadable(f"line {number}: {fault}") from None
    if ("rules" in head) == ("position" in head):
        raise Unreadable("a record has its rules or a position, and one of them alone")
    if "position" in head:
        rules = read_position(head["position"]).state.rules
    else:
        rules = read_rules(head["rules"])
    if any(seat >= rules.seats for seat in names):
        raise Unreadable(f"a name for seat {max(names)}, which there is not")
    if "digest" in head and not _DIGEST.fullmatch(head["digest"]):
        raise Unreadable("a digest has 64 hexadecimal digits")
    seed = _seed(head["seed"]) if "seed" in head else None
    if seed is None and "position" in head:
        raise Unreadable("a record that begins with a position has a seed")
    return Record(
        rules, tuple(lines), seed, head.get("position", ""), names, head.get("digest", "")
    )


def _name(name: str) -> str:
    if not name.isprintable() or not 0 < len(name) <= 64:
        raise Unreadable("a name is printable, and of 64 characters at most")
    return name


def _seed_word(seed: int | str) -> str:
    """A seed in one word of a line; a text that is no plain word is quoted as in JSON."""
    if isinstance(seed, int) or (_SEED.fullmatch(seed) and not _WHOLE.fullmatch(seed)):
        return str(seed)
    return json.dumps(seed).replace("#", r"\u0023")  # a # would begin a comment


def _seed(word: str) -> int | str:
    if _WHOLE.fullmatch(word):
        return int(word)
    if word.startswith('"'):
        try:
            text = json.loads(word)
        except ValueError:
            text = None
        if isinstance(text, str):
            return text
    elif _SEED.fullmatch(word):
        return word
    raise Unreadable(f"no seed: {shortened(word)}")


_KINDS = ("move", "open", "call", *_PRESENCE)


# Playing


def replay(record: Record) -> Iterator[Rest]:
    """The match, rest by rest; Unreadable where something cannot be."""
    said = [line for line in record.lines if line.kind]
    rests = _by_facts(record, said) if record.seed is None else _by_seed(record, said)
    state = None
    for rest in rests:
        state = rest.state
        yield rest
    if record.digest and state is not None and digest(state).hex() != record.digest:
        raise Unreadable("it comes to another state than its digest says")


def resumed(record: Record) -> Game:
    """The game at the end of a record with a seed, to be played on."""
    game = _begun(record)
    for line in record.lines:
        if line.kind:
            _play(game, line)
    return game


def _begun(record: Record) -> Game:
    if record.seed is None:
        raise ValueError("no_seed")
    if record.position:
        return Game.at(record.position, seed=record.seed)
    return Game(record.rules, seed=record.seed)


def _by_seed(record: Record, said: list[Line]) -> Iterator[Rest]:
    game = _begun(record)
    yield Rest(tuple(game.log), game.state, game)
    for line in said:
        yield Rest(_play(game, line), game.state, game)


def _play(game: Game, line: Line) -> tuple[Event, ...]:
    if line.kind != "move" or len(line.words) != 2:
        raise Unreadable(f"with a seed there are moves alone: {_shown(line)}")
    if line.words[0] != str(game.seat):
        raise Unreadable(f"it is not this seat's turn: {_shown(line)}")
    try:
        return game.play(*_move(line.words[1]).picks)
    except Refused as fault:
        raise Unreadable(f"refused ({fault.reason.code}): {_shown(line)}") from None


def _by_facts(record: Record, said: list[Line]) -> Iterator[Rest]:
    state, told = new(record.rules), []
    rows = iter(said)
    while True:
        need = flow.need(state)
        if isinstance(need, Shuffle | Deal):
            told += flow.apply(state, Shuffled() if isinstance(need, Shuffle) else Dealt())
            continue
        if not isinstance(need, Open | Call):
            yield Rest(tuple(told), state, None)
            told = []
        line = next(rows, None)
        if line is None:
            if told:
                yield Rest(tuple(told), state, None)
            return
        fact = _fact(line)
        reason = refuse(state, fact)
        if reason is not None:
            raise Unreadable(f"refused ({reason.code}): {_shown(line)}")
        told += flow.apply(state, fact)


def _fact(line: Line) -> Fact:
    words = line.words
    if line.kind == "open":
        return Opened(words)
    if line.kind == "call" and not words:
        return Called()
    told = Faces()
    if line.kind == "call" and len(words) == 2:
        (slot,) = told.read(words[1]) or (-1,)
        return Called(count(words[0]), slot, told.shown.get(slot, ""))
    if line.kind == "move" and len(words) in (2, 3):
        told.read("".join(words[2:]))
        return Decided(count(words[0]), _move(words[1]), tuple(told.shown.items()))
    if line.kind in _PRESENCE and len(words) == 1:
        return _PRESENCE[line.kind](count(words[0]))
    raise Unreadable(f"no such line: {_shown(line)}")


def _move(id: str) -> Move:
    move = parse_move(id)
    if move is None:
        raise Unreadable(f"no move: {shortened(id)}")
    return move


def _shown(line: Line) -> str:
    return shortened(" ".join((line.kind, *line.words)))
