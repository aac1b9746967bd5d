"""From the text of a ruling to values; nothing is played here."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, READINGS

#: who may sit there, in the order of their seats; Bob sits to the left of Ann
PEOPLE = ("ann", "bob", "cleo", "dan", "eve", "fay", "gus", "hal")
NOBODY = "nobody"
#: behind a district of a city: a gold lies on it
COIN = "*"

_SECTIONS = ("scene", "acts", "outcome")
#: the whole scene in one line, as NOTATION.md has it
POSITION = "position"
_SETTINGS = (
    POSITION,
    "edition",
    "seats",
    "city",
    "crown",
    "first",
    "deck",
    "cast",
    *READINGS,
)


class Unreadable(ValueError):
    """The text is not in the form of rulings. `line` counts from 1."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


@dataclass(frozen=True, slots=True)
class Fault:
    """What a ruling says and the engine does not: where, and what came out instead.

    `ruling` is its title; both texts are words of the form, not sentences.
    """

    line: int
    ruling: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits at the table when the scene opens."""

    characters: tuple[str, ...] = ()
    gold: int = 0
    hand: tuple[str, ...] = ()
    city: tuple[str, ...] = ()
    #: those of the city, by place, on which a gold lies
    gilded: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of acts or of an outcome: `about: words`."""

    number: int
    section: str
    about: str
    words: tuple[str, ...]


@dataclass(slots=True)
class Ruling:
    """One ruling: its title and source, the scene, and what then happens, line by line."""

    title: str
    line: int
    source: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    people: dict[str, Sitter] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)


def read(text: str) -> list[Ruling]:
    """All rulings of a file; Unreadable for anything that is not in their form."""
    rulings: list[Ruling] = []
    section = ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        if line in _SECTIONS:
            section = line
            continue
        about, colon, rest = (part.strip() for part in line.partition(":"))
        if not colon:
            raise Unreadable(number, "no colon")
        if about == "ruling":
            rulings.append(Ruling(rest, number))
            section = ""
            continue
        if not rulings:
            raise Unreadable(number, "a file begins with 'ruling:'")
        _take(rulings[-1], Line(number, section, about, tuple(rest.split())), rest)
    if not rulings:
        raise Unreadable(1, "no ruling")
    for ruling in rulings:
        if POSITION in ruling.settings and (len(ruling.settings) > 1 or ruling.people):
            raise Unreadable(ruling.line, "a position says all of a scene")
        if not ruling.lines:
            raise Unreadable(ruling.line, "nothing happens")
    return rulings


def _take(ruling: Ruling, line: Line, rest: str) -> None:
    """One line becomes part of its ruling."""
    if line.section == "":
        if line.about != "source":
            raise Unreadable(line.number, "'scene', 'acts' or 'outcome' is missing before")
        ruling.source = rest
    elif line.section == "scene":
        if line.about in PEOPLE:
            ruling.people[line.about] = _sitter(line, rest)
        elif line.about in _SETTINGS:
            ruling.settings[line.about] = _setting(line, rest)
        else:
            raise Unreadable(line.number, f"no such setting: {line.about}")
    else:
        if line.section == "acts" and line.about not in PEOPLE:
            raise Unreadable(line.number, f"nobody is called {line.about}")
        ruling.lines.append(line)


def _setting(line: Line, rest: str) -> str:
    if line.about == "edition" and rest not in EDITIONS:
        raise Unreadable(line.number, f"no such edition: {rest}")
    if line.about in ("seats", "city"):
        _number(line, rest)
    if line.about == "crown" and rest == NOBODY:
        return rest
    if line.about in ("crown", "first") and rest not in PEOPLE:
        raise Unreadable(line.number, f"nobody is called {rest}")
    if line.about == "deck":
        _known(line, line.words, "district", DISTRICTS)
    if line.about == "cast":
        _known(line, line.words, "character", CHARACTERS)
    return rest


def _sitter(line: Line, rest: str) -> Sitter:
    """`king, gold 3, hand temple manor, city keep docks*`; every part may be missing."""
    characters: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    city: tuple[str, ...] = ()
    gilded: tuple[int, ...] = ()
    gold = 0
    for part in rest.split(","):
        name, *words = part.split() or [""]
        if name == "gold":
            gold = _number(line, " ".join(words))
        elif name == "hand":
            hand = _known(line, tuple(words), "district", DISTRICTS)
        elif name == "city":
            gilded = tuple(at for at, word in enumerate(words) if word.endswith(COIN))
            names = tuple(word.removesuffix(COIN) for word in words)
            city = _known(line, names, "district", DISTRICTS)
        elif name:
            characters = _known(line, (name, *words), "character", CHARACTERS)
    return Sitter(characters, gold, hand, city, gilded)


def _number(line: Line, word: str) -> int:
    if not word.isdecimal() or len(word) > 3:
        raise Unreadable(line.number, f"no number: {word}")
    return int(word)


def _known(
    line: Line, words: tuple[str, ...], kind: str, cards: Collection[str]
) -> tuple[str, ...]:
    for word in words:
        if word not in cards:
            raise Unreadable(line.number, f"no such {kind}: {word}")
    return words
