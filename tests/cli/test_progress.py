"""The line about work that goes on."""

from __future__ import annotations

import io
import time

import pytest

from cli.commands.progress import ProgressLine


class Watched(io.StringIO):
    """Somebody looks at it."""

    def isatty(self) -> bool:
        return True


def test_a_line_is_made_once_in_a_while_and_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, made, err = [10.0], [], Watched()
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr("sys.stderr", err)
    line = ProgressLine()
    for later in (0.0, 0.1, 0.0, 0.3):
        now[0] += later

        def make() -> str:
            made.append(now[0])
            return "x" * 5 if len(made) == 1 else "yy"

        line.show(make)
    line.clear()
    assert len(made) == 2
    assert err.getvalue() == "\rxxxxx\ryy   \r     \r"


def test_nobody_is_told_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    line = ProgressLine()
    line.show(lambda: "unseen")
    line.clear()
    assert capsys.readouterr().err == ""
