"""Whatever somebody calls himself, it is one short line of visible letters."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.identity.names import MAX_NAME, legible


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
        ("", ""),
    ],
)
def test_names_are_made_fit_to_be_shown(given_name: str, shown: str) -> None:
    assert legible(given_name) == shown


@given(st.text())
def test_a_legible_name_is_short_visible_and_stays_as_it_is(text: str) -> None:
    shown = legible(text)
    assert len(shown) <= MAX_NAME
    assert all(not unicodedata.category(letter).startswith("C") for letter in shown)
    assert legible(shown) == shown
