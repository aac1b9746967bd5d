"""Laptops that do not trust each other share a journal and a pack of sealed cards.

Nothing in this wing knows which game is played. The normative text is PROTOCOL.md.

This is the public face: a `Node` hosts, joins, watches or resumes a table for an `Application`,
and tells `NodeEvent`s. A name is imported from its room when somebody asks for it, so that a
value costs no network and no disk. The sealed cards (`protocol.cards`) and the journal of a
match (`protocol.journal`) are used from their own rooms.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from protocol.application import Application as Application
    from protocol.application import Contribution as Contribution
    from protocol.application import Genesis as Genesis
    from protocol.discovery.browser import Browser as Browser
    from protocol.discovery.browser import Found as Found
    from protocol.errors import *  # noqa: F403
    from protocol.identity.acquaintances import Acquaintances as Acquaintances
    from protocol.identity.keys import Identity as Identity
    from protocol.identity.keys import fingerprint as fingerprint
    from protocol.identity.keys import load_or_create as load_or_create
    from protocol.identity.keys import parse_fingerprint as parse_fingerprint
    from protocol.identity.password import Password as Password
    from protocol.identity.safety_words import safety_words as safety_words
    from protocol.node import Node as Node
    from protocol.roster import Operator as Operator
    from protocol.roster import Seat as Seat
    from protocol.session.events import *  # noqa: F403
    from protocol.session.finding import TableStatus as TableStatus
    from protocol.session.finding import Way as Way
    from protocol.session.finding import knock as knock
    from protocol.session.finished_matches import FinishedMatches as FinishedMatches
    from protocol.session.lobby import Gathering as Gathering
    from protocol.session.person import Pace as Pace
    from protocol.session.person import Person as Person
    from protocol.storage.saved_matches import Unfinished as Unfinished
else:
    _ROOMS = {
        "application": ("Application", "Contribution", "Genesis"),
        "discovery.browser": ("Browser", "Found"),
        "identity.acquaintances": ("Acquaintances",),
        "identity.keys": ("Identity", "fingerprint", "load_or_create", "parse_fingerprint"),
        "identity.password": ("Password",),
        "identity.safety_words": ("safety_words",),
        "node": ("Node",),
        "roster": ("Operator", "Seat"),
        "session.finding": ("TableStatus", "Way", "knock"),
        "session.finished_matches": ("FinishedMatches",),
        "session.lobby": ("Gathering",),
        "session.person": ("Pace", "Person"),
        "storage.saved_matches": ("Unfinished",),
    }

    #: whose every name is offered
    _VALUES = ("errors", "session.events")

    def __getattr__(name):
        if not name.startswith("__"):
            named = [room for room, names in _ROOMS.items() if name in names]
            for room in named or _VALUES:
                found = vars(import_module(f"{__name__}.{room}"))
                if name in found:
                    return found[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        offered = {name for names in _ROOMS.values() for name in names}
        for room in _VALUES:
            module = import_module(f"{__name__}.{room}")
            values = vars(module).items()
            offered |= {n for n, v in values if getattr(v, "__module__", "") == module.__name__}
        return sorted(name for name in offered if not name.startswith("_"))
