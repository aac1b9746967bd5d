"""Two laptops, two ways of playing, two matches: once more by one key on each side."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from tests.screens.terminal import PATIENCE, Window, citadels, window
from tests.screens.test_two_laptops import free_port


def test_once_more_between_two_terminals(tmp_path: Path) -> None:
    """Bots play both seats; the guest, with plain sentences, says it first."""
    port = free_port()
    host = citadels(
        *("host", "Friday", "--seats", "2", "--city", "6", "--name", "Ann"),
        *("--port", str(port), "--interface", "127.0.0.1"),
    )
    guest = citadels(
        *("join", f"127.0.0.1:{port}", "--name", "Bob", "--interface", "127.0.0.1"),
        *("--ui", "plain"),
    )
    with window(host, tmp_path / "a", (120, 36)) as ann:
        ann.wait("on no network")
        with window(guest, tmp_path / "b", (100, 60)) as bob:
            bob.wait("Type ready")
            bob.press("ready\n")
            ann.wait("All are ready")
            ann.press("enter")
            ann.wait("Deck")
            bob.wait("Safety words")
            bob.press("rest\n")
            ann.press("b")
            ann.wait("Your seat")
            ann.press("down", "enter")
            both(ann, bob, lambda: "Type more to play once more" in bob.text)
            both(ann, bob, lambda: "Once more" in ann.text or looked_back(ann))
            bob.press("more\n")
            both(ann, bob, lambda: "Waiting for Ann" in bob.text)
            ann.press("m")
            both(ann, bob, lambda: "Deck" in ann.text and len(safety_words(bob)) == 2)


def both(ann: Window, bob: Window, seen: Callable[[], bool]) -> None:
    """Read both terminals until something is seen: a program that is not read stands still."""
    deadline = time.monotonic() + PATIENCE
    while not seen():
        assert time.monotonic() < deadline, f"{ann.text}\n{bob.text}"
        for shown in (ann, bob):
            shown.read(0.05)
            shown.look()


def looked_back(shown: Window) -> bool:
    """Go on from the look back, if one stands there."""
    if "Press Enter" in shown.text:
        shown.press("enter")
        shown.read(0.2)
    return False


def safety_words(shown: Window) -> set[bytes]:
    """Those of all the matches so far."""
    return set(re.findall(rb"Safety words: ([\d ]+)", shown.raw))
