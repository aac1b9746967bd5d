"""Shell: wheels of what is installed here, packed anew: the program and what it stands on.

So a laptop has something to share for others like it without ever having asked the internet.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

import citadels_p2p
import cli
import protocol
from cli.share.offer import File

PROGRAM = "citadels-p2p"
#: where the wings lie, and what is beside them
BESIDE = Path(__file__).parents[2]
#: has no wheels for Intel Macs any more, and runs as plain Python as well
PLAIN, INTEL_MAC = "zeroconf", "macos x86_64"

#: what the wings are made of; libraries of a compiled engine are for one Python alone
_SUFFIXES = frozenset({".py", ".mo", ".html", ".md", ".svg", ".txt", ".typed"})
#: what pip writes beside a distribution of this one laptop
_OWN = frozenset({"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"})
#: a time for every entry, so that equal files make equal wheels
_DATE = (2020, 1, 1, 0, 0, 0)


class NotWhole(Exception):
    """Something that the program stands on is not installed here as wheels are."""


def program() -> File:
    """The wheel of this very program: any system, any Python that is new enough."""
    files = {}
    for wing in (protocol, citadels_p2p, cli):
        assert wing.__file__ is not None
        folder = Path(wing.__file__).parent
        for path in sorted(folder.rglob("*")):
            if path.suffix in _SUFFIXES and "__pycache__" not in path.parts:
                files[path.relative_to(folder.parent).as_posix()] = path.read_bytes()
    launcher = BESIDE / "citadels_launcher.py"
    files[launcher.name] = launcher.read_bytes()
    name, number = PROGRAM.replace("-", "_"), version()
    about = ["Metadata-Version: 2.1", f"Name: {PROGRAM}", f"Version: {number}"]
    about += [f"Requires-Dist: {wanted}" for wanted in requirements()]
    scripts = "[console_scripts]\ncitadels = citadels_launcher:start\n"
    beside = f"{name}-{number}.dist-info"
    files[f"{beside}/METADATA"] = "\n".join((*about, "")).encode()
    files[f"{beside}/WHEEL"] = _wheel("py3-none-any")
    files[f"{beside}/entry_points.txt"] = scripts.encode()
    files[f"{beside}/licenses/LICENSE"] = licence().encode()
    return _packed(f"{name}-{number}-py3-none-any.whl", beside, files)


def version() -> str:
    project = _checkout()
    return str(project["version"]) if project else metadata.version(PROGRAM)


def requirements() -> tuple[str, ...]:
    """What the program needs, without what only its developers do."""
    project = _checkout()
    if project:
        wanted = project["dependencies"]
        assert isinstance(wanted, list)
        return tuple(wanted)
    return tuple(w for w in metadata.requires(PROGRAM) or () if "extra ==" not in w)


def licence() -> str:
    if _checkout():
        return (BESIDE / "LICENSE").read_text("utf-8")
    return metadata.distribution(PROGRAM).read_text("licenses/LICENSE") or ""


def dependencies() -> tuple[File, ...]:
    """Wheels of everything that the program needs, as it is installed here.

    Raises `NotWhole`.
    """
    return tuple(map(_installed, distributions()))


def distributions() -> tuple[metadata.Distribution, ...]:
    """Everything that the program needs. Raises `NotWhole` where something is not here."""
    found: dict[str, metadata.Distribution] = {}
    todo = list(requirements())
    while todo:
        wanted, _semicolon, marker = todo.pop().partition(";")
        match = re.match(r"[\w.-]+", wanted.strip(), re.ASCII)
        assert match is not None
        key = re.sub(r"[-_.]+", "-", match[0]).lower()
        if key in found or "extra" in marker:
            continue
        try:
            there = metadata.distribution(key)
        except metadata.PackageNotFoundError:
            if marker:
                continue  # for another system, or an older Python
            raise NotWhole(key) from None
        found[key] = there
        todo += there.requires or ()
    return tuple(found[key] for key in sorted(found))


def plain(project: str) -> File:
    """A distribution without what was compiled. Raises `NotWhole`."""
    return _installed(metadata.distribution(project), is_plain=True)


def _checkout() -> Mapping[str, object]:
    """The project's own words about itself where it runs from a checkout, else nothing."""
    file = BESIDE / "pyproject.toml"
    if not file.is_file():
        return {}
    project: Mapping[str, object] = tomllib.loads(file.read_text("utf-8")).get("project", {})
    return project if project.get("name") == PROGRAM else {}


def _installed(there: metadata.Distribution, *, is_plain: bool = False) -> File:
    """A distribution as the wheel from which it was installed. Raises `NotWhole`."""
    tags = re.findall(r"^Tag: *(\S+)", there.read_text("WHEEL") or "", re.MULTILINE)
    if not tags or there.files is None:
        raise NotWhole(there.name)
    files = {}
    beside = ""
    for file in there.files:
        place = file.as_posix()
        if place.endswith(".dist-info/METADATA"):
            beside = file.parent.as_posix()
        if is_plain and file.suffix in (".so", ".pyd"):
            continue
        if place.startswith("..") or "__pycache__" in place or file.name in _OWN:
            continue
        try:
            files[place] = Path(str(file.locate())).read_bytes()
        except OSError as missing:
            raise NotWhole(there.name) from missing
    parts = [tag.split("-") for tag in tags]
    # One tag for each kind: "py2.py3-none-any" stands for two lines.
    tag = "-".join(".".join(dict.fromkeys(part)) for part in zip(*parts, strict=True))
    name = beside.removesuffix(".dist-info")
    if is_plain:
        tag = "py3-none-any"
        files[f"{beside}/WHEEL"] = _wheel(tag)
    return _packed(f"{name}-{tag}.whl", beside, files)


def _wheel(tag: str) -> bytes:
    lines = (
        "Wheel-Version: 1.0",
        "Generator: citadels",
        "Root-Is-Purelib: true",
        f"Tag: {tag}",
    )
    return "\n".join((*lines, "")).encode()


def _packed(name: str, beside: str, files: Mapping[str, bytes]) -> File:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, content in (*files.items(), (f"{beside}/RECORD", _record(beside, files))):
            entry = zipfile.ZipInfo(place, _DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    return File.of(name, packed.getvalue())


def _record(beside: str, files: Mapping[str, bytes]) -> bytes:
    def rows() -> Iterator[tuple[str, str, str]]:
        for place, content in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
            yield place, f"sha256={digest.decode()}", str(len(content))
        yield f"{beside}/RECORD", "", ""

    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows())
    return written.getvalue().encode()
