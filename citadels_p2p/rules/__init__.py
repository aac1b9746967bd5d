"""The engine: a pure, deterministic state machine over public facts.

It never knows a hidden card. At any moment it *needs* one thing and says so as a value; a
*fact* answers, and gives what happened or the reason why it cannot be.

>>> state = new(Rules.make("classic", seats=2))
>>> need(state).pile
'lots'
>>> refuse(state, Dealt()).code
'not_needed'
"""

import citadels_p2p.rules.pickling  # noqa: F401  # states can be pickled from here on
from citadels_p2p.rules.asks import (
    Choice,
    asked,
    choice,
    closed_by,
    commits,
    decision,
    harms,
    reveals,
    secret,
)
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.flow import apply, default, need, step
from citadels_p2p.rules.hooks import Secret
from citadels_p2p.rules.moves import Move, parse_move
from citadels_p2p.rules.needs import (
    Away,
    Back,
    Call,
    Called,
    Deal,
    Dealt,
    Decide,
    Decided,
    Fact,
    Need,
    Open,
    Opened,
    Over,
    Shuffle,
    Shuffled,
    TimedOut,
)
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.refusals import menu, refuse
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.scoring import Scores, SeatScore, score
from citadels_p2p.rules.setup import new
from citadels_p2p.rules.state import State, digest
from citadels_p2p.rules.view import View, view
from citadels_p2p.rules.zones import Zone, hidden_picks, zones

__all__ = [
    "Away",
    "Back",
    "Call",
    "Called",
    "Choice",
    "Deal",
    "Dealt",
    "Decide",
    "Decided",
    "Event",
    "Fact",
    "Move",
    "Need",
    "Open",
    "Opened",
    "Over",
    "Reason",
    "Rules",
    "Scores",
    "SeatScore",
    "Secret",
    "Shuffle",
    "Shuffled",
    "State",
    "TimedOut",
    "View",
    "Zone",
    "apply",
    "asked",
    "choice",
    "closed_by",
    "commits",
    "decision",
    "default",
    "digest",
    "harms",
    "hidden_picks",
    "menu",
    "need",
    "new",
    "parse_move",
    "refuse",
    "reveals",
    "score",
    "secret",
    "step",
    "view",
    "zones",
]
