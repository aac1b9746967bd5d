"""Shell: one match of a contest, in which a program of somebody's own has a seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from citadels_p2p import rules
from citadels_p2p.bots import Bot, make_bot
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.game import resume
from citadels_p2p.match.acts import Act, HandOver
from citadels_p2p.match.news import BotName
from citadels_p2p.match.operator.persons import Persons
from citadels_p2p.match.session.solo import Practice
from citadels_p2p.rules import Rules
from citadels_p2p.rules.state import State

if TYPE_CHECKING:
    from random import Random


class Trial(Practice):
    """A `Session` for the one seat that has no brain, until it is handed over to a bot."""

    def __init__(self, chosen: Rules, brains: Mapping[int, Bot], random: Random) -> None:
        numbers = range(1, chosen.seats + 1)
        super().__init__(
            resume(rules.new(chosen), OpenDealer(random)),
            brains=brains,
            names=[BotName(number) for number in numbers],
            levels=["" for _ in numbers],
        )

    @property
    def state(self) -> State:
        """The match as it stands."""
        return self._game.state

    async def do(self, act: Act) -> None:
        """As at a table, a bot may take the seat over."""
        if not isinstance(act, HandOver):
            await super().do(act)
            return
        is_asked, self._ask = self._ask is not None, None
        for seat in self._persons.seats:
            self._brains[seat] = make_bot(act.level)
        self._persons = Persons((), self._names)
        if is_asked:  # whoever listens waits for what comes of it
            await self._until_told()
