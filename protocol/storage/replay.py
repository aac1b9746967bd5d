"""Shell: from what a disk remembers back to a match that goes on: replica and application."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Protocol, TypeVar

from protocol.application import FORBIDDEN, SPECTATOR, Application, Genesis
from protocol.errors import IllegalEntry, LocalError, RemoteError, Unavailable
from protocol.identity.keys import Identity
from protocol.journal.accusation import check_accusation, is_accusation, verdict
from protocol.journal.chain import Chain, Entry
from protocol.journal.statements import CHECKPOINT, Authored
from protocol.replication.ballot import Ballot
from protocol.replication.effects import Rewind
from protocol.replication.observer import Observer
from protocol.replication.outbox import Outbox, Submission
from protocol.replication.raft import Raft
from protocol.replication.replica import Replica
from protocol.replication.timers import Timeouts
from protocol.storage.store import Saved, Store

A = TypeVar("A", bound=Application)


def make_replica(
    identity: Identity,
    me: int,
    chain: Chain,
    saved: Saved | None,
    digests: Mapping[int, bytes],
) -> Replica:
    """Our copy of the journal: new, or as our disk remembers it."""
    outbox = Outbox(
        identity=identity,
        table=chain.genesis.table,
        me=me,
        letters=() if saved is None else saved.letters,
    )
    return Replica(
        identity=identity,
        me=me,
        chain=chain,
        outbox=outbox,
        certificate=() if saved is None else saved.journal.quorum_certificate,
        digests=digests,
    )


def make_machine(replica: Replica, saved: Saved | None, timing: Timeouts) -> Raft | Observer:
    """Our part in this match: it begins, or goes on from what our disk remembers."""
    if replica.me == SPECTATOR:
        return Observer(replica)
    now = asyncio.get_running_loop().time()
    ballot = None if saved is None else saved.ballot or Ballot()
    return Raft(replica, now=now, timing=timing, chance=Random(), ballot=ballot)


def replay(
    make: Callable[[Genesis, int], A], me: int, chain: Chain, letters: tuple[Submission, ...]
) -> tuple[A, dict[int, bytes]]:
    """The application with everything folded again, and its digests at the checkpoints."""
    application = make(chain.genesis, me)
    application.restore(
        tuple(letter.contribution for letter in letters if letter.refusal is None)
    )
    digests: dict[int, bytes] = {}
    for entry in chain.entries[1:]:
        if entry.election is not None:
            continue
        fold_again(make, application, chain, entry)
        if entry.seq % CHECKPOINT == 0:
            digests[entry.seq] = application.digest()
    return application, digests


def fold_again(
    make: Callable[[Genesis, int], Application],
    application: Application,
    chain: Chain,
    entry: Entry,
) -> None:
    """An entry that was folded before; raises what it has always been at fault for."""
    if is_accusation(entry.body):
        condemned = check_accusation(chain, entry)
        statement = condemned.statement
        heard = chain.entries[1 : condemned.ancestor + 1]
        code = judge_at(make(chain.genesis, SPECTATOR), heard, statement)
        raise verdict(chain, entry, statement.author, code)
    code = fold(application, entry.seq, entry.author, entry.body)
    if code is not None:
        raise IllegalEntry(
            f"the host ordered what the table refuses: {code}",
            culprit=chain.host_of(entry.term),
            evidence=(entry.exhibit(),),
        )


def fold_back(
    make: Callable[[Genesis, int], A],
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


class Folds(Protocol):
    """What can judge a statement: a game, or only the public part of it."""

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        """As `Application.fold`."""


def judge_at(
    application: Folds,
    entries: Sequence[Entry],
    said: Authored,
    is_over: Callable[[], bool] = lambda: False,
) -> str | None:
    """What the game says of a statement right after these entries: None where it may stand.

    `application` was made anew, for somebody who has no seat: so everybody comes to the same.
    As dear as reading the whole match; `is_over` ends it. Raises `LocalError` where the entries
    do not stand, and `Unavailable` where nobody waits for the answer.
    """
    for entry in entries:
        if is_over():
            raise Unavailable("closed")
        if entry.election is None:
            code = fold(application, entry.seq, entry.author, entry.body)
            if code is not None:
                raise LocalError(f"entry {entry.seq} stood, and does not stand again: {code}")
    seq = entries[-1].seq + 1 if entries else 1
    return fold(application, seq, said.author, said.body)


def fold(application: Folds, seq: int, author: int, body: bytes) -> str | None:
    """Apply an entry; what the game raises is a refusal that no honest author can earn."""
    try:
        return application.fold(seq, author, body)
    except RemoteError as problem:
        told = f"{FORBIDDEN}{problem.code}: {problem.detail}"[:64]
        return told.encode("ascii", "replace").decode("ascii")


async def store_first(store: Store, entry: Entry, me: int) -> None:
    """The genesis, and who we are in it, on our disk."""
    loop = asyncio.get_running_loop()
    written: asyncio.Future[Unavailable | None] = loop.create_future()

    def wrote(failure: Unavailable | None) -> None:
        loop.call_soon_threadsafe(written.set_result, failure)

    store.seat(me)
    store.entry(entry, wrote)
    failure = await written
    if failure is not None:
        raise failure
