"""`citadels completion`: what a shell needs to complete commands, flags, files and cards."""

from __future__ import annotations

import argparse
from itertools import chain
from pathlib import Path

from citadels_p2p.cards import CHARACTERS, DISTRICTS
from citadels_p2p.cards.presets import PRESETS
from cli.line.exits import Exit
from cli.line.parser import build
from cli.settings import TABLE


def completion(options: argparse.Namespace) -> int:
    print(script(options.shell))
    return Exit.FINE


def script(shell: str) -> str:
    """The completion script for "bash", "zsh", "fish" or "powershell"."""
    import shtab

    parser = build()
    of_all = (one._actions for one in (parser, *parser.commands.values()))
    for action in chain.from_iterable(of_all):
        if action.type is Path or action.dest == "match":
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # read by shtab
        elif action.dest in _WORDS:
            action.choices = _WORDS[action.dest]
    made: str = shtab.complete(parser, shell=shell)
    return made.rstrip()


#: destination of an argument → words that it may be, beyond those that the parser insists on
_WORDS: dict[str, tuple[str, ...]] = {
    "card": (*CHARACTERS, *DISTRICTS),
    "preset": tuple(PRESETS),
    "change": tuple(f"{setting.key}=" for setting in TABLE),
}
