"""Shell: whether this laptop is out of memory.

A library says so in its own words, or in none: OpenSSL names an unknown error, a module cannot
be loaded. So what nobody expected is looked at once more: is there any memory to be had?
"""

from __future__ import annotations

import mmap

ROOM = 32 << 20
"""Bytes. Who cannot have so many cannot play: a thread's stack alone asks for eight."""


def is_out_of_memory(problem: BaseException) -> bool:
    """Whether it was this laptop's memory that was short, by its word or by a look."""
    if isinstance(problem, MemoryError):
        return True
    if isinstance(problem, RuntimeError) and str(problem) == "can't start new thread":
        return True
    try:
        mmap.mmap(-1, ROOM).close()
    except (OSError, MemoryError):
        return True
    return False
