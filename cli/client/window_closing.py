"""Shell: a console window is closed, or its person signs off: Windows' way to hang up.

Windows tells it by a console event, and ends the process as soon as whoever was told returns.
So nobody returns until the program has said its goodbye and ended by itself; Windows waits for
some five seconds.

Why so: docs/decisions, 18.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Iterator

#: seconds, longer than Windows waits
PATIENCE = 30.0
#: console events (`HandlerRoutine`): the window is closed, its person signs off, all shuts down
CLOSING = (2, 5, 6)


@contextlib.contextmanager
def heeded_as_break() -> Iterator[None]:
    """While this lasts, the closing of the window is Ctrl-Break, with time to heed it."""
    if sys.platform != "win32":
        yield
        return
    import ctypes
    from ctypes import wintypes

    routine = ctypes.WINFUNCTYPE(wintypes.BOOL, wintypes.DWORD)(_told)
    kernel = ctypes.WinDLL("kernel32")
    kernel.SetConsoleCtrlHandler(routine, True)
    try:
        yield
    finally:
        kernel.SetConsoleCtrlHandler(routine, False)


def _told(event: int) -> bool:
    """A console event, on a thread of Windows' own; whether nobody else need be told."""
    if sys.platform != "win32" or event not in CLOSING:
        return False
    signal.raise_signal(signal.SIGBREAK)
    time.sleep(PATIENCE)
    return True
