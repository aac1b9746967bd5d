"""Which addresses a peer may send: a numeric address and a port, never a name.

Whoever receives a name looks it up, so a stranger could make every laptop ask any server about
any name; and a text that is no name at all would raise in the resolver. Only a person may type
names.
"""

from __future__ import annotations

import re

_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_FOUR = rf"(?:{_OCTET}\.){{3}}{_OCTET}"

_GROUP = r"[0-9a-fA-F]{1,4}"
_SHORTENED = "|".join(
    # so many groups before the two colons, and at most so many after them
    rf"(?:{_GROUP}:){{{before}}}(?::{_GROUP}){{1,{7 - before}}}"
    for before in range(1, 7)
)
_SIX = (
    rf"(?:(?:{_GROUP}:){{7}}{_GROUP}|{_SHORTENED}|(?:{_GROUP}:){{1,7}}:"
    rf"|::(?:{_GROUP}:){{0,6}}{_GROUP}|::)"
)
_PORT = (
    r"(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})"
)

NUMERIC_PLACE = rf"^(?:{_FOUR}|\[{_SIX}\]):{_PORT}\Z"
"""A pattern for "10.0.0.7:4000" and "[fd00::7]:4000". A link-local one has no zone: that is a
name which one laptop has for an adapter of its own, and the receiver finds its own.
"""

MAX_PLACE = 48
"""Characters, all of them ASCII: the longest one has 47."""

_PLACE = re.compile(NUMERIC_PLACE)


def is_numeric_place(text: str) -> bool:
    """Whether `text` is an address that a peer may send.

    >>> is_numeric_place("10.0.0.7:4000"), is_numeric_place("laptop.local:4000")
    (True, False)
    """
    return len(text) <= MAX_PLACE and _PLACE.search(text) is not None
