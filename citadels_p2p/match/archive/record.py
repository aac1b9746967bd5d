"""A saved match, moment by moment: from any seat where all share keys were given away.

A moment is where the table rested: somebody had to decide, or the match was over. Everything
told is checked on the way (`audit`); a journal that does not hold is told as far as it does.
Such a match can be written down as text, and a text be told like one: see NOTATION.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter, sub
from typing import TypeAlias

from citadels_p2p import notation, rules
from citadels_p2p.bots import Observation
from citadels_p2p.bots.advice import Adviser
from citadels_p2p.bots.judgement import chances
from citadels_p2p.exits import Exit
from citadels_p2p.match.archive.assurance import open_card
from citadels_p2p.match.archive.audit import Fault, Progress, Verdict, examine, judge
from citadels_p2p.match.asks import advice, ask_of, awaited_in, over_of
from citadels_p2p.match.fold.custody import HELD
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.news import (
    AdviceNews,
    Ask,
    Awaited,
    BotName,
    Bye,
    EventNews,
    OverNews,
    StateNews,
    TableNews,
    TableSeat,
    Told,
    TurningPoint,
    names_of,
)
from citadels_p2p.notation import Record, Rest, Unreadable
from citadels_p2p.rules import View
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.state import State
from protocol.cards.elgamal import Ciphertext
from protocol.identity.names import legible
from protocol.journal.chain import Journal
from protocol.roster import MAX_WIRE_NAME


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of a match.

    `events`: what had happened since the one before. `views`: the table as everybody saw it
    (key None) and, where the keys were given away, as each seat did. `chances`: how likely each
    seat was to win, as a bot judges what everybody sees.
    """

    events: tuple[Event, ...]
    views: Mapping[int | None, View]
    awaited: Awaited | None
    chances: tuple[float, ...]
    asked: Observation | None = None  #: the decision, as who had to make it saw it, if known

    @classmethod
    def of(
        cls,
        events: tuple[Event, ...],
        views: Mapping[int | None, View],
        state: State,
        asked: Observation | None = None,
    ) -> Moment:
        """The moment at which the table rested so."""
        return cls(events, views, awaited_in(state), tuple(chances(state)), asked)


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A whole match. `verdict` says whether all of it holds, and how it ended."""

    table: str
    edition: str
    options: Mapping[str, object]
    names: tuple[str, ...]
    moments: tuple[Moment, ...]
    verdict: Verdict

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats from which it can be told."""
        views = self.moments[-1].views if self.moments else {}
        return tuple(seat for seat in views if seat is not None)

    def opening(self, seat: int | None = None) -> TableNews:
        """The table as it was agreed on, for whoever watches from `seat`."""
        seats = tuple(
            TableSeat(index, name, "human", None, present=True)
            for index, name in enumerate(self.names)
        )
        return TableNews(
            table="",
            name=self.table,
            edition=self.edition,
            options=dict(self.options),
            host=self.names[0] if self.names else "",
            address="",
            seats=seats,
            words=self.verdict.words,
            you=seat,
            spectator=seat is None,
        )

    def news(self, moment: int, seat: int | None = None) -> tuple[Told, ...]:
        """What was told at a moment, as to whoever sits at `seat`; None: to a spectator."""
        told = self.moments[moment]
        view = told.views[seat]
        events = (EventNews(event) for event in told.events)
        return (*events, StateNews(view, self.names, told.awaited))

    def ending(self, path: str) -> OverNews | Bye:
        """The score; or, where the journal does not go so far, why it ends where it does.

        `path`: the saved match's file, to be named with the score.
        """
        result = self.verdict.result
        if result is not None:
            points = tuple(_turning_points(self.moments, result.winners))
            return replace(result, journal=path, names=self.names, turning_points=points)
        if self.verdict.faults:
            fault = self.verdict.faults[0]
            return Bye(Exit.BUG, fault.code, {"name": fault.author})
        return Bye(Exit.FINE, "story_unfinished")


#: how many turning points are told, and how much of all chances each must have moved
TURNING_POINTS, LEAST_TURN = 3, 0.1


def _turning_points(
    moments: Sequence[Moment], winners: Sequence[int]
) -> Iterator[TurningPoint]:
    """The rounds that moved the chances most, in their order. The chances are those at the ends
    of rounds: within one, whoever has had a turn is ahead of whoever has not.
    """
    ends = {moment.views[None].round: moment.chances for moment in moments}
    last = max(ends)
    ends[last] = tuple((seat in winners) / len(winners) for seat in range(len(ends[last])))
    found = []
    before = (1 / len(ends[last]),) * len(ends[last])
    for number, after in sorted(ends.items()):
        moved = sum(map(abs, map(sub, after, before))) / 2
        found.append((moved, number, before, after))
        before = after
    found = sorted(found, reverse=True)[:TURNING_POINTS]
    for moved, number, *chance in sorted(found, key=itemgetter(1)):
        if moved >= LEAST_TURN:
            yield TurningPoint(number, *(tuple(round(100 * x) for x in one) for one in chance))


_Sealed: TypeAlias = tuple[Ciphertext, tuple[int, ...]]
"""What lay in a slot, and whose keys were in it."""


@dataclass(frozen=True, slots=True)
class _Rest:
    """A moment before its sealed cards are opened: by seat, what it held."""

    events: tuple[Event, ...]
    state: State
    held: tuple[Mapping[int, _Sealed], ...]


class _Watcher:
    """Takes down every moment while the journal is judged."""

    def __init__(self) -> None:
        self.match: Match | None = None
        self.rests: list[_Rest] = []
        self._step = -1
        self._told = 0

    def look(self, match: Match) -> None:
        self.match = match
        if not match.at_rest or match.step == self._step:
            return
        self._step = match.step
        events = tuple(match.events[self._told :])
        self._told = len(match.events)
        held: list[dict[int, _Sealed]] = [{} for _ in match.keepers]
        for slot, zone in match.zones.items():
            if zone.seat is not None and zone.kind in HELD and match.is_card(slot):
                lying = match.cards.state(slot).value, match.cards.layers(slot)
                held[zone.seat][slot] = lying
        self.rests.append(_Rest(events, match.state.copy(), tuple(held)))


def record_of(journal: Journal, progress: Progress | None = None) -> MatchRecord:
    """The record of a journal that has been read. `progress(done, of)` is called now and then.

    Raises nothing: what does not hold is in the verdict, and the record ends before it.
    """
    watcher = _Watcher()
    verdict = judge(journal, progress, watcher.look)
    match = watcher.match
    if match is None:
        return MatchRecord("", "", {}, (), (), verdict)
    return MatchRecord(
        match.genesis.name,
        match.rules.edition,
        match.rules.to_options(),
        names_of(match.genesis.seats),
        tuple(_open(match, watcher.rests, verdict.opened)),
        verdict,
    )


def _open(match: Match, rests: Sequence[_Rest], opened: bool) -> list[Moment]:
    """The moments with every view that can be had."""
    known: dict[_Sealed, str | None] = {}
    moments = []
    for rest in rests:
        views: dict[int | None, View] = {None: rules.view(rest.state, None, {})}
        awaited, asked = awaited_in(rest.state), None
        for seat, held in enumerate(rest.held if opened else ()):
            faces = {}
            for slot, sealed in held.items():
                if sealed not in known:
                    known[sealed] = open_card(match, *sealed)
                face = known[sealed]
                if face is not None:
                    faces[slot] = face
            views[seat] = rules.view(rest.state, seat, faces)
            if awaited is not None and awaited.seat == seat:
                asked = Observation(rest.state, seat, faces)
        moments.append(Moment.of(rest.events, views, rest.state, asked))
    return moments


UNREADABLE = "record_unreadable"
"""The fault of a text that is no record, or tells of what cannot be."""


def told(record: Record) -> MatchRecord:
    """The match of a record, as a saved one is told; from every seat where it has a seed.

    Raises nothing: what cannot be is in the verdict, and the match ends before it.
    """
    seats = range(record.rules.seats)
    names = tuple([_named(record.names.get(seat, f"Bot {seat + 1}")) for seat in seats])
    moments: list[Moment] = []
    faults: tuple[Fault, ...] = ()
    result: OverNews | None = None
    try:
        for rest in notation.replay(record):
            moments.append(Moment.of(rest.events, _views(rest), rest.state, _asked(rest)))
            if isinstance(rules.need(rest.state), rules.Over):
                result = over_of(rest.state, names)
    except Unreadable as fault:
        faults, result = (Fault(len(moments), "", UNREADABLE, str(fault)),), None
    verdict = Verdict(
        sound=not faults,
        table="",
        entries=len(record.lines),
        finished=result is not None,
        opened=record.seed is not None,
        faults=faults,
        words=(),
        result=result,
    )
    options = record.rules.to_options()
    return MatchRecord("", record.rules.edition, options, names, tuple(moments), verdict)


def _named(name: str) -> str:
    """A name as it was written; that of a bot is said in the reader's language again."""
    bot, _, number = name.partition(" ")
    return BotName(int(number)) if bot == "Bot" and number.isdecimal() else name


def as_written(name: str) -> str:
    """A name in a record: that of a person who calls itself as a bot is quoted, and so stays
    a person's.
    """
    is_taken = isinstance(_named(name), BotName) and not isinstance(name, BotName)
    return f"“{name}”" if is_taken else str(name)


def _views(rest: Rest) -> Mapping[int | None, View]:
    if rest.game is None:
        return {None: rules.view(rest.state, None, {})}
    chairs = (None, *range(rest.state.rules.seats))
    return {seat: rest.game.view(seat) for seat in chairs}


def _asked(rest: Rest) -> Observation | None:
    """The decision that the table waited for, as it stays."""
    if rest.game is None or rest.game.seat is None:
        return None
    return rest.game.observation.copy()


def counsel(record: MatchRecord, place: int) -> tuple[Ask, AdviceNews] | None:
    """What a bot would have done at a moment in the place of whoever had to decide, knowing
    what that seat had been shown by then; None where that is not known. Takes a while.
    """
    asked = record.moments[place].asked
    if asked is None:
        return None
    adviser = Adviser()
    for moment in record.moments[:place]:
        if moment.asked is not None and moment.asked.seat == asked.seat:
            adviser.note(moment.asked)
    ask = ask_of(place, asked.state, asked.faces)
    return ask, advice(place, adviser.advise(asked))


def written(journal: Journal) -> Record | None:
    """What everybody at the table saw, as far as it holds; None: nothing of a match."""
    _, match = examine(journal)
    if match is None:
        return None
    record = notation.record_of_facts(match.rules, match.facts)
    names = {
        seat: shown
        for seat, name in enumerate(names_of(match.genesis.seats))
        if not isinstance(name, BotName) and (shown := _legible(name))
    }
    return Record(record.rules, record.lines, names=names, digest=record.digest)


def _legible(name: str) -> str:
    """As much of a name as one line takes: whoever made the file may have meant harm by it."""
    return as_written(legible(name, MAX_WIRE_NAME).partition("#")[0].strip())
