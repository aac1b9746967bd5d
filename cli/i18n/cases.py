"""Cases: a translated sentence may ask for the form of a name that its grammar needs.

English says "from {victim}"; a translator may write `{victim:genitive}` and gets the form that
the catalogue has for that case. A sentence that asks for none is filled like any string. Which
names have which forms stands in `cli.text.declined`.
"""

from __future__ import annotations

import re
from string import Formatter
from typing import Any

#: what a blank may ask for. The "plural" is of a type of districts alone: "noble districts"
CASES = ("nominative", "genitive", "dative", "accusative", "instrumental", "plural")

_ASKS = re.compile(r"\{\w+:(?:" + "|".join(CASES) + r")\}")


class Cased(str):
    """A name that a language may decline; as a string it is the name itself."""

    __slots__ = ()

    def in_case(self, case: str) -> str:
        """The form for this case, as it stands inside a sentence."""
        raise NotImplementedError


class _Filler(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec not in CASES:
            return str(super().format_field(value, format_spec))
        return value.in_case(format_spec) if isinstance(value, Cased) else str(value)


_FILLER = _Filler()


class Sentence(str):
    """A sentence with blanks that ask for a case. A word that has none fills them as it is."""

    __slots__ = ()

    def format(self, *values: object, **fields: object) -> str:
        return _FILLER.vformat(self, values, fields)

    def format_map(self, mapping: Any, /) -> str:
        return _FILLER.vformat(self, (), mapping)


def sentence(text: str) -> str:
    """The text, ready to be filled: a `Sentence` where a blank of it asks for a case."""
    return Sentence(text) if _ASKS.search(text) else text
