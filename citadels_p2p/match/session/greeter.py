"""Shell: whoever comes under a name that another key had is told of, once a table.

A name is only a name, so a known one with a new key is a warning: it may be a friend with a new
laptop, or somebody else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from citadels_p2p.match.news import Notice
from protocol.errors import Unavailable
from protocol.identity.acquaintances import Acquaintances
from protocol.roster import Operator


class Greeter:
    """Remembers who sat at our tables, in our own folder."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._greeted: set[tuple[str, bytes]] = set()

    async def greet(self, operators: Sequence[Operator], me: int | None) -> tuple[Notice, ...]:
        """What a person has to know of these; `me` is our own index among them."""
        others = [
            operator
            for index, operator in enumerate(operators)
            if index != me and (operator.name, operator.identity) not in self._greeted
        ]
        if not others:
            return ()
        self._greeted |= {(operator.name, operator.identity) for operator in others}
        return await asyncio.to_thread(self._meet, others)

    async def pin(self, operators: Sequence[Operator], me: int | None) -> tuple[Notice, ...]:
        """We have played a match with these: no stranger makes us forget them.

        Who came with a key that its name had not before is left out: its person was warned.
        """
        others = [operator for index, operator in enumerate(operators) if index != me]
        return await asyncio.to_thread(self._pin, others) if others else ()

    def _pin(self, others: Sequence[Operator]) -> tuple[Notice, ...]:
        try:
            known = Acquaintances(self._home)
            for operator in others:
                if known.greet(operator.name, operator.identity) != "changed":
                    known.pin(operator.name, operator.identity)
        except Unavailable:
            return (Notice("not_remembered"),)
        return ()

    def _meet(self, others: Sequence[Operator]) -> tuple[Notice, ...]:
        try:
            # Read anew: another table of ours may have met people meanwhile.
            known = Acquaintances(self._home)
            changed = [
                operator.name
                for operator in others
                if known.greet(operator.name, operator.identity) == "changed"
            ]
        except Unavailable:
            return (Notice("not_remembered"),)
        return tuple(Notice("key_changed", {"name": name}) for name in changed)
