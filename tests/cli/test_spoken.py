"""Codes in words of four languages: there and back, and what slips of typing come to."""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli import i18n, settings
from cli.commands.openings import opening
from cli.i18n import LANGUAGES
from cli.i18n.ascii_twins import to_ascii
from cli.text.spoken import LISTS, Mistyped, looks_like_one, meant, told, words
from protocol.wire.spoken_code import WORDS, SpokenCode, spoken

EVERY = [(file.stem, word) for file in LISTS.glob("*.txt") for word in words(file.stem)]
CODE = SpokenCode((1, 20), None, (words("en").index("apple"), words("en").index("river")))
SAID = "1-20-apple-river-ticket"

place = st.integers(0, WORDS - 1)
codes = st.builds(
    lambda address, port, secret: spoken(f"{address}:{port}", secret, 24_482),
    st.ip_addresses(v=4),
    st.just(24_482) | st.integers(256, 65_535),
    st.tuples(place, place),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_list_has_short_words_that_differ_in_their_first_letters(language: str) -> None:
    known = words(language)
    assert len(known) == WORDS
    assert all(4 <= len(word) <= 9 and word.isalpha() and word.islower() for word in known)
    assert len({to_ascii(word)[:4] for word in known}) == WORDS


def test_a_language_without_a_list_says_codes_in_english() -> None:
    assert words("es") == words("en")


def test_no_two_languages_have_a_word_in_common() -> None:
    """Also where a terminal has no letters but those of ASCII."""
    assert len({to_ascii(word) for _, word in EVERY}) == len(EVERY)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_slip_of_one_letter_makes_another_word(language: str) -> None:
    """One that is left out, put in, or another."""
    holes: dict[str, str] = {}
    for word in map(to_ascii, words(language)):
        for at in range(len(word) + 1):
            for hole in {f"{word[:at]}?{word[at + 1 :]}", f"{word[:at]}?{word[at:]}"}:
                assert holes.setdefault(hole, word) == word


@given(codes, st.sampled_from(LANGUAGES))
def test_there_and_back_in_every_language(code: SpokenCode, language: str) -> None:
    with i18n.speaking(language):
        said = told(code)
    assert meant(said) == code  # whatever is spoken here
    assert meant(to_ascii(said)) == code


@given(codes, st.sampled_from(LANGUAGES), st.sampled_from([" ", ", ", " - ", "."]))
def test_case_accents_and_what_is_between_make_no_difference(
    code: SpokenCode, language: str, between: str
) -> None:
    with i18n.speaking(language):
        said = told(code)
    assert meant(f" {said.upper().replace('-', between)} ") == code


@given(codes, st.tuples(*3 * [st.sampled_from(LANGUAGES)]))
def test_words_of_several_languages_may_stand_together(
    code: SpokenCode, languages: tuple[str, str, str]
) -> None:
    said = [words(language)[at] for language, at in zip(languages, code.words, strict=True)]
    assert meant(" ".join((*map(str, code.numbers), *said))) == code


@pytest.mark.parametrize(
    "typed",
    ["1-20-ap ple", "20 apple river ticket", "192.168.1.20", "Kitchen", "2", "river 1 20",
     "192.168.1.20:24482/ABCD-EFGH-IJKL-MNOP", "1-apple", "1 20", "", "Anna 2 3"],
)  # fmt: skip
def test_what_is_no_such_code(typed: str) -> None:
    assert meant(typed) is None
    assert not looks_like_one(typed)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("1-20-aple-river-ticket", "Did you mean “apple”?"),
        ("1-20-apple-rivre-ticket", "Did you mean “river”?"),
        ("1-20-apple-river-tikcet", "Did you mean “ticket”?"),
        ("1-20-apple-qqqq-ticket", "“qqqq” is no join word."),
        ("1-20-apple-river", "three join words"),
        ("1-20-apple-river-ticket-boat", "three join words"),
        ("1-21-apple-river-ticket", "another one"),
        ("1-20-river-apple-ticket", "another one"),
        ("1-300-apple-river-ticket", "another one"),
        (f"1-{'9' * 5000}-apple-river-ticket", "another one"),
        ("1-20-70000-apple-river-ticket", "another one"),
    ],
)
def test_a_slip_is_told_before_anybody_is_asked(typed: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(Mistyped, match=why.replace("?", r"\?")):
        meant(typed)
    options = argparse.Namespace(
        command="join", table=typed, wait=1.0, bot=None, bot_command=None, locked=False
    )
    with pytest.raises(ValueError, match=why.replace("?", r"\?")):
        opening(options, settings.Settings(home=tmp_path))


def test_every_slip_of_one_word_is_noticed() -> None:
    """Each other word in each place, 765 of them."""
    assert meant(SAID) == CODE
    wrong = 0
    for at, word in itertools.product(range(3), words("en")):
        parts = SAID.split("-")
        if parts[2 + at] != word:
            parts[2 + at] = word
            with pytest.raises(Mistyped):
                meant("-".join(parts))
            wrong += 1
    assert wrong == 3 * (WORDS - 1)


def test_the_keys_of_another_layout_are_understood() -> None:
    """`1-20-apple-river-ticket` with the keyboard still in Russian."""
    assert meant("1-20-фззду-кшмук-ешслуе") == CODE
