"""Shell: what the command `citadels` runs where it is installed.

`cli` and `protocol` are names that other folders have too, and PYTHONPATH is searched before
what is installed. So the three wings are taken from beside this file, whose own name nobody
else has; processes that the program starts begin here again.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path

for wing in ("protocol", "citadels_p2p", "cli"):
    spec = PathFinder.find_spec(wing, [str(Path(__file__).parent)])
    if wing in sys.modules:
        continue
    if spec is None or spec.loader is None:
        raise ImportError(
            f"citadels-p2p is not whole here: install it again ({wing} is missing)"
        )
    sys.modules[wing] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules[wing])

from cli.__main__ import start as start  # noqa: E402  # the wings are there only now

if __name__ == "__main__":
    start()
