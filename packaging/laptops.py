"""Shell: does every kind of laptop find all dependencies ready-made, without a compiler?

Asks the registry, by `uv`: `python packaging/laptops.py`. Exit 1 names who would need one.
"""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
LAPTOPS = (
    "x86_64-manylinux_2_28",
    "aarch64-manylinux_2_28",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "aarch64-apple-darwin",
    "x86_64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "aarch64-pc-windows-msvc",
)
#: has no wheel there, and is made by pip as plain Python: see pyproject.toml
MADE = {"x86_64-apple-darwin": ("zeroconf",)}

PROJECT = Path(__file__).parent.parent / "pyproject.toml"


def fault(laptop: str, python: str) -> str:
    """Why nothing can be installed there; empty where everything can."""
    made = (flag for name in MADE.get(laptop, ()) for flag in ("--no-binary", name))
    command = ["uv", "pip", "compile", "--quiet", "--no-header", str(PROJECT)]
    command += ["--only-binary", ":all:", *made]
    command += ["--python-platform", laptop, "--python-version", python]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return ran.stderr if ran.returncode else ""


def main() -> int:
    """Try every laptop with every Python."""
    worst = 0
    for laptop, python in product(LAPTOPS, PYTHONS):
        why = fault(laptop, python)
        print(f"{laptop:28} {python}  {why or 'ready-made'}")
        worst |= bool(why)
    return worst


if __name__ == "__main__":
    sys.exit(main())
