"""What a person is asked next, worked out while what it waits for is still on its way.

The person begins to think, and the answer is held until just this is asked: so nothing here
gives a share away, and a guess that does not come true costs a question that is asked anew.

Foreseen is what comes of a seat's own decision, where the same seat decides again and nothing
has moved but what the decision shows; of its own answer to a call, which all others must deny;
of mixing its own cards, in the order that it has drawn; and how all lies already, but for the
confirmation.

Why so: docs/decisions, 19.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from citadels_p2p import rules
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.operator.contributor import Contributor
from citadels_p2p.rules import State
from citadels_p2p.rules.needs import Call, Called, Deal, Dealt, Decide, Fact

SILENT = bodies.Shuffled | bodies.Shared | bodies.Passed | bodies.Veiled
"""What tells nobody anything of the match but where its cards lie."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """The match as it will stand at a step, and the cards that a seat will look at then."""

    step: int
    seat: int
    state: State
    faces: dict[int, str]

    def may_come(self, contributor: Contributor) -> bool:
        """Whether the match still goes there, or stands just so."""
        match = contributor.match
        if match.step < self.step or (match.step == self.step and not match.at_rest):
            return True
        same = match.step == self.step and match.state.values() == self.state.values()
        return same and contributor.known.faces(self.seat) == self.faces


def foresee(
    match: Match,
    fact: Fact,
    seat: int,
    shown: Collection[int],
    faces: dict[int, str],
) -> Prospect | None:
    """What a fact of this seat's making comes to, as far as its next question; it opens the
    `shown`.
    """
    state = match.state.copy()
    rules.apply(state, fact)
    need = rules.need(state)
    if not isinstance(need, Decide) or need.seat != seat:
        return None
    before, after = match.zones, rules.zones(state)
    moved = {slot for slot in {**before, **after} if before.get(slot) != after.get(slot)}
    if not moved.issubset(shown):
        return None  # a sealed card has to be dealt, passed or mixed first
    left = {slot: face for slot, face in faces.items() if slot not in moved}
    return Prospect(match.step + 1, seat, state, left)


def outlook(contributor: Contributor, seats: Collection[int]) -> Prospect | None:
    """What one of these seats is asked next as all lies now, where that is foreseen."""
    match = contributor.match
    if match.stage != "play" or match.cheat is not None or match.absence.gone:
        return None
    need = rules.need(match.state)
    if isinstance(need, Call):
        called = contributor.called()
        if called is None or called[0] not in seats:
            return None
        seat, slot, _ = called
        return foresee(match, Called(*called), seat, (slot,), contributor.known.faces(seat))
    if not isinstance(need, Deal | Decide) or need.seat not in seats:
        return None
    known = _faces(contributor, need.seat)
    if known is None:
        return None
    if isinstance(need, Deal):
        return foresee(match, Dealt(), need.seat, (), known)
    return Prospect(match.step, need.seat, match.state.copy(), known)


def _faces(contributor: Contributor, seat: int) -> dict[int, str] | None:
    """The cards that this seat will look at when it decides; None where that is not known."""
    match, known = contributor.match, contributor.known.faces(seat)
    kinds = {(duty.kind, duty.seat) for duty in match.duties}
    slots = [slot for duty in match.duties for slot in duty.slots]
    if match.at_rest:
        return known
    if kinds == {("deal", seat)}:
        return known if all(slot in known for slot in slots) else None
    if len(match.duties) == 1 and kinds <= {("mix", seat), ("remask", seat)}:
        mixed = contributor.known.mixed(slots)
        return None if mixed is None else {**known, **mixed}
    return None
