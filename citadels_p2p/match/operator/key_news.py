"""What our person is told of a share key that its disk has lost."""

from __future__ import annotations

from citadels_p2p.match.news import Notice
from citadels_p2p.match.operator.contributor import Contributor


class KeyNews:
    """Whether our person knows that our share key is lost."""

    def __init__(self) -> None:
        self._is_lost = False

    def changes(self, contributor: Contributor) -> tuple[Notice, ...]:
        """What is new: how many have to give the key back, or that it is here again."""
        was_lost, self._is_lost = self._is_lost, not contributor.has_key
        if self._is_lost == was_lost:
            return ()
        if not self._is_lost:
            return (Notice("key_back"),)
        match = contributor.match
        held = match.keys.escrows.get(contributor.me)
        needed = match.operators if held is None else held.threshold
        return (Notice("key_asked", {"count": needed}),)
