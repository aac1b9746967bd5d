"""What a person is asked about once more before it is sent."""

from __future__ import annotations

from citadels_p2p.match.news import Ask, Option

#: verbs that hurt somebody or cannot be undone
HOSTILE = frozenset(
    {
        "murder",
        "rob",
        "swap",
        "destroy",
        "seize",
        "exchange",
        "bewitch",
        "confiscate",
        "armory",
        "threaten",
        "contest",
        "stage",
        "recast",
    }
)
#: verbs that cost nothing and that hardly anybody leaves out on purpose
_GIFTS = frozenset({"income", "bonus_gold", "bonus_cards"})


def forgone(ask: Ask, option: Option) -> tuple[Option, ...]:
    """What ending the turn throws away although it is there for the taking; gifts first."""
    if option.verb != "end":
        return ()
    gifts = tuple(one for one in ask.options if one.verb in _GIFTS)
    return gifts or tuple(one for one in ask.options if one.verb == "build")
