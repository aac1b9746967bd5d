"""A table whose operators come and go, in virtual time, and every entry is signed: a journal as
laptops leave it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

from citadels_p2p.bots import make_bot
from citadels_p2p.match.options import Liveness, pack_options
from citadels_p2p.rules import Rules
from protocol.application import Contribution
from protocol.cards.group import Edwards25519, Group
from protocol.identity.keys import Identity
from protocol.journal.chain import Chain, Journal
from protocol.journal.election import make_election
from protocol.journal.genesis import make_genesis
from protocol.journal.membership import make_removal
from protocol.journal.statements import (
    CHECKPOINT,
    DOMAIN_ACK,
    DOMAIN_AUTHORED,
    DOMAIN_VOTE,
    Ack,
    Authored,
    Operator,
    Removal,
    Signed,
    Vote,
    agree_to,
    sign,
)
from protocol.session.lobby import HostedLobby
from protocol.storage.match_files import match_path
from protocol.storage.store import Store
from tests.match.vacant_chairs import VacantChairs
from tests.protocol.journal.make_vectors import identity
from tests.protocol.tiny_group import TinyGroup

NAMES = ("Anna", "Bert", "Carla", "Dora", "Emil", "Fanny", "Georg", "Hanna")


USUAL = Liveness()


@dataclass(frozen=True)
class Setting:
    """Who plays what: operator i sits on seat i, and the host's bots on those after."""

    rules: Rules
    operators: int
    seed: str
    liveness: Liveness = USUAL
    level: str = "easy"


class SignedTable(VacantChairs):
    """As `VacantChairs`; `chain` is the journal that would lie on a disk. Operator 0 is the
    host.
    """

    over_head = True
    """Whether everybody speaks over the newest entry, as laptops do, or over the first."""

    def __init__(
        self, setting: Setting, group: Group | None = None, me: Identity | None = None
    ) -> None:
        """`me` is the host's identity, where it is not one of the usual ones."""
        self.setting = setting
        self.identities = [identity(1 + at) for at in range(setting.operators)]
        if me is not None:
            self.identities[0] = me
        self.chain = Chain(_genesis(setting, self.identities))
        self.host = 0
        self.shown: list[bytes] = [b""]  #: the digest of the match after each entry
        seats = self.chain.genesis.seats
        super().__init__(
            setting.rules,
            [make_bot(setting.level) for _ in seats],
            seed=Random(setting.seed).randrange(1 << 30),
            liveness=setting.liveness,
            group=group or Edwards25519(),
            keepers=[seat.operator or 0 for seat in seats],
            genesis=self.chain.genesis,
        )

    def order(self, author: int, letter: Contribution) -> None:
        before = len(self.journal)
        super().order(author, letter)
        if len(self.journal) > before:
            self.chain.extend(self.identities[self.host], self.say(author, letter.body))
            self.shown.append(self.witness.match.digest())

    def say(self, author: int, body: bytes) -> Signed:
        """The author's next statement, signed."""
        chain = self.chain
        counter = chain.last_counter(author) + 1
        seen = chain.hash_at(chain.head if self.over_head else 0)
        statement = Authored(chain.genesis.digest, author, counter, seen, body)
        return sign(self.identities[author], DOMAIN_AUTHORED, statement)

    def elect(self, candidate: int, voters: Sequence[int]) -> None:
        """Another one hosts from now on. Nobody may come back to this table afterwards."""
        chain, term = self.chain, self.chain.term + 1
        digest, head = chain.genesis.digest, chain.hash_at(chain.head)
        votes = [
            sign(
                self.identities[voter],
                DOMAIN_VOTE,
                Vote(digest, term, voter, candidate, chain.head, head),
            )
            for voter in voters
        ]
        elected = make_election(self.identities[candidate], digest, term, candidate, votes)
        chain.begin_term(self.identities[candidate], elected)
        self.host = candidate
        self.journal.append((candidate, b""))
        self.shown.append(self.witness.match.digest())

    def remove(self, operator: int) -> None:
        """The host takes out who has left for good."""
        chain = self.chain
        acks = self.certificate(dict.fromkeys(chain.members - {operator}, chain.head))
        removal = Removal(
            chain.genesis.digest, chain.term, self.host, operator, chain.head, acks
        )
        entry = chain.remove(
            self.identities[self.host], make_removal(self.identities[self.host], removal)
        )
        self.journal.append((entry.author, entry.body))
        for one in self.here:
            assert self.dealers[one].fold(entry.seq, entry.author, entry.body) is None
            self.dealers[one].confirm(entry.seq)
        self.shown.append(self.witness.match.digest())

    def certificate(self, reached: Mapping[int, int]) -> tuple[Signed, ...]:
        """Acknowledgements: each of these operators has everything up to its entry."""
        chain = self.chain
        match, term = chain.genesis.digest, chain.term
        return tuple(
            sign(
                self.identities[one],
                DOMAIN_ACK,
                Ack(match, term, one, seq, chain.hash_at(seq), self._checked(seq)),
            )
            for one, seq in sorted(reached.items())
        )

    def _checked(self, seq: int) -> bytes:
        """The digest that stands in the acknowledgement of this entry."""
        return self.shown[seq] if seq % CHECKPOINT == 0 else b""

    def records(self) -> tuple[Signed, ...]:
        """All entries, as they lie on a disk."""
        return tuple(entry.signed for entry in self.chain.entries)

    def journal_here(self) -> Journal:
        """What lies on a disk: all entries, and the certificate of who counts and is here."""
        reached = dict.fromkeys(self.chain.members & self.here, self.chain.head)
        return Journal(self.records(), self.certificate(reached))


def small_table(operators: int, seed: str = "0", me: Identity | None = None) -> SignedTable:
    """A classic match of easy bots, with a seat for each operator, in a toy group."""
    setting = Setting(Rules.make("classic", operators, 6), operators, seed)
    return SignedTable(setting, TinyGroup(), me)


def _genesis(setting: Setting, identities: Sequence[Identity]) -> Signed:
    room = HostedLobby(
        table=Random(f"table {setting.seed}").randbytes(16),
        name="Kitchen",
        options=pack_options(setting.rules, setting.liveness),
        host=Operator(identities[0].public, NAMES[0], ("192.0.2.1:24482",)),
        seats=setting.rules.seats,
        bots=("easy",) * (setting.rules.seats - setting.operators),
    )
    for one, name in zip(identities[1:], NAMES[1:], strict=False):
        assert room.join(one.public, name, ()) == ""
    agreed = tuple(
        agree_to(room.terms, one, bytes([at]) * 16) for at, one in enumerate(identities)
    )
    return make_genesis(identities[0], room.terms, agreed)


def write_file(path: Path, journal: Journal) -> None:
    """The file of a match that is over, or was left, with this journal in it."""
    path.unlink(missing_ok=True)
    store = Store(path)
    store.start()
    for seq, record in enumerate(journal.records):
        row = (seq, record.content, record.signature)
        store._put_lazily(("INSERT INTO entry VALUES (?,?,?)", row))
    if journal.quorum_certificate:
        store.certificate(journal.quorum_certificate)
    if journal.fault is not None:
        store.fault(journal.fault.code, journal.fault.culprit, journal.fault.evidence)
    store.close(finished=True)
    with closing(sqlite3.connect(path)) as file:  # a fifth smaller, and read as any other
        file.execute("PRAGMA page_size = 1024")
        file.execute("VACUUM")


def write(home: Path, journal: Journal) -> Path:
    """The same among the matches of a home."""
    path = match_path(home, bytes(range(16)))
    write_file(path, journal)
    return path
