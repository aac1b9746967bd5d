"""Shell: files and folders that their owner alone may read, on every system.

POSIX has a mode for it. On Windows a list says who may do what; ours names the user, and the
system and its administrators, who could read everything anyway. What lies in a folder of ours
inherits its list.

Why so: docs/decisions, 17.
"""

from __future__ import annotations

import re
import stat
import sys
from pathlib import Path

if sys.platform == "win32":
    from protocol.identity import windows_rights

#: nothing is inherited from above; everything is allowed to user, system and administrators
_LIST = "D:P(A;{inherit};FA;;;{user})(A;{inherit};FA;;;SY)(A;{inherit};FA;;;BA)"
#: the system, its administrators, and whoever owns the file
_MASTERS = {"SY", "BA", "OW"}


def make_folder(path: Path) -> None:
    """Make a folder, and those above it if need be; one that is there stays. Raises OSError."""
    is_new = not path.is_dir()
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if is_new and sys.platform == "win32":
        _restrict(path, inherit="OICI")  # by the files and the folders in it


def restrict(path: Path) -> None:
    """Take other users' rights to a file away, where the drive knows rights. Raises OSError."""
    if not is_exposed(path):
        return
    if sys.platform == "win32":
        _restrict(path, inherit="")
    else:
        path.chmod(0o600)


def is_exposed(path: Path) -> bool:
    """Whether other users may do something with a file or a folder. Raises OSError."""
    if sys.platform == "win32":
        return bool(others(windows_rights.read(path), windows_rights.user()))
    return bool(stat.S_IMODE(path.stat().st_mode) & 0o077)


def others(rights: str, user: str) -> set[str]:
    """Whom a Windows list (written in SDDL) lets in beside this user and the system's masters.

    >>> rights = "D:PAI(A;;FA;;;SY)(A;OICI;0x1200a9;;;BU)(A;;FA;;;S-1-5-21-1-2-3-1001)"
    >>> others(rights, "S-1-5-21-1-2-3-1001")
    {'BU'}
    """
    if not rights.startswith("D:") or "NO_ACCESS_CONTROL" in rights:
        return {"WD"}  # without a list everybody may do everything
    allowed = re.findall(r"\(A;(\w*);[^;]*;[^;]*;[^;]*;([^;)]+)\)", rights)
    # "IO" is about what lies inside alone; flags are pairs of letters.
    found = {who for flags, who in allowed if "IO" not in re.findall("..", flags)}
    return found - {user} - _MASTERS


if sys.platform == "win32":

    def _restrict(path: Path, inherit: str) -> None:
        rights = _LIST.format(inherit=inherit, user=windows_rights.user())
        windows_rights.write(path, rights)
