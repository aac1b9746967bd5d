"""What `protocol` offers, and what it costs to ask for it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import protocol
from protocol import errors
from protocol.session import events


def offered() -> dict[str, str]:
    """The names that a type checker finds in the face, and their rooms."""
    assert protocol.__file__ is not None
    return {
        name.name: line.module or ""
        for line in ast.walk(ast.parse(Path(protocol.__file__).read_text(encoding="utf-8")))
        if isinstance(line, ast.ImportFrom)
        for name in line.names
        if name.asname
    }


def test_every_name_comes_from_its_room() -> None:
    assert len(offered()) > 20
    for name, room in offered().items():
        found = getattr(protocol, name)
        assert found is getattr(sys.modules[room], name), name
    assert protocol.Unavailable is errors.Unavailable
    assert protocol.Began is events.Began
    with pytest.raises(AttributeError, match="nonsense"):
        protocol.nonsense  # type: ignore[attr-defined]  # noqa: B018


def test_a_value_costs_no_network_and_no_disk() -> None:
    program = (
        "import sys; from protocol import Began, Password, Unavailable\n"
        "heavy = ('asyncio', 'sqlite3', 'ssl', 'zeroconf', 'protocol.node')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert told.stdout.strip() == "[]"
