"""Every kind of liar that a table may have, and where it sits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from protocol.application import Application
from protocol.identity.keys import Identity
from tests.simulation.laptop import Laptop
from tests.simulation.liar import Liar
from tests.simulation.lying_guests import FalseWitness, Leaper, Misjudge, Twister
from tests.simulation.lying_hosts import (
    Accuser,
    Censor,
    Confirmer,
    Favourer,
    Forger,
    Lawbreaker,
    OldAccuser,
    Refuser,
    TwoHistories,
    Vetoer,
    Withholder,
)
from tests.simulation.lying_programs import PROGRAMS, LyingProgram

Plant = Callable[[Laptop[Application], Identity, int], Liar | LyingProgram]


@dataclass(frozen=True)
class Kind:
    """One way to lie.

    `seat`: "host" or "guest", where only the one can lie so. `game`: where it can be told in
    one only. `exposed`: the lie is signed, and whoever was lied to can prove it to the others;
    else no bytes show it, the liar is suspected at most, and the others play on. `absence`:
    only while somebody else is gone. `drags`: it lawfully lets everybody wait for each entry.
    """

    plant: Plant
    seat: str = ""
    game: str = ""
    exposed: bool = True
    absence: bool = False
    drags: bool = False


def _program(name: str) -> Plant:
    return lambda laptop, _, since: PROGRAMS[name](laptop, since)


LIARS: dict[str, Kind] = {
    "two histories": Kind(TwoHistories, seat="host"),
    "forger": Kind(Forger, seat="host"),
    "censor": Kind(Censor, seat="host", exposed=False),
    "confirmer": Kind(Confirmer, seat="host", exposed=False),
    "refuser": Kind(Refuser, seat="host"),
    "vetoer": Kind(Vetoer, seat="host"),
    "favourer": Kind(Favourer, seat="host", exposed=False, drags=True),
    "withholder": Kind(Withholder, seat="host", exposed=False),
    "lawbreaker": Kind(Lawbreaker, seat="host"),
    "accuser": Kind(Accuser, seat="host"),
    "old accuser": Kind(OldAccuser, seat="host"),
    "false witness": Kind(FalseWitness, seat="guest", exposed=False),
    "twister": Kind(Twister, seat="guest"),
    "leaper": Kind(Leaper, exposed=False),
    "misjudge": Kind(Misjudge, exposed=False),
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
