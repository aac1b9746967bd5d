"""Every ruling under `rulings/`, and what a file that is not in their form is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from citadels_p2p.rulings import Unreadable, check, read

FOLDER = Path(__file__).with_name("rulings")
FILES = sorted(FOLDER.glob("*.txt"))

WALL = """
ruling: The Great Wall does not make itself dearer
source: the card's text
scene
ann: warlord, gold 5
bob: city great_wall temple
acts
ann: destroy bob great_wall
outcome
gold of ann: 0
"""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_engine_keeps_every_written_ruling(file: Path) -> None:
    assert check(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_ruling_says_where_it_comes_from(file: Path) -> None:
    assert all(one.source for one in read(file.read_text(encoding="utf-8")))


def test_the_example_of_the_readme_holds() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    example = readme.partition("    ruling:")[2].partition("\n\n")[0]
    assert check(f"ruling:{example}") == []


def test_a_wrong_outcome_is_told_with_what_came_out() -> None:
    (fault,) = check(WALL.replace("gold of ann: 0", "gold of ann: 1"))
    assert (fault.line, fault.expected, fault.found) == (10, "gold of ann: 1", "0")


def test_an_impossible_act_is_told_with_the_reason() -> None:
    (fault,) = check(WALL.replace("gold 5", "gold 4"))
    assert fault.found == "refused: too_dear"


def test_an_act_of_somebody_who_is_not_asked_is_told() -> None:
    (fault,) = check(WALL.replace("ann: destroy", "bob: destroy"))
    assert fault.found == "asked: ann act"


def test_a_refusal_that_does_not_happen_is_told() -> None:
    (fault, *_) = check(WALL.replace("ann: destroy", "ann: not destroy"))
    assert fault.found == "accepted"


def test_a_refusal_for_another_reason_is_told() -> None:
    text = WALL.replace("gold 5", "gold 4").replace(
        "ann: destroy bob great_wall", "ann: not destroy bob great_wall (untouchable)"
    )
    assert check(text)[0].found == "refused: too_dear"


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        ("scene\n", 1),
        ("gold of ann: 3\n", 1),
        ("ruling: one\nann: gold\n", 2),
        ("ruling: one\nscene\nweather: rain\n", 3),
        ("ruling: one\nscene\nann: wizzard\n", 3),
        ("ruling: one\nscene\nann: hand tempel\n", 3),
        ("ruling: one\nscene\nann: gold much\n", 3),
        ("ruling: one\nscene\nedition: 1999\n", 3),
        ("ruling: one\nscene\nann: king\nacts\nzoe: gold\n", 5),
        ("ruling: one\nscene\nann: king\nacts\nann gold\n", 5),
        ("ruling: one\nscene\nann: king\n", 1),
        ("ruling: one\nscene\nann: king, hand keep keep keep\nacts\nann: gold\n", 1),
        ("ruling: one\nscene\nann: king\noutcome\nmood of ann: 3\n", 5),
    ],
)
def test_what_is_not_in_the_form_is_refused_with_its_line(wrong: str, line: int) -> None:
    with pytest.raises(Unreadable) as caught:
        check(wrong)
    assert caught.value.line == line
