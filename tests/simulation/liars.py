"""Every kind of liar that a table may have, and where it sits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from protocol.application import Application
from protocol.identity import Identity
from tests.simulation.laptop import Laptop
from tests.simulation.liar import Liar
from tests.simulation.lying_guests import Misjudge, Twister
from tests.simulation.lying_hosts import (
    Accuser,
    Censor,
    Confirmer,
    Forger,
    Lawbreaker,
    Refuser,
    TwoHistories,
)
from tests.simulation.lying_programs import PROGRAMS, LyingProgram

Plant = Callable[[Laptop[Application], Identity, int], Liar | LyingProgram]


@dataclass(frozen=True)
class Kind:
    """One way to lie.

    `seat`: "host" or "guest", where only the one can lie so. `game`: where it can be told in
    one only. `transferable`: who was lied to can prove it to the others, for it was signed; an
    entry left out and a majority that is none are not, and the others learn only that the table
    was stopped. `absence`: only while somebody else is gone.
    """

    plant: Plant
    seat: str = ""
    game: str = ""
    transferable: bool = True
    absence: bool = False


def _program(name: str) -> Plant:
    return lambda laptop, _, since: PROGRAMS[name](laptop, since)


LIARS: dict[str, Kind] = {
    "two histories": Kind(TwoHistories, seat="host"),
    "forger": Kind(Forger, seat="host"),
    "censor": Kind(Censor, seat="host", transferable=False),
    "confirmer": Kind(Confirmer, seat="host", transferable=False),
    "refuser": Kind(Refuser, seat="host"),
    "lawbreaker": Kind(Lawbreaker, seat="host"),
    "accuser": Kind(Accuser, seat="host"),
    "twister": Kind(Twister, seat="guest"),
    "misjudge": Kind(Misjudge),
    **{
        name: Kind(
            _program(name), game="citadels", absence=name in ("false part", "false veil")
        )
        for name in PROGRAMS
    },
}


def liars_of(game: str) -> list[str]:
    """The names of those that can be at a table of this game."""
    return sorted(name for name, kind in LIARS.items() if kind.game in ("", game))
