"""Shell: the matches on our disk: which may go on, and which are damaged."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from protocol.application import Genesis
from protocol.errors import ProtocolError
from protocol.identity.keys import Identity
from protocol.journal.chain import Journal, check_entries, check_journal
from protocol.journal.genesis import HOST
from protocol.journal.statements import Signed
from protocol.storage.store import read_journal, unfinished


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """A match on our disk that may go on."""

    path: Path
    genesis: Genesis
    me: int
    entries: int

    @property
    def is_host(self) -> bool:
        return self.me == HOST


def unfinished_matches(home: Path, identity: Identity) -> tuple[Unfinished, ...]:
    """Matches of this identity on our disk that may go on, the newest first. May block."""
    found = []
    for path in unfinished(home):
        with contextlib.suppress(ProtocolError):
            match = open_unfinished(path, identity)
            if match is not None:
                found.append(match)
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Damaged:
    """A match on our disk that cannot go on, or not now: the first `whole` entries hold."""

    path: Path
    whole: int
    problem: ProtocolError

    def __str__(self) -> str:
        return f"{self.path}: {self.whole} entries are whole ({self.problem})"


def damaged_matches(home: Path) -> tuple[Damaged, ...]:
    """Matches on our disk that may not be over and cannot be read, the newest first.

    May block.
    """
    found = []
    for path in unfinished(home):
        records: list[Signed] = []
        try:
            check_journal(read_journal(path, records))
        except ProtocolError as problem:
            found.append(Damaged(path=path, whole=_whole(records), problem=problem))
    return tuple(found)


def _whole(records: Sequence[Signed]) -> int:
    """How many of these entries hold."""
    count = 0
    with contextlib.suppress(ProtocolError):
        for _ in check_entries(Journal(tuple(records))):
            count += 1
    return count


def open_unfinished(path: Path, identity: Identity) -> Unfinished | None:
    """The match in this file, None if this identity does not play in it."""
    chain = check_journal(read_journal(path))
    identities = [operator.identity for operator in chain.genesis.operators]
    if identity.public not in identities:
        return None
    me = identities.index(identity.public)
    return Unfinished(path=path, genesis=chain.genesis, me=me, entries=len(chain.entries))
