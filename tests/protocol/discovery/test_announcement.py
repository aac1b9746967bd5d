"""A table's TXT record.

Short, without persons or machines, and believed only as far as it goes.
"""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.discovery.announcement import MAX_TXT, Announcement, from_txt, to_txt
from protocol.errors import LocalError, Malformed, RemoteError
from protocol.identity.names import legible
from tests.protocol.company import identity

TABLE = Announcement(
    table=bytes(range(16)),
    name="Friday",
    role="host",
    edition="classic",
    seats=4,
    taken=2,
    locked=False,
    fingerprint=identity(1).fingerprint,
    port=4000,
    version=1,
    state="lobby",
    host=identity(1).fingerprint,
    change="00c0ffee",
)


def record(announcement: Announcement) -> dict[bytes, bytes | None]:
    return {key.encode(): value.encode() for key, value in to_txt(announcement).items()}


announcements = st.builds(
    Announcement,
    table=st.binary(min_size=16, max_size=16),
    name=st.text(min_size=1).filter(lambda name: legible(name) != ""),
    role=st.sampled_from(["host", "guest"]),
    edition=st.from_regex(r"[a-z0-9_-]{0,24}", fullmatch=True),
    seats=st.integers(8, 99),
    taken=st.integers(0, 8),
    locked=st.booleans(),
    spectators=st.booleans(),
    fingerprint=st.just(identity(1).fingerprint),
    host=st.sampled_from(["", identity(2).fingerprint]),
    port=st.integers(1, 65_535),
    version=st.integers(0, 65_535),
    state=st.sampled_from(["lobby", "playing"]),
    change=st.from_regex(r"([0-9a-f]{8})?", fullmatch=True),
)


@given(announcements)
def test_an_announcement_comes_back_with_its_name_made_legible(one: Announcement) -> None:
    back = from_txt(record(one), one.port)
    host = one.fingerprint if one.role == "host" else one.host
    assert dataclasses.replace(back, name="") == dataclasses.replace(one, name="", host=host)
    assert back.name
    assert legible(one.name).startswith(back.name.rstrip())
    assert sum(len(k) + len(v or b"") + 2 for k, v in record(one).items()) <= MAX_TXT


def test_the_longest_name_in_the_widest_letters_fits() -> None:
    assert from_txt(record(dataclasses.replace(TABLE, name="👑" * 50)), 4000).name == "👑" * 24


def test_the_record_holds_what_it_says_and_nothing_more() -> None:
    assert to_txt(TABLE) == {
        "v": "1",
        "g": "000102030405060708090a0b0c0d0e0f",
        "n": "Friday",
        "r": "host",
        "e": "classic",
        "p": "2/4",
        "l": "0",
        "w": "0",
        "st": "lobby",
        "f": identity(1).fingerprint,
        "c": "00c0ffee",
    }


def test_an_announcement_that_would_not_fit_is_our_own_bug() -> None:
    with pytest.raises(LocalError):
        to_txt(dataclasses.replace(TABLE, edition="x" * 400))


def test_later_versions_may_say_more() -> None:
    assert from_txt({**record(TABLE), b"new": b"\xff\x00"}, 4000) == TABLE


def test_earlier_versions_did_not_say_when_something_changed() -> None:
    items = record(TABLE)
    del items[b"c"]
    assert from_txt(items, 4000) == dataclasses.replace(TABLE, change="")


def test_a_name_cannot_move_the_cursor() -> None:
    hostile = {**record(TABLE), b"n": "\x1b[2JFri\u202eday\x07".encode()}
    assert from_txt(hostile, 4000).name == "[2JFriday"


@pytest.mark.parametrize("key", [b"v", b"g", b"n", b"r", b"p", b"st", b"f"])
@pytest.mark.parametrize("value", [None, b"", b"\xff\xfe", b"\x1b", b"99999999"])
def test_an_item_missing_or_out_of_form_is_no_table(key: bytes, value: bytes | None) -> None:
    if (key, value) == (b"n", b"99999999"):
        return  # a fine name for a table
    with pytest.raises(Malformed):
        from_txt({**record(TABLE), key: value}, 4000)


@pytest.mark.parametrize("port", [0, -1, 65_536])
def test_a_port_that_is_none(port: int) -> None:
    with pytest.raises(Malformed):
        from_txt(record(TABLE), port)


def test_a_table_cannot_be_fuller_than_full() -> None:
    assert from_txt({**record(TABLE), b"p": b"9/4"}, 4000).taken == 4


@given(
    st.dictionaries(
        st.sampled_from([b"v", b"g", b"n", b"r", b"e", b"p", b"l", b"st", b"f", b"c", b"x"]),
        st.none() | st.binary(max_size=300),
    ),
    st.integers(-5, 70_000),
)
def test_any_record_is_an_announcement_or_a_remote_error(
    items: dict[bytes, bytes | None], port: int
) -> None:
    try:
        from_txt(items, port)
    except RemoteError:
        return
