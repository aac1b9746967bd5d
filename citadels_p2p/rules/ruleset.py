"""The rules of one match: an edition and its options, resolved to plain values.

Why so: docs/decisions, 24.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from citadels_p2p.cards import DISTRICTS, EDITIONS, READINGS, Edition, Printing
from citadels_p2p.rules.choosing import (
    RANDOM,
    choose_roster,
    choose_uniques,
    rank_of,
    refused,
    size_of,
)

#: how characters come to seats: chosen and passed on, or dealt by chance
DRAFTS: Final = ("pass", "deal")

_NEEDED: Final = {"edition", "seats"}
_FURTHER: Final = {"city", "characters", "characters_each", "draft", "uniques", *READINGS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the players agreed on.

    Equal rules give equal games. Built by `make` or `from_options`.

    `city` is how many districts complete a city. `characters`: one a rank, in rank order.
    `uniques`: the unique districts in the deck, in the edition's order; both begin with
    `RANDOM` where lots are yet to decide. `draft`: one of `DRAFTS`; `characters_each`: how many
    a seat plays in a round. The others are what `READINGS` lists.
    """

    edition: str
    seats: int
    city: int
    characters: tuple[str, ...]
    uniques: tuple[str, ...]
    draft: str
    characters_each: int
    complete: str
    ending: str
    gilding: str
    steps: str
    ties: str
    unveiling: str

    @classmethod
    def make(
        cls,
        edition: str = "classic",
        seats: int = 4,
        city: int | None = None,
        *,
        characters: Sequence[str] | None = None,
        uniques: Sequence[str] | None = None,
        draft: str = "pass",
        characters_each: int | None = None,
        **readings: str,
    ) -> Rules:
        """Fill in what the edition decides; ValueError with a code for what it does not allow.

        A note of the error says what was given, and what is possible. `characters` names those
        that take the place of the edition's usual ones at their ranks,
        or the ninth; `readings` are of `READINGS`. Codes: `unknown_edition`,
        `seats_out_of_range:` and the edition, `city_out_of_range`, `unknown_character`,
        `two_of_a_rank`, `too_few_seats:` and the character, `no_ninth_character`,
        `unknown_unique`, `uniques_out_of_range:` and the edition, `twice:` and `not_together:`
        and the district, `nothing_to_draw`, `unknown_draft`, `characters_each_out_of_range`,
        `unknown_` and a reading, `unknown_option`.
        """
        box = EDITIONS.get(edition)
        if box is None:
            raise refused("unknown_edition", edition, EDITIONS)
        if type(seats) is not int or not box.seats[0] <= seats <= box.seats[1]:
            raise refused(f"seats_out_of_range:{edition}", seats, box.seats, " to ")
        if city is None:
            city = box.short_city if seats >= 4 else box.long_city
        if type(city) is not int or city not in box.city_sizes:
            raise refused("city_out_of_range", city, box.city_sizes)
        if draft not in DRAFTS:
            raise refused("unknown_draft", draft, DRAFTS)
        if not set(readings) <= set(READINGS):
            raise refused("unknown_option", [*readings], READINGS)
        for name, reading in readings.items():
            if reading not in READINGS[name]:
                raise refused(f"unknown_{name}", reading, READINGS[name])
        roster = choose_roster(box, seats, characters)
        usual = 1 if seats >= 4 else 2
        each = usual if characters_each is None else characters_each
        most = size_of(box, seats, roster) // seats if draft == "deal" else usual
        fewest = 1 if draft == "deal" else usual
        if type(each) is not int or not fewest <= each <= most:
            raise refused("characters_each_out_of_range", each, (fewest, most), " to ")
        return cls(
            edition=edition,
            seats=seats,
            city=city,
            characters=roster,
            uniques=choose_uniques(box, roster, uniques),
            draft=draft,
            characters_each=each,
            **{**usual_readings(box, draft), **readings},
        )

    def remake(self, *, characters: Sequence[str], uniques: Sequence[str] | None) -> Rules:
        return Rules.make(
            self.edition,
            self.seats,
            self.city,
            characters=characters,
            uniques=uniques,
            draft=self.draft,
            characters_each=self.characters_each,
            **{name: getattr(self, name) for name in READINGS},
        )

    def __reduce__(self) -> tuple[object, ...]:
        """Rules go to another process as their options."""
        return Rules.from_options, (self.to_options(),)

    @property
    def drawn(self) -> bool:
        """Is nothing left to lots?"""
        return RANDOM not in self.characters and RANDOM not in self.uniques

    @property
    def cities_break(self) -> bool:
        """May powers reach into a complete city, and so take back the end of the match?"""
        return self.complete == "open"

    @property
    def printings(self) -> tuple[Printing, ...]:
        """The districts of the deck, one row each, as the edition prints them."""
        return _printings(self.edition, self.uniques)

    @property
    def pack(self) -> tuple[str, ...]:
        """Every district card of the deck, copies and all, in its public order before
        shuffling.
        """
        return tuple(row.card for row in self.printings for _ in range(row.copies))

    def rank_of(self, character: str) -> int | None:
        """When this character is called; None where it takes no part."""
        if character not in self.characters:
            return None
        return rank_of(EDITIONS[self.edition], character)

    def to_options(self) -> dict[str, object]:
        """Plain values in a fixed order, from which `from_options` builds the same rules.

        What is as the edition has it for so many seats and this draft is left out.
        """
        plain = _usual(self.edition, self.seats, self.city, self.draft)
        options: dict[str, object] = {
            "city": self.city,
            "edition": self.edition,
            "seats": self.seats,
        }
        if self.characters != plain.characters:
            options["characters"] = list(self.characters)
        if self.uniques != plain.uniques:
            options["uniques"] = list(self.uniques)
        if self.draft != DRAFTS[0]:
            options["draft"] = self.draft
        for name in ("characters_each", *READINGS):
            if (value := getattr(self, name)) != getattr(plain, name):
                options[name] = value
        return dict(sorted(options.items()))

    @classmethod
    def from_options(cls, options: Mapping[str, object]) -> Rules:
        """The rules that `to_options` described; ValueError with a code for anything else.

        What is left out is as the edition has it, `city` too.

        Codes: those of `make`.
        """
        if not _NEEDED <= set(options) <= _NEEDED | _FURTHER:
            raise ValueError("unknown_option")
        edition, seats, city = options["edition"], options["seats"], options.get("city")
        draft, each = options.get("draft", DRAFTS[0]), options.get("characters_each")
        if not isinstance(edition, str):
            raise ValueError("unknown_edition")
        if not isinstance(seats, int):
            raise ValueError("seats_out_of_range")
        if not isinstance(city, int | None) or ("city" in options and city is None):
            raise ValueError("city_out_of_range")
        if not isinstance(draft, str):
            raise ValueError("unknown_draft")
        if each is not None and not isinstance(each, int):
            raise ValueError("characters_each_out_of_range")
        return cls.make(
            edition,
            seats,
            city,
            characters=_words(options.get("characters"), "unknown_character"),
            uniques=_words(options.get("uniques"), "unknown_unique"),
            draft=draft,
            characters_each=each,
            **{name: _word(options[name], name) for name in READINGS if name in options},
        )


@lru_cache(maxsize=64)
def _printings(edition: str, uniques: tuple[str, ...]) -> tuple[Printing, ...]:
    box = EDITIONS[edition]
    return tuple(
        row
        for row in (*box.deck, *box.chest)
        if DISTRICTS[row.card].quarter != "unique" or row.card in uniques
    )


@cache
def _usual(edition: str, seats: int, city: int, draft: str) -> Rules:
    """Rules with everything else as the edition has it; equal questions share one."""
    return Rules.make(edition, seats, city, draft=draft)


def usual_readings(box: Edition, draft: str) -> dict[str, str]:
    """How the points of `READINGS` are read unless the table says otherwise."""
    usual = {name: values[0] for name, values in READINGS.items()} | {"ties": box.ties}
    return usual | {"complete": "open", "ties": "none"} if draft == "deal" else usual


def _word(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"unknown_{name}")
    return value


def _words(value: object, fault: str) -> tuple[str, ...] | None:
    if value is None:
        return None
    if isinstance(value, list | tuple) and all(isinstance(word, str) for word in value):
        return tuple(value)
    raise ValueError(fault)
