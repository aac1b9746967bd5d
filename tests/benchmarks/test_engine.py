"""The engine's figures are of what they say; how high they are, is not tested here."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks import bench, engine, page
from benchmarks.table import LostTable


def test_a_program_of_its_own_is_measured_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "GAMES", 1)
    figures = engine.measure(1)
    assert [figure.name for figure in figures] == [
        "random games, 2 seats",
        "random games, 4 seats",
        "random games, 7 seats",
        "random games, any rules",
        "library games, 4 seats",
    ]
    assert all(0 < figure.low <= figure.median <= figure.high for figure in figures)


@pytest.mark.long
def test_instructions_are_counted_where_they_can_be() -> None:
    if shutil.which("valgrind") is None:
        assert engine.instructions() is None
        return
    counted = engine.instructions(1, 2)
    assert counted is not None
    assert counted > 0.5, "one game takes millions"


def test_a_row_says_of_which_python_and_commit_it_is() -> None:
    found = bench.origin()
    assert {*found} == {"compiled", "python", "pgo", "commit"}
    assert str(found["python"]) in bench.from_where()


def test_the_page_has_its_marks_and_is_written_between_them() -> None:
    text = page.PAGE.read_text("utf-8")
    once = page.written(text, "| a |\n")
    assert page.written(page.written(text, "| b |\n"), "| a |\n") == once
    assert once.count("| a |\n") == 1
    with pytest.raises(ValueError, match="no marks"):
        page.written("", "")


def test_a_part_that_breaks_off_leaves_what_was_measured_before_it_on_the_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The whole takes many minutes, and a table of eight can be lost on a busy machine."""

    def lost() -> str:
        raise LostTable("gone")

    shown = tmp_path / "page.md"
    shown.write_text(page.PAGE.read_text("utf-8"), encoding="utf-8")
    monkeypatch.setattr(page, "PAGE", shown)
    monkeypatch.setattr(page, "_engine", lambda: "| games |\n")
    monkeypatch.setattr(page, "_cards", lambda: "| cards |\n")
    monkeypatch.setattr(page, "_tables", lost)
    with pytest.raises(LostTable):
        page.measure()
    written = shown.read_text("utf-8")
    assert "| games |\n\n| cards |\n<!-- end -->" in written
    assert bench.from_where() in written
