"""Which answers are confirmed with a second Enter before they are sent."""

from __future__ import annotations

from citadels_p2p.match import Ask, Option

#: verbs that hurt somebody or cannot be undone
HOSTILE = frozenset({
    "murder", "rob", "swap", "destroy", "seize", "exchange", "bewitch", "confiscate",
    "armory", "threaten", "contest", "stage", "recast",
})  # fmt: skip
#: verbs that cost nothing and that hardly anybody leaves out on purpose
_GIFTS = frozenset({"income", "bonus_gold", "bonus_cards"})


def forgone(ask: Ask, option: Option) -> tuple[Option, ...]:
    """The free options that ending the turn gives up: income and bonuses, else buildings."""
    if option.verb != "end":
        return ()
    gifts = tuple(one for one in ask.options if one.verb in _GIFTS)
    return gifts or tuple(one for one in ask.options if one.verb == "build")
