"""`citadels history`: the finished matches on this laptop, and statistics of them."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from citadels_p2p import match
from citadels_p2p.match import find_saved
from citadels_p2p.match.archive import statistics
from citadels_p2p.match.archive.history import History, Verifying, recall
from citadels_p2p.match.archive.index import FOLDERS, Chapter, Index, may_go_on
from citadels_p2p.match.archive.statistics import Selection, begins, keys
from citadels_p2p.match.archive.summary import Summary
from cli import settings
from cli.commands.person import complain_about, complain_of_match
from cli.commands.progress import ProgressLine
from cli.i18n import _, counted, decimal, percent
from cli.line.exits import Exit, complain
from cli.text import Scene, ending
from cli.text.cards import character, district, level
from cli.text.columns import columns
from cli.text.nearby import TABLE_LIMIT
from cli.text.scene import clean, listing, path_shown, shown
from cli.text.screen import time_left
from protocol.errors import ProtocolError, Unavailable
from protocol.storage import keeping

#: part of the work after which it is known how long the rest may take
SURE = 0.02

#: how the files of matches begin that this laptop only watched
WATCHED = f"{FOLDERS[1]}/"


def history(options: argparse.Namespace) -> int:
    """Show matches, opponents, characters or districts; the newest match first."""
    home = settings.load(options).home
    if (options.put_away, options.export, options.delete) != (None, None, None):
        return _keep(home, options)
    try:
        shown = ProgressLine()
        try:
            found = recall(home, partial(_show, shown, time.monotonic()))
        finally:
            shown.clear()
        key = _own_key(home) if found.summaries and options.key is None else ""
    except Unavailable as problem:
        return complain_about(problem)
    if options.key is not None:
        known = [one for one in sorted(keys(found.summaries)) if begins(one, options.key)]
        if len(known) != 1:
            return _not_one(options.key, known)
        (key,) = known
    wanted = Selection(options.against, options.edition, options.since)
    report = Report(found, tuple(x for x in found.summaries if wanted.fits(x, key)), key)
    _mention(found)
    if options.json:
        print(json.dumps(_as_json(report, wanted)))
    elif not found.summaries:
        print(_("There is no finished match on this laptop yet."))
        print(_("Practice among bots is not kept; matches at a table are."))
    elif not report.summaries:
        line = counted(
            "No match is like that; without these wishes there is {count}.",
            "No match is like that; without these wishes there are {count}.",
            count=len(found.summaries),
        )
        print(line)
    elif options.view != "matches" and not statistics.own(report.summaries, key).matches:
        print(_("You have played none of these matches."))
    else:
        for line in _VIEWS[options.view](report, options.last):
            print(line)
    return Exit.FINE


@dataclasses.dataclass(frozen=True, slots=True)
class Report:
    """The `summaries` chosen out of all `found`, as the player with this `key` sees them.

    Ratings are computed over all matches, for each match starts from the ratings before it.
    """

    found: History
    summaries: tuple[Summary, ...]
    key: str


def _show(line: ProgressLine, began: float, how_far: Verifying) -> None:
    """How many matches are verified, and how long the rest may take."""

    def made() -> str:
        said = counted(
            "Verifying: {done} of {count} match",
            "Verifying: {done} of {count} matches",
            count=of,
            done=how_far.done,
        )
        if how_far.part < SURE:
            return f"{said}…"
        passed = time.monotonic() - began
        return f"{said}, {time_left(round(passed * (1 - how_far.part) / how_far.part))}"

    of = how_far.of
    line.show(made)


def _not_one(typed: str, known: Sequence[str]) -> int:
    """Why a key that was typed is nobody's, or not one person's alone."""
    if known:
        several = _("{key} could be any of these: {keys}")
        return complain(several.format(key=typed, keys=", ".join(known)))
    nobody = _("Nobody in these matches has a key that begins with {key}.")
    return complain(nobody.format(key=typed))


def _keep(home: Path, options: argparse.Namespace) -> int:
    """Change what lies here, instead of showing it."""
    if options.put_away is not None:
        return put_away(home, options.put_away)
    if options.export is not None:
        return export(home, options.export[0], Path(options.export[1]))
    return delete(home, options.delete)


def _own_key(home: Path) -> str:
    """Our fingerprint, by which a journal knows us. Raises `Unavailable`."""
    from protocol.identity.keys import load_or_create

    return load_or_create(home).fingerprint


def _mention(found: History) -> None:
    """What is not in the list, on standard error."""
    if found.remade:
        complain(_("The index was damaged and has been made anew from the journals."))
    for path in found.unreadable:
        complain(_("{path} cannot be read.").format(path=path_shown(path)))
    if found.unfinished:
        line = counted(
            "{count} match may still go on: citadels resume",
            "{count} matches may still go on: citadels resume",
            count=found.unfinished,
        )
        complain(line)


def _matches(report: Report, last: int) -> list[str]:
    """What was reached, then match by match."""
    own = statistics.own(report.summaries, report.key)
    lines = []
    if own.matches:
        count, mean = own.matches, decimal(own.points / own.matches)
        matches = counted("{count} match played", "{count} matches played", count=count)
        said = _("{matches}, {share} won; {mean} points on average, {best} at best.")
        share = _share(own.wins, count)
        lines.append(said.format(matches=matches, share=share, mean=mean, best=own.best))
    rating = statistics.ratings(report.found.summaries).get(report.key)
    if rating is not None:
        shown = _("Your rating against people: {rating}")
        lines.append(shown.format(rating=_rating(rating)))
    if lines:
        lines.append("")
    rows = [("", _("ended"), _("table"), _("place"), _("points"), _("result"))]
    for one in report.summaries[:last]:
        number = report.found.numbers.get(one.file)
        rows.append(("" if number is None else str(number), *_match_row(one, report.key)))
    return lines + columns(rows, "><<>><", elastic=5)


def _match_row(report: Summary, key: str) -> tuple[str, str, str, str, str]:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(report.ended))
    if not report.ended:
        when = "–"
    name = clean(report.table, 24) or path_shown(Path(report.file).stem)[:8]
    if report.fault and report.fault == match.OTHER_VERSION:
        return when, name, "", "", _("saved by another version of the program")
    if report.standing == "unsound":
        why = ending(report.fault, {"name": ""}, Scene())
        return when, name, "", "", _("does not verify: {why}").format(why=why)
    if report.standing == "unfinished":
        return when, name, "", "", _("not played to its end")
    winners = [
        _("you") if place.key == key else clean(place.name, 24)
        for place in report.places
        if place.won
    ]
    won = _("won by {names}").format(names=listing(winners))
    if report.resigned:
        won = _("{result}: {name} left for good").format(
            result=won, name=clean(report.resigned, 24)
        )
    if report.claimed:
        won = _("{result}: claimed, {name} did not come back").format(
            result=won, name=clean(report.claimed, 24)
        )
    mine = statistics.place_of(report, key)
    here = [place.name for place in report.places if place.key.startswith(f"{key}/")]
    if here:
        shared = _("{result} ({names} at one laptop)")
        names = listing([clean(one, 24) for one in here])
        return when, name, "", "", shared.format(result=won, names=names)
    if mine is None and (key in report.operators or report.file.startswith(WATCHED)):
        return when, name, "", "", _("{result} (you looked on)").format(result=won)
    if mine is None:
        return when, name, "", "", _("{result} (under another key)").format(result=won)
    place = _("{rank} of {count}").format(rank=mine.rank, count=len(report.places))
    return when, name, place, str(mine.total), won


def _opponents(report: Report, last: int) -> list[str]:
    rated = statistics.ratings(report.found.summaries)
    head = (_("key"), _("name"), _("met"), _("ahead"), _("behind"), _("won"), _("rating"))
    rows = [head]
    for row in statistics.opponents(report.summaries, report.key)[:last]:
        if row.key:
            who, name = row.key, clean(row.name, 40)
        else:
            who, name = "", _("bots ({level})").format(level=level(row.level))
        rating = rated.get(row.key)
        ahead, behind, won = (
            _share(n, row.meetings) for n in (row.ahead, row.behind, row.wins)
        )
        known = "" if rating is None else _rating(rating)
        rows.append((who, name, str(row.meetings), ahead, behind, won, known))
    return columns(rows, "<<>>>>>", elastic=1)


def _characters(report: Report, last: int) -> list[str]:
    head = (_("character"), _("your turns"), _("all turns"), _("matches"), _("won"))
    return _cards(head, statistics.characters(report.summaries, report.key)[:last], character)


def _districts(report: Report, last: int) -> list[str]:
    head = (_("district"), _("you built"), _("all built"), _("stood at the end"), _("won"))
    return _cards(head, statistics.districts(report.summaries, report.key)[:last], district)


def _cards(
    head: tuple[str, ...], found: Sequence[statistics.CardCount], name: Callable[[str], str]
) -> list[str]:
    rows = [head]
    for row in found:
        won = _share(row.wins, row.matches)
        rows.append((name(row.card), str(row.own), str(row.all), str(row.matches), won))
    return columns(rows, "<>>>>")


def _share(part: int, of: int) -> str:
    """A share in percent; a dash where there were no matches."""
    return percent(round(100 * part / of)) if of else "–"


def _rating(rating: statistics.Rating) -> str:
    return f"{decimal(rating.mean)} ± {decimal(rating.deviation)}"


_VIEWS: dict[str, Callable[[Report, int], list[str]]] = {
    "matches": _matches,
    "opponents": _opponents,
    "characters": _characters,
    "districts": _districts,
}


def _as_json(report: Report, wanted: Selection) -> dict[str, object]:
    """Everything, whatever view was asked for; `of` is how many matches there are in all."""
    from cli.client.json_values import plain

    summaries, key, found = report.summaries, report.key, report.found
    ratings = statistics.ratings(found.summaries)
    return {
        "you": key,
        "wanted": plain(wanted),
        "of": len(found.summaries),
        "own": plain(statistics.own(summaries, key)),
        "matches": [
            {**plain(one), "played": statistics.place_of(one, key) is not None}
            for one in summaries
        ],
        "opponents": plain(statistics.opponents(summaries, key)),
        "ratings": [{"key": who, **plain(rating)} for who, rating in ratings.items()],
        "characters": plain(statistics.characters(summaries, key)),
        "districts": plain(statistics.districts(summaries, key)),
        "unfinished": found.unfinished,
        "unreadable": [str(path) for path in found.unreadable],
    }


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
        print(said.format(table=_table(one), file=path_shown(path.stem)))
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
        return complain(said.format(file=path_shown(path.stem)))
    if not sys.stdin.isatty():
        return complain(_("Deleting asks first: type the command at a terminal."))
    ended = match.ended(time.time())
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(ended)) if ended else "–"
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
    return shown(match.name, TABLE_LIMIT) or path_shown(Path(match.file).stem)
