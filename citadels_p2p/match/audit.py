"""A journal folded again by somebody who trusts nobody: `citadels verify`.

Checked are the chain, every signature, every proof, every commitment and every rule; and, where
the operators gave their share keys away after the match, that the cards which stayed hidden
complete the pack. The first entry at fault is named with who made it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from citadels_p2p import rules
from citadels_p2p.match.asks import over_of
from citadels_p2p.match.labels import face_of
from citadels_p2p.match.match import Match
from citadels_p2p.match.news import OverNews
from citadels_p2p.match.sealed_dealer import refusal_code
from protocol.accusation import accused, is_accusation, verdict
from protocol.elgamal import Ciphertext, unseal
from protocol.errors import IllegalEntry, RemoteError, VersionMismatch
from protocol.journal import Chain, Entry, Journal, replay
from protocol.store import read_journal

OTHER_VERSION = "journal_version"
"""The fault of a journal that another version of the protocol has written."""

Progress = Callable[[int, int], None]
Watch = Callable[[Match], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """What does not hold.

    The entry's number, who made it ('' where nobody can be named), a code and a detail.
    """

    seq: int
    author: str
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a journal is worth.

    `finished`: played to the last score; `opened`: all share keys were given away, and the
    hidden cards were checked too.
    """

    sound: bool
    table: str
    entries: int
    finished: bool
    opened: bool
    faults: tuple[Fault, ...]
    words: tuple[str, ...]
    result: OverNews | None


def verify(path: Path, progress: Progress | None = None) -> Verdict:
    """Judge a saved match. `progress(done, of)` is called now and then."""
    try:
        journal = read_journal(path)
    except RemoteError as problem:
        return unreadable(problem)
    return judge(journal, progress)


def unreadable(problem: RemoteError) -> Verdict:
    """The verdict on a file that could not be read as a journal."""
    return _verdict(None, 0, (Fault(0, "", unreadable_code(problem), problem.detail),))


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
    journal: Journal, progress: Progress | None = None, watch: Watch | None = None
) -> tuple[Verdict, Match | None]:
    """The verdict, and the match as far as it holds (None where it does not even begin).

    `watch(match)` is called after every entry that holds.
    """
    match: Match | None = None
    chain: Chain | None = None
    entry: Entry | None = None
    done = 0
    try:
        for chain, entry in replay(journal):
            if match is None:
                match = Match(chain.genesis)
            elif entry.election is not None:
                pass  # who hosts is nothing to the rules; the chain has counted the votes
            elif is_accusation(entry.body):
                raise _condemned(match, chain, entry)
            else:
                match.fold(entry.seq, entry.author, entry.body)
                if match.cheat is not None:
                    raise match.cheat
            done += 1
            if watch is not None:
                watch(match)
            if progress is not None and done % 50 == 0:
                progress(done, len(journal.records))
        if match is not None and match.stage == "done":
            check_hidden(match)
    except RemoteError as problem:
        return _verdict(match, done, (_fault(problem, done, chain, entry),)), match
    return _verdict(match, done, ()), match


def _condemned(match: Match, chain: Chain, entry: Entry) -> RemoteError:
    """Who cheated: the author of the statement that is accused, or the host that accuses."""
    statement = accused(chain, entry)
    code = None
    try:
        match.fold(entry.seq, statement.author, statement.body)
    except RemoteError as problem:
        code = refusal_code(problem)
    return verdict(chain, entry, statement.author, code)


def _fault(problem: RemoteError, done: int, chain: Chain | None, entry: Entry | None) -> Fault:
    author = ""
    if chain is not None:
        names = {operator.identity: operator.name for operator in chain.genesis.operators}
        if problem.culprit is not None:
            author = names.get(problem.culprit, "")
        elif entry is not None and entry.seq == done:
            author = chain.genesis.operators[entry.author].name
    code = OTHER_VERSION if isinstance(problem, VersionMismatch) else problem.code
    return Fault(done, author, code, problem.detail)


def _verdict(match: Match | None, entries: int, faults: tuple[Fault, ...]) -> Verdict:
    finished = match is not None and match.stage in ("audit", "done")
    result = None
    if match is not None and finished and not faults:
        names = tuple(seat.name for seat in match.genesis.seats)
        result = over_of(match.state, names, rules.digest(match.state), "")
    return Verdict(
        sound=not faults,
        table="" if match is None else match.genesis.name,
        entries=entries,
        finished=finished,
        opened=match is not None and match.stage == "done" and not faults,
        faults=faults,
        words=() if match is None else match.words,
        result=result,
    )


def hidden_faces(match: Match, slots: Iterable[int]) -> dict[int, str]:
    """What lies in these slots, opened with the share keys that were given away."""
    cards, secrets = match.cards, match.keys.secrets
    found = {}
    for slot in slots:
        sealed, published = cards.state(slot).value, cards.shares(slot)
        shares = [
            published[one]
            if one in published
            else match.group.multiply(secrets[one], sealed.mask)
            for one in cards.layers(slot)
        ]
        found[slot] = face_of(cards.label(unseal(match.group, sealed, shares)))
    return found


def open_card(match: Match, sealed: Ciphertext, layers: Iterable[int]) -> str | None:
    """The face of a card of this match as it was sealed at any moment of it.

    `layers` are the operators whose keys were in it then; needs the share keys that were given
    away. None where one of them is lacking: that of an operator that left for good, in a card
    from before.
    """
    group, secrets = match.group, match.keys.secrets
    if not secrets.keys() >= set(layers):
        return None
    shares = [group.multiply(secrets[one], sealed.mask) for one in layers]
    label = match.cards.known(unseal(group, sealed, shares))
    return None if label is None else face_of(label)


def check_hidden(match: Match) -> None:
    """The districts in deck, hands and cities are the edition's pack.

    `IllegalEntry` where they are not.
    """
    placed = [
        slot
        for slot, zone in match.zones.items()
        if zone.kind in ("deck", "hand", "drawn", "city", "tucked")
    ]
    found = Counter(hidden_faces(match, placed).values())
    if found != Counter(match.state.plan.labels):
        raise IllegalEntry("the hidden cards are not what is missing from the pack")
