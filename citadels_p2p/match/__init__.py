"""Rules and sealed cards joined: a match at a table of laptops, or with bots in one process.

`practice`, `host`, `join`, `watch`, `resume` and `replay` open a `Session`, which is all that
the person's side needs: `Session.next` tells news, `Session.do` takes acts. `tables` says who
is there. This is the public face of the wing: a name is imported from its room when somebody
asks for it, so that a value costs no engine, no network and no disk.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from citadels_p2p.match.acts import *  # noqa: F403
    from citadels_p2p.match.archive.audit import OTHER_VERSION as OTHER_VERSION
    from citadels_p2p.match.archive.audit import TELLS as TELLS
    from citadels_p2p.match.archive.audit import Fault as Fault
    from citadels_p2p.match.archive.audit import Verdict as Verdict
    from citadels_p2p.match.archive.audit import verify as verify
    from citadels_p2p.match.archive.comparing import Comparison as Comparison
    from citadels_p2p.match.archive.comparing import compare as compare
    from citadels_p2p.match.archive.left_off import left_off as left_off
    from citadels_p2p.match.archive.record import MatchRecord as MatchRecord
    from citadels_p2p.match.archive.record import Moment as Moment
    from citadels_p2p.match.archive.record import counsel as counsel
    from citadels_p2p.match.news import *  # noqa: F403
    from citadels_p2p.match.options import *  # noqa: F403
    from citadels_p2p.match.session.evening import Again as Again
    from citadels_p2p.match.session.evening import Evening as Evening
    from citadels_p2p.match.session.listing import NotMeant as NotMeant
    from citadels_p2p.match.session.listing import TableListing as TableListing
    from citadels_p2p.match.session.listing import remember_tables as remember_tables
    from citadels_p2p.match.session.once_more import PracticeAgain as PracticeAgain
    from citadels_p2p.match.session.once_more import TableAgain as TableAgain
    from citadels_p2p.match.session.online import Online as Online
    from citadels_p2p.match.session.replay import find_saved as find_saved
    from citadels_p2p.match.session.replay import names_saved as names_saved
    from citadels_p2p.match.session.replay import read_saved as read_saved
    from citadels_p2p.match.session.replay import recount as recount
    from citadels_p2p.match.session.replay import replay as replay
    from citadels_p2p.match.session.replay import text_of as text_of
    from citadels_p2p.match.session.seating import PersonHere as PersonHere
    from citadels_p2p.match.session.seating import UnfinishedMatch as UnfinishedMatch
    from citadels_p2p.match.session.seating import host as host
    from citadels_p2p.match.session.seating import join as join
    from citadels_p2p.match.session.seating import resume as resume
    from citadels_p2p.match.session.seating import tables as tables
    from citadels_p2p.match.session.seating import unfinished as unfinished
    from citadels_p2p.match.session.seating import watch as watch
    from citadels_p2p.match.session.seating import watch_tables as watch_tables
    from citadels_p2p.match.session.solo import practice as practice
    from citadels_p2p.match.session.table_meant import USUAL_PORT as USUAL_PORT
else:
    _ROOMS = {
        "archive.audit": ("OTHER_VERSION", "TELLS", "Fault", "Verdict", "verify"),
        "archive.comparing": ("Comparison", "compare"),
        "archive.left_off": ("left_off",),
        "archive.record": ("MatchRecord", "Moment", "counsel"),
        "session.evening": ("Again", "Evening"),
        "session.once_more": ("PracticeAgain", "TableAgain"),
        "session.online": ("Online",),
        "session.listing": ("NotMeant", "TableListing", "remember_tables"),
        "session.replay": (
            "find_saved",
            "names_saved",
            "read_saved",
            "recount",
            "replay",
            "text_of",
        ),
        "session.table_meant": ("USUAL_PORT",),
        "session.seating": (
            "PersonHere",
            "UnfinishedMatch",
            "host",
            "join",
            "resume",
            "tables",
            "unfinished",
            "watch",
            "watch_tables",
        ),
        "session.solo": ("practice",),
    }
    #: the values that the person's side sends, hears and proposes
    _VALUES = ("acts", "news", "options")

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
