"""The lobby at its host: who sits where, who agrees, and whether the match may begin.

The rules of this room:

- Operator 0 is the host. A guest takes the first open seat and gives it back when it leaves.
- Several persons who share a laptop are one operator with a seat for each; they come together
  or not at all, and leave together.
- A guest agrees by signing the *terms*: table, options, roster and seats, in their canonical
  bytes. Any change makes other terms, so it takes every agreement back.
- The match begins with terms that every operator has signed, or not at all.

Refusals are codes: "started", "full", "kicked", "name", "version", "seat_open", "not_ready",
"no_such_seat", "own_seat", "own_table", "taken", "seats_taken", "too_few_seats", "too_large".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from protocol.application import Agreed
from protocol.errors import BadSignature, RemoteError
from protocol.identity.keys import Identity
from protocol.identity.names import joint_names, legible, skeleton, variants
from protocol.journal.genesis import HOST, make_genesis, open_terms
from protocol.journal.statements import MAX_SEATS, VERSION, Agreement, Signed, Terms, agree_to
from protocol.roster import MAX_ADDRESSES, Operator, Seat
from protocol.wire.codec import encode

ADDRESS_BYTES = 384
"""Of one guest's addresses: with sixteen guests, the longest names and the longest options the
terms are still within their limit, so that no guest can take another's room.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathering(Agreed):
    """The lobby as everybody sees it, or the match that has come of it: `ready` by roster
    index, `me` our own index.

    The host counts as ready: it agrees by beginning.
    """

    ready: tuple[bool, ...]
    me: int


@dataclass(frozen=True, slots=True)
class _Guest:
    operator: Operator
    agreement: Agreement | None = None


_Sound = tuple[tuple[_Guest, ...], tuple[Seat, ...], bytes]
"""Guests, seats and options of a table that everybody can accept."""


class HostedLobby:
    """The host's lobby. Methods answer with a refusal's code, or "" when it is done."""

    def __init__(
        self,
        host: Operator,
        *,
        table: bytes,
        name: str,
        options: bytes,
        seats: int,
        bots: Sequence[str] = (),
        no_seat: bool = False,
        others: Sequence[str] = (),
        locked: bool = False,
        spectators: bool = False,
    ) -> None:
        """`bots` are levels; bots take the last seats, the host the first unless `no_seat`, and
        who shares its laptop the next.

        ValueError: "seats" where that cannot be, "terms" where name and options are too long.
        """
        if not 1 <= seats <= MAX_SEATS or len(bots) + len(others) + (not no_seat) > seats:
            raise ValueError("seats")
        self._table = table
        self._name = legible(name) or "table"
        self._options = options
        self._doors = locked, spectators
        self._guests: list[_Guest] = []
        self._seats = [Seat(kind="open", name="")] * seats
        persons, laptop = _named((legible(host.name) or "host", *others), ())
        self._host = msgspec.structs.replace(host, name=laptop)
        self._kicked: dict[bytes, str] = {}  #: who was sent away → the name
        self._started = False
        if not no_seat:
            self._sit(persons, HOST)
        for number, level in enumerate(bots):
            self._put_bot(seats - len(bots) + number, level)
        self.terms = b""  #: what everybody is asked to sign now
        self._sound: _Sound = ((), tuple(self._seats), b"")
        if self._changed():
            raise ValueError("terms")

    @property
    def ready(self) -> tuple[bool, ...]:
        """Who agrees to these very terms, by roster index."""
        return (True, *(guest.agreement is not None for guest in self._guests))

    @property
    def sent_away(self) -> tuple[str, ...]:
        """The names of those who were sent away, and are not let in."""
        return tuple(self._kicked.values())

    def __len__(self) -> int:
        return len(self._seats)

    def gathering(self) -> Gathering:
        """The lobby for the host's own person."""
        return Gathering.by(self._decoded, ready=self.ready, me=HOST)

    def index_of(self, identity: bytes) -> int | None:
        for index, operator in enumerate(self._operators()):
            if operator.identity == identity:
                return index
        return None

    def join(
        self, identity: bytes, name: str, addresses: Sequence[str], others: Sequence[str] = ()
    ) -> str:
        """Somebody sits down, with the `others` who share the laptop. Who is here already stays
        where he is, and may be found elsewhere: by another program, or on another network.
        """
        index = self.index_of(identity)
        if self._started:
            return "started" if index in (None, HOST) else "too_often"  # soon it has begun
        if identity in self._kicked:
            return "kicked"
        if identity == self._host.identity:
            return "own_table"  # one data directory, two programs: it would play against itself
        if index is not None:
            guest = self._guests[index - 1]
            found = msgspec.structs.replace(guest.operator, addresses=fitting(addresses))
            self._guests[index - 1] = replace(guest, operator=found)
            return self._changed()
        held = [operator.name for operator in self._operators()]
        held += [seat.name for seat in self._seats if seat.kind == "taken"]
        persons, laptop = _named((name, *others), held)
        if not all(persons):
            return "name"
        free = sum(seat.kind == "open" for seat in self._seats)
        if free < len(persons):
            return "too_few_seats" if free else "full"
        operator = Operator(identity=identity, name=laptop, addresses=fitting(addresses))
        self._guests.append(_Guest(operator))
        self._sit(persons, len(self._guests))
        return self._changed()

    def finds(self, identity: bytes, addresses: Sequence[str]) -> bool:
        """Whether this guest sits here, and may be found where the terms say."""
        told = {one.operator.identity: one.operator.addresses for one in self._guests}
        return told.get(identity) == fitting(addresses)

    def leave(self, identity: bytes) -> str:
        index = self.index_of(identity)
        if index is None or index == HOST or self._started:
            return "no_such_seat"
        del self._guests[index - 1]
        for place, seat in enumerate(self._seats):
            if seat.operator == index:
                self._seats[place] = Seat(kind="open", name="")
            elif seat.operator is not None and seat.operator > index:
                self._seats[place] = msgspec.structs.replace(seat, operator=seat.operator - 1)
        return self._changed()

    def kick(self, place: int) -> tuple[str, bytes | None]:
        """Send away whoever sits there until `readmit`; the second is a guest's identity."""
        if self._started:
            return "started", None
        if not 0 <= place < len(self._seats):
            return "no_such_seat", None
        seat = self._seats[place]
        if seat.kind == "bot":
            return self.open_seat(place), None
        if seat.operator is None:
            return "no_such_seat", None
        if seat.operator == HOST:
            return "own_seat", None
        guest = self._guests[seat.operator - 1].operator
        identity = guest.identity
        self._kicked[identity] = guest.name
        return self.leave(identity), identity

    def readmit(self) -> str:
        """Whoever was sent away may sit down again."""
        if self._started:
            return "started"
        self._kicked.clear()
        return ""

    def welcome(self) -> str:
        """Others may look on from now on: those who sit here are asked anew."""
        if self._started:
            return "started"
        locked, spectators = self._doors
        if spectators:
            return "already_so"
        self._doors = locked, True
        return self._changed()

    def set_bot(self, place: int, level: str) -> str:
        """A bot takes this open seat, or changes its level."""
        refused = self._not_for_bots(place)
        if refused:
            return refused
        self._put_bot(place, level)
        return self._changed()

    def open_seat(self, place: int) -> str:
        """Send a bot away."""
        refused = self._not_for_bots(place)
        if refused:
            return refused
        self._seats[place] = Seat(kind="open", name="")
        return self._changed()

    def _not_for_bots(self, place: int) -> str:
        """Why a bot can neither take nor leave this seat, or ""."""
        if self._started:
            return "started"
        if not 0 <= place < len(self._seats):
            return "no_such_seat"
        return "taken" if self._seats[place].kind == "taken" else ""

    def set_options(self, options: bytes, seats: int | None = None) -> str:
        """Another game is proposed, perhaps for more or fewer seats.

        New seats are open. Seats go where nobody sits: the last open one first, then bots.
        """
        if self._started:
            return "started"
        wanted = len(self._seats) if seats is None else seats
        people = sum(seat.kind == "taken" for seat in self._seats)
        if not 1 <= wanted <= MAX_SEATS or wanted < people:
            return "seats_taken" if wanted < people else "no_such_seat"
        while len(self._seats) > wanted:
            kind = "open" if any(seat.kind == "open" for seat in self._seats) else "bot"
            last = max(i for i, seat in enumerate(self._seats) if seat.kind == kind)
            del self._seats[last]
        while len(self._seats) < wanted:
            self._seats.append(Seat(kind="open", name=""))
        for place, seat in enumerate(self._seats):
            if seat.kind == "bot":
                self._put_bot(place, seat.level)
        self._options = options
        return self._changed()

    def agree(self, identity: bytes, agreement: Agreement) -> bool:
        """A guest signed the terms.

        False where that is nothing new, or where it signed others: they changed meanwhile.
        """
        index = self.index_of(identity)
        if index is None or index == HOST or self._started:
            return False
        try:
            agreement.check(identity, self.terms)
        except BadSignature:
            return False
        # The newest counts: its program may have begun anew, and knows its own nonce alone.
        guest = self._guests[index - 1]
        self._guests[index - 1] = replace(guest, agreement=agreement)
        self._sound = (tuple(self._guests), *self._sound[1:])
        return guest.agreement is None

    def reconsider(self, identity: bytes) -> bool:
        """A guest takes its agreement back; False where it had not agreed, or all has begun."""
        index = self.index_of(identity)
        if index is None or index == HOST or self._started:
            return False
        guest = self._guests[index - 1]
        if guest.agreement is None:
            return False
        self._guests[index - 1] = replace(guest, agreement=None)
        self._sound = (tuple(self._guests), *self._sound[1:])
        return True

    def start(self, identity: Identity) -> tuple[str, Signed | None]:
        """Begin: a refusal's code, or "" and the genesis entry."""
        if self._started:
            return "started", None
        if any(seat.kind == "open" for seat in self._seats):
            return "seat_open", None
        agreements = [guest.agreement for guest in self._guests]
        held = tuple(agreement for agreement in agreements if agreement is not None)
        if len(held) < len(agreements):
            return "not_ready", None
        self._started = True
        own = agree_to(self.terms, identity, self._table)  # which we have drawn
        return "", make_genesis(identity, self.terms, (own, *held))

    def go_on(self, here: Iterable[bytes]) -> None:
        """The match could not begin: gather on, with those who are here."""
        self._started = False
        linked = {*here}
        for guest in tuple(self._guests):
            if guest.operator.identity not in linked:
                self.leave(guest.operator.identity)

    def _operators(self) -> tuple[Operator, ...]:
        return (self._host, *(guest.operator for guest in self._guests))

    def _put_bot(self, place: int, level: str) -> None:
        name = f"Bot {place + 1}"
        self._seats[place] = Seat(kind="bot", name=name, operator=HOST, level=level)

    def _sit(self, persons: Sequence[str], operator: int) -> None:
        """An operator's persons take the first open seats."""
        places = (place for place, seat in enumerate(self._seats) if seat.kind == "open")
        for name, place in zip(persons, tuple(places), strict=False):
            self._seats[place] = Seat(kind="taken", name=name, operator=operator)

    def _changed(self) -> str:
        """The table as it has just become, in terms that nobody has agreed to yet.

        Its guests check these terms, so we check them first: where they would have to refuse
        them, all is as it was before, and the code is "too_large".
        """
        made = Terms(
            VERSION,
            self._table,
            self._name,
            self._options,
            self._operators(),
            tuple(self._seats),
            *self._doors,
        )
        content = encode(made)
        try:
            open_terms(content)
        except RemoteError:
            guests, seats, self._options = self._sound
            self._guests, self._seats = list(guests), list(seats)
            return "too_large"
        self._decoded, self.terms = made, content
        self._guests = [replace(guest, agreement=None) for guest in self._guests]
        self._sound = (tuple(self._guests), tuple(self._seats), self._options)
        return ""


def _named(names: Sequence[str], held: Iterable[str]) -> tuple[tuple[str, ...], str]:
    """What the persons at one laptop are called, and their laptop after all of them."""
    persons: tuple[str, ...] = ()
    for name in names:
        persons += (_distinct(variants(name), (*held, *persons)),)
    laptop = persons[0] if len(persons) == 1 else _distinct(joint_names(persons), held)
    return persons, laptop


def _distinct(names: Iterator[str], held: Iterable[str]) -> str:
    """The first of these that looks like none of those who are here; "" if it is none."""
    known = {skeleton(one) for one in held}
    return next(name for name in names if not name or skeleton(name) not in known)


def fitting(addresses: Sequence[str]) -> tuple[str, ...]:
    """As many of a guest's addresses as it may fill the terms with, the first ones first."""
    kept: list[str] = []
    for address in addresses[:MAX_ADDRESSES]:
        if sum(map(len, kept)) + len(address) <= ADDRESS_BYTES:
            kept.append(address)
    return tuple(kept)
