"""On which laptop something runs: its loop is the running one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.world.laptop import Laptop


def here() -> Laptop:
    """The laptop on which this is called. RuntimeError outside of all."""
    laptop: Laptop = asyncio.get_running_loop().laptop  # type: ignore[attr-defined]
    return laptop
