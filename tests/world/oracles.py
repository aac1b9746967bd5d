"""What must be true of honest laptops, whatever the weather. Each oracle raises `Wrong`.

*Safety*: a word that was confirmed anywhere is everywhere the same and is never lost; there is
one score, and every file verifies to it. *Liveness*: at rest exactly the asked person is asked;
once the weather is calm nobody honest is called away, suspected or looked for any more;
everybody comes to the end.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from citadels_p2p import rules
from citadels_p2p.match import Ask, Notice
from citadels_p2p.match.archive.audit import Verdict, examine
from citadels_p2p.match.asks import ask_of
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.news import Anew, EventNews, StateNews
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.rules import Reason
from citadels_p2p.rules.needs import Decide
from protocol.errors import ProtocolError
from protocol.journal.chain import Journal
from protocol.replication.replica import Replica
from protocol.session.match_runtime import MatchRuntime
from protocol.session.match_session import MatchSession
from protocol.storage.match_files import match_path, read_journal
from tests.world.here import here
from tests.world.person import Person, dealer_of, runtime_of

if TYPE_CHECKING:
    from tests.world.evening import Evening
    from tests.world.laptop import Laptop
    from tests.world.world import World

CALM_SECONDS = 30.0
"""After so much calm weather every laptop knows that all is well."""

UNREST = frozenset(
    ("host_gone", "slow", "away", "paused", "suspected", "elsewhere", "left", "hosting")
)
"""Notices for which there is no reason while the weather is calm and nobody goes."""

QUIET_SECONDS = 10.0
"""Longer than any question needs to its person under a clear sky."""

LAST_LOOK = (CALM_SECONDS + QUIET_SECONDS,)
"""Seconds after which everything has settled."""

EARLY_LOOKS = 2.0, 4.0, 6.0, 10.0, 18.0
"""The same, looked at as soon as it may be so."""

SECONDS_OF_REST = 5
"""In one of so many seconds nobody is told anything: a clock decides now and then."""


class Wrong(AssertionError):
    """Something that must be true is not."""


class Safety:
    """No confirmed word is lost, or another one elsewhere; and no term has two hosts."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self._hosts: dict[tuple[bytes, int], str] = {}  # by table and term
        self._words: dict[tuple[bytes, int], bytes] = {}  # by table and place
        self._seen: dict[tuple[int, Replica], int] = {}  # how far each program was looked at
        evening.world.watchers.append(self.look)

    def look(self) -> None:
        """Compare what was confirmed since the last look, and who hosts."""
        for person in self._evening.players:
            runtime = runtime_of(person)
            if runtime is None:
                continue
            machine, name = runtime.machine, person.laptop.name
            replica = machine.replica
            if machine.is_host:
                office = replica.chain.genesis.table, machine.term
                if self._hosts.setdefault(office, name) != name:
                    raise Wrong(f"{name} and {self._hosts[office]} host in {machine.term}")
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


class Liveness:
    """Nobody is called away who is well; and what links and elections an evening costs.

    Well is who runs, is awake, has its disk and its threads to itself, and can speak with more
    than half of all who play, itself included.
    """

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self._ill = [0.0] * evening.seats  # when each was so last
        self._heard = [0] * evening.seats
        self._adapters: list[tuple[str, ...]] = [()] * evening.seats
        self._connections = 0
        self.links: list[float] = []  #: when links were made, between any two
        self.elections: list[float] = []  #: when somebody heard of a new term
        self._terms: dict[bytes, int] = {}
        self.liars: frozenset[str] = frozenset()  #: of whom nothing is promised
        evening.world.watchers.append(self.look)

    def look(self) -> None:
        """Note who is ill now, and judge what was told since the last look."""
        evening, now = self._evening, self._evening.world.now
        ill = [not one.plays or _is_hindered(one.laptop) for one in evening.seated]
        for me, person in enumerate(evening.seated):
            reached = sum(
                not ill[other] and _can_speak(person.laptop, them.laptop)
                for other, them in enumerate(evening.seated)
            )
            adapters = tuple(person.laptop.adapters.values())
            has_moved, self._adapters[me] = adapters != self._adapters[me], adapters
            if ill[me] or has_moved or 2 * reached <= evening.seats:
                self._ill[me] = now
        for me, person in enumerate(evening.seated):
            for _, news in person.heard[self._heard[me] :]:
                if isinstance(news, Notice) and news.code in ("away", "paused"):
                    missed = news.fields.get("names") or news.fields["name"]
                    for name in str(missed).split(", "):
                        self._judge(me, name)
            self._heard[me] = len(person.heard)
        if evening.net.connections != self._connections:
            self._connections = evening.net.connections
            self.links.append(now)
        for runtime in _runtimes(evening.seated):
            table, term = runtime.machine.replica.chain.genesis.table, runtime.machine.term
            if term > self._terms.setdefault(table, term):
                self._terms[table] = term
                self.elections.append(now)

    def _judge(self, teller: int, name: str) -> None:
        names = [one.laptop.name for one in self._evening.seated]
        if name not in names or {name, names[teller]} & self.liars:
            return
        if self._evening.seated[names.index(name)].gives_up:
            return  # away by its own word
        since = max(self._ill[teller], self._ill[names.index(name)])
        if self._evening.world.now - since > CALM_SECONDS:
            raise Wrong(
                f"{names[teller]} hears that {name} is away, who is well since {since:.1f}"
            )


def _is_hindered(laptop: Laptop) -> bool:
    return (
        laptop.loop.is_asleep
        or laptop.work_seconds[1] > 0.002
        or laptop.disk.seconds[1] > 0.004
        or laptop.disk.fails_at is not None
        or laptop.clock.rate != 1.0
    )


def _can_speak(one: Laptop, other: Laptop) -> bool:
    net = one.world.net
    return one is other or (
        net.carries(one, other)
        and net.carries(other, one)
        and net.latency[1] < 0.05
        and one.world.neighbours(one, other)
    )


def judged(path: Path) -> tuple[Journal, Verdict, Match | None]:
    """A file as it is read, and what the verifier says of it: once of equal journals."""
    journal = read_journal(path)
    told = journal.records, journal.quorum_certificate, journal.fault, journal.cases
    if told not in _JUDGED:
        _JUDGED[told] = examine(journal)
    return journal, *_JUDGED[told]


_JUDGED: dict[Hashable, tuple[Verdict, Match | None]] = {}


def check_files(persons: Iterable[Person]) -> None:
    """Every file of every one of these verifies; those of one match agree, and hold one score.

    A file may be shorter than another: its laptop was not there at the end.
    """
    matches: dict[bytes, tuple[bytes, ...]] = {}
    scores: dict[bytes, object] = {}
    for person in persons:
        for path in sorted((person.laptop.disk.home / "matches").glob("*.citadels")):
            journal, verdict, match = judged(path)
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


def check_stored(persons: Sequence[Person]) -> None:
    """In mid-match all disks hold one history, and most of them all that is confirmed."""
    if any(runtime_of(one) is None for one in persons):
        return  # some have gone home
    held = []
    for person, runtime in zip(persons, _runtimes(persons), strict=True):
        table = runtime.machine.replica.chain.genesis.table
        journal = read_journal(match_path(person.laptop.disk.home, table))
        held.append([signed.content for signed in journal.records])
    for one in held:
        if one != max(held, key=len)[: len(one)]:
            raise Wrong("two disks hold different histories")
    confirmed = max(one.machine.replica.confirmed for one in _runtimes(persons))
    if 2 * sum(len(one) > confirmed for one in held) <= len(held):
        raise Wrong(f"{confirmed} is confirmed, and on the disks are {[*map(len, held)]}")


def check_secrets(evening: Evening) -> None:
    """Nobody has asked for its key whose secrets were not taken from its disk."""
    forgetful = {one.laptop.name for one in evening.forgetful}
    for person in evening.players:
        for _, news in person.heard:
            is_plea = isinstance(news, Notice) and news.code == "key_wanted"
            if is_plea and news.fields["name"] not in forgetful:
                raise Wrong(f"{person.laptop.name} hears of lost secrets: {news.fields}")


def check_scores(persons: Iterable[Person]) -> None:
    """All who have heard of the end have heard of one."""
    ends = {(one.over.scores, one.over.digest) for one in persons if one.over is not None}
    if len(ends) > 1:
        raise Wrong(f"{len(ends)} scores of one match")


def check_rest(evening: Evening, *, looks: Sequence[float] = LAST_LOOK) -> None:
    """Nobody answers any more, and the sky is clear: exactly the asked person is asked, and
    all laptops hold the same words, at the last of these looks, so many seconds after one
    another, or before.
    """
    for person in evening.players:
        person.attends = False
    *early, last = looks
    for seconds in early:
        evening.wait(seconds)
        with contextlib.suppress(Wrong):
            _look_at_rest(evening)
            break
    else:
        evening.wait(last)
        _look_at_rest(evening)
    for person in evening.players:
        person.attend()


def _look_at_rest(evening: Evening) -> None:
    said = _second_of_rest(evening)
    playing = [one for one in evening.players if runtime_of(one) is not None]
    if any(one.over for one in evening.players) or not playing:
        return
    heads = {(one.chain.head, one.chain.hash_at(one.chain.head)) for one in _runtimes(playing)}
    if len(heads) != 1:
        raise Wrong(f"at rest the laptops hold different words: {sorted(heads)}")
    due = {one.laptop.name for one in playing if _must_decide(one)}
    # Who was called, and let its time pass, may still sit down: it hears so then.
    called = {one.laptop.name for one in playing if one.called} & due
    asked = called | {one.laptop.name for one in playing if one.asked}
    if asked != due:
        raise Wrong(f"at rest {asked or 'nobody'} is asked, and {due or 'nobody'} must be")
    if not due:
        raise Wrong("at rest nobody has to decide, and the match is not over")
    seats = [
        (one.laptop.name, seat) for one in playing if one.table for seat in one.table.seats
    ]
    suspected = {(name, seat.name, seat.suspected) for name, seat in seats if seat.suspected}
    if suspected:
        raise Wrong(f"at rest somebody honest is suspected: {sorted(suspected)}")
    gone = {one.laptop.name for one in evening.seated if one not in playing}
    missing = {
        (name, seat.name) for name, seat in seats if not seat.present and seat.name not in gone
    }
    if missing:
        raise Wrong(f"at rest somebody who is here is missed: {sorted(missing)}")
    _check_questions(playing, said)


def _second_of_rest(evening: Evening) -> dict[Person, list[str]]:
    """A second passes in which nobody is told anything: from there on all is looked at in one
    moment. What programs that read JSON wrote in it, asked for nothing.
    """
    programs = [one for one in evening.players if one.plays and one.plays_with == "json"]
    for _ in range(SECONDS_OF_REST):
        told = [len(one.heard) for one in evening.players]
        for person in programs:
            person.says_nothing()
        evening.wait(1.0)
        if told == [len(one.heard) for one in evening.players]:
            return {one: one.printed for one in programs}
    raise Wrong("nobody answers, and somebody is told something in every second")


def _check_questions(persons: Iterable[Person], said: Mapping[Person, list[str]]) -> None:
    """At rest: who must decide holds just the question that its dealer holds open, and nobody
    else holds any; every program has told all events once and in order, and the table as it is.
    """
    for person in persons:
        dealer, name = dealer_of(person), person.laptop.name
        assert dealer is not None
        asked, holds = dealer.persons.asked, person.holds
        if not _must_decide(person):
            if asked is not None or holds:
                raise Wrong(f"{name} is asked {asked} {holds}, and another must decide")
        elif asked is None or (person.called is None and dealer.open_ask() != asked.ask.id):
            raise Wrong(f"{name} must decide, and its dealer has no open question")
        elif person.called is not None:
            if person.called.seat != asked.seat or holds:
                raise Wrong(f"{name} calls {person.called} for {asked.seat} and asks {holds}")
        elif holds != [asked.ask.id]:
            raise Wrong(f"{name} holds the questions {holds}, and {asked.ask.id} is open")
        elif not _is_to_be_answered(asked.ask, dealer):
            raise Wrong(f"{name} is asked {asked.ask}, and the rules ask for something else")
        if person in said:
            lines = map(json.loads, said[person])
            named = [line["ask"] for line in lines if line["type"] == "error"]
            if named != [holds[0] if holds else None]:
                raise Wrong(f"{name} names {named} as open, and holds {holds}")
        told = [news for _, news in person.heard[person.since :]]
        begun = max((n for n, news in enumerate(told) if isinstance(news, Anew)), default=0)
        events = [news.event for news in told[begun:] if isinstance(news, EventNews)]
        if events != list(dealer.match.events):
            raise Wrong(f"{name} was told other events than have happened")
        views = [news.view for news in told[begun:] if isinstance(news, StateNews)]
        if not views:
            raise Wrong(f"{name} has never been shown the table")
        for seat, view in {
            None if one.you is None else one.you.seat: one for one in views
        }.items():
            if view != dealer.view(seat):
                raise Wrong(f"{name} shows seat {seat} another table")


def _is_to_be_answered(ask: Ask, dealer: SealedDealer) -> bool:
    """Whether this is what the rules ask now of the seat that must decide."""
    need = rules.need(dealer.match.state)
    assert isinstance(need, Decide)
    now = ask_of(ask.id, dealer.match.state, dealer.faces(need.seat))
    return replace(now, deadline=ask.deadline) == ask


@contextlib.contextmanager
def judged_links(world: World) -> Iterator[None]:
    """While this lasts: nobody cuts a link for what was said on it, since all are honest."""
    cut = MatchSession.cut

    def judged(self: MatchSession[Any], operator: int, fault: ProtocolError) -> None:
        world.blame(here(), f"cuts its link with operator {operator}", fault)
        cut(self, operator, fault)

    with mock.patch.object(MatchSession, "cut", judged):
        yield


@contextlib.contextmanager
def judged_answers(world: World) -> Iterator[None]:
    """While this lasts: an answer is said to just the question that it was given to, and nobody
    is told of an open question that it is closed.
    """
    decide, say = SealedDealer.decide, SealedDealer._decide

    def decided(self: SealedDealer, ask: int, picks: Sequence[str]) -> object:
        made = decide(self, ask, picks)
        if isinstance(made, Reason) and made.code == "ask_closed" and self.open_ask() == ask:
            world.problems.append(f"question {ask} is called closed, and is open")
        return made

    def said(self: SealedDealer, seat: int, picks: Sequence[str]) -> object:
        asked = self.persons.asked
        assert asked is not None
        if not _is_to_be_answered(asked.ask, self):
            world.problems.append(f"{asked.ask} was answered, and another one is asked")
        return say(self, seat, picks)

    with (
        mock.patch.object(SealedDealer, "decide", decided),
        mock.patch.object(SealedDealer, "_decide", said),
    ):
        yield


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
    for what in ("links", "elections"):
        for when in getattr(evening.liveness, what):
            if since + CALM_SECONDS < when < evening.ended_at:
                raise Wrong(f"{what} at {when:.1f}, and all is well since {since:.1f}")


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
