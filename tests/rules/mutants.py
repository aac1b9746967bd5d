"""How much of the rules is held by their tests: random changes that nobody notices.

    python -m tests.rules.mutants --seed 7 --count 100

Each change stands alone in a copy of the sources: a comparison turned, a number one higher, a
condition turned round, a call away. The quick tests of this folder look at it first, those that
play whole matches after. What survives is printed, to be judged: a test is missing, or nothing
can tell the change. A hundred take a quarter of an hour.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent.parent
RULES = Path("citadels_p2p/rules")
#: what the tests of the rules need of the house
COPIED = ("citadels_p2p", "protocol", "cli", "tests", "pyproject.toml")
#: files of whole matches, for what the quick ones let through
HEAVY = (
    "test_any_rules",
    "test_defaults",
    "test_lots",
    "test_random_play",
    "test_random_results",
)
#: seconds of processor time after which a change counts as an endless loop, and so as noticed
ENDLESS = 300.0

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


def changes(tree: ast.Module) -> Iterator[ast.AST]:
    """Makes one change after the other in the tree, each taken back before the next.

    Gives the node that is changed while it is so.
    """
    passed = {inner for node in ast.walk(tree) if _is_no_rule(node) for inner in ast.walk(node)}
    for node in [node for node in ast.walk(tree) if node not in passed]:
        match node:
            case ast.Compare(ops=ops):
                for place, op in enumerate(ops):
                    ops[place] = _TURNED[type(op)]()
                    yield node
                    ops[place] = op
            case ast.Constant(value=bool() | int() as value):
                node.value = not value if isinstance(value, bool) else value + 1
                yield node
                node.value = value
            case ast.If(test=test) | ast.IfExp(test=test):
                node.test = ast.UnaryOp(ast.Not(), test)
                yield node
                node.test = test
            case ast.BoolOp(op=junction):
                node.op = ast.And() if isinstance(junction, ast.Or) else ast.Or()
                yield node
                node.op = junction
            case ast.BinOp(op=ast.Add() | ast.Sub() as sign):
                node.op = ast.Sub() if isinstance(sign, ast.Add) else ast.Add()
                yield node
                node.op = sign
            case ast.Expr(value=ast.Call() as call):
                node.value = ast.Constant(None)
                yield node
                node.value = call


def _is_no_rule(node: ast.AST) -> bool:
    """Assertions, how a value prints, and what is there for the type checker alone."""
    match node:
        case ast.Assert() | ast.FunctionDef(name="__repr__" | "__hash__"):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case _:
            return False


def is_noticed(house: Path) -> bool:
    """Does any test of the rules fail in this copy?"""
    files = sorted((house / "tests" / "rules").glob("test_*.py"))
    quick = [str(file) for file in files if file.stem not in HEAVY]
    heavy = [str(file) for file in files if file.stem in HEAVY]
    environment = {**os.environ, "PYTHONPATH": str(house), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    for some in (quick, heavy):
        try:
            run = subprocess.run(
                [*command, *some],
                cwd=house,
                env=environment,
                capture_output=True,
                check=False,
                timeout=ENDLESS,
            )
        except subprocess.TimeoutExpired:
            return True
        if run.returncode:
            return True
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    wanted = parser.parse_args()
    files = sorted((ROOT / RULES).rglob("*.py"))
    every = [
        (file.relative_to(ROOT), place)
        for file in files
        for place, _ in enumerate(changes(ast.parse(file.read_text(encoding="utf-8"))))
    ]
    Random(wanted.seed).shuffle(every)
    noticed = 0
    with TemporaryDirectory() as folder:
        house = Path(folder)
        for name in COPIED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, house / name)
        for file, place in every[: wanted.count]:
            text = (ROOT / file).read_text(encoding="utf-8")
            tree = ast.parse(text)
            for number, node in enumerate(changes(tree)):
                if number == place:
                    (house / file).write_text(
                        ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8"
                    )
                    line = getattr(node, "lineno", 0)
                    break
            if is_noticed(house):
                noticed += 1
            else:
                print(f"{file}:{line}: {text.splitlines()[line - 1].strip()}", flush=True)
            (house / file).write_text(text, encoding="utf-8")
    print(f"{noticed} of {len(every[: wanted.count])} changes are noticed")


if __name__ == "__main__":
    main()
