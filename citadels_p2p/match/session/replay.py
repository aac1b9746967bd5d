"""Shell: a saved match as a `Session`, in which the only thing to decide is where to look.

So a match is stepped through on the full screen, in plain lines and by programs with what is
there for playing.

Why so: docs/decisions, 34.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path

from citadels_p2p import notation
from citadels_p2p.exits import Exit
from citadels_p2p.match.archive.audit import Progress, unreadable_code
from citadels_p2p.match.archive.index import Index, may_go_on
from citadels_p2p.match.archive.record import UNREADABLE, MatchRecord, record_of, told, written
from citadels_p2p.match.news import Ask, Bye, News, Notice, Option, RecordNews, Refused, Session
from citadels_p2p.match.session.offline_session import OfflineSession
from citadels_p2p.notation import Record, Unreadable, read_record
from protocol.errors import RemoteError, Unavailable
from protocol.journal.chain import Journal
from protocol.storage.match_files import read_journal
from protocol.storage.untrusted_file import open_plain

#: the kind of ask of a replay
KIND = "moment"


def find_saved(home: Path, target: str | None) -> Path:
    """The match that is meant: a file, or the newest saved one of this name; None: of any.

    A number that is no name counts as history does, from 1 for the newest that is settled. May
    block. Raises `Unavailable` ("nothing_saved", "none_saved") where there is none.
    """
    with contextlib.suppress(OSError):  # a table's name may be too long for a file's
        if target is not None and Path(target).is_file():
            return Path(target)
    with Index(home) as index:
        found = {home / one.file: one.name for one in index.chapters()}
    for path, name in found.items():
        if target is None or target in (path.stem, name):
            return path
    if target is not None and target.isascii() and target.isdecimal():
        settled = [path for path in found if not may_go_on(path)]
        counted = settled[max(0, int(target) - 1) : int(target)]
        if counted:
            return counted[0]
    raise Unavailable("nothing_saved" if target else "none_saved", target or "")


def names_saved(home: Path, most: int) -> tuple[str, ...]:
    """The names of so many saved matches at most, the newest first, each once. May block."""
    with Index(home) as index:
        names = dict.fromkeys(one.name for one in index.chapters() if one.name)
    return tuple(names)[:most]


def read_saved(path: Path) -> Journal | Record:
    """A saved match, or one that is written down as text.

    Raises `Unavailable`, also for what is neither, and for another version's.
    """
    try:
        text = _record_in(path)
        return read_journal(path) if text is None else read_record(text)
    except Unreadable as fault:
        raise Unavailable(UNREADABLE, f"{path}: {fault}") from None
    except RemoteError as problem:
        raise Unavailable(unreadable_code(problem), f"{path}: {problem.detail}") from None


def _record_in(path: Path) -> str | None:
    """The text of the file, where it begins as a record; read no further than one may go."""
    title = notation.TITLE.encode()
    try:
        with open_plain(path) as file:
            if file.read(len(title)) != title:
                return None
            return (title + file.read(4 * notation.LONGEST)).decode("utf-8", "replace")
    except OSError:
        return None  # what is wrong with it, the other reader says


def recount(saved: Journal | Record, progress: Progress | None = None) -> MatchRecord:
    """The whole match, whichever way it was saved."""
    return told(saved) if isinstance(saved, Record) else record_of(saved, progress)


def text_of(saved: Journal | Record) -> str | None:
    """The match as text; None where the journal tells of none."""
    record = saved if isinstance(saved, Record) else written(saved)
    return None if record is None else notation.write_record(record)


async def replay(
    *,
    home: Path,
    target: str | None,
    seat: int | None = None,
    straight: bool = False,
    whole: bool = False,
) -> Session:
    """A saved match to step through, from `seat` if the keys were given away.

    `target` as for `find_saved`; `straight` and `whole` as for `ReplaySession`. Raises
    `Unavailable` ("nothing_saved", …).
    """
    path = await asyncio.to_thread(find_saved, home, target)
    journal = await asyncio.to_thread(read_saved, path)
    return ReplaySession(journal, seat=seat, straight=straight, whole=whole, path=str(path))


class _Shut(Exception):
    """The session is over: nobody waits for the record any more."""


class ReplaySession(OfflineSession):
    """Steps through a match forwards and backwards.

    `straight`: it is told from end to end, nothing is asked, and goodbye. `whole`: it is told
    as one `RecordNews`, for a screen that finds the way through it by itself.
    """

    refusal = "match_over"
    _record: MatchRecord  #: once it is read; nothing is asked before

    def __init__(
        self,
        journal: Journal | Record,
        *,
        seat: int | None = None,
        straight: bool = False,
        whole: bool = False,
        path: str = "",
    ) -> None:
        super().__init__()
        self._journal = journal
        self._seat = seat
        self._straight = straight
        self._whole = whole
        self._path = path
        self._at = 0
        self._reading = asyncio.create_task(self._read())

    async def next(self) -> News:
        """The next thing to tell; what went wrong in reading comes out here.

        Raises `Unavailable` ("no_such_seat") where the match is not seen from that chair.
        """
        if self._news.empty() and not self._reading.done():
            first = asyncio.ensure_future(self._news.get())
            await asyncio.wait((first, self._reading), return_when=asyncio.FIRST_COMPLETED)
            if first.done():
                return first.result()
            first.cancel()
        if self._news.empty():
            self._reading.result()
        return await self._news.get()

    async def _choose(self, picks: Sequence[str]) -> None:
        """Look elsewhere."""
        verb, _, argument = picks[0].partition(":")
        match verb:
            case "forward":
                self._go(self._at + 1)
            case "back":
                self._go(self._at - 1)
            case "round_on":
                self._go(self._round(+1))
            case "round_back":
                self._go(self._round(-1))
            case "look_from":
                self._seat = int(argument)
                self._sit_down()
            case "look_on":
                self._seat = None
                self._sit_down()
            case _:
                self._tell_end()

    def _leave(self) -> None:
        super()._leave()
        if asyncio.current_task() is not self._reading:
            self._reading.cancel()

    async def _read(self) -> None:
        loop = asyncio.get_running_loop()

        def progress(done: int, of: int) -> None:
            if self._ended:
                raise _Shut
            told = Notice("progress", {"what": "verify", "done": done, "of": of})
            loop.call_soon_threadsafe(self._tell, told)

        try:
            record = self._record = await asyncio.to_thread(recount, self._journal, progress)
        except asyncio.CancelledError:
            self._ended = True  # so that the thread hears of it
            raise
        if not record.moments:
            fault = record.verdict.faults[0] if record.verdict.faults else None
            self._tell(Bye(Exit.BUG, fault.code if fault else "nothing_to_tell"))
            return
        if self._seat is not None and self._seat not in range(len(record.names)):
            raise Unavailable("no_such_seat")
        if self._seat is not None and self._seat not in record.seats:
            self._seat = None
            self._tell(Refused("hands_stay_hidden"))
        if self._whole:
            self._tell(RecordNews(record, self._seat, self._path))
            return
        self._tell(record.opening(self._seat))
        if not self._straight:
            self._go(0)
            return
        for moment in range(len(record.moments)):
            self._show(moment)
        self._tell_end()
        if record.verdict.result is not None:
            self._leave()  # to whom nothing is asked, nothing can be left to say

    def _sit_down(self) -> None:
        """The same moment from another chair."""
        self._tell(self._record.opening(self._seat))
        self._tell(self._record.news(self._at, self._seat)[-1])
        self._question()

    def _go(self, moment: int) -> None:
        """To another moment: forwards everything on the way is told."""
        if moment >= len(self._record.moments):
            self._tell_end()
            return
        moment = max(0, moment)
        if moment < self._at:
            self._at = moment
            self._tell(
                Notice("back_at", {"moment": moment + 1, "of": len(self._record.moments)})
            )
            self._tell(self._record.news(moment, self._seat)[-1])
        else:
            for passed in range(self._at + (moment > self._at), moment + 1):
                self._show(passed)
            self._at = moment
        self._question()

    def _show(self, moment: int) -> None:
        for news in self._record.news(moment, self._seat):
            self._tell(news)

    def _round(self, by: int) -> int:
        """The first moment of a round after or before; the end where there is none."""
        moments = self._record.moments
        now = moments[self._at].views[None].round
        wanted = now + by
        if by < 0 and self._at > 0 and moments[self._at - 1].views[None].round == now:
            wanted = now  # first to where this round began
        found = (m for m, told in enumerate(moments) if told.views[None].round == wanted)
        return next(found, len(moments) if by > 0 else 0)

    def _question(self) -> None:
        options = [Option("forward", "forward"), Option("round_on", "round_on")]
        if self._at > 0:
            options += [Option("back", "back"), Option("round_back", "round_back")]
        options += [
            Option(f"look_from:{seat}", "look_from", {"seat": seat})
            for seat in self._record.seats
            if seat != self._seat
        ]
        if self._seat is not None:
            options.append(Option("look_on", "look_on"))
        options.append(Option("finish", "finish"))
        self._asks += 1
        self._ask = Ask(self._asks, KIND, tuple(options))
        self._tell(self._ask)

    def _tell_end(self) -> None:
        self._tell(self._record.ending(self._path))
