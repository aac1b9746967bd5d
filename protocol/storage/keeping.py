"""Shell: what a person does with the files of a match: put it away, bring it back, copy it,
delete it.

What is put away lies whole in a folder of its own, so that nothing offers it and nothing of it
is lost.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from protocol.disk_errors import unwritable
from protocol.errors import Malformed, Unavailable
from protocol.identity.owner_only import make_folder
from protocol.storage.match_files import (
    SECRETS,
    TABLES,
    damaged_secrets,
    matches_in,
    with_logs,
)
from protocol.storage.store import Store
from protocol.storage.untrusted_file import merged

AWAY = "away"
"""The folder of matches that were put away, beside those that may go on."""


def put_away(path: Path) -> Path:
    """Put an unfinished match away; where it lies now.

    Raises `Unavailable`: "journal_busy" while it is played, or that the disk does not take it;
    so it is where another copy lies there.
    """
    return _moved(path, away_place(path), tuple(_files(path)))


def bring_back(path: Path) -> Path:
    """Take a match out again that was put away; where it lies now. Raises as `put_away`."""
    return _moved(path, path.parent.parent / path.name, tuple(_files(path))[::-1])


def away_place(path: Path) -> Path:
    """Where a match lies once it was put away."""
    return path.parent / AWAY / path.name


def away(home: Path) -> tuple[Path, ...]:
    """The matches that were put away, the newest first."""
    return matches_in(home / "matches" / AWAY)


def export(path: Path, target: Path) -> None:
    """Copy a match into one new file that can be given to anybody, whole or not at all: its log
    is merged, and secrets are not in it. Raises what reading a match raises, and OSError for
    the target.
    """
    with merged(path, TABLES) as copy, copy.open("rb") as source:
        file = target.open("xb")
        try:
            with file:
                shutil.copyfileobj(source, file)
        except BaseException:
            with contextlib.suppress(OSError):
                target.unlink()
            raise


def delete(path: Path) -> None:
    """Delete a match and its secrets. Raises as `put_away`."""
    close_log(path)
    try:
        for file in _files(path):
            file.unlink(missing_ok=True)
    except OSError as problem:
        raise unwritable(problem, path, "journal_unwritable") from None


def close_log(path: Path) -> None:
    """Merge the log that a killed program has left beside a match.

    Raises `Unavailable("journal_busy")` while it is played.
    """
    secrets = path.with_suffix(SECRETS)
    logs = (Path(f"{file}-wal") for file in (path, secrets))
    try:
        if secrets.exists() and any(log.exists() for log in logs):
            Store(path).close()
    except Malformed:
        pass  # what is damaged goes as it is
    except Unavailable as problem:
        if problem.hint == "journal_busy":
            raise


def _moved(path: Path, target: Path, files: Sequence[Path]) -> Path:
    """Move them in this order: a match among those that may go on has its secrets beside it at
    every moment, since without them it would count as over.
    """
    close_log(path)
    try:
        make_folder(target.parent)
        if os.path.lexists(target) and os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        for file in files:
            with contextlib.suppress(FileNotFoundError):
                file.replace(target.parent / file.name)
    except OSError as problem:
        raise unwritable(problem, target, "journal_unwritable") from None
    return target


def _files(path: Path) -> Iterator[Path]:
    """All files of a match, those that are there and those that may be."""
    for file in (path, path.with_suffix(SECRETS), *damaged_secrets(path)):
        yield from with_logs(file)
