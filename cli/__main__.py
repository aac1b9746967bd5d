"""Shell: `citadels`, as it is called. Hardly an import, so that Ctrl-C is heard from the first
moment on.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

#: what a shell expects of a program that was interrupted (`exits.Exit.INTERRUPTED`)
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `citadels` with these arguments (else the process's own); its exit code."""
    try:
        from cli.program import run

        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED


def start() -> NoReturn:
    """The process: `main`, and then its end. Interrupted, it waits for no thread."""
    code = main()
    if code == INTERRUPTED:
        with contextlib.suppress(OSError, ValueError):  # a reader that has gone
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    start()
