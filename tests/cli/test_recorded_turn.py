"""The turn that JSON-UI.md tells, line by line, played again by the real program.

`python -m tests.cli.test_recorded_turn` writes it anew, with the same answers.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "JSON-UI.md"
TOLD = re.compile(r"```\n\$ citadels (play --ui json .*)\n…\n((?:[<>] .*\n)+)…\n```")


def told() -> tuple[list[str], list[str]]:
    """The command, and the lines: what comes out after `<`, what goes in after `>`."""
    (found,) = TOLD.finditer(DOCUMENT.read_text(encoding="utf-8"))
    return shlex.split(found[1]), found[2].splitlines()


def fit(line: str) -> None:
    """Hold a line against the schema; Wine's Python may lack the library."""
    if sys.platform != "win32" or find_spec("jsonschema_rs") is not None:
        from tests import schema_of_lines

        schema_of_lines.out(line)


def played(command: list[str], answers: list[str], home: Path) -> Iterator[str]:
    """Take the first option until the first turn begins; then give these answers."""
    program = subprocess.Popen(
        [sys.executable, "-m", "cli", *command],
        cwd=ROOT,
        env={**os.environ, "CITADELS_HOME": str(home), "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert program.stdin is not None
    assert program.stdout is not None
    left, is_turn = answers[:], False
    with program:
        for line in program.stdout:
            fit(line)
            said = json.loads(line)
            if said["type"] == "error":
                program.kill()  # it would wait for another answer, and we for it
                raise AssertionError(f"what the page answers is refused: {line}")
            event = said.get("event"), said.get("seat")
            is_turn = is_turn or event == ("turn_begins", 0)
            if is_turn:
                yield f"< {line.rstrip()}"
            if event == ("turn_ends", 0):
                break
            if said["type"] == "ask":
                first = {"answer": said["id"], "option": said["options"][0]["id"]}
                answer = left.pop(0) if is_turn else json.dumps(first)
                if is_turn:
                    yield f"> {answer}"
                print(answer, file=program.stdin, flush=True)
        program.stdin.close()  # which is a leave
        assert json.loads(program.stdout.readlines()[-1])["type"] == "bye"


def answers_of(lines: list[str]) -> list[str]:
    return [line[2:] for line in lines if line[0] == ">"]


def test_the_turn_that_is_told_is_what_the_program_plays(tmp_path: Path) -> None:
    command, lines = told()
    assert list(played(command, answers_of(lines), tmp_path)) == lines


def test_the_turn_that_is_told_is_a_whole_one() -> None:
    _, lines = told()
    kinds = [json.loads(line[2:]).get("event") for line in lines]
    assert (kinds[0], kinds[-1]) == ("turn_begins", "turn_ends")
    assert {"cards_drawn", "cards_kept", "built"} < {*kinds}


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        command, lines = told()
        new = "".join(f"{line}\n" for line in played(command, answers_of(lines), Path(folder)))
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(text.replace("".join(f"{line}\n" for line in lines), new), "utf-8")
