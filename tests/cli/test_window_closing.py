"""A console window that is closed under Windows leaves time for a goodbye."""

from __future__ import annotations

import signal
import sys
import threading
import time

import pytest

from cli.client import window_closing

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="consoles of Windows alone")

CTRL_C, WINDOW_CLOSED = 0, 2


def test_a_window_that_closes_is_a_break_and_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_closing, "PATIENCE", 0.0)
    heard: list[int] = []
    told: list[bool] = []
    before = signal.signal(signal.SIGBREAK, lambda number, _frame: heard.append(number))
    try:
        windows = threading.Thread(
            target=lambda: told.append(window_closing._told(WINDOW_CLOSED))
        )
        windows.start()
        windows.join()
        time.sleep(0)  # Python calls handlers between two steps of the main thread
    finally:
        signal.signal(signal.SIGBREAK, before)
    assert (heard, told) == ([signal.SIGBREAK], [True])


def test_ctrl_c_goes_on_to_who_hears_it() -> None:
    assert window_closing._told(CTRL_C) is False


def test_windows_tells_us_as_long_as_we_heed_it() -> None:
    with window_closing.heeded_as_break():
        pass
