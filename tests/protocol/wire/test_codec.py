"""Any bytes give a value or a protocol error, and every value has exactly one encoding."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Excessive, LocalError, Malformed
from protocol.wire.codec import MAX_DEPTH, MAX_ITEMS, decode, encode
from tests.protocol.company import MESSAGES, Nested, Said, Shown

LIMIT = 1 << 16
INTEGERS = st.integers(-(2**63), 2**64 - 1)

said = st.builds(Said, INTEGERS, st.text(max_size=64))
messages = st.one_of(
    said,
    st.builds(Shown, st.binary(max_size=300), st.lists(INTEGERS).map(tuple), st.booleans()),
    st.builds(Nested, st.lists(said).map(tuple), st.none() | st.binary()),
)
plain = st.recursive(
    st.none() | st.booleans() | INTEGERS | st.binary() | st.text(),
    lambda inner: st.lists(inner, max_size=5),
    max_leaves=20,
)

EXAMPLES = (
    Said(1, "one"),
    Said(-(2**63), "é" * 32),
    Shown(bytes(300), (0, 127, 128, 65_535, 65_536, 2**64 - 1, -1, -33, -129), True),
    Nested((Said(7, ""), Said(8, "x")), None),
    Nested((), b"note"),
)


def read(data: bytes) -> msgspec.Struct:
    return decode(data, MESSAGES, limit=LIMIT)


@given(messages)
def test_a_message_comes_back_as_it_was(message: msgspec.Struct) -> None:
    assert read(encode(message)) == message


@given(plain)
def test_plain_values_come_back_with_arrays_as_lists(value: object) -> None:
    assert decode(encode(value), object, limit=LIMIT) == value


@given(st.binary(max_size=400))
def test_any_bytes_give_a_message_or_a_protocol_error(data: bytes) -> None:
    try:
        message = read(data)
    except (Malformed, Excessive):
        return
    assert encode(message) == data


def test_mutated_messages_give_a_message_or_a_protocol_error() -> None:
    chance = random.Random(2)
    originals = [encode(example) for example in EXAMPLES]
    accepted = 0
    for _ in range(20_000):
        data = bytearray(chance.choice(originals))
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(data) + 1)
            match chance.randrange(4):
                case 0:
                    data[at : at + 1] = chance.randbytes(1)
                case 1:
                    del data[at : at + chance.randint(1, 8)]
                case 2:
                    data[at:at] = chance.randbytes(chance.randint(1, 4))
                case _:
                    data[at : at + 1] = chance.choice(
                        (b"\xdd", b"\x91", b"\x80", b"\xc1", b"\xcf")
                    )
        try:
            message = read(bytes(data))
        except (Malformed, Excessive):
            continue
        accepted += 1
        assert encode(message) == data
    assert accepted > 100  # the mutations are small enough to reach the schema


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "nothing"),
        (b"\x93\x01\x05", "cut short"),
        (b"\x93\x01\x05\xa3on", "a text cut short"),
        (b"\xc5\x01", "a length cut short"),
        (b"\x93\x01\x05\xa1x\x00", "bytes after the value"),
        (b"\x80", "an empty map"),
        (b"\x81\x01\x02", "a map"),
        (b"\xde\x00\x00", "a long map"),
        (b"\x93\x01\xcb" + bytes(8) + b"\xa0", "a float"),
        (b"\xca" + bytes(4), "a short float"),
        (b"\xd4\x01\x00", "an extension"),
        (b"\xc7\x01\x01\x00", "a long extension"),
        (b"\xc1", "a byte that is never used"),
        (b"\x93\x01\xcc\x05\xa0", "an integer longer than need be"),
        (b"\x93\x01\x05\xd9\x01x", "a text with a length longer than need be"),
        (b"\xdc\x00\x03\x01\x05\xa0", "an array with a length longer than need be"),
        (b"\x93\x01\x05\xa1\xff", "a text that is not UTF-8"),
        (b"\x93\x01\xc3\xa0", "a boolean for a number"),
        (b"\x93\x01\xa1\x35\xa0", "a text for a number"),
        (b"\x93\x01\x05\xc4\x01x", "bytes for a text"),
        (b"\x94\x01\x05\xa0\x00", "one element too many"),
        (b"\x92\x01\x05", "a default left out"),
        (b"\x93\x09\x05\xa0", "an unknown tag"),
        (b"\x05", "not a message at all"),
        (b"\xdd\xff\xff\xff\xff", "an array that promises four thousand million elements"),
        (b"\xc6\xff\xff\xff\xff", "bytes that promise four gigabytes"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_not_the_one_encoding_of_a_message_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(Malformed):
        read(data)


@pytest.mark.parametrize(
    "data",
    [
        b"\x91" * (MAX_DEPTH + 1) + b"\x01",
        b"\x91" * 60_000 + b"\x01",
        b"\xdd" + (MAX_ITEMS).to_bytes(4, "big") + b"\x00" * MAX_ITEMS,
        b"\xdd" + (40_000).to_bytes(4, "big") + b"\x90" * 40_000,
    ],
    ids=["one too deep", "very deep", "one too many", "many empty arrays"],
)
@pytest.mark.parametrize("kind", [MESSAGES, object], ids=["typed", "untyped"])
def test_depth_and_count_end_before_any_object_is_made(data: bytes, kind: type) -> None:
    with pytest.raises(Excessive):
        decode(data, kind, limit=LIMIT)


def test_the_limit_is_the_callers() -> None:
    data = encode(Shown(bytes(100)))
    assert decode(data, MESSAGES, limit=len(data)) == Shown(bytes(100))
    with pytest.raises(Excessive):
        decode(data, MESSAGES, limit=len(data) - 1)


def test_values_of_a_schema_may_be_bounded_further() -> None:
    with pytest.raises(Malformed):
        read(encode((1, 5, "x" * 65)))


@pytest.mark.parametrize(
    "value",
    [{}, {"a": 1}, 1.5, float("nan"), 2**64, object(), {1, 2}.__iter__(), [[[{}]]]],
    ids=lambda value: type(value).__name__,
)
def test_what_no_decoder_takes_is_our_own_bug(value: object) -> None:
    with pytest.raises(LocalError):
        encode(value)


def test_errors_do_not_repeat_what_they_read() -> None:
    with pytest.raises(Malformed) as caught:
        read(encode((1, "a secret in the wrong place", "")))
    assert "secret" not in str(caught.value)
