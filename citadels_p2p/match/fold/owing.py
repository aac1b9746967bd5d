"""Who owes what, read from a match: the same list on every laptop after every entry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from citadels_p2p import rules
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.rules.needs import Call, Deal, Decide, Open, Over, Shuffle

if TYPE_CHECKING:
    from citadels_p2p.match.fold.match import Match

_FULFILLING = (
    bodies.KeyCommit
    | bodies.KeyOpen
    | bodies.Shuffled
    | bodies.Shared
    | bodies.Opened
    | bodies.Answered
    | bodies.Pledged
    | bodies.Recovered
    | bodies.Blinded
    | bodies.Passed
    | bodies.Veiled
    | bodies.KeyShown
)
"""What does nothing but fulfil a duty."""

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
    if not isinstance(entry, _FULFILLING) or before[:3] != after[:3]:
        return True
    return not set(after[3]) < set(before[3])


def rest(match: Match, fulfilled: Duty | None) -> tuple[Duty, ...]:
    """What is still owed of work that several do side by side, now that one has done its part.

    Empty where anything else may follow, and everything has to be read anew. Shares and answers
    are two of three entries, and until the last of them nothing follows.
    """
    if fulfilled is None or fulfilled.kind not in ("deal", "answer") or match.absence.gone:
        return ()
    left = tuple(duty for duty in match.duties if duty != fulfilled)
    return left if all(duty.kind == fulfilled.kind for duty in left) else ()


def before_play(match: Match) -> tuple[Duty, ...]:
    """Keys are promised, then shown, then held in escrow."""
    kind, done = {
        "commit": ("commit", match.keys.promised),
        "key": ("key", match.keys.shown),
        "escrow": ("entrust", frozenset(match.keys.escrows)),
    }[match.stage]
    return tuple(Duty(kind, o) for o in range(match.operators) if o not in done)


def pledges(match: Match) -> tuple[Duty, ...]:
    """Characters that a seat holds and is not committed to.

    Dealt by chance, or exchanged, or taken for it while its operator was gone.
    """
    gone = match.absence.gone
    return tuple(
        Duty("pledge", match.keepers[seat], (slot,), seat)
        for slot, seat in sorted(match.hidden_picks().items())
        if match.picks.holder(slot) != seat
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
            return openings(match, need.slots)
        case Call():
            return _answers(match)
        case Decide():
            keeper = match.keepers[need.seat]
            if keeper in absence.gone:
                return (Duty("timeout", absence.present[0], (), need.seat),)
            return (Duty("act", keeper, (), need.seat),)
        case Over():
            return tuple(Duty("audit", o) for o in absence.present if o not in match.keys.given)


def openings(match: Match, slots: Iterable[int]) -> tuple[Duty, ...]:
    """The shares that are missing before everybody can see these cards."""
    lacking: dict[int, list[int]] = {}
    for slot in slots:
        sharers = match.cards.state(slot).sharers
        for operator in range(match.operators):
            if operator not in sharers:
                lacking.setdefault(operator, []).append(slot)
    return tuple(match.absence.share_duties("open", dict(sorted(lacking.items()))))


def _answers(match: Match) -> tuple[Duty, ...]:
    """Everybody with a hidden character answers a call; the table answers for who is gone."""
    hidden = {
        slot: match.keepers[seat]
        for slot, seat in match.hidden_picks().items()
        if not match.cards.state(slot).is_open
    }
    gone = match.absence.gone
    left_behind = sorted(slot for slot, keeper in hidden.items() if keeper in gone)
    return (
        *_questions(match, left_behind),
        *(
            Duty("answer", operator)
            for operator in sorted(set(hidden.values()) - gone)
            if operator not in match.picks.answered
        ),
    )


def _questions(match: Match, slots: Sequence[int]) -> tuple[Duty, ...]:
    """What is missing before everybody knows whether one of these is the one that is called.

    Only that one is opened. Each phase ends for all slots before the next one begins: so what
    somebody has to say does not change while it says it.
    """
    need = rules.need(match.state)
    if not slots or not isinstance(need, Call):
        return ()
    inquiry, present = match.inquiry, match.absence.present
    (called,) = (id for id, rank in match.state.tables.ranks.items() if rank == need.rank)
    inquiry.ask(match.step, called)
    unasked: dict[int, list[int]] = {}
    for slot in slots:
        for operator in inquiry.lacking(slot, present):
            unasked.setdefault(operator, []).append(slot)
    if unasked:
        return tuple(Duty("blind", who, tuple(owed)) for who, owed in sorted(unasked.items()))
    unknown = [inquiry.place(slot) for slot in slots if inquiry.verdict(slot) is None]
    return openings(match, unknown or [slot for slot in slots if inquiry.verdict(slot)])
