"""Shell: the most memory that a process has held."""

from __future__ import annotations

import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")


def peak_mb() -> float:
    """The most that this process has held since its program began, in MB; 0 where nobody says.

    Linux counts in `ru_maxrss` what the process that started this one had held, for both were
    one until the program began (getrusage(2), execve(2)); `VmHWM` begins anew (proc(5)).
    """
    if sys.platform == "linux":
        for line in _STATUS.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
        return 0.0
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most / 1e3
