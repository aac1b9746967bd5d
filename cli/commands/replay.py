"""`citadels replay`: a saved match to step through, as one page for a browser, or as text."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cli import settings
from cli.commands.matches import complain_of_match
from cli.commands.sit import sit
from cli.i18n import _
from cli.line.exits import Exit, complain
from protocol.errors import ProtocolError

#: the path that stands for standard output
HERE = Path("-")


def replay(options: argparse.Namespace) -> int:
    """Step through a match, write it (--html, --record), or tell it to a program (--json)."""
    if options.html is not None or options.record is not None:
        return _written(options)
    if options.json:
        options.ui = "json"
    if options.json or not sys.stdin.isatty():
        options.straight = True
    return sit(options)


def _written(options: argparse.Namespace) -> int:
    from citadels_p2p.match import find_saved, read_saved, recount, text_of
    from cli.client.web_page import page

    home = settings.load(options).home
    try:
        saved = read_saved(find_saved(home, options.match))
    except ProtocolError as problem:
        return complain_of_match(problem, home)
    texts: dict[Path, str] = {}
    if options.html is not None:
        texts[options.html] = page(recount(saved))
    if options.record is not None:
        texts[options.record] = text_of(saved) or ""
    for path, text in texts.items():
        if path == HERE:
            print(text, end="" if text.endswith("\n") else "\n")
            continue
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as problem:
            why = problem.strerror or problem
            return complain(_("{path} cannot be written: {why}.").format(path=path, why=why))
        print(path)
    return Exit.FINE
