"""Which program this is."""

from __future__ import annotations

import sys

from citadels_p2p import compiled


def version() -> str:
    """Program and Python, in one line, and whether the engine is compiled."""
    made = ", compiled" if compiled() else ""
    return f"{program()} (Python {sys.version.split()[0]}{made})"


def program() -> str:
    """The program's name and version."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        number = installed("citadels-p2p")
    except PackageNotFoundError:
        number = "?"
    return f"citadels-p2p {number}"
