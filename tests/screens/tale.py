"""A saved match made without sealed cards: for the same seed always the same record."""

from __future__ import annotations

from citadels_p2p.bots import Observation, make_bot
from citadels_p2p.game import Game
from citadels_p2p.match.archive.audit import Fault, Verdict
from citadels_p2p.match.archive.record import MatchRecord, Moment
from citadels_p2p.match.asks import over_of
from citadels_p2p.rules import Rules

NAMES = ("Ann", "Boris", "Chloé", "Dmytro", "Eve", "Fay", "Gus")


def tale(seats: int, seed: int, *, opened: bool = True, cut: int | None = None) -> MatchRecord:
    """A match between bots. `opened`: the hands are known; `cut`: it breaks off there."""
    game = Game("classic", seats, seed=seed)
    bot, names = make_bot("normal"), NAMES[:seats]
    moments: list[Moment] = []
    events = tuple(game.log)
    while cut is None or len(moments) < cut:
        chairs = (None, *(range(seats) if opened else ()))
        views = {seat: game.view(seat) for seat in chairs}
        seen = None if game.over or not opened else game.observation
        asked = seen and Observation(seen.state.copy(), seen.seat, dict(seen.faces))
        moments.append(Moment.of(events, views, game.state, asked))
        if game.over:
            break
        events = game.play(*bot.choose(game.observation, game.random))
    result = None
    if cut is None:
        result = over_of(game.state, names)
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
