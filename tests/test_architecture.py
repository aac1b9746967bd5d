"""The house keeps its promises: who may import what, and a core that names no card."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from citadels_p2p.cards import CHARACTERS, DISTRICTS

ROOT = Path(__file__).parent.parent
RULES = ROOT / "citadels_p2p" / "rules"
#: where cards are named: what they do, and the one table of the ids of moves
EFFECTS = ("characters", "districts", "move_ids.py")

#: standard modules with a clock, chance, files, sockets or tasks in them
IMPURE = {"asyncio", "os", "pathlib", "random", "secrets", "socket", "threading", "time"}


def sources(*folders: Path) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module


@pytest.mark.parametrize(
    "path", sources(RULES, ROOT / "citadels_p2p" / "cards"), ids=lambda p: p.name
)
def test_the_rules_know_no_clock_no_chance_and_no_world(path: Path) -> None:
    roots = {name.partition(".")[0] for name in imported(path)}
    assert not roots & IMPURE
    assert roots <= set(sys.stdlib_module_names) | {"citadels_p2p"}


@pytest.mark.parametrize(
    "path",
    [p for p in sources(RULES) if p.relative_to(RULES).parts[0] not in EFFECTS],
    ids=lambda p: p.name,
)
def test_the_core_names_no_card(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    words = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    cards = set(CHARACTERS) | set(DISTRICTS)
    assert not words & (cards - {"keep"})  # to keep a drawn card is a verb too


def test_sans_io_rooms_of_the_protocol_touch_no_world() -> None:
    """Whoever opens a socket, a file or a task says 'Shell:' in its first line."""
    for path in sources(ROOT / "protocol", ROOT / "citadels_p2p"):
        touched = {name.partition(".")[0] for name in imported(path)} & {
            "asyncio",
            "socket",
            "sqlite3",
            "ssl",
            "threading",
            "zeroconf",
        }
        first = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "x").split(
            "\n"
        )[0]
        if touched:
            assert first.startswith("Shell:"), f"{path.name} uses {touched}"


def test_the_wheel_installs_the_three_wings_and_what_starts_them() -> None:
    """Whatever else lies above the wings could be hidden by, or hide, somebody's module."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert packages == ["protocol", "citadels_p2p", "cli", "citadels_launcher.py"]


@pytest.mark.parametrize(
    ("system", "machine", "bound"),
    [
        ("linux", "x86_64", ">=47"),
        ("linux", "aarch64", ">=47"),
        ("win32", "AMD64", ">=47"),
        ("win32", "ARM64", "<46.0.4,>=46.0.3"),
        ("darwin", "arm64", ">=47"),
        ("darwin", "x86_64", "<49,>=47"),
    ],
)
def test_each_kind_of_laptop_has_a_wheel_of_cryptography(
    system: str, machine: str, bound: str
) -> None:
    """These have one, by the registry in November 2026; without it Rust is wanted."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    laptop = {"sys_platform": system, "platform_machine": machine}
    wanted = [Requirement(text) for text in project["project"]["dependencies"]]
    (one,) = (
        one
        for one in wanted
        if one.name == "cryptography" and (one.marker is None or one.marker.evaluate(laptop))
    )
    assert str(one.specifier) == bound


def test_import_contracts() -> None:
    """`make test` runs lint-imports too; here it fails beside the other contracts."""
    command = Path(sys.executable).with_name("lint-imports")
    if not command.exists():
        pytest.skip("import-linter is not here")
    ran = subprocess.run([command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_a_compiled_constant_is_final() -> None:
    """Whatever is not is looked up by its name each time: a twentieth of what a game costs."""
    wing = ROOT / "citadels_p2p"
    modules = [wing / name for name in ("arena.py", "dealer.py", "game.py", "mixing.py")]
    modules.append(wing / "inspection.py")
    for path in [*sources(wing / "rules", wing / "cards", wing / "bots"), *modules]:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.Assign):
                assert ast.unparse(node).startswith("__all__ ="), f"{path.name}: no Final"
            elif isinstance(node, ast.AnnAssign):
                said = ast.unparse(node.annotation)
                assert "Final" in said or said == "TypeAlias", f"{path.name}: {said}"
