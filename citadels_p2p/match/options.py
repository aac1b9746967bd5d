"""What a table has agreed to, as the genesis entry carries it: canonical bytes and back.

The rules of the game, and how long the table waits for whom.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from citadels_p2p.rules import Rules
from protocol.cards.escrow import MODES, USUAL
from protocol.errors import IllegalEntry

LONGEST = 86_400
"""Seconds: whoever wants to wait longer than a day closes the match and resumes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Liveness:
    """How long the table waits.

    `away`: after so many seconds without a word an operator is away. `give_up`: after so many
    it has left for good, 0 for never. `step_time`: a person who
    has not decided after so many seconds is decided for at random, 0 for never. `escrow`: how
    many operators stand in for one that is away, "usual", "strict" (none: the match waits) or
    "relaxed" (see `protocol.cards.escrow`).
    """

    away: int = 20
    give_up: int = 0
    step_time: int = 0
    escrow: str = USUAL

    def __post_init__(self) -> None:
        """ValueError with a code for what no table can agree to."""
        for name, least in (("away", 1), ("give_up", 0), ("step_time", 0)):
            if not least <= getattr(self, name) <= LONGEST:
                raise ValueError(f"{name}_out_of_range")
        if self.escrow not in MODES:
            raise ValueError("unknown_escrow")

    def to_options(self) -> dict[str, object]:
        """Plain values; what is as usual is left out."""
        usual = Liveness()
        chosen = {key: getattr(self, key) for key in LIVENESS}
        return {key: value for key, value in chosen.items() if value != getattr(usual, key)}


LIVENESS = ("away", "escrow", "give_up", "step_time")
"""The names of what a table may wait for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOptions:
    """A table as its host opens it.

    `name` is the table's. `bots`: the level of each seat that a bot plays; `no_seat`: the host
    plays none itself. `autostart`: the match begins as soon as everybody is here and agrees.
    `spectators`: whoever comes may look on, so many at once as there are `places` (None: as
    usual). `port` 0: the usual one, or any where that is taken.
    """

    name: str
    rules: Rules
    bots: Sequence[str] = ()
    no_seat: bool = False
    autostart: bool = False
    spectators: bool = False
    places: int | None = None
    port: int = 0
    liveness: Liveness = Liveness()


def pack_options(chosen: Rules, liveness: Liveness | None = None) -> bytes:
    """The canonical bytes of a table's options: one line of JSON, keys sorted."""
    options = {**chosen.to_options(), **(liveness or Liveness()).to_options()}
    return json.dumps(options, sort_keys=True, separators=(",", ":")).encode()


def unpack_options(options: bytes) -> Rules:
    """The rules of a table; raises `IllegalEntry` for anything that is none."""
    return _unpack(options)[0]


def unpack_liveness(options: bytes) -> Liveness:
    """How long a table waits; raises `IllegalEntry` for anything that says nothing of it."""
    return _unpack(options)[1]


def _unpack(options: bytes) -> tuple[Rules, Liveness]:
    try:
        raw = json.loads(options)
        chosen = Rules.from_options({k: v for k, v in raw.items() if k not in LIVENESS})
        liveness = liveness_of({k: v for k, v in raw.items() if k in LIVENESS})
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
        raise IllegalEntry(f"options: {type(problem).__name__}") from None
    if pack_options(chosen, liveness) != options:
        raise IllegalEntry("options: not canonical")
    return chosen, liveness


def liveness_of(raw: Mapping[str, object]) -> Liveness:
    """How long a table waits, from plain values; what is left out is as usual.

    ValueError with a code for what no table can agree to.
    """
    usual, seconds = Liveness(), {}
    for key in ("away", "give_up", "step_time"):
        value = raw.get(key, getattr(usual, key))
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"{key}_out_of_range")
        seconds[key] = value
    escrow = raw.get("escrow", usual.escrow)
    if not isinstance(escrow, str):
        raise ValueError("unknown_escrow")
    return Liveness(**seconds, escrow=escrow)
