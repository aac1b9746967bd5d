"""Shell: what runs on the laptop that gets the program: it fetches, checks and unpacks.

A program of its own. `go` has this source with the offer behind it, and the rows that run `go`
have found it by its hash, whose beginning is the code on the sharer's screen. So it stands on
the standard library alone. It needs neither pip nor venv: Debian's Python has none. It ends
with `NOTHING` where the offer has nothing for this Python, and then another Python or the
single file is next.
"""

from __future__ import annotations

import hashlib
import http.client
import locale
import os
import platform
import shutil
import sys
import sysconfig
import tempfile
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

#: seconds without a byte after which the other laptop is taken for gone
PATIENCE = 60.0
#: where the program lies in its folder
LIBRARY = "lib"
#: the exit code that says: nothing here for this Python
NOTHING = 3
START = "import sys\nfrom cli.__main__ import start\nsys.exit(start())\n"


def source() -> str:
    """This file, for whoever sends it."""
    return Path(__file__).read_text("utf-8")


def here() -> str:
    """For which Python, system and machine wheels must be made to run here."""
    build = sysconfig.get_platform()
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
    if system == "linux" and platform.libc_ver()[0] != "glibc":
        system = "musl"
    machine = platform.machine() if "universal" in build else build.rpartition("-")[2]
    machine = {"amd64": "x86_64", "aarch64": "arm64"}.get(machine.lower(), machine.lower())
    bits = "" if sys.maxsize > 2**32 else "-32"
    threads = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    version = ".".join(map(str, sys.version_info[:2]))
    return f"{version}{threads} {system} {machine}{bits}"


def spoken() -> str:
    """The language of whoever sits here, in two letters."""
    if sys.platform == "win32":
        import ctypes

        number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        return locale.windows_locale.get(number, "en")[:2]
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return next(filter(None, names), "en")[:2]


def fetched(base: str, name: str, size: int, digest: str) -> bytes:
    """A file of the offer. Raises ValueError for any other bytes, OSError without a network."""
    # A proxy is of no use in a room, and could not be asked without the internet.
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(base + name, timeout=PATIENCE) as answer:
        content: bytes = answer.read(size + 1)
    if len(content) != size or hashlib.sha256(content).hexdigest() != digest:
        raise ValueError(name)
    return content


def unpack(wheel: Path, library: Path) -> None:
    """What a wheel installs, without its scripts."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(library)
    for kind in ("purelib", "platlib"):
        for part in library.glob("*.data/" + kind):
            shutil.copytree(part, library, dirs_exist_ok=True)


def add_launcher(folder: Path) -> Path:
    """The command that starts the program with this Python; what to type for it."""
    (folder / LIBRARY / "start.py").write_text(START, encoding="ascii")
    if sys.platform == "win32":
        script = f'@"{sys.executable}" "%~dp0{LIBRARY}\\start.py" %*\r\n'
        (folder / "citadels.cmd").write_bytes(script.encode("oem"))
        return folder / "citadels"
    launcher = folder / "citadels"
    quoted = "'" + sys.executable.replace("'", "'\\''") + "'"
    script = f'#!/bin/sh\nexec {quoted} "$(dirname "$0")/{LIBRARY}/start.py" "$@"\n'
    launcher.write_text(script, encoding="utf-8")
    launcher.chmod(0o755)
    return launcher


def install(base: str, offer: dict[str, Any], folder: Path, said: dict[str, str]) -> None:
    """All or nothing: the folder appears when every file was right, and not before."""
    wheels = offer["sets"].get(here())
    if wheels is None:
        sys.exit(NOTHING)
    used = folder.exists() and not (folder.is_dir() and not any(folder.iterdir()))
    if used and not (folder / LIBRARY / "start.py").exists():
        sys.exit(said["taken"].format(folder=folder))
    amount = sum(offer["files"][name][0] for name in wheels)
    print(said["takes"].format(count=len(wheels), size=f"{amount / 1e6:.1f}"))
    try:
        new = Path(tempfile.mkdtemp(prefix="citadels-", dir=str(folder.parent)))
    except OSError as trouble:
        sys.exit(said["trouble"].format(why=trouble))
    try:
        for name in wheels:
            content = fetched(base, name, *offer["files"][name])
            (new / "wheel").write_bytes(content)
            unpack(new / "wheel", new / LIBRARY)
        (new / "wheel").unlink()
        add_launcher(new)
        new.chmod(0o755)
        if folder.exists():
            old = folder.rename(new.with_name(new.name + "-old"))
            new.rename(folder)
            shutil.rmtree(str(old))
        else:
            new.rename(folder)
    except ValueError as wrong:
        sys.exit(said["wrong"].format(file=wrong))
    except (OSError, http.client.HTTPException) as trouble:
        sys.exit(said["trouble"].format(why=trouble))
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        shutil.rmtree(str(new), ignore_errors=True)


def main(base: str, offer: dict[str, Any]) -> None:
    """Install from `base` what the offer has for this laptop, and say how to start it."""
    for stream in (sys.stdout, sys.stderr):
        getattr(stream, "reconfigure", lambda **_: None)(errors="replace")
    said = offer["words"].get(spoken(), offer["words"]["en"])
    folder = Path.home() / "citadels"
    install(base, offer, folder, said)
    print(said["ready"].format(command=folder / "citadels"))
