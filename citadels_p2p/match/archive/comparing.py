"""Several people's files of one match, beside each other: where they part, and who signed both.

One file shows one history. A host that has played on twice, with one laptop away each time, is
found out by nobody who has only one of them: both are sound. Two orders, two elections or two
votes prove it, and so do two beginnings of one table. Where nothing does, whoever acknowledged
the one and voted it away for the other is named as that, since a folder that was put back from
a copy does the same without its person.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from protocol.errors import RemoteError
from protocol.identity.keys import fingerprint
from protocol.journal.branches import Branch, expose, forgetful
from protocol.journal.chain import Chain, Journal, check_entries
from protocol.journal.evidence import prove_alone
from protocol.storage.match_files import read_journal


@dataclass(frozen=True, slots=True)
class Comparison:
    """What several files show together.

    `is_one`: they are of one table. `parts`: the first entry that is another in two of them,
    None where none is. `exposed`: who has signed what nobody honest signs together; `forgot`:
    who acknowledged one history and voted for another without it. Names are the files', or the
    key's fingerprint where they differ.
    """

    is_one: bool
    parts: int | None = None
    exposed: tuple[str, ...] = ()
    forgot: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether they tell one match, as far as each goes."""
        return self.is_one and self.parts is None


def compare(paths: Iterable[Path]) -> Comparison:
    """What these files show together. Raises `Unavailable` where one cannot be read; what does
    not hold in one of them is left out: its own verdict says so.
    """
    found = [journal for journal in map(_held, paths) if journal is not None]
    pairs = [_pair(one, other) for one, other in combinations(found, 2)]
    parted = [pair.parts for pair in pairs if pair.parts is not None]
    return Comparison(
        is_one=all(pair.is_one for pair in pairs),
        parts=min(parted, default=None),
        exposed=tuple(sorted({name for pair in pairs for name in pair.exposed})),
        forgot=tuple(sorted({name for pair in pairs for name in pair.forgot})),
    )


def _held(path: Path) -> tuple[Chain, Journal] | None:
    """The entries that hold."""
    grown: Chain | None = None
    certified = Journal(())
    with contextlib.suppress(RemoteError):
        journal = read_journal(path)
        for chain, _ in check_entries(Journal(journal.records)):
            grown = chain
        if grown is not None:
            grown.check_quorum_certificate(0, journal.quorum_certificate)
            certified = journal
    return None if grown is None else (grown, certified)


def _pair(one: tuple[Chain, Journal], other: tuple[Chain, Journal]) -> Comparison:
    (ours, _), (theirs, _) = one, other
    first, second = ours.entries[0], theirs.entries[0]
    if ours.genesis.table != theirs.genesis.table:
        return Comparison(is_one=False)
    if first.hash != second.hash:
        proven = prove_alone(ours.genesis, (first.exhibit(), second.exhibit()))
        return Comparison(True, 0, _named(proven, ours, theirs))
    pairs = zip(ours.entries, theirs.entries, strict=False)
    parts = next((a.seq for a, b in pairs if a.hash != b.hash), None)
    if parts is None:
        return Comparison(is_one=True)
    here, there = _branch(*one, parts - 1), _branch(*other, parts - 1)
    proven = expose(ours.genesis, here, there, parts)
    if proven is not None:
        return Comparison(True, parts, _named(proven, ours))
    forgot: tuple[str, ...] = ()
    if min(map(_reach, (one, other))) >= parts:
        sides = (_branch(*side, parts - 1, _reach(side)) for side in (one, other))
        older, newer = sorted(sides, key=lambda branch: branch.newest.term)
        with contextlib.suppress(RemoteError):
            voters = forgetful(ours.genesis, older, newer, parts)
            forgot = tuple(ours.genesis.operators[one].name for one in sorted(voters))
    return Comparison(True, parts, (), forgot)


def _reach(held: tuple[Chain, Journal]) -> int:
    """The newest entry that a majority has confirmed, as far as this file shows."""
    acks = held[1].quorum_certificate
    return min((held[0].check_ack(ack).seq for ack in acks), default=-1)


def _branch(chain: Chain, journal: Journal, place: int, end: int | None = None) -> Branch:
    last = chain.head if end is None else end
    signed = [entry.signed for entry in chain.entries[place : last + 1]]
    return Branch(place, signed, journal.quorum_certificate, chain.membership.at(place))


def _named(proven: RemoteError | None, *chains: Chain) -> tuple[str, ...]:
    """Whom this exposes: by name, or by the fingerprint of the key where it has another name in
    each of the files. Whoever signs a beginning alone chooses what it calls itself there.
    """
    names = {
        operator.name
        for chain in chains
        for operator in chain.genesis.operators
        if proven is not None and operator.identity == proven.culprit
    }
    if proven is None or proven.culprit is None or len(names) < 2:
        return tuple(names)
    return (fingerprint(proven.culprit),)
