"""Shell: matches that are over: told again, kept as text or as a page, and which there are."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from citadels_p2p.match import OverNews, RecordNews, read_saved, recount
from citadels_p2p.match.archive.index import AHEAD_SECONDS, FOLDERS, Index, may_go_on
from citadels_p2p.notation import read_record
from cli.i18n import _
from protocol.storage.match_files import last_written

#: where practice that was kept lies in the data directory
PRACTICE = "practice"


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over: its `title`, when it was last written, and its file."""

    title: str
    when: str
    path: Path


def recounted(path: str, over: OverNews | None, seat: int | None) -> RecordNews:
    """The match of a saved file, else the one that has just ended so, from this seat if it can
    be told from there. May block. Raises `Unavailable`.
    """
    path = path or (over.journal if over is not None else "")
    if not path and over is not None:
        record = recount(read_record(over.record))
    else:
        record = recount(read_saved(Path(path)))
    return RecordNews(record, seat if seat in record.seats else None, path)


def keep(home: Path, record: str) -> Path:
    """Write a match of practice among the matches that are kept; its file. Raises OSError."""
    folder = home / PRACTICE
    folder.mkdir(parents=True, exist_ok=True)
    path = _free(folder / time.strftime("%Y-%m-%d-%H%M"), ".txt")
    path.write_text(record, encoding="utf-8")
    return path


def keep_page(told: RecordNews) -> Path:
    """Write a match as a page for a browser, where the program was called. Raises OSError."""
    from cli.client.web_page import page

    path = _free(Path.cwd() / time.strftime("citadels-%Y-%m-%d-%H%M"), ".html")
    path.write_text(page(told.record), encoding="utf-8")
    return path


def played(home: Path, ended: str = "") -> tuple[Played, ...]:
    """The matches on this laptop that are over, practice that was kept too; the newest first.
    `ended`: the file of one whose score stands, while its table still has its secrets. May
    block. Raises `Unavailable`.
    """
    found: list[tuple[float, Played]] = []
    with Index(home) as index:
        for one in index.chapters():
            path = home / one.file
            if str(path) == ended or not may_go_on(path):
                title = one.name or path.stem
                if one.file.startswith(f"{FOLDERS[1]}/"):
                    title = _("{table} (you looked on)").format(table=title)
                found.append(_dated(title, one.ended(time.time()), path))
    for path in (home / PRACTICE).glob("*.txt"):
        when = last_written(path)
        is_known = when < time.time() + AHEAD_SECONDS
        found.append(_dated(_("Practice"), when if is_known else 0, path))
    return tuple(one for _when, one in sorted(found, key=lambda pair: -pair[0]))


def _dated(title: str, when: float, path: Path) -> tuple[float, Played]:
    told = time.strftime("%Y-%m-%d %H:%M", time.localtime(when)) if when else "–"
    return when, Played(title, told, path)


def _free(path: Path, suffix: str) -> Path:
    """A file of that name that is not there yet; a number tells it from others."""
    names = chain((path.name,), (f"{path.name}-{number}" for number in count(2)))
    files = (path.with_name(name + suffix) for name in names)
    return next(file for file in files if not file.exists())
