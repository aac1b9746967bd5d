"""Shell: the program as one file, for people without Python: `python packaging/bundle.py`.

PyInstaller packs the citadels-p2p that this Python has installed, with its engine compiled if
it is, and Python itself. It needs what `pip install '.[bundle]'` installs. The file lands in
`dist`, or in the folder that is named, under the name that `citadels share` looks for.
"""

from __future__ import annotations

import ast
import os
import platform
import shutil
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
UNUSED = ("babel", "curses", "pip", "pydoc_data", "setuptools", "tkinter")
#: it would bring the GPL into the file, and nothing here asks for it
UNUSED += ("readline",)
#: what every Linux has itself, so that it is not packed
GLIBC = (
    "ld-linux",
    "libc.",
    "libdl.",
    "libm.",
    "libpthread.",
    "librt.",
    "libutil.",
    "linux-vdso",
)

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


def licences(folder: Path) -> None:
    """Write there the licences of Python and of the libraries that it brings along.

    Those of distributions come with their metadata.
    """
    folder.mkdir()
    library = Path(sysconfig.get_path("stdlib"))
    debian = Path(f"/usr/share/doc/{library.name}/copyright")
    places = (library / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE.txt", debian)
    text = next(place for place in places if place.exists())
    shutil.copy(text, folder / "Python.txt")
    if sys.platform != "linux":
        return  # Python's own text has those of the libraries in its installer
    extensions = sorted((library / "lib-dynload").glob("*.so"))
    extensions += sorted(Path(sysconfig.get_path("platlib")).rglob("*.so"))
    needed = subprocess.run(
        ["ldd", *extensions], capture_output=True, text=True, check=True
    ).stdout
    for path in sorted(
        {Path(line.split()[2]) for line in needed.splitlines() if " => /" in line}
    ):
        if path.name.startswith((*GLIBC, "libpython", "libreadline", "libncurses", "libpanel")):
            continue
        shutil.copy(_licence_of(path), folder / f"{path.name.partition('.')[0]}.txt")


def _licence_of(library: Path) -> Path:
    """Where the system's packages keep the licence of a library."""
    for path in (library, library.resolve(), Path("/usr") / library.relative_to("/")):
        asked = subprocess.run(
            ["dpkg", "-S", path], capture_output=True, text=True, check=False
        )
        found = Path("/usr/share/doc") / asked.stdout.partition(":")[0] / "copyright"
        if asked.returncode == 0 and found.exists():
            return found
    raise SystemExit(f"no licence is known of {library}, which would be packed")


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
        command += ["--recursive-copy-metadata", "citadels-p2p", "--collect-data", "cli"]
        licences(Path(scratch) / "licences")
        command += ["--add-data", f"{Path(scratch) / 'licences'}{os.pathsep}licences"]
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
