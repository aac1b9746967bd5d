"""Honest operators, one to three of three or five, among others who say anything.

What an honest one signs never looks like a lie, and no honest one cuts another or names it. The
others hold their own keys and agree on everything, so that they make whatever histories,
elections and certificates they like; they deliver, delay and lose what honest ones say to each
other. Nothing is drawn that an attacker could not say; what holds here holds for each
honest operator at any table, however many of the others lie.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

import msgspec
import pytest

from protocol.application import FORBIDDEN, Contribution
from protocol.errors import Diverged, Equivocation, ProtocolError, RemoteError, Unavailable
from protocol.journal.accusation import (
    check_accusation,
    is_accusation,
    make_accusation,
    verdict,
)
from protocol.journal.chain import Chain, Entry
from protocol.journal.membership import is_removal, read_removal
from protocol.journal.refusals import illegal_order
from protocol.journal.statements import (
    Ack,
    Authored,
    Ordered,
    Signed,
    Vote,
    entry_hash,
    quorum,
)
from protocol.messages import (
    Acked,
    Commit,
    Elected,
    Entries,
    Follow,
    Heartbeat,
    History,
    Refused,
    Remember,
    RequestVote,
    Submit,
    TrialVote,
    Voted,
    Witness,
)
from protocol.replication.ballot import Ballot
from protocol.replication.effects import (
    Confirm,
    Cut,
    Effect,
    Examine,
    Fail,
    Fold,
    Rewind,
    Send,
    StoreBallot,
    StoreEntry,
    StoreSubmissions,
    Suspect,
    Truncate,
)
from protocol.replication.outbox import Submission
from protocol.replication.raft import Raft
from protocol.replication.replica import Replica
from protocol.replication.timers import Timeouts
from protocol.wire.codec import encode
from tests.protocol.journal.signing import (
    FIRST,
    IDENTITIES,
    ack,
    election,
    order,
    refuse,
    remove,
    said,
    vote,
)
from tests.protocol.tabletop import genesis

TABLES = {3: genesis(IDENTITIES[:3]), 5: FIRST}
"""The beginning of a match, by how many operators it has."""

BAD = b"illegal"
"""A body that no application takes."""

GOODBYE = b"goodbye"
"""Whoever says this has left for good."""


def departed(chain: Chain, place: int) -> frozenset[int]:
    """Who has left for good at this place."""
    entries = chain.entries[1 : place + 1]
    return frozenset(one.author for one in entries if one.body == GOODBYE)


def takes(chain: Chain, body: bytes) -> bool:
    """Whether the application takes it, in this history."""
    if is_removal(body):
        operator, place = read_removal(body)
        return operator in departed(chain, place)
    return body != BAD


class Liars:
    """All that most of five can sign together: a forest of histories, and words about them."""

    def __init__(
        self,
        chance: Random,
        first: Signed,
        names: Sequence[int],
        *,
        careful: bool,
        accuse: bool = False,
    ) -> None:
        """`first`: entry 0 of the match; `careful`: no two of their histories expose a host or
        a voter. `accuse`: they accuse each other and honest ones, and what is `BAD` is
        forbidden.
        """
        self._chance, self._careful, self.names = chance, careful, names
        self._accuse = accuse
        self.bad = f"{FORBIDDEN}illegal: bad" if accuse else "refused"  #: what is said of that
        self._term = 1
        self.first = first
        self.histories = [Chain(first)]
        self.known: dict[bytes, Entry] = {}  #: all that honest ones have ever held
        self.heard: list[Signed] = []  #: what they have said
        self.pledges: dict[Ack | Vote, Signed] = {}  #: what they have acknowledged, and voted

    def grow(self, ours: Chain, shown: int) -> None:
        """One history more, which parts from another one at any place; that may be `ours`, of
        which an honest host has shown so many entries.
        """
        chance = self._chance
        chain = Chain(self.first)
        before = chance.choice(self.histories)
        known = before.entries
        if shown and chance.random() < 0.5:
            known = ours.entries[: shown + 1]
        for entry in known[1 : chance.randint(1, len(known))]:
            chain.append(entry)
        for count in range(chance.randint(1, 3)):
            if (self._careful and count == 0) or chance.random() < 0.4:
                self._term += 1
                term = self._term if self._careful else chain.term + chance.choice((1, 1, 2, 3))
                here = self._here(chain)
                needed = quorum(len(chain.members))
                if len(here) < needed:
                    break
                host = chance.choice(here)
                votes = [vote(chain, one, host, term) for one in chance.sample(here, needed)]
                votes = [*self._votes(chain, host, term), *votes][:needed]
                match = chain.genesis.digest
                elected = election(host, votes, term=term, match=match)
                chain.begin_term(IDENTITIES[host], elected)
            host = chain.host_index(chain.term)
            for _ in range(chance.randint(0, 3) if host in self.names else 0):
                statement = self._removal(chain) or self._statement(chain)
                entry = chain.check(order(chain, statement, signer=IDENTITIES[host]))
                assert entry is not None
                chain.append(entry)
        self.histories.append(chain)

    def _here(self, chain: Chain) -> list[int]:
        return [one for one in self.names if one in chain.members]

    def _votes(self, chain: Chain, host: int, term: int) -> list[Signed]:
        """What honest ones have said for this very host, term and journal."""
        newest = chain.hash_at(chain.head)
        return [
            signed
            for said_so, signed in self.pledges.items()
            if isinstance(said_so, Vote)
            and (said_so.candidate, said_so.term, said_so.hash) == (host, term, newest)
        ]

    def _acks(self, chain: Chain, place: int, term: int) -> list[Signed]:
        """The same of an entry, with those of some liars."""
        chance, here = self._chance, chain.hash_at(place)
        some = chance.sample(self.names, chance.randint(1, len(self.names)))
        theirs = [
            signed
            for said_so, signed in self.pledges.items()
            if isinstance(said_so, Ack) and (said_so.term, said_so.hash) == (term, here)
        ]
        return [*(ack(chain, one, place, term=term) for one in some), *theirs]

    def _removal(self, chain: Chain) -> Signed | None:
        """One that stands by the journal alone, mostly of somebody who has left."""
        chance, here = self._chance, self._here(chain)
        gone = sorted(chain.members & departed(chain, chain.head))
        everybody = sorted(chain.members)
        one = chance.choice(gone if gone and chance.random() < 0.9 else everybody)
        place = chance.randint(chain.membership.since, chain.head)
        needed = quorum(len(chain.members))
        is_here = chain.entries[place].term == chain.term and len(here) >= needed
        if not is_here or len(everybody) < 2 or chance.random() < (0.3 if gone else 0.97):
            return None
        voters = chance.sample(here, needed)
        held = [ack(chain, voter, place, term=chain.term) for voter in voters]
        return remove(chain, one, held)

    def _statement(self, chain: Chain) -> Signed:
        """What may stand next in this history: a liar's, or one that is not."""
        chance = self._chance
        if self.heard and chance.random() < 0.3:
            signed = chance.choice(self.heard)
            told = signed.read(Authored)
            known = chain.place_of(told.ancestor)
            if known is not None and told.counter > chain.last_counter(told.author):
                return signed
        author = chance.choice(self.names)
        if self._accuse and chance.random() < 0.15:
            host = chain.host_index(chain.term)
            author = host if host in self.names else author
            body = self._accusation(chain, author)
        else:
            kind = chance.random()
            body = (
                BAD if kind < 0.1 else GOODBYE if kind < 0.3 else bytes([chance.randrange(256)])
            )
        counter, ancestor = chain.last_counter(author) + 1, self._ancestor(chain)
        return said(chain, author, counter, body, ancestor=ancestor)

    def _ancestor(self, chain: Chain) -> bytes:
        return chain.hash_at(self._chance.choice((0, 0, chain.head, chain.head - 1)))

    def _accusation(self, chain: Chain, accuser: int) -> bytes:
        """A true one or a false one, of whatever somebody has said or could have said."""
        chance, others = self._chance, [one for one in self.names if one != accuser]
        if self.heard and chance.random() < 0.4:
            return make_accusation(chance.choice(self.heard))
        author, body = chance.choice(others or self.names), chance.choice((BAD, b"good"))
        counter, ancestor = chain.last_counter(author) + 1, self._ancestor(chain)
        return make_accusation(said(chain, author, counter, body, ancestor=ancestor))

    def word(self, ours: Raft) -> msgspec.Struct:
        """Anything: mostly of what they have made, often with a part of it changed."""
        chance, chain = self._chance, self._chance.choice(self.histories[-4:])
        place = chance.randint(0, chain.head)
        here = chain.entries[place]
        term = chance.choice((here.term, chain.term, ours.term, ours.term + 1))
        first = chance.randint(1, chain.head) if chain.head else 0
        run = [entry.signed for entry in chain.entries[first : place + 1]]
        acks = tuple(self._acks(chain, place, chance.choice((here.term, here.term, term))))
        elections = [one for one in chain.entries if one.election is not None]
        table = chain.genesis.table
        match chance.randrange(13):
            case 0 | 1 | 2:
                return Entries(tuple(self._spoilt(run)))
            case 3:
                return Commit(place, acks)
            case 4:
                return History(tuple(self._spoilt(run)), acks if chance.random() < 0.8 else ())
            case 5 if elections:
                chosen = chance.choice(elections)
                return Elected(chosen.inside)
            case 6:
                hosting = chance.random() < 0.7
                return Heartbeat(term, hosting, chain.head, place, here.hash)
            case 7:
                trial = chance.random() < 0.4
                return RequestVote(term, here.term, place, here.hash, trial)
            case 8:
                return Witness(here.signed)
            case 9:
                voter, candidate = (
                    chance.choice(self.names),
                    chance.choice(sorted(chain.members)),
                )
                one = vote(chain, voter, candidate, term, seq=place)
                return chance.choice((Voted(one), TrialVote(term, granted=True)))
            case 10:
                return Follow(table, chance.choice((0, term)), place, here.hash, 0)
            case 11:
                statement = self._statement(chain)
                if chance.random() < 0.3:
                    return Refused(refuse(chain, statement))
                return Submit(statement)
            case _:
                heard = chance.choice(self.heard) if self.heard else None
                return Remember(chance.choice((None, heard)), None, term, place)

    def hosts(self, ours: Raft) -> list[tuple[int, msgspec.Struct]]:
        """A host of one history shows it as it should, in pieces; the last may be anything."""
        chance, chain = self._chance, self._chance.choice(self.histories)
        host, known = chain.host_index(chain.term), ours.replica.chain
        words: list[tuple[int, msgspec.Struct]] = []
        if host not in self.names:
            return words  # an honest one says what it says itself
        for one in chain.entries:
            if one.election is not None and one.term == chain.term:
                words.append((host, Elected(one.inside)))
        common = next(
            (
                seq
                for seq in range(chain.head, 0, -1)
                if known.place_of(chain.hash_at(seq)) == seq
            ),
            0,
        )
        rest = [entry.signed for entry in chain.entries[common + 1 :]]
        while rest:
            size = chance.randint(1, len(rest))
            piece, rest = rest[:size], rest[size:]
            if not rest and chance.random() < 0.5:
                piece = self._spoilt([*piece, chance.choice(chain.entries).signed])
            words.append((host, Entries(tuple(piece))))
            if chance.random() < 0.2:
                acks = tuple(self._acks(chain, chain.head, chain.term))
                words.append((host, Commit(chain.head, acks)))
            if chance.random() < 0.2:
                words.append((chance.choice(self.names), self.word(ours)))
        return words

    def _spoilt(self, run: Sequence[Signed]) -> list[Signed]:
        """Some of them, now and then in another order, twice, or with a part changed."""
        chance, run = self._chance, [*run]
        if run and chance.random() < 0.2:
            chance.shuffle(run)
        if run and chance.random() < 0.2:
            other = chance.choice(self.histories)
            run.insert(chance.randint(0, len(run)), chance.choice(other.entries).signed)
        if run and chance.random() < 0.2:
            at = chance.randrange(len(run))
            ordered = run[at].read(Ordered)
            changed = msgspec.structs.replace(ordered, seq=ordered.seq + chance.choice((1, 5)))
            run[at] = Signed(encode(changed), run[at].signature)
        return run


class Honest:
    """A machine with its disk and its application, which take their time."""

    def __init__(self, me: int, chance: Random, liars: Liars) -> None:
        self.me, self.chance, self.liars, self.now = me, chance, liars, 0.0
        self.others: dict[int, Honest] = {}
        self.letters: deque[tuple[int, msgspec.Struct]] = deque()  #: on their way to others
        self.disk: list[Entry] = [*Chain(liars.first).entries]
        self.ballot = Ballot()
        self.certificate: tuple[Signed, ...] = ()
        self.said: list[Ack | Vote] = []
        self.known = liars.known
        self.submissions: list[Submission] = []  #: on the disk
        self.words: dict[int, bytes] = {}  #: what has left, by its counter
        self.asked: RequestVote | None = None  #: the vote that it wants
        self.orders: dict[tuple[int, int], bytes] = {}  #: what it has put where, as a host
        self.shown = b""  #: the newest entry that it has sent to anybody, as a host
        self.acknowledged = (1, 0)  #: the age of the newest journal that it has
        self.confirmed: list[bytes] = []
        self.suspects: set[int] = set()
        self.ended: Fail | None = None
        self._jobs: deque[Effect] = deque()
        self._transaction: list[Truncate | StoreEntry | Confirm] = []
        self._timing = Timeouts(jitter=0.0)
        self._begin(None)

    def _begin(self, ballot: Ballot | None) -> None:
        chain = Chain(self.liars.first)
        for entry in self.disk[1:]:
            chain.append(entry)
        stopped = self._replay(chain)
        replica = Replica(
            identity=IDENTITIES[self.me],
            me=self.me,
            chain=chain,
            certificate=self.certificate if chain.head == len(self.disk) - 1 else (),
            submissions=self.submissions,
        )
        self.machine = Raft(
            replica, now=self.now, timing=self._timing, chance=self.chance, ballot=ballot
        )
        # A certificate that was not written yet is forgotten; a majority of honest ones has it.
        del self.confirmed[replica.confirmed + 1 :]
        self._jobs.clear()
        self._transaction.clear()
        self.letters.clear()
        if stopped is not None:
            fault, place, author, body, code = stopped
            replica.note_verdict(place, author, body, code)
            self.ended = Fail(fault)
            return
        self.do(self.machine.start(self.now))
        for one in self.liars.names:
            self.do(self.machine.linked(self.now, one))

    def _replay(self, chain: Chain) -> tuple[RemoteError, int, int, bytes, str | None] | None:
        """The application folds it again. The match has stopped, and its journal ends, before
        what proves that somebody cheated (`folding.replay`): that, and what was judged after
        which entry.
        """
        for entry in chain.entries[1:]:
            if is_accusation(entry.body):
                condemned = check_accusation(chain, entry)
                told, place = condemned.statement, condemned.ancestor
                code = self.liars.bad if told.body == BAD else None
                fault = verdict(chain, entry, told.author, code)
                chain.truncate(entry.seq - 1)
                return fault, place, told.author, told.body, code
            if entry.election is None and not takes(chain, entry.body):
                code = self.liars.bad if entry.body == BAD else "refused"
                fault = illegal_order(chain.host_of(entry.term), entry.exhibit(), code)
                chain.truncate(entry.seq - 1)
                return fault, entry.seq - 1, entry.author, entry.body, code
        return None

    def restart(self) -> None:
        """What was not on the disk is lost."""
        for other in self.others.values():
            self._part(other)
        self._begin(self.ballot)
        for other in self.others.values():
            self.meet(other)

    def meet(self, other: Honest) -> None:
        """They are linked anew; what was on its way is lost."""
        self._part(other)
        for one, two in ((self, other), (other, self)):
            if self.ended is None and other.ended is None:
                one.do(one.machine.linked(one.now, two.me))

    def _part(self, other: Honest) -> None:
        for one, two in ((self, other), (other, self)):
            kept = [letter for letter in one.letters if letter[0] != two.me]
            one.letters = deque(kept)
            one.do(one.machine.unlinked(one.now, two.me))

    def deliver(self, count: int) -> None:
        """So many of its letters arrive."""
        while count > 0 and self.letters and self.ended is None:
            to, word = self.letters.popleft()
            self.others[to].hear(self.me, word)
            count -= 1

    def say(self, key: int) -> None:
        """Its game wants it to make a statement."""
        self.do(self.machine.write([Contribution(key=bytes([key]), body=bytes([key]))]))

    def hear(self, operator: int, word: msgspec.Struct) -> None:
        if self.ended is None:
            self.do(self.machine.hear(self.now, operator, word))

    def wait(self, seconds: float) -> None:
        self.now += seconds
        if self.ended is None:
            self.do(self.machine.tick(self.now))

    def work(self, jobs: int) -> None:
        """The disk and the application are done with what they were asked first."""
        while jobs > 0 and self._jobs and self.ended is None:
            self._work()
            jobs -= 1

    def _work(self) -> None:
        job = self._jobs.popleft()
        if isinstance(job, Truncate | StoreEntry | Confirm):
            self._transaction.append(job)
            if isinstance(job, StoreEntry) and not job.lazy:
                self._commit()
        elif isinstance(job, StoreBallot):
            self._commit()
            self.ballot = job.ballot
            self.do(self.machine.balloted(self.now, job.ballot))
        elif isinstance(job, Fold):
            code = None
            if not takes(self.machine.replica.chain, job.body):
                code = self.liars.bad if job.body == BAD else "refused"
            self.do(self.machine.folded(job.seq, code, None))
        elif isinstance(job, Examine):
            is_bad = job.statement.body == BAD
            self.do(self.machine.examined(job.key, self.liars.bad if is_bad else None))
        elif isinstance(job, StoreSubmissions):
            self._commit()
            self.submissions += job.submissions
            self.do(self.machine.kept([one.counter for one in job.submissions]))

    def _commit(self) -> None:
        """All that was written since the last time is on the disk, or none of it."""
        written, self._transaction = self._transaction, []
        for one in written:
            if isinstance(one, Truncate):
                del self.disk[one.seq + 1 :]
            if isinstance(one, StoreEntry):
                self.disk.append(one.entry)
            else:
                self.certificate = one.certificate
        for one in written:
            if isinstance(one, StoreEntry):
                self.do(self.machine.stored(one.entry.seq, one.entry.hash))

    def do(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if self.ended is not None:
                return
            if isinstance(effect, Send) and effect.operator in self.others:
                self.letters.append((effect.operator, effect.message))
            match effect:
                case StoreEntry(entry):
                    self.known[entry.hash] = entry
                    self._jobs.append(effect)
                case Examine(_, place):
                    # The application, made anew, could refuse what it has not taken yet.
                    assert place <= self.machine.replica.folded, "it examines too early"
                    self._jobs.append(effect)
                case StoreBallot() | StoreSubmissions() | Truncate() | Fold():
                    self._jobs.append(effect)
                case Rewind():  # what the application was asked before is void
                    asked = [job for job in self._jobs if not isinstance(job, Fold)]
                    self._jobs = deque(asked)
                case Confirm(seq):
                    self._jobs.append(effect)
                    self._confirm(seq)
                    left = departed(self.machine.replica.chain, seq)
                    self.do(self.machine.departed(left))
                case Send(_, Acked(signed)):
                    said_so = signed.read(Ack)
                    self.said.append(said_so)
                    self.liars.pledges[said_so] = signed
                    age = self.age_of(said_so.hash)
                    self.acknowledged = max(self.acknowledged, age or (1, 0))
                case Send(_, Submit(signed)):
                    told = signed.read(Authored)
                    if told.author == self.me:
                        same = self.words.setdefault(told.counter, signed.content)
                        assert same == signed.content, "it says two things under one number"
                        self.liars.heard.append(signed)
                case Send(_, Voted(signed)):
                    given = signed.read(Vote)
                    self.said.append(given)
                    self.liars.pledges[given] = signed
                case Send(_, RequestVote() as asked):
                    self.asked = asked
                case Send(_, Entries(entries)):
                    for signed in entries:
                        self._ordered(signed.read(Ordered), signed)
                case Suspect(operator):
                    self.suspects.add(operator)
                case Cut(operator, fault):
                    self._cut(operator, fault)
                case Fail():
                    self.ended = effect

    def _cut(self, operator: int, fault: ProtocolError) -> None:
        """As the driver does: what everybody would find ends the match."""
        if self.machine.replica.exposes(fault):
            self.ended = Fail(fault)
            return
        assert self._may_cut(operator), f"it cuts an honest one: {fault}"
        if operator in self.others:
            self.meet(self.others[operator])
        else:
            self.do(self.machine.unlinked(self.now, operator))
            self.do(self.machine.linked(self.now, operator))

    def _may_cut(self, operator: int) -> bool:
        """A liar; or who shows another history than a majority has signed for here, until that
        one is confirmed here too and they compare.
        """
        if operator not in self.others:
            return True
        ours, theirs = self.machine.replica, self.others[operator].machine.replica.chain
        sure = ours.chain.entries[1 : ours.certain + 1]
        return any(entry.hash != theirs.hash_at(entry.seq) for entry in sure[: theirs.head])

    def _ordered(self, ordered: Ordered, signed: Signed) -> None:
        if self.machine.replica.chain.host_index(ordered.term) == self.me:
            place = ordered.term, ordered.seq
            self.shown = entry_hash(signed.content)
            same = self.orders.setdefault(place, signed.content) == signed.content
            assert same, "it orders two things at one place"

    def _confirm(self, seq: int) -> None:
        hashes = [entry.hash for entry in self.machine.replica.chain.entries[: seq + 1]]
        shorter = min(len(hashes), len(self.confirmed))
        assert hashes[:shorter] == self.confirmed[:shorter], "what was confirmed has changed"
        self.confirmed = max(hashes, self.confirmed, key=len)

    def age_of(self, entry_hash: bytes) -> tuple[int, int] | None:
        """The term and number of an entry; None of one that was never held here."""
        entry = self.known.get(entry_hash)
        return None if entry is None else (entry.term, entry.seq)


def elect_honest(honest: Honest, voters: list[int]) -> None:
    """It wants to host, and has their votes."""
    honest.work(99)
    honest.wait(30.0)
    for one in voters:
        if (asked := honest.asked) is not None and asked.trial:
            honest.hear(one, TrialVote(asked.term, granted=True))
    honest.work(99)
    for one in voters:
        if (asked := honest.asked) is not None and not asked.trial:
            chain = honest.machine.replica.chain
            given = vote(chain, one, honest.me, asked.term, seq=asked.seq, hashed=asked.hash)
            honest.hear(one, Voted(given))
            follow = Follow(chain.genesis.table, asked.term, 0, chain.hash_at(0), 0)
            honest.hear(one, follow)
    honest.work(99)
    for _ in range(honest.chance.choice((0, 0, 1, 3))):
        honest.wait(0.1)
        chain = honest.machine.replica.chain
        for one in voters:
            place = honest.chance.choice((chain.head, chain.head, chain.head - 1))
            honest.hear(one, Acked(ack(chain, one, max(place, 0), term=honest.machine.term)))
        honest.work(99)


def play(
    seed: int, names: Sequence[int] = (4,), operators: int = 5, steps: int = 150
) -> list[Honest]:
    """So many words of liars to these honest ones, with time, work and restarts between."""
    chance = Random(seed)
    others = [one for one in range(operators) if one not in names]
    liars = Liars(
        chance, TABLES[operators], others, careful=seed % 2 == 0, accuse=seed % 3 == 0
    )
    table = [Honest(me, chance, liars) for me in names]
    for one in table:
        one.others = {other.me: other for other in table if other is not one}
    for one, other in combinations(table, 2):
        one.meet(other)
    for step in range(steps):
        if step % 10 == 0:
            chance.choice(table).say(step)
        if chance.random() < 0.15:
            honest = chance.choice(table)
            chain = honest.machine.replica.chain
            liars.grow(chain, chain.place_of(honest.shown) or 0)
        else:
            _befall(chance.choice(table), liars, chance)
        for one in table:
            one.deliver(chance.choice((0, 1, 9)) if one.letters else 0)
        if any(one.ended is not None for one in table):
            break
        for one in table:
            chain = one.machine.replica.chain
            assert chain.age >= one.acknowledged, "its journal has grown older"
            assert one.machine.term >= chain.term, "it is in a term that its journal has over"
    return table


def _befall(honest: Honest, liars: Liars, chance: Random) -> None:
    draw = chance.random()
    if draw < 0.25:
        for operator, word in liars.hosts(honest.machine):
            honest.hear(operator, word)
            honest.work(chance.choice((0, 9)))
    elif draw < 0.6:
        operator = chance.choice(liars.names)
        host = honest.machine.host
        if host in liars.names and chance.random() < 0.5:
            operator = host
        honest.hear(operator, liars.word(honest.machine))
    elif draw < 0.66:
        honest.wait(30.0)  # long enough for it to want another host …
        chain = chance.choice(liars.histories)
        place = chance.randint(0, chain.head)
        here, term = chain.entries[place], honest.machine.term + chance.choice((0, 1))
        asked = RequestVote(term, here.term, place, here.hash, False)
        honest.hear(chance.choice(liars.names), asked)  # … and for a liar to ask for its vote
    elif draw < 0.7:
        elect_honest(honest, chance.sample(liars.names, min(3, len(liars.names))))
    elif draw < 0.76:
        honest.wait(chance.choice((0.1, 0.5, 2.0, 5.0)))
    elif draw < 0.96 or not honest.others:
        honest.work(chance.randint(1, 9))
    elif draw < 0.98:
        honest.meet(chance.choice([*honest.others.values()]))
    if draw > 0.99 and honest.ended is None:
        honest.restart()


def looks_honest(honest: Honest) -> str:
    """What others could hold against it; "" for nothing."""
    candidates: dict[int, int] = {}
    held: dict[tuple[int, int], bytes] = {}
    acked = (1, 0)
    for one in honest.said:
        age = honest.age_of(one.hash)
        if isinstance(one, Ack):
            acked = max(acked, age or acked)
            if age == (one.term, one.seq) and held.setdefault(age, one.hash) != one.hash:
                return "two acknowledgements of one place"
        elif candidates.setdefault(one.term, one.candidate) != one.candidate:
            return "two votes in one term"
        elif age is not None and age < acked:
            return "a vote for a journal older than what it has acknowledged"
    fault = None if honest.ended is None else honest.ended.fault
    if isinstance(fault, Unavailable):
        return f"it goes home: {fault}"
    is_shown = honest.machine.replica.exposes(fault) if fault is not None else True
    if isinstance(fault, RemoteError) and not (isinstance(fault, Diverged) or is_shown):
        return f"it stops for what nobody else would find: {fault}"
    innocent = [IDENTITIES[one].public for one in (honest.me, *honest.others)]
    if isinstance(fault, RemoteError) and fault.culprit in innocent:
        return "it exposes an honest one"
    known = Chain(honest.liars.first)
    for entry in honest.machine.replica.chain.entries[1:]:
        checked = known.check(entry.signed)  # as everybody else does
        assert checked is not None
        known.append(checked)
    return ""


def fall_silent(table: Sequence[Honest]) -> None:
    """The liars are gone; the honest ones have a minute for each other."""
    for one in table:
        for operator in one.liars.names:
            one.do(one.machine.unlinked(one.now, operator))
    for _ in range(240):
        for one in table:
            one.wait(0.25)
            one.work(99)
            one.deliver(99)


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_nothing_that_an_honest_operator_signs_looks_like_a_lie(first: int) -> None:
    """One candidate a term, and no vote for a journal older than one that it has acknowledged;
    what it knows confirmed stays.
    """
    for seed in range(first, first + 20):
        (honest,) = play(seed)
        assert looks_honest(honest) == "", seed


@pytest.mark.parametrize(
    ("names", "operators"), [((3, 4), 5), ((2, 3, 4), 5), ((1, 2), 3), ((0, 2), 3)]
)
@pytest.mark.parametrize("first", range(0, 20, 10))
def test_honest_operators_never_turn_on_each_other(
    first: int, names: Sequence[int], operators: int
) -> None:
    """Nor cut each other; what two signatures show to one, they show to all; who has another
    history confirmed than another one knows of somebody who forgot, or has stopped.
    """
    for seed in range(first, first + 10):
        table = play(seed, names, operators)
        assert not any(looks_honest(one) for one in table), seed
        ended = [one.ended.fault for one in table if one.ended is not None]
        if not ended:
            fall_silent(table)
            parted = [pair for pair in combinations(table, 2) if is_parted(*pair)]
            # Who stops answers no more here; its session would, until both have compared.
            assert all(any(one.ended or one.suspects for one in pair) for pair in parted), seed
        for fault in ended:
            assert not isinstance(fault, Equivocation) or all(
                one.ended or one.machine.replica.exposes(fault) for one in table
            ), seed


def is_parted(one: Honest, other: Honest) -> bool:
    shorter = min(len(one.confirmed), len(other.confirmed))
    return one.confirmed[:shorter] != other.confirmed[:shorter]


def test_the_machine_gets_as_far_as_to_be_tempted() -> None:
    """It acknowledges, votes and confirms in these seeds, so that they could tell."""
    played = [honest for seed in range(40) for honest in play(seed)]
    words = [one for honest in played for one in honest.said]
    assert sum(isinstance(one, Ack) for one in words) > 100
    assert sum(isinstance(one, Vote) for one in words) > 5
    assert sum(len(honest.confirmed) > 1 for honest in played) > 5
    assert sum(len(honest.orders) for honest in played) > 20
    assert sum(len(honest.words) for honest in played) > 20
