"""The rounds that decided a match: whose chance rose and whose fell, and what was done then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from citadels_p2p.match import OverNews
from citadels_p2p.rules.events import Event
from cli.i18n import _
from cli.text.deeds import victim
from cli.text.scene import Scene, listing

#: what is told of whoever suffers it, the heaviest first
_HEAVY = ("destroyed", "seized", "confiscated", "exchanged", "hands_swapped", "robbed")


def turning_points(
    over: OverNews, events: Sequence[Event], scene: Scene
) -> Iterator[tuple[int, str, Event | None]]:
    """The round, whose chances it moved most, and the deed that was felt most then, if any."""
    for point in over.turning_points:
        moved = [
            after - before for before, after in zip(point.before, point.after, strict=True)
        ]
        most, least = moved.index(max(moved)), moved.index(min(moved))
        told = listing(
            [
                _("{name} from {before} to {after}%").format(
                    name=scene.name(seat), before=point.before[seat], after=point.after[seat]
                )
                for seat in (most, least)
            ]
        )
        said = _("Round {round}: {told}").format(round=point.round, told=told)
        yield point.round, said, _deed(_events_of(point.round, events), most, least)


def _events_of(number: int, events: Sequence[Event]) -> Sequence[Event]:
    """Those of one round."""
    begins = [place for place, event in enumerate(events) if event.kind == "round_begins"]
    start = next((x for x in begins if events[x].fields()["round"] == number), len(events))
    rest = events[start + 1 :]
    return list(takewhile(lambda event: event.kind != "round_begins", rest))


def _deed(events: Sequence[Event], most: int, least: int) -> Event | None:
    """The heaviest that befell the loser, else the city that the gainer completed."""
    felt = [one for one in events if one.kind in _HEAVY and victim(one) == least]
    if felt:
        return min(felt, key=lambda event: _HEAVY.index(event.kind))
    done = (x for x in events if x.kind == "city_completed" and x.fields()["seat"] == most)
    return next(done, None)
