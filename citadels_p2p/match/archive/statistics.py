"""What remembered matches come to: which are meant, wins, opponents, ratings, cards.

Only finished matches whose journals hold count. People are their keys; a name is what somebody
called themselves last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating

from citadels_p2p.match.archive.summary import Place, Summary

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


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is thought to be, and how far that may be off.

    Everybody begins at 25 ± 8.3; only what people reach against each other moves it.
    """

    mean: float
    deviation: float
    matches: int


@dataclass(frozen=True, slots=True)
class Own:
    """What one player has reached. `points` is the sum over all matches."""

    matches: int
    wins: int
    points: int
    best: int


@dataclass(frozen=True, slots=True)
class Opponent:
    """Who sat across: a person's key, or the level of bots.

    `meetings` counts seats, so two bots of one level in a match are two; `ahead` those in which
    the player was placed before them, `behind` after them; what is left was a tie.
    """

    key: str
    level: str
    name: str
    meetings: int
    ahead: int
    behind: int
    wins: int
    last: int


@dataclass(frozen=True, slots=True)
class CardCount:
    """A character or district.

    `own`: turns the player took as it, or times it was built; `all`: by anybody. `matches`: in
    which the player was it at least once, or had it standing at the end; `wins` of these.
    """

    card: str
    own: int
    all: int
    matches: int
    wins: int


def finished(summaries: Iterable[Summary]) -> tuple[Summary, ...]:
    """Those that count, the oldest first."""
    counting = [told for told in summaries if told.standing == "finished"]
    return tuple(sorted(counting, key=lambda told: (told.ended, told.file)))


def place_of(told: Summary, key: str) -> Place | None:
    """Where this key sat; None where it only looked on."""
    return next((place for place in told.places if place.key == key), None)


def own(summaries: Iterable[Summary], key: str) -> Own:
    """What this key has reached."""
    mine = [place for _, place in _played(summaries, key)]
    totals = [place.total for place in mine]
    return Own(len(mine), sum(p.won for p in mine), sum(totals), max(totals, default=0))


def ratings(summaries: Iterable[Summary]) -> dict[str, Rating]:
    """By key: Plackett and Luce's model of places, after each match with two people or more.

    Weng and Lin, "A Bayesian Approximation Method for Online Ranking" (2011).
    """
    model = PlackettLuce()
    held: dict[str, PlackettLuceRating] = {}
    rated: Counter[str] = Counter()
    for told in finished(summaries):
        people = [place for place in told.places if place.key]
        if len(people) < 2:
            continue
        teams = [[held.get(place.key) or model.rating()] for place in people]
        after = model.rate(teams, ranks=[float(place.rank) for place in people])
        for place, (rating,) in zip(people, after, strict=True):
            held[place.key] = rating
            rated[place.key] += 1
    return {
        key: Rating(rating.mu, rating.sigma, rated[key])
        for key, rating in sorted(held.items(), key=lambda pair: -pair[1].ordinal())
    }


def opponents(summaries: Iterable[Summary], key: str) -> tuple[Opponent, ...]:
    """Everybody who sat across, the most frequent first."""
    rows: dict[tuple[str, str], Opponent] = {}
    for told, mine in _played(summaries, key):
        for other in told.places:
            if other is mine:
                continue
            level = "" if other.key else other.level
            who = (other.key, level)
            before = rows.get(who) or Opponent(*who, "", 0, 0, 0, 0, 0)
            rows[who] = Opponent(
                *who,
                name=other.name,
                meetings=before.meetings + 1,
                ahead=before.ahead + (mine.rank < other.rank),
                behind=before.behind + (mine.rank > other.rank),
                wins=before.wins + other.won,
                last=told.ended,
            )
    return tuple(sorted(rows.values(), key=lambda row: (-row.meetings, row.key, row.level)))


def characters(summaries: Iterable[Summary], key: str) -> tuple[CardCount, ...]:
    """Every character that took a turn, the player's most frequent first."""
    return _cards(summaries, key, lambda place: place.turns, lambda place: place.turns)


def districts(summaries: Iterable[Summary], key: str) -> tuple[CardCount, ...]:
    """Every district that was built, the player's most frequent first."""
    return _cards(summaries, key, lambda place: place.built, lambda place: place.city)


def _played(summaries: Iterable[Summary], key: str) -> Iterator[tuple[Summary, Place]]:
    for told in finished(summaries):
        place = place_of(told, key)
        if place is not None:
            yield told, place


def _cards(
    summaries: Iterable[Summary],
    key: str,
    counted: Callable[[Place], Mapping[str, int]],
    had: Callable[[Place], Iterable[str]],
) -> tuple[CardCount, ...]:
    mine: Counter[str] = Counter()
    everybody: Counter[str] = Counter()
    matches: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    for told, place in _played(summaries, key):
        mine.update(counted(place))
        for seat in told.places:
            everybody.update(counted(seat))
        matches.update(set(had(place)))
        if place.won:
            wins.update(set(had(place)))
    rows = [
        CardCount(card, mine[card], everybody[card], matches[card], wins[card])
        for card in everybody.keys() | matches.keys()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.own, -row.all, row.card)))
