"""Matches that are written down as text, and saved matches made so. See NOTATION.md."""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p import notation, rules
from citadels_p2p.match.archive.audit import Fault, Verdict, examine
from citadels_p2p.match.archive.record import MatchRecord, Moment
from citadels_p2p.match.asks import awaited_in, over_of
from citadels_p2p.match.news import BotName, OverNews, names_of
from citadels_p2p.notation import Record, Rest, Unreadable
from citadels_p2p.rules import View
from protocol.identity.names import legible
from protocol.journal.chain import Journal
from protocol.journal.statements import MAX_WIRE_NAME

UNREADABLE = "record_unreadable"
"""The fault of a text that is no record, or tells of what cannot be."""


def told(record: Record) -> MatchRecord:
    """The match of a record, as a saved one is told; from every seat where it has a seed.

    Raises nothing: what cannot be is in the verdict, and the match ends before it.
    """
    seats = range(record.rules.seats)
    names = tuple([record.names.get(seat) or BotName(seat + 1) for seat in seats])
    moments: list[Moment] = []
    faults: tuple[Fault, ...] = ()
    result: OverNews | None = None
    try:
        for rest in notation.replay(record):
            moments.append(Moment(rest.events, _views(rest), awaited_in(rest.state)))
            if isinstance(rules.need(rest.state), rules.Over):
                result = over_of(rest.state, names, rules.digest(rest.state), "")
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


def _views(rest: Rest) -> Mapping[int | None, View]:
    if rest.game is None:
        return {None: rules.view(rest.state, None, {})}
    chairs = (None, *range(rest.state.rules.seats))
    return {seat: rest.game.view(seat) for seat in chairs}


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
    return legible(name, MAX_WIRE_NAME).partition("#")[0].strip()
