"""History from anybody: what is confirmed may be had from every operator, not the host only.

A host that keeps its entries from one guest cannot shut it out. The guest asks another
operator, which sends what it knows confirmed, with the certificate. A majority's signatures
make that final, whoever brings it; what comes without them is not looked at.

Why so: docs/decisions, 16.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import msgspec

from protocol.errors import Malformed, RemoteError
from protocol.journal.chain import Chain
from protocol.journal.genesis import NO_TERM
from protocol.journal.membership import Membership, holds_removal, is_majority
from protocol.journal.statements import DOMAIN_ACK, Ack, Ordered, Removal, Signed, entry_hash
from protocol.messages import Follow, History, Witness
from protocol.replication.delivery import next_batch
from protocol.replication.displacement import MAX_HELD, MAX_HELD_BYTES, size_of
from protocol.replication.effects import Cut, Effect, Send
from protocol.replication.follower import Follower
from protocol.replication.leader import Leader
from protocol.replication.replica import Replica
from protocol.replication.timers import Timers

MAX_BATCHES = 1024
"""Messages of one answer, of at most 64 KiB or one entry each: a whole match. Two that follow
each other are over 64 KiB together or hold 240 entries; 24 MiB and 40,000 entries are fewer.
"""


def answer(replica: Replica, follow: Follow) -> list[History] | list[Witness]:
    """What an operator that asks lacks, up to all that our newest certificate speaks of.

    Where it knows something else confirmed than we do, our entry there.
    """
    chain, last = replica.chain, replica.certified
    sent = follow.confirmed
    if follow.table != chain.genesis.table or sent >= replica.confirmed:
        return []
    if chain.hash_at(sent) != follow.hash:
        return [Witness(chain.entries[sent].signed)]
    messages: list[History] = []
    while sent < last and len(messages) < MAX_BATCHES:
        batch = next_batch(chain, sent, last)
        sent += len(batch)
        messages.append(History(batch, replica.certificate if sent == last else ()))
    return messages if sent == last else []


class CatchingUp:
    """What one operator answers, until its certificate has come."""

    def __init__(self, chain: Chain, known: int) -> None:
        """`known`: the entry that we have said we have."""
        self._chain = chain
        self.known = known
        self._held: list[Signed] = []
        self._bytes = 0

    def hear(self, entries: tuple[Signed, ...]) -> bool:
        """Some entries, unchecked; False for those of an answer to an earlier question.

        Raises `Malformed` for more than anybody needs, and for what is none.
        """
        if entries:
            first = entries[0].read(Ordered)
            if first.seq != self.known + len(self._held) + 1:
                return False
        self._held += entries
        self._bytes += size_of(entries)
        if len(self._held) > MAX_HELD or self._bytes > MAX_HELD_BYTES:
            raise Malformed("more entries or more bytes than one answer holds")
        return True

    def close(self, acks: tuple[Signed, ...]) -> tuple[int, tuple[Signed, ...]]:
        """The certificate: up to where all is confirmed, and the entries we lack up to there.

        An honest one may confirm less than what we know: its signers were not equally far.

        Raises `Malformed` or `BadSignature` where these signatures are no majority's for these
        entries, one after the other from the one that we know.
        """
        chain = self._chain
        shown = [(entry.hash, entry.term) for entry in chain.entries[: self.known + 1]]
        membership = chain.membership.until(self.known)
        for signed in self._held:
            ordered = signed.read(Ordered)
            if ordered.seq != len(shown) or ordered.previous != shown[-1][0]:
                raise Malformed("entries that do not follow each other")
            if holds_removal(ordered.authored):
                # A majority of those before says so, else fewer could make the next majority.
                removal = ordered.inside.read(Removal)
                if self._reach(removal.acks, shown, membership) < membership.since:
                    raise Malformed("a removal before the one before it is confirmed")
                membership.remove(ordered.seq, removal.operator)
            shown.append((entry_hash(signed.content), ordered.term))
        sure = self._reach(acks, shown, membership)
        return sure, tuple(self._held[: max(sure - self.known, 0)])

    def _reach(
        self,
        acks: tuple[Signed, ...],
        shown: Sequence[tuple[bytes, int]],
        membership: Membership,
    ) -> int:
        """Up to where these confirm the history that is `shown`, by hash and term."""
        genesis = self._chain.genesis
        held = [ack.read(Ack) for ack in acks]
        sure = min((ack.seq for ack in held), default=len(shown))
        if sure >= len(shown) or any(ack.term != shown[sure][1] for ack in held):
            raise Malformed("a certificate of something else")
        if not is_majority([ack.operator for ack in held], membership.at(sure)):
            raise Malformed("not a majority's certificate")
        for ack, signed in zip(held, acks, strict=True):
            if ack.match != genesis.digest:
                raise Malformed("not an acknowledgement of this table")
            if ack.seq >= len(shown) or shown[ack.seq][0] != ack.hash:
                raise Malformed("a certificate of another history")
            signer = genesis.operators[ack.operator].identity
            signed.check(signer, DOMAIN_ACK)
        return sure


Judge = Callable[[int, tuple[Signed, ...], tuple[Signed, ...]], list[Effect]]
"""What our history and another one show together: from this entry on, which both have, those
after it and their certificate."""


class OtherSources:
    """Who else may have history that our host does not show: one of them is asked at a time.

    Pure; time is an argument.
    """

    def __init__(self, replica: Replica, timers: Timers, now: float) -> None:
        self._replica = replica
        self._timers = timers
        self._operators = len(replica.chain.genesis.operators)
        self._asking: tuple[int, float, CatchingUp] | None = None  # whom, since when
        self._last = -1  # whom we have asked last, whatever it answered
        self._behind = now  # since when others know more confirmed than we do
        self._ahead: dict[int, int] = {}  # what each knows confirmed

    def hear_of(self, operator: int, confirmed: int) -> None:
        self._ahead[operator] = confirmed

    def ask(self, now: float, follower: Follower, linked: Collection[int]) -> list[Effect]:
        """Whoever knows more confirmed than we do is asked, where our host does not show it: at
        once if it is out of reach, else after a while.
        """
        show, host = self._timers.timing.show, follower.host
        # A host that is silent has perhaps stopped, and shows what it has all the same.
        shows = host if self._timers.is_heard(now) else None
        ahead = [
            one
            for one, told in self._ahead.items()
            if told > self._replica.confirmed and one in linked and one != shows
        ]
        if not ahead:
            self._behind = now
            return []
        waits = host is None or not self._timers.is_out_of_reach(now)
        if waits and now - self._behind < show:
            return []
        if self._asking and now - self._asking[1] < show:
            return []
        asked = min(ahead, key=lambda one: (one - self._last - 1) % self._operators)
        self._last, known = asked, max(self._replica.confirmed, 0)
        self._asking = asked, now, CatchingUp(self._replica.chain, known)
        return [Send(asked, msgspec.structs.replace(follower.follows, term=NO_TERM))]

    def hear(
        self, operator: int, message: History, part: Leader | Follower, judge: Judge
    ) -> list[Effect]:
        """An answer, or a part of it; what nobody asked for is nothing to us. `judge`: whether
        what our host has shown instead, of a later term, says that somebody has forgotten it.
        """
        if self._asking is None or self._asking[0] != operator or isinstance(part, Leader):
            return []
        answered = self._asking[2]
        try:
            if not answered.hear(message.entries) or not message.acks:
                return []
            self._asking = None
            sure, entries = answered.close(message.acks)
            if sure < answered.known:
                return []
            effects = part.caught_up(operator, sure, entries, message.acks)
            return effects + judge(answered.known, entries, message.acks)
        except RemoteError as problem:
            return [Cut(operator, problem)]
