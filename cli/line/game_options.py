"""The game that flags describe: edition, preset, characters, districts, seats."""

from __future__ import annotations

import argparse

from citadels_p2p.cards import EDITIONS, PRESETS, READINGS, Preset
from citadels_p2p.rules import Rules
from citadels_p2p.rules.choosing import NINTH, RANDOM, rank_of
from cli.line.exits import Exit, complain
from cli.text.game import refused_game


def chosen_rules(options: argparse.Namespace) -> Rules | None:
    """The rules that the flags describe; None, and a line of what to change, for others."""
    try:
        return described(options)
    except ValueError as problem:
        refuse(problem)
        return None


def refuse(problem: ValueError) -> Exit:
    """Say which flag describes no game, and why; the exit code for it."""
    option, why = refused_game(problem)
    flag = f"--{option.replace('_', '-')}: " if option else ""
    return complain(f"{flag}{why}")


def described(options: argparse.Namespace) -> Rules:
    """The rules that the flags describe; ValueError with a code for what is no game."""
    characters: tuple[str, ...] | None = options.characters
    uniques: tuple[str, ...] | None = options.uniques
    edition: str = options.edition
    if options.preset is not None:
        preset = PRESETS.get(options.preset)
        if preset is None:
            raise ValueError(f"unknown_preset:{options.preset}")
        edition = preset.edition
        characters = _over(preset, options.seats, characters)
        uniques = uniques or preset.uniques
    return Rules.make(
        edition,
        seats=options.seats,
        city=options.city,
        characters=characters,
        uniques=uniques,
        draft=options.draft,
        characters_each=options.characters_each,
        **chosen_readings(options),
    )


def is_usual(options: argparse.Namespace) -> bool:
    """Whether a command line of `play` says nothing of the game and who plays it."""
    from cli.line.parser import build

    usual, anywhere = (vars(build().parse_args((command,))) for command in ("play", "tables"))
    of_the_game = usual.keys() - anywhere.keys() - {"guided", "pace"}
    return all(getattr(options, key) == usual[key] for key in of_the_game)


def chosen_readings(options: argparse.Namespace) -> dict[str, str]:
    """Where the books differ: what the flags choose."""
    named = {name: getattr(options, name) for name in READINGS}
    return {name: value for name, value in named.items() if value is not None}


def _over(preset: Preset, seats: int, wanted: tuple[str, ...] | None) -> tuple[str, ...]:
    """The preset's characters, with those of `wanted` in place of others of the same rank."""
    if wanted is None:
        return preset.roster(seats)
    if RANDOM in wanted:
        return wanted
    box = EDITIONS[preset.edition]
    ranks = {rank_of(box, id) for id in wanted if id in box.cast}
    roster = preset.roster(seats, ninth=True if NINTH in wanted else None)
    return (*(id for id in roster if rank_of(box, id) not in ranks), *wanted)
