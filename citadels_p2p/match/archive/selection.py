"""Which of the remembered matches are meant: against whom, by which box, since when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from citadels_p2p.match.archive.summary import Summary

#: letters of a key that name somebody; fewer are as good as chance among friends
ENOUGH = 4


@dataclass(frozen=True, slots=True)
class Selection:
    """What a match must have to be meant; what is empty does not matter.

    `against`: somebody's name or the beginning of their key; `edition`: of the rules; `since`:
    when it ended at the earliest, in seconds since 1970.
    """

    against: str = ""
    edition: str = ""
    since: int = 0

    def fits(self, told: Summary, key: str) -> bool:
        """Whether this match is meant by whoever has this key."""
        return (
            told.ended >= self.since
            and self.edition in ("", told.edition)
            and (not self.against or self._is_against(told, key))
        )

    def _is_against(self, told: Summary, key: str) -> bool:
        return any(
            place.key
            and place.key != key
            and (begins(place.key, self.against) or _same(place.name, self.against))
            for place in told.places
        )


def begins(key: str, typed: str) -> bool:
    """Whether a key begins as somebody typed; dashes, spaces and case do not matter. One of
    several persons at a laptop is meant where the laptop's key is typed with their name.
    """
    letters = _letters(typed)
    if ("/" in typed) != ("/" in key):
        return False
    return len(letters) >= ENOUGH and _letters(key).startswith(letters)


def keys(summaries: Iterable[Summary]) -> frozenset[str]:
    """Everybody who had a laptop in one of these matches, or shared one."""
    found: set[str] = set()
    for told in summaries:
        found.update(told.operators, (place.key for place in told.places if place.key))
    return frozenset(found)


def _same(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()


def _letters(key: str) -> str:
    return key.replace("-", "").replace(" ", "").casefold()
