"""`citadels rules --check`: rulings in a file, held against the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from citadels_p2p import Game
from citadels_p2p.rulings.reading import PEOPLE
from cli.__main__ import main
from cli.line.exits import Exit

RULING = """ruling: Gold gathered is two
source: rulebooks
scene
ann: king
acts
ann: gold
outcome
gold of ann: 2
"""


def _file(folder: Path, text: str) -> str:
    file = folder / "rulings.txt"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_rulings_that_hold_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "--check", _file(tmp_path, RULING)]) == Exit.FINE
    assert capsys.readouterr().out.endswith("rulings.txt: 1 ruling holds.\n")


def test_what_comes_out_otherwise_is_told_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = RULING.replace("of ann: 2", "of ann: 3")
    assert main(["rules", "--check", _file(tmp_path, wrong)]) == Exit.BUG
    told = capsys.readouterr().out
    assert "rulings.txt:8: Gold gathered is two" in told
    assert "written gold of ann: 3; found 2" in told


@pytest.mark.parametrize("text", ["", "ruling: one\nscene\nann: nobody\n"])
def test_a_file_of_another_form_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert main(["rules", "--check", _file(tmp_path, text)]) == Exit.USAGE
    assert "rulings.txt:" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "--check", str(tmp_path / "none")]) == Exit.USAGE
    assert "cannot be read" in capsys.readouterr().err


def test_a_file_that_has_no_end_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a device has none, and a link to it."""
    file = tmp_path / "endless.txt"
    with file.open("wb") as opened:
        opened.truncate(40_000_000_000)
    assert main(["rules", "--check", str(file)]) == Exit.USAGE
    assert "cannot be read" in capsys.readouterr().err


def test_a_ruling_may_begin_from_a_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game("classic", 4, seed=1)
    for _ in range(4):
        game.play(game.options[0])
    (person,) = (PEOPLE[seat] for seat in (game.seat,) if seat is not None)
    opening = f"ruling: any\nsource: none\nscene\nposition: {game.position(open=True)}\n"
    acts = f"acts\n{person}: gold\noutcome\ngold of {person}: 4\n"
    assert main(["rules", "--check", _file(tmp_path, opening + acts)]) == Exit.FINE
    wrong = (opening + acts).replace(": 4", ": 5")
    assert main(["rules", "--check", _file(tmp_path, wrong)]) == Exit.BUG
    capsys.readouterr()
    for text, why in (
        ((opening + acts).replace("phase=turns", "phase=lunch"), "no such phase: lunch"),
        (opening + "ann: gold 3\n" + acts, "a position says all of a scene"),
    ):
        assert main(["rules", "--check", _file(tmp_path, text)]) == Exit.USAGE
        assert why in capsys.readouterr().err
