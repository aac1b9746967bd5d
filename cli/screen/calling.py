"""Calling the person: the window's title, a bell and the terminal's own notification."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from cli.i18n import _
from cli.settings import Settings

TITLE = "Citadels"
#: the terminal keeps its window's title aside, and has it back at the end
KEEP_TITLE, RESTORE_TITLE = "\x1b[22;0t", "\x1b[23;0t"
#: the terminal says when its window gets and loses the focus, where it knows
WATCH_FOCUS, FORGET_FOCUS = "\x1b[?1004h", "\x1b[?1004l"
#: seconds without a key after which a bell is welcome
ABSENT = 3.0
#: seconds without a key after which nobody is likely to look at the window
LONG_ABSENT = 20.0

#: by `TERM_PROGRAM` and by how `TERM` begins: who takes OSC 9, and who OSC 777
OSC_9 = ("iTerm.app", "WezTerm", "ghostty", "xterm-ghostty", "WarpTerminal")
OSC_777 = ("foot", "rxvt-unicode")


class Sink(Protocol):
    """What is asked of the terminal."""

    def write_raw(self, data: str) -> None: ...

    def set_title(self, title: str) -> None: ...

    def bell(self) -> None: ...

    def flush(self) -> None: ...


class Caller:
    """What reaches a person who does not look at the screen."""

    def __init__(self, sink: Sink, environment: Mapping[str, str]) -> None:
        self._sink = sink
        self._environment = environment
        self._looks: bool | None = None  #: whether the window has the focus, where that is told

    def begin(self) -> None:
        """Put our title in the place of the one that is there."""
        self._sink.write_raw(KEEP_TITLE + WATCH_FOCUS)
        self.calm()

    def end(self) -> None:
        """Leave the terminal as it was."""
        self._sink.write_raw(FORGET_FOCUS + RESTORE_TITLE)
        self._sink.flush()

    def looked_at(self, looks: bool) -> None:
        """The window has got the focus, or lost it."""
        self._looks = looks

    def calm(self) -> None:
        """Nothing is asked of the person now."""
        self._entitle(TITLE)

    def call(self, sign: str, idle: float, settled: Settings) -> None:
        """The person must decide: the title says so with a `sign`.

        `idle`: seconds since the last key. Whoever does not look is called as it is settled.
        """
        self._entitle(f"{sign} {TITLE}")
        elsewhere = self._looks is False
        if settled.bell and (elsewhere or idle > ABSENT):
            self._sink.bell()
        if settled.notify and (elsewhere or (self._looks is None and idle > LONG_ABSENT)):
            text = _("The table waits for you.")
            self._sink.write_raw(notification(text, self._environment))
        self._sink.flush()

    def _entitle(self, title: str) -> None:
        self._sink.set_title(title)
        self._sink.flush()


def notification(text: str, environment: Mapping[str, str]) -> str:
    """What makes this terminal show a notification; '' where it has none.

    Others would print what they do not know, so only those are asked that are known to have
    one. Inside tmux and screen nobody knows which terminal is outside.
    """
    if "TMUX" in environment or "STY" in environment:
        return ""
    names = environment.get("TERM_PROGRAM", ""), environment.get("TERM", "")
    if "KITTY_WINDOW_ID" in environment:
        return f"\x1b]99;;{TITLE}: {text}\x1b\\"
    if any(name.startswith(OSC_9) for name in names):
        return f"\x1b]9;{TITLE}: {text}\x1b\\"
    if "VTE_VERSION" in environment or names[1].startswith(OSC_777):
        return f"\x1b]777;notify;{TITLE};{text}\x1b\\"
    return ""
