"""Shell: the program as one file, for people without Python: `python packaging/bundle.py`.

PyInstaller packs the citadels-p2p that this Python has installed, with its engine compiled if
it is, and Python itself. It needs what `pip install '.[bundle]'` installs. The file lands in
`dist`, or in the folder that is named, under the name that `citadels share` looks for.
"""

from __future__ import annotations

import ast
import os
import platform
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
WINGS = ("protocol", "citadels_p2p", "cli")

#: for developers; somebody asks for each of them, and nobody needs it
UNUSED = ("pydoc_data", "setuptools", "tkinter")

#: the first thing that the file runs; processes of `simulate --jobs` begin there too
ENTRY = """\
from multiprocessing import freeze_support

from cli.__main__ import start

if __name__ == "__main__":
    freeze_support()
    start()
"""


def name() -> str:
    """What the file is called on this system."""
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
    # what Python was made for, which under emulation is not what the processor is
    machine = sysconfig.get_platform().rpartition("-")[2].lower()
    if machine == "universal2":
        machine = platform.machine()
    machine = {"amd64": "x86_64", "aarch64": "arm64"}.get(machine, machine)
    ending = ".exe" if sys.platform == "win32" else ""
    return f"citadels-{system}-{machine}{ending}"


def installed() -> Iterator[Path]:
    """Files of the wings, as they are installed."""
    for file in distribution("citadels-p2p").files or ():
        path = Path(str(file.locate()))
        if file.parts[0] in WINGS or file.name.startswith("citadels_engine"):
            yield path


def hidden() -> set[str]:
    """Modules that nothing seems to import, because a compiled one does."""
    found = {"cli.__main__"}
    for path in installed():
        if path.name.startswith("citadels_engine"):
            found.add(path.name.partition(".")[0])
        if path.suffix != ".py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module)
    return {
        module for module in found if module.partition(".")[0] not in (*UNUSED, "__future__")
    }


def main(folder: Path) -> None:
    """Make the file."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="citadels-bundle-") as scratch:
        # not among the sources, so that what is packed is what is installed
        entry = Path(scratch) / "entry.py"
        entry.write_text(ENTRY, encoding="utf-8")
        command = [sys.executable, "-m", "PyInstaller", "--onefile", "--console", "--noconfirm"]
        command += ["--name", name().removesuffix(".exe"), "--distpath", str(folder.resolve())]
        command += ["--workpath", scratch, "--specpath", scratch, "--log-level", "WARN"]
        command += ["--copy-metadata", "citadels-p2p", "--collect-data", "cli"]
        for wing in WINGS:
            command += ["--collect-submodules", wing]
        for path in installed():
            if path.name == "bootstrap.py":  # `citadels share` gives away its source
                command += ["--add-data", f"{path}{os.pathsep}cli/share"]
        for module in sorted(hidden()):
            command += ["--hidden-import", module]
        for module in UNUSED:
            command += ["--exclude-module", module]
        if sys.platform == "linux":
            command += ["--strip"]  # of what debuggers read: nine megabytes in libpython alone
        subprocess.run([*command, str(entry)], cwd=scratch, check=True)
    path = folder / name()
    print(f"{path.stat().st_size / 1e6:6.2f} MB  {path}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist")
