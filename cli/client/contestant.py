"""Shell: a program of somebody's own in a contest: `citadels simulate --bot-command`.

It plays as at a table (`external_bot.py`), one process for each match. Where it fails, a bot
plays on, and the match is lost.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from functools import partial

from citadels_p2p.bots import make_bot
from citadels_p2p.contest import PROGRAM, Bout, Timed, dealt, result_of
from citadels_p2p.exits import Exit
from citadels_p2p.match import Bye, Leave, Notice, OverNews, Session
from citadels_p2p.match.session.solo import Trial
from citadels_p2p.rules import Rules
from citadels_p2p.workers import Workers, spread
from cli.client.external_bot import seat_program


def trials(
    rules: Rules,
    games: int,
    seed: int,
    levels: Sequence[str],
    think: float | None = None,
    jobs: Workers = 1,
    first: int = 0,
    *,
    command: Sequence[str],
    patience: float,
) -> Iterator[Bout]:
    """As `contest`, with one seat for the program and the `levels` dealt to the others.

    `patience`: seconds for a decision of the program. Raises `Unavailable("bot_command")` where
    it does not start, and ValueError for an unknown level.
    """
    for level in levels:
        make_bot(level)
    others = (levels[seat % len(levels)] for seat in range(rules.seats - 1))
    play = partial(_bout, rules, (PROGRAM, *others), seed, think, tuple(command), patience)
    yield from spread(play, range(first, first + games), jobs)


def _bout(
    rules: Rules,
    people: tuple[str, ...],
    seed: int,
    think: float | None,
    command: tuple[str, ...],
    patience: float,
    game: int,
) -> Bout:
    seated, random = dealt(rules, people, seed, game)
    bots = {
        seat: Timed(make_bot(level, think, time.thread_time))
        for seat, level in enumerate(seated)
        if level != PROGRAM
    }
    began = time.perf_counter()
    match = Trial(rules, bots, random)
    failure = asyncio.run(_play(match, command, patience))
    seconds = time.perf_counter() - began
    slowest = [bots[seat].slowest if seat in bots else 0.0 for seat in range(rules.seats)]
    return result_of(game, seated, match.state, seconds, slowest, failure)


async def _play(match: Session, command: tuple[str, ...], patience: float) -> str:
    """The match to its end; why the program was given up, or ""."""

    async def opening() -> Session:
        return match

    bot = await seat_program(command, opening, patience=patience)
    failure, is_over = "", False
    try:
        while True:
            match await bot.next():
                case Notice(code) if not is_over:
                    failure = code
                case OverNews():
                    is_over = True
                    await bot.do(Leave())
                case Bye(Exit.FINE):
                    return failure
                case Bye(reason=reason):
                    raise RuntimeError(reason)
    finally:
        await bot.close()
