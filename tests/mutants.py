"""Mutation testing: how much of a folder is held by the folder's own tests.

    python -m tests.mutants --folder protocol/journal --tests tests/protocol/journal
    python -m tests.mutants --folder citadels_p2p/rules --tests tests/rules --seed 7 \\
        --last test_any_rules test_defaults test_lots test_random_play test_random_results

Each mutant is one change in a copy of the sources: a comparison or a condition is turned, a
number is one higher, a call, an assignment, a `raise` or an early `return` is left out. It is
found when a test fails, or when the tests take ten times their usual processor time.
Survivors are printed with their line, for somebody to judge: either a test is missing, or
nothing can tell the mutant from the original. `--at FILE:LINE` tries all mutants of one line.
Leave out what waits for real time (`--without test_raft`): on a busy machine it finds anything.
"""

from __future__ import annotations

import argparse
import ast
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
#: what the tests import
COPIED = ("benchmarks", "citadels_p2p", "protocol", "cli", "tests", "pyproject.toml")
#: arguments of classes and dataclasses that nothing at run time depends on
INERT = ("frozen", "slots", "kw_only")
#: seconds of waiting after which tests hang
PATIENCE = 600.0

_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


class Mutant(NamedTuple):
    """The mutant number `place` of `changes` in a file."""

    file: Path
    place: int
    line: int
    change: str


def changes(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Make one change after the other in the tree; each is taken back before the next.

    Yields the changed node and what was done to it.
    """
    inert = {inner for node in ast.walk(tree) if _is_inert(node) for inner in ast.walk(node)}
    for node in [node for node in ast.walk(tree) if node not in inert]:
        yield from _turned(node)
        yield from _left_out(node)


def _turned(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    match node:
        case ast.Compare(ops=ops):
            for place, op in enumerate(ops):
                ops[place] = _TURNED[type(op)]()
                yield node, type(ops[place]).__name__
                ops[place] = op
        case ast.Constant(value=bool() | int() as value):
            node.value = not value if isinstance(value, bool) else value + 1
            yield node, repr(node.value)
            node.value = value
        case ast.If(test=test) | ast.IfExp(test=test):
            node.test = ast.UnaryOp(ast.Not(), test)
            yield node, "if not"
            node.test = test
        case ast.BoolOp(op=junction):
            node.op = ast.And() if isinstance(junction, ast.Or) else ast.Or()
            yield node, type(node.op).__name__
            node.op = junction
        case ast.BinOp(op=ast.Add() | ast.Sub() as sign):
            node.op = ast.Sub() if isinstance(sign, ast.Add) else ast.Add()
            yield node, type(node.op).__name__
            node.op = sign


def _left_out(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if not isinstance(block, list):
            continue
        for place, statement in enumerate(block):
            match statement:
                case (
                    ast.Expr(value=ast.Call() | ast.YieldFrom()) | ast.Raise() | ast.AugAssign()
                ):
                    pass
                case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.Delete():
                    pass
                case ast.Return() if isinstance(node, ast.If):
                    pass
                case _:
                    continue
            block[place] = ast.Pass()
            yield statement, "left out"
            block[place] = statement


def _is_inert(node: ast.AST) -> bool:
    """Assertions, how a value prints, and what is there for the type checker alone."""
    match node:
        case ast.Assert() | ast.FunctionDef(name="__repr__" | "__hash__"):
            return True
        case ast.keyword(arg=name) if name in INERT:
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case _:
            return False


def modules(place: Path, name: str) -> Iterator[Path]:
    """The modules of a folder that are named so; a module itself."""
    return place.rglob(name) if place.is_dir() else iter((place,))


def mutants(house: Path, folder: Path) -> list[Mutant]:
    """Every mutant of the files of a folder, or of one file, by file."""
    return [
        Mutant(file.relative_to(house), place, getattr(node, "lineno", 0), change)
        for file in sorted(modules(house / folder, "*.py"))
        for place, (node, change) in enumerate(changes(ast.parse(file.read_text("utf-8"))))
    ]


def mutated(text: str, place: int) -> str:
    """A file's text with the change of this number in it."""
    tree = ast.parse(text)
    for number, _ in enumerate(changes(tree)):
        if number == place:
            return ast.unparse(ast.fix_missing_locations(tree))
    raise IndexError(place)


def fails(house: Path, files: Sequence[str], seconds: float) -> bool:
    """Whether a test fails, or the tests need more processor time than this."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))

    options = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    try:
        run = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *files],
            cwd=house,
            env={**os.environ, "PYTHONPATH": str(house), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            check=False,
            timeout=PATIENCE,
            preexec_fn=limited,
        )
    except subprocess.TimeoutExpired:
        return True
    return run.returncode != 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--tests", type=Path, required=True)
    parser.add_argument("--last", nargs="*", default=(), help="slow test files, run last")
    parser.add_argument("--without", nargs="*", default=(), help="test files that need time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--at", nargs="*", help="FILE:LINE, all mutants there")
    wanted = parser.parse_args()
    with TemporaryDirectory() as folder:
        house = Path(folder)
        for name in COPIED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, house / name)
        some = mutants(house, wanted.folder)
        if wanted.at:
            some = [one for one in some if f"{one.file}:{one.line}" in wanted.at]
        else:
            Random(wanted.seed).shuffle(some)
            some = some[: wanted.count]
        tests = [
            file
            for file in modules(house / wanted.tests, "test_*.py")
            if file.stem not in wanted.without
        ]
        files = list(map(str, sorted(tests, key=lambda file: (file.stem in wanted.last, file))))
        if fails(house, files, PATIENCE):
            raise SystemExit("the tests fail without any mutant")
        seconds = 10 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime + 10
        found = 0
        for mutant in some:
            file = house / mutant.file
            text = file.read_text("utf-8")
            file.write_text(mutated(text, mutant.place), "utf-8")
            if fails(house, files, seconds):
                found += 1
            else:
                line = text.splitlines()[mutant.line - 1].strip()
                print(f"{mutant.file}:{mutant.line}: {mutant.change}: {line}", flush=True)
            file.write_text(text, "utf-8")
    print(f"{found} of {len(some)} mutants found")


if __name__ == "__main__":
    main()
