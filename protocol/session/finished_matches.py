"""Shell: a match that is over is handed to whoever missed its end, when we meet again.

One laptop's cable was out while the others finished and closed. It waits, and announces its
match as ever. Whoever has finished that match and hears of it says so on a link of its own, and
answers *follow* with *history* as any operator does: the other one checks it as any history.

The rules of this room:

- Only a key of that match's roster, proven, learns that we have it. Whoever else asks is
  answered as if we had not, and as fast: the disk is read once, whoever asks first.
- Nothing is announced for a finished match, and nobody is shown our key before having shown one
  of the match.
- Nothing that is said here changes anything on our disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Iterable, Mapping
from pathlib import Path

from protocol import chance
from protocol.application import SPECTATOR
from protocol.discovery.browser import Found
from protocol.errors import Failure, Unavailable
from protocol.identity.keys import Identity, fingerprint
from protocol.journal.chain import check_journal
from protocol.messages import Audit, Denied, Fault, Follow, Heartbeat, Leave, Meet
from protocol.replication.catching_up import answer
from protocol.replication.replica import Replica
from protocol.replication.review import answer as segments
from protocol.session.finding import PROOF_SECONDS, dial_once, prove
from protocol.session.links import post
from protocol.session.reporting import now
from protocol.storage.match_files import match_path, read_journal
from protocol.storage.saved_matches import finished_matches
from protocol.wire.channel import Channel

logger = logging.getLogger(__name__)

BEAT_SECONDS = 0.5

HANDING_SECONDS = 120.0
"""One that has not taken it within this asks again."""

AGAIN_SECONDS = 60.0
"""Who has taken it is not answered again for so long: it goes on looking for the others."""

PAUSE_SECONDS = 5.0
"""And nobody for so long, whatever it has taken: each time a whole match is read and checked.
"""

MAX_AT_ONCE = 4
MAX_ANSWERS = 32
"""How often one that is handed a match may ask for all of it."""

MAX_SEGMENTS = 1024
"""How often for the next part of it, to judge what exposed somebody."""


class FinishedMatches:
    """The matches on our disk that are over, for those who played in them."""

    def __init__(self, home: Path, identity: Identity) -> None:
        self._home = home
        self._identity = identity
        self._session = chance.source.randbytes(8)
        self._known: dict[bytes, frozenset[bytes]] | None = None  # once it has been read
        self._reading = asyncio.Lock()
        self._serving: set[tuple[bytes, bytes]] = set()
        self._taken: dict[tuple[bytes, bytes], float] = {}
        self._served: dict[bytes, float] = {}  # whatever came of it

    async def owes(self, table: bytes, peer: bytes) -> bool:
        """Whether this key may have the end of this match from us, now."""
        if peer not in (await self._rosters()).get(table, ()):
            return False
        return self._may_have(table, peer)

    def _may_have(self, table: bytes, peer: bytes) -> bool:
        if len(self._serving) >= MAX_AT_ONCE or any(peer == one for _, one in self._serving):
            return False  # nobody takes the place of the others
        if now() - self._served.get(peer, -PAUSE_SECONDS) < PAUSE_SECONDS:
            return False
        return now() - self._taken.get((table, peer), -AGAIN_SECONDS) >= AGAIN_SECONDS

    @contextlib.asynccontextmanager
    async def _place(self, table: bytes, peer: bytes) -> AsyncIterator[None]:
        """One of the places, for one whom we owe this match."""
        self._serving.add((table, peer))
        try:
            yield
        finally:
            self._serving.discard((table, peer))
            self._served[peer] = now()

    async def hand_over(self, channel: Channel, table: bytes) -> None:
        """Give all of this match to one whom we owe it; returns once it has it, or goes."""
        try:
            async with self._place(table, channel.peer):
                replica, proof = await asyncio.to_thread(self._read, table)
                async with asyncio.timeout(HANDING_SECONDS):
                    await self._serve(channel, replica, proof)
            self._taken[table, channel.peer] = now()
            await channel.close()
        except (Failure, TimeoutError) as problem:
            # It may ask again, a little later; nobody else has to know.
            logger.debug("a finished match was not handed over", exc_info=problem)
        finally:
            channel.abort()

    async def visit(self, found: Iterable[Found]) -> None:
        """Bring what is over to those who are announced as waiting for it."""
        rosters = await self._rosters()
        waiting = {
            (one.announcement.table, key): one.addresses
            for one in found
            for key in rosters.get(one.announcement.table, ())
            if fingerprint(key) == one.announcement.fingerprint
        }
        await asyncio.gather(*(self._visit(*who, waiting[who]) for who in waiting))

    async def _visit(self, table: bytes, peer: bytes, addresses: Iterable[str]) -> None:
        if not await self.owes(table, peer):
            return
        address = await prove(addresses, peer)
        # Nobody but itself has proven to be there; and another of its own may be served by now.
        if address is None or not self._may_have(table, peer):
            return
        try:
            async with self._place(table, peer):
                channel = await dial_once(address, self._identity, "", peer, PROOF_SECONDS)
                await self.hand_over(channel, table)
        except Failure as problem:
            logger.debug("whoever waits was not reached", exc_info=problem)

    async def _rosters(self) -> Mapping[bytes, frozenset[bytes]]:
        """The keys of those with whom we have finished a match, by its table."""
        async with self._reading:
            if self._known is None:
                found = await asyncio.to_thread(finished_matches, self._home)
                self._known = {
                    genesis.table: frozenset(one.identity for one in genesis.operators)
                    - {self._identity.public}
                    for genesis in found
                }
        return self._known

    def _read(self, table: bytes) -> tuple[Replica, Fault | None]:
        """The match, all of it checked once more, and what exposed somebody in it. Raises
        `Failure`.
        """
        journal = read_journal(match_path(self._home, table))
        chain, reason = check_journal(journal), journal.fault
        replica = Replica(
            identity=self._identity,
            me=SPECTATOR,  # nothing new is said in it
            chain=chain,
            certificate=journal.quorum_certificate,
        )
        if reason is None or not reason.evidence:
            return replica, None
        return replica, Fault(reason.code, reason.culprit, reason.evidence)

    async def _serve(self, channel: Channel, replica: Replica, proof: Fault | None) -> None:
        """Say what we have, and answer, until the other side has it too."""
        table, known = replica.chain.genesis.table, max(replica.confirmed, 0)
        word = Heartbeat(
            replica.chain.term, False, replica.chain.head, known, replica.chain.hash_at(known)
        )
        post(channel, Meet(table, replica.chain.genesis.digest, (), self._session, False))
        if proof is not None:
            post(channel, proof)
        beating = asyncio.create_task(_say_again(channel, word), name="hand over")
        answers = 0
        try:
            while True:
                match await channel.receive():
                    case Follow() as follow if answers < MAX_ANSWERS:
                        answers += 1
                        for part in answer(replica, follow):
                            channel.post(part)
                    case Audit() as audit if answers < MAX_SEGMENTS:
                        answers += 1
                        for segment in segments(replica.chain, audit):
                            channel.post(segment)
                    case Fault() if proof is not None:
                        post(channel, Leave("finished"))
                        return
                    case Heartbeat(confirmed=theirs) if proof is None and theirs >= known:
                        post(channel, Leave("finished"))
                        return
                    case Denied(code) | Leave(code):
                        raise Unavailable("closed", code)
        finally:
            beating.cancel()


async def _say_again(channel: Channel, word: Heartbeat) -> None:
    while True:
        post(channel, word)
        await asyncio.sleep(BEAT_SECONDS)
