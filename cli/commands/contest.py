"""`citadels simulate` with bots of several levels: who is better, and how sure that is."""

from __future__ import annotations

import argparse
import csv
import dataclasses
import hashlib
import json
import sys
from collections.abc import Iterable, Sequence
from functools import partial

from citadels_p2p.contest import Bout, contest, standings
from citadels_p2p.rules import Rules
from cli.commands.person import complain_about
from cli.commands.progress import ProgressLine
from cli.i18n import N_, _, ngettext
from cli.line.exits import Exit, complain
from cli.line.game_options import refuse
from cli.text.cards import level as level_name
from protocol.errors import Unavailable

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
    _tell(options, rules, played)
    return code


def _failure(options: argparse.Namespace, bout: Bout) -> str:
    """What became of the program in this game, and how to see it again."""
    return _(
        "Game {game}: {why}, and has lost. To see it again, add --seed {seed} --first {game} "
        "--games 1"
    ).format(game=bout.game, why=_(WHY[bout.failure]), seed=options.seed)


def _tell(options: argparse.Namespace, rules: Rules, played: list[Bout]) -> None:
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
        ngettext(
            "{count} game in {seconds} s, each deal played from every seat.",
            "{count} games in {seconds} s, each deal played from every seat.",
            len(played),
        ).format(count=len(played), seconds=f"{seconds:.1f}")
    )
    for row in rows:
        print(
            _(
                "{level}: {won} % won (95 %: {low} to {high}; fair share {fair}), {points} "
                "points on average"
            ).format(
                level=level_name(row.level),
                won=_percent(row.won),
                low=_percent(row.low),
                high=_percent(row.high),
                fair=_percent(row.fair),
                points=f"{row.points:.1f}",
            )
        )
    for row in rows:
        if row.slowest:
            print(
                _("{level}: no decision took more than {seconds} s of the processor").format(
                    level=level_name(row.level), seconds=f"{row.slowest:.3f}"
                )
            )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _progress(played: Sequence[Bout], games: int) -> str:
    """How far it is, and which level wins how often till now."""
    line = _("{done} of {games} games").format(done=len(played), games=games)
    shares = (f"{level_name(row.level)} {_percent(row.won)} %" for row in standings(played))
    return " · ".join((line, *shares))


def _write(played: Iterable[Bout]) -> None:
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(("game", "seat", "level", "points", "won", "rounds", "seconds", "slowest"))
    for bout in played:
        for seat, level in enumerate(bout.levels):
            won = (seat in bout.winners) / len(bout.winners)
            row = (bout.game, seat + 1, level, bout.totals[seat], won, bout.rounds)
            out.writerow((*row, round(bout.seconds, 3), round(bout.slowest[seat], 3)))
