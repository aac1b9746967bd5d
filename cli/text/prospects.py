"""What a character would bring the viewer now, while one is chosen: figures, no advice.

Only where the rule is the same in every box that has the character; else nothing is said.
"""

from __future__ import annotations

from citadels_p2p.cards import CHARACTERS
from citadels_p2p.rules.view import CityCard, SeatView, View
from cli.i18n import NN_, _, counted, phrase
from cli.text import cards
from cli.text.scene import Scene
from cli.text.screen import number_of_more
from cli.text.table import Box

#: characters that take the crown by being called
_CROWNED = ("king", "patrician")
#: those who draw a card, and take no gold, for each district that pays them
_DRAWING = ("patrician",)
#: the district that pays everybody who collects
_PAYS_ALL = "school_of_magic"
#: the one who destroys, for a gold less than it costs
_DESTROYER = "warlord"
#: the district that nobody destroys, and the one that makes all others dearer to destroy
_SPARED, _WALL = "keep", "great_wall"
#: the one whose city nobody destroys
_SAFE = "bishop"


def prospects(role: str, view: View, scene: Scene) -> tuple[str, ...]:
    """Forms of it, the longest first; () where nothing is known."""
    you = view.you
    if you is None:
        return ()
    mine = view.seats[you.seat]
    others = [seat for seat in view.seats if seat.seat != you.seat]
    income = _income(role, mine)
    match role:
        case "assassin":
            return (_("no gold; you act first"),)
        case "thief":
            rich = max(seat.gold for seat in others)
            names = _named([seat for seat in others if seat.gold == rich], scene)
            return (_("most gold: {name} ({gold})").format(name=names, gold=rich),)
        case "magician":
            full = max(seat.hand for seat in others)
            names = _named([seat for seat in others if seat.hand == full], scene)
            long = _("you hold {count}; most cards: {name} ({most})")
            short = _("most cards: {name} ({most})")
            return tuple(
                form.format(name=names, most=full, count=mine.hand) for form in (long, short)
            )
        case _ if role in _CROWNED:
            return (f"{income}; " + _("you choose first next round"), income)
        case "bishop":
            return (f"{income}; " + _("your city is safe"), income)
        case "merchant":
            return (_gold(_districts(role, mine) + 1),)
        case "architect":
            two = _cards(2)
            have = counted("you have {gold} gold to build with", gold=mine.gold)
            return (f"{two}; {have}", two)
        case "warlord":
            return (*_cheapest(others, income, scene), income)
    return ()


def ruin(card: CityCard, seat: SeatView, view: View, box: Box) -> tuple[str, ...]:
    """What destroying a district would cost; () where nobody can."""
    gold = _price(card, seat, view, box)
    if gold is None:
        return ()
    who = cards.character(_DESTROYER)
    return (counted("{character}: {gold} gold to destroy it.", gold=gold, character=who),)


def _price(card: CityCard, seat: SeatView, view: View, box: Box) -> int | None:
    """The gold that destroying a district would cost; None where nobody can."""
    complete = len(seat.city) >= view.city_size and box.readings.get("complete") != "open"
    if _DESTROYER not in box.ranks.values() or complete or card.card == _SPARED:
        return None
    walled = card.card != _WALL and any(one.card == _WALL for one in seat.city)
    return card.cost - 1 + walled


def weakest(seat: SeatView, view: View, box: Box) -> str:
    """The district of a city that would cost least to destroy; "" where nobody can."""
    prices = [(_price(card, seat, view, box), card.card) for card in seat.city]
    known = [(gold, card) for gold, card in prices if gold is not None]
    if not known or _SAFE in seat.characters:
        return ""
    gold, card = min(known)
    told = counted("{gold} gold", gold=gold)
    return f"{cards.district(card)}, {told}"


def paid(seat: SeatView, box: Box) -> str:
    """Which characters of the match a city's districts pay, and how much; "" for none."""
    roles = [role for _rank, role in sorted(box.ranks.items()) if CHARACTERS[role].quarter]
    amounts = [(role, _districts(role, seat)) for role in roles]
    return ", ".join(
        f"{cards.character(role)}\u00a0{count}" for role, count in amounts if count
    )


def _named(seats: list[SeatView], scene: Scene) -> str:
    """Whoever has as much as anybody: two by name, and how many more."""
    names = ", ".join(scene.name(seat.seat) for seat in seats[:2])
    return f"{names}, {number_of_more(len(seats) - 2)}" if len(seats) > 2 else names


def _districts(role: str, mine: SeatView) -> int:
    """How many of one's districts pay the character."""
    quarter = CHARACTERS[role].quarter
    return sum(card.quarter == quarter or card.card == _PAYS_ALL for card in mine.city)


def _gold(count: int) -> str:
    if not count:
        return _("no gold")
    return counted("+{gold} gold", gold=count)


def _cards(count: int) -> str:
    if not count:
        return _("no cards")
    return counted("+{count} card", "+{count} cards", count=count)


def _income(role: str, mine: SeatView) -> str:
    if not CHARACTERS[role].quarter:
        return ""
    count = _districts(role, mine)
    return _cards(count) if role in _DRAWING else _gold(count)


def _cheapest(others: list[SeatView], income: str, scene: Scene) -> tuple[str, ...]:
    """The district that would cost least to destroy, of whoever has most points."""
    found = [
        (card.cost - 1, -seat.points_so_far, seat.seat, card.card)
        for seat in others
        for card in seat.city
    ]
    if not found:
        return ()
    cost, _points, seat, card = min(found)
    name, district = scene.name(seat), cards.district(card)
    told = NN_("cheapest to destroy: {name}, {card}, {gold} gold")
    said = phrase(told, {"name": name, "card": district, "gold": cost})
    return (f"{income}; {said}",)
