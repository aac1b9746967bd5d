"""What a seat sees, as a list of whole numbers that is always as long.

It is made of the seat's view and of what lies on characters for everybody to see, so it holds
no more than the seat may know. Seats come in the order to the left, the seat itself first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from citadels_p2p.cards import CHARACTERS, DISTRICTS
from citadels_p2p.environments.speech import SEATS, WORDS
from citadels_p2p.game import Game
from citadels_p2p.rules.asks import ASKS
from citadels_p2p.rules.view import SeatView

#: no number of a sight is greater
GREATEST = 999

_PHASES = ("selection", "turns", "scoring", "over")
_ROLES = {id: place for place, id in enumerate(sorted(CHARACTERS))}
_CARDS = {id: place for place, id in enumerate(sorted(DISTRICTS))}
_ASKS = {word: place for place, word in enumerate(sorted(ASKS))}


def sight(game: Game, seat: int, said: Sequence[int] = ()) -> list[int]:
    """The numbers for this seat; `said`: what it has said of its decision so far."""
    view, state = game.view(seat), game.state
    you, turn, seats = view.you, view.turn, len(view.seats)
    assert you is not None
    asked = game.seat
    numbers = [view.round, view.deck, view.city_size, view.ends, seats]
    numbers += [view.phase == phase for phase in _PHASES]
    numbers += _counted(view.roster, _ROLES)
    numbers += _counted(view.faceup, _ROLES)
    numbers += _counted([turn.character] if turn is not None else [], _ROLES)
    numbers += _counted([who for who, _ in state.named.values()], _ROLES)
    numbers += _counted([state.silenced] if state.silenced else [], _ROLES)
    marked = [who for laid in state.hidden_markers.values() for who in laid.characters]
    numbers += _counted(marked, _ROLES)
    numbers += _counted([card.card for card in you.hand], _CARDS)
    numbers += _counted(you.characters, _ROLES)
    looked = [card for _, card in you.seen]
    numbers += _counted([card for card in looked if card in _CARDS], _CARDS)
    numbers += _counted([card for card in looked if card in _ROLES], _ROLES)
    numbers += _counted([game.frame.then] if asked == seat else [], _ASKS)
    words = [0] * len(WORDS)
    for word in said:
        words[word] += 1
    numbers += words
    for step in range(SEATS):
        other = view.seats[(seat + step) % seats] if step < seats else None
        numbers += _seat(other)
        who = None if other is None else other.seat
        for one in (view.crown, asked, turn.seat if turn is not None else None):
            numbers.append(who is not None and one == who)
    return [min(int(number), GREATEST) for number in numbers]


def _seat(seat: SeatView | None) -> list[int]:
    if seat is None:
        return [0] * (3 + len(_CARDS) + len(_ROLES))
    return [
        seat.gold,
        seat.hand,
        seat.present,
        *_counted([card.card for card in seat.city], _CARDS),
        *_counted([id for id in seat.characters if id is not None], _ROLES),
    ]


def _counted(ids: Iterable[str], places: dict[str, int]) -> list[int]:
    numbers = [0] * len(places)
    for id in ids:
        numbers[places[id]] += 1
    return numbers


def length() -> int:
    """How many numbers a sight has, whatever is played."""
    return len(sight(Game("classic", 2, seed=0), 0))
