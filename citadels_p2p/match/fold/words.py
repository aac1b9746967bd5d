"""What shows that somebody is here, and what does not although it is said.

While an operator's program owes something, nothing but that counts: otherwise it could keep a
share back for ever, and never be missed, by handing its seat over and taking it back. And who
was sent away while it owed something is not back before that is done: otherwise it could be
back each time before anybody had stood in for it. Whoever decides may think, and say this and
that meanwhile; but where the table has agreed how long, its program decides when the time is
over, so that a decision is owed like all else. Where it has not, most of those who count may
say of one decision that it has taken long enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.match.fold.refusal import STALE
from protocol.errors import IllegalEntry

if TYPE_CHECKING:
    from citadels_p2p.match.fold.match import Match


def counts(match: Match, duties: Sequence[Duty], operator: int) -> bool:
    """Whether a word that fulfils none of these duties shows that its author is here."""
    is_timed = match.allowed > 0
    return not any(
        duty.operator == operator and (is_timed or duty.kind != "act") for duty in duties
    )


def hurry(match: Match, author: int, entry: bodies.Hurried) -> None:
    """Somebody finds that a decision has taken long enough. Once most of those who count do,
    its time is limited, as by a step time that all had agreed to.

    IllegalEntry where nobody else has to decide at this step, or its author has said so.
    """
    deciding = {duty.operator for duty in match.duties if duty.kind == "act"}
    is_open = entry.step == match.step and bool(deciding) and author not in deciding
    if not is_open or match.liveness.step_time or author in match.hurried:
        raise IllegalEntry(STALE)
    match.hurried |= {author}


def miss(match: Match, author: int, entry: bodies.Missed) -> bool:
    """Take a word on somebody's silence; whether that makes it away."""
    absence = match.absence
    is_away = absence.attendance.miss(author, entry.operator, entry.since)
    if is_away and not counts(match, match.duties, entry.operator):
        absence.owed_at[entry.operator] = match.step
    return is_away


def come_back(match: Match, author: int) -> bool:
    """Somebody says that it is here: whether it had been away.

    IllegalEntry where nobody missed it, where it owes a better word, while others do at this
    very step what it owed when it was sent away, and before the next round where it has come
    and gone too often.
    """
    absence, attendance = match.absence, match.absence.attendance
    if author not in attendance.away:
        is_early = not counts(match, match.duties, author)
    else:
        is_undone = author in absence.undone_at(match.step) and not match.at_rest
        is_kept_off = author in match.held_off or absence.is_taking_leave(author)
        is_early = is_kept_off or (is_undone and match.stage == "play")
    if is_early:
        raise IllegalEntry(STALE)
    return attendance.come_back(author)
