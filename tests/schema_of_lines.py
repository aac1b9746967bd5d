"""Every line that a machine client writes or takes, held against the schema.

`tests/conftest.py` lets all tests play under it, so that whatever any of them sees is valid. A
line that is taken is valid too, and what is refused for its form is not.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import jsonschema_rs

from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS
from cli.client.effects import Effect, Print
from cli.client.json_lines import JsonLines
from tests.json_schema import schema

#: why a line is refused that no schema would take
OF_ITS_FORM = frozenset({"not_an_object", "unknown_line", "unknown_act"})


def out(line: str) -> None:
    """A line that the program wrote. AssertionError with what the schema says of its kind."""
    value = json.loads(line)
    if not validator("out").is_valid(value):
        kind = kind_of(value)
        validator(kind).validate(value)
        raise AssertionError(f"{kind}: {line}")


def kind_of(value: dict[str, Any]) -> str:
    """The definition that is about this line."""
    match value["type"]:
        case "event":
            return f"event:{value['event']}"
        case "notice":
            return f"notice:{value['code']}"
        case "ask":
            return "ask:one" if "options" in value else "ask:several"
        case kind:
            return str(kind)


def taken(line: str, effects: tuple[Effect, ...], *, only_answers: bool = False) -> None:
    """A line that was written to the program, and what came of it. `only_answers`: it plays
    somebody's seat, and may say nothing else.
    """
    errors = [json.loads(one.text) for one in effects if isinstance(one, Print)]
    reasons = {error["reason"] for error in errors}
    if not line.strip() or reasons & {"not_json", "too_long"}:
        return
    is_valid = validator("in").is_valid(json.loads(line))
    assert is_valid or reasons, f"taken, though the schema knows no such line: {line}"
    assert only_answers or not (is_valid and reasons & OF_ITS_FORM), f"refused: {line}"


def validator(kind: str) -> jsonschema_rs.Draft202012Validator:
    """That of a definition."""
    cities = tuple(box.city_sizes for box in EDITIONS.values())  # some tests play small ones
    return _validators(len(DISTRICTS), len(CHARACTERS), cities, kind)


@cache
def _validators(*boxes_and_kind: object) -> jsonschema_rs.Draft202012Validator:
    """Made anew where a house box has brought further cards."""
    kind = boxes_and_kind[-1]
    return jsonschema_rs.Draft202012Validator(
        {**schema(), "anyOf": [{"$ref": f"#/$defs/{kind}"}]}
    )


def watch() -> Callable[[], None]:
    """Hold all lines of all machine clients against it from now on; gives what ends that."""
    former = JsonLines.greet, JsonLines.hear, JsonLines.read

    def watched(method: Callable[..., tuple[Effect, ...]]) -> Callable[..., tuple[Effect, ...]]:
        def run(self: JsonLines, *said: Any) -> tuple[Effect, ...]:
            effects = method(self, *said)
            for effect in effects:
                if isinstance(effect, Print):
                    out(effect.text)
            if method is former[2]:
                taken(said[0], effects, only_answers="do" not in self._verbs)
            return effects

        return run

    def end() -> None:
        JsonLines.greet, JsonLines.hear, JsonLines.read = former  # type: ignore[method-assign]

    JsonLines.greet, JsonLines.hear, JsonLines.read = map(watched, former)  # type: ignore[method-assign]
    return end
