"""The rules of one match: an edition and its options, resolved to plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from citadels_p2p.cards import CHARACTERS, EDITIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the players agreed on.

    Equal rules give equal games. Built by `make` or `from_options`.

    `city` is how many districts complete a city.
    """

    edition: str
    seats: int
    city: int

    @classmethod
    def make(cls, edition: str = "classic", seats: int = 4, city: int | None = None) -> Rules:
        """Fill in what the edition decides; ValueError with a code for what it does not allow.

        Codes: `unknown_edition`, `seats_out_of_range`, `city_out_of_range`.
        """
        box = EDITIONS.get(edition)
        if box is None:
            raise ValueError("unknown_edition")
        if type(seats) is not int or not box.seats[0] <= seats <= box.seats[1]:
            raise ValueError("seats_out_of_range")
        if city is None:
            city = box.short_city if seats >= 4 else box.long_city
        if type(city) is not int or city not in box.city_sizes:
            raise ValueError("city_out_of_range")
        return cls(edition=edition, seats=seats, city=city)

    @property
    def pack(self) -> tuple[str, ...]:
        """Every district card of the deck, copies and all, in its public order before
        shuffling.
        """
        deck = EDITIONS[self.edition].deck
        return tuple(printing.card for printing in deck for _ in range(printing.copies))

    def rank_of(self, character: str) -> int | None:
        """When this character is called; None where it takes no part."""
        if character not in EDITIONS[self.edition].characters:
            return None
        return CHARACTERS[character].rank

    def to_options(self) -> dict[str, object]:
        """Plain values in a fixed order, from which `from_options` builds the same rules."""
        return {"city": self.city, "edition": self.edition, "seats": self.seats}

    @classmethod
    def from_options(cls, options: Mapping[str, object]) -> Rules:
        """The rules that `to_options` described; ValueError with a code for anything else.

        Codes: those of `make`, and `unknown_option`.
        """
        if set(options) != {"city", "edition", "seats"}:
            raise ValueError("unknown_option")
        edition, seats, city = options["edition"], options["seats"], options["city"]
        if not isinstance(edition, str):
            raise ValueError("unknown_edition")
        if not isinstance(seats, int):
            raise ValueError("seats_out_of_range")
        if not isinstance(city, int):
            raise ValueError("city_out_of_range")
        return cls.make(edition, seats, city)
