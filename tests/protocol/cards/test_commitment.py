"""A commitment binds and opens in its own place only."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cards.commitment import check, commit, draw_nonce
from protocol.cards.transcript import frame
from protocol.errors import BadProof, LocalError, Malformed

NONCE = bytes(range(32))


def test_a_commitment_opens_to_what_was_committed() -> None:
    commitment = commit(b"table", b"round 1", b"king", NONCE)
    assert len(commitment) == 32
    check(b"table", b"round 1", b"king", NONCE, commitment)


@pytest.mark.parametrize(
    ("context", "label", "value", "nonce"),
    [
        (b"other", b"round 1", b"king", NONCE),
        (b"table", b"round 2", b"king", NONCE),
        (b"table", b"round 1", b"thief", NONCE),
        (b"table", b"round 1", b"king", NONCE[::-1]),
        (b"tabl", b"eround 1", b"king", NONCE),
        (b"table", b"round 1k", b"ing", NONCE),
    ],
)
def test_it_opens_to_nothing_else(
    context: bytes, label: bytes, value: bytes, nonce: bytes
) -> None:
    commitment = commit(b"table", b"round 1", b"king", NONCE)
    with pytest.raises(BadProof):
        check(context, label, value, nonce, commitment)


def test_a_cut_commitment_is_refused() -> None:
    commitment = commit(b"table", b"round 1", b"king", NONCE)
    for wrong in (b"", commitment[:-1], commitment + b"\0"):
        with pytest.raises(BadProof):
            check(b"table", b"round 1", b"king", NONCE, wrong)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_nonce_has_32_bytes(size: int) -> None:
    with pytest.raises(LocalError):
        commit(b"", b"", b"", bytes(size))
    with pytest.raises(Malformed):
        check(b"", b"", b"", bytes(size), bytes(32))


def test_nonces_differ() -> None:
    assert len({draw_nonce() for _ in range(50)}) == 50


@given(st.lists(st.binary(max_size=6), max_size=4), st.lists(st.binary(max_size=6), max_size=4))
def test_framing_keeps_lists_apart(one: list[bytes], other: list[bytes]) -> None:
    assert (frame(*one) == frame(*other)) == (one == other)
