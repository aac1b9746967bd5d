"""What one look at the dealer after another tells: what is new since the look before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from citadels_p2p.match.fold.owing import long_work
from citadels_p2p.match.news import News, Notice, TableNews, Trust
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.session.presence_news import PresenceNews, handed_over
from citadels_p2p.match.session.trust import standing
from protocol import Gathering
from protocol.errors import RemoteError


class Glance(NamedTuple):
    """What one look at the dealer gives, taken on its own thread."""

    news: tuple[News, ...]
    words: tuple[str, ...]
    stage: str
    cheat: RemoteError | None
    work: tuple[str, int, int] | None
    presence: tuple[Notice, ...]
    bots: dict[int, str]
    departed: bool  # our own seat is given up, for good
    trust: Trust


def progress(what: str, done: int, of: int) -> Notice:
    """How far some long work is."""
    return Notice("progress", {"what": what, "done": done, "of": of})


class Glances:
    """One session's looks at its dealer."""

    def __init__(self) -> None:
        self.words: tuple[str, ...] = ()  #: those that name the match, once there are any
        self.trust: Trust | None = None  #: what our secrets rest on, once there are any
        self.bots: dict[int, str] = {}  #: seats that a bot plays for its person, by level
        self.presence = PresenceNews()  #: who is here
        self._work: tuple[str, int, int] | None = None

    def look(self, dealer: SealedDealer) -> Glance:
        """On the dealer's thread."""
        match = dealer.match
        stage = match.stage if dealer.settled else ""  # no score before its events
        return Glance(
            dealer.news(),
            match.words,
            stage,
            match.cheat,
            long_work(match),
            self.presence.changes(dealer),
            dict(match.bots),
            dealer.me in dealer.departed(),
            standing(match, dealer.me),
        )

    def tell(
        self,
        seen: Glance,
        lobby: Gathering,
        me: int | None,
        table: Callable[[], TableNews],
    ) -> Iterator[News]:
        """What a look tells that the one before did not; `table` is asked for as it is now."""
        if seen.work is not None and seen.work != self._work:
            self._work = seen.work
            yield progress(*seen.work)
        presence = seen.presence
        if seen.bots != self.bots:
            presence = (*presence, *handed_over(self.bots, seen.bots, lobby, me))
        if (seen.words, seen.trust) != (self.words, self.trust) or presence:
            self.words, self.bots, self.trust = seen.words, seen.bots, seen.trust
            yield table()
        yield from presence
        yield from seen.news
