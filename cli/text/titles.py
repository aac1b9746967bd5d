"""What was worth telling of a match: its titles, such as the dearest ruin and who was robbed
most, and the rounds that decided it.

They come from events that everybody heard, so they are the same at every seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from citadels_p2p.cards import DISTRICTS
from citadels_p2p.match import OverNews
from citadels_p2p.rules.events import Event
from cli.i18n import _, counted
from cli.text import cards
from cli.text.deeds import victim
from cli.text.scene import Scene, listing

#: seats that may share a title
SHARED = 2
#: what is told of whoever suffers it, the heaviest first
_HEAVY = ("destroyed", "seized", "confiscated", "exchanged", "hands_swapped", "robbed")


def titles(events: Sequence[Event], scene: Scene) -> tuple[tuple[str, str], ...]:
    """Title and who earned it, of a whole match; what nobody earned, or nearly everybody, is
    left out.
    """
    # it takes a match's modules, which the lobby does without
    from citadels_p2p.match.archive.summary import murdered

    ruins = [one.fields() for one in events if one.kind == "destroyed"]
    deaths, seats = murdered(events), range(len(scene.names))
    robbed = Counter[int]()
    for fields in (one.fields() for one in events if one.kind == "robbed"):
        victim, gold = fields["victim"], fields["gold"]
        assert isinstance(victim, int)
        assert isinstance(gold, int)
        robbed[victim] += gold
    found = [(_("Dearest loss"), _ruin(ruins, scene))]
    razed = Counter(owner for one in ruins if isinstance(owner := one["owner"], int))
    found.append((_("Lost most districts"), _most(razed, scene, _times)))
    found.append((_("Most robbed"), _most(robbed, scene, _gold)))
    found.append((_("Most often murdered"), _most(deaths, scene, _times)))
    spared = [seat for seat in seats if not deaths[seat]]
    alone = len(spared) == 1 and scene.name(spared[0])
    found.append((_("Never murdered"), alone or ""))
    return tuple((title, who) for title, who in found if who)


def _ruin(ruins: Iterable[Mapping[str, object]], scene: Scene) -> str:
    """The dearest district that was destroyed, and whose it was."""
    known = [one for one in ruins if str(one["card"]) in DISTRICTS]
    if not known:
        return ""
    one = max(known, key=lambda fields: DISTRICTS[str(fields["card"])].cost)
    card, owner = str(one["card"]), one["owner"]
    return _("{name} ({told})").format(
        name=scene.name(owner if isinstance(owner, int) else None),
        told=f"{cards.district(card)}, {_gold(DISTRICTS[card].cost)}",
    )


def _most(counted: Counter[int], scene: Scene, told: Callable[[int], str]) -> str:
    most = max(counted.values(), default=0)
    first = [seat for seat, count in counted.items() if count == most]
    if not most or len(first) > SHARED:
        return ""
    names = listing([scene.name(seat) for seat in first])
    return _("{name} ({told})").format(name=names, told=told(most))


def _gold(count: int) -> str:
    return counted("{gold} gold", gold=count)


def _times(count: int) -> str:
    return counted("{count} time", "{count} times", count=count)


def turning_points(
    over: OverNews, events: Sequence[Event], scene: Scene
) -> Iterator[tuple[int, str, Event | None]]:
    """The round, whose chances it moved most, and the deed that was felt most then, if any."""
    for point in over.turning_points:
        moved = [
            after - before for before, after in zip(point.before, point.after, strict=True)
        ]
        most, least = moved.index(max(moved)), moved.index(min(moved))
        one = _("{name} from {before} to {after}%")
        told = listing([
            one.format(name=scene.name(x), before=point.before[x], after=point.after[x])
            for x in (most, least)
        ])  # fmt: skip
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
