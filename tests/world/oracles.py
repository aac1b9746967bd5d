"""What must be true of honest laptops, whatever the weather. Each oracle raises `Wrong`.

*Safety*: a word that was confirmed anywhere is everywhere the same and is never lost; there is
one score, and every file verifies to it. *Liveness*: at rest exactly the asked person is asked;
once the weather is calm nobody honest is called away, suspected or looked for any more;
everybody comes to the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from citadels_p2p import rules
from citadels_p2p.match import Notice
from citadels_p2p.match.archive.audit import examine
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.session.evening import Evening as Session
from citadels_p2p.match.session.online import Online
from citadels_p2p.rules.needs import Decide
from protocol.replication.replica import Replica
from protocol.session.match_runtime import MatchRuntime
from protocol.session.operator_session import OperatorSession
from protocol.storage.match_files import read_journal
from tests.world.person import Person

if TYPE_CHECKING:
    from tests.world.evening import Evening

CALM_SECONDS = 30.0
"""After so much calm weather every laptop knows that all is well."""

UNREST = frozenset(
    ("host_gone", "slow", "away", "paused", "suspected", "elsewhere", "left", "hosting")
)
"""Notices for which there is no reason while the weather is calm and nobody goes."""

QUIET_SECONDS = 10.0
"""Longer than any question needs to its person under a clear sky."""


class Wrong(AssertionError):
    """Something that must be true is not."""


def runtime_of(person: Person) -> MatchRuntime[SealedDealer] | None:
    """The match that this person's program plays now."""
    session = person.session if person.plays else None
    if isinstance(session, Session):
        session = session._session
    if not isinstance(session, Online) or not isinstance(
        session.node._session, OperatorSession
    ):
        return None
    match = session.node._session.match
    return None if match is None else match.runtime


class Safety:
    """No confirmed word is lost, or another one elsewhere."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self._words: dict[tuple[bytes, int], bytes] = {}  # by table and place
        self._seen: dict[tuple[int, Replica], int] = {}  # how far each program was looked at
        evening.world.watchers.append(self.look)

    def look(self) -> None:
        """Compare what was confirmed since the last look."""
        for person in self._evening.players:
            runtime = runtime_of(person)
            if runtime is None:
                continue
            replica = runtime.machine.replica
            where = person.laptop.boots, replica
            seen = self._seen.get(where, -1)
            for seq in range(seen + 1, replica.confirmed + 1):
                self._is_the_same(person, replica, seq)
            self._seen[where] = replica.confirmed

    def _is_the_same(self, person: Person, replica: Replica, seq: int) -> None:
        table = replica.chain.genesis.table
        digest = replica.chain.hash_at(seq)
        if self._words.setdefault((table, seq), digest) != digest:
            raise Wrong(f"{person.laptop.name} has another word confirmed at {seq}")


def check_files(persons: Iterable[Person]) -> None:
    """Every file of every one of these verifies; those of one match agree, and hold one score.

    A file may be shorter than another: its laptop was not there at the end.
    """
    matches: dict[bytes, tuple[bytes, ...]] = {}
    scores: dict[bytes, object] = {}
    for person in persons:
        for path in sorted((person.laptop.disk.home / "matches").glob("*.citadels")):
            journal = read_journal(path)
            verdict, match = examine(journal)
            if verdict.faults or match is None or verdict.complaint is not None:
                raise Wrong(f"{person.laptop.name}: {path.name} does not verify: {verdict}")
            table = match.genesis.table
            words = tuple(signed.content for signed in journal.records)
            longest = matches.setdefault(table, words)
            # What was not confirmed may have given way elsewhere.
            sure = min(len(words), len(longest), (verdict.confirmed or 0) + 1)
            if words[:sure] != longest[:sure]:
                raise Wrong(f"{person.laptop.name}: {path.name} holds another match")
            matches[table] = max(words, longest, key=len)
            if verdict.finished and verdict.result is not None:
                score = verdict.result.scores, verdict.result.digest
                if scores.setdefault(table, score) != score:
                    raise Wrong(f"{person.laptop.name}: {path.name} ends otherwise")


def check_scores(persons: Iterable[Person]) -> None:
    """All who have heard of the end have heard of one."""
    ends = {(one.over.scores, one.over.digest) for one in persons if one.over is not None}
    if len(ends) > 1:
        raise Wrong(f"{len(ends)} scores of one match")


def check_rest(evening: Evening) -> None:
    """Nobody answers any more, and the sky is clear: exactly the asked person is asked, and
    all laptops hold the same words.
    """
    for person in evening.players:
        person.attends = False
    evening.wait(CALM_SECONDS + QUIET_SECONDS)
    playing = [one for one in evening.players if runtime_of(one) is not None]
    if not any(one.over for one in evening.players) and playing:
        heads = {
            (one.chain.head, one.chain.hash_at(one.chain.head)) for one in _runtimes(playing)
        }
        if len(heads) != 1:
            raise Wrong(f"at rest the laptops hold different words: {sorted(heads)}")
        asked = {one.laptop.name for one in playing if one.asked is not None}
        due = {one.laptop.name for one in playing if _must_decide(one)}
        if asked != due:
            raise Wrong(f"at rest {asked or 'nobody'} is asked, and {due or 'nobody'} must be")
        if not due:
            raise Wrong("at rest nobody has to decide, and the match is not over")
        suspected = {
            (one.laptop.name, seat.name, seat.suspected)
            for one in playing
            if one.table is not None
            for seat in one.table.seats
            if seat.suspected
        }
        if suspected:
            raise Wrong(f"at rest somebody honest is suspected: {sorted(suspected)}")
        missing = {
            (one.laptop.name, seat.name)
            for one in playing
            if one.table is not None
            for seat in one.table.seats
            if not seat.present
        }
        if missing:
            raise Wrong(f"at rest somebody who is here is missed: {sorted(missing)}")
    for person in evening.players:
        person.attend()


def check_calm(evening: Evening, since: float) -> None:
    """From some seconds after `since`, when the weather became calm, nothing is told that has
    no reason.
    """
    for person in evening.players:
        for when, news in person.heard:
            if (
                isinstance(news, Notice)
                and news.code in UNREST
                and since + CALM_SECONDS < when < evening.ended_at
            ):
                raise Wrong(
                    f"{person.laptop.name} hears of {news.code} {news.fields} at {when:.1f},"
                    f" and all is well since {since:.1f}"
                )


def _runtimes(persons: Iterable[Person]) -> Iterator[MatchRuntime[SealedDealer]]:
    return (runtime for one in persons if (runtime := runtime_of(one)) is not None)


def _must_decide(person: Person) -> bool:
    """Whether the rules wait for a decision of this person's own seat."""
    runtime = runtime_of(person)
    assert runtime is not None
    dealer = runtime.driver.application
    match = dealer.match
    need = rules.need(match.state) if match.stage == "play" else None
    return isinstance(need, Decide) and need.seat in dealer.persons.seats
