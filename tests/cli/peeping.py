"""Who may read what at a laptop that two persons share; told from the session's own news."""

from __future__ import annotations

import re
from pathlib import Path

from citadels_p2p import match
from citadels_p2p.cards import DISTRICTS
from citadels_p2p.match.acts import Act, TakeSeat
from citadels_p2p.match.news import (
    Ask,
    EventNews,
    News,
    OverNews,
    PassOn,
    Session,
    StateNews,
    TableNews,
)
from citadels_p2p.match.session.online import Online
from citadels_p2p.rules import Rules
from citadels_p2p.rules.view import View
from cli.text import cards
from tests.match import laptops

#: a word of ordinary sentences as well
AMBIGUOUS = {"Keep"}


def shared(seed: int, *, edition: str = "classic") -> Session:
    """Ann and Ben at one laptop, with two bots."""
    return match.practice(
        Rules.make(edition, seats=4, city=6 if edition == "classic" else None),
        levels=("normal",) * 2,
        name="Ann",
        others=("Ben",),
        seed=seed,
    )


async def sealed(home: Path, *, hosts: bool = True) -> tuple[Session, Session]:
    """Ann and Ben at one laptop of a table, Cleo at another, and a bot: both sessions, theirs
    first. `hosts`: their laptop hosts, else hers.
    """
    rules = Rules.make("classic", seats=4, city=6)
    two, one = {"name": "Ann", "others": ("Ben",)}, {"name": "Cleo"}
    first, second = (two, one) if hosts else (one, two)
    table = await laptops.host(
        home / "host", rules, make=laptops.unplayed_but_bots, bots=["normal"], **first
    )
    guest = await laptops.join(table, home / "guest", make=laptops.unplayed_but_bots, **second)
    sessions = Online(table, autostart=True), Online(guest)
    return sessions if hosts else sessions[::-1]


class Peeping:
    """Hears and sees all, and knows what must not be read now. `sits`: who may look."""

    def __init__(self) -> None:
        self.seats: tuple[int, ...] = (0, 1)  #: Ann's and Ben's
        self.sits: int | None = None
        self.sat: list[int] = []  #: who has sat down, in order
        self.checked = 0  #: secrets that were looked for
        self._public: set[str] = set()
        self._known: dict[int, set[str]] = {0: set(), 1: set()}
        #: seat and character as everybody was told: lines of older rounds say it once more
        self._shown: set[tuple[object, object]] = set()
        self._views: dict[int | None, View] = {}

    def hear(self, news: News) -> None:
        match news:
            case TableNews(seats=seats):
                self.seats = tuple(x.seat for x in seats if x.name in ("Ann", "Ben"))
                self._known = self._known if self._views else {x: set() for x in self.seats}
            case StateNews(view):
                seat = None if view.you is None else view.you.seat
                self._views[seat] = view
                self._public |= {card.card for one in view.seats for card in one.city}
                if view.you is not None:
                    known = self._known[view.you.seat]
                    known |= {card.card for card in view.you.hand}
                    known |= {one.card for one in view.you.seen}
            case EventNews(event):
                self._public |= {str(value) for value in event.fields().values()}
                if event.kind in ("turn_begins", "exposed", "heir"):  # the state comes later
                    self._shown.add((event.fields()["seat"], event.fields()["character"]))
            case Ask():
                assert self.sits is not None, "nobody sits, and somebody is asked"
                fields = (option.fields.get("card", "") for option in news.options)
                self._known[self.sits] |= {str(card) for card in fields}
            case PassOn() | OverNews():
                self.sits = None

    def does(self, act: Act) -> None:
        if isinstance(act, TakeSeat):
            self.sits = act.seat
            self.sat.append(act.seat)

    def look(self, text: str) -> None:
        """Fail where a card can be read that only somebody else may know."""
        for seat, known in self._known.items():
            if seat == self.sits:
                continue
            others = self._known[self.sits] if self.sits is not None else set()
            names = {
                cards.district(card)
                for card in known - others - self._public
                if card in DISTRICTS
            }
            for name in names - AMBIGUOUS:
                self.checked += 1
                seen = name in text and re.search(rf"\b{re.escape(name)}\b", text)
                assert not seen, (seat, name, text)
            self._look_for_role(seat, text)

    def _look_for_role(self, seat: int, text: str) -> None:
        """The character of somebody who does not sit stands nowhere beside their name."""
        own, public = self._views.get(seat), self._views.get(self.sits)
        if own is None or own.you is None or public is None or "is over." in text:
            return  # who was who in a round that is over, everybody is told
        hidden = set(own.you.characters) - set(public.seats[seat].characters)
        name = ("Ann", "Ben")[self.seats.index(seat)]
        # What stands in another panel is far from the name, or behind a rule.
        panels = (part for line in text.splitlines() for part in re.split(r"│|\s{3,}", line))
        said = [part for part in panels if re.search(rf"\b{name}\b", part)]
        hidden -= {role for role in hidden if (seat, role) in self._shown}
        for role in map(cards.character, hidden):
            self.checked += 1
            assert not [part for part in said if f" {role} " in f"{part} "], said
