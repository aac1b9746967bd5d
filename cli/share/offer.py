"""What a laptop offers: wheels by the Python that they are for, single files, and `go`.

The code on the screen is the beginning of the hash of `go`, which pins everything else. `go` is
a program for sh in which two others lie between form feeds: for PowerShell the second part, for
Python the fourth. They hold the hashes of what they fetch. A nonce makes the code a new one
every evening, so nobody can look for other bytes with the same code beforehand.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cli import i18n
from cli.i18n import _
from cli.share import single_files

#: hexadecimal digits of the code: 80 bits. A thousand fast graphics cards (2^34.5 SHA-256 a
#: second each) try 2^60 texts in twelve hours: a chance of 2^-20 to find another one. At 64
#: bits it would be one of sixteen.
DIGITS = 20


@dataclass(frozen=True, slots=True)
class File:
    """A file that is offered: in memory, or on the disk with the size and hash that it had."""

    name: str
    size: int
    digest: str
    content: bytes | Path

    @classmethod
    def of(cls, name: str, content: bytes | Path) -> File:
        """With its hash. Raises OSError for a path that cannot be read."""
        read = content.read_bytes() if isinstance(content, Path) else content
        return cls(name, len(read), hashlib.sha256(read).hexdigest(), content)


@dataclass(frozen=True, slots=True)
class Offer:
    """`sets`: "3.12 linux x86_64" → the wheels that make the program run there.
    `singles`: "windows x86_64" → one file that needs no Python.
    """

    sets: Mapping[str, tuple[File, ...]]
    singles: Mapping[str, File]

    @property
    def files(self) -> Mapping[str, File]:
        """Every file by its name, each once."""
        wheels = (file for files in self.sets.values() for file in files)
        return {file.name: file for file in (*wheels, *self.singles.values())}

    @property
    def size(self) -> int:
        """Bytes of everything together."""
        return sum(file.size for file in self.files.values())

    @property
    def systems(self) -> Mapping[str, tuple[str, ...]]:
        """ "linux x86_64" → the Pythons whose wheels are here, in order."""
        found: dict[str, list[str]] = {}
        for name in self.sets:
            python, _blank, place = name.partition(" ")
            found.setdefault(place, []).append(python)
        return {place: tuple(sorted(found[place], key=_age)) for place in sorted(found)}

    def here(self, system: str) -> Offer:
        """What of it is for a system."""
        # Alpine's Linux has another C library, and its people type the same rows.
        names = ("linux", "musl") if system == "linux" else (system,)
        return Offer(
            {name: of for name, of in self.sets.items() if name.split(" ")[1] in names},
            {place: one for place, one in self.singles.items() if place.split(" ")[0] in names},
        )

    def go(self, bootstrap: str, nonce: str) -> bytes:
        """What the rows fetch and open by its hash; `bootstrap` is the source for Python."""
        told = {
            "nonce": nonce,
            "files": {name: [file.size, file.digest] for name, file in self.files.items()},
            "sets": {name: [f.name for f in files] for name, files in self.sets.items()},
            "words": {language: _words(language) for language in i18n.LANGUAGES},
        }
        listed = f"__import__('json').loads({json.dumps(told)!r})"
        python = f"{bootstrap}\n\nmain(__import__('sys').argv[1], {listed})\n"
        singles = {place: (one.name, one.digest) for place, one in self.singles.items()}
        ours = _words(i18n.current()) | {"none": self._none()}
        return "\f".join((
            ": <<'END_OF_POWERSHELL'\n",
            single_files.power_shell(singles, ours),
            "\nEND_OF_POWERSHELL\npython() { \"$1\" -I - \"$a\" <<'END_OF_PYTHON'\n",
            python,
            f"\nEND_OF_PYTHON\n}}\n{single_files.sh(singles, ours)}",
        )).encode("utf-8")  # fmt: skip

    def _none(self) -> str:
        pythons = (f"{place} (Python {', '.join(of)})" for place, of in self.systems.items())
        there = ", ".join((*pythons, *(single.name for single in self.singles.values())))
        return _("There is nothing for this laptop here. There is: {there}").format(there=there)


def code(go: bytes) -> str:
    """What is read aloud."""
    return hashlib.sha256(go).hexdigest()[:DIGITS]


def in_groups(digits: str) -> str:
    """A code as it is read aloud; it is typed without the blanks."""
    return " ".join(digits[i : i + 4] for i in range(0, len(digits), 4))


def _age(python: str) -> tuple[int, ...]:
    return tuple(map(int, python.rstrip("t").split(".")))


def _words(language: str) -> dict[str, str]:
    """What the guest's laptop may have to say."""
    with i18n.speaking(language):
        return {
            "takes": _("Fetching {count} files, {size} MB, and checking each…"),
            "ready": _("Citadels is there. Start it with: {command}"),
            "taken": _("There is another {folder} already; move it away first."),
            "wrong": _("{file} is not what was offered. Nothing was installed."),
            "trouble": _("That did not work, and nothing was installed: {why}"),
        }
