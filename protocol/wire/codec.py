"""Bytes to values and back: MessagePack arrays in their one canonical form.

The rules of this module:

- What crosses the wire or enters a journal consists of arrays, integers, texts, byte strings,
  booleans and nil. Maps, floats and extensions have several encodings, and are refused.
- `decode` checks size, depth and the number of elements before it makes a single object, so
  that a small frame cannot take much memory.
- Then types are checked against the schema, strictly, and the value is encoded again: bytes
  that differ from what we would have written are refused.
- Any bytes give a value, `Malformed` or `Excessive`, and never another exception.
"""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Any, TypeVar, overload

import msgspec
from msgspec.msgpack import Decoder, Encoder

from protocol.errors import Excessive, LocalError, Malformed, RemoteError

MAX_DEPTH = 16
"""Arrays within arrays. The deepest message of ours has five."""

MAX_ITEMS = 16_384
"""Elements in one message, nested ones included. A batch of a whole match has about 2,000; at
some sixty bytes an object this bounds what one frame can cost at a megabyte.
"""

T = TypeVar("T")


class CanonicalStruct(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Base of what is written so: an array of the fields in order, nothing more."""


def encode(value: object) -> bytes:
    """The canonical bytes of a message or of nested tuples of plain values.

    Raises `LocalError` for what `decode` would refuse.
    """
    try:
        encoded = _ENCODER.encode(value)
        _survey(encoded)
    except RemoteError as problem:
        raise LocalError(f"not encodable: {problem}") from None
    except (TypeError, ValueError, OverflowError, RecursionError) as problem:
        raise LocalError(f"not encodable: {type(problem).__name__}") from problem
    return encoded


@overload
def decode(data: bytes, kind: type[T], *, limit: int) -> T: ...


@overload
def decode(data: bytes, kind: UnionType | Decoder[Any], *, limit: int) -> msgspec.Struct: ...


def decode(data: bytes, kind: Any, *, limit: int) -> Any:
    """The value in `data`, of the type `kind`, one Struct of this union, or what this reads.

    `limit` is the most bytes that the caller accepts. Raises `Malformed` or `Excessive`.
    """
    if len(data) > limit:
        raise Excessive(f"{len(data)} bytes where {limit} are the limit")
    _survey(data)
    try:
        value = (kind if isinstance(kind, Decoder) else decoder(kind)).decode(data)
        again = _ENCODER.encode(value)
    except MemoryError:
        raise  # it is we who are short of it: the bytes may be good
    except Exception as problem:
        # Broad on purpose: the library's decoder has raised several different types.
        detail = str(problem) if isinstance(problem, msgspec.ValidationError) else ""
        raise Malformed(
            f"does not fit the schema: {detail or type(problem).__name__}"
        ) from None
    if again != data:
        raise Malformed("not in canonical form")
    return value


_ENCODER = Encoder()  # the shortest form of everything


@cache
def decoder(kind: Any) -> Decoder[Any]:
    """What reads this kind; to be kept for a large union, which is hashed at each look."""
    return Decoder(kind)


# What follows a first byte from 0xc0 on: (bytes of the length or of the number, what it is).
_NUMBER, _BYTES, _ARRAY = 0, 1, 2
_FORMS: dict[int, tuple[int, int]] = {
    0xC0: (0, _NUMBER),  # nil
    0xC2: (0, _NUMBER),  # false
    0xC3: (0, _NUMBER),  # true
    **{first: (1 << first - 0xCC, _NUMBER) for first in range(0xCC, 0xD0)},  # unsigned
    **{first: (1 << first - 0xD0, _NUMBER) for first in range(0xD0, 0xD4)},  # signed
    **{first: (1 << first - 0xC4, _BYTES) for first in range(0xC4, 0xC7)},  # byte strings
    **{first: (1 << first - 0xD9, _BYTES) for first in range(0xD9, 0xDC)},  # texts
    0xDC: (2, _ARRAY),
    0xDD: (4, _ARRAY),
}


def _survey(data: bytes) -> None:
    """Walk over the headers without making objects: exactly one value, within the limits.

    Raises `Malformed` or `Excessive`.
    """
    end = len(data)
    at = 0
    items = 0
    left = 1  # values still to come in the array we are in
    outer: list[int] = []
    while True:
        while not left:
            if not outer:
                if at != end:
                    raise Malformed("bytes after the value")
                return
            left = outer.pop()
        left -= 1
        items += 1
        if items > MAX_ITEMS:
            raise Excessive(f"more than {MAX_ITEMS} elements")
        if at >= end:
            raise Malformed("cut short")
        first = data[at]
        at += 1
        if first < 0x80 or first >= 0xE0:  # a small number
            continue
        if first == 0xC4 and at < end:  # a short byte string: most of what we say
            at += 1 + data[at]
            if at > end:
                raise Malformed("cut short")
            continue
        if 0x90 <= first < 0xA0:
            count = first & 0x0F
        elif 0xA0 <= first < 0xC0:  # a short text
            at += first & 0x1F
            count = -1
        else:
            width, what = _FORMS.get(first, (-1, -1))
            if width < 0:
                raise Malformed("a map, a float or an extension")
            length = 0 if what == _NUMBER else int.from_bytes(data[at : at + width], "big")
            at += width + (length if what == _BYTES else 0)
            count = length if what == _ARRAY else -1
        if at > end:
            raise Malformed("cut short")
        if count < 0:
            continue
        outer.append(left)
        left = count
        if len(outer) > MAX_DEPTH:
            raise Excessive(f"nested deeper than {MAX_DEPTH}")
        if left > end - at:  # each element takes a byte at least
            raise Malformed("an array longer than its bytes")
