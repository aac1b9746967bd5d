"""How the matches of one evening went: who won them, and who was murdered most."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from citadels_p2p.match.archive.history import verified
from citadels_p2p.match.archive.index import Index, may_go_on
from citadels_p2p.match.archive.summary import Summary, keys_of_seats, murdered
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.news import BotName, OverNews, Standing, StandingNews
from citadels_p2p.rules.events import Event
from protocol.errors import ProtocolError
from protocol.identity.keys import fingerprint
from protocol.journal.chain import Chain
from protocol.storage.match_files import last_written, read_cover

EVENING = 12 * 3600
"""Seconds after which a match no longer counts to the same evening."""

Row: TypeAlias = tuple[str, str, bool, int]
"""Of a player a key, the name, whether it won, how often murdered."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one match went, by seat; `people` are the keys of its persons."""

    people: frozenset[str]
    rows: tuple[Row, ...]


class Tally:
    """A standing that grows match by match; rows in the order in which people came."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._wins: Counter[str] = Counter()
        self._murdered: Counter[str] = Counter()
        self._matches = 0

    def add(self, rows: Iterable[Row]) -> None:
        self._matches += 1
        for key, name, won, times in rows:
            self._names[key] = name
            self._wins[key] += won
            self._murdered[key] += times

    def told(self) -> StandingNews:
        rows = (
            Standing(name, self._wins[key], self._murdered[key])
            for key, name in self._names.items()
        )
        return StandingNews(self._matches, tuple(rows))

    def practised(self, over: OverNews, events: Sequence[Event]) -> StandingNews:
        """With one more match on this laptop, where seats are the same every time."""
        times = murdered(events)
        self.add(
            (str(seat), name, seat in over.winners, times[seat])
            for seat, name in enumerate(over.names)
        )
        return self.told()


def outcome(match: Match, over: OverNews) -> Outcome:
    """How a match went that was just played to its end here, and so was checked meanwhile."""
    keys, times = keys_of_seats(match), murdered(match.events)
    rows = (
        (keys[seat] or str(seat + 1), name, seat in over.winners, times[seat])
        for seat, name in enumerate(over.names)
    )
    return Outcome(frozenset(filter(None, keys)), tuple(rows))


def earlier(
    home: Path, people: Collection[str], but: Collection[Path], pause: Callable[[], None]
) -> tuple[tuple[Row, ...], ...]:
    """The matches of this evening between these people that lie on our disk, verified, in the
    order in which they ended; none of those that `but` names.

    May block for as long as verifying takes, which a process of its own does and gives way to
    all others. `pause` is called now and then meanwhile, and what it raises ends it.
    """
    since = time.time() - EVENING
    with Index(home) as index:
        recent = []
        with index.at_once():  # a backup was just put back: all of it is dated today
            for path in index.paths:
                pause()
                if path in but or last_written(path) <= since or may_go_on(path):
                    continue
                chapter = index.chapter(path)
                if chapter.written > since and (chapter.told or _may_be_of(path, people)):
                    recent.append(chapter)
        told = sorted(
            verified(index, recent, lambda _: pause(), idle=True), key=lambda one: one.ended
        )
    return tuple(
        _rows(one)
        for one in told
        if one.standing == "finished"
        and {seat.key for seat in one.places if seat.key} == people
    )


def _may_be_of(path: Path, people: Collection[str]) -> bool:
    """Whether these people may have played this match: whoever was in it, it says in its first
    entry.
    """
    try:
        first = read_cover(path).first
        operators = () if first is None else Chain(first).genesis.operators
    except ProtocolError:
        return False
    laptops = {fingerprint(operator.identity) for operator in operators}
    return laptops >= {key.partition("/")[0] for key in people}


def _rows(told: Summary) -> tuple[Row, ...]:
    return tuple(
        (
            place.key or str(number),
            place.name if place.key else BotName(number),
            place.won,
            place.murdered,
        )
        for number, place in enumerate(told.places, 1)
    )
