"""`citadels bench`: what this machine can do, part by part. It runs from a checkout."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

from cli.i18n import _
from cli.line.exits import Exit


def bench(options: argparse.Namespace) -> int:
    """Run the benchmarks that lie beside the program; they are not installed with it."""
    try:
        measuring = import_module("benchmarks.bench")
    except ModuleNotFoundError as missing:
        if missing.name != "benchmarks":
            raise
        beside = Path.cwd() / "benchmarks"
        if (beside / "bench.py").exists():
            return _beside(beside, options)
        print(
            _(
                "citadels: the benchmarks are not installed. Run `citadels bench` from a"
                " checkout of the project; BENCHMARKS.md there has figures."
            ),
            file=sys.stderr,
        )
        return Exit.USAGE
    return int(measuring.bench(options))


def _beside(benchmarks: Path, options: argparse.Namespace) -> int:
    """An installed program, perhaps a compiled one, is measured by a checkout's benchmarks.

    They alone are on the path, here and in what they start: the checkout's own program would
    be measured else.
    """
    with TemporaryDirectory() as alone:
        copytree(benchmarks, Path(alone) / "benchmarks")
        sys.path.append(alone)
        os.environ |= {"PYTHONPATH": alone, "PYTHONSAFEPATH": "1"}
        return int(import_module("benchmarks.bench").bench(options))
