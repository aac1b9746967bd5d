"""The schema of the machine client's lines: it is one, it is strict, and clients rely on it.

That every line of every test fits it is held by `tests/conftest.py`.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from citadels_p2p import match
from citadels_p2p.match.asks import ask_of
from citadels_p2p.rosters import draw_rules
from citadels_p2p.rules.events import KINDS
from cli.client.json_lines import ACTS, JsonLines
from cli.program import run
from tests.cli.test_games import play
from tests.json_schema import CAUSES, schema, text
from tests.rules.asked import SCENES
from tests.slice import and_long

if sys.platform == "win32":
    pytest.importorskip("jsonschema_rs", reason="Wine's Python may have no wheel of it")
import jsonschema_rs

from tests import schema_of_lines

ROOT = Path(__file__).parent.parent.parent


def robot(random: Random, seen: list[dict[str, Any]]) -> Any:
    """Who picks anything, out of the lines alone, and remembers them."""

    def answer(lines: list[str]) -> str | None:
        for line in map(json.loads, lines):
            seen.append(line)
            if line["type"] == "over":
                return '{"do": "leave"}'
            if line["type"] == "ask" and "options" in line:
                option = random.choice(line["options"])["id"]
                return json.dumps({"answer": line["id"], "option": option})
            if line["type"] == "ask":
                several = line["subset"]
                ids = [option["id"] for option in several["of"]]
                count = random.randint(several["min"], several["max"])
                return json.dumps({"answer": line["id"], "subset": random.sample(ids, count)})
        return None

    return answer


def played(seed: int) -> list[dict[str, Any]]:
    """A practice game by any rules; the lines fit their schema, as all do."""
    random, seen = Random(seed), list[dict[str, Any]]()
    rules = draw_rules(random)
    session = match.practice(rules, levels=("easy",) * (rules.seats - 1), name="Ann", seed=seed)
    asyncio.run(play(session, JsonLines("p", 1), robot(random, seen)))
    return seen


@pytest.mark.parametrize("seed", and_long(range(4), range(4, 12)))
def test_a_program_plays_any_rules_by_its_lines_alone(seed: int) -> None:
    """And each hand tells what its cards cost and bring."""
    lines = played(seed)
    assert "error" not in {line["type"] for line in lines}
    assert lines[-1]["type"] == "over"
    for line in lines:
        if line["type"] == "state" and line["you"] is not None:
            known = {card["slot"]: card for card in line["you"]["hand"]}
        if line["type"] == "ask":
            for option in line.get("options", ()):
                if option["verb"] == "build":
                    assert known[option["slot"]]["card"] == option["card"]
                    assert known[option["slot"]]["cost"] >= option["cost"] - 9


@pytest.mark.parametrize("word", SCENES)
def test_every_question_of_the_rules_fits_it(word: str) -> None:
    state = (scene := SCENES[word]()).state
    ask = ask_of(1, state, scene.dealer.knowledge(state, state.stack[-1].seat))
    (printed,) = JsonLines("p", 1).hear(ask)
    assert json.loads(printed.text)["kind"] == ask.kind  # type: ignore[union-attr]


def test_the_schema_is_one_and_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema"]) == 0
    shown = capsys.readouterr().out
    assert shown == text(), "python -m tests.json_schema writes it anew"
    printed = json.loads(shown)
    assert printed == schema()
    assert printed["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert jsonschema_rs.meta.is_valid(printed)
    definitions = printed["$defs"]
    named = re.findall(r'"#/\$defs/([^"]+)"', json.dumps(printed))
    assert set(named) <= set(definitions), "every reference leads somewhere"
    assert {kind.partition(":")[2] for kind in definitions if kind.startswith("event:")} == {
        *KINDS
    }


def objects(value: Any) -> list[dict[str, Any]]:
    """Every object in a line, itself first."""
    if isinstance(value, list):
        return [one for part in value for one in objects(part)]
    if not isinstance(value, dict):
        return []
    return [value, *(one for part in value.values() for one in objects(part))]


def test_a_line_with_another_key_or_without_one_is_none() -> None:
    """Whatever may be absent is said: options name what they concern, as far as they do."""
    may_lack = {"slot", "seat", "card", "character", "cost", "gold", "count", "keep", "draft"}
    kinds = {schema_of_lines.kind_of(line): line for line in played(5)}
    assert len(kinds) > 20
    for line in kinds.values():
        for place in range(len(objects(line))):
            more = deepcopy(line)
            objects(more)[place]["surplus"] = 1
            if "signed" not in json.dumps(more).split('"surplus"')[0][-12:]:
                with pytest.raises((jsonschema_rs.ValidationError, AssertionError)):
                    schema_of_lines.out(json.dumps(more))
        for key in {*line} - may_lack:
            less = {name: value for name, value in line.items() if name != key}
            with pytest.raises((jsonschema_rs.ValidationError, AssertionError, KeyError)):
                schema_of_lines.out(json.dumps(less))


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ({"type": "event", "n": 4, "event": "gold_gained"}, {"event": "gold_found"}),
        ({"type": "error", "message": "", "reason": "too_dear", "ask": 1}, {"reason": "dear"}),
        ({"type": "bye", "code": 6, "reason": "unfinished"}, {"code": 99}),
        ({"type": "bye", "code": 6, "reason": "unfinished"}, {"reason": "bored"}),
        ({"type": "notice", "code": "host_gone"}, {"code": "host_asleep"}),
    ],
)
def test_lists_of_ids_are_closed(line: dict[str, Any], changed: dict[str, Any]) -> None:
    line |= {"seat": 0, "gold": 1, "reason": "merchant"} if line["type"] == "event" else {}
    schema_of_lines.out(json.dumps(line))
    validator = schema_of_lines.validator("out")
    assert not validator.is_valid({**line, **changed})


def test_the_reason_of_an_event_is_one_that_there_is() -> None:
    gained = {"type": "event", "n": 4, "event": "gold_gained", "seat": 0, "gold": 1}
    validator = schema_of_lines.validator("out")
    assert all(validator.is_valid({**gained, "reason": card}) for card in CAUSES["gold_gained"])
    assert not validator.is_valid({**gained, "reason": "smithy"})
    assert {kind for kind, names in KINDS.items() if {"reason", "purpose"} & {*names}} == {
        *CAUSES
    }


@pytest.mark.parametrize("verb", [*ACTS, "options"])
def test_every_act_is_known_to_both(verb: str) -> None:
    line: dict[str, Any] = {"do": verb, "seat": 2, "level": "easy"}
    line["options"] = {"edition": "classic", "seats": 4}
    schema_of_lines.taken(json.dumps(line), JsonLines("p", 1).read(json.dumps(line)))
    assert schema_of_lines.validator("in").is_valid(line)


def test_a_client_from_the_documents_alone_plays_a_match(tmp_path: Path) -> None:
    played = subprocess.run(
        [sys.executable, "examples/whole_match.py", sys.executable, "-m", "cli"],
        env={**os.environ, "CITADELS_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert [line.split()[0] for line in played.stdout.splitlines()[:1]] == ["1"]
    assert len(played.stdout.splitlines()) == 4
