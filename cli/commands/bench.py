"""`citadels bench`: what this machine can do, part by part. It runs from a checkout."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from cli.i18n import _
from cli.line.exits import Exit


def bench(options: argparse.Namespace) -> int:
    """Run the benchmarks that lie beside the program; they are not installed with it."""
    try:
        measuring = import_module("benchmarks.bench")
    except ModuleNotFoundError as missing:
        if missing.name != "benchmarks":
            raise
        print(
            _(
                "citadels: the benchmarks are not installed. Run `citadels bench` from a"
                " checkout of the project; BENCHMARKS.md there has figures."
            ),
            file=sys.stderr,
        )
        return Exit.USAGE
    return int(measuring.bench(options))
