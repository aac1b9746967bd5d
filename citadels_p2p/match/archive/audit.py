"""A journal folded again by somebody who trusts nobody: `citadels verify`.

Checked are the chain, every signature, every proof, every commitment and every rule; then what
the journal as a whole assures (`assurance.py`). The first entry at fault is named with who made
it, but only where what they signed shows it: the file itself may have been changed by anybody.
What we checked while we played needs no second look where only we read it: docs/decisions, 36.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from citadels_p2p.match.archive.assurance import (
    Complaint,
    Keys,
    Seals,
    WrongSeal,
    check_hidden,
    confirmed,
    judged,
    keys_of,
    weigh,
)
from citadels_p2p.match.asks import over_of
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.news import OverNews, names_of
from protocol.application import Genesis
from protocol.errors import RemoteError, VersionMismatch
from protocol.journal import evidence
from protocol.journal.accusation import check_accusation, is_accusation, verdict
from protocol.journal.chain import Chain, Entry, Journal, check_entries
from protocol.journal.statements import DOMAIN_ORDERED, Ordered, Signed, entry_hash
from protocol.journal.stop_reason import CLAIMED
from protocol.roster import Operator
from protocol.storage.match_files import read_journal

OTHER_VERSION = "journal_version"
"""The fault of a journal that another version of the protocol has written."""

TELLS = ("names", "keys", "addresses")
"""What anybody learns of everybody at the table who is given a journal, beside the play."""

Progress = Callable[[int, int], None]
Watch = Callable[[Match], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """What does not hold.

    The entry's number (None: it is shown by evidence that lies beside the entries), who is to
    blame ('' where nobody can be named), a code and a detail.
    """

    seq: int | None
    author: str
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a journal is worth.

    `finished`: played to the last score; `opened`: the hidden cards were checked too, with the
    share `keys` that are known. `confirmed`: the newest entry of which the file shows that a
    majority has it, None where it shows that of none. `complaint`: what the match was stopped
    for, where nothing proves it. `claimed`: who did not come back, as the owner says, who
    has ended the match alone. `operators`: under which name each key has signed; whoever made
    the file may have made keys for any name.
    """

    sound: bool
    table: str
    entries: int
    finished: bool
    opened: bool
    faults: tuple[Fault, ...]
    words: tuple[str, ...]
    result: OverNews | None
    confirmed: int | None = None
    keys: Keys = field(default_factory=Keys)
    complaint: Complaint | None = None
    claimed: str = ""
    operators: tuple[Operator, ...] = ()

    @property
    def unconfirmed(self) -> int:
        """How many entries no majority is known to have."""
        return self.entries - (0 if self.confirmed is None else self.confirmed + 1)


def verify(path: Path, progress: Progress | None = None) -> Verdict:
    """Judge a saved match. `progress(done, of)` is called now and then.

    Raises `Unavailable` where the file cannot be read at all.
    """
    try:
        journal = read_journal(path)
    except RemoteError as problem:
        return unreadable(problem)
    return judge(journal, progress)


def unreadable(problem: RemoteError) -> Verdict:
    """The verdict on a file that could not be read as a journal."""
    fault = Fault(0, "", unreadable_code(problem), problem.detail)
    return _Hearing(Journal(())).verdict((fault,))


def unreadable_code(problem: RemoteError) -> str:
    """Why a file could not be read as a journal; no laptop is to blame for it."""
    return OTHER_VERSION if isinstance(problem, VersionMismatch) else "journal_malformed"


def judge(
    journal: Journal, progress: Progress | None = None, watch: Watch | None = None
) -> Verdict:
    """The verdict on a journal that has been read.

    `watch(match)` is called after every entry that holds.
    """
    return examine(journal, progress, watch)[0]


def examine(
    journal: Journal,
    progress: Progress | None = None,
    watch: Watch | None = None,
    own: bytes | None = None,
) -> tuple[Verdict, Match | None]:
    """The verdict, and the match as far as it holds (None where it does not even begin).

    `watch(match)` is called after every entry that holds. `own`: our identity, if its word is
    enough for us that the proofs of sealed cards hold which it checked while it played: two
    thirds of the work.
    """
    hearing = _Hearing(journal, played=0 if own is None else _played(journal, own))
    faults: tuple[Fault, ...] = ()
    try:
        hearing.fold(progress, watch)
        hearing.close()
    except RemoteError as problem:
        faults = (hearing.fault(problem),)
    return hearing.verdict(faults), hearing.match


@dataclass(slots=True)
class _Hearing:
    """How far the judging of one journal has come."""

    journal: Journal
    match: Match | None = None
    chain: Chain | None = None
    entry: Entry | None = None  #: the newest that the chain has taken
    done: int = 0  #: entries that hold
    confirmed: int | None = None
    opened: bool = False
    keys: Keys = field(default_factory=Keys)
    seals: Seals = field(default_factory=Seals)
    played: int = 0  #: entries from the first on whose proofs our own key says it has checked

    def fold(self, progress: Progress | None, watch: Watch | None) -> None:
        """Every entry in order; raises at the first that does not hold."""
        for chain, entry in check_entries(Journal(self.journal.records)):
            self.chain, self.entry = chain, entry
            self._fold(chain, entry)
            self.done += 1
            if watch is not None and self.match is not None:
                watch(self.match)
            if progress is not None and self.done % 50 == 0:
                progress(self.done, len(self.journal.records))

    def _fold(self, chain: Chain, entry: Entry) -> None:
        if self.match is None:
            self.match = Match(chain.genesis)
        elif entry.election is not None:
            pass  # who hosts is nothing to the rules; the chain has counted the votes
        elif is_accusation(entry.body):
            raise _condemned(chain, entry)
        else:
            if self.match.words:  # there are cards
                vouched = entry.seq < self.played and not self.match.is_over
                self.match.cards.vouched = vouched
            self.match.fold(entry.seq, entry.author, entry.body)
            if self.match.cheat is not None:
                raise self.match.cheat
            self.seals.look(self.match, entry.author, entry.seq)

    def close(self) -> None:
        """What the journal assures as a whole; raises where it does not hold."""
        assert self.chain is not None
        assert self.match is not None
        self.confirmed = confirmed(self.chain, self.journal.quorum_certificate)
        if self.match.stage in ("audit", "done"):
            self.keys = keys_of(self.match)
            self.seals.check(self.match)
            self.opened = check_hidden(self.match)

    def fault(self, problem: RemoteError) -> Fault:
        """What does not hold, and who is to blame for it, if that is certain."""
        seq = problem.seq if isinstance(problem, WrongSeal) else self.done
        code = OTHER_VERSION if isinstance(problem, VersionMismatch) else problem.code
        return Fault(seq, self._name(self._culprit(problem)), code, problem.detail)

    def _culprit(self, problem: RemoteError) -> bytes | None:
        if self.chain is None:
            return None
        if self.entry is not None and self.entry.seq == self.done:
            # In its place and signed: where nobody else is, who put it there is to blame.
            return problem.culprit or self.chain.host_of(self.entry.term)
        if self.done < len(self.journal.records):
            return self._of_record(problem, self.journal.records[self.done], self.chain)
        return problem.culprit

    def _of_record(self, problem: RemoteError, record: Signed, chain: Chain) -> bytes | None:
        """Who is to blame for what is no next entry: nobody, if the file may have been changed.

        A host is, where it has signed these bytes for this very place, or by what it signed
        elsewhere.
        """
        proven = evidence.prove_alone(chain.genesis, problem.evidence)
        if proven is not None:
            return proven.culprit
        try:
            ordered = record.read(Ordered)
            if problem.culprit is None or ordered.seq != self.done:
                return None
            if ordered.previous != chain.hash_at(self.done - 1):
                return None
            record.check(problem.culprit, DOMAIN_ORDERED)
        except RemoteError:
            return None
        return problem.culprit

    def verdict(self, faults: tuple[Fault, ...]) -> Verdict:
        match = self.match
        finished = match is not None and match.stage in ("audit", "done")
        complaint = None
        absent = None if faults or finished else self._absent()
        if self.chain is not None and self.journal.fault is not None:
            found = weigh(self.chain, self.journal.fault, self.done)
            if isinstance(found, RemoteError):
                name = self._name(found.culprit)
                if name not in (fault.author for fault in faults):
                    faults = (*faults, Fault(None, name, found.code, found.detail))
            elif not faults and not finished and absent is None:
                complaint = found  # else it was not stopped for good
        result = None
        if match is not None and (finished or absent is not None) and not faults:
            names = names_of(match.genesis.seats)
            alone = absent is not None
            left = match.seats_of(absent if alone else match.resigned)
            result = over_of(match.state, names, "", left, claimed=alone)
        return Verdict(
            sound=not faults,
            table="" if match is None else match.genesis.name,
            entries=self.done,
            finished=finished,
            opened=self.opened and not faults,
            faults=faults,
            words=() if match is None else match.words,
            result=result,
            confirmed=self.confirmed,
            keys=self.keys,
            complaint=complaint,
            claimed="" if absent is None else self._operators()[absent].name,
            operators=self._operators(),
        )

    def _absent(self) -> int | None:
        """Without whom this file's owner has ended the match: the only other that counts."""
        charge, chain = self.journal.fault, self.chain
        if charge is None or charge.code != CLAIMED or chain is None or self.match is None:
            return None
        keys = [operator.identity for operator in self._operators()]
        known = charge.culprit in keys and self.match.stage == "play"
        absent = keys.index(charge.culprit) if known and charge.culprit is not None else None
        return absent if len(chain.members) == 2 and absent in chain.members else None

    def _operators(self) -> tuple[Operator, ...]:
        return () if self.chain is None else self.chain.genesis.operators

    def _name(self, culprit: bytes | None) -> str:
        names = {operator.identity: operator.name for operator in self._operators()}
        return "" if culprit is None else names.get(culprit, "")


def _played(journal: Journal, own: bytes) -> int:
    """How many entries, from the first on, our own program has folded, as our key shows.

    It says that a match is over (`Ended`) once its own fold has come to the last score, and
    signs that over the hash of an entry before; and so over all entries up to there. Nobody
    else can have made it say so of others.
    """
    places = {entry_hash(one.content): place for place, one in enumerate(journal.records)}
    with contextlib.suppress(RemoteError, ValueError):
        genesis = Chain(journal.records[0]).genesis if journal.records else None
        if genesis is None:
            return 0
        me = [operator.identity for operator in genesis.operators].index(own)
        for record in reversed(journal.records[1:]):
            ancestor = _ended_after(genesis, record, me)
            if ancestor is not None:
                return places.get(ancestor, -1) + 1
    return 0


def _ended_after(genesis: Genesis, record: Signed, me: int) -> bytes | None:
    """After which entry this operator says here that the match is over; None where it does not
    say so.
    """
    try:
        ordered = record.read(Ordered)
        said = evidence.open_authored(genesis, ordered.inside)
        is_end = said.author == me and isinstance(bodies.read(said.body), bodies.Ended)
    except RemoteError:
        return None
    return said.ancestor if is_end else None


def _condemned(chain: Chain, entry: Entry) -> RemoteError:
    """Who cheated: the author of the statement that is accused, or the host that accuses."""
    condemned = check_accusation(chain, entry)
    said = condemned.statement
    return verdict(chain, entry, said.author, judged(chain, condemned.ancestor, said))
