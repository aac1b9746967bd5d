"""`make play` from nothing: what it says, and that a run which failed breaks no later one.

The Python that make is given is the real one, but for `venv`: that one fails as Debian's does
without `python3-venv`, until it is installed. The pip of its environments only notes its call.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("make") is None, reason="there is no make here"
)

PYTHON = """#!/bin/sh
if [ "$1 $2" != "-m venv" ]; then exec {real} "$@"; fi
shift 2
{real} -m venv --without-pip "$@" || exit 1
if [ ! -e {debian}/python3-venv ]; then
    echo "The virtual environment was not created successfully, as ensurepip is not available."
    exit 1
fi
for folder do :; done
cp -R {debian}/pip {debian}/pip-1.dist-info "$folder"/lib/python3.*/site-packages
"""
PIP = """
import sys
from pathlib import Path
folder = Path(sys.prefix)
with (folder / "pip-calls").open("a") as calls:
    print(*sys.argv[1:], file=calls)
command = folder / "bin" / "citadels"
command.write_text("#!/bin/sh\\necho citadels $1\\n")
command.chmod(0o755)
"""


class Newcomer:
    """Somebody with the sources, a Python of Debian's kind, and nothing set up."""

    def __init__(self, folder: Path) -> None:
        self.debian = folder / "debian"
        self.sources = folder / "sources"
        (self.debian / "pip").mkdir(parents=True)
        (self.debian / "pip" / "__main__.py").write_text(PIP)
        (self.debian / "pip-1.dist-info").mkdir()
        (self.debian / "pip-1.dist-info" / "METADATA").write_text("Name: pip\nVersion: 1\n")
        (self.debian / "pip-1.dist-info" / "RECORD").write_text("pip/__main__.py,,\n")
        self.python = self.debian / "python3"
        self.python.write_text(PYTHON.format(real=sys.executable, debian=self.debian))
        self.python.chmod(0o755)
        self.sources.mkdir()
        for name in ("Makefile", "pyproject.toml"):
            shutil.copy(ROOT / name, self.sources)

    def installs_venv(self) -> None:
        (self.debian / "python3-venv").touch()

    def makes(self, *words: str) -> subprocess.CompletedProcess[str]:
        python = (
            ()
            if any(word.startswith("PYTHON=") for word in words)
            else (f"PYTHON={self.python}",)
        )
        return subprocess.run(
            ["make", *python, *words],
            cwd=self.sources,
            env={"PATH": os.environ["PATH"]},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    @property
    def pip_calls(self) -> list[str]:
        return (self.sources / ".venv" / "pip-calls").read_text().splitlines()


@pytest.fixture
def newcomer(tmp_path: Path) -> Newcomer:
    return Newcomer(tmp_path)


def test_a_first_run_without_venv_does_not_break_the_second(newcomer: Newcomer) -> None:
    first = newcomer.makes("play")
    assert first.returncode
    assert "ensurepip is not available" in first.stdout
    assert "then type again: make play\n" in first.stdout
    newcomer.installs_venv()
    second = newcomer.makes("play")
    assert not second.returncode, second.stdout
    assert second.stdout.endswith("citadels play\n")


def test_an_environment_whose_pip_was_cut_off_is_made_anew(newcomer: Newcomer) -> None:
    newcomer.installs_venv()
    newcomer.makes("play")
    environment = newcomer.sources / ".venv"
    (environment / ".installed").unlink()
    [record] = environment.glob("lib/python3.*/site-packages/pip-1.dist-info/RECORD")
    record.unlink()
    assert not newcomer.makes("play").returncode
    assert record.exists()


def test_the_first_run_says_what_it_does_and_the_next_one_plays_at_once(
    newcomer: Newcomer,
) -> None:
    newcomer.installs_venv()
    first = newcomer.makes("play")
    assert "Setting up .venv" in first.stdout
    assert "about a minute" in first.stdout
    [call] = newcomer.pip_calls
    assert call.startswith("install ")
    assert "--quiet" not in call
    assert "Setting up" not in newcomer.makes("play").stdout
    assert newcomer.pip_calls == [call]


def test_a_python_that_is_not_here_or_too_old_is_named(newcomer: Newcomer) -> None:
    absent = newcomer.makes("PYTHON=python3.99", "play")
    assert absent.returncode
    assert "python3.99 is not here" in absent.stdout
    newcomer.python.write_text(
        "#!/bin/sh\n"
        f"""exec {sys.executable} -c "import sys; sys.version_info = (3, 10, 1); $2"\n"""
    )
    old = newcomer.makes("play")
    assert old.returncode
    assert "is older; name one: make PYTHON=python3.12 play" in old.stdout
    assert not (newcomer.sources / ".venv").exists()
