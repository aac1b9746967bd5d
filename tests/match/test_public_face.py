"""What `citadels_p2p.match` offers, and what it costs to ask for it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import citadels_p2p
import protocol
from citadels_p2p import match


def offered() -> set[str]:
    """The names that a type checker finds in the face, but for the rooms of values."""
    source = ast.parse(Path(match.__file__).read_text(encoding="utf-8"))
    return {
        name.asname
        for line in ast.walk(source)
        if isinstance(line, ast.ImportFrom)
        for name in line.names
        if name.asname
    }


def test_every_name_is_found_in_its_room() -> None:
    assert len(offered()) > 10
    for name in offered() | {"Answer", "Ask", "Session", "TableOptions"}:
        assert hasattr(match, name), name
    with pytest.raises(AttributeError, match="nonsense"):
        match.nonsense  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    "face", [protocol, match, citadels_p2p], ids=lambda face: face.__name__
)
def test_what_is_offered_can_be_listed(face: ModuleType) -> None:
    names = [name for name in dir(face) if not name.startswith("__")]
    assert all(hasattr(face, name) for name in names)
    wanted = {"protocol": "Node", "citadels_p2p.match": "Session", "citadels_p2p": "Game"}
    assert wanted[face.__name__] in names
    assert "import_module" not in names


def test_a_value_costs_no_engine_no_network_and_no_disk() -> None:
    program = (
        "import sys; from citadels_p2p.match import Answer, Leave\n"
        "heavy = ('asyncio', 'sqlite3', 'protocol', 'citadels_p2p.rules')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"
