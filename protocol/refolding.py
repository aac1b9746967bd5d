"""Shell: from what a disk remembers back to a match that goes on: replica and application."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TypeVar

from protocol.accusation import accused, is_accusation, verdict
from protocol.application import Application
from protocol.errors import IllegalEntry, Unavailable
from protocol.identity import Identity
from protocol.journal import Chain, Entry
from protocol.outbox import Letter, Outbox
from protocol.replica import Replica
from protocol.statements import CHECKPOINT
from protocol.store import Saved, Store

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
        certificate=() if saved is None else saved.journal.certificate,
        digests=digests,
    )


def replay(
    application: A, chain: Chain, letters: tuple[Letter, ...]
) -> tuple[A, dict[int, bytes]]:
    """The application with everything folded again, and its digests at the checkpoints."""
    application.restore(
        tuple(letter.contribution for letter in letters if letter.refusal is None)
    )
    digests: dict[int, bytes] = {}
    for entry in chain.entries[1:]:
        if entry.election is not None:
            continue
        fold_again(application, chain, entry)
        if entry.seq % CHECKPOINT == 0:
            digests[entry.seq] = application.digest()
    return application, digests


def fold_again(application: Application, chain: Chain, entry: Entry) -> None:
    """An entry that was folded before; raises what it has always been at fault for."""
    if is_accusation(entry.body):
        condemned = accused(chain, entry)
        code = application.fold(entry.seq, condemned.author, condemned.body)
        raise verdict(chain, entry, condemned.author, code)
    code = application.fold(entry.seq, entry.author, entry.body)
    if code is not None:
        raise IllegalEntry(
            f"the host ordered what the table refuses: {code}",
            culprit=chain.host_of(entry.term),
            evidence=(entry.exhibit(),),
        )


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
