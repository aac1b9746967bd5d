"""Which tests `make check` runs."""

from __future__ import annotations

import pytest

from tests.changed import ROOT, TESTS, what_tests


@pytest.mark.parametrize(
    ("path", "tests"),
    [
        ("protocol/cards/deck.py", ["tests/protocol/cards/test_deck.py"]),
        ("protocol/cards/__init__.py", ["tests/protocol/cards"]),
        ("citadels_p2p/rules/state.py", ["tests/rules"]),
        ("cli/screen/frame.py", ["tests/screens"]),
        ("tests/rules/test_editions.py", ["tests/rules/test_editions.py"]),
        ("docs/RULINGS.md", ["tests/cli/test_documents.py"]),
        ("Makefile", ["tests/test_repository.py"]),
    ],
)
def test_a_change_has_its_tests(path: str, tests: list[str]) -> None:
    assert what_tests([path]) == tests


def test_what_another_holds_is_not_named_twice() -> None:
    paths = ["citadels_p2p/rules/state.py", "tests/rules/test_editions.py"]
    assert what_tests(paths) == ["tests/rules"]


def test_every_folder_of_tests_is_there() -> None:
    assert [test for test in TESTS.values() if not (ROOT / "tests" / test).exists()] == []
