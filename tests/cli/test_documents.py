"""What the documents list is what the code knows: nothing is missing, nothing is invented."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from citadels_p2p.match import NOTICES
from citadels_p2p.rules.asks import ASKS
from citadels_p2p.rules.events import KINDS
from citadels_p2p.rules.moves import VERBS
from citadels_p2p.rules.reasons import REASONS
from cli.client.json_values import LINES
from cli.line.exits import MEANINGS
from cli.line.parser import build
from protocol.journal.statements import VERSION
from tests.json_schema import CAUSES

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "JSON-UI.md"
DOCUMENT = PAGE.read_text(encoding="utf-8")
#: what is between these marks is made from what the code lists
MADE = re.compile(r"(<!-- made by .*? -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def table(heading: str) -> dict[str, str]:
    """The rows of the first table after a line: first cell's word → second cell."""
    rows = re.findall(r"^\| `([a-z_]+)[^|`]*`[^|]*\| (.*?) \|$", section(heading), re.MULTILINE)
    return dict(rows)


def section(heading: str) -> str:
    _, _, after = DOCUMENT.partition(heading)
    return after.split("\n\n| ", 1)[1].split("\n\n", 1)[0]


def made() -> str:
    """The reasons of events, the fields of notices, and the exit codes."""

    def rows(head: str, table: Mapping[str, Iterable[object]]) -> str:
        cells = ((word, ", ".join(f"`{one}`" for one in row)) for word, row in table.items())
        told = "".join(f"| `{word}` | {cell or '–'} |\n" for word, cell in cells)
        return f"| {head} |\n| --- | --- |\n{told}\n"

    codes = "".join(f"| {int(code)} | {meaning} |\n" for code, meaning in MEANINGS.items())
    return (
        rows("event | its `reason` or `purpose`", CAUSES)
        + rows("notice | its fields", NOTICES)
        + f"| exit code | meaning |\n| --- | --- |\n{codes}\n"
    )


def test_what_is_made_from_the_code_is_up_to_date() -> None:
    """`python -m tests.cli.test_documents` makes it anew."""
    (part,) = MADE.finditer(DOCUMENT)
    assert part[2] == made()


@pytest.mark.skipif(sys.platform == "win32", reason="Wine's Python may lack the library")
def test_every_example_of_a_line_fits_the_schema() -> None:
    from tests import schema_of_lines

    blocks = re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    for line in lines:
        schema_of_lines.out(line)
    assert json.loads(lines[0])["protocol"] == VERSION
    assert {json.loads(line)["type"] for line in lines} >= {*LINES.values(), "hello"} - {
        "notice"
    }


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


def test_a_newcomer_reads_the_first_page_to_its_end() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 1_200


def test_the_tour_takes_one_sitting() -> None:
    lines = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 250
    assert [line for line in lines if len(line) > 120] == []


def test_decisions_are_numbered_and_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    records = sorted(path.name for path in folder.glob("0*.md"))
    assert [int(name[:4]) for name in records] == [*range(1, len(records) + 1)]
    listed = re.findall(r"^\| (\d+) \| \[(.+)\]\((.+)\) \|$", _text(folder / "README.md"), re.M)
    assert [name for _, _, name in listed] == records
    for number, title, name in listed:
        assert _text(folder / name).startswith(f"# {number}. {title}\n")


def test_code_points_to_every_decision() -> None:
    folder = ROOT / "docs" / "decisions"
    records = {int(path.name[:4]) for path in folder.glob("0*.md")}
    sources = [ROOT / "hatch_build.py"]
    for wing in ("protocol", "citadels_p2p", "cli"):
        sources += sorted((ROOT / wing).rglob("*.py"))
    named = {
        int(number)
        for path in sources
        for numbers in re.findall(r"docs/decisions, ([\d, and]+)", _text(path))
        for number in re.findall(r"\d+", numbers)
    }
    assert named == records


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["README.md", "docs/manual.md", "docs/library.md"])
def test_pages_name_only_commands_that_there_are(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"citadels ([a-z]+)\b", text)) - {"join"}
    help_text = build().format_help()
    assert named
    assert all(re.search(rf"^\s+{word}\b", help_text, re.MULTILINE) for word in named)


if __name__ == "__main__":
    PAGE.write_text(MADE.sub(lambda part: part[1] + made() + part[3], DOCUMENT), "utf-8")
