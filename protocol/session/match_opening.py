"""Shell: the runtime of a match is opened: a new one, or one that our disk remembers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

from protocol.application import A, Maker
from protocol.disk_errors import unwritable
from protocol.errors import Failure, Unavailable
from protocol.journal.chain import Chain, check_journal
from protocol.session.match_runtime import MatchRuntime
from protocol.session.person import Pace
from protocol.session.reporting import now
from protocol.session.table import Table
from protocol.storage.keeping import away_place, bring_back
from protocol.storage.match_files import discard, has_entries, is_made
from protocol.storage.store import Saved, Store
from protocol.threads import opened


async def open_new(
    chain: Chain,
    me: int,
    path: Path,
    table: Table,
    make: Maker[A],
    pace: Pace,
    *,
    returning: bool = False,
) -> MatchRuntime[A]:
    """A match that begins now, once its genesis is on our disk.

    `returning`: it has begun before, and we may have spoken in it already.
    Raises `Unavailable`, or `LocalError` where the application cannot be made.
    """
    table.adopt(chain, me, path)
    store = await opened(lambda: Store(path), Store.discard)
    try:
        return await MatchRuntime.open(
            table, chain, store, make, pace.timing, None, returning=returning
        )
    except Exception:  # whoever is cancelled finds the match on the disk another day
        await asyncio.to_thread(store.discard)
        raise


async def open_saved(path: Path, table: Table, make: Maker[A], pace: Pace) -> MatchRuntime[A]:
    """A match that our disk remembers. Raises `Unavailable` or `Malformed`."""
    found = await opened(lambda: _load(path), lambda found: found[0].close())
    store, saved, chain, me = found
    table.adopt(chain, me, path)
    return await MatchRuntime.open(
        table, chain, store, make, pace.timing, saved, returning=True
    )


def is_kept(path: Path) -> bool:
    """Whether our disk remembers a match here. Raises `Unavailable` where it does not say.

    A program may have ended between making the file and the first entry: it has said nothing in
    that match yet, and joins it anew.
    """
    try:
        if not is_made(path):
            return False
        with contextlib.suppress(Failure):  # opening it says what is wrong
            if not has_entries(path):
                return not _forgotten(path)
    except OSError as problem:
        raise unwritable(problem, path, "journal_unreadable") from problem
    return True


def is_ours(path: Path) -> bool:
    """The same, also of one that its person has put away."""
    return is_kept(path) or is_kept(away_place(path))


def take_out(path: Path) -> bool:
    """The same, and a match that was put away lies here again: beside a new file for it, all
    that we have said in it would be forgotten. Raises `Unavailable`. May block.
    """
    if is_kept(path):
        return True
    if was_put_away := is_kept(away_place(path)):
        bring_back(away_place(path))
    return was_put_away


def _forgotten(path: Path) -> bool:
    """Delete a match that has not begun, unless another program of ours is beginning it."""
    store = Store(path, may_mend=True)
    try:
        has_begun = bool(store.load().journal.records)
    finally:
        store.close()
    if not has_begun:
        discard(path)
    return not has_begun


async def keep_time(
    runtime: MatchRuntime[A], beat: float, silences: Callable[[], tuple[float, ...]]
) -> None:
    """The application has no clock of its own: tell it the time every `beat` seconds."""
    while not runtime.driver.failed:
        await asyncio.sleep(beat)
        runtime.driver.tick(now(), silences())


def _load(path: Path) -> tuple[Store, Saved, Chain, int]:
    """A match's file that is open, what is in it, and who we are there. May block for long.

    Raises `Unavailable` or `Malformed`, and leaves nothing open.
    """
    store = Store(path, may_mend=True)
    try:
        saved = store.load()
        chain = check_journal(saved.journal)
        if saved.me is None:
            raise Unavailable("journal_incomplete", str(path))
        return store, saved, chain, saved.me
    except BaseException:
        store.close()
        raise
