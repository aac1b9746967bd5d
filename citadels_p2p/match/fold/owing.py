"""Who owes what, read from a match: the same list on every laptop after every entry.

Why so: docs/decisions, 29.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from citadels_p2p import rules
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.rules import Zone
from citadels_p2p.rules.needs import Call, Deal, Decide, Open, Over, Shuffle

if TYPE_CHECKING:
    from citadels_p2p.match.fold.match import Match

Moment: TypeAlias = tuple[str, int, int, tuple[Duty, ...]]
"""The stage, the facts and the events so far, and what is owed."""

LARGE_PILE = 24
"""Cards whose joint shuffle a person waits for; a round's characters are done in a blink."""


def long_work(match: Match) -> tuple[str, int, int] | None:
    """Work that a person should see go on: what, how much is done, of how much."""
    if match.stage in ("commit", "key", "escrow"):
        keys = match.keys
        done = len(keys.promised) + len(keys.shown) + len(keys.escrows)
        return "keys", done, (2 if keys.needed is None else 3) * match.operators
    need = rules.need(match.state)
    if isinstance(need, Shuffle) and len(need.slots) >= LARGE_PILE:
        return "shuffle", len(match.shuffled), len(match.absence.present)
    return None


def moment(match: Match) -> Moment:
    """Where a match stands between two entries."""
    return match.stage, match.step, len(match.events), match.duties


def turns(entry: bodies.Body | bodies.Removed, before: Moment, after: Moment) -> bool:
    """Whether an entry gave anybody something new to say or to see.

    One share of many does not: until the last of them, all that changes is that its author owes
    it no more.
    """
    if not isinstance(entry, bodies.Fulfilling) or before[:3] != after[:3]:
        return True
    return not set(after[3]) < set(before[3])


def rest(match: Match, fulfilled: Duty | None) -> tuple[Duty, ...]:
    """What is still owed of work that several do side by side, now that one has done its part.

    Empty where anything else may follow, and everything has to be read anew. Shares and answers
    are two of three entries, and until the last of them nothing follows.
    """
    if fulfilled is None or fulfilled.kind not in ("deal", "answer") or match.absence.gone:
        return ()
    left = [duty for duty in match.duties if duty != fulfilled]
    return tuple(left) if {duty.kind for duty in left} == {fulfilled.kind} else ()


def before_play(match: Match) -> tuple[Duty, ...]:
    """Keys are promised, then shown, then held in escrow."""
    stages: Mapping[str, tuple[str, Collection[int]]] = {
        "commit": ("commit", match.keys.promised),
        "key": ("key", match.keys.shown),
        "escrow": ("entrust", match.keys.escrows),
    }
    kind, done = stages[match.stage]
    return tuple(Duty(kind, o) for o in range(match.operators) if o not in done)


def pledges(match: Match) -> tuple[Duty, ...]:
    """Characters that a seat holds and is not committed to.

    Dealt by chance, or exchanged, or taken for it while its operator was gone.
    """
    gone = match.absence.gone
    return tuple(
        Duty("pledge", match.keepers[seat], (slot,), seat)
        for slot, seat in sorted(match.hidden_picks().items())
        if match.picks.holders.get(slot) != seat
        and match.keepers[seat] not in gone
        and not match.cards.state(slot).is_open
    )


def for_need(match: Match, need: rules.Need) -> tuple[Duty, ...]:
    """What must be said before the engine's need can be served."""
    absence = match.absence
    match need:
        case Shuffle():
            left = [one for one in absence.present if one not in match.shuffled]
            return (Duty("shuffle", left[0], need.slots),) if left else ()
        case Deal():
            return ()
        case Open():
            return openings(match, shown(match, need.slots))
        case Call():
            return _answers(match)
        case Decide():
            keeper = match.keepers[need.seat]
            if keeper in absence.gone:
                default = Duty("timeout", absence.present[0], (), need.seat)
                return _unseen(match, need.seat) or (default,)
            return (Duty("act", keeper, (), need.seat),)
        case Over():
            kind, done = (
                ("over", match.ended) if unended(match) else ("audit", match.keys.given)
            )
            here = (one for one in absence.present if one != match.resigned)
            return tuple(Duty(kind, one) for one in here if one not in done)


def _unseen(match: Match, seat: int) -> tuple[Duty, ...]:
    """The masks that are owed before a character is taken for a seat whose operator is gone.

    In another history it may have passed these very cards on, and said so what is taken here.
    """
    pile = [slot for slot, zone in match.zones.items() if zone == Zone("picking", seat)]
    return match.custody.passes({match.keepers[seat]: pile}, match.zones)


def unended(match: Match) -> frozenset[int]:
    """Who has yet to say that the match is over, before any key is given away.

    A history may be one of several. Keys open what was sealed to them, so they are published
    only where everybody whose cards that would show is in this one. Who left by its own word
    says it once that stands: the word itself could stand in another history, and not there.
    """
    return frozenset(range(match.operators)) - match.ended


def has_ended(match: Match, operator: int) -> bool:
    """Whether the match is over for an operator: by its last score, or by its own goodbye."""
    return match.is_over or operator in match.absence.attendance.goodbyes


def openings(match: Match, slots: Iterable[int]) -> tuple[Duty, ...]:
    """The shares that are missing before everybody can see these cards."""
    lacking: dict[int, list[int]] = {}
    for slot in slots:
        sharers = match.cards.state(slot).sharers
        for operator in range(match.operators):
            if operator not in sharers:
                lacking.setdefault(operator, []).append(slot)
    return match.custody.share_duties("open", dict(sorted(lacking.items())), match.zones)


def shown(match: Match, slots: Iterable[int]) -> list[int]:
    """Those of the slots that are opened: what is in who is gone's hand stays closed."""
    gone, kept = match.absence.gone, ("hand", "pick")
    return [
        slot
        for slot in slots
        if match.zones[slot].kind not in kept or match.keepers[match.seat_of(slot)] not in gone
    ]


def _answers(match: Match) -> tuple[Duty, ...]:
    """Everybody who is here and has a hidden character answers a call."""
    hidden = {
        match.keepers[seat]
        for slot, seat in match.hidden_picks().items()
        if not match.cards.state(slot).is_open
    }
    left = hidden.difference(match.absence.gone, match.picks.answers)
    return tuple(Duty("answer", operator) for operator in sorted(left))
