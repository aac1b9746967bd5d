"""A whole match in one process that leaves a journal as laptops do: ordered and signed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from citadels_p2p.bots import make_bot
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import Liveness, pack_options
from citadels_p2p.rules import Rules
from protocol.identity.keys import Identity
from protocol.journal.chain import Chain, Journal
from protocol.journal.genesis import make_genesis
from protocol.journal.statements import (
    DOMAIN_ACK,
    DOMAIN_AUTHORED,
    Ack,
    Authored,
    Signed,
    agree_to,
    sign,
)
from protocol.roster import Operator
from protocol.session.lobby import HostedLobby
from protocol.storage.match_files import match_path
from protocol.storage.store import Store

TABLE = bytes(range(16))
NAMES = ("Anna", "Bert", "Carla", "Dora")

Meddle = Callable[[int, bodies.Body], bodies.Body | None]
"""What becomes of a word on its way: itself, another one, or nothing."""


class SignedTable:
    """Operator 0 is the host and orders; every seat is played by a bot."""

    def __init__(
        self,
        operators: int,
        seed: int = 0,
        liveness: Liveness | None = None,
        identities: Sequence[Identity] = (),
    ) -> None:
        """`identities` of the first operators; the others are strangers."""
        fresh = (Identity.fresh() for _ in range(operators - len(identities)))
        self.identities = [*identities, *fresh]
        rules = Rules.make("classic", seats=operators, city=6)
        room = HostedLobby(
            table=TABLE,
            name="Kitchen",
            options=pack_options(rules, liveness or Liveness()),
            host=Operator(
                identity=self.identities[0].public, name=NAMES[0], addresses=("10.0.0.1:1",)
            ),
            seats=operators,
        )
        for identity, name in zip(self.identities[1:], NAMES[1:], strict=False):
            assert room.join(identity.public, name, ()) == ""
        agreed = tuple(agree_to(room.terms, one, bytes(16)) for one in self.identities)
        self.chain = Chain(make_genesis(self.identities[0], room.terms, agreed))
        self.dealers = [
            SealedDealer(
                self.chain.genesis, me, {me: make_bot("easy")}, None, Random(f"{seed}/{me}")
            )
            for me in range(operators)
        ]

    def say(self, author: int, body: bytes) -> Signed:
        """The author's next statement, signed."""
        counter = self.chain.last_counter(author) + 1
        match, seen = self.chain.genesis.digest, self.chain.hash_at(0)
        statement = Authored(match, author, counter, seen, body)
        return sign(self.identities[author], DOMAIN_AUTHORED, statement)

    def play(self, meddle: Meddle | None = None) -> None:
        """To the last score and the keys given away."""
        while self._step(meddle):
            pass
        assert all(dealer.match.stage == "done" for dealer in self.dealers)

    def _step(self, meddle: Meddle | None) -> bool:
        said = False
        for author, dealer in enumerate(self.dealers):
            for contribution in dealer.owed():
                body = bodies.read(contribution.body)
                changed = body if meddle is None else meddle(author, body)
                if changed is not None:
                    self.order(author, bodies.write(changed))
                    said = True
        return said

    def order(self, author: int, body: bytes) -> None:
        """Put it in order; everybody accepts it."""
        entry = self.chain.extend(self.identities[0], self.say(author, body))
        for dealer in self.dealers:
            assert dealer.fold(entry.seq, author, body) is None
            dealer.confirm(entry.seq)

    def certificate(self, *reached: int) -> tuple[Signed, ...]:
        """Acknowledgements: operator i has everything up to `reached[i]`."""
        return tuple(
            sign(
                identity,
                DOMAIN_ACK,
                Ack(self.chain.genesis.digest, 1, index, seq, self.chain.hash_at(seq), b""),
            )
            for index, (identity, seq) in enumerate(zip(self.identities, reached, strict=False))
        )

    def records(self) -> tuple[Signed, ...]:
        return tuple(entry.signed for entry in self.chain.entries)


def write(home: Path, journal: Journal) -> Path:
    """A finished match's file with this journal in it, whatever it is worth."""
    path = match_path(home, TABLE)
    store = Store(path)
    store.start()
    for seq, record in enumerate(journal.records):
        row = (seq, record.content, record.signature)
        store._put_lazily("INSERT INTO entry VALUES (?,?,?)", row)
    if journal.quorum_certificate:
        store.certificate(journal.quorum_certificate)
    if journal.fault is not None:
        fault = journal.fault
        store.fault(fault.code, fault.culprit, fault.evidence)
    store.close(finished=True)
    return path
