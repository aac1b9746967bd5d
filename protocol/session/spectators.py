"""Shell: those who only watch a host's table, each with its channel and how far it is.

In the lobby they are shown the terms, then what is confirmed, in its order, with the
certificate that confirms it: what every operator has, and nothing else. They are asked nothing
and waited for by nobody. Who does not say that it has what it was sent is sent no more.
"""

from __future__ import annotations

from protocol.journal.chain import Chain
from protocol.journal.statements import NOTHING, VERSION
from protocol.messages import Watch
from protocol.replication.delivery import Listening
from protocol.replication.replica import Replica
from protocol.session.links import Links
from protocol.wire.channel import Channel

SPECTATORS = 16
"""Places in the gallery, unless its host says otherwise. Each costs the host's line a few
megabytes a match.
"""


class Spectators(Links):
    """Spectators by identity, `is_open` or closed to all.

    They are links, as operators' are: taken, heard, sent to and given up alike. Beside each is
    how far its spectator has come, which ends with the link.
    """

    def __init__(self, *, is_open: bool) -> None:
        super().__init__()
        self.is_open = is_open
        self.places = SPECTATORS
        self.was_full = False  #: somebody was turned away since a place was last given up
        self._spectators: dict[bytes, Listening] = {}

    def __len__(self) -> int:
        return len(self._spectators)

    @property
    def more(self) -> int:
        """Places beyond the usual ones."""
        return max(0, self.places - SPECTATORS)

    def refuse(self, channel: Channel, watch: Watch, chain: Chain | None) -> str:
        """Why somebody who wants to watch may not, or ""."""
        if not self.is_open:
            return "no_spectators"
        if watch.version != VERSION:
            return "version"
        if channel.peer not in self._spectators and len(self) >= self.places:
            return "gallery_full"
        return "" if _is_history(watch, chain) else "other_table"

    def admit(self, channel: Channel, watch: Watch) -> None:
        self._spectators[channel.peer] = Listening(sent=watch.following - 1)

    def has(self, channel: Channel, head: int) -> None:
        """A spectator says up to which entry it has come."""
        self._spectators[channel.peer].arrived(head)

    def drop(self, channel: Channel) -> bool:
        """Its connection is gone: whether a spectator's was."""
        if not super().drop(channel):
            return False
        del self._spectators[channel.peer]
        self.was_full = False
        return True

    def pump(self, replica: Replica, *, to_the_end: bool = False) -> None:
        """Send what a certificate speaks of, and the certificate.

        `to_the_end`, when the match stops: also what only our disk has, since it shows why.
        """
        last = replica.stored if to_the_end else replica.certified
        for identity, spectator in self._spectators.items():
            for batch in spectator.batches(replica, last):
                self.send(identity, batch)
            news = spectator.news(replica)
            if news is not None:
                self.send(identity, news)

    def clear(self) -> tuple[Channel, ...]:
        self._spectators = {}
        return super().clear()


def _is_history(watch: Watch, chain: Chain | None) -> bool:
    """Whether what the spectator has already is the beginning of our match."""
    if watch.following == 0:
        return watch.hash == NOTHING
    if chain is None or watch.table != chain.genesis.table or watch.following > chain.head + 1:
        return False
    return watch.hash == chain.hash_at(watch.following - 1)
