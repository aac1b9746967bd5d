"""The command of somebody who has changed it: `python -m tests.lan.changed ARGUMENTS…`.

`CHANGED_WITHOUT` names rules that it leaves out, by their mutants, with commas.
"""

from __future__ import annotations

import contextlib
import os
import sys

from cli.__main__ import main
from tests.world.left_out import LEFT_OUT

if __name__ == "__main__":
    with contextlib.ExitStack() as changes:
        for rule in filter(None, os.environ.get("CHANGED_WITHOUT", "").split(",")):
            changes.enter_context(LEFT_OUT[rule]())
        sys.exit(main())
