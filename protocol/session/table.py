"""What we know of the table at which we are, in its lobby and in its match: values only."""

from __future__ import annotations

import hashlib
from pathlib import Path

from protocol.application import Genesis
from protocol.discovery.announcement import Announcement
from protocol.errors import LocalError
from protocol.identity.keys import fingerprint
from protocol.journal.chain import Chain
from protocol.journal.genesis import HOST
from protocol.journal.statements import VERSION
from protocol.messages import Audience, Status
from protocol.roster import MAX_ADDRESSES
from protocol.session.lobby import Gathering
from protocol.session.person import Person
from protocol.session.reopening import Forsaken
from protocol.wire.addresses import without_zone
from protocol.wire.listener import Listener


class Table:
    """One table, as this laptop knows it."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.edition = person.edition  #: what strangers are told of the game
        self.id = b""
        self._gathering: Gathering | None = None
        self._places: dict[bytes, int] = {}  # by identity: the roster index there
        self.genesis: Genesis | None = None
        self.me: int | None = None
        self.path: Path | None = None  #: the match's file
        self.host = b""  #: the identity that orders
        self.address = ""  #: where it is
        self.listener: Listener | None = None  #: where we are
        self.watching = 0  #: how many spectators there are, as far as we were told
        self.forsaken: Forsaken | None = None  #: a lobby whose host is gone

    @property
    def gathering(self) -> Gathering | None:
        """The lobby as it is; once the match began, as it was agreed to."""
        return self._gathering

    @gathering.setter
    def gathering(self, seen: Gathering) -> None:
        self._gathering = seen
        self._places = {one.identity: place for place, one in enumerate(seen.operators)}

    @property
    def locked(self) -> bool:
        """Whether a password is needed to sit down or to watch: what all have agreed to."""
        return self.gathering is not None and self.gathering.locked

    @property
    def spectators(self) -> int | None:
        """How many there are; None where none may be, by what all have agreed to."""
        welcome = self.gathering is not None and self.gathering.spectators
        return self.watching if welcome else None

    @property
    def identities(self) -> tuple[bytes, ...]:
        return tuple(self._places)

    def index_of(self, identity: bytes) -> int | None:
        return self._places.get(identity)

    def identity_of(self, operator: int) -> bytes:
        assert self.gathering is not None
        return self.gathering.operators[operator].identity

    def name_of(self, operator: int) -> str:
        operators = () if self.gathering is None else self.gathering.operators
        return operators[operator].name if operator < len(operators) else ""

    def adopt(self, chain: Chain, me: int, path: Path) -> None:
        """The match's roster stands from here on."""
        genesis = chain.genesis
        self.genesis, self.me, self.host, self.id = genesis, me, chain.host, genesis.table
        self.path = path
        self.gathering = Gathering.by(genesis, ready=(True,) * len(genesis.operators), me=me)

    # What others are told.

    def audience(self) -> Audience | None:
        """How many watch, for those who play; None where nobody may."""
        return None if self.spectators is None else Audience(self.spectators)

    def status(self, *, hosting: bool) -> Status:
        """What a stranger who knocks is told; `hosting`: whether we order."""
        known = self.gathering
        if hosting:
            addresses = () if self.listener is None else self.listener.addresses
        else:
            place = self.index_of(self.host) or HOST
            told = () if known is None else known.operators[place].addresses
            addresses = tuple(dict.fromkeys((*told, without_zone(self.address))))
        seats = () if known is None else known.seats
        return Status(
            VERSION,
            self.id,
            "table" if known is None else known.name,
            self.edition,
            b"" if known is None else known.options,
            "lobby" if self.genesis is None else "playing",
            len(seats),
            sum(seat.kind != "open" for seat in seats),
            sum(seat.kind == "bot" for seat in seats),
            self.host,
            addresses[:MAX_ADDRESSES],
            "host" if hosting else "guest",
            self.spectators is not None,
            self.locked,
        )

    def announcement(self, port: int, *, hosting: bool) -> Announcement:
        """What everybody on the network may know of this table, as it is now."""
        lobby = self.gathering
        if lobby is None:
            raise LocalError("a node has a table from its first moment on")
        return Announcement(
            table=lobby.table,
            name=lobby.name,
            role="host" if hosting else "guest",
            edition=self.edition,
            seats=len(lobby.seats),
            taken=sum(seat.kind != "open" for seat in lobby.seats),
            locked=self.locked,
            spectators=self.spectators is not None,
            fingerprint=self.person.identity.fingerprint,
            host=fingerprint(self.host) if self.host else "",
            port=port,
            version=VERSION,
            state="lobby" if self.genesis is None else "playing",
            change=_digest_of_the_rest(self.status(hosting=hosting)),
        )


def _digest_of_the_rest(status: Status) -> str:
    """Of what whoever knocks is told and what is not announced."""
    return hashlib.sha256(status.options + bytes([status.bots])).hexdigest()[:8]
