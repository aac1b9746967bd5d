"""The tests of what has changed since the last commit, or by it: `python -m tests.changed`.

`make check` runs them beside lint, types and contracts: a minute, before a commit. A module has
the tests that bear its name, and else those of its folder; all else is for `make test`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parent.parent
TESTS = {
    "citadels_p2p/rules": "rules",
    "citadels_p2p/cards": "rules",
    "citadels_p2p/rulings": "rules",
    "citadels_p2p/match": "match",
    "citadels_p2p/bots": "bots",
    "citadels_p2p": "game",
    "protocol": "protocol",
    "cli/screen": "screens",
    "cli": "cli",
    "docs": "cli/test_documents.py",
}
"""By the folder of what changed; below `protocol` each folder has its namesake."""


def changed() -> list[str]:
    """Paths that differ from the last commit; where none does, those that it has changed."""
    now = _git("diff", "--name-only", "HEAD") + _git("ls-files", "-o", "--exclude-standard")
    return now or _git("diff", "--name-only", "HEAD~", "HEAD")


def what_tests(paths: Iterable[str]) -> list[str]:
    """The files and folders of tests, without those that another one holds."""
    found = {test for path in map(PurePosixPath, paths) for test in _of(path)}
    return sorted(
        test
        for test in found
        if not any(f"{part}" in found for part in PurePosixPath(test).parents)
    )


def _of(path: PurePosixPath) -> list[str]:
    if path.parts[0] == "tests":
        return [str(path)] if path.name.startswith("test_") else []
    named = (
        sorted((ROOT / "tests").rglob(f"test_{path.stem}.py")) if path.suffix == ".py" else []
    )
    if named:
        return [test.relative_to(ROOT).as_posix() for test in named]
    for folder in path.parents:
        namesake = ROOT / "tests" / folder
        if folder.parts[:1] == ("protocol",) and namesake.is_dir():
            return [f"tests/{folder}"]
        if str(folder) in TESTS:
            return [f"tests/{TESTS[str(folder)]}"]
    return ["tests/test_repository.py"]


def _git(*words: str) -> list[str]:
    run = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.split()


if __name__ == "__main__":
    tests = what_tests(path for path in changed() if (ROOT / path).exists())
    print("tests of what has changed:", *tests or ["none"], flush=True)
    if tests:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-m",
            "not long",
            "--numprocesses",
            "auto",
        ]
        code = subprocess.run([*command, *tests], cwd=ROOT, check=False).returncode
        sys.exit(0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else code)  # all are long
