"""`citadels simulate` and `citadels bench`: what bots reach, and how fast this machine is."""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import sys
import time

from citadels_p2p import arena
from cli.commands.game import chosen_rules
from cli.exits import Exit
from cli.i18n import _, ngettext


def simulate(options: argparse.Namespace) -> int:
    """Play whole games between bots; the same seed gives the same digest."""
    rules = chosen_rules(options)
    if rules is None:
        return Exit.USAGE
    levels = tuple(options.levels[seat % len(options.levels)] for seat in range(rules.seats))
    wins, points, rounds = [0.0] * rules.seats, [0] * rules.seats, 0
    digests = hashlib.sha256()
    began = time.perf_counter()
    played = arena.simulate(rules, options.games, options.seed, levels, check=options.check)
    for result in played:
        for seat in result.winners:
            wins[seat] += 1 / len(result.winners)
        points = [sum(pair) for pair in zip(points, result.totals, strict=True)]
        rounds += result.rounds
        digests.update(result.digest)
    seconds = time.perf_counter() - began
    games = options.games
    if options.json:
        summary = {
            "edition": rules.edition,
            "seats": rules.seats,
            "city": rules.city,
            "levels": levels,
            "games": games,
            "seed": options.seed,
            "checked": options.check,
            "wins": [round(won, 3) for won in wins],
            "points": [round(total / games, 3) for total in points],
            "rounds": round(rounds / games, 3),
            "digest": digests.hexdigest(),
            "seconds": round(seconds, 3),
            "games_per_second": round(games / seconds, 1),
        }
        print(json.dumps(summary))
        return Exit.FINE
    print(
        ngettext(
            "{count} game in {seconds} s ({speed} a second), {rounds} rounds on average.",
            "{count} games in {seconds} s ({speed} a second), {rounds} rounds on average.",
            games,
        ).format(
            count=games,
            seconds=f"{seconds:.1f}",
            speed=f"{games / seconds:.0f}",
            rounds=f"{rounds / games:.1f}",
        )
    )
    for seat, level in enumerate(levels):
        print(
            _("Seat {number} ({level}): {share} % won, {points} points on average").format(
                number=seat + 1,
                level=level,
                share=f"{100 * wins[seat] / games:.1f}",
                points=f"{points[seat] / games:.1f}",
            )
        )
    print(_("Digest of all games: {digest}").format(digest=digests.hexdigest()))
    return Exit.FINE


def bench(options: argparse.Namespace) -> int:
    """Measure the engine and the sealed cards on this machine."""
    from citadels_p2p import bench as engine
    from protocol import bench as sealed

    print(_("Measuring; this takes about half a minute."), file=sys.stderr)
    games, cards = engine.measure(), sealed.measure()
    if options.json:
        shown = [*map(dataclasses.asdict, games), *map(dataclasses.asdict, cards)]
        print(json.dumps({"figures": shown}))
        return Exit.FINE
    row = "{:<22} {:>8}  {:<16}  {:>6}  {}"
    print(row.format(_("games a second"), _("median"), _("from, to"), "", ""))
    for speed in games:
        ends = f"{speed.low:.0f}, {speed.high:.0f}"
        print(row.format(speed.name, f"{speed.median:.0f}", ends, "", speed.note))
    print()
    print(row.format(_("milliseconds"), _("median"), _("from, to"), _("ratio"), ""))
    for cost in cards:
        ends = f"{_short(cost.low_ms)}, {_short(cost.high_ms)}"
        middle, ratio = _short(cost.median_ms), f"{cost.ratio:.2f}"
        print(row.format(cost.name, middle, ends, ratio, cost.note))
    return Exit.FINE


def _short(value: float) -> str:
    """Three digits that count, and no powers of ten."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
