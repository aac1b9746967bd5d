"""A stream is cut into frames whatever pieces it comes in, and nobody can promise too much."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Excessive, Malformed
from protocol.wire.frames import (
    PEER_FRAME,
    SLOWEST_BYTES,
    START_SECONDS,
    STRANGER_FRAME,
    Frames,
    framed,
)


@given(st.lists(st.binary(min_size=1, max_size=200), max_size=8), st.integers(1, 50))
def test_frames_come_out_as_they_went_in(payloads: list[bytes], step: int) -> None:
    stream = b"".join(map(framed, payloads))
    frames = Frames()
    taken: list[bytes] = []
    for at in range(0, len(stream), step):
        frames.feed(stream[at : at + step], 0.0)
        while (frame := frames.take(0.0)) is not None:
            taken.append(frame)
    assert taken == payloads
    assert not frames.is_overdue(1e9)


def test_a_promise_of_too_much_is_refused_before_anything_arrives() -> None:
    frames = Frames()
    frames.feed((STRANGER_FRAME + 1).to_bytes(4, "big"), 0.0)
    with pytest.raises(Excessive):
        frames.take(0.0)


def test_the_limit_is_raised_between_two_frames_that_came_together() -> None:
    large = bytes(STRANGER_FRAME + 1)
    frames = Frames()
    frames.feed(framed(b"proof") + framed(large), 0.0)
    assert frames.take(0.0) == b"proof"
    frames.limit = PEER_FRAME
    assert frames.take(0.0) == large


def test_an_empty_frame_says_nothing() -> None:
    frames = Frames()
    frames.feed(bytes(4), 0.0)
    with pytest.raises(Malformed):
        frames.take(0.0)


def test_a_begun_frame_has_to_end() -> None:
    frames = Frames()
    assert not frames.is_overdue(1e9)  # silence between frames is no fault
    frames.feed(b"\0", 100.0)
    assert not frames.is_overdue(100.0 + START_SECONDS)
    assert frames.is_overdue(100.1 + START_SECONDS)


def test_a_large_frame_has_the_time_that_a_slow_line_needs() -> None:
    frames = Frames(PEER_FRAME)
    frames.feed((10 * SLOWEST_BYTES).to_bytes(4, "big") + b"\0", 0.0)
    frames.take(0.0)
    assert not frames.is_overdue(START_SECONDS + 9.9)
    assert frames.is_overdue(START_SECONDS + 10.1)


def test_dripping_bytes_do_not_buy_time() -> None:
    frames = Frames()
    frames.feed((100).to_bytes(4, "big"), 0.0)
    for second in range(10):
        frames.feed(b"\0", float(second))
        frames.take(float(second))
    assert frames.is_overdue(10.0)


def test_time_in_which_we_did_not_read_is_excused() -> None:
    frames = Frames()
    frames.feed(b"\0", 0.0)
    frames.excuse(50.0)
    assert not frames.is_overdue(50.0 + START_SECONDS)


def test_the_rest_of_a_chunk_is_timed_from_its_own_begin() -> None:
    frames = Frames()
    frames.feed(framed(b"one") + b"\0", 0.0)
    assert frames.take(3.0) == b"one"
    assert not frames.is_overdue(3.0 + START_SECONDS)
