"""Statements and messages that a liar makes up, and signs with the keys that it has.

No kind is written out here, so a new one is forged without a word. What is drawn for a field
hangs on its type and its name: what is true at some place of the history, what was seen under
that name, or a neighbour of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Protocol, TypeAlias, get_args

import msgspec
from msgspec import inspect

from protocol.errors import LocalError, RemoteError
from protocol.identity.keys import Identity
from protocol.journal.accusation import make_accusation
from protocol.journal.evidence import exhibit
from protocol.journal.statements import Authored, Signed, authored_hash, sign
from protocol.messages import Catalogue
from protocol.replication.raft import Raft
from protocol.wire.codec import CanonicalStruct, decode, encode
from tests.simulation.fortune import Fortune
from tests.simulation.sightings import KINDS, Sightings, read

LOBBY = (
    *("Knock", "Status", "Join", "Denied", "Lobby", "Ready", "Unready", "Leave", "Say", "Chat"),
    *("Watch", "Audience", "PasswordShare", "PasswordProof", "CodeShare", "Meet"),
)
"""What is said before a match, or beside it: no machine of the simulation hears it."""

MESSAGES: tuple[type[msgspec.Struct], ...] = tuple(
    kind for kind in get_args(Catalogue) if kind.__name__ not in LOBBY
)
CODES = ("", "stale", "round", "not_now", "counter", "ancestor", "no", "forbidden proof: x")
_CODES = re.compile(r"\^\(([a-z_|]+)\)\\Z")
"""The pattern of a field that holds one of some codes."""

MAX_MESSAGE = 1024 * 1024

Facts: TypeAlias = Mapping[str, object]


@cache
def _fields(kind: type[msgspec.Struct]) -> dict[str, inspect.Type]:
    shape = inspect.type_info(kind)
    assert isinstance(shape, inspect.StructType)
    return {field.name: field.type for field in shape.fields}


@cache
def _speaker(kind: type[msgspec.Struct]) -> str | None:
    """The field that says who signs: the first operator in it; None where the host does."""
    if kind.__name__ in ("Refusal", "Ordered"):
        return None
    for name, shape in _fields(kind).items():
        if isinstance(shape, inspect.IntType) and shape.lt is not None:
            return name
    return None


class Playing(Protocol):
    """A laptop in a match: whose lies are to look true."""

    @property
    def me(self) -> int: ...

    @property
    def machine(self) -> Raft: ...


class Forger:
    """Makes things up, in one liar's place."""

    def __init__(
        self,
        laptop: Playing,
        keys: Mapping[int, Identity],
        seen: Sightings,
        fortune: Fortune,
        wildness: float,
    ) -> None:
        """`keys` are those of all that conspire; `wildness`: how likely a field is off."""
        self.laptop = laptop
        self._keys = keys
        self._seen = seen
        self._fortune = fortune
        self._wildness = wildness
        self._topic: dict[str, object] = {}  # what an answer is about

    @property
    def is_alone(self) -> bool:
        """Whether it conspires with nobody."""
        return len(self._keys) == 1

    def message(
        self,
        kind: type[msgspec.Struct],
        *,
        about: msgspec.Struct | None = None,
        other: int = 0,
    ) -> msgspec.Struct | None:
        """Something to say, perhaps to what the other has said; None where nothing comes."""
        self._topic = {} if about is None else _told(about, other)
        facts = self._facts()
        made = kind(
            *(self._draw(kind, name, shape, facts) for name, shape in _fields(kind).items())
        )
        self._topic = {}
        return _sound(made)

    def twisted(self, message: msgspec.Struct) -> msgspec.Struct | None:
        """The same with something changed, and signed again where it is ours to sign."""
        names = list(message.__struct_fields__)
        if not names:
            return None
        name = self._fortune.one(names)
        value = getattr(message, name)
        changed: object
        if isinstance(value, Signed):
            changed = self._resigned(value)
        elif isinstance(value, tuple) and value and isinstance(value[0], Signed):
            at = self._fortune.number(0, len(value) - 1)
            if self._fortune.happens(0.5):
                at = len(value) - 1
            other = self._resigned(value[at])
            changed = (*value[:at], other, *value[at + 1 :])
            if self._fortune.happens(0.2):
                changed = value[:at]
        else:
            shape = _fields(type(message))[name]
            changed = self._draw(type(message), name, shape, self._facts())
        return _sound(msgspec.structs.replace(message, **{name: changed}))

    def statement(self, name: str) -> Signed:
        """A statement of this kind: one that was seen, one of those changed, or a new one."""
        luck = self._fortune.number(0, 99)
        old = self._seen.signed(name)
        if old is not None and luck < 20:
            return old
        if old is not None and luck < 50:
            return self._resigned(old)
        kind, _ = KINDS[name]
        facts = dict(self._facts())
        facts.update(self._about(name))
        facts.update(self._topic)
        values = {
            field: self._draw(kind, field, shape, facts)
            for field, shape in _fields(kind).items()
        }
        speaker = _speaker(kind)
        if speaker is not None and not self._fortune.happens(self._wildness / 2):
            values[speaker] = self._me()
        return self._sign(kind(**values))

    def _resigned(self, old: Signed) -> Signed:
        """Another statement in the place of this one."""
        found = read(old)
        if found is None:
            return old
        statement = found[1]
        kind = type(statement)
        facts = self._facts()
        names = list(_fields(kind))
        changes: dict[str, object] = {}
        for field in self._fortune.some(names)[:2]:
            changes[field] = self._wild(kind, field, _fields(kind)[field], facts)
            if field in ("authored", "signature") and "authored" in names:
                said = self._authored()
                changes["authored"], changes["signature"] = said.content, said.signature
        speaker = _speaker(kind)
        if speaker is not None and getattr(statement, speaker) not in self._keys:
            changes[speaker] = self._me()
        return self._sign(msgspec.structs.replace(statement, **changes))

    def _me(self) -> int:
        """Whose key is used: ours, or now and then a friend's."""
        if self._fortune.happens(0.85):
            return self.laptop.me
        return self._fortune.one(list(self._keys))

    def _sign(self, statement: CanonicalStruct) -> Signed:
        """Under the key of whom it names, if we have it."""
        speaker = _speaker(type(statement))
        named = self.laptop.me if speaker is None else getattr(statement, speaker)
        identity = self._keys.get(named, self._keys[self.laptop.me])
        _, domain = KINDS[type(statement).__name__.lower()]
        try:
            return sign(identity, domain, statement)
        except LocalError:  # nothing that a codec would write
            return Signed(b"", bytes(64))

    # Facts.

    def _facts(self) -> dict[str, object]:
        """What an honest program would write into a field of this name, just now."""
        machine, fortune = self.laptop.machine, self._fortune
        replica = machine.replica
        chain = replica.chain
        known = max(replica.confirmed, 0)
        place = fortune.one((chain.head, chain.head, known, fortune.number(0, chain.head)))
        entry = chain.entries[place]
        # An order is for the next place, everything else speaks of one that is there.
        return {
            "table": chain.genesis.table,
            "match": chain.genesis.digest,
            "term": fortune.one((machine.term, machine.term, entry.term, machine.term + 1)),
            "last_term": chain.term,
            "seq": place,
            "head": chain.head,
            "confirmed": place if place <= known else known,
            "hash": chain.hash_at(place if place <= known else known)
            if fortune.happens(0.3)
            else entry.hash,
            "ancestor": chain.hash_at(known),
            "digest": replica.states.ours(place) or b"",
            "counter": chain.last_counter(self.laptop.me) + 1,
            "place": place,
            "known": known,
            "known_hash": chain.hash_at(known),
            "entry": entry.hash,
            "settled": replica.outbox.settled,
            "hosting": fortune.happens(0.5),
            "trial": fortune.happens(0.5),
            **self._topic,
        }

    def _about(self, name: str) -> dict[str, object]:
        """What else is true of a statement of this kind."""
        chain, fortune = self.laptop.machine.replica.chain, self._fortune
        if name == "ordered":
            removes = self._fortune.happens(0.1)
            said = self.statement("removal") if removes else self._authored()
            last = chain.head if fortune.happens(0.6) else fortune.number(0, chain.head)
            return {
                "seq": last + 1,
                "previous": chain.hash_at(last),
                "authored": said.content,
                "signature": said.signature,
                "term": chain.entries[last].term,
            }
        if name == "removal":
            replica = self.laptop.machine.replica
            return {"acks": replica.certificate, "place": replica.confirmed, "term": chain.term}
        if name == "refusal":
            said = self._seen.signed("authored") or self._authored()
            found = read(said)
            if found is not None and isinstance(found[1], Authored):
                told = found[1]
                return {
                    "author": told.author,
                    "counter": told.counter,
                    "hash": authored_hash(said.content),
                }
        if name == "authored":
            return {"counter": self._next_counter()}
        return {}

    def _next_counter(self) -> int:
        chain, me = self.laptop.machine.replica.chain, self.laptop.me
        return max(chain.last_counter(me) + self._fortune.one((1, 1, 0, 2, -1)), 0)

    def _authored(self) -> Signed:
        """What somebody said; or what we say somebody did."""
        if self._fortune.happens(0.5):
            old = self._seen.signed("authored")
            if old is not None:
                return old
        return self.statement("authored")

    def body(self) -> bytes:
        """What an entry may carry: what was said before, a little less, an accusation."""
        luck = self._fortune.number(0, 99)
        if luck < 35:
            condemned = self._seen.signed("authored")
            if condemned is not None:
                return make_accusation(condemned)
        seen = self._seen.value("body")
        body = seen if isinstance(seen, bytes) else b""
        if luck < 70 or not body:
            return body
        at = self._fortune.number(0, len(body) - 1)
        return body[:at] + bytes([body[at] ^ self._fortune.number(1, 255)]) + body[at + 1 :]

    def evidence(self, count: int) -> tuple[bytes, ...]:
        """So many exhibits, of kinds that judges know or others."""
        kinds = self._fortune.some(list(KINDS))
        return tuple(
            exhibit(kind, self.statement(kind))
            for kind in (self._fortune.one(kinds) for _ in range(count))
        )

    # Fields.

    def _draw(
        self, kind: type[msgspec.Struct], name: str, shape: inspect.Type, facts: Facts
    ) -> object:
        if self._fortune.happens(self._wildness):
            return self._wild(kind, name, shape, facts)
        if name in facts:
            return facts[name]
        return self._wild(kind, name, shape, facts)

    def _wild(
        self, kind: type[msgspec.Struct], name: str, shape: inspect.Type, facts: Facts
    ) -> object:
        """Whatever such a field can hold."""
        fortune = self._fortune
        match shape:
            case inspect.UnionType(types=types):
                return self._wild(kind, name, fortune.one(types), facts)
            case inspect.BoolType():
                return fortune.happens(0.5)
            case inspect.IntType():
                return self._integer(name, shape, facts)
            case inspect.StrType(pattern=str(one)) if codes := _CODES.fullmatch(one):
                return fortune.one(codes[1].split("|"))
            case inspect.StrType():
                seen = self._seen.value(name)
                if isinstance(seen, str) and fortune.happens(0.6):
                    return seen
                return fortune.one(CODES)
            case inspect.BytesType():
                return self._bytes(name, shape, facts)
            case inspect.VarTupleType(item_type=item):
                most = min(shape.max_length or 8, 8)
                count = fortune.number(shape.min_length or 0, most)
                return tuple(self._wild(kind, name, item, facts) for _ in range(count))
            case inspect.StructType(cls=inner):
                if inner is Signed:
                    return self.statement(self._kind(kind, name))
                return inner(
                    *(self._draw(inner, one, of, facts) for one, of in _fields(inner).items())
                )
        return None

    def _kind(self, kind: type[msgspec.Struct], name: str) -> str:
        """What a field should hold: what it has held, what its name says, or anything."""
        held = self._seen.carried(kind, name)
        if held and not self._fortune.happens(self._wildness / 4):
            return self._fortune.one(held)
        for singular in (name, name.removesuffix("s")):
            if singular in KINDS:
                return singular
        if name in ("entry", "entries"):
            return "ordered"
        return self._fortune.one(list(KINDS))

    def _integer(self, name: str, shape: inspect.IntType, facts: Facts) -> int:
        fortune = self._fortune
        if shape.lt is not None:
            operators = len(self.laptop.machine.replica.chain.genesis.operators)
            return fortune.number(0, operators - (not fortune.happens(0.03)))
        fact, seen = facts.get(name), self._seen.value(name)
        base = fact if isinstance(fact, int) and fortune.happens(0.5) else seen
        number = base if isinstance(base, int) else fortune.number(0, 40)
        number += fortune.one((0, 0, 1, -1, 1, -1, fortune.number(-8, 8)))
        if fortune.happens(0.01):
            number = fortune.one((0, 2**31, 2**48))
        return min(max(number, shape.ge or 0), 2**48 if shape.le is None else shape.le)

    def _bytes(self, name: str, shape: inspect.BytesType, facts: Facts) -> bytes:
        fortune = self._fortune
        if shape.min_length is not None:
            size = shape.min_length
            seen = self._seen.value(name)
            if isinstance(seen, bytes) and len(seen) == size and fortune.happens(0.6):
                return seen
            other = self._seen.bytes_of(size)
            return other if other is not None and fortune.happens(0.9) else fortune.noise(size)
        match name:
            case "body":
                return self.body()
            case "evidence":
                kind = fortune.one(list(KINDS))
                return exhibit(kind, self.statement(kind))
        seen = self._seen.value(name)
        if isinstance(seen, bytes) and seen and fortune.happens(0.7):
            return seen
        return fortune.one((b"", fortune.noise(min(shape.max_length or 32, 32))))


def _told(message: msgspec.Struct, other: int) -> dict[str, object]:
    """What an answer to a message would say of it: its numbers and hashes, and whose it was."""
    facts: dict[str, object] = {"candidate": other, "operator": other, "author": other}
    for name in message.__struct_fields__:
        value = getattr(message, name)
        if isinstance(value, tuple) and value:
            value = value[-1]
        if isinstance(value, Signed):
            found = read(value)
            if found is not None:
                facts.update(_told(found[1], other))
                facts["authored_hash"] = authored_hash(value.content)
                if isinstance(found[1], Authored):
                    facts["hash"] = authored_hash(value.content)
        elif isinstance(value, int | bytes) and not isinstance(value, bool):
            facts[name] = value
    return facts


def _sound(message: msgspec.Struct) -> msgspec.Struct | None:
    """What a channel would let through: the laptops of the simulation do not look again."""
    try:
        return decode(encode(message), Catalogue, limit=MAX_MESSAGE)
    except (LocalError, RemoteError):
        return None
