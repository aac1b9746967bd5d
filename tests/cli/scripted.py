"""A session that says what a script says and remembers what is asked of it."""

from __future__ import annotations

import asyncio

from citadels_p2p.cards import DISTRICTS, EDITIONS
from citadels_p2p.match.acts import Act, Leave
from citadels_p2p.match.news import Ask, Bye, News, Option, TableNews, TableSeat
from citadels_p2p.rules.events import KINDS, Event
from citadels_p2p.rules.view import CityCard, HandCard, SeatView, Turn, View, You


class Scripted:
    """Says the news in order; after a `Leave` says goodbye. `done` holds every act in order."""

    def __init__(self, *script: News) -> None:
        self.done: list[Act] = []
        self._news: asyncio.Queue[News] = asyncio.Queue()
        for news in script:
            self._news.put_nowait(news)

    def tell(self, news: News) -> None:
        self._news.put_nowait(news)

    async def next(self) -> News:
        return await self._news.get()

    async def do(self, act: Act) -> None:
        self.done.append(act)
        if isinstance(act, Leave):
            self.tell(Bye(6, "left"))


NAMES = ("Ann", "Bob", "Cleo")


def event(n: int, kind: str, *values: object) -> Event:
    """An event of the vocabulary; the number of values is checked."""
    assert len(values) == len(KINDS[kind])
    return Event(n, kind, values)  # type: ignore[arg-type]  # any value will do for a sentence


def in_hand(card: str, slot: int) -> HandCard:
    """A district card as its owner sees it."""
    box = EDITIONS["classic"]
    cost = next(row.cost for row in (*box.deck, *box.chest) if row.card == card)
    return HandCard(card, slot, cost or None, DISTRICTS[card].quarter)


def view(*, you: bool = True, n: int = 7, seen: tuple[tuple[int, str], ...] = ()) -> View:
    """Ann, with the crown and a Tavern, plays the Merchant; Bob has a Keep; Cleo nothing."""
    tavern = CityCard("tavern", 3, 1, "trade")
    keep = CityCard("keep", 9, 3, "unique")
    hand = (in_hand("palace", 20), in_hand("temple", 11), in_hand("tavern", 12))
    looked = tuple(in_hand(card, slot) for slot, card in seen)
    return View(
        n=n,
        round=2,
        phase="turns",
        crown=0,
        deck=41,
        turn=Turn(0, 6, "merchant"),
        faceup=("thief",),
        city_size=7,
        ends=False,
        seats=(
            SeatView(0, 2, 3, (tavern,), ("merchant",), True, 1),
            SeatView(1, 5, 4, (keep,), (None,), True, 3),
            SeatView(2, 0, 0, (), ("assassin",), False, 0),
        ),
        roster=(),
        you=You(0, hand, ("merchant",), looked) if you else None,
    )


def build(slot: int, card: str, cost: int) -> Option:
    return Option(f"build:{slot}", "build", {"slot": slot, "card": card, "cost": cost})


ACT = Ask(
    4,
    "act",
    (
        build(11, "temple", 1),
        Option("income", "income", {"gold": 1, "quarter": "trade"}, gift=True),
        Option("end", "end", closes=("build", "income")),
    ),
)
DISCARD = Ask(
    5,
    "discard",
    (
        Option("card:20", "card", {"slot": 20, "card": "palace"}),
        Option("card:11", "card", {"slot": 11, "card": "temple"}),
        Option("card:12", "card", {"slot": 12, "card": "tavern"}),
    ),
    low=0,
    high=2,
    word="redraw",
)


def lobby(
    *, ready: bool = False, third: str = "open", words: tuple[str, ...] = ()
) -> TableNews:
    """Ann's table seen by Bob."""
    return TableNews(
        table="ab" * 16,
        name="Friday",
        edition="classic",
        options={"edition": "classic", "seats": 3, "city": 8},
        host="Ann",
        address="10.0.0.7:4521",
        seats=(
            TableSeat(0, "Ann", "human", 0, True, True),
            TableSeat(1, "Bob", "human", 1, True, ready),
            TableSeat(2, "Cleo" if third != "open" else "", third, None, True, False, "easy"),
        ),
        words=words,
        you=1,
    )
