"""Shell: what a person does with the files of a match: put it away, bring it back, copy it,
delete it.

What is put away lies whole in a folder of its own, so that nothing offers it and nothing of it
is lost.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
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

    Raises `Unavailable`: "journal_busy" while it is played, or that the disk does not take it.
    """
    return _moved(path, path.parent / AWAY)


def bring_back(path: Path) -> Path:
    """Take a match out again that was put away; where it lies now. Raises as `put_away`."""
    return _moved(path, path.parent.parent)


def away(home: Path) -> tuple[Path, ...]:
    """The matches that were put away, the newest first."""
    return matches_in(home / "matches" / AWAY)


def export(path: Path, target: Path) -> None:
    """Copy a match into one new file that can be given to anybody: its log is merged, and
    secrets are not in it. Raises what reading a match raises, and OSError for the target.
    """
    with merged(path, TABLES) as copy, copy.open("rb") as source, target.open("xb") as file:
        shutil.copyfileobj(source, file)


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


def _moved(path: Path, folder: Path) -> Path:
    close_log(path)
    try:
        make_folder(folder)
        for file in _files(path):  # the file by which it is listed goes first
            with contextlib.suppress(FileNotFoundError):
                file.replace(folder / file.name)
    except OSError as problem:
        raise unwritable(problem, path, "journal_unwritable") from None
    return folder / path.name


def _files(path: Path) -> Iterator[Path]:
    """All files of a match, those that are there and those that may be."""
    for file in (path, path.with_suffix(SECRETS), *damaged_secrets(path)):
        yield from with_logs(file)
