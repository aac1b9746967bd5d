"""Make `citadels.exe` by Wine and try it: `python -m tests.windows.single_file`.

It shows that the recipe (`packaging/bundle.py`) holds on Windows. The file stays in
`.windows/bundle`: the CPython in it is for tests alone, and its engine is not compiled. What
people are given is made by GitHub, on a real Windows.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.lan.lab import Lab
from tests.windows.wine import HERE, ROOT, Windows, build, windows_path

#: PyInstaller, and what it wants on Windows besides; pip here would ask what Linux wants
TOOLS = ("pyinstaller>=6.16", "pefile", "pywin32-ctypes", "altgraph", "packaging", "setuptools")
SECONDS = 900.0


def main() -> int:
    """Make it, try it; the exit code of what failed."""
    build()
    made = HERE / "bundle"
    with (
        tempfile.TemporaryDirectory() as name,
        Lab(machines=1) as lab,
        Windows(Path(name), lab.machine(0)) as windows,
    ):
        tools = Path(name) / "tools"
        wheel = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", name]
        subprocess.run(wheel, cwd=ROOT, check=True)
        (ours,) = Path(name).glob("*.whl")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        pip += ["--no-deps", "--only-binary", ":all:", "--target", str(tools)]
        pip += ["--platform", "win_amd64", "--python-version", "3.13"]
        subprocess.run([*pip, *TOOLS, "pyinstaller-hooks-contrib", str(ours)], check=True)
        path = {"PYTHONPATH": windows_path(tools)}
        for script, *told in (
            ("packaging/bundle.py", windows_path(made)),
            ("packaging/try_bundle.py", "--pure", windows_path(made)),
        ):
            ran = windows.run(script, *told, seconds=SECONDS, **path)
            print(ran.stdout, end="")
            if ran.returncode:
                print(ran.stderr, end="", file=sys.stderr)
                return ran.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
