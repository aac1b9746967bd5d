"""Shell: the matches on our disk: which of them may go on, and which are damaged."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from protocol.application import Genesis
from protocol.errors import Failure, Malformed
from protocol.identity.keys import Identity
from protocol.journal.chain import Chain, Journal, check_entries, check_journal
from protocol.journal.statements import Signed
from protocol.storage.match_files import (
    finished,
    read_cover,
    read_journal,
    unfinished,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """A match on our disk that may go on.

    `me` is our index in its roster, `entries` its length, `said` what we have said in it.
    """

    path: Path
    genesis: Genesis
    me: int
    entries: int
    said: tuple[bytes, ...]


def table_of(path: Path) -> Genesis:
    """What a match began with, as its file says; nothing after that is looked at.

    Raises as `read_journal` and `check_journal` do.
    """
    first = read_cover(path).first
    if first is None:
        raise Malformed("a journal without entries")
    return Chain(first).genesis


KEPT = 64
"""Finished matches among which somebody's is looked for: many evenings."""


def finished_matches(home: Path) -> tuple[Genesis, ...]:
    """What the newest matches that have ended on our disk began with, and of those that go on
    no more because somebody was exposed. May block.
    """
    found = []
    for path in (*finished(home)[:KEPT], *unfinished(home)[:KEPT]):
        with contextlib.suppress(Failure):
            cover = read_cover(path)
            if cover.first is not None and (cover.is_over or cover.stopped is not None):
                found.append(Chain(cover.first).genesis)
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Damaged:
    """A match on our disk that cannot be read, or not now. Its first `whole` entries verify."""

    path: Path
    whole: int
    problem: Failure

    def __str__(self) -> str:
        return f"{self.path}: {self.whole} entries are whole ({self.problem})"


def damage(path: Path) -> Damaged | None:
    """Why this match cannot be read; None where it can. May block."""
    records: list[Signed] = []
    try:
        journal = read_journal(path, records)
        if journal.records:  # else its program ended before it had begun
            check_journal(journal)
    except Failure as problem:
        return Damaged(path=path, whole=_whole(records), problem=problem)
    return None


LOST = 8
"""Matches without secrets among which one that is not over is looked for."""


def lost_matches(home: Path, identity: Identity) -> tuple[Unfinished, ...]:
    """The newest matches of this identity that have not ended and lack their secrets. May
    block.
    """
    found = []
    for path in finished(home)[:LOST]:
        with contextlib.suppress(Failure):
            match = None if read_cover(path).is_over else open_unfinished(path, identity)
            if match is not None:
                found.append(match)
    return tuple(found)


def _whole(records: Sequence[Signed]) -> int:
    """How many of these entries verify, from the first one on."""
    count = 0
    with contextlib.suppress(Failure):
        for _ in check_entries(Journal(tuple(records))):
            count += 1
    return count


def open_unfinished(path: Path, identity: Identity) -> Unfinished | None:
    """The match in this file, None if this identity does not play in it, or it has not begun.

    Raises `Unavailable` or a `RemoteError`, as `read_journal` and `check_journal` do.
    """
    journal = read_journal(path)
    if not journal.records:
        return None
    chain = check_journal(journal)
    identities = [operator.identity for operator in chain.genesis.operators]
    if identity.public not in identities:
        return None
    me = identities.index(identity.public)
    said = tuple(entry.body for entry in chain.entries[1:] if entry.author == me and entry.body)
    return Unfinished(
        path=path, genesis=chain.genesis, me=me, entries=len(chain.entries), said=said
    )
