"""Several matches of the same five people: what honest ones sign in each, and what the one
among them who lies makes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from protocol.identity.keys import Identity
from protocol.journal.chain import Chain
from protocol.journal.election import make_election
from protocol.journal.evidence import exhibit
from protocol.journal.genesis import make_genesis
from protocol.journal.membership import make_removal
from protocol.journal.statements import (
    DOMAIN_ACK,
    DOMAIN_AUTHORED,
    DOMAIN_ORDERED,
    DOMAIN_REFUSAL,
    DOMAIN_VOTE,
    Ack,
    Authored,
    Ordered,
    Refusal,
    Removal,
    Signed,
    Vote,
    agree_to,
    authored_hash,
    quorum,
    sign,
)
from protocol.wire.codec import encode
from tests.protocol.tabletop import lobby

ILLEGAL = b"illegal"
"""Begins what the game forbids, in every match."""

Statements = dict[str, list[Signed]]


class Evening:
    """One match, as honest ones play it: `said` has all that they sign, by kind."""

    def __init__(
        self, chance: Random, people: Sequence[Identity], table: bytes, liar: Identity
    ) -> None:
        """`people`: in the order of the roster, so that the first hosts."""
        self._chance, self.people, self._liar = chance, people, liar
        self._table = table
        self.said: Statements = {
            kind: [] for kind in ("ordered", "authored", "ack", "refusal", "vote", "election")
        }
        terms = lobby(people, table).terms
        agreed = [agree_to(terms, one, chance.randbytes(16)) for one in people]
        self.chain = Chain(make_genesis(people[0], terms, tuple(agreed)))
        self.match = self.chain.genesis.digest
        self.said["ordered"].append(self.chain.entries[0].signed)
        self._counters = [0] * len(people)

    @property
    def host(self) -> Identity:
        """Who orders now."""
        return self.people[self.chain.host_index(self.chain.term)]

    def pass_by(self, steps: int) -> None:
        """So much happens."""
        for _ in range(steps):
            self._chance.choice(
                (self._say, self._say, self._refuse, self._acknowledge, self._elect)
            )()

    def _say(self) -> None:
        author = self._chance.randrange(len(self.people))
        self._order(self.chain.extend(self.host, self._word(author, b"fine")).signed)

    def _word(self, author: int, body: bytes) -> Signed:
        self._counters[author] += 1
        ancestor = self.chain.hash_at(self._chance.randint(0, self.chain.head))
        said = Authored(self.match, author, self._counters[author], ancestor, body)
        signed = sign(self.people[author], DOMAIN_AUTHORED, said)
        self.said["authored"].append(signed)
        return signed

    def _refuse(self) -> None:
        author = self.people.index(self._liar)
        word, place = self._word(author, ILLEGAL), self.chain.head
        refusal = Refusal(
            self.match,
            self.chain.term,
            author,
            self._counters[author],
            authored_hash(word.content),
            place,
            self.chain.hash_at(place),
            "forbidden",
        )
        self.said["refusal"].append(sign(self.host, DOMAIN_REFUSAL, refusal))

    def _acknowledge(self) -> None:
        operator, place = self._chance.randrange(len(self.people)), self.chain.head
        term, here = self.chain.term, self.chain.hash_at(place)
        ack = Ack(self.match, term, operator, place, here, b"")
        self.said["ack"].append(sign(self.people[operator], DOMAIN_ACK, ack))

    def _elect(self) -> None:
        count, term, head = len(self.people), self.chain.term + 1, self.chain.head
        candidate = self._chance.randrange(count)
        others = [one for one in range(count) if one != candidate]
        voters = [candidate, *self._chance.sample(others, quorum(count) - 1)]
        here = self.chain.hash_at(head)
        votes = [
            sign(
                self.people[one],
                DOMAIN_VOTE,
                Vote(self.match, term, one, candidate, head, here),
            )
            for one in voters
        ]
        self.said["vote"] += votes
        made = make_election(self.people[candidate], self.match, term, candidate, votes)
        self.said["election"].append(made)
        self._order(self.chain.begin_term(self.people[candidate], made).signed)

    def _order(self, signed: Signed) -> None:
        self.said["ordered"].append(signed)
        if self._chance.random() < 0.2:
            self.said["ordered"].append(self._of_an_older_version())

    def _of_an_older_version(self) -> Signed:
        """As its host signed it while statements named their table and no match."""
        author, counter = self._chance.randrange(len(self.people)), self._chance.randint(1, 9)
        words = (self._table, author, counter, self._chance.randbytes(32), b"fine")
        ordered = Ordered(
            self.chain.term,
            self._chance.randint(0, 9),
            self._chance.randbytes(32),
            encode(words),
            bytes(64),
        )
        return sign(self.host, DOMAIN_ORDERED, ordered)


class Evenings:
    """Our match, others of the same people, and what the liar signs with parts of them all."""

    def __init__(self, seed: int, people: Sequence[Identity]) -> None:
        chance = self.chance = Random(seed)
        self.liar = chance.choice(people)
        hosts = [chance.sample(people, len(people)) for _ in range(3)]
        tables = [chance.randbytes(16) for _ in hosts]
        for at, order in enumerate(hosts):
            if order[0] == self.liar:  # a host names its table as another was named
                tables[at] = tables[chance.randrange(len(tables))]
        self.ours, *self.others = [
            Evening(chance, order, table, self.liar)
            for order, table in zip(hosts, tables, strict=True)
        ]
        for one in (self.ours, *self.others):
            one.pass_by(12)
        self.said: Statements = {
            kind: [signed for one in (self.ours, *self.others) for signed in one.said[kind]]
            for kind in self.ours.said
        }
        for _ in range(8):
            self.said["ordered"].append(self._graft())

    def _graft(self) -> Signed:
        """The liar orders anything, after anything."""
        chance = self.chance
        one = chance.choice((self.ours, *self.others))
        inside = chance.choice(
            [*self.said["authored"], *self.said["election"], self._removal(one)]
        )
        place = chance.randint(0, one.chain.head)
        ordered = Ordered(
            chance.randint(1, one.chain.term),
            place + chance.choice((0, 1, 1, 1, 2)),
            one.chain.hash_at(place),
            inside.content,
            inside.signature,
        )
        return sign(self.liar, DOMAIN_ORDERED, ordered)

    def _removal(self, one: Evening) -> Signed:
        host = one.people.index(self.liar)
        acks = tuple(one.said["ack"][:3]) or (self.said["authored"][0],)
        return make_removal(self.liar, Removal(one.match, one.chain.term, host, 1, 0, acks))

    def evidence(self) -> tuple[bytes, ...]:
        """Some exhibits, mostly under their right names."""
        kinds = ("ordered", "ordered", "authored", "ack", "refusal", "vote")
        found = []
        for kind in self.chance.choices(kinds, k=self.chance.choice((1, 1, 2, 2, 2, 3))):
            called = self.chance.choice(kinds) if self.chance.random() < 0.05 else kind
            if self.said[kind]:
                found.append(exhibit(called, self.chance.choice(self.said[kind])))
        return tuple(found)

    def reader(self) -> Chain:
        """Somebody's journal of our match, as far as it has come."""
        entries, last = self.ours.chain.entries, self.chance.randint(0, self.ours.chain.head)
        chain = Chain(entries[0].signed)
        for entry in entries[1 : last + 1]:
            chain.append(entry)
        return chain
