"""A table in one process: real machines, real signatures, no socket, no disk, no thread.

`Tabletop` performs the machines' effects itself, so a test decides what is stored, folded and
delivered, and when. Messages wait in order, as over TCP, until `run` delivers them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from protocol.application import SPECTATOR, Contribution, Genesis
from protocol.errors import ProtocolError
from protocol.identity.keys import Identity
from protocol.journal.accusation import is_accusation
from protocol.journal.chain import Chain
from protocol.journal.genesis import HOST, make_genesis, open_genesis
from protocol.journal.statements import DOMAIN_REFUSAL, Refusal, Signed, agree_to, unseal
from protocol.messages import Acked, Commit, Entries, Follow, Refused, Submit
from protocol.replication.effects import (
    Clear,
    Confirm,
    Cut,
    Effect,
    Examine,
    Fail,
    Fold,
    Recall,
    Reject,
    Send,
    StoreEntry,
    StoreRefusal,
    StoreSubmissions,
    Suspect,
)
from protocol.replication.folding import judge_at
from protocol.replication.follower import Follower
from protocol.replication.leader import Leader
from protocol.replication.outbox import Submission
from protocol.replication.replica import Replica
from protocol.roster import Operator
from protocol.session.lobby import HostedLobby
from protocol.wire.codec import encode
from tests.protocol.high_card import HighCard

TABLE = bytes(range(16))
NONCE = bytes(16)
NAMES = ("Anna", "Bert", "Carla", "Dora", "Emil", "Fritz")


def operators(count: int) -> list[Identity]:
    return [Identity.fresh() for _ in range(count)]


def lobby(identities: Sequence[Identity], table: bytes = TABLE) -> HostedLobby:
    """A full lobby where nobody has agreed yet."""
    host = Operator(identity=identities[0].public, name="Anna", addresses=("10.0.0.1:1",))
    room = HostedLobby(
        table=table, name="Kitchen", options=b"", host=host, seats=len(identities)
    )
    for identity, name in zip(identities[1:], NAMES[1:], strict=False):
        assert room.join(identity.public, name, ()) == ""
    return room


def genesis(identities: Sequence[Identity], table: bytes = TABLE) -> Signed:
    """Entry 0 of a table where everybody agreed."""
    terms = lobby(identities, table).terms
    agreed = tuple(agree_to(terms, identity, NONCE) for identity in identities)
    return make_genesis(identities[0], terms, agreed)


def match_of(first: Signed) -> bytes:
    """What names the match that begins so."""
    return open_genesis(first)[0].digest


class Laptop:
    """One operator: machine, application, and what its disk holds."""

    def __init__(
        self, top: Tabletop, me: int, make: Callable[[Genesis, int], HighCard]
    ) -> None:
        self.top, self.me, self.make = top, me, make
        self.disk: list[Signed] = [top.first]
        self.submissions: dict[int, Submission] = {}
        self.refusals: dict[tuple[int, int], Signed] = {}
        self.certificate: tuple[Signed, ...] = ()
        self.rejected: list[tuple[bytes, str]] = []
        self.suspects: list[tuple[int, str]] = []
        self.cuts: list[tuple[int, ProtocolError]] = []
        self.failure: ProtocolError | None = None
        self.writing: deque[Callable[[], list[Effect]]] = deque()  # what the disk has to do
        self.folding: deque[Callable[[], list[Effect]]] = deque()  # and the application
        self.boot()

    def boot(self) -> None:
        """Start from what the disk holds, as after a power cut."""
        self.writing.clear()
        self.folding.clear()
        chain = Chain(self.disk[0])
        self.game = self.make(chain.genesis, self.me)
        submissions = [self.submissions[counter] for counter in sorted(self.submissions)]
        kept = [one.contribution for one in submissions if one.refusal is None]
        self.game.restore(tuple(kept))
        digests = {}
        for signed in self.disk[1:]:
            entry = chain.check(signed)
            assert entry is not None
            chain.append(entry)
            if is_accusation(entry.body):
                break
            assert self.game.fold(entry.seq, entry.author, entry.body) is None
            digests[entry.seq] = self.game.digest()
        replica = Replica(
            identity=self.top.identities[self.me],
            me=self.me,
            chain=chain,
            submissions=submissions,
            certificate=self.certificate,
            digests=digests,
        )
        self.machine: Leader | Follower
        if self.me == HOST:
            self.machine = Leader(replica, chain.term)
        else:
            others = set(range(len(self.top.identities))) - {self.me}
            self.machine = Follower(replica, chain.term, HOST, others)
        self.perform(replica.lost)
        if isinstance(self.machine, Leader):
            self.perform(self.machine.start())
        if self.machine.replica.confirmed >= 0:
            self.game.confirm(self.machine.replica.confirmed)

    def perform(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if self.failure is None:
                self._perform(effect)

    def say(self, key: bytes, body: bytes) -> None:
        self.perform(self.machine.replica.write((Contribution(key=key, body=body),)))

    def ask(self) -> None:
        """The owed rule: when everything is settled, say what must be said."""
        if self.failure is None and self.machine.is_settled:
            self.perform(self.machine.replica.write(self.game.owed()))

    @property
    def pending(self) -> int:
        """How much is under way."""
        return len(self.writing) + len(self.folding)

    def work(self) -> bool:
        """Finish the oldest thing under way on disk, else in the application."""
        return self.write() or self.fold()

    def write(self) -> bool:
        """The disk finishes something."""
        return self._finish(self.writing)

    def fold(self) -> bool:
        """The application finishes something."""
        return self._finish(self.folding)

    def _finish(self, queue: deque[Callable[[], list[Effect]]]) -> bool:
        if not queue or self.failure is not None:
            return False
        self.perform(queue.popleft()())
        return True

    # C901: one case for each effect: a table, written as a match
    def _perform(self, effect: Effect) -> None:  # noqa: C901
        machine = self.machine
        match effect:
            case StoreEntry(entry):

                def stored() -> list[Effect]:
                    self.disk.append(entry.signed)
                    machine.replica.has_stored(entry.seq, entry.hash)
                    return machine.stored(entry.seq)

                self.writing.append(stored)
            case StoreSubmissions(submissions):

                def kept() -> list[Effect]:
                    self.submissions.update({one.counter: one for one in submissions})
                    return machine.kept([one.counter for one in submissions])

                self.writing.append(kept)
            case StoreRefusal(author, counter, refusal):

                def remembered() -> list[Effect]:
                    self.refusals[author, counter] = refusal
                    if author == self.me:
                        self.submissions[counter] = replace(
                            self.submissions[counter], refusal=refusal
                        )
                    return []

                self.writing.append(remembered)
            case Fold(seq, author, body):
                checkpoint = effect.checkpoint

                def folded() -> list[Effect]:
                    code = self.game.fold(seq, author, body)
                    digest = self.game.digest() if checkpoint and code is None else None
                    return machine.folded(seq, code, digest, self.game.turned())

                self.folding.append(folded)
            case Examine(key, place, statement):

                def examined() -> list[Effect]:
                    chain = machine.replica.chain
                    fresh = self.make(chain.genesis, SPECTATOR).fold
                    code = judge_at(fresh, chain.entries[1 : place + 1], statement)
                    return machine.examined(key, code)

                self.folding.append(examined)
            case Recall(contribution):
                self.game.restore((contribution,))
            case Suspect(operator, why):
                self.suspects.append((operator, why))
            case Clear(operator):
                self.suspects = [one for one in self.suspects if one[0] != operator]
            case Send(operator, message):
                self.top.post(self.me, operator, message)
            case Confirm(seq, certificate):

                def certified() -> list[Effect]:
                    self.certificate = certificate
                    return []

                self.writing.append(certified)
                self.game.confirm(seq)
            case Reject(key, _, code):
                self.rejected.append((key, code))
                self.game.refused(key, code)
            case Cut(operator, fault):
                self.cuts.append((operator, fault))
                if self.me == HOST:
                    self.top.cuts.append((operator, fault))
                    self.top.cut(operator)
                else:
                    self.top.cut(self.me)
            case Fail(fault):
                self.failure = fault


class Tabletop:
    """Some laptops and the cables between them."""

    def __init__(
        self,
        count: int,
        make: Callable[[Genesis, int], HighCard] = HighCard,
    ) -> None:
        self.identities = operators(count)
        self.first = genesis(self.identities)
        self.match = match_of(self.first)
        self.cuts: list[tuple[int, ProtocolError]] = []
        self.wires: dict[tuple[int, int], deque[msgspec.Struct]] = {}
        self.linked: set[int] = set()
        self.tamper: Callable[[int, int, msgspec.Struct], list[msgspec.Struct]] = (
            lambda _sender, _receiver, message: [message]
        )
        self.laptops = [Laptop(self, me, make) for me in range(count)]
        for me in range(1, count):
            self.link(me)

    @property
    def host(self) -> Laptop:
        return self.laptops[0]

    @property
    def leader(self) -> Leader:
        machine = self.host.machine
        assert isinstance(machine, Leader)
        return machine

    def follower(self, me: int) -> Follower:
        machine = self.laptops[me].machine
        assert isinstance(machine, Follower)
        return machine

    def link(self, guest: int) -> None:
        """A guest reaches its host."""
        self.linked.add(guest)
        self.wires[guest, HOST] = deque()
        self.wires[HOST, guest] = deque()
        for other in range(1, len(self.laptops)):  # guests always reach each other
            if other != guest:
                self.wires.setdefault((guest, other), deque())
        self.laptops[guest].perform(self.follower(guest).connected())

    def cut(self, guest: int) -> None:
        """The link breaks; what is on its way is lost."""
        if guest in self.linked:
            self.linked.discard(guest)
            self.wires.pop((guest, HOST))
            self.wires.pop((HOST, guest))
            self.follower(guest).disconnected()
            self.leader.delivery.end(guest)

    def post(self, sender: int, receiver: int, message: msgspec.Struct) -> None:
        wire = self.wires.get((sender, receiver))
        if wire is not None:
            encode(message)  # whatever is sent can be
            wire.extend(self.tamper(sender, receiver, message))

    def deliver(self, sender: int, receiver: int) -> bool:
        """The next message of one direction arrives."""
        wire = self.wires.get((sender, receiver))
        if not wire or self.laptops[receiver].failure is not None:
            return False
        message = wire.popleft()
        laptop = self.laptops[receiver]
        if receiver == HOST:
            laptop.perform(self._to_host(sender, message))
        else:
            laptop.perform(self._to_guest(sender, receiver, message))
        return True

    def run(self, *, ask: bool = True) -> None:
        """Until nothing moves any more."""
        moving = True
        while moving:
            moving = False
            for sender, receiver in tuple(self.wires):
                while self.deliver(sender, receiver):
                    moving = True
            for laptop in self.laptops:
                while laptop.work():
                    moving = True
                if ask:
                    laptop.ask()
                    moving = moving or (bool(laptop.pending) and laptop.failure is None)

    def _to_host(self, sender: int, message: msgspec.Struct) -> list[Effect]:
        match message:
            case Follow():
                return self.leader.follow(sender, message)
            case Submit(authored):
                return self.leader.submit(sender, authored)
            case Acked(ack):
                return self.leader.acked(sender, ack)
        raise AssertionError(message)

    def _to_guest(self, sender: int, receiver: int, message: msgspec.Struct) -> list[Effect]:
        follower = self.follower(receiver)
        match message:
            case Entries(entries):
                return follower.entries(entries)
            case Commit(seq, acks):
                return follower.commit(seq, acks)
            case Acked(ack):
                return follower.acknowledged(sender, ack)
            case Refused(refusal):
                told = unseal(refusal, Refusal, DOMAIN_REFUSAL, self.identities[HOST].public)
                return follower.refused(refusal, told)
        raise AssertionError(message)
