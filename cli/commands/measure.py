"""`citadels simulate`: whole games between bots, and how often each seat wins.

With bots of several levels: which of them is better, and how sure that is.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import hashlib
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from citadels_p2p import arena
from citadels_p2p.bots import THINKERS
from citadels_p2p.cards import EDITIONS, READINGS
from citadels_p2p.contest import Bout, contest, standings
from citadels_p2p.rosters import fitting
from citadels_p2p.rules import Rules
from cli.commands.person import complain_about
from cli.commands.progress import ProgressLine
from cli.i18n import N_, _, counted, decimal, percent
from cli.line.arguments import ANY
from cli.line.exits import Exit, complain
from cli.line.game_options import chosen_rules, refuse
from cli.text.cards import level as level_name
from protocol.errors import Unavailable


@dataclass(slots=True)
class _Tally:
    """Sums over all games with this number of seats, and `games`: how many there were."""

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
        """The averages of one game."""
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
    if options.think is not None and THINKERS.isdisjoint(options.levels):
        complain(_("No bot of these levels thinks: --think changes nothing."))
    if options.bot_command is not None and (rules is None or options.check):
        return complain(
            _(
                "With --bot-command, choose one box and one number of players, "
                "and leave --check out."
            )
        )
    is_contest = options.bot_command is not None or len(set(options.levels)) > 1
    if rules is None or options.check or not is_contest:
        return _as_seated(options, rules)
    return versus(options, rules)


def _as_seated(options: argparse.Namespace, rules: Rules | None) -> int:
    """Games in which everybody keeps the seat; Ctrl-C tells what was played till then."""
    tallies: dict[int, _Tally] = {}
    digests, began, done = hashlib.sha256(), time.perf_counter(), 0
    code, line = Exit.FINE, ProgressLine()
    sheet = csv.writer(sys.stdout, lineterminator="\n") if options.csv else None
    if sheet is not None:
        sheet.writerow((*COLUMNS, *(("edition",) if rules is None else ())))
    try:
        for drawn, result in _played(options, rules):
            tallies.setdefault(drawn.seats, _Tally(drawn.seats)).add(result)
            digests.update(result.digest)
            done += 1
            if sheet is not None:
                levels = _levels(options, drawn.seats)
                further = (drawn.edition,) if rules is None else ()
                sheet.writerows((*row, *further) for row in _rows(result, levels))
            line.show(
                partial(_("{done} of {games} games").format, done=done, games=options.games)
            )
    except KeyboardInterrupt:
        if not done:
            raise
        code = Exit.INTERRUPTED
    except AssertionError as fault:
        if not options.check:
            raise
        line.clear()
        where = " ".join(getattr(fault, "__notes__", ()))
        said = _("The engine breaks a rule, by seed {seed} {where}: {fault}.")
        complain(said.format(seed=options.seed, where=where, fault=fault))
        return Exit.BUG
    finally:
        line.clear()
    if sheet is None:
        seconds = time.perf_counter() - began
        rows = [tallies[seats] for seats in sorted(tallies)]
        _tell(options, rules, rows, done, seconds, digests.hexdigest())
    return code


#: what stands in every table of games: one row for each seat of each
COLUMNS = ("game", "seat", "level", "points", "won", "rounds")


def _rows(result: arena.Result | Bout, levels: Sequence[str]) -> Iterator[tuple[object, ...]]:
    """A game's rows of the table; a tie is won in parts."""
    for seat, level in enumerate(levels):
        won = (seat in result.winners) / len(result.winners)
        yield result.game, seat + 1, level, result.totals[seat], won, result.rounds


def _tell(
    options: argparse.Namespace,
    rules: Rules | None,
    rows: list[_Tally],
    games: int,
    seconds: float,
    digest: str,
) -> None:
    speed = games / seconds
    if options.json:
        clocked = {
            "digest": digest,
            "seconds": round(seconds, 3),
            "games_per_second": round(speed, 1),
        }
        print(json.dumps(_summary(options, rules, rows, games) | clocked))
        return
    print(
        counted(
            "{count} game in {seconds} s ({speed} a second).",
            "{count} games in {seconds} s ({speed} a second).",
            count=games,
            seconds=decimal(seconds),
            speed=f"{speed:.0f}" if speed >= 10 else f"{speed:.2g}",
        )
    )
    for row in rows:
        _print_means(row)
        if rules is not None:
            _print_seats(row, _levels(options, row.seats))
    print(_("Digest of all games: {digest}").format(digest=digest))


def _print_means(row: _Tally) -> None:
    means = row.means()
    print(
        counted(
            "{seats} seats, {count} game: {points} points win, {rounds} rounds on average",
            "{seats} seats, {count} games: {points} points win, {rounds} rounds on average",
            count=row.games,
            seats=row.seats,
            points=decimal(means["winning_points"]),
            rounds=decimal(means["rounds"]),
        )
    )


def _print_seats(row: _Tally, levels: tuple[str, ...]) -> None:
    for seat, level in enumerate(levels):
        said = _("Seat {number} ({level}): {share}% won, {points} points on average")
        share, points = _percent(row.wins[seat] / row.games), row.points[seat] / row.games
        named = level_name(level)
        print(said.format(number=seat + 1, level=named, share=share, points=decimal(points)))


def _may_draw(options: argparse.Namespace) -> bool:
    """Can rules be drawn for these flags? Else a line says what to change."""
    fixed = ("preset", "city", "characters", "uniques", "characters_each", *READINGS)
    why = ""
    if options.draft != "pass" or any(getattr(options, name) is not None for name in fixed):
        why = _("With any box or any number of players, the rest is drawn too: leave it out.")
    elif not fitting(*_range(options)):
        why = _("No edition takes so many players.")
    if why:
        complain(why)
    return not why


def _range(options: argparse.Namespace) -> tuple[tuple[str, ...], int | None]:
    """Of which boxes, and for how many seats, rules are drawn; None: any number."""
    editions = tuple(EDITIONS) if options.edition == ANY else (options.edition,)
    return editions, None if options.seats == ANY else options.seats


def _played(
    options: argparse.Namespace, rules: Rules | None
) -> Iterator[tuple[Rules, arena.Result]]:
    """Every game's rules and result; with `rules` None they are drawn."""
    games, seed, levels = options.games, options.seed, options.levels
    how = {"check": options.check, "think": options.think, "jobs": options.jobs}
    how["first"] = options.first
    if rules is not None:
        for result in arena.simulate(rules, games, seed, levels, **how):
            yield rules, result
        return
    editions, seats = _range(options)
    yield from arena.simulate_any(games, seed, levels, editions=editions, seats=seats, **how)


def _summary(
    options: argparse.Namespace, rules: Rules | None, rows: list[_Tally], games: int
) -> dict[str, object]:
    """For programs; seat by seat only where all games have the same seats."""
    shared: dict[str, object] = {
        "edition": options.edition if rules is None else rules.edition,
        "seats": options.seats,
        "games": games,
        "seed": options.seed,
        "checked": options.check,
        "think": options.think,
    }
    if rules is None:
        by_seats = {str(row.seats): {"games": row.games, **row.means()} for row in rows}
        return {**shared, "levels": options.levels, "by_seats": by_seats}
    (row,) = rows
    return {
        **shared,
        "city": rules.city,
        "levels": _levels(options, row.seats),
        "wins": [round(won, 3) for won in row.wins],
        "points": [round(total / row.games, 3) for total in row.points],
        **row.means(),
    }


def _levels(options: argparse.Namespace, seats: int) -> tuple[str, ...]:
    return tuple(options.levels[seat % len(options.levels)] for seat in range(seats))


#: a program that has failed in so many games is not tried any longer
FAILURES = 10

#: why a program was given up; as the notices of a table have it
WHY = {
    "bot_ended": N_("your program has ended"),
    "bot_silent": N_("your program does not answer"),
    "bot_wrong": N_("your program keeps answering what is no answer"),
}


def versus(options: argparse.Namespace, rules: Rules) -> int:
    """Play every deal from every seat, and say which level wins how often.

    Ctrl-C ends it; the games played so far are reported all the same.
    """
    play = contest
    if options.bot_command is not None:
        from cli.client.contestant import trials
        from cli.client.external_bot import split_command

        try:
            command = split_command(options.bot_command)
        except ValueError as problem:
            return refuse(problem)
        play = partial(trials, command=command, patience=options.bot_time)
    given = rules, options.games, options.seed, options.levels, options.think, options.jobs
    played: list[Bout] = []
    failed = 0
    code, line = Exit.FINE, ProgressLine()
    try:
        for bout in play(*given, options.first):
            played.append(bout)
            if bout.failure:
                code, failed = Exit.BUG, failed + 1
                line.clear()
                complain(_failure(options, bout))
                if failed == FAILURES:
                    complain(_("That is often enough: no more games are played."))
                    break
            line.show(lambda: _progress(played, options.games))
    except KeyboardInterrupt:
        if not played:
            raise
        code = Exit.INTERRUPTED
    except Unavailable as problem:  # the program does not start
        return complain_about(problem)
    finally:
        line.clear()
    _tell_standings(options, rules, played)
    return code


def _failure(options: argparse.Namespace, bout: Bout) -> str:
    """What became of the program in this game, and how to see it again."""
    return _(
        "Game {game}: {why}, and has lost. To see it again, add --seed {seed} --first {game} "
        "--games 1"
    ).format(game=bout.game, why=_(WHY[bout.failure]), seed=options.seed)


def _tell_standings(options: argparse.Namespace, rules: Rules, played: list[Bout]) -> None:
    if options.csv:
        _write(played)
        return
    rows = standings(played)
    seconds = sum(bout.seconds for bout in played)
    if options.json:
        shared = {
            "edition": rules.edition,
            "seats": rules.seats,
            "city": rules.city,
            "games": len(played),
            "seed": options.seed,
            "levels": played[0].levels,
            "digest": hashlib.sha256(b"".join(bout.digest for bout in played)).hexdigest(),
            "think": options.think,
            "rounds": round(sum(bout.rounds for bout in played) / len(played), 3),
            "seconds": round(seconds, 3),
        }
        found = [
            {key: round(value, 4) if isinstance(value, float) else value for key, value in row}
            for row in (dataclasses.asdict(row).items() for row in rows)
        ]
        lost = [{"game": bout.game, "why": bout.failure} for bout in played if bout.failure]
        print(json.dumps({**shared, "standings": found, "failures": lost}))
        return
    print(
        counted(
            "{count} game in {seconds} s, each deal played from every seat.",
            "{count} games in {seconds} s, each deal played from every seat.",
            count=len(played),
            seconds=decimal(seconds),
        )
    )
    said = _(
        "{level}: {won}% won (95%: {low} to {high}; fair share {fair}), {points} "
        "points on average"
    )
    for row in rows:
        shares = {key: _percent(getattr(row, key)) for key in ("won", "low", "high", "fair")}
        print(said.format(level=level_name(row.level), points=decimal(row.points), **shares))
    for row in rows:
        if row.slowest:
            said = _("{level}: no decision took more than {seconds} s of the processor")
            print(said.format(level=level_name(row.level), seconds=decimal(row.slowest, 3)))


def _percent(share: float) -> str:
    return decimal(100 * share)


def _progress(played: Sequence[Bout], games: int) -> str:
    """How far it is, and which level wins how often till now."""
    line = _("{done} of {games} games").format(done=len(played), games=games)
    shares = (
        f"{level_name(row.level)} {percent(_percent(row.won))}" for row in standings(played)
    )
    return " · ".join((line, *shares))


def _write(played: Iterable[Bout]) -> None:
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow((*COLUMNS, "seconds", "slowest"))
    for bout in played:
        for row, slowest in zip(_rows(bout, bout.levels), bout.slowest, strict=True):
            out.writerow((*row, round(bout.seconds, 3), round(slowest, 3)))
