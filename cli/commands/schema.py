"""`citadels schema`: the JSON Schema of the lines that `--ui json` writes and reads."""

from __future__ import annotations

import argparse
from importlib import resources

from cli.line.exits import Exit


def schema(_options: argparse.Namespace) -> int:
    """Print it, for whoever writes a client; `tests/json_schema.py` makes it."""
    print(resources.files("cli").joinpath("lines.schema.txt").read_text("utf-8"), end="")
    return Exit.FINE
