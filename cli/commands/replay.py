"""`citadels replay`: a saved match to step through, or as one page for a browser."""

from __future__ import annotations

import argparse
import sys

from cli import settings
from cli.commands.person import complain_about
from cli.commands.sit import sit
from cli.i18n import _
from cli.line.exits import Exit, complain
from protocol.errors import ProtocolError


def replay(options: argparse.Namespace) -> int:
    """Step through a match, write it as a page (--html), or tell it to a program (--json)."""
    if options.html is not None:
        return _as_page(options)
    if options.json:
        options.ui = "json"
    if options.json or not sys.stdin.isatty():
        options.straight = True
    return sit(options)


def _as_page(options: argparse.Namespace) -> int:
    from citadels_p2p.match import find_saved, read_saved, record_of
    from cli.client.web_page import page

    try:
        path = find_saved(settings.load(options).home, options.match)
        record = record_of(read_saved(path))
    except ProtocolError as problem:
        return complain_about(problem)
    try:
        options.html.write_text(page(record), encoding="utf-8")
    except OSError as problem:
        why = problem.strerror or problem
        return complain(
            _("{path} cannot be written: {why}.").format(path=options.html, why=why)
        )
    print(options.html)
    return Exit.FINE
