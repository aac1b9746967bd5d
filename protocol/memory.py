"""Shell: whether this laptop is out of memory.

A library says so in its own words, or in none: OpenSSL names an unknown error, a module cannot
be loaded. So what nobody expected is looked at once more: is there any memory to be had?
"""

from __future__ import annotations

import mmap
import sys

ROOM = 32 << 20
"""Bytes. Who cannot have so many cannot play: a thread's stack alone asks for eight."""

ADDRESSES = 1 << 30
"""Bytes of addresses with which nothing has failed. A table has asked for 580 MB of them, most
for what threads might need; with 250 to 300 a library now and then ended the program.
"""


def addresses() -> int | None:
    """Bytes of addresses that this process may have (`ulimit -v`); None: any."""
    if sys.platform == "win32":
        return None
    import resource

    soft, _hard = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft == resource.RLIM_INFINITY else soft


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
