"""The codes with which an entry is refused."""

from __future__ import annotations

from protocol.application import FORBIDDEN
from protocol.errors import RemoteError

STALE = "stale"
"""Why an entry is refused that was meant for a moment that has passed."""


def refusal_code(problem: RemoteError) -> str:
    """What is said of an entry that may not stand.

    Machines owe what they owe until they say it, and a person's act is checked before it leaves
    by the very engine that refuses it later. So only what was said for a moment that has passed
    can be an accident; everything else is a cheat.
    """
    if problem.detail == STALE:
        return STALE
    # It may quote what somebody wrote: others take no letter that a terminal obeys.
    detail = problem.detail.encode("ascii", "replace").decode()
    plain = "".join(letter if letter.isprintable() else "?" for letter in detail)
    return f"{FORBIDDEN}{problem.code}: {plain}"[:64]
