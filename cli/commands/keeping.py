"""`citadels history --put-away`, `--export` and `--delete`: what becomes of a match's files."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from citadels_p2p.match import find_saved
from citadels_p2p.match.archive.index import Chapter, Index, may_go_on
from cli.commands.person import complain_about, complain_of_match
from cli.i18n import _
from cli.line.exits import Exit, complain
from cli.text.nearby import TABLE_LIMIT
from cli.text.scene import shown
from protocol.errors import ProtocolError, Unavailable
from protocol.storage import keeping


def put_away(home: Path, wanted: Sequence[str]) -> int:
    """Put these unfinished matches away; where none is named, all but the newest."""
    with Index(home) as index:
        found = [one for one in index.chapters() if may_go_on(home / one.file)]
    chosen = [] if wanted else found[1:]
    for typed in wanted:
        match = _of_name(home, typed, found)
        if match is None:
            return complain_of_match(Unavailable("nothing_unfinished", typed), home)
        chosen.append(match)
    for one in chosen:
        try:
            path = keeping.put_away(home / one.file)
        except ProtocolError as problem:
            return complain_about(problem)
        said = _("Put away: {table}. It comes back with: citadels resume {file}")
        print(said.format(table=_table(one), file=path.stem))
    if not chosen:
        print(_("There is nothing to put away."))
    return Exit.FINE


def export(home: Path, typed: str, target: Path) -> int:
    """Copy a match into a file that can be given to anybody."""
    try:
        keeping.export(find_saved(home, typed), target)
    except ProtocolError as problem:
        return complain_of_match(problem, home)
    except OSError as problem:
        why = problem.strerror or problem
        return complain(_("{path} cannot be written: {why}.").format(path=target, why=why))
    print(target)
    return Exit.FINE


def delete(home: Path, typed: str) -> int:
    """Delete a match for good, once its person has said so at the terminal."""
    try:
        with Index(home) as index:
            away = [index.chapter(path) for path in keeping.away(home)]
            match = _of_name(home, typed, away)
            match = match or index.chapter(find_saved(home, typed))
    except ProtocolError as problem:
        return complain_of_match(problem, home)
    except ValueError:  # a file that lies elsewhere
        return complain(_("{path} is none of the matches kept here.").format(path=typed))
    path = home / match.file
    if may_go_on(path) and match not in away:
        said = _("This match may go on. Put it away first: citadels history --put-away {file}")
        return complain(said.format(file=path.stem))
    if not sys.stdin.isatty():
        return complain(_("Deleting asks first: type the command at a terminal."))
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(match.written))
    question = _("Delete {table} of {date} for good? Type y to delete it: ")
    answer = ""
    with contextlib.suppress(EOFError):
        answer = input(question.format(table=_table(match), date=when)).strip()
    if answer.casefold() != "y":
        print(_("It is still there."))
        return Exit.FINE
    try:
        keeping.delete(path)
    except ProtocolError as problem:
        return complain_about(problem)
    print(_("It is deleted."))
    return Exit.FINE


def _of_name(home: Path, typed: str, among: Iterable[Chapter]) -> Chapter | None:
    """The match that is meant by its file or its table's name."""
    for one in among:
        path = home / one.file
        if typed in (str(path), path.stem, one.name):
            return one
    return None


def _table(match: Chapter) -> str:
    return shown(match.name, TABLE_LIMIT) or Path(match.file).stem
