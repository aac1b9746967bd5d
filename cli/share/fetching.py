"""Shell: with pip, the wheels that other laptops need, while there is the internet."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import urllib.request
import venv
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

from cli.share.offer import File
from cli.share.packing import INTEL_MAC, PLAIN

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
    needs: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of its file."""
        return unquote(self.address.rpartition("/")[2])

    def is_in(self, folder: Path) -> bool:
        """Whether it lies there, and whole."""
        path = folder / self.name
        return path.is_file() and File.of(self.name, path).digest == self.digest

    @property
    def line(self) -> str:
        """What names exactly this wheel to pip."""
        return f"{self.project}=={self.version} --hash=sha256:{self.digest}"


Wish = Mapping[str, Sequence[Wanted]]
Tell = Callable[[str, int, int], None]


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


def wish(
    pip: Sequence[str], requirements: Sequence[str], tell: Tell
) -> tuple[Wish, Mapping[str, str]]:
    """What every laptop would need, by "3.12 linux x86_64"; and why some cannot have it.

    `tell` is told of each laptop that was asked for: which, how many so far, of how many.
    """
    targets = [f"{python} {place}" for python in PYTHONS for place in PLATFORMS]
    pairs = _applying(pip, [(target, requirements) for target in targets])
    asked = {target: dict(wanted) for target, wanted in zip(targets, pairs, strict=True)}
    found: dict[str, list[Wanted]] = {}
    lacking: dict[str, str] = {}
    while asked:
        with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
            answers = []
            for answered in pool.map(partial(_asked, pip), asked, asked.values()):
                answers.append(answered)
                tell(list(asked)[len(answers) - 1], len(answers), len(asked))
        told = {t: a for t, a in zip(asked, answers, strict=True) if not isinstance(a, str)}
        lacking |= {t: a for t, a in zip(asked, answers, strict=True) if isinstance(a, str)}
        # pip reads the markers of what it finds as if it were for this laptop.
        needs = [(target, [n for one in told[target] for n in one.needs]) for target in told]
        again = {}
        for target, needed in zip(told, _applying(pip, needs), strict=True):
            there = {one.project.lower().replace("_", "-") for one in told[target]}
            more = {n: r for n, r in needed if n not in there and n != PLAIN}
            if more:
                again[target] = {**asked[target], **more}
            else:
                found[target] = told[target]
        asked = again
    return found, lacking


def _asked(pip: Sequence[str], target: str, wanted: Mapping[str, str]) -> list[Wanted] | str:
    """What pip would install there, or why it cannot."""
    asked = [
        r for name, r in wanted.items() if not (name == PLAIN and target.endswith(INTEL_MAC))
    ]
    with TemporaryDirectory(prefix="citadels-pip-") as folder:
        report = Path(folder) / "report.json"
        command = (*pip, "install", "--dry-run", "--quiet", "--ignore-installed", "--target")
        command += (folder, "--report", str(report), *_for(target), *asked)
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode:
            said = [line for line in ran.stderr.splitlines() if line.startswith("ERROR")]
            return said[-1].removeprefix("ERROR: ") if said else "pip"
        return [_wanted(one) for one in json.loads(report.read_text("utf-8"))["install"]]


def _applying(
    pip: Sequence[str], asked: Sequence[tuple[str, Sequence[str]]]
) -> list[list[tuple[str, str]]]:
    """For each laptop the requirements that hold there, by project. Raises OSError."""
    script = Path(__file__).with_name("markers.py").read_text("utf-8")
    given = json.dumps([(_environment(target), list(wanted)) for target, wanted in asked])
    command = (pip[0], "-c", script)
    ran = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise OSError(ran.stderr.strip().splitlines()[-1])
    return [[(name, wanted) for name, wanted in one] for one in json.loads(ran.stdout)]


def _environment(target: str) -> dict[str, str]:
    """What markers may ask about a laptop."""
    python, system, machine = target.split(" ")
    names = {"linux": "linux posix Linux", "macos": "darwin posix Darwin"}
    platform, name, called = names.get(system, "win32 nt Windows").split(" ")
    machines = {"linux arm64": "aarch64", "windows arm64": "ARM64", "windows x86_64": "AMD64"}
    return {
        "sys_platform": platform,
        "os_name": name,
        "platform_system": called,
        "platform_machine": machines.get(f"{system} {machine}", machine),
        "python_version": python,
        "python_full_version": f"{python}.0",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }


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
    needs = about.get("requires_dist", [])
    assert isinstance(needs, list)
    return Wanted(
        str(about["name"]),
        str(about["version"]),
        str(origin["url"]),
        str(archive["hashes"]["sha256"]),
        tuple(needs),
    )
