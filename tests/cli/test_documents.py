"""What the documents list is what the code knows: nothing is missing, nothing is invented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from citadels_p2p.rules.asks import ASKS
from citadels_p2p.rules.events import KINDS
from citadels_p2p.rules.moves import VERBS
from citadels_p2p.rules.reasons import REASONS
from cli.line.parser import build

ROOT = Path(__file__).parent.parent.parent
DOCUMENT = (ROOT / "JSON-UI.md").read_text(encoding="utf-8")


def table(heading: str) -> dict[str, str]:
    """The rows of the first table after a line: first cell's word → second cell."""
    rows = re.findall(r"^\| `([a-z_]+)[^|`]*`[^|]*\| (.*?) \|$", section(heading), re.MULTILINE)
    return dict(rows)


def section(heading: str) -> str:
    _, _, after = DOCUMENT.partition(heading)
    return after.split("\n\n| ", 1)[1].split("\n\n", 1)[0]


def test_every_event_and_its_fields() -> None:
    listed = {
        kind: tuple(re.findall(r"`(\w+)`", row)) for kind, row in table("### event").items()
    }
    assert listed == KINDS


def test_every_kind_of_ask() -> None:
    assert set(table("### ask")) == {ask.kind for ask in ASKS.values()}


def test_every_move() -> None:
    assert set(table("An option's id is a verb")) == set(VERBS)


def test_no_row_explains_a_word_by_itself() -> None:
    rows = re.findall(r"^\| `([a-z_]+)[^`]*` \| ([^|]+) \|$", DOCUMENT, re.MULTILINE)
    assert len(rows) > 100
    for word, meaning in rows:
        assert meaning.strip() not in (word, word.replace("_", " "), "which"), word


@pytest.mark.parametrize("heading", ["### ask", "An option's id is a verb"])
def test_every_ask_and_every_id_says_what_it_is_for(heading: str) -> None:
    """In more words than its own."""
    for word, meaning in table(heading).items():
        own = {*word.split("_"), "a", "an", "the", "this", "that", "which", "card", "character"}
        said = {*re.findall(r"[a-z]+", re.sub(r"`.*?`", "", meaning.lower()))} - own
        assert len(said) >= 5, (word, meaning)


def test_every_reason() -> None:
    assert all(f"`{reason}`" in DOCUMENT for reason in REASONS)


def test_the_readme_names_only_commands_that_there_are() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"citadels ([a-z]+)\b", readme)) - {"join"}
    help_text = build().format_help()
    assert named
    assert all(re.search(rf"^\s+{word}\b", help_text, re.MULTILINE) for word in named)
