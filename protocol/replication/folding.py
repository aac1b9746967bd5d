"""Folding entries into an application: the next one, all again after a restart, or some for a
judgement.

Nothing here reads a clock or a disk. It may take as long as reading the whole match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias

from protocol.application import FORBIDDEN, SPECTATOR, A, Application, Maker
from protocol.errors import LocalError, RemoteError, Unavailable
from protocol.journal.accusation import check_accusation, is_accusation, verdict
from protocol.journal.chain import Chain, Entry
from protocol.journal.judgement import is_proof
from protocol.journal.refusals import illegal_order
from protocol.journal.statements import CHECKPOINT, Ack, Authored, Signed
from protocol.replication.effects import Rewind
from protocol.replication.outbox import Submission


@dataclass(frozen=True, slots=True)
class Replayed(Generic[A]):
    """A match that is folded again: up to its head, or to where it stopped."""

    application: A
    digests: dict[int, bytes]  #: its public state's, by checkpoint
    certificate: tuple[Signed, ...]  #: the newest confirmation that speaks of nothing else
    stopped: RemoteError | None  #: what the entry after our head proves; the match ends there


def replay(
    make: Maker[A],
    me: int,
    chain: Chain,
    submissions: tuple[Submission, ...],
    certificate: tuple[Signed, ...] = (),
) -> Replayed[A]:
    """Everything folded again; `certificate` is the newest that our disk knows.

    Where an entry proves that somebody cheated, the chain ends before it: the match has stopped
    there, and stays so however often it is opened. Raises what else folding raises.
    """
    application = make(chain.genesis, me)
    application.restore(tuple(one.contribution for one in submissions if one.refusal is None))
    digests: dict[int, bytes] = {}
    for entry in chain.entries[1:]:
        if entry.election is not None:
            continue
        try:
            fold_again(make, application, chain, entry)
        except RemoteError as problem:
            if not is_proof(problem):
                raise
            chain.truncate(entry.seq - 1)
            acks = (ack.read(Ack) for ack in certificate)
            holds = all(ack.seq <= chain.head for ack in acks)
            return Replayed(application, digests, certificate if holds else (), problem)
        if entry.seq % CHECKPOINT == 0:
            digests[entry.seq] = application.digest()
    return Replayed(application, digests, certificate, None)


def fold_again(
    make: Maker[Application],
    application: Application,
    chain: Chain,
    entry: Entry,
) -> None:
    """An entry that was folded before; raises what it has always been at fault for."""
    if is_accusation(entry.body):
        condemned = check_accusation(chain, entry)
        statement = condemned.statement
        heard = chain.entries[1 : condemned.ancestor + 1]
        code = judge_at(make(chain.genesis, SPECTATOR).fold, heard, statement)
        raise verdict(chain, entry, statement.author, code)
    code = fold(application.fold, entry.seq, entry.author, entry.body)
    if code is not None:
        raise illegal_order(chain.host_of(entry.term), entry.exhibit(), code)


def fold_back(
    make: Maker[A],
    application: A,
    chain: Chain,
    entries: Sequence[Entry],
    rewind: Rewind,
) -> None:
    """Fold these `entries` of the chain once more from the beginning: what is certain."""
    application.rewind()
    application.restore(rewind.said)
    for entry in entries:
        if entry.election is None:
            fold_again(make, application, chain, entry)
    application.confirm(rewind.confirmed)


Folds: TypeAlias = Callable[[int, int, bytes], str | None]
"""What can judge a statement: `Application.fold` of a game, or of its public part alone."""


def judge_at(
    folds: Folds,
    entries: Sequence[Entry],
    said: Authored,
    is_over: Callable[[], bool] = lambda: False,
) -> str | None:
    """What the game says of a statement right after these entries: None where it may stand.

    `folds` begins anew, for somebody who has no seat: so everybody comes to the same. As dear
    as reading the whole match; `is_over` ends it. Raises `LocalError` where the entries do not
    stand, and `Unavailable` where nobody waits for the answer.
    """
    for entry in entries:
        if is_over():
            raise Unavailable("closed")
        if entry.election is None:
            code = fold(folds, entry.seq, entry.author, entry.body)
            if code is not None:
                raise LocalError(f"entry {entry.seq} stood, and does not stand again: {code}")
    seq = entries[-1].seq + 1 if entries else 1
    return fold(folds, seq, said.author, said.body)


def fold(folds: Folds, seq: int, author: int, body: bytes) -> str | None:
    """Apply an entry; what the game raises is a refusal that no honest author can earn."""
    try:
        return folds(seq, author, body)
    except RemoteError as problem:
        told = f"{FORBIDDEN}{problem.code}: {problem.detail}"[:64]
        return told.encode("ascii", "replace").decode("ascii")
