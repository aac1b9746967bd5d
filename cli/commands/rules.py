"""`citadels rules`: the game in short, its characters and districts, or one of them."""

from __future__ import annotations

import argparse
import sys
import textwrap

from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, QUARTERS
from cli.exits import Exit
from cli.i18n import _, ngettext
from cli.picking import Unclear
from cli.plain_words import find_card, which_card
from cli.text import cards
from cli.text.rules import summary
from cli.text.table import Box, describe

WIDTH = 80


def rules(options: argparse.Namespace) -> int:
    """Print the rules, or what a card does."""
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
