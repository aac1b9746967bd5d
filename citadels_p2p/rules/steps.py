"""The steps of a turn, where the table has agreed that they come in a fixed order.

Gathering, income, the powers of the character and of the city's districts, building, and the
powers of the turn's end where the books have such. Every step but the first may be left out;
none may be gone back to.
"""

from __future__ import annotations

from typing import Final

from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.state import Turn

GATHERING: Final = 0
INCOME: Final = 1
POWERS: Final = 2
BUILDING: Final = 3
CLOSING: Final = 4


def span(turn: Turn, *, duty: bool) -> tuple[int, int]:
    """The first and the last step that may be taken now, as `refusal` has it."""
    if not turn.gathered:
        return GATHERING, GATHERING
    return turn.step, POWERS if duty else CLOSING


def refusal(turn: Turn, step: int, *, duty: bool) -> Reason | None:
    """Why this step may not be taken now; `duty`: a power that must be used has not been."""
    if step > GATHERING and not turn.gathered:
        return Reason("gather_first")
    if step < turn.step:
        return Reason("step_over")
    return Reason("duty_first") if duty and step > POWERS else None
