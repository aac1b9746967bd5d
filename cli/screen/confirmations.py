"""Which answers are confirmed with a second Enter before they are sent."""

from __future__ import annotations

from citadels_p2p.match import Ask, Option

#: verbs that hurt somebody; what gives something up says so itself
HOSTILE = frozenset({
    "murder", "rob", "swap", "destroy", "seize", "exchange", "bewitch", "confiscate",
    "threaten", "stage", "recast",
})  # fmt: skip


def forgone(ask: Ask, option: Option) -> tuple[Option, ...]:
    """What is left lying for good: all that costs nothing, else what could be built."""
    closed = tuple(one for one in ask.options if one.verb in option.closes)
    gifts = tuple(one for one in closed if one.gift)
    return gifts or tuple(one for one in closed if one.verb == "build")
