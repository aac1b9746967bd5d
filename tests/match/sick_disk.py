"""Real file systems that run full, or that break so that they can only be read.

A full one is a small tmpfs. A broken one is an ext4 in a file: told of a fault, the kernel
itself lets nobody write any more, in the middle of everything. Both need root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Protocol

SIZE = 16 << 20
"""Bytes: four times as much as SQLite's log of a match grows to before it is merged."""


class Disk(Protocol):
    """A file system at `place`."""

    place: Path

    def fail(self) -> None:
        """From now on nothing can be written."""

    def mend(self) -> None:
        """Everything is well again."""

    def remove(self) -> None:
        """Unmount it."""


class SmallDisk:
    """A few megabytes, which a ballast fills to the last byte."""

    def __init__(self, place: Path) -> None:
        self.place = place
        place.mkdir()
        _run("mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=700", "tmpfs", str(place))

    def fail(self) -> None:
        with (self.place / "ballast").open("wb", buffering=0) as ballast:
            try:
                while True:
                    ballast.write(bytes(4096))
            except OSError:
                pass

    def mend(self) -> None:
        (self.place / "ballast").unlink()

    def remove(self) -> None:
        _run("umount", "-l", str(self.place))


class BrokenDisk:
    """A disk whose kernel finds a fault in it and mounts it read-only."""

    def __init__(self, room: Path) -> None:
        self._room = room
        room.mkdir()
        # What is unmounted in a shared place is unmounted in every namespace that a laptop of
        # another test has taken a copy of it into; one that stayed there would stay broken.
        _run("mount", "--bind", str(room), str(room))
        _run("mount", "--make-shared", str(room))
        self.place = room / "disk"
        self.place.mkdir()
        image = str(room.with_suffix(".img"))
        _run("truncate", "-s", "32M", image)
        self._device = _run("losetup", "--find", "--show", image)
        _run("mkfs.ext4", "-q", self._device)
        self._mount()

    def fail(self) -> None:
        about = Path("/sys/fs/ext4") / Path(self._device).name
        (about / "trigger_fs_error").write_text("a test")

    def mend(self) -> None:
        _run("umount", str(self.place))
        command = ("fsck.ext4", "-fy", self._device)
        checked = subprocess.run(command, capture_output=True, text=True, check=False)
        assert checked.returncode in (0, 1), checked  # 1 where it has mended something
        self._mount()

    def remove(self) -> None:
        _run("umount", "-l", str(self.place))
        _run("umount", "-l", str(self._room))
        _run("losetup", "-d", self._device)

    def _mount(self) -> None:
        _run("mount", "-o", "errors=remount-ro", self._device, str(self.place))


def lacks() -> str:
    """Why there can be no such disk here; "" where there can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "mounting a disk needs Linux and root"
    missing = [tool for tool in ("mount", "mkfs.ext4", "fsck.ext4") if not shutil.which(tool)]
    if missing:
        return f"no {missing[0]}"
    tried = subprocess.run(["losetup", "-f"], capture_output=True, check=False)
    return "" if tried.returncode == 0 else "no loop devices here"


def _run(*command: str) -> str:
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    return ran.stdout.strip()
