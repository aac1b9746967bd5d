"""What the persons at a laptop have been told of their match, and what is new to them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from citadels_p2p import rules
from citadels_p2p.match.asks import awaited_in
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.news import EventNews, LookNews, News, Notice, StateNews
from citadels_p2p.match.operator.contributor import Contributor
from citadels_p2p.match.operator.persons import Persons
from citadels_p2p.rules import State
from citadels_p2p.rules.events import Event


def view_of(contributor: Contributor, seat: int | None) -> rules.View:
    """What who plays a seat of ours may see; None: everybody."""
    known = {} if seat is None else contributor.known.faces(seat)
    return rules.view(contributor.match.state, seat, known)


class Telling:
    """What has been told: it outlives every folding of the match."""

    def __init__(self, persons: Persons) -> None:
        self._persons = persons
        self._events = 0
        self._looks: dict[int, LookNews] = {}  #: events so far → what was looked at then
        self._rounds: dict[int, StateNews] = {}  #: the same → how a round that began found it
        self._round = 0  #: the newest of these
        self._shown: tuple[StateNews, ...] = ()
        self._is_stale = False
        self._is_lost = False  # our share key, as far as our person knows
        self.notices: list[Notice] = []  #: to be told as soon as the cards are at rest

    @property
    def round(self) -> int | None:
        """The round in which the table was shown last; None: it never was."""
        return self._shown[-1].view.round if self._shown else None

    def closes(self, match: Match) -> bool:
        """Whether something is still to be told that closes whatever question is open then."""
        untold = match.events[self._events :]
        return bool(self.notices) or any(event.kind == "timed_out" for event in untold)

    def doubt(self) -> None:
        """What was shown of the table last may not be how it stands."""
        self._is_stale = True

    def rewind(self) -> None:
        """The match is folded again: it is told in one go, when all its looks are over."""
        self._looks.clear()
        self._rounds.clear()
        self._round = 0
        self.doubt()

    def look(self, contributor: Contributor) -> None:
        """Keep what one of our persons is let look at now; for who only watches, and may have
        come late, how everything lay when a round began.
        """
        match = contributor.match
        if not self._persons.seats and match.at_rest and match.state.round != self._round:
            self._round, view = match.state.round, view_of(contributor, None)
            (shown,) = self._persons.views(lambda _seat: view, awaited_in(match.state))
            self._rounds[len(match.events)] = shown
        if (seat := looking(match, self._persons.seats)) is not None:
            self._looks[len(match.events)] = LookNews(view_of(contributor, seat))

    def key(self, contributor: Contributor) -> list[News]:
        """Of our share key: how many have to give it back, or that it is here again."""
        was_lost, self._is_lost = self._is_lost, not contributor.has_key
        if self._is_lost == was_lost:
            return []
        if not self._is_lost:
            return [Notice("key_back")]
        match = contributor.match
        held = match.keys.escrows.get(contributor.me)
        needed = match.operators if held is None else held.threshold
        return [Notice("key_asked", {"count": needed})]

    def events(self, contributor: Contributor) -> list[News]:
        """Everything since the last time; all of it is confirmed."""
        events = contributor.match.events
        between: dict[int, LookNews | StateNews] = {**self._rounds, **self._looks}
        told = [*self.notices, *interleaved(events, self._events, between)]
        self.notices.clear()
        self._looks.clear()
        self._rounds.clear()
        if self._events < len(events):
            self._events = len(events)
            self.doubt()
        return told

    def table(self, contributor: Contributor) -> list[News]:
        """How it lies, unless nothing can have changed."""
        return self.show(contributor, contributor.match.state) if self._is_stale else []

    def show(
        self,
        contributor: Contributor,
        state: State,
        faces: Mapping[int, dict[int, str]] | None = None,
    ) -> list[News]:
        """The table in this state, unless just this was shown; `faces` by seat, where they are
        not what the seat sees now.
        """

        def view(seat: int | None) -> rules.View:
            known = {} if seat is None else (faces or {}).get(seat)
            if seat is not None and known is None:
                known = contributor.known.faces(seat)
            return rules.view(state, seat, known or {})

        shown = tuple(self._persons.views(view, awaited_in(state)))
        is_new, self._shown, self._is_stale = shown != self._shown, shown, False
        return [*shown] if is_new else []


def looking(match: Match, seats: Collection[int]) -> int | None:
    """Which of these seats is asked about cards that lie before it."""
    if match.stage != "play" or not match.at_rest:
        return None
    frame = match.state.stack[-1]
    looks = frame.need == "decide" and frame.seat in seats and bool(frame.slots)
    return frame.seat if looks else None


def interleaved(
    events: Sequence[Event], since: int, looks: Mapping[int, LookNews | StateNews]
) -> Iterator[News]:
    """The events from `since` on, and between them what a person was let look at, or how
    everything lay, after so many of them; the last is for whoever tells how everything lies
    now.
    """
    for place, event in enumerate(events[since:], since):
        look = looks.get(place) if place > since else None
        you = None if look is None else look.view.you
        if look is not None and (isinstance(look, StateNews) or (you and you.seen)):
            yield look
        yield EventNews(event)
