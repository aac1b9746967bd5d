"""Which program this is."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from citadels_p2p import compiled


def version() -> str:
    """Program and Python, in one line, and whether the engine is compiled."""
    made = ", compiled" if compiled() else ""
    return f"{program()} (Python {sys.version.split()[0]}{made})"


def licences() -> Iterator[str]:
    """The licences of the program and of all that it stands on, each below its name.

    A single file has Python's, and those of the libraries that Python stands on, in a folder.
    """
    from cli.share import packing

    yield _headed(program(), packing.licence())
    for one in packing.distributions():
        for file in one.files or ():
            if re.match("licen[cs]e|copying|notice|authors", file.name, re.IGNORECASE):
                text = Path(str(file.locate())).read_text("utf-8", "replace")
                yield _headed(f"{one.name} {one.version}: {file.name}", text)
    for path in sorted((packing.BESIDE / "licences").glob("*")):
        yield _headed(path.stem, path.read_text("utf-8", "replace"))


def _headed(name: str, text: str) -> str:
    return f"{name}\n{'=' * len(name)}\n\n{text.strip()}\n"


def program() -> str:
    from citadels_p2p import __version__

    return f"citadels-p2p {__version__}"
