"""A slice of the suite on every other Python that is here: `python -m tests.pythons`.

The whole suite runs on one Python. What differs between them shows in what they parse, print
and hash, so the slice is catalogues and the person's side, the rules, and the wire. Each
Python has an environment of its own, `.venv-3.12` and so on, which `make slice` makes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.test_repository import PYTHONS, ROOT

#: says its version, and fails where it can make no environment
ASKS = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"


def places() -> list[Path]:
    """The folders that may hold a Python: those of PATH, then pyenv's."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return [*map(Path, filter(None, path)), *sorted(pyenv.glob("versions/*/bin"), reverse=True)]


def found(folders: Iterable[Path], versions: Iterable[str]) -> Mapping[str, Path]:
    """The first Python of each version that runs and can make an environment."""
    others: dict[str, Path] = {}
    for version in versions:
        for folder in folders:
            python = shutil.which(f"python{version}", path=str(folder))
            if python is None:
                continue
            asked = subprocess.run(
                [python, "-c", ASKS], capture_output=True, text=True, check=False
            )
            if asked.stdout.strip() == version:
                others[version] = Path(python)
                break
    return others


def main() -> int:
    """Run the slice on each; 1 where one of them is red."""
    ours = "{}.{}".format(*sys.version_info)
    others = found(places(), [version for version in PYTHONS if version != ours])
    missing = [version for version in PYTHONS if version not in (ours, *others)]
    print(
        f"The whole suite ran on Python {ours}. A slice runs on: {', '.join(others) or 'none'}."
    )
    if missing:
        print(f"Not here, or without venv: {', '.join(missing)}.")
    red = []
    for version, python in others.items():
        print(f"Python {version}: {python}", flush=True)
        words = ["make", "slice", f"VENV=.venv-{version}", f"PYTHON={python}"]
        if subprocess.run(words, cwd=ROOT, check=False).returncode:
            red.append(version)
    if red:
        print(f"Red on Python {', '.join(red)}.")
    return int(bool(red))


if __name__ == "__main__":
    sys.exit(main())
