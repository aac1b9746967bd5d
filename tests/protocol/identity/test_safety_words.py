"""The words are equal for those who share everything, and only for them."""

from __future__ import annotations

import re

import pytest

from protocol.errors import LocalError
from protocol.identity.safety_words import safety_words

GENESIS = bytes(32)


def test_four_groups_of_three_digits() -> None:
    words = safety_words(GENESIS, b"anna", b"ben")
    assert len(words) == 4
    assert all(re.fullmatch(r"\d{3}", word, re.ASCII) for word in words)
    assert words == safety_words(GENESIS, b"anna", b"ben")


@pytest.mark.parametrize(
    "material",
    [(b"ben", b"anna"), (b"annab", b"en"), (b"anna", b"ben", b""), (b"anna",), (b"annaben",)],
)
def test_any_difference_gives_other_words(material: tuple[bytes, ...]) -> None:
    assert safety_words(GENESIS, *material) != safety_words(GENESIS, b"anna", b"ben")


def test_another_table_gives_other_words() -> None:
    assert safety_words(b"\1" * 32, b"anna") != safety_words(GENESIS, b"anna")


def test_words_over_nothing_are_our_own_bug() -> None:
    with pytest.raises(LocalError):
        safety_words(GENESIS)
    with pytest.raises(LocalError):
        safety_words(b"short", b"anna")
