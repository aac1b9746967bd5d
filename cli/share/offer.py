"""What a laptop offers: wheels by the Python that they are for, single files, and `go`.

The code on the screen is the hash of `go`, which pins everything else. `go` is three programs
with form feeds between them, one for each kind of line: Python, PowerShell, sh. Each holds the
hashes of what it fetches. A nonce makes the code a new one every evening, so nobody can look
for other bytes with the same code beforehand.
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

#: hexadecimal digits of the code: 64 bits, which nobody finds twice in an evening
DIGITS = 16


@dataclass(frozen=True, slots=True)
class File:
    """A file that is offered: in memory, or on the disk with the size and hash that it had."""

    name: str
    size: int
    digest: str
    content: bytes | Path

    @classmethod
    def of(cls, name: str, content: bytes | Path) -> File:
        """With its hash. Raises OSError for a path that can not be read."""
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

    def go(self, bootstrap: str, nonce: str) -> bytes:
        """What the one line fetches and compares with the code; `bootstrap` is its source."""
        words = {language: _words(language) for language in i18n.LANGUAGES}
        told = {
            "nonce": nonce,
            "files": {name: [file.size, file.digest] for name, file in self.files.items()},
            "sets": {name: [f.name for f in files] for name, files in self.sets.items()},
            "words": words,
        }
        python = f"{bootstrap}\n\nmain(a, __import__('json').loads({json.dumps(told)!r}))\n"
        ours = words[i18n.current()]
        power_shell = single_files.power_shell(self.singles, ours)
        shell = single_files.sh(self.singles, ours)
        return "\f".join((python, power_shell, shell)).encode("utf-8")


def code(go: bytes) -> str:
    """What is read aloud."""
    return hashlib.sha256(go).hexdigest()[:DIGITS]


def in_groups(digits: str) -> str:
    """A code as it is shown; who types it may leave the blanks out."""
    return " ".join(digits[i : i + 4] for i in range(0, len(digits), 4))


def _age(python: str) -> tuple[int, ...]:
    return tuple(map(int, python.rstrip("t").split(".")))


def _words(language: str) -> dict[str, str]:
    """What the guest's laptop may have to say."""
    with i18n.speaking(language):
        return {
            "takes": _("Fetching {count} files, {size} MB, and checking each…"),
            "ready": _("Citadels is there. Start it with: {command}"),
            "none": _(
                "This Python is {mine}, and for that there is nothing here. There is: "
                "{there}. Perhaps the page has a single file for this laptop."
            ),
            "no_single": _("There is no single file for this laptop here."),
            "taken": _("There is another {folder} already; move it away first."),
            "wrong": _("{file} is not what was offered. Nothing was installed."),
            "trouble": _("That did not work, and nothing was installed: {why}"),
        }
