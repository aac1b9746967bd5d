"""`citadels simulate`: what bots reach."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from citadels_p2p import arena
from citadels_p2p.cards import EDITIONS, READINGS
from citadels_p2p.rosters import fitting
from citadels_p2p.rules import Rules
from cli.arguments import ANY
from cli.commands.contest import versus
from cli.commands.game import chosen_rules
from cli.exits import Exit
from cli.i18n import _, ngettext
from cli.text.game import refused_game


@dataclass(slots=True)
class _Tally:
    """What games with so many seats came to; sums, but for `games`."""

    seats: int
    games: int = 0
    rounds: int = 0
    winning: int = 0
    wins: list[float] = field(default_factory=list)
    points: list[int] = field(default_factory=list)

    def add(self, result: arena.Result) -> None:
        if not self.games:
            self.wins, self.points = [0.0] * self.seats, [0] * self.seats
        self.games += 1
        self.rounds += result.rounds
        self.winning += max(result.totals)
        self.points = [sum(pair) for pair in zip(self.points, result.totals, strict=True)]
        for seat in result.winners:
            self.wins[seat] += 1 / len(result.winners)

    def means(self) -> dict[str, float]:
        """Of one game."""
        return {
            "winning_points": round(self.winning / self.games, 3),
            "rounds": round(self.rounds / self.games, 3),
        }


def simulate(options: argparse.Namespace) -> int:
    """Play whole games between bots; the same seed gives the same digest."""
    drawn = ANY in (options.edition, options.seats)
    rules = None if drawn else chosen_rules(options)
    if not (_may_draw(options) if drawn else rules):
        return Exit.USAGE
    if rules is not None and len(set(options.levels)) > 1 and not options.check:
        return versus(options, rules)
    tallies: dict[int, _Tally] = {}
    digests, began = hashlib.sha256(), time.perf_counter()
    for seats, result in _played(options, rules):
        tallies.setdefault(seats, _Tally(seats)).add(result)
        digests.update(result.digest)
    seconds = time.perf_counter() - began
    rows = [tallies[seats] for seats in sorted(tallies)]
    if options.json:
        speed = {
            "digest": digests.hexdigest(),
            "seconds": round(seconds, 3),
            "games_per_second": round(options.games / seconds, 1),
        }
        print(json.dumps(_summary(options, rules, rows) | speed))
        return Exit.FINE
    print(
        ngettext(
            "{count} game in {seconds} s ({speed} a second).",
            "{count} games in {seconds} s ({speed} a second).",
            options.games,
        ).format(
            count=options.games,
            seconds=f"{seconds:.1f}",
            speed=f"{options.games / seconds:.0f}",
        )
    )
    for row in rows:
        _print_means(row)
        if not drawn:
            _print_seats(row, _levels(options, row))
    print(_("Digest of all games: {digest}").format(digest=digests.hexdigest()))
    return Exit.FINE


def _print_means(row: _Tally) -> None:
    means = row.means()
    print(
        ngettext(
            "{seats} seats, {count} game: {points} points win, {rounds} rounds on average",
            "{seats} seats, {count} games: {points} points win, {rounds} rounds on average",
            row.games,
        ).format(
            seats=row.seats,
            count=row.games,
            points=f"{means['winning_points']:.1f}",
            rounds=f"{means['rounds']:.1f}",
        )
    )


def _print_seats(row: _Tally, levels: tuple[str, ...]) -> None:
    for seat, level in enumerate(levels):
        print(
            _("Seat {number} ({level}): {share} % won, {points} points on average").format(
                number=seat + 1,
                level=level,
                share=f"{100 * row.wins[seat] / row.games:.1f}",
                points=f"{row.points[seat] / row.games:.1f}",
            )
        )


def _may_draw(options: argparse.Namespace) -> bool:
    """Can rules be drawn for these flags? Else a line says what to change."""
    fixed = ("preset", "city", "characters", "uniques", "characters_each", *READINGS)
    why = ""
    if options.draft != "pass" or any(getattr(options, name) is not None for name in fixed):
        why = _("With any box or any number of players, the rest is drawn too: leave it out.")
    elif not fitting(*_range(options)):
        why = refused_game(ValueError("seats_out_of_range"))[1]
    if why:
        print(f"citadels: {why}", file=sys.stderr)
    return not why


def _range(options: argparse.Namespace) -> tuple[tuple[str, ...], int | None]:
    """Of which boxes, and for how many seats, rules are drawn; None: any number."""
    editions = tuple(EDITIONS) if options.edition == ANY else (options.edition,)
    return editions, None if options.seats == ANY else options.seats


def _played(
    options: argparse.Namespace, rules: Rules | None
) -> Iterator[tuple[int, arena.Result]]:
    """Every game's number of seats and result; with `rules` None they are drawn."""
    games, seed, levels, check = options.games, options.seed, options.levels, options.check
    if rules is not None:
        for result in arena.simulate(
            rules, games, seed, levels, check=check, jobs=options.jobs
        ):
            yield rules.seats, result
        return
    editions, seats = _range(options)
    for drawn, result in arena.simulate_any(
        games, seed, levels, editions=editions, seats=seats, check=check, jobs=options.jobs
    ):
        yield drawn.seats, result


def _summary(
    options: argparse.Namespace, rules: Rules | None, rows: list[_Tally]
) -> dict[str, object]:
    """For programs; seat by seat only where all games have the same seats."""
    shared: dict[str, object] = {
        "edition": options.edition if rules is None else rules.edition,
        "seats": options.seats,
        "games": options.games,
        "seed": options.seed,
        "checked": options.check,
    }
    if rules is None:
        by_seats = {str(row.seats): {"games": row.games, **row.means()} for row in rows}
        return {**shared, "levels": options.levels, "by_seats": by_seats}
    (row,) = rows
    return {
        **shared,
        "city": rules.city,
        "levels": _levels(options, row),
        "wins": [round(won, 3) for won in row.wins],
        "points": [round(total / row.games, 3) for total in row.points],
        **row.means(),
    }


def _levels(options: argparse.Namespace, row: _Tally) -> tuple[str, ...]:
    return tuple(options.levels[seat % len(options.levels)] for seat in range(row.seats))
