"""`citadels` alone on a pipe: the lobby, a practice game, and the lobby again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def lobby(tmp_path: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "cli"],
        env={**os.environ, "CITADELS_HOME": str(tmp_path), "CITADELS_NAME": "Ann"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def until(process: subprocess.Popen[str], beginning: str) -> list[str]:
    """The lines up to one that begins so."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if line.startswith(beginning):
            return lines
    raise AssertionError(f"no line begins with {beginning!r}: {lines}")


def test_a_practice_game_begins_in_the_lobby_and_ends_there(
    lobby: subprocess.Popen[str],
) -> None:
    assert lobby.stdin is not None
    first = until(lobby, "Choose a number")
    assert "You are Ann." in first
    lobby.stdin.write("rules library\nplay --no-seat --seats 2 --seed 1 --bot-level easy\n")
    lobby.stdin.flush()
    game = until(lobby, "Choose a number")
    assert "Library: a unique district, cost 6. [Classic]" in game
    assert any("wins" in line for line in game)
    out, _err = lobby.communicate("quit\n", timeout=60)
    assert out == ""
    assert lobby.returncode == 0


def test_the_end_of_input_leaves(lobby: subprocess.Popen[str]) -> None:
    out, _err = lobby.communicate("", timeout=60)
    assert ". Host a table" in out  # tables that happen to be near stand before it
    assert lobby.returncode == 0
