"""Whatever somebody calls himself, it is one short line of visible letters."""

from __future__ import annotations

import hashlib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.identity.names import (
    MAX_NAME,
    alike,
    is_filler,
    is_hidden,
    legible,
    skeleton,
)


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("Anna", "Anna"),
        ("  Anna \t of\nthe   hill ", "Anna of the hill"),
        ("Zoe\u0308", "Zoë"),
        ("\x1b[31mred\x07", "[31mred"),
        ("an\u202ena", "anna"),
        ("\u2066an\u2069na\u200b\u200d\ufeff", "anna"),
        ("李小龍", "李小龍"),
        ("a" + "\u0336" * 50, "a\u0336\u0336"),
        ("\U000e0041\ue000\ud800", ""),
        ("\u3164\u115f\u1160\uffa0\u034f\u2800\u17b4\ufe0f\U000e0100", ""),
        ("Anna\u1160", "Anna"),
        ("Zoe\u034f\u0308", "Zoë"),
        ("\U0001f44d\U0001f3fd", "\U0001f44d\U0001f3fd"),
        ("\u2764\ufe0f", "\u2764"),
        ("\u1112\u1161\u11ab", "한"),
        ("\ufffe\ufdd0\U0010ffff", ""),
        ("\U0001f1fa\U0001f1e6 Їжак", "\U0001f1fa\U0001f1e6 Їжак"),
        ("Straẞe \u20b4", "Straẞe \u20b4"),
        ("", ""),
    ],
)
def test_names_are_made_fit_to_be_shown(given_name: str, shown: str) -> None:
    assert legible(given_name) == shown


@pytest.mark.parametrize("letter", ["\U0001e030", "\u0ece", "\U0003fffd", "\u1c89"])
def test_a_letter_of_a_newer_unicode_is_in_no_name(letter: str) -> None:
    """Else it looks like another, or is a mark, to a newer Python alone."""
    assert legible(f"{letter}nna") == "nna"


def test_every_python_reads_every_name_alike() -> None:
    """What the letters of names mean is the same in each version of Unicode: its digest."""
    met = hashlib.sha256()
    for letter in map(chr, range(0x110000)):
        if not is_hidden(letter):
            shown = legible(f"a{letter}{letter}{letter}")  # a mark, or three letters
            met.update(f"{shown} {skeleton(legible(letter))} ".encode())
    assert met.hexdigest()[:16] == "5b9b610b549a9a02"


@given(st.text())
def test_a_legible_name_is_short_visible_and_stays_as_it_is(text: str) -> None:
    shown = legible(text)
    assert len(shown) <= MAX_NAME
    hidden = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    assert not hidden.intersection(map(unicodedata.category, shown))
    assert not any(map(is_filler, shown))
    assert legible(shown) == shown


@pytest.mark.parametrize(
    "other",
    ["anna", "ANNA", "\uff21nna", "An\u00adna", "Anna\ufe0f", "\u3164Anna", "A\u034fnna"],
)
def test_names_that_look_alike_are_alike(other: str) -> None:
    assert alike(other) == alike("Anna")
    assert alike("Hanna") != alike("Anna")


@pytest.mark.parametrize(
    ("latin", "other"),
    [
        ("Anna", "\u0410nn\u0430"),  # Cyrillic a
        ("Boris", "\u0412\u043er\u0456\u0455"),
        ("Cato", "\u0421\u03b1\u03c4\u03bf"),  # with Greek letters
        ("Max", "\u041c\u0430\u0445"),
    ],
)
def test_a_name_in_letters_that_look_like_latin_ones_is_told_apart(
    latin: str, other: str
) -> None:
    assert alike(other) != alike(latin)  # acquaintances are kept by what they are called
    assert skeleton(other) == skeleton(latin)


def test_names_of_one_alphabet_stay_apart() -> None:
    names = ("Anna", "\u0410\u043d\u043d\u0430", "\u0412\u0435\u0440\u0430", "Vera", "Hanna")
    assert len({skeleton(name) for name in names}) == len(names)
