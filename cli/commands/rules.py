"""`citadels rules`: the game in short, its characters and districts, or one of them."""

from __future__ import annotations

import argparse
import sys
import textwrap
from pathlib import Path

from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, QUARTERS
from citadels_p2p.rulings import Unreadable, check, read
from cli.exits import Exit
from cli.i18n import _, ngettext
from cli.picking import Unclear
from cli.plain_words import find_card, which_card
from cli.text import cards
from cli.text.rules import summary
from cli.text.table import Box, describe

WIDTH = 80


def rules(options: argparse.Namespace) -> int:
    """Print the rules, or what a card does, or what rulings come out otherwise."""
    if options.check:
        return max(_check(file) for file in options.check)
    if options.card:
        found = find_card(" ".join(options.card))
        if isinstance(found, Unclear):
            print(f"citadels: {which_card(found)}", file=sys.stderr)
            return Exit.USAGE
        for line in describe(found, Box.of("classic")):
            print(textwrap.fill(line, WIDTH))
        return Exit.FINE
    for paragraph in summary():
        print(textwrap.fill(paragraph, WIDTH))
        print()
    print(_("Characters"))
    for role in EDITIONS["classic"].characters:
        line = f"{CHARACTERS[role].rank}  {cards.character(role)}: {cards.deed(role)}"
        print(textwrap.fill(line, WIDTH, subsequent_indent="   "))
    print()
    print(_("Districts: cost, name, how many"))
    for quarter in QUARTERS:
        print(f"{cards.quarter(quarter).capitalize()}")
        for printed in sorted(EDITIONS["classic"].deck, key=lambda row: (row.cost, row.card)):
            if DISTRICTS[printed.card].quarter == quarter:
                copies = ngettext("{count} card", "{count} cards", printed.copies)
                effect = cards.effect(printed.card)
                line = f"{printed.cost}  {cards.district(printed.card)}, " + copies.format(
                    count=printed.copies
                )
                line = f"{line}: {effect}" if effect else line
                print(
                    textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent="     ")
                )
    return Exit.FINE


def _check(file: Path) -> Exit:
    """Play a file of rulings; a line for each thing that comes out otherwise."""
    try:
        text = file.read_text(encoding="utf-8")
        faults = check(text)
    except (OSError, UnicodeDecodeError):
        print(_("citadels: {file} cannot be read").format(file=file), file=sys.stderr)
        return Exit.USAGE
    except Unreadable as error:
        print(f"citadels: {file}:{error.line}: {error.what}", file=sys.stderr)
        return Exit.USAGE
    for fault in faults:
        print(f"{file}:{fault.line}: {fault.ruling}")
        said = _("written {expected}; found {found}")
        print("    " + said.format(expected=fault.expected, found=fault.found))
    if faults:
        return Exit.BUG
    count = len(read(text))
    told = ngettext("{file}: {count} ruling holds.", "{file}: {count} rulings hold.", count)
    print(told.format(file=file, count=count))
    return Exit.FINE
