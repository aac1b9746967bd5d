"""Who could read which card: a ledger of names over all that honest laptops hold and say.

What honest laptops know confirmed is a tree whose leaves are the histories of the match. A
share may be sent and never ordered; whoever was sent it has seen it, so the ledger has it at
the place at which it was made. In a history that has given way on all that held it
(`inquest.py` says when that may be) nobody plays, and nothing is closed; what was said there
has been heard.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations

import msgspec

from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.session.trust import standing
from protocol.application import Genesis
from protocol.cards.group import Point
from protocol.errors import RemoteError
from protocol.journal.accusation import is_accusation
from protocol.journal.chain import Entry
from protocol.journal.statements import Authored, Ordered, Signed, check_author
from protocol.replication.replica import Replica
from tests.match.histories import (
    Orders,
    Said,
    Seen,
    by_the_rules,
    closed,
    leaks_of,
    look_at,
    readable,
)
from tests.simulation.sightings import read
from tests.world.person import Person, runtime_of

Look = tuple[Seen, Match]

_SHARES = bodies.Shared | bodies.Opened | bodies.Answered | bodies.Recovered


class Ledger:
    """Watches the programs of `honest` persons; `orders`: how every shuffle went."""

    def __init__(self, honest: Callable[[], Iterable[Person]], orders: Orders) -> None:
        self._honest = honest
        self._orders = orders
        self._entries: dict[bytes, Entry] = {}
        self._genesis: dict[bytes, Genesis] = {}  # by the hash of entry 0
        self._inner: set[bytes] = set()  # the entries that others follow
        self._ends: dict[bytes, None] = {}  # the newest entry of each history
        self._newest: dict[tuple[str, bytes], bytes] = {}  # by name and genesis: the end held
        self._seen: dict[Replica, int] = {}
        self._said: dict[Signed, Authored] = {}  # shares, whoever signed them
        self._known: set[Signed] = set()

    def look(self) -> None:
        """Note what has been confirmed since the last look."""
        for person in self._honest():
            runtime = runtime_of(person)
            if runtime is not None:
                self._follow(person.laptop.name, runtime.machine.replica)

    def _follow(self, name: str, replica: Replica) -> None:
        chain, seen = replica.chain, self._seen.get(replica, -1)
        if replica.confirmed <= seen:
            return
        for entry in chain.entries[seen + 1 : replica.confirmed + 1]:
            self._entries.setdefault(entry.hash, entry)
            self._inner.add(entry.previous)
            self._ends.pop(entry.previous, None)
        first, last = chain.hash_at(0), chain.hash_at(replica.confirmed)
        self._genesis[first] = chain.genesis
        if last not in self._inner:
            self._ends[last] = None
        before = self._newest.setdefault((name, first), last)
        if self._entries[before].seq <= replica.confirmed:
            self._newest[name, first] = last
        self._seen[replica] = replica.confirmed

    def hear(self, message: msgspec.Struct) -> None:
        """Something that a member of the adversary has been told, to the innermost word."""
        for name in message.__struct_fields__:
            value = getattr(message, name)
            for one in value if isinstance(value, tuple) else (value,):
                if isinstance(one, Signed) and one not in self._known:
                    self._known.add(one)
                    self._hear(one)

    def _hear(self, signed: Signed) -> None:
        found = read(signed)
        match found and found[1]:
            case Ordered() as order:
                self._hear(Signed(order.authored, order.signature))
            case Authored() as said if _is_share(said.body):
                self._said[signed] = said

    # What follows from it.

    def histories(self, liars: Collection[bytes] = ()) -> Iterator[tuple[Look, bool]]:
        """Each of them folded once more, with all that honest ones said beside it, and whether
        somebody still holds it. What the `liars` (by their keys) give away of what they hold is
        theirs to give.
        """
        held = set(self._newest.values())
        aside: dict[bytes, list[Signed]] = defaultdict(list)
        for signed, said in self._said.items():
            aside[said.ancestor].append(signed)
        for end in self._ends:
            path = [self._entries[end]]
            while path[-1].seq:
                path.append(self._entries[path[-1].previous])
            genesis = self._genesis[path.pop().hash]
            identities = [one.identity for one in genesis.operators]
            words: list[Said] = []
            for entry in reversed(path):
                if entry.election is None and not is_accusation(entry.body):
                    told = [
                        (said.author, said.body)
                        for signed in aside.get(entry.hash, ())
                        if (said := self._said[signed]).author < len(identities)
                        and identities[said.author] not in liars
                        and _is_by(identities[said.author], signed)
                    ]
                    words.append(Said(entry.seq, entry.author, entry.body, told))
            yield look_at(genesis, words, self._orders), end in held

    def wrongs(self, keys: Sequence[bytes]) -> Iterator[str]:
        """What these members have read that is hidden from them, in all histories of a match;
        what any others below the threshold would; and what a screen says of trust and is not
        so.
        """
        by_match: dict[bytes, list[tuple[Look, bool]]] = defaultdict(list)
        for look, is_held in self.histories(keys):
            by_match[look[1].genesis.digest].append((look, is_held))
        for found in by_match.values():
            looks = [look for look, _ in found]
            identities = [one.identity for one in looks[0][1].genesis.operators]
            members = frozenset(
                place for place, identity in enumerate(identities) if identity in keys
            )
            for number, slot, kind in leaks_of(looks, members):
                if found[number][1]:
                    yield f"{sorted(members)} read slot {slot} ({kind}) of history {number}"
            for look in looks:
                yield from _of_one(*look, members)


def _of_one(seen: Seen, match: Match, members: frozenset[int]) -> Iterator[str]:
    if match.stage in ("commit", "key", "escrow") or match.keys.given:
        return
    everybody = range(match.operators)
    told = {me: standing(match, me).holders for me in everybody}

    def could(some: frozenset[int], me: int) -> bool:
        return any(len(some.intersection(one.laptops)) >= one.needed for one in told[me])

    sets = {members, *(frozenset(one) for one in _some(everybody, match))}
    for some in sets:
        legal = by_the_rules(seen, some)
        read_by_some = readable(seen, some)
        for slot, kind, mask in closed(match):
            seat = match.seat_of(slot)
            owner = match.keepers[seat] if seat >= 0 else None
            opens = any(
                could(some, one) for one in everybody if one not in some
            ) or some == frozenset(everybody)
            if mask in read_by_some and mask not in legal and not opens:
                yield f"{sorted(some)} may read slot {slot} ({kind} of {owner})"
    for me in everybody:
        for holders in told[me]:
            enough = frozenset(holders.laptops[: holders.needed])
            if not _hand(match, me) <= readable(seen, enough):
                yield f"{sorted(enough)} could not open the hand of {me}, and it is told so"


def _some(everybody: Iterable[int], match: Match) -> Iterator[tuple[int, ...]]:
    """Sets that are one short of the escrow's threshold: whoever is in a smaller one reads no
    more.
    """
    laptops = tuple(everybody)
    needed = match.keys.needed or len(laptops)
    found = [*combinations(laptops, min(needed - 1, len(laptops) - 1))]
    return iter(found[:: max(1, len(found) // 6)])


def _hand(match: Match, me: int) -> set[Point]:
    return {
        mask
        for slot, kind, mask in closed(match)
        if kind == "hand" and match.keepers[match.seat_of(slot)] == me
    }


def _is_by(public: bytes, authored: Signed) -> bool:
    """Whether it has signed this: liars forge words for one another, too."""
    try:
        check_author(public, authored)
    except RemoteError:
        return False
    return True


def _is_share(body: bytes) -> bool:
    try:
        return isinstance(bodies.read(body), _SHARES)
    except RemoteError:
        return False
