"""Entries on their way to somebody who lacks them, in messages of a bounded size."""

from __future__ import annotations

from protocol.journal import Chain
from protocol.messages import MAX_BATCH
from protocol.statements import CHECKPOINT, Signed

WINDOW = CHECKPOINT
"""Batches on their way to one listener that it has not said it has.

So many hold a checkpoint, which is always acknowledged: a full window opens again.
"""

BATCH_ENTRIES = 256


def next_batch(chain: Chain, sent: int, last: int) -> tuple[Signed, ...]:
    """The entries after number `sent`, up to `last`, that fit one message; at least one."""
    batch: list[Signed] = []
    size = 0
    for entry in chain.entries[sent + 1 : min(last, sent + BATCH_ENTRIES) + 1]:
        size += len(entry.signed.content) + 80
        if batch and size > MAX_BATCH:
            break
        batch.append(entry.signed)
    return tuple(batch)
