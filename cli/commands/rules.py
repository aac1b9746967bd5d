"""`citadels rules`: an edition in short, its characters and districts, or one of them."""

from __future__ import annotations

import argparse
import errno
import json
import os
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from citadels_p2p.cards import (
    DISTRICTS,
    EDITIONS,
    PRESETS,
    QUARTERS,
    READINGS,
    Edition,
    Printing,
)
from citadels_p2p.rules import Rules
from citadels_p2p.rules.choosing import rank_of
from citadels_p2p.rulings import Unreadable, check, read
from cli.client.plain_words import find_card, which_card
from cli.i18n import NN_, _, counted, phrase
from cli.line.exits import Exit, complain
from cli.line.game_options import refuse
from cli.line.picking import Unclear
from cli.text import cards, wordings
from cli.text.asking import joined
from cli.text.game import chosen
from cli.text.rules import summary
from cli.text.rulings import rulings
from cli.text.scene import listing
from cli.text.table import Box, describe

WIDTH = 80


def rules(options: argparse.Namespace) -> int:
    """Print the rules, or what a card does, or what rulings come out otherwise."""
    if options.check:
        return max(_check(file) for file in options.check)
    name, wanted = " ".join(options.card), options.edition
    card = find_card(name) if name else ""
    if isinstance(card, Unclear):
        return complain(which_card(card))
    homes = [box.id for box in EDITIONS.values() if not card or _has(box, card)]
    edition = wanted or homes[0]
    if edition not in homes:
        elsewhere = _("{card}: not in this edition, but in: {editions}")
        named = cards.source(card)
        return complain(elsewhere.format(card=named, editions=", ".join(homes)))
    box = EDITIONS[edition]
    try:
        game = _game(box, options)
    except ValueError as problem:
        return refuse(problem)
    words = Box.of(edition, options=None if game is None else game.to_options())
    if card:
        others = () if wanted else tuple(home for home in homes if home != edition)
        return _one(card, words, others, as_json=options.json)
    if options.json:
        print(json.dumps(_edition_as_json(box, game, words), ensure_ascii=False))
        return Exit.FINE
    print(cards.edition(box.id) + "\n")
    for line in () if game is None else chosen(game, but=("edition",)):
        print(textwrap.fill(line, WIDTH, subsequent_indent="  "))
    if game is not None:
        print()
    for paragraph in summary(box.id, game):
        print(textwrap.fill(paragraph, WIDTH) + "\n")
    _print_characters(box, words)
    _print_districts(box, words)
    _print_presets(box)
    return Exit.FINE


def _game(box: Edition, options: argparse.Namespace) -> Rules | None:
    """The game that is described; None where nothing is said of one.

    ValueError with a code for what is no game.
    """
    names = ("seats", "city", "draft", *READINGS)
    said = {name: getattr(options, name) for name in names}
    said = {name: value for name, value in said.items() if value is not None}
    return Rules.make(box.id, **said) if said else None


# One card


def _one(card: str, words: Box, others: Sequence[str], *, as_json: bool) -> int:
    """A card as this game words it; `others`: editions that have it too."""
    if as_json:
        print(json.dumps(_card_as_json(card, words), ensure_ascii=False))
        return Exit.FINE
    head, *lines = describe(card, words)
    print(textwrap.fill(f"{head} [{cards.edition(words.edition)}]", WIDTH))
    if others:
        listed = ", ".join(others)
        lines.append(_("Other editions (--edition): {editions}").format(editions=listed))
    for line in lines:
        print(textwrap.fill(line, WIDTH))
    return Exit.FINE


def _has(box: Edition, id: str) -> bool:
    return id in box.cast or id in {row.card for row in (*box.deck, *box.chest)}


def _card_as_json(id: str, words: Box) -> dict[str, object]:
    box = EDITIONS[words.edition]
    if id in box.cast:
        return _character_as_json(box, id, words)
    printed = next(row for row in (*box.deck, *box.chest) if row.card == id)
    return _district_as_json(box, printed, words)


# A whole edition


def _print_characters(box: Edition, words: Box) -> None:
    print(_("Characters"))
    for role in sorted(box.cast, key=lambda role: rank_of(box, role)):
        name, does = cards.character(role), wordings.ability(role, box.id, words.readings)
        line = f"{rank_of(box, role)}  {joined(name, does)}"
        print(textwrap.fill(line, WIDTH, subsequent_indent="   "))
    print()


def _print_districts(box: Edition, words: Box) -> None:
    print(_("Districts: cost, name, how many"))
    for quarter in QUARTERS:
        print(f"{cards.quarter(quarter).capitalize()}")
        for printed in _of_quarter(box, quarter):
            copies = counted("{count} card", "{count} cards", count=printed.copies)
            cost = printed.cost or "-"
            line = f"{cost}  {cards.district(printed.card)}, {copies}"
            effect = wordings.effect(printed.card, box.id, words.readings)
            line = joined(line, effect)
            print(textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent="     "))
    low, high = box.unique_cards
    if box.chest and low == high:
        line = counted(
            "Of the unique districts {count} card is in the deck of a match.",
            "Of the unique districts {count} cards are in the deck of a match.",
            count=high,
        )
        print(textwrap.fill(line, WIDTH))
    elif box.chest:
        line = _("Of the unique districts {low} to {high} cards are in the deck of a match.")
        print(textwrap.fill(line.format(low=low, high=high), WIDTH))


def _print_presets(box: Edition) -> None:
    """Characters and unique districts that the box puts together: `--preset NAME`."""
    found = [preset for preset in PRESETS.values() if preset.edition == box.id]
    if not found:
        return
    print("\n" + _("Presets: characters (with the ninth where one is needed), then districts"))
    for preset in found:
        roles = listing([cards.character(role) for role in (*preset.characters, preset.ninth)])
        districts = listing([cards.district(card) for card in preset.uniques])
        line = f"{preset.id}  {roles}; {districts}"
        print(textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent="     "))


def _of_quarter(box: Edition, quarter: str) -> list[Printing]:
    rows = [row for row in (*box.deck, *box.chest) if DISTRICTS[row.card].quarter == quarter]
    return sorted(rows, key=lambda row: (row.cost, row.card))


def _edition_as_json(box: Edition, game: Rules | None, words: Box) -> dict[str, object]:
    return {
        "edition": box.id,
        "name": cards.edition(box.id),
        "summary": summary(box.id, game),
        "characters": [
            _character_as_json(box, role, words)
            for role in sorted(box.cast, key=lambda role: rank_of(box, role))
        ],
        "districts": [
            _district_as_json(box, row, words)
            for kind in QUARTERS
            for row in _of_quarter(box, kind)
        ],
        "presets": [
            {
                "preset": preset.id,
                "characters": preset.characters,
                "ninth": preset.ninth,
                "uniques": preset.uniques,
            }
            for preset in PRESETS.values()
            if preset.edition == box.id
        ],
    }


def _character_as_json(box: Edition, role: str, words: Box) -> dict[str, object]:
    return {
        "character": role,
        "name": cards.character(role),
        "edition": box.id,
        "rank": rank_of(box, role),
        "power": wordings.ability(role, box.id, words.readings),
        "rulings": rulings(role, box.id, words.readings),
    }


def _district_as_json(box: Edition, row: Printing, words: Box) -> dict[str, object]:
    return {
        "card": row.card,
        "name": cards.district(row.card),
        "edition": box.id,
        "type": DISTRICTS[row.card].quarter,
        "cost": row.cost or None,
        "copies": row.copies,
        "effect": wordings.effect(row.card, box.id, words.readings),
        "rulings": rulings(row.card, box.id, words.readings),
    }


# Rulings


_LONGEST = 4 << 20
"""Bytes of a file of rulings: all of ours together have a tenth of a megabyte."""


def _text_in(file: Path) -> str:
    """What is written there; OSError or UnicodeDecodeError for what nobody has written."""
    with file.open("rb") as opened:
        text = opened.read(_LONGEST + 1)
    if len(text) > _LONGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(file))
    return text.decode("utf-8")


def _check(file: Path) -> Exit:
    """Play a file of rulings; a line for each thing that comes out otherwise."""
    try:
        text = _text_in(file)
        faults = check(text)
    except (OSError, UnicodeDecodeError):
        print(_("citadels: {file} cannot be read").format(file=file), file=sys.stderr)
        return Exit.USAGE
    except Unreadable as error:
        return complain(f"{file}:{error.line}: {error.what}")
    for fault in faults:
        print(f"{file}:{fault.line}: {fault.ruling}")
        said = _("written {expected}; found {found}")
        print("    " + said.format(expected=fault.expected, found=fault.found))
    if faults:
        return Exit.BUG
    count = len(read(text))
    told = NN_("{file}: {count} ruling holds.", "{file}: {count} rulings hold.")
    print(phrase(told, {"file": file, "count": count}))
    return Exit.FINE
