"""Rows in columns: cut where a terminal ends, and nowhere else."""

from __future__ import annotations

import os

import pytest

from cli.text.columns import columns

ROW = ("x" * 70, "y" * 30, "end")


def test_a_file_or_a_pipe_gets_everything() -> None:
    assert columns([ROW], "<<<") == [f"{ROW[0]}  {ROW[1]}  end"]


@pytest.mark.parametrize(("terminal", "shown"), [(60, 80), (80, 80), (100, 99), (200, 107)])
def test_a_terminal_gets_as_much_as_it_has_room_for(
    monkeypatch: pytest.MonkeyPatch, terminal: int, shown: int
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    size = os.terminal_size((terminal, 24))
    monkeypatch.setattr("shutil.get_terminal_size", lambda: size)
    (row,) = columns([ROW], "<<<")
    assert len(row) == shown
    assert ("…" in row) == (shown < 107)
    assert row.endswith("end")
