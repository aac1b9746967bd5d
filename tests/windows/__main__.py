"""Run tests on Windows: `python -m tests.windows [--build] [what pytest is to be told]`.

Without anything to tell it is the whole suite. `--build` makes the environment and stops. As
root it runs in a network namespace of its own, so that nothing is said on the real network.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.lan.lab import Lab
from tests.lan.lab import why_not as why_no_lab
from tests.windows.wine import ROOT, Windows, build, why_not


def main(told: list[str]) -> int:
    reason = why_not()
    if reason is not None:
        print(f"no Windows here: {reason}")
        return 0 if os.environ.get("CI") != "true" or "CITADELS_NO_WINE" in os.environ else 1
    build()
    if told == ["--build"]:
        return 0
    with contextlib.ExitStack() as stack:
        namespace = None
        if why_no_lab() is None:
            namespace = stack.enter_context(Lab(machines=1)).machine(0)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        return run(stack.enter_context(Windows(folder, namespace)), told)


def run(windows: Windows, told: list[str]) -> int:
    """The tests, line by line as they say it; pytest's exit code."""
    with subprocess.Popen(
        windows.command("-m", "pytest", "-p", "no:cacheprovider", *told),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=ROOT,
        env={**os.environ, **windows.settings},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        for line in process.stdout:
            sys.stdout.buffer.write(line)
            sys.stdout.flush()
        return process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
