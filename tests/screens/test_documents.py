"""The screens in docs/screens are what the program shows."""

from __future__ import annotations

from tests.screens.capture import FOLDER, shots


def test_the_screens_are_current() -> None:
    kept = (path for path in FOLDER.iterdir() if path.suffix in (".txt", ".svg"))
    written = {path.name: path.read_text(encoding="utf-8") for path in kept}
    assert written == shots(), "write them anew: python -m tests.screens.capture"
