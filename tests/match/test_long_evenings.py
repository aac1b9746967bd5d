"""Matches in a row, by one program: what is held after the last is what the first left."""

from __future__ import annotations

import asyncio
import gc
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, product
from pathlib import Path

from citadels_p2p.cards import CHARACTERS
from citadels_p2p.match.news import OverNews
from citadels_p2p.rules import Rules
from citadels_p2p.rules.effects import tables_of
from citadels_p2p.rules.rule_tables import RuleTables
from tests.match import laptops
from tests.match.laptops import played
from tests.protocol.census import COMING_AND_GOING, Census, settled_census
from tests.protocol.tiny_group import TinyGroup

MATCHES = 3
SHARED = "citadels_p2p.rules.moves.Move"
"""Equal moves are one object, in a list by slot for each verb and seat, and 8192 others."""


def test_matches_in_a_row_leave_what_one_leaves(tmp_path: Path) -> None:
    async def evening() -> list[Census]:
        counted = []
        # A pool grows to its size once, whoever asks for its threads.
        pool = ThreadPoolExecutor(1)
        asyncio.get_running_loop().set_default_executor(pool)
        for number in range(MATCHES + 1):
            homes = [tmp_path / f"{number}" / name for name in ("anna", "bert")]
            makers = [played("easy", group=TinyGroup())] * 2
            listeners = await laptops.play(homes, bots=1, makers=makers)
            assert len({one.last(OverNews).digest for one in listeners}) == 1
            del listeners
            await asyncio.sleep(0.1)  # what was closed is gone
            counted.append(await settled_census())
        return counted

    first, *_, last = asyncio.run(evening())
    more = last.growth(first)
    moves = more.pop(SHARED, 0)
    if more.get("places", 0) <= moves + COMING_AND_GOING:
        more.pop("places", None)  # each of them has one
    assert more == {}


def test_the_rules_of_matches_long_over_are_not_kept() -> None:
    """Each match whose characters chance chooses has rules of its own."""
    ranks = [
        [one.id for one in CHARACTERS.values() if one.rank == rank] for rank in range(1, 9)
    ]
    for characters in islice(product(*ranks), 200):
        tables_of(Rules.make("2016", 4, characters=list(characters)))
    gc.collect()
    assert sum(type(one) is RuleTables for one in gc.get_objects()) < 100
