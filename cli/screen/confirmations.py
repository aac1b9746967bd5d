"""Which answers are confirmed with a second Enter before they are sent."""

from __future__ import annotations

from citadels_p2p.match import Ask, Option

#: verbs that hurt somebody; what gives something up says so itself
HOSTILE = frozenset({
    "murder", "rob", "swap", "destroy", "seize", "exchange", "bewitch", "confiscate",
    "threaten", "stage", "recast",
})  # fmt: skip


def forgone(ask: Ask, option: Option) -> tuple[Option, ...]:
    """What ending the turn leaves lying: all that costs nothing, else what could be built."""
    if option.verb != "end":
        return ()
    gifts = tuple(one for one in ask.options if one.gift)
    return gifts or tuple(one for one in ask.options if one.verb == "build")
