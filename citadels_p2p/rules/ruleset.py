"""The rules of one match: an edition and its options, resolved to plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, Edition, Printing

#: how characters come to seats: chosen and passed on, or dealt by chance
DRAFTS = ("pass", "deal")
#: what gold laid on a district raises: its price for others and its points, or its cost itself
GILDINGS = ("price", "cost")
#: what a hand card shown at the end brings: its points, or the unique quarter too
UNVEILINGS = ("points", "quarter")

_NINTH = 9
_NEEDED = {"city", "edition", "seats"}
_FURTHER = {"characters", "characters_each", "draft", "gilding", "uniques", "unveiling"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the players agreed on.

    Equal rules give equal games. Built by `make` or `from_options`.

    `city` is how many districts complete a city. `characters`: one a rank, in rank order.
    `uniques`: the unique districts in the deck, in the edition's order. `draft`: one of
    `DRAFTS`; `characters_each`: how many a seat plays in a round. `gilding`: one of `GILDINGS`.
    `unveiling`: one of `UNVEILINGS`.
    """

    edition: str
    seats: int
    city: int
    characters: tuple[str, ...]
    uniques: tuple[str, ...]
    draft: str
    characters_each: int
    gilding: str
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
        gilding: str = "price",
        unveiling: str = "points",
    ) -> Rules:
        """Fill in what the edition decides; ValueError with a code for what it does not allow.

        `characters` names those that take the place of the edition's usual ones at their ranks,
        or the ninth. Codes: `unknown_edition`, `seats_out_of_range`, `city_out_of_range`,
        `unknown_character`, `two_of_a_rank`, `too_few_seats:` and the character,
        `ninth_character_needed`, `no_ninth_character`, `unknown_unique`,
        `uniques_out_of_range`, `not_together:` and the district, `unknown_draft`,
        `characters_each_out_of_range`, `unknown_gilding`, `unknown_unveiling`.
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
        if draft not in DRAFTS:
            raise ValueError("unknown_draft")
        if gilding not in GILDINGS:
            raise ValueError("unknown_gilding")
        if unveiling not in UNVEILINGS:
            raise ValueError("unknown_unveiling")
        roster = _roster(box, seats, characters)
        usual = 1 if seats >= 4 else 2
        each = usual if characters_each is None else characters_each
        most = (len(roster) // seats) if draft == "deal" else usual
        fewest = 1 if draft == "deal" else usual
        if type(each) is not int or not fewest <= each <= most:
            raise ValueError("characters_each_out_of_range")
        return cls(
            edition=edition,
            seats=seats,
            city=city,
            characters=roster,
            uniques=_uniques(box, roster, uniques),
            draft=draft,
            characters_each=each,
            gilding=gilding,
            unveiling=unveiling,
        )

    @property
    def cities_break(self) -> bool:
        """May powers reach into a complete city, and so take back the end of the match?"""
        return self.draft == "deal"

    @property
    def printings(self) -> tuple[Printing, ...]:
        """The districts of the deck, one row each, as the edition prints them."""
        box = EDITIONS[self.edition]
        return tuple(
            row
            for row in (*box.deck, *box.chest)
            if DISTRICTS[row.card].quarter != "unique" or row.card in self.uniques
        )

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
        return _rank(EDITIONS[self.edition], character)

    def to_options(self) -> dict[str, object]:
        """Plain values in a fixed order, from which `from_options` builds the same rules.

        What is as the edition has it for so many seats is left out.
        """
        plain = Rules.make(self.edition, self.seats, self.city)
        options: dict[str, object] = {
            "city": self.city,
            "edition": self.edition,
            "seats": self.seats,
        }
        if self.characters != plain.characters:
            options["characters"] = list(self.characters)
        if self.uniques != plain.uniques:
            options["uniques"] = list(self.uniques)
        if self.draft != plain.draft:
            options["draft"] = self.draft
        if self.characters_each != plain.characters_each:
            options["characters_each"] = self.characters_each
        if self.gilding != plain.gilding:
            options["gilding"] = self.gilding
        if self.unveiling != plain.unveiling:
            options["unveiling"] = self.unveiling
        return dict(sorted(options.items()))

    @classmethod
    def from_options(cls, options: Mapping[str, object]) -> Rules:
        """The rules that `to_options` described; ValueError with a code for anything else.

        Codes: those of `make`, and `unknown_option`.
        """
        if not _NEEDED <= set(options) <= _NEEDED | _FURTHER:
            raise ValueError("unknown_option")
        edition, seats, city = options["edition"], options["seats"], options["city"]
        draft, gilding = options.get("draft", "pass"), options.get("gilding", "price")
        each, unveiling = options.get("characters_each"), options.get("unveiling", "points")
        if not isinstance(edition, str):
            raise ValueError("unknown_edition")
        if not isinstance(seats, int):
            raise ValueError("seats_out_of_range")
        if not isinstance(city, int):
            raise ValueError("city_out_of_range")
        if not isinstance(draft, str):
            raise ValueError("unknown_draft")
        if not isinstance(gilding, str):
            raise ValueError("unknown_gilding")
        if not isinstance(unveiling, str):
            raise ValueError("unknown_unveiling")
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
            gilding=gilding,
            unveiling=unveiling,
        )


def _words(value: object, fault: str) -> tuple[str, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list | tuple):
        raise ValueError(fault)
    words = tuple(word for word in value if isinstance(word, str))
    if len(words) != len(value):
        raise ValueError(fault)
    return words


def _rank(box: Edition, character: str) -> int:
    row = CHARACTERS[character]
    if box.wording == "older" and row.older_rank is not None:
        return row.older_rank
    return row.rank


def _roster(box: Edition, seats: int, wanted: Sequence[str] | None) -> tuple[str, ...]:
    """One character a rank, as the edition has it but for those that are wanted."""
    by_rank = {_rank(box, id): id for id in box.characters}
    if wanted is None:
        if seats in box.ninth_needed:
            ninth = next(
                id
                for id in box.cast
                if _rank(box, id) == _NINTH and CHARACTERS[id].fewest_seats <= seats
            )
            by_rank[_NINTH] = ninth
        return tuple(by_rank[rank] for rank in sorted(by_rank))
    chosen: set[int] = set()
    for id in wanted:
        if id not in box.cast:
            raise ValueError("unknown_character")
        rank = _rank(box, id)
        if rank in chosen:
            raise ValueError("two_of_a_rank")
        if CHARACTERS[id].fewest_seats > seats:
            raise ValueError(f"too_few_seats:{id}")
        chosen.add(rank)
        by_rank[rank] = id
    if _NINTH in by_rank and seats == 2:
        raise ValueError("no_ninth_character")
    if _NINTH not in by_rank and seats in box.ninth_needed:
        raise ValueError("ninth_character_needed")
    return tuple(by_rank[rank] for rank in sorted(by_rank))


def _uniques(
    box: Edition, roster: Sequence[str], wanted: Sequence[str] | None
) -> tuple[str, ...]:
    """The unique districts that are wanted, in the edition's order; else its usual ones."""
    banned = {card for character, card in box.apart if character in roster}
    usual = [row for row in box.deck if DISTRICTS[row.card].quarter == "unique"]
    if wanted is None:
        return tuple(row.card for row in usual if row.card not in banned)
    known = [*usual, *box.chest]
    if len(set(wanted)) != len(wanted) or not set(wanted) <= {row.card for row in known}:
        raise ValueError("unknown_unique")
    for card in wanted:
        if card in banned:
            raise ValueError(f"not_together:{card}")
    chosen = [row for row in known if row.card in wanted]
    low, high = box.unique_cards
    if not low <= sum(row.copies for row in chosen) <= high:
        raise ValueError("uniques_out_of_range")
    return tuple(row.card for row in chosen)
