"""The installed command is this program, whatever else is importable by its wings' names."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture
def command(tmp_path: Path) -> Path:
    """The script that pip makes of the entry point."""
    module, _colon, start = PROJECT["scripts"]["citadels"].partition(":")
    script = tmp_path / "bin" / "citadels"
    script.parent.mkdir()
    script.write_text(
        f"import sys\nfrom {module} import {start}\n"
        f"if __name__ == '__main__':\n    sys.exit({start}())\n"
    )
    return script


@pytest.mark.parametrize(
    "words", [["--version"], ["simulate", "--seats", "2", "--games", "2", "--jobs", "2"]]
)
def test_somebody_elses_folders_do_not_mislead_it(
    command: Path, tmp_path: Path, words: list[str]
) -> None:
    for wing in ("cli", "protocol", "citadels_p2p"):
        (tmp_path / "theirs" / wing).mkdir(parents=True)
        (tmp_path / "theirs" / wing / "__init__.py").write_text("raise SystemExit('theirs')")
    where = os.pathsep.join((str(tmp_path / "theirs"), str(ROOT)))
    ran = subprocess.run(
        [sys.executable, str(command), *words],
        cwd=tmp_path / "theirs",
        env={**os.environ, "PYTHONPATH": where},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not ran.returncode, ran.stderr
    assert "theirs" not in ran.stderr
    assert ran.stdout.startswith("citadels-p2p " if len(words) == 1 else "2 games in ")


def test_a_wing_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "protocol").mkdir()
    (tmp_path / "protocol" / "__init__.py").touch()
    launcher = (ROOT / "citadels_launcher.py").read_text(encoding="utf-8")
    (tmp_path / "citadels_launcher.py").write_text(launcher, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", "import citadels_launcher"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode
    assert "install it again (citadels_p2p is missing)" in ran.stderr
