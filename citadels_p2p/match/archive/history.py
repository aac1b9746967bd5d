"""Shell: the matches on our disk, verified once each and remembered in the index."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

import msgspec

from citadels_p2p.match.archive.index import Chapter, Index, may_go_on
from citadels_p2p.match.archive.summary import Summary, summarise
from citadels_p2p.workers import Processes, spread
from protocol.errors import RemoteError, Unavailable
from protocol.identity.keys import load
from protocol.storage.match_files import read_journal

FEW = 4
"""So few journals are verified without a second process, which takes half a second to begin."""

MOST = 8
"""Processes that verify; each takes 50 MB."""


@dataclass(frozen=True, slots=True)
class Verifying:
    """How far verifying has come: `done` of so many journals, and which part of the work."""

    done: int
    of: int
    part: float


Progress: TypeAlias = Callable[[Verifying], None]


@dataclass(frozen=True, slots=True)
class History:
    """The matches on our disk, the newest first.

    `unfinished` counts those that may go on, which are not read. `remade`: the index was
    damaged. `unreadable`: journals that could not be opened at all. `numbers`: by file, what
    `match.find_saved` takes for it.
    """

    summaries: tuple[Summary, ...]
    unfinished: int = 0
    remade: bool = False
    unreadable: tuple[Path, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)


def recall(home: Path, progress: Progress | None = None) -> History:
    """All matches in this data directory; verifies those that the index does not know yet.

    `progress` is called now and then meanwhile; what it raises ends it. Nothing but the index
    is written, and where even that cannot be, everything is verified again next time.
    """
    with Index(home) as index:
        chapters = index.chapters()
        finished = [one for one in chapters if not may_go_on(home / one.file)]
        summaries = tuple(verified(index, finished, progress))
        known = {one.file for one in summaries}
        return History(
            summaries=summaries,
            unfinished=len(chapters) - len(finished),
            remade=index.remade,
            unreadable=tuple(home / one.file for one in finished if one.file not in known),
            numbers={one.file: number for number, one in enumerate(finished, start=1)},
        )


def verified(
    index: Index,
    chapters: Sequence[Chapter],
    progress: Progress | None = None,
    *,
    idle: bool = False,
) -> Iterator[Summary]:
    """What verifying these has shown, in their order, without those that cannot be opened.

    What is verified is kept at once. `idle`: in one process that gives way to all others.
    """
    told = {one.file: _dated(one) for one in chapters if one.told is not None}
    lacking = [one for one in chapters if one.told is None]
    for chapter, summary in zip(lacking, _judging(index, lacking, progress, idle), strict=True):
        if summary is not None:
            index.keep(known := replace(chapter, told=summary))
            told[chapter.file] = _dated(known)
    return (told[one.file] for one in chapters if one.file in told)


def _judging(
    index: Index, lacking: Sequence[Chapter], progress: Progress | None, idle: bool
) -> Iterator[Summary | None]:
    """Verify one after the other, side by side where they are many."""
    if not lacking:
        return
    own, files = load(index.home), tuple(one.file for one in lacking)
    judge = partial(_judged, index.home, files, None if own is None else own.public)
    total, done, at = sum(one.size for one in lacking) or 1, 0, 0

    def show(part: float = 0.0) -> None:
        if progress is not None:
            progress(Verifying(at, len(lacking), (done + part) / total))

    def here(place: int) -> Summary | None:
        size = lacking[place].size
        return judge(place, lambda done, of: show(size * done / max(1, of)))

    def there() -> Iterator[Summary | None]:
        jobs = 1 if idle else min(os.cpu_count() or 1, len(lacking) // 2, MOST)
        where = Processes(jobs, idle=idle, pause=show)
        try:
            yield from spread(judge, range(len(lacking)), where)
        except ChildProcessError:  # somebody has ended one: this one does the rest
            yield from map(here, range(at, len(lacking)))

    for summary in there() if idle or len(lacking) > FEW else map(here, range(len(lacking))):
        yield summary
        done, at = done + lacking[at].size, at + 1
        show()


def _judged(
    home: Path,
    files: Sequence[str],
    own: bytes | None,
    place: int,
    progress: Callable[[int, int], None] | None = None,
) -> Summary | None:
    """Verify one of these journals; None where it cannot be opened."""
    from citadels_p2p.match.archive.audit import examine, unreadable  # most often none is new

    try:
        journal = read_journal(home / files[place])
    except RemoteError as problem:
        return summarise(files[place], 0, unreadable(problem), None)
    except Unavailable:
        return None
    return summarise(files[place], 0, *examine(journal, progress, own=own))


def _dated(chapter: Chapter) -> Summary:
    """What is remembered of a journal, as the one that lies in this file."""
    assert chapter.told is not None
    ended = chapter.ended(time.time())
    return msgspec.structs.replace(chapter.told, file=chapter.file, ended=ended)
