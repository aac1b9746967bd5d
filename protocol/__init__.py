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
    from protocol.errors import BadProof as BadProof
    from protocol.errors import Diverged as Diverged
    from protocol.errors import IllegalEntry as IllegalEntry
    from protocol.errors import LocalError as LocalError
    from protocol.errors import Malformed as Malformed
    from protocol.errors import ProtocolError as ProtocolError
    from protocol.errors import RemoteError as RemoteError
    from protocol.errors import Unavailable as Unavailable
    from protocol.errors import VersionMismatch as VersionMismatch
    from protocol.identity.keys import Acquaintances as Acquaintances
    from protocol.identity.keys import Identity as Identity
    from protocol.identity.keys import fingerprint as fingerprint
    from protocol.identity.keys import load_or_create as load_or_create
    from protocol.identity.keys import parse_fingerprint as parse_fingerprint
    from protocol.identity.password import Password as Password
    from protocol.identity.safety_words import safety_words as safety_words
    from protocol.journal.statements import Operator as Operator
    from protocol.journal.statements import Seat as Seat
    from protocol.node import Node as Node
    from protocol.session.events import Advanced as Advanced
    from protocol.session.events import Began as Began
    from protocol.session.events import CatchingUp as CatchingUp
    from protocol.session.events import Chatted as Chatted
    from protocol.session.events import Cleared as Cleared
    from protocol.session.events import Closed as Closed
    from protocol.session.events import Elsewhere as Elsewhere
    from protocol.session.events import Failed as Failed
    from protocol.session.events import Hosted as Hosted
    from protocol.session.events import LobbyChanged as LobbyChanged
    from protocol.session.events import NodeEvent as NodeEvent
    from protocol.session.events import NotAnnounced as NotAnnounced
    from protocol.session.events import PeerBack as PeerBack
    from protocol.session.events import PeerLost as PeerLost
    from protocol.session.events import Reconnected as Reconnected
    from protocol.session.events import Reconnecting as Reconnecting
    from protocol.session.events import Refused as Refused
    from protocol.session.events import SpectatorsChanged as SpectatorsChanged
    from protocol.session.events import Suspected as Suspected
    from protocol.session.finding import Way as Way
    from protocol.session.knock import TableStatus as TableStatus
    from protocol.session.knock import knock as knock
    from protocol.session.lobby import Gathering as Gathering
    from protocol.session.person import Pace as Pace
    from protocol.storage.saved_matches import Damaged as Damaged
    from protocol.storage.saved_matches import Unfinished as Unfinished
    from protocol.storage.saved_matches import damaged_matches as damaged_matches
    from protocol.storage.saved_matches import unfinished_matches as unfinished_matches
else:
    _ROOMS = {
        "application": "Application Contribution Genesis",
        "discovery.browser": "Browser Found",
        "errors": (
            "BadProof Diverged IllegalEntry LocalError Malformed ProtocolError "
            "RemoteError Unavailable VersionMismatch"
        ),
        "identity.keys": "Acquaintances Identity fingerprint load_or_create parse_fingerprint",
        "identity.password": "Password",
        "identity.safety_words": "safety_words",
        "journal.statements": "Operator Seat",
        "node": "Node",
        "session.events": (
            "Advanced Began CatchingUp Chatted Cleared Closed Elsewhere Failed "
            "Hosted LobbyChanged NodeEvent NotAnnounced PeerBack PeerLost "
            "Reconnected Reconnecting Refused SpectatorsChanged Suspected"
        ),
        "session.finding": "Way",
        "session.knock": "TableStatus knock",
        "session.lobby": "Gathering",
        "session.person": "Pace",
        "storage.saved_matches": "Damaged Unfinished damaged_matches unfinished_matches",
    }
    _ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names.split()}

    def __getattr__(name):
        room = _ROOM_OF.get(name)
        if room is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(f"{__name__}.{room}"), name)
        return found
