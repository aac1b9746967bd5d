"""What `citadels` alone offers: matches to go on with, tables nearby, and the ways to begin.

Every entry stands for a command that could be typed. The screen and the plain lines show the
same entries in the same order: unfinished matches first, then tables, then what is always
there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from cli.i18n import _, counted
from cli.text import nearby

if TYPE_CHECKING:
    from citadels_p2p.match import TableListing, UnfinishedMatch
    from citadels_p2p.rules.view import View


#: unfinished matches that are shown before the others are asked for
FEW = 3

#: the command that explains a first game
GUIDED = ("play", "--guided")


@dataclass(frozen=True, slots=True)
class LobbyEntry:
    """One thing to choose.

    `kind`: resume, unfold, join, watch, host, play, guide, address, share, past, rules,
    settings or quit.
    `line` is the command it stands for (empty where something is asked first); `key` stays the
    same while the entry is the same. `host` keeps it. `barred`: why it is not possible now.
    """

    kind: str
    key: str
    title: str
    detail: str = ""
    line: tuple[str, ...] = ()
    barred: str = ""
    watch: tuple[str, ...] = ()  #: the command that looks on instead, where that is allowed
    host: str = ""
    taken: int = 0  #: of a table's `seats`
    seats: int = 0
    standing: str = ""  #: how an unfinished match stands

    @property
    def about(self) -> str:
        """All that is said of it."""
        return " · ".join(filter(None, (self.host, self.detail)))


@dataclass(frozen=True)
class Lobby:
    """What the lobby shows. `tables` is None until the network has been searched once;
    `trouble` says why it cannot be searched.
    """

    name: str
    tables: tuple[TableListing, ...] | None = None
    unfinished: tuple[UnfinishedMatch, ...] = ()
    trouble: str = ""
    left_out: int = 0  #: laptops that announce tables for which there is no room
    unfolded: bool = False  #: whether all unfinished matches are shown
    views: Mapping[Path, View] = field(default_factory=dict)  #: how the newest of them stand

    @property
    def entries(self) -> tuple[LobbyEntry, ...]:
        """Everything to choose from, in order."""
        return (*self.matches, *self.nearby, *begin())

    @cached_property
    def matches(self) -> tuple[LobbyEntry, ...]:
        """The matches that may go on: the newest few, and what shows the others."""
        folds = len(self.unfinished) > FEW + 1 and not self.unfolded
        seen = self.unfinished[:FEW] if folds else self.unfinished
        rest = len(self.unfinished) - len(seen)
        more = LobbyEntry(
            "unfold",
            "unfold",
            counted("{count} more", count=rest),
            _("older ones; citadels history --put-away clears them away"),
        )
        shown = (_match(one, self.views.get(one.path)) for one in seen)
        return (*shown, *((more,) if folds else ()))

    @cached_property
    def nearby(self) -> tuple[LobbyEntry, ...]:
        """The tables on this network; those of one's own matches are listed as matches."""
        own = {match.table for match in self.unfinished}
        found = [one for one in self.tables or () if one.table not in own]
        called = Counter((one.name, one.host) for one in found)
        return tuple(_table(one, alike=called[one.name, one.host] > 1) for one in found)


def _match(match: UnfinishedMatch, view: View | None) -> LobbyEntry:
    return LobbyEntry(
        "resume",
        f"resume:{match.table}",
        nearby.match_title(match),
        nearby.match_detail(match),
        ("resume", str(match.path)),
        standing="" if view is None else nearby.standing(match, view),
    )


def _table(table: TableListing, *, alike: bool) -> LobbyEntry:
    """A table; `alike`: another one has its name, and its host's."""
    free = table.state == "lobby" and table.taken < table.seats
    detail = nearby.table_offer(table)
    if table.contested:
        detail = f"{nearby.claimed_twice(table)}; {detail}"
    elif alike:
        detail = f"{table.fingerprint}, {detail}"
    kind = "watch" if not free and table.spectators else "join"
    return LobbyEntry(
        kind,
        f"table:{table.table}:{table.fingerprint}",
        nearby.table_title(table),
        detail,
        (kind, table.code),
        nearby.why_not(table),
        ("watch", table.code) if table.spectators else (),
        nearby.table_host(table),
        table.taken,
        table.seats,
    )


def begin() -> tuple[LobbyEntry, ...]:
    """The entries that are always there."""
    explained = _("every step is explained where it happens")
    return (
        _always("host", _("Host a table"), _("others on this network sit down at it")),
        _always("play", _("Practise"), _("you and bots on this laptop")),
        _always("guide", _("A guided first game"), explained, GUIDED),
        _always(
            "address", _("Join by address or code"), _("where the network shows no tables")
        ),
        _always("share", _("Give the program away"), _("a friend has no citadels yet")),
        _always("past", _("Matches that are over"), _("see one again, or its score")),
        _always("rules", _("Rules and cards"), _("every card of every edition")),
        _always("settings", _("Settings"), _("name, language, colours")),
        _always("quit", _("Leave"), ""),
    )


def _always(kind: str, title: str, detail: str, line: tuple[str, ...] = ()) -> LobbyEntry:
    return LobbyEntry(kind, kind, title, detail, line)


def empty_handed(lobby: Lobby) -> tuple[str, ...]:
    """What to say while the list of tables is empty: the search goes on, or why it may fail."""
    if lobby.trouble:
        return (lobby.trouble,)
    if lobby.tables is None:
        return (_("Looking for tables on this network…"),)
    if lobby.left_out:
        return (nearby.crowded_out(lobby.left_out),)
    if lobby.nearby:
        return ()
    return (
        _("No table is here yet; one that opens appears by itself."),
        _("If a network hides them, the host's address or join code works."),
    )
