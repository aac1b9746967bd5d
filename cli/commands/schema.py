"""`citadels schema`: the JSON Schema of the lines that `--ui json` writes and reads."""

from __future__ import annotations

import argparse
import json

from cli.client.json_schema import schema as schema_of_lines
from cli.line.exits import Exit


def schema(_options: argparse.Namespace) -> int:
    """Print it, for whoever writes a client."""
    print(json.dumps(schema_of_lines(), indent=1))
    return Exit.FINE
