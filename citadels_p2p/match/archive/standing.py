"""How the matches of one evening went: who won them, and who was murdered most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from citadels_p2p.match.archive.audit import examine
from citadels_p2p.match.archive.history import recall
from citadels_p2p.match.archive.summary import Summary, murdered, summarise
from citadels_p2p.match.news import BotName, OverNews, Standing, StandingNews
from citadels_p2p.rules.events import Event
from protocol.storage.match_files import read_journal

EVENING = 12 * 3600
"""Seconds after which a match no longer counts to the same evening."""


class Tally:
    """A standing that grows match by match; rows in the order in which people came."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._wins: Counter[str] = Counter()
        self._murdered: Counter[str] = Counter()
        self._matches = 0

    def add(self, rows: Iterable[tuple[str, str, bool, int]]) -> None:
        """One match: of each player a key, the name, whether it won, how often murdered."""
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


def evening(home: Path, path: Path, pause: Callable[[], None]) -> StandingNews | None:
    """The matches of this evening between the people of the one in `path`, all verified.

    None where that one does not hold. May block for as long as verifying takes; `pause` is
    called now and then meanwhile, and what it raises ends it. Raises `Unavailable` or a
    `RemoteError` where it cannot be read.
    """
    file, ended = path.relative_to(home).as_posix(), int(path.stat().st_mtime)
    now = summarise(file, ended, *examine(read_journal(path), lambda *_: pause()))
    if now.standing != "finished":
        return None
    tally = Tally()
    for told in sorted(recall(home, lambda *_: pause()).summaries, key=lambda one: one.ended):
        recent = told.standing == "finished" and told.ended > ended - EVENING
        if recent and told.file != file and _people(told) == _people(now):
            tally.add(_rows(told))
    tally.add(_rows(now))
    return tally.told()


def _people(told: Summary) -> set[str]:
    return {place.key for place in told.places if place.key}


def _rows(told: Summary) -> Iterable[tuple[str, str, bool, int]]:
    for number, place in enumerate(told.places, 1):
        name = place.name if place.key else BotName(number)
        yield place.key or str(number), name, place.won, place.murdered
