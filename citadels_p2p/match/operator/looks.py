"""What a person was let look at, told between the events of its time.

A journal that is folded again is told in one go, when all looks of its match are over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.news import EventNews, LookNews, News, StateNews
from citadels_p2p.rules.events import Event


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
    """The events from `since` on, and what was looked at, or how everything lay, after so many
    of them; the last is for whoever tells how everything lies now.
    """
    for place, event in enumerate(events[since:], since):
        look = looks.get(place) if place > since else None
        you = None if look is None else look.view.you
        if look is not None and (isinstance(look, StateNews) or (you and you.seen)):
            yield look
        yield EventNews(event)
