"""The names that languages decline, and the forms that each catalogue holds of them.

A form is an entry of the catalogues: its context is the case, its message the English name.
A language without cases repeats the name, or puts into the form what stands before it there,
as French does with its articles and prepositions. `make catalogues` reads this table, so a form
that is missing is named like any sentence that is untranslated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cli.i18n import _, pgettext
from cli.i18n.cases import Cased

#: the context of a person's genitive where the name begins with a vowel: "d’Anna"
BEFORE_A_VOWEL = "genitive before a vowel"

#: whoever sits at the table → the messages that are declined for them
NAMED, BOT, SEAT, YOU = "{name}", "Bot {number}", "Seat {number}", "you"

PEOPLE_CASES = ("nominative", "genitive", "dative", "accusative", "instrumental")
CHARACTER_CASES = ("nominative", "genitive", "dative", "accusative")
QUARTER_CASES = ("genitive", "plural")
DISTRICT_CASES = ("accusative",)

_VOWELS = "aeiouàâäáæéèêëíìîïóòôöœúùûü"


class Name(Cased):
    """A name out of the catalogues, as a heading has it; declined as its own entries say."""

    __slots__ = ("source",)
    source: str

    def __new__(cls, source: str) -> Name:
        name = super().__new__(cls, _(source))
        name.source = source
        return name

    def in_case(self, case: str) -> str:
        return pgettext(case, self.source)


class District(Name):
    """A district, whose name never changes; French puts its article before it."""

    __slots__ = ()

    def in_case(self, case: str) -> str:
        return super().in_case(case) if case in DISTRICT_CASES else str(self)


class Person(Cased):
    """Somebody at the table. A name never changes; the word before it does ("игрока Boris")."""

    __slots__ = ("blanks", "source")
    source: str
    blanks: dict[str, object]

    def __new__(cls, shown: str, source: str = NAMED, **blanks: object) -> Person:
        """`shown`: the name as it stands alone; `source`: which message is declined for it."""
        person = super().__new__(cls, shown)
        person.source, person.blanks = source, blanks or {"name": shown}
        return person

    def in_case(self, case: str) -> str:
        vowel = case == "genitive" and self.source == NAMED and _begins_with_vowel(self)
        form = pgettext(BEFORE_A_VOWEL if vowel else case, self.source)
        return form.format(**self.blanks)


def _begins_with_vowel(name: str) -> bool:
    """Whether French would elide before it. Before a, o and u the letter h is taken as
    aspirated, as it is in most names of other languages."""
    letters = name.casefold()
    if letters[:1] == "y":  # d’Yves, but de Yann
        return letters[1:2] not in _VOWELS
    return letters[:1] in tuple(_VOWELS) or (
        letters[:1] == "h" and letters[1:2] in tuple("eéèi")
    )


def forms(
    characters: Iterable[str], quarters: Iterable[str], districts: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Every form that a catalogue must hold: its context, its message."""
    yield BEFORE_A_VOWEL, NAMED
    for names, cases in (
        ((NAMED, BOT, SEAT, YOU), PEOPLE_CASES),
        (characters, CHARACTER_CASES),
        (quarters, QUARTER_CASES),
        (districts, DISTRICT_CASES),
    ):
        yield from ((case, name) for name in names for case in cases)
