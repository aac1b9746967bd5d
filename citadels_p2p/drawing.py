"""A game as somebody looks at it: lines for a terminal, a picture for a notebook.

Both are made of views, so they show no more than the seat they are made for may see. Cards are
called by their ids.
"""

from __future__ import annotations

from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from citadels_p2p.rules.view import CityCard, View

if TYPE_CHECKING:
    from citadels_p2p.game import Game

#: columns of a terminal, and what holds the words of one card together until lines are cut
WIDE: Final = 92
TIED: Final = "\x00"
PHASES: Final = {
    "selection": "characters are chosen",
    "turns": "characters are called",
    "scoring": "points are counted",
    "over": "the match is over",
}
#: how many districts stand in a row, and how large one is, in pixels
ROW: Final = 8
WIDTH, HEIGHT, LEFT, TOP = 92, 44, 150, 34
COLOURS: Final = {
    "noble": "#e3b622",
    "religious": "#5f8fd6",
    "trade": "#55a368",
    "military": "#d05545",
    "unique": "#9a6bc4",
}


def text(game: Game) -> str:
    """The table in ASCII, as the asked seat may see it, and what it is asked."""
    seen = game.view(game.seat)
    rows = [("seat", "", "gold", "hand", "points", "characters", "city")]
    for place in seen.seats:
        city = ", ".join(_priced(one.card, one.cost) for one in place.city)
        characters = ", ".join(_named(one or "?") for one in place.characters)
        mark = f"{'>' if game.seat == place.seat else ' '} {place.seat}"
        crown = "crown" if seen.crown == place.seat else ""
        gold, hand, points = str(place.gold), str(place.hand), str(place.points_so_far)
        rows.append((mark, crown, gold, hand, points, characters, city))
    widths = [max(len(row[at]) for row in rows) for at in range(6)]
    lines = [_title(game, seen)]
    for mark, crown, gold, hand, points, characters, city in rows:
        left = f"{mark:{widths[0]}} {crown:{widths[1]}}"
        middle = f"{gold:>{widths[2]}}  {hand:>{widths[3]}}  {points:>{widths[4]}}"
        begun = f"{left}  {middle}  {characters:{widths[5]}}  "
        around = _wrapped(city, max(24, WIDE - len(begun))) or [""]
        lines.append((begun + around[0]).rstrip())
        lines += [" " * len(begun) + more for more in around[1:]]
    return "\n".join((*lines, *_asked(game, seen)))


def _title(game: Game, seen: View) -> str:
    last = "; the last round" if seen.ends and seen.phase != "over" else ""
    return (
        f"{game.rules.edition}, round {seen.round}: {PHASES[seen.phase]}{last}."
        f" {seen.deck} cards in the deck; cities of {seen.city_size}."
    )


def _asked(game: Game, seen: View) -> list[str]:
    """What the asked seat holds and may choose; who has won, at the end."""
    if seen.you is None and not game.over:
        return ["(a pile is to be shuffled)"]
    if seen.you is None:
        winners = " and ".join(f"seat {seat}" for seat in game.scores.winners)
        return [f"(won by {winners})"]
    hand = ", ".join(_priced(card.card, card.cost or "-") for card in seen.you.hand)
    options = [game.about(option) for option in game.options]
    named = [TIED.join((one.id, *_cards(dict(one.about)))) for one in options]
    low, high = game.bounds or (1, 1)
    count = "" if low == high == 1 else f", {low} to {high} of"
    asked = f"Seat {game.seat} is asked ({game.ask.kind}{count}): {', '.join(named)}"
    return [*_wrapped(f"hand: {hand or 'nothing'}", WIDE), *_wrapped(asked, WIDE)]


def _cards(about: dict[str, object]) -> list[str]:
    return [_named(str(about["card"])).replace(" ", TIED)] if "card" in about else []


def _priced(card: str, cost: int | str) -> str:
    return f"{_named(card)} {cost}".replace(" ", TIED)


def _wrapped(words: str, width: int) -> list[str]:
    """Lines that end between two cards, and never within one."""
    return [line.replace(TIED, " ") for line in wrap(words, width, break_on_hyphens=False)]


def _named(id: str) -> str:
    return id.replace("_", " ")


def svg(game: Game) -> str:
    """The cities as everybody may see them, a row of cards for each seat."""
    seen = game.view()
    drawn: list[str] = []
    top = TOP
    for place in seen.seats:
        asked = " &#9664;" if game.seat == place.seat else ""
        crown = " &#9819;" if seen.crown == place.seat else ""
        characters = ", ".join(_named(one or "?") for one in place.characters)
        drawn.append(_words(8, top + 14, f"seat {place.seat}", crown + asked, bold=True))
        drawn.append(_words(8, top + 28, f"{place.gold} gold, {place.hand} in hand"))
        drawn.append(_words(8, top + 41, characters))
        for at, district in enumerate(place.city):
            down, along = divmod(at, ROW)
            drawn.append(_card(LEFT + along * (WIDTH + 4), top + down * (HEIGHT + 4), district))
        top += max(1, -(-len(place.city) // ROW)) * (HEIGHT + 4) + 8
    wide = LEFT + ROW * (WIDTH + 4)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{top}"'
        f' viewBox="0 0 {wide} {top}" font-family="sans-serif" font-size="11">'
        f'<rect width="100%" height="100%" fill="#faf7f0"/>'
        f"{_words(8, 20, _title(game, seen), bold=True)}{''.join(drawn)}</svg>"
    )


def _words(left: int, top: int, words: str, marks: str = "", *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{left}" y="{top}" fill="#2b2620"{weight}>{escape(words)}{marks}</text>'


def _card(left: int, top: int, district: CityCard) -> str:
    """A district: a roof of battlements in its quarter's colour, its name, what it counts."""
    colour, name = COLOURS[district.quarter], _named(district.card)
    merlons = "".join(f"v-6h{WIDTH // 9}v6h{WIDTH // 9}" for _ in range(4))
    roof = f"M{left},{top + 6}{merlons}v-6H{left + WIDTH}v{HEIGHT - 1}H{left}z"
    lines = wrap(name, 14)
    said = "".join(
        _words(left + 5, top + 20 + 12 * at, line) for at, line in enumerate(lines[:2])
    )
    coin = f'<circle cx="{left + WIDTH - 11}" cy="{top + 30}" r="8" fill="#faf7f0"/>'
    cost = _words(left + WIDTH - 11 - 3 * len(str(district.cost)), top + 34, str(district.cost))
    return (
        f'<g><title>{escape(name)}, {district.quarter}</title><path d="{roof}"'
        f' fill="{colour}" stroke="#2b2620" stroke-width="0.7"/>{said}{coin}{cost}</g>'
    )
