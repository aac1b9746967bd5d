"""Equal checks are made once a match, whichever laptop asks.

Eight laptops check the same proof eight times, and come to the same verdict: these functions
know nothing but their arguments. While `once` lasts, a verdict that was good is remembered; one
that was bad is found anew each time. Every laptop still goes through the same door.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Hashable, Iterator
from typing import TypeVar
from unittest import mock

from protocol.cards import proofs, shuffle
from protocol.cards.group import Edwards25519
from protocol.journal import election
from protocol.wire import codec

T = TypeVar("T")

_CHECKS: tuple[Callable[..., object], ...] = (
    codec.encode,
    codec.decode,
    election.open_election,
    election.open_vote,
    proofs.check_possession,
    proofs.check_shares,
    shuffle.check_shuffle,
)
"""Pure, with arguments that can be compared, and results that nobody can change."""

_ARITHMETIC: tuple[Callable[..., object], ...] = (
    Edwards25519.decode_point,
    Edwards25519.multiply,
    Edwards25519.base,
    Edwards25519.hash_to_point,
)
"""What the real group's cost is made of."""

_ROOMS = ("protocol.", "citadels_p2p.", "tests.protocol.", "tests.simulation.")


@contextlib.contextmanager
def once() -> Iterator[None]:
    """While this lasts, what was found good is not looked at again."""
    rooms = [module for name, module in sys.modules.items() if name.startswith(_ROOMS)]
    with contextlib.ExitStack() as changed:
        for operation in _ARITHMETIC:
            changed.enter_context(
                mock.patch.object(Edwards25519, operation.__name__, _remembering(operation))
            )
        for check in _CHECKS:
            name = check.__name__
            remembering = _remembering(check)
            for room in rooms:
                if vars(room).get(name) is check:
                    changed.enter_context(mock.patch.object(room, name, remembering))
        yield


def _remembering(check: Callable[..., T]) -> Callable[..., T]:
    known: dict[Hashable, T] = {}

    def checked(*given: Hashable, **named: Hashable) -> T:
        about = (given, *named.values()) if named else given
        try:
            return known[about]
        except KeyError:
            known[about] = verdict = check(*given, **named)
            return verdict

    return checked
