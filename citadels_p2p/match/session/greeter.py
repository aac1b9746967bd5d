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

People = Sequence[tuple[str, bytes]]
"""Persons by name, each with the key of its laptop: several may share one."""


class Greeter:
    """Remembers who sat at our tables, in our own folder."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._greeted: set[tuple[str, bytes]] = set()

    async def greet(self, others: People) -> tuple[Notice, ...]:
        """What our person has to know of these."""
        fresh = [one for one in others if one not in self._greeted]
        if not fresh:
            return ()
        self._greeted.update(fresh)
        return await asyncio.to_thread(self._meet, fresh)

    async def pin(self, others: People) -> tuple[Notice, ...]:
        """We have played a match with these: no stranger makes us forget them.

        Who came with a key that its name had not before is left out: its person was warned.
        """
        return await asyncio.to_thread(self._pin, others) if others else ()

    def _pin(self, others: People) -> tuple[Notice, ...]:
        try:
            known = Acquaintances(self._home)
            for name, key in others:
                if known.greet(name, key) != "changed":
                    known.pin(name, key)
        except Unavailable:
            return (Notice("not_remembered"),)
        return ()

    def _meet(self, others: People) -> tuple[Notice, ...]:
        try:
            # Read anew: another table of ours may have met people meanwhile.
            known = Acquaintances(self._home)
            changed = [name for name, key in others if known.greet(name, key) == "changed"]
        except Unavailable:
            return (Notice("not_remembered"),)
        return tuple(Notice("key_changed", {"name": name}) for name in changed)
