"""ATTACKS.md names tests that are there: each file, and in it each test by its own words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
DOCUMENT = (TESTS.parent / "protocol" / "ATTACKS.md").read_text(encoding="utf-8")


def cells() -> Iterator[str]:
    """What stands in the last column of each row of an attack."""
    for line in DOCUMENT.splitlines():
        row = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(row) == 3 and row[2] not in ("test", "---"):
            yield row[2]


def named() -> Iterator[tuple[str, str]]:
    """Each file that is named, with each test that is named of it.

    A cell is "`file` one test, another; `other file` a third"; '' stands for the file alone,
    and for any file where a test is named without one. "same" is the row above.
    """
    for cell in cells():
        for part in re.split(r"; |, (?=`)|: (?=a )", cell):
            found = re.match(r"(?:`([^`]*\.py|[^`]*/)`\s*)?(.*)", part)
            assert found is not None
            for test in found[2].split(", "):
                if test != "same" and "`" not in test:
                    yield found[1] or "", test


def files(name: str) -> list[Path]:
    """The tests that are meant: a path from the root, a folder, or a name in any wing."""
    if not name:
        return sorted(TESTS.rglob("test_*.py"))
    if name.startswith(("tests/", "protocol/")):
        path = TESTS.parent / name
        return [path] if path.is_file() else sorted(path.glob("test_*.py"))
    return sorted(TESTS.rglob(name))


def words(text: str) -> str:
    """As they stand in a function's name."""
    return "_".join(re.findall(r"[a-z0-9]+", text.lower().replace("'", "")))


@pytest.mark.parametrize(("name", "test"), sorted(set(named())))
def test_what_attacks_names_is_there(name: str, test: str) -> None:
    found = files(name)
    assert found, name
    wanted = words(test)
    begins = re.compile(r"^\s*(?:async )?def (test_\w+)", re.MULTILINE)
    defined = [
        one for path in found for one in begins.findall(path.read_text(encoding="utf-8"))
    ]
    assert not wanted or any(f"_{wanted}" in one for one in defined), (name, test)


def test_every_row_says_what_holds_it() -> None:
    rows = list(cells())
    assert len(rows) > 80
    assert all(rows)
