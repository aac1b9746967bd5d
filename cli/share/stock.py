"""Shell: what this laptop can offer: what is installed, what was fetched, what was built.

Below the home folder lies `share`: `wheels` with what `--fetch` brought and `sets.json` beside
them, and `programs` with single files. In a checkout `dist` is looked through as well, where
`make bundle` and `make wheels` leave theirs.
"""

from __future__ import annotations

import io
import json
import logging
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError
from pathlib import Path

from cli.share import packing, single_files
from cli.share.bootstrap import here
from cli.share.offer import File, Offer

SETS = "sets.json"

_log = logging.getLogger("citadels.share")

#: systems as the tags of wheels have them
_SYSTEMS = {
    "linux": r"manylinux\w*|linux",
    "musl": "musllinux",
    "macos": "macosx",
    "windows": "win",
}
_MACHINES = {"x86_64": "x86_64|amd64|universal2", "arm64": "arm64|aarch64|universal2"}


def share_folder(home: Path) -> Path:
    """Where what is shared lies."""
    return home / "share"


def stock(home: Path) -> Offer:
    """All that there is to share. Raises OSError for files that cannot be read."""
    return Offer(_sets(home), dict(_singles(home)))


def _sets(home: Path) -> dict[str, tuple[File, ...]]:
    """What a Python needs, by the Python. A single file holds no wheels: it shares itself."""
    if getattr(sys, "frozen", False):
        return {}
    sets = _fetched(share_folder(home))
    try:
        own = packing.program()
        for name in sets:
            if name.endswith(packing.INTEL_MAC):
                sets[name] += (packing.plain(packing.PLAIN),)
        sets[here()] = packing.dependencies()
    except (packing.NotWhole, PackageNotFoundError) as lacking:
        # Installed in another way than from wheels, as by a Linux distribution.
        _log.warning("what is installed here cannot be packed: %s", lacking)
        return {}
    return {name: (_compiled(name, own, home) or own, *sets[name]) for name in sets}


def write_sets(folder: Path, sets: Mapping[str, Mapping[str, str]]) -> None:
    """Write down what was fetched for what: "3.12 linux x86_64" → wheel → SHA-256."""
    told = {"requirements": packing.requirements(), "sets": sets}
    (folder / SETS).write_text(json.dumps(told, indent=1), encoding="utf-8")


def _fetched(folder: Path) -> dict[str, tuple[File, ...]]:
    """The sets that are whole and that this version of the program asks for."""
    try:
        told = json.loads((folder / SETS).read_text("utf-8"))
    except FileNotFoundError:
        return {}
    if tuple(told["requirements"]) != packing.requirements():
        return {}
    there = {p.name: File.of(p.name, p) for p in (folder / "wheels").glob("*.whl")}
    return {
        name: tuple(there[wheel] for wheel in wheels)
        for name, wheels in told["sets"].items()
        if all(w in there and there[w].digest == digest for w, digest in wheels.items())
    }


def _folders(home: Path, kind: str) -> Iterator[Path]:
    yield share_folder(home) / kind
    if (packing.BESIDE / "pyproject.toml").is_file():
        yield packing.BESIDE / "dist"


def _singles(home: Path) -> Iterator[tuple[str, File]]:
    """Single files by place; what runs here as one comes last and so first."""
    for folder in _folders(home, "programs"):
        for path in sorted(folder.glob("citadels-*")):
            place = single_files.place_of(path.name)
            if place is not None:
                yield place, File.of(path.name, path)
    if getattr(sys, "frozen", False):
        place = here().partition(" ")[2]
        ending = ".exe" if place.startswith("windows") else ""
        yield (
            place,
            File.of(f"citadels-{place.replace(' ', '-')}{ending}", Path(sys.executable)),
        )


def _compiled(name: str, own: File, home: Path) -> File | None:
    """A wheel with a compiled engine for this set, made of the very sources that run here."""
    python, system, machine = name.split(" ")
    python = python.replace(".", "")
    fits = re.compile(
        rf"{own.name.split('-')[0]}-[^-]+-cp{python.rstrip('t')}-cp{python}"
        rf"-.*(?:{_SYSTEMS[system]})\w*(?:{_MACHINES.get(machine, machine)})\w*\.whl"
    )
    for folder in _folders(home, "wheels"):
        for path in sorted(folder.glob("*.whl")):
            if fits.fullmatch(path.name) and _sources(path) == _sources(own.content):
                return File.of(path.name, path)
    return None


def _sources(wheel: bytes | Path) -> dict[str, int]:
    """Checksums of a wheel's Python sources."""
    with zipfile.ZipFile(wheel if isinstance(wheel, Path) else io.BytesIO(wheel)) as archive:
        return {e.filename: e.CRC for e in archive.infolist() if e.filename.endswith(".py")}
