"""Honest bytes made dishonest: cut, flipped, spliced, nested, blown up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

#: beginnings of MessagePack values, with lengths that nothing follows
HEADS = (
    b"\x90", b"\x9f", b"\xdc\xff\xff", b"\xdd\xff\xff\xff\xff", b"\x80", b"\xde\xff\xff",
    b"\xc4\xff", b"\xc5\xff\xff", b"\xc6\xff\xff\xff\xff", b"\xd9\xff", b"\xdb\xff\xff\xff\xff",
    b"\xc0", b"\xc1", b"\xc2", b"\xca\x7f\xc0\x00\x00", b"\xcb" + b"\xff" * 8, b"\xc7\xff\x01",
    b"\xcf" + b"\xff" * 8, b"\xd3\x80" + bytes(7), b"\x91" * 40, b"\xd4\xff\x00",
)  # fmt: skip


def mutated(random: Random, samples: Sequence[bytes]) -> bytes:
    """A sample after one to four injuries; now and then bytes that never were one."""
    if random.random() < 0.05:
        return random.randbytes(random.randrange(200))
    data = random.choice(samples)
    for _ in range(random.randint(1, 4)):
        data = random.choice(INJURIES)(random, data, samples)
    return data


def _flip(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    if not data:
        return b"\0"
    place = random.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << random.randrange(8))]) + data[place + 1 :]


def _cut(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _drop(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start = random.randrange(len(data) + 1)
    return data[:start] + data[start + random.randrange(1, 40) :]


def _splice(random: Random, data: bytes, samples: Sequence[bytes]) -> bytes:
    other = random.choice(samples)
    return data[: random.randrange(len(data) + 1)] + other[random.randrange(len(other) + 1) :]


def _insert(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    place = random.randrange(len(data) + 1)
    return data[:place] + random.choice(HEADS) + data[place:]


def _overwrite(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    head = random.choice(HEADS)
    place = random.randrange(len(data) + 1)
    return data[:place] + head + data[place + len(head) :]


def _repeat(random: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start = random.randrange(len(data) + 1)
    piece = data[start : start + random.randrange(1, 60)]
    return data[:start] + piece * random.randrange(2, 20) + data[start:]


Injury = Callable[[Random, bytes, Sequence[bytes]], bytes]
INJURIES: tuple[Injury, ...] = (
    _flip,
    _flip,
    _cut,
    _drop,
    _splice,
    _insert,
    _overwrite,
    _repeat,
)
