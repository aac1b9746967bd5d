"""The other Pythons are found wherever they lie; one that can make no environment is none."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import pythons
from tests.test_repository import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="slices are run by make")


def says(folder: Path, version: str, words: str) -> Path:
    """A Python in a folder of its own, that does this."""
    folder.mkdir(exist_ok=True)
    python = folder / f"python{version}"
    python.write_text(f"#!/bin/sh\n{words}\n")
    python.chmod(0o755)
    return python


def test_the_first_one_that_can_make_an_environment_is_taken(tmp_path: Path) -> None:
    says(tmp_path / "debian", "3.12", "echo 'No module named ensurepip' >&2; exit 1")
    says(tmp_path / "shims", "3.12", "echo 3.11")
    whole = says(tmp_path / "pyenv", "3.12", "echo 3.12")
    says(tmp_path / "later", "3.12", "echo 3.12")
    folders = [tmp_path / name for name in ("absent", "debian", "shims", "pyenv", "later")]
    assert pythons.found(folders, ["3.12", "3.13"]) == {"3.12": whole}


def test_places_are_those_of_path_and_of_pyenv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "versions" / "3.12.1" / "bin").mkdir(parents=True)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    pyenv = tmp_path / "versions" / "3.12.1" / "bin"
    assert pythons.places() == [Path("/usr/bin"), Path("/bin"), pyenv]


def test_a_red_slice_is_told_and_a_machine_without_others_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[list[str]] = []

    def make(words: list[str], **_settings: object) -> subprocess.CompletedProcess[str]:
        ran.append(words)
        return subprocess.CompletedProcess(words, int("VENV=.venv-3.98" in words))

    ours = "{}.{}".format(*sys.version_info)
    monkeypatch.setattr(pythons, "PYTHONS", [ours, "3.98", "3.99"])
    monkeypatch.setattr(
        pythons, "found", lambda _folders, versions: dict.fromkeys(versions, "py")
    )
    monkeypatch.setattr(subprocess, "run", make)
    assert pythons.main() == 1
    assert [words[2] for words in ran] == ["VENV=.venv-3.98", "VENV=.venv-3.99"]
    assert "Red on Python 3.98.\n" in capsys.readouterr().out
    monkeypatch.setattr(pythons, "found", lambda _folders, _versions: {})
    assert pythons.main() == 0
    assert "A slice runs on: none." in capsys.readouterr().out


def test_the_slice_is_run_where_machines_look_and_holds_what_differs() -> None:
    assert "make pythons" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [folders] = re.findall(r"^SLICE := (.+)$", makefile, re.MULTILINE)
    assert set(folders.split()) == {"tests/cli", "tests/rules", "tests/protocol/wire"}
    assert all((ROOT / folder).is_dir() for folder in folders.split())
