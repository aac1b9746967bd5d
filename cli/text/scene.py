"""Who sits where, and from whose chair the story is told.

Names come from other people's machines: nothing reaches a terminal without passing `clean`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePath

from citadels_p2p.match import BotName
from cli.i18n import _, is_ascii
from cli.i18n.ascii_twins import to_ascii
from cli.i18n.cases import Cased
from cli.text.declined import BOT, SEAT, Person
from protocol.identity.names import alike, is_hidden, skeleton

#: longest name shown, in characters: a row of eight players must stay readable at 80 columns
NAME_LIMIT = 24
#: longest foreign text shown in one line
TEXT_LIMIT = 500
#: what a bot is called in any of our languages, as `skeleton` has it
BOTS = frozenset(map(skeleton, ("bot", "бот")))
#: marks that one base character may carry; more is vandalism
MARK_LIMIT = 3


@lru_cache(maxsize=1024)  # names come with every piece of news
def clean(text: str, limit: int = TEXT_LIMIT) -> str:
    """Foreign text made safe for a terminal.

    What `is_hidden` goes; any white space becomes one space, piles of combining marks are cut,
    and what is longer than `limit` ends in an ellipsis.
    """
    kept: list[str] = []
    marks = 0
    for character in text[: limit * 8]:
        if character.isspace():
            kept += " " if kept else ""  # a mark sits on a letter
        elif is_hidden(character):
            continue
        elif unicodedata.category(character)[0] == "M":
            marks += 1
            if marks <= MARK_LIMIT and kept:
                kept.append(character)
            continue
        else:
            kept.append(character)
        marks = 0
    line = " ".join("".join(kept).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


#: as long as a path may be
PATH_LIMIT = 4096


def path_shown(path: str | PurePath) -> str:
    """A file's name or place, which a stranger may have chosen, made safe for a terminal."""
    return clean(str(path), PATH_LIMIT)


def shown(text: str, limit: int = TEXT_LIMIT) -> str:
    """Foreign text as a person sees it: made safe, in the letters that are wished for."""
    safe = clean(text, limit)
    return to_ascii(safe) if is_ascii() else safe


def unfit(name: str) -> str:
    """Why what was typed is no name; "" where it is one."""
    if 0 < len(clean(name)) <= NAME_LIMIT:
        return ""
    return _("a name has 1 to {limit} visible characters").format(limit=NAME_LIMIT)


def called(name: str) -> str:
    """A player's name as a person sees it; the name of a bot in our own language.

    Only a bot is called so in plain words: a person who calls itself one is quoted.
    """
    if isinstance(name, BotName):
        return Person(_("Bot {number}").format(number=name.number), BOT, number=name.number)
    if any(word in BOTS for word in re.findall(r"[^\W\d_]+", skeleton(name))):
        return Person(_("“{name}”").format(name=shown(name, NAME_LIMIT - 4)))
    return Person(shown(name, NAME_LIMIT))


def _unnamed(seat: int) -> str:
    return Person(_("Seat {number}").format(number=seat + 1), SEAT, number=seat + 1)


class Listing(Cased):
    """Several names as one, each of which a sentence may decline."""

    __slots__ = ("names",)
    names: tuple[str, ...]

    def __new__(cls, names: Sequence[str]) -> Listing:
        several = super().__new__(cls, _together(names))
        several.names = tuple(names)
        return several

    def in_case(self, case: str) -> str:
        names = self.names
        return _together([n.in_case(case) if isinstance(n, Cased) else n for n in names])


def _together(words: Sequence[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return _("{several} and {last}").format(several=", ".join(words[:-1]), last=words[-1])


def listing(words: Sequence[str]) -> str:
    """ "A", "A and B", "A, B and C"."""
    return Listing(words)


@dataclass(frozen=True, slots=True)
class Scene:
    """Names by seat, ready to print, the seat that is "you" (None: a spectator), and which
    character each rank calls in this match (empty where that is not known)."""

    names: tuple[str, ...] = ()
    you: int | None = None
    ranks: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, names: Sequence[str], you: int | None, ranks: Mapping[int, str] | None = None
    ) -> Scene:
        """Clean the names and tell equal ones apart by their seat."""
        shown = [called(name) for name in names]
        known = [alike(name) for name in shown]
        for seat, name in enumerate(shown):
            if not name:
                shown[seat] = _unnamed(seat)
            elif known.count(known[seat]) > 1:
                told_apart = _("{name} (seat {number})").format(name=name, number=seat + 1)
                shown[seat] = Person(told_apart)
        return cls(tuple(shown), you, dict(ranks or {}))

    def name(self, seat: int | None) -> str:
        """The seat's name, or a number where it has none."""
        if seat is None:
            return _("nobody")
        if not 0 <= seat < len(self.names):
            return _unnamed(seat)
        name = self.names[seat]
        return name if isinstance(name, Cased) else Person(name)

    def subject(self, seat: int) -> str:
        """Whose line this is: "You", or the seat's name."""
        return _("You") if self.is_you(seat) else self.name(seat)

    def speaker(self, seat: int | None, name: str) -> str:
        """Who speaks: whoever has this seat, under the name that the seat is known by; whoever
        has none, told apart from a seat of that name.
        """
        if seat is not None:
            return self.name(seat)
        own = called(name)
        if alike(own) in {alike(known) for known in self.names}:
            return _("{name} (without a seat)").format(name=own)
        return own

    def is_you(self, seat: object) -> bool:
        return seat is not None and seat == self.you
