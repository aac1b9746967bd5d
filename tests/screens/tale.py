"""A saved match made without sealed cards: for the same seed always the same record."""

from __future__ import annotations

from random import Random

from citadels_p2p import rules
from citadels_p2p.bots import Observation, make_bot
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.match.archive.audit import Fault, Verdict
from citadels_p2p.match.archive.record import MatchRecord, Moment
from citadels_p2p.match.asks import awaited_in, over_of
from citadels_p2p.rules import Rules
from citadels_p2p.rules.needs import Decide, Decided, Over

NAMES = ("Ann", "Boris", "Chloé", "Dmytro", "Eve", "Fay", "Gus")


def tale(seats: int, seed: int, *, opened: bool = True, cut: int | None = None) -> MatchRecord:
    """A match between bots. `opened`: the hands are known; `cut`: it breaks off there."""
    chance = Random(seed)
    dealer, state = OpenDealer(chance), rules.new(Rules.make("classic", seats=seats))
    bot, names = make_bot("normal"), NAMES[:seats]
    moments: list[Moment] = []
    events: list[rules.Event] = []
    while cut is None or len(moments) < cut:
        need = rules.need(state)
        if not isinstance(need, Decide | Over):
            events += rules.apply(state, dealer.answer(state, need))
            continue
        views = {None: rules.view(state, None, {})} | {
            seat: rules.view(state, seat, dealer.knowledge(state, seat))
            for seat in (range(seats) if opened else ())
        }
        moments.append(Moment(tuple(events), views, awaited_in(state)))
        if isinstance(need, Over):
            break
        faces = dealer.knowledge(state, need.seat)
        move = rules.decision(state, bot.choose(Observation(state, need.seat, faces), chance))
        assert not isinstance(move, rules.Reason)
        hidden = rules.secret(state, move)
        move = move if hidden is None else dealer.invent(hidden)
        shown = tuple((slot, faces[slot]) for slot in rules.reveals(state, move))
        events = list(rules.apply(state, Decided(need.seat, move, shown)))
    result = None if cut is not None else over_of(state, names, rules.digest(state), "")
    faults = () if cut is None else (Fault(cut, "Boris", "bad_signature", ""),)
    verdict = Verdict(
        sound=not faults,
        table="Kitchen",
        entries=len(moments),
        finished=cut is None,
        opened=opened,
        faults=faults,
        words=(),
        result=result,
    )
    options = Rules.make("classic", seats=seats).to_options()
    return MatchRecord("Kitchen", "classic", options, names, tuple(moments), verdict)
