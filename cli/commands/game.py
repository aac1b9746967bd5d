"""The game that flags describe: edition, preset, characters, districts, seats."""

from __future__ import annotations

import argparse
import sys

from citadels_p2p.cards.presets import PRESETS
from citadels_p2p.rules import Rules
from cli.i18n import N_, _

#: why the rules refuse a game → what to do about it
REFUSALS: dict[str, str] = {
    "unknown_edition": N_("There is no such edition."),
    "seats_out_of_range": N_("This edition is not for so many players: change --seats."),
    "city_out_of_range": N_("A city has 6, 7 or 8 districts: change --city."),
    "unknown_character": N_("No such character is in this edition: see `citadels rules`."),
    "two_of_a_rank": N_("Two of these characters have the same rank: choose one of each."),
    "too_few_seats": N_("One of these characters needs more players."),
    "ninth_character_needed": N_("With so many players a character of rank 9 is needed."),
    "no_ninth_character": N_("With so few players there is no character of rank 9."),
    "unknown_unique": N_("No such unique district is in this edition: see `citadels rules`."),
    "uniques_out_of_range": N_("This edition is played with another number of uniques."),
    "not_together": N_("One of these districts is never played with one of the characters."),
    "unknown_draft": N_("Characters are passed on or dealt: --draft pass or --draft deal."),
    "characters_each_out_of_range": N_("That many characters each do not go round."),
    "unknown_gilding": N_("There is no such reading of the Artist's gold."),
    "unknown_unveiling": N_("There is no such reading of the Secret Vault."),
    "unknown_preset": N_("There is no such preset in this edition."),
}


def chosen_rules(options: argparse.Namespace) -> Rules | None:
    """The rules that the flags describe; None, and a line of what to change, for others."""
    try:
        return _rules(options)
    except ValueError as error:
        code = str(error).partition(":")[0]
        why = REFUSALS.get(code)
        print(f"citadels: {_(why) if why else error}", file=sys.stderr)
        return None


def _rules(options: argparse.Namespace) -> Rules:
    characters: tuple[str, ...] | None = options.characters
    uniques: tuple[str, ...] | None = options.uniques
    edition: str = options.edition
    if options.preset is not None:
        preset = PRESETS.get(options.preset)
        if preset is None:
            raise ValueError("unknown_preset")
        edition = preset.edition
        characters = characters or preset.roster(options.seats)
        uniques = uniques or preset.uniques
    return Rules.make(
        edition,
        seats=options.seats,
        city=options.city,
        characters=characters,
        uniques=uniques,
        draft=options.draft,
        characters_each=options.characters_each,
    )
