"""`citadels verify`: the verdict on a saved match. Exit 0 sound, 1 not."""

from __future__ import annotations

import argparse
import json
import stat
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from citadels_p2p.match import OTHER_VERSION, TELLS, Comparison, Fault, Verdict, compare
from citadels_p2p.match import verify as judge
from cli import i18n, settings
from cli.client.json_values import plain
from cli.commands.person import complain_about, tell_files
from cli.commands.progress import progress
from cli.i18n import N_, _, counted
from cli.line.exits import Exit, complain
from cli.text import Scene, ending
from cli.text.scene import clean, listing, path_shown
from cli.text.scores import final
from protocol.errors import Unavailable
from protocol.identity.acquaintances import Acquaintances
from protocol.identity.keys import fingerprint, load

NOT_SOUND = 1

#: what this laptop knows of a key that signed under a name
_KNOWN: dict[str, str] = {
    "own": N_("your own key"),
    "known": N_("the key that you know"),
    "changed": N_("not the key that you know by this name"),
    "new": N_("a key that you have not met"),
}


def verify(options: argparse.Namespace) -> int:
    """Replay a journal with no other input and say what holds."""
    home, paths = settings.load(options).home, tuple(options.match)
    for path in paths:
        if not _may_be_file(path):
            complain(_("There is no file {path}.").format(path=path_shown(path)))
            return tell_files(home)
    try:
        verdicts = [_judged(path) for path in paths]
        together = compare(paths) if len(paths) > 1 else None
    except Unavailable as problem:
        return complain_about(problem)
    found = [(verdict, _known(verdict, home)) for verdict in verdicts]
    strange = [fault for one in verdicts for fault in one.faults if fault.code == OTHER_VERSION]
    sound = all(one.sound for one in verdicts) and (together is None or together.agrees)
    if options.json:
        files = [_as_json(*one) for one in found]
        shown = files[0] if together is None else {"files": files, "together": asdict(together)}
        print(json.dumps(shown))
        return Exit.FINE if sound else Exit.REFUSED if strange else NOT_SOUND
    if strange:  # of what it cannot read it says nothing, neither good nor bad
        return complain_about(Unavailable(OTHER_VERSION, strange[0].detail))
    for path, (verdict, known) in zip(paths, found, strict=True):
        if together is not None:
            print(path_shown(path))
        for line in _report(verdict, known, alone=together is None):
            print(line)
    for line in () if together is None else _together(together):
        print(line)
    return Exit.FINE if sound else NOT_SOUND


def _may_be_file(path: Path) -> bool:
    """Whether a file may be there: of one that may not be looked at, reading it says why."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def _judged(path: Path) -> Verdict:
    with progress() as show:
        what = _("Verifying {path}…").format(path=path_shown(path.name))
        return judge(path, lambda done, of: show(what, done, of))


def _together(found: Comparison) -> Iterator[str]:
    """What several people's files show beside each other."""
    if not found.is_one:
        yield _("These files are not of one match.")
    elif found.parts is None:
        yield _("Together they tell one match, as far as each of them goes.")
    elif found.parts == 0:
        yield _("They are two matches that were begun at one table.")
    else:
        yield _("They part at entry {seq}: there were two matches from there on.").format(
            seq=found.parts
        )
    for name in found.exposed:
        yield _("{name} has signed both, as nobody honest does: the files prove it.").format(
            name=clean(name, 40)
        )
    if found.forgot:
        yield _(
            "Signed for both, as a cheat does and a laptop whose folder was put back: {names}"
        ).format(names=_names(found.forgot))


def _known(verdict: Verdict, home: Path) -> tuple[str, ...]:
    """What this laptop knows of each operator's key; "" where its list cannot be read."""
    try:
        own, met = load(home), Acquaintances(home)
    except Unavailable as problem:
        complain_about(problem)
        return ("",) * len(verdict.operators)
    return tuple(
        "own"
        if own is not None and own.public == one.identity
        else met.recall(one.name, one.identity)
        for one in verdict.operators
    )


def _report(verdict: Verdict, known: Sequence[str], *, alone: bool) -> Iterator[str]:
    """What is known of a match, in words."""
    entries = counted("{count} entry", "{count} entries", count=verdict.entries)
    if verdict.sound:
        yield _("Sound: {entries}; every signature, proof and rule holds.").format(
            entries=entries
        )
        yield from _confirmed(verdict)
        yield from _end(verdict)
        if verdict.result is not None:
            yield from final(verdict.result, Scene.of(verdict.result.names, None))
    else:
        yield _("Not sound: it holds for {entries} and no further.").format(entries=entries)
        for fault in verdict.faults:
            yield from _fault(fault)
    yield from _signers(verdict, known)
    if alone and verdict.table and (verdict.unconfirmed or not verdict.opened):
        yield _(
            "Somebody may have played on twice while a laptop was away. Several people's files "
            "show it: citadels verify MINE THEIRS"
        )
    if verdict.table:
        yield _(
            "Before you give this file to anybody: it tells the names, keys and addresses in "
            "the local network of everybody at the table."
        )


def _signers(verdict: Verdict, known: Sequence[str]) -> Iterator[str]:
    """Whose keys have signed, as far as this laptop can tell."""
    if verdict.operators:
        yield _("A name is what the file says; these keys have signed under it:")
    for operator, knowledge in zip(verdict.operators, known, strict=True):
        line = f"  {clean(operator.name, 40)}  {fingerprint(operator.identity)}"
        yield f"{line}  {_(_KNOWN[knowledge])}" if knowledge else line


def _confirmed(verdict: Verdict) -> Iterator[str]:
    """How far other laptops have signed that they have the same."""
    if verdict.confirmed is None:
        yield _(
            "Nothing in this file shows that a majority of the laptops has confirmed any of "
            "it; another copy of the match may tell it otherwise."
        )
    elif not verdict.unconfirmed:
        yield _("All of it is confirmed by a majority of the laptops.")
    else:
        yield _("It is confirmed by a majority of the laptops up to entry {seq}.").format(
            seq=verdict.confirmed
        )
        yield counted(
            "{count} entry after that is not; another copy of the match may have another one.",
            "{count} entries after that are not; another copy of the match may have others.",
            count=verdict.unconfirmed,
        )


def _end(verdict: Verdict) -> Iterator[str]:
    """How far it was played, and what came to light afterwards."""
    keys = verdict.keys
    if verdict.claimed:
        yield _(
            "Whoever has this file ended the match: {name} did not come back, as nothing signed"
            " can show."
        ).format(name=clean(verdict.claimed, 40))
    if not verdict.finished:
        yield _("The match was not played to its end.")
        yield _("Entries may be missing at its end: this file alone cannot show that.")
    elif verdict.opened:
        yield _("The match was played to its end, and the hidden cards were checked too.")
        if not keys.rebuilt:
            yield _("All share keys were given away.")
    else:
        yield _(
            "The match was played to its end. The hidden cards were not opened by "
            "everybody, so only what was shown is checked."
        )
    if keys.rebuilt:
        yield _(
            "Share keys that were not given away, but put together from what the others held "
            "of them: {names}"
        ).format(names=_names(keys.rebuilt))
    if keys.lacking:
        yield _("Share keys that were not given away: {names}").format(
            names=_names(keys.lacking)
        )
    if verdict.complaint is not None:
        yield _("The match was stopped by a complaint that proves nothing: {why}").format(
            why=ending(verdict.complaint.code, {"name": verdict.complaint.name}, Scene())
        )
        if verdict.complaint.name:
            yield _("The complaint was about: {name}").format(
                name=clean(verdict.complaint.name, 40)
            )


def _fault(fault: Fault) -> Iterator[str]:
    why = ending(fault.code, {"name": fault.author}, Scene())
    author = clean(fault.author, 40) or _("nobody can be named")
    if fault.seq is None:
        yield _("Evidence beside the entries ({author}): {why}").format(author=author, why=why)
    else:
        yield _("Entry {seq} ({author}): {why}").format(seq=fault.seq, author=author, why=why)
    if fault.detail and i18n.current() == "en":  # it is for programmers, and in English
        yield f"  {clean(fault.detail, 200)}"


def _names(names: Sequence[str]) -> str:
    return listing([clean(name, 40) for name in names])


def _as_json(verdict: Verdict, known: Sequence[str]) -> dict[str, object]:
    result = verdict.result
    return {
        "sound": verdict.sound,
        "table": verdict.table,
        "operators": [
            {"name": one.name, "fingerprint": fingerprint(one.identity), "known": knowledge}
            for one, knowledge in zip(verdict.operators, known, strict=True)
        ],
        "entries": verdict.entries,
        "finished": verdict.finished,
        "opened": verdict.opened,
        "confirmed": verdict.confirmed,
        "unconfirmed": verdict.unconfirmed,
        "keys": plain(verdict.keys),
        "claimed": verdict.claimed,
        "complaint": plain(verdict.complaint),
        "tells": TELLS if verdict.table else (),
        "digest": result.digest if result is not None else None,
        "scores": [score.total for score in result.scores] if result is not None else None,
        "faults": plain(verdict.faults),
    }
