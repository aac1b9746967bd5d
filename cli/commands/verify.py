"""`citadels verify`: the verdict on a saved match. Exit 0 sound, 1 not."""

from __future__ import annotations

import argparse
import json
import sys

from citadels_p2p.match.audit import OTHER_VERSION, Verdict
from citadels_p2p.match.audit import verify as judge
from cli.commands.person import complain_about
from cli.exits import Exit
from cli.gauge import gauge
from cli.i18n import _, ngettext
from cli.text import Scene, ending
from cli.text.scene import clean
from cli.text.scores import final
from protocol.errors import Unavailable

NOT_SOUND = 1


def verify(options: argparse.Namespace) -> int:
    """Replay a journal with no other input and say what holds."""
    if not options.match.is_file():
        line = _("There is no file {path}.").format(path=options.match)
        print(f"citadels: {line}", file=sys.stderr)
        return Exit.USAGE
    try:
        with gauge() as show:
            what = _("Verifying {path}…").format(path=options.match.name)
            verdict = judge(options.match, lambda done, of: show(what, done, of))
    except Unavailable as problem:
        return complain_about(problem)
    foreign = any(fault.code == OTHER_VERSION for fault in verdict.faults)
    if options.json:
        print(json.dumps(_as_json(verdict)))
        return Exit.FINE if verdict.sound else Exit.REFUSED if foreign else NOT_SOUND
    if foreign:  # of what it cannot read it says nothing, neither good nor bad
        return complain_about(Unavailable(OTHER_VERSION, verdict.faults[0].detail))
    entries = ngettext("{count} entry", "{count} entries", verdict.entries)
    counted = entries.format(count=verdict.entries)
    if verdict.sound:
        print(
            _("Sound: {entries}; every signature, proof and rule holds.").format(
                entries=counted
            )
        )
        if verdict.finished and verdict.opened:
            print(_("The match was played to its end, and the hidden cards were checked too."))
        elif verdict.finished:
            print(
                _(
                    "The match was played to its end. The hidden cards were not opened by "
                    "everybody, so only what was shown is checked."
                )
            )
        else:
            print(_("The match was not played to its end."))
        result = verdict.result
        if result is not None:
            for line in final(result, Scene.of(result.names, None)):
                print(line)
        return Exit.FINE
    print(_("Not sound: it holds for {entries} and no further.").format(entries=counted))
    for fault in verdict.faults:
        why = ending(fault.code, {"name": fault.author}, Scene())
        author = clean(fault.author, 40) or _("nobody can be named")
        print(_("Entry {seq} ({author}): {why}").format(seq=fault.seq, author=author, why=why))
        if fault.detail:
            print(f"  {clean(fault.detail, 200)}")
    return NOT_SOUND


def _as_json(verdict: Verdict) -> dict[str, object]:
    result = verdict.result
    return {
        "sound": verdict.sound,
        "table": verdict.table,
        "entries": verdict.entries,
        "finished": verdict.finished,
        "opened": verdict.opened,
        "digest": result.digest if result is not None else None,
        "scores": [score.total for score in result.scores] if result is not None else None,
        "faults": [
            {
                "seq": fault.seq,
                "author": fault.author,
                "code": fault.code,
                "detail": fault.detail,
            }
            for fault in verdict.faults
        ],
    }
