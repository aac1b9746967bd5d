"""Shell: can matches be kept on this disk, in private, and are those that are there whole?"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from protocol.errors import RemoteError, Unavailable
from protocol.identity.owner_only import is_exposed
from protocol.journal.chain import check_journal
from protocol.storage.match_files import SUFFIX, last_written, read_journal
from protocol.tools.findings import Finding

LITTLE = 500 << 20
TOO_LITTLE = 50 << 20
"""Bytes free. A match is under ten megabytes, its copy while it is checked as much again."""

SLOW_SYNC_MS = 200
"""Milliseconds. Every act waits for one write to be synced; a player notices slower ones."""

MATCHES = 20
"""The newest matches that are checked: a whole one takes some tenths of a second."""


def check_disk(home: Path) -> tuple[Finding, ...]:
    """The data directory: there, writable, private, with room; its matches. May block."""
    fields: dict[str, str | int] = {"path": str(home)}
    nearest = next(folder for folder in (home, *home.parents) if folder.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        return (Finding("disk", "bad", "folder_unwritable", fields),)
    if nearest != home:
        return (Finding("disk", "ok", "folder_new", fields), _room(nearest))
    return (_folder(home, fields), *_exposed(home), _room(home), *_matches(home))


def _folder(home: Path, fields: dict[str, str | int]) -> Finding:
    """Write and sync as the journal does, and measure the time."""
    try:
        with tempfile.TemporaryFile(dir=home) as file:
            began = time.monotonic()
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
            took = round(1000 * (time.monotonic() - began))
    except OSError as problem:
        why = problem.strerror or type(problem).__name__
        return Finding("disk", "bad", "folder_unwritable", {**fields, "why": why})
    slow = took > SLOW_SYNC_MS
    code = "disk_slow" if slow else "folder_writable"
    return Finding("disk", "warn" if slow else "ok", code, {**fields, "ms": took})


def _exposed(home: Path) -> Iterator[Finding]:
    """Secrets that other users of this machine can read."""
    kept = [home / "identity.pem", *sorted((home / "matches").glob("*.secrets"))]
    for path in kept:
        if path.exists() and is_exposed(path):
            code = "secret_exposed" if os.name == "posix" else "secret_listed"
            yield Finding("disk", "bad", code, {"path": str(path)})


def _room(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    fields: dict[str, str | int] = {"megabytes": free >> 20}
    if free < TOO_LITTLE:
        return Finding("disk", "bad", "disk_full", fields)
    if free < LITTLE:
        return Finding("disk", "warn", "disk_little", fields)
    return Finding("disk", "ok", "disk_free", fields)


def _matches(home: Path) -> Iterator[Finding]:
    """Verify every signature of the newest matches."""
    found = [*(home / "matches").glob(f"*{SUFFIX}"), *(home / "watched").glob(f"*{SUFFIX}")]
    found.sort(key=last_written, reverse=True)
    whole = 0
    for path in found[:MATCHES]:
        fields: dict[str, str | int] = {"path": str(path)}
        try:
            check_journal(read_journal(path))
        except RemoteError as problem:
            yield Finding("matches", "bad", "match_damaged", {**fields, "why": str(problem)})
        except Unavailable as problem:
            yield Finding("matches", "warn", "match_unread", {**fields, "why": str(problem)})
        else:
            whole += 1
    yield Finding("matches", "ok", "matches_whole", {"count": whole})
