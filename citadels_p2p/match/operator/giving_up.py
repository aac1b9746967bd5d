"""Words with which a person gives a seat away: its own to a bot for a while, or for good; or
another's next decision to chance, together with the others.
"""

from __future__ import annotations

from citadels_p2p.bots import LEVELS
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.operator.contributor import Contributor, say
from citadels_p2p.rules import Reason
from protocol.application import Contribution


def hand_over(contributor: Contributor, seat: int | None, level: str) -> Contribution | Reason:
    """Let a bot of this level play a seat; '' takes it back."""
    match = contributor.match
    if seat is None:
        return Reason("no_such_seat")
    if match.is_over:
        return Reason("match_over")
    if level and level not in LEVELS:
        return Reason("unknown_level")
    if match.absence.is_taking_leave(contributor.me):
        return Reason("already_so")  # nobody's to play, neither a bot's nor a person's
    if level == match.bots.get(seat, ""):
        return Reason("already_so")
    key = f"hand_over/{match.folded}/{level}".encode()
    return say(key, bodies.HandedOver(seat, level))


def hurry(contributor: Contributor) -> Contribution | Reason:
    """Whoever decides now has thought for long enough, as most of the others may say too."""
    match, me = contributor.match, contributor.me
    deciding = {duty.operator for duty in match.duties if duty.kind == "act"}
    if not deciding or me in deciding or match.liveness.step_time:
        return Reason("not_needed")
    if me in match.hurried:
        return Reason("already_so")
    return say(f"hurry/{match.step}".encode(), bodies.Hurried(match.step))


def depart(contributor: Contributor) -> Contribution | Reason:
    """Leave for good: the others play on, and nobody takes this operator's seats again."""
    match, me = contributor.match, contributor.me
    absence = match.absence
    if absence.is_taking_leave(me):
        return Reason("already_so")
    if match.is_over:
        return Reason("match_over")
    if match.stage != "play":
        return Reason("not_spared")
    if match.operators - len(absence.left) == 2 and not absence.leaving:
        if not contributor.has_key:
            return Reason("not_spared")
        return say(b"resigned", bodies.Resigned())
    if not absence.could_spare(me):
        return Reason("not_spared")
    word = absence.attendance.words[me]
    return say(f"given_up/{me}/{word}".encode(), bodies.GivenUp(me, word))
