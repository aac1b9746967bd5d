"""What a person has to trust: who could open its hand, and who could play on twice unseen.

Two numbers that are never one: a hand is opened by as many holders as an escrow of its key asks
for; a match is branched by whoever commands the network with as few as can play on with each
half of the others (PROTOCOL.md, 1.10, *Several histories*).
"""

from __future__ import annotations

from collections.abc import Iterable

from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.news import Holders, Trust
from protocol.cards.escrow import threshold


def agreed(operators: int, me: int, escrow: str) -> Trust:
    """What a table of so many agrees on, before any key is made."""
    needed = threshold(operators, escrow)
    others = tuple(one for one in range(operators) if one != me)
    return _trust(operators, needed, () if needed is None else (Holders(needed, others),))


def standing(match: Match, me: int) -> Trust:
    """What has come of it: who left for good still holds what it was entrusted with."""
    escrows = match.keys.entrusted(me)
    if not escrows:
        return agreed(match.operators, me, match.liveness.escrow)
    stay = match.operators - len(match.absence.left)
    every = (Holders(one.threshold, tuple(sorted(one.seals))) for one in escrows)
    return _trust(stay, match.keys.needed, every)


def _trust(operators: int, needed: int | None, every: Iterable[Holders]) -> Trust:
    several = tuple(dict.fromkeys(every))
    least = tuple(
        one for one in several if not any(_covers(x, one) for x in several if x != one)
    )
    if needed is None:
        return Trust(least, 0, None)
    return Trust(least, operators - needed, 2 * needed - operators)


def _covers(one: Holders, other: Holders) -> bool:
    """Whether whoever suffices of the others suffices of these."""
    strangers = set(other.laptops).difference(one.laptops)
    return other.needed - len(strangers) >= one.needed
