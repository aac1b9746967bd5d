"""A whole table in one process: sealed dealers around a list that stands for the journal.

No network, no disk, no time: entries are ordered as they come, confirmed at once, and every
dealer must accept every one of them. `meddle` may replace a body on its way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from random import Random

from citadels_p2p.bots import Bot
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import pack_options
from citadels_p2p.rules import Rules
from protocol.application import Genesis
from protocol.cards.group import Group
from protocol.roster import Operator, Seat

Meddle = Callable[[int, bytes], bytes]


def genesis_for(
    chosen: Rules,
    operators: int,
    keepers: Sequence[int],
    table: bytes = b"T" * 16,
    options: bytes = b"",
) -> Genesis:
    """A roster of `operators`; `keepers[seat]` plays the seat."""
    options = options or pack_options(chosen)
    return Genesis(
        table=table,
        name="round table",
        options=options,
        operators=tuple(
            Operator(identity=bytes([index + 1]) * 32, name=f"Operator {index}")
            for index in range(operators)
        ),
        seats=tuple(
            Seat(kind="taken", name=f"Seat {seat}", operator=keeper)
            for seat, keeper in enumerate(keepers)
        ),
        digest=hashlib.sha256(table + options + bytes(keepers)).digest(),
    )


class RoundTable:
    """`dealers[i]` is operator i; every seat is played by the bot given for it."""

    def __init__(
        self,
        chosen: Rules,
        brains: Sequence[Bot],
        *,
        operators: int | None = None,
        keepers: Sequence[int] | None = None,
        group: Group | None = None,
        seed: int = 0,
    ) -> None:
        count = operators or len(brains)
        owners = list(keepers or [seat % count for seat in range(len(brains))])
        self.genesis = genesis_for(chosen, count, owners)
        self.journal: list[tuple[int, bytes]] = []
        self.dealers = [
            SealedDealer(
                self.genesis,
                me,
                {s: brain for s, brain in enumerate(brains) if owners[s] == me},
                group,
                Random(f"{seed}/{me}"),
            )
            for me in range(count)
        ]

    def order(self, author: int, body: bytes) -> list[str | None]:
        """Put one body in order; what each dealer says of it."""
        seq = len(self.journal) + 1
        verdicts = [dealer.fold(seq, author, body) for dealer in self.dealers]
        if verdicts[0] is None:
            self.journal.append((author, body))
            for dealer in self.dealers:
                dealer.confirm(seq)
        return verdicts

    def step(self, meddle: Meddle | None = None) -> bool:
        """Everybody says what it owes; False when nobody owes anything."""
        said = False
        for author, dealer in enumerate(self.dealers):
            for contribution in dealer.owed():
                body = (
                    contribution.body if meddle is None else meddle(author, contribution.body)
                )
                verdicts = self.order(author, body)
                if any(verdicts):
                    raise AssertionError(f"operator {author} was refused: {verdicts}")
                said = True
        return said

    def play(self, meddle: Meddle | None = None) -> None:
        """To the last score and the keys given away."""
        while self.step(meddle):
            pass
        assert all(dealer.match.stage == "done" for dealer in self.dealers)
