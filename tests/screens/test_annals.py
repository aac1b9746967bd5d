"""What a large table remembers of each seat is what everybody has seen of it."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict

import pytest

from citadels_p2p.match.acts import Answer
from citadels_p2p.match.news import Ask, EventNews
from cli.screen.screen import Screen
from cli.text import cards
from tests.screens.robot import painted, table, text

SIZE = (200, 50)

Held = dict[tuple[int, int], list[str]]  #: round and seat → the characters it answered for


def in_round(number: int, seats: int) -> tuple[Screen, Held]:
    """A table at the first turn of a round, and whom everybody has been so far."""

    async def play() -> tuple[Screen, Held]:
        screen, session, held = (
            Screen(),
            table(seats, 5),
            defaultdict[tuple[int, int], list[str]](list),
        )
        round_ = 0
        while True:
            screen.hear(news := await session.next(), 0.0)
            screen.model.recap = None
            if isinstance(news, EventNews):
                fields = news.event.fields()
                round_ += news.event.kind == "round_begins"
                if news.event.kind == "rank_called" and fields["seat"] is not None:
                    held[round_, int(str(fields["seat"]))].append(str(fields["character"]))
            if not isinstance(news, Ask):
                continue
            if round_ >= number and news.kind == "act":
                return screen, held
            picks = tuple(
                one.id for one in news.options[: news.low if news.low is not None else 1]
            )
            screen.model.answered(news, picks)
            await session.do(Answer(news.id, picks))

    return asyncio.run(play())


def test_beside_the_menu_stands_who_was_whom() -> None:
    screen, held = in_round(4, 7)
    told = text(painted(screen, *SIZE)).splitlines()
    first = next(n for n, line in enumerate(told) if "Last rounds" in line)
    assert re.search(r"Last rounds .* 1 .* 2 .* 3 ", told[first])
    for seat, line in enumerate(told[first + 1 : first + 8]):
        name = "you" if not seat else f"Bot {seat}"
        assert line.strip().startswith(f"{name} ")
        for number in (1, 2, 3):
            for role in held[number, seat]:
                assert cards.character(role) in line


def test_a_broad_sky_says_whom_a_seat_has_been() -> None:
    screen, held = in_round(4, 4)
    told = text(painted(screen, *SIZE)).splitlines()
    found = [part for line in told for part in re.findall(r"Last rounds: (.*?)(?:   |$)", line)]
    assert len(found) == 4
    for seat, names in enumerate(found):
        known = [held[number, seat] for number in (1, 2, 3)]
        whole = ", ".join(" + ".join(map(cards.character, one)) for one in known)
        if all(known):  # the murdered have answered nobody
            assert whole.startswith(names.rstrip())


@pytest.mark.parametrize("seats", [4, 7])
def test_what_nobody_has_seen_is_not_told(seats: int) -> None:
    screen, _held = in_round(1, seats)
    assert "Last rounds" not in text(painted(screen, *SIZE))
