"""What is typed behind `join`: a name as people call it, a place, or what can be neither."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citadels_p2p.match.session.table_meant import place_typed, same_name
from protocol.errors import Unavailable
from protocol.identity.keys import parse_fingerprint

USUAL = 24_482
LETTERS = "ABCD-EFGH-IJKL-MNOP"
KEY = parse_fingerprint(LETTERS)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("KÜCHE süd", "Küche Süd"),
        ("party", "Party"),
        ("KU\u0308CHE SU\u0308D", "Küche Süd"),
        ("strasse", "Straße"),
        ("ｐａｒｔｙ", "Party"),
        ("кухня", "КУХНЯ"),
        (" friday   night", "Friday Night"),
    ],
)
def test_a_table_is_called_as_people_call_it(typed: str, name: str) -> None:
    assert same_name(typed, name)
    assert same_name(name, typed)


@pytest.mark.parametrize("other", ["Party 2", "Part", "Pаrty", ""])  # with a Cyrillic а
def test_other_names_are_other_tables(other: str) -> None:
    assert not same_name("Party", other)


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("Party", None),
        ("St. Petersburg", None),
        ("Fri/Sat", None),
        ("Anna: the second", None),
        ("12", None),
        (LETTERS, None),
        ("10.0.0.7", ("10.0.0.7:24482", None)),
        ("10.0.0.7:4000", ("10.0.0.7:4000", None)),
        ("laptop.local", ("laptop.local:24482", None)),
        ("laptop.local:4000", ("laptop.local:4000", None)),
        ("fe80::7", ("[fe80::7]:24482", None)),
        ("[fe80::7]:4000", ("[fe80::7]:4000", None)),
        ("[fe80::7%3]:4000", ("[fe80::7%3]:4000", None)),
        (f"10.0.0.7:4000/{LETTERS}", ("10.0.0.7:4000", KEY)),
        (f"10.0.0.7/{LETTERS.lower()}", ("10.0.0.7:24482", KEY)),
        (f"10.0.0.7:4000 / {LETTERS.replace('-', ' ')}", ("10.0.0.7:4000", KEY)),
        (f"[fe80::7]:4000/{LETTERS}", ("[fe80::7]:4000", KEY)),
        (f"laptop/{LETTERS}", ("laptop:24482", KEY)),
    ],
)
def test_a_place_is_told_from_a_name(
    typed: str, place: tuple[str, bytes | None] | None
) -> None:
    assert place_typed(typed, USUAL) == place


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("http://192.168.1.20:24490/", "web_address"),
        ("https://example.org", "web_address"),
        ("10.0.0.7:99999", "bad_port"),
        ("10.0.0.7:0", "bad_port"),
        ("10.0.0.7:", "bad_port"),
        ("laptop.local:x", "bad_port"),
        ("[fe80::7]:65536", "bad_port"),
        (f"10.0.0.7:244820/{LETTERS}", "bad_port"),
        ("10.0.0.300", "bad_address"),
        ("10.0.0.0.7:4000", "bad_address"),
        ("192.168.50", "bad_address"),
        ("192.168.50.", "bad_address"),
        (f"192.168:4000/{LETTERS}", "bad_address"),
        ("[fe80::7", "bad_address"),
        ("fe80::zz", "bad_address"),
        (f"fe80::7:24482/{LETTERS}", "bad_address"),
        ("[fe80::zz]:4000", "bad_address"),
        (f"/{LETTERS}", "bad_address"),
        ("10.0.0.7:4000/", "cut_code"),
        ("10.0.0.7:4000/ABCD-EFGH-IJKL", "cut_code"),
        ("10.0.0.7:4000/ABCD-EFGH-IJKL-MNO", "cut_code"),
        (f"10.0.0.7:4000/{LETTERS}Q", "cut_code"),
        ("10.0.0.7:4000/ABCD-EFGH-IJKL-MN0P", "code_letters"),
        ("10.0.0.7:4000/АBCD-EFGH-IJKL-MNOP", "code_letters"),  # with a Cyrillic А
    ],
)
def test_what_can_be_neither_is_refused_with_the_reason(typed: str, why: str) -> None:
    with pytest.raises(Unavailable) as caught:
        place_typed(typed, USUAL)
    assert caught.value.hint == why
    assert caught.value.detail == typed


@given(st.text(max_size=40) | st.from_regex(r"[0-9a-f:.\[\]%/ A-Z-]{0,40}", fullmatch=True))
def test_any_text_is_a_place_a_name_or_refused(typed: str) -> None:
    try:
        place = place_typed(typed, USUAL)
    except Unavailable:
        return
    assert place is None or 0 < int(place[0].rpartition(":")[2]) < 65_536
    assert same_name(typed, f" {typed} ")
