"""Shell: with pip, the wheels that other laptops need, while there is the internet."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import urllib.request
import venv
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
#: "system machine" → what pip calls it: glibc from 2.28 on, macOS from 12 on
PLATFORMS: Mapping[str, tuple[str, ...]] = {
    **{
        f"linux {ours}": (
            *(f"manylinux_2_{n}_{pip}" for n in range(28, 16, -1)),
            f"manylinux2014_{pip}",
        )
        for ours, pip in (("x86_64", "x86_64"), ("arm64", "aarch64"))
    },
    "macos x86_64": ("macosx_12_0_x86_64",),
    "macos arm64": ("macosx_12_0_arm64",),
    "windows x86_64": ("win_amd64",),
    "windows arm64": ("win_arm64",),
}
#: pips at once: each mostly waits
SIDE_BY_SIDE = 4
PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """A wheel somewhere: what pip would install."""

    project: str
    version: str
    address: str
    digest: str

    @property
    def name(self) -> str:
        """The name of its file."""
        return unquote(self.address.rpartition("/")[2])

    @property
    def line(self) -> str:
        """What names exactly this wheel to pip."""
        return f"{self.project}=={self.version} --hash=sha256:{self.digest}"


Wish = Mapping[str, Sequence[Wanted]]


@contextlib.contextmanager
def pip() -> Iterator[tuple[str, ...]]:
    """A command that is pip: this Python's own, or one in an environment for the moment."""
    own = (sys.executable, "-m", "pip")
    if subprocess.run((*own, "--version"), capture_output=True, check=False).returncode == 0:
        yield own
        return
    with TemporaryDirectory(prefix="citadels-pip-") as folder:
        venv.create(folder, with_pip=True)
        inside = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
        yield (str(Path(folder) / inside), "-m", "pip")


def wish(pip: Sequence[str], requirements: Sequence[str]) -> tuple[Wish, Mapping[str, str]]:
    """What every laptop would need, by "3.12 linux x86_64"; and why some can not have it."""

    def asked(target: str) -> tuple[str, list[Wanted] | str]:
        with TemporaryDirectory(prefix="citadels-pip-") as folder:
            report = Path(folder) / "report.json"
            command = (
                *pip,
                "install",
                "--dry-run",
                "--quiet",
                "--ignore-installed",
                "--target",
            )
            command += (folder, "--report", str(report), *_for(target), *requirements)
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            if ran.returncode:
                said = [line for line in ran.stderr.splitlines() if line.startswith("ERROR")]
                return target, said[-1].removeprefix("ERROR: ") if said else "pip"
            found = json.loads(report.read_text("utf-8"))["install"]
            return target, [_wanted(one) for one in found]

    targets = [f"{python} {place}" for python in PYTHONS for place in PLATFORMS]
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        answers = dict(pool.map(asked, targets))
    found = {target: a for target, a in answers.items() if not isinstance(a, str)}
    return found, {target: a for target, a in answers.items() if isinstance(a, str)}


def size(wanted: Sequence[Wanted]) -> int:
    """Bytes of these together, as far as their servers say. Raises OSError."""

    def asked(one: Wanted) -> int:
        request = urllib.request.Request(one.address, method="HEAD")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return int(answer.headers.get("Content-Length", 0))

    with ThreadPoolExecutor(SIDE_BY_SIDE * 2) as pool:
        return sum(pool.map(asked, wanted))


def fetch(pip: Sequence[str], target: str, wanted: Sequence[Wanted], folder: Path) -> str:
    """Let pip put these wheels into the folder, each checked; why not, or ""."""
    with TemporaryDirectory(prefix="citadels-pip-") as lists:
        pinned = Path(lists) / "pinned.txt"
        pinned.write_text("\n".join(one.line for one in wanted), encoding="utf-8")
        command = (*pip, "download", "--quiet", "--no-deps", "--require-hashes", "--dest")
        command += (str(folder), *_for(target), "--requirement", str(pinned))
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return ran.stderr.strip() if ran.returncode else ""


def _for(target: str) -> tuple[str, ...]:
    python, _blank, place = target.partition(" ")
    platforms = (part for name in PLATFORMS[place] for part in ("--platform", name))
    return (
        "--only-binary=:all:",
        "--implementation=cp",
        f"--python-version={python}",
        *platforms,
    )


def _wanted(found: Mapping[str, Mapping[str, object]]) -> Wanted:
    """One entry of pip's report."""
    about, origin = found["metadata"], found["download_info"]
    archive = origin["archive_info"]
    assert isinstance(archive, dict)
    name, version = str(about["name"]), str(about["version"])
    return Wanted(name, version, str(origin["url"]), str(archive["hashes"]["sha256"]))
