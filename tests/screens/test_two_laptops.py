"""Two laptops, two screens, one table: from the waiting room to a guest who leaves."""

from __future__ import annotations

import re
import socket
from pathlib import Path

from tests.screens.terminal import Window, citadels, window


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def words_of(shown: Window) -> list[str]:
    """The safety words that stand on a screen."""
    return re.findall(r"\d{3} \d{3} \d{3} \d{3}", shown.text)


def test_from_the_waiting_room_to_a_guest_who_leaves(tmp_path: Path) -> None:
    port = free_port()
    host = citadels(
        *("host", "Friday", "--seats", "3", "--bots", "1", "--name", "Ann"),
        *("--port", str(port), "--interface", "127.0.0.1"),
    )
    guest = citadels("join", f"127.0.0.1:{port}", "--name", "Bob", "--interface", "127.0.0.1")
    with window(host, tmp_path / "a", (120, 36)) as ann:
        ann.wait("on no network")
        with window(guest, tmp_path / "b", (80, 24)) as bob:
            bob.wait("Friday")
            ann.wait("Bob")
            bob.press("enter")  # ready
            ann.wait("All are ready")
            ann.press("enter")  # begin
            for shown in (ann, bob):
                shown.wait("Deck")
            bob.press("t")
            bob.wait("Talk at the table")
            bob.press("Hello, Ann", "enter")
            ann.wait("Bob says: Hello, Ann")
            bob.press("escape")
            bob.wait(lambda now: "Talk at the table" not in now.text)
            bob.press("q")
            bob.wait("Yes, leave the match")
            bob.press("2", "enter")
            assert bob.end() == 6
            assert "saved" in bob.text
        ann.wait(lambda now: "waits for Bob" in now.rows[0])  # the trouble stands in the status
