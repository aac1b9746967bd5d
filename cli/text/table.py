"""The table in words: pure functions from a view to lines. Short answers first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, READINGS
from citadels_p2p.match import TableNews
from citadels_p2p.rules.choosing import rank_of
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.ruleset import DRAFTS, usual_readings
from citadels_p2p.rules.view import CityCard, SeatView, View
from cli.i18n import N_, NN_, Message, _, counted, phrase
from cli.text import cards, doubts, wordings
from cli.text.events import narrate
from cli.text.rulings import rulings
from cli.text.scene import Scene, listing

if TYPE_CHECKING:
    from citadels_p2p.rules.hooks import DistrictEffect


@dataclass(frozen=True, slots=True)
class Box:
    """What the edition prints: the cost of each district and the character of each rank.

    `readings`: how the table reads what the books read differently (`READINGS`); `draft`: how
    characters come to seats.
    """

    edition: str = "classic"
    prices: Mapping[str, int] = field(default_factory=dict)
    ranks: Mapping[int, str] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    draft: str = DRAFTS[0]

    @classmethod
    def of(
        cls,
        edition: str,
        characters: Sequence[str] = (),
        options: Mapping[str, object] | None = None,
    ) -> Box:
        """The box of an edition; `characters` where the table has chosen its own, and the
        `options` of its game.
        """
        row = EDITIONS.get(edition, EDITIONS["classic"])
        prices = {card: district.cost for card, district in DISTRICTS.items()}
        prices |= {printed.card: printed.cost for printed in (*row.deck, *row.chest)}
        known = [role for role in characters or row.characters if role in CHARACTERS]
        chosen = options or {}
        draft = str(chosen.get("draft", DRAFTS[0]))
        agreed = usual_readings(row, draft)
        agreed |= {name: str(chosen[name]) for name in READINGS if chosen.get(name)}
        return cls(row.id, prices, {rank_of(row, role): role for role in known}, agreed, draft)


def box_of(table: TableNews, drawn: Sequence[str] = ()) -> Box:
    """What lies in the box on this table. Characters that lots are to draw are not known, until
    they have `drawn` them.
    """
    characters = table.options.get("characters")
    own = characters if isinstance(characters, (list, tuple)) else ()
    return Box.of(table.edition, drawn or [str(role) for role in own], table.options)


# Cards


def city_card(card: CityCard) -> str:
    return _("{card} ({cost} {quarter})").format(
        card=cards.district(card.card), cost=card.cost, quarter=cards.quarter(card.quarter)
    )


def by_cost(held: Iterable[str], box: Box) -> tuple[str, ...]:
    """Cards by cost, then by name."""
    return tuple(sorted(held, key=lambda card: (box.prices.get(card, 0), card)))


def sight(view: View, other: str, box: Box) -> str:
    """The districts that the viewer looks at now, in the hand of `other` where it is one's; ''
    for none.
    """
    seen = () if view.you is None else view.you.seen
    districts = by_cost((one.card for one in seen if one.card in DISTRICTS), box)
    if not districts:
        return ""
    told = listing([hand_card(card, box) for card in districts])
    said = _("{name}'s hand: {cards}.") if other else _("You see: {cards}.")
    return said.format(name=other, cards=told)


def hand_card(card: str, box: Box, view: View | None = None) -> str:
    """A card in a hand; of the viewer's own in `view`, with what keeps it from being built."""
    row = DISTRICTS.get(card)
    name = cards.district(card)
    if row is None:
        return name
    cost, quarter = box.prices.get(card, row.cost), cards.quarter(row.quarter)
    short = 0 if view is None else gold_short(card, view, box)
    shown: Message
    if not cost and view is None:
        shown = N_("{card} ({quarter})")
    elif not cost:
        shown = N_("{card} ({quarter}, cannot be built)")
    elif view is not None and stands_already(card, view, box):
        shown = N_("{card} ({cost} {quarter}, already in your city)")
    elif short:
        shown = NN_("{card} ({cost} {quarter}, {short} gold short)", by="short")
    else:
        shown = N_("{card} ({cost} {quarter})")
    blanks = {"card": name, "cost": cost, "quarter": quarter, "short": short}
    return phrase(shown, blanks)


def gold_short(card: str, view: View, box: Box) -> int:
    """How much gold the viewer lacks to build it, as its city makes that cheaper."""
    mine = my_seat(view)
    if mine is None:
        return 0
    cost, effects = box.prices.get(card, 0), _effects(box)
    if DISTRICTS[card].quarter == "unique":
        others = {one.card for one in mine.city} - {card}
        cost -= sum(effects[one].discount for one in others if one in effects)
    return max(0, cost - mine.gold)


def stands_already(card: str, view: View, box: Box) -> bool:
    """Whether the viewer has as many districts of this name as may stand in a city."""
    from citadels_p2p.rules.effects import CHARACTERS as CHARACTER_EFFECTS

    mine, turn = my_seat(view), view.turn
    if mine is None:
        return False
    if turn is not None and turn.seat == mine.seat:
        power = CHARACTER_EFFECTS.get(turn.character)
        if power is not None and power.duplicates:
            return False
    city, effects = [one.card for one in mine.city], _effects(box)
    most = max((effects[one].twins for one in city if one in effects), default=1)
    return city.count(card) >= most


def _effects(box: Box) -> Mapping[str, DistrictEffect]:
    """What districts do in this box."""
    # it takes the engine, which the lobby does without
    from citadels_p2p.rules.effects import DISTRICTS as EFFECTS
    from citadels_p2p.rules.effects import OLDER_DISTRICTS

    older = EDITIONS[box.edition].wording == "older"
    return {**EFFECTS, **OLDER_DISTRICTS} if older else EFFECTS


def describe(code: str, box: Box) -> tuple[str, ...]:
    """A district or a character as the box words it, and what has been ruled of it."""
    said = rulings(code, box.edition, box.readings)
    if code in CHARACTERS:
        rank = rank_of(EDITIONS[box.edition], code)
        head = _("{character}, rank {rank}.").format(character=cards.character(code), rank=rank)
        return (head, wordings.ability(code, box.edition, box.readings), *said)
    if code in DISTRICTS:
        row = DISTRICTS[code]
        cost = box.prices.get(code, row.cost)
        if cost:
            head = _("{card}: a {quarter} district, cost {cost}.")
        else:
            head = _("{card}: a {quarter} district without a cost.")
        head = head.format(
            card=cards.district(code), quarter=cards.quarter(row.quarter), cost=cost
        )
        effect = wordings.effect(code, box.edition, box.readings)
        return (head, effect, *said) if effect else (head, *said)
    return ()


# Seats


def my_seat(view: View) -> SeatView | None:
    """The public state of the viewer's seat; None for a spectator."""
    return view.seats[view.you.seat] if view.you is not None else None


def no_hand(lobby: TableNews | None) -> str:
    """Why the viewer sees no hand."""
    if lobby is not None and lobby.you is not None:
        return _("A bot plays your seat: you do not see its hand.")
    if lobby is not None and lobby.between:
        return _("No hand is shown until the laptop is passed on.")
    return _("You only watch: you have no hand.")


def my_hand(view: View, box: Box, lobby: TableNews | None = None) -> str:
    you, mine = view.you, my_seat(view)
    if you is None or mine is None:
        return no_hand(lobby)
    if not you.hand:
        return _("Your hand is empty.")
    held = by_cost((card.card for card in you.hand), box)
    shown = [hand_card(card, box, view) for card in held]
    return _("Your hand: {cards}.").format(cards=", ".join(shown))


def my_role(view: View, box: Box) -> str:
    """Who I am now, with the power while it is my turn; empty before I have chosen."""
    you, turn = view.you, view.turn
    if you is None:
        return ""
    if turn is not None and turn.seat == you.seat:
        return _("You play as the {character}: {power}.").format(
            character=cards.character(turn.character),
            power=wordings.power(turn.character, box.edition),
        )
    if not you.characters:
        return ""
    roles = listing([cards.character(role) for role in you.characters])
    return counted(
        "Your character: {characters}.",
        "Your characters: {characters}.",
        count=len(you.characters),
        characters=roles,
    )


def my_purse(view: View) -> str:
    """My gold, and the crown if I have it."""
    mine = my_seat(view)
    if mine is None:
        return ""
    line = counted("You have {gold} gold.", gold=mine.gold)
    return line + " " + _("You have the crown.") if view.crown == mine.seat else line


def city(seat: SeatView, view: View, scene: Scene) -> str:
    """A city with its cards."""
    count = len(seat.city)
    if not count:
        if scene.is_you(seat.seat):
            return _("Your city is empty.")
        return _("The city of {name} is empty.").format(name=scene.name(seat.seat))
    shown = ", ".join(city_card(card) for card in seat.city)
    if scene.is_you(seat.seat):
        head = _("Your city, {count} of {size}: {cards}.")
    else:
        head = _("The city of {name}, {count} of {size}: {cards}.")
    return head.format(
        name=scene.name(seat.seat), count=count, size=view.city_size, cards=shown
    )


def seat_line(seat: SeatView, view: View, scene: Scene, doubt: str = "") -> str:
    """One player in one line: who, gold, hand, city; `doubt`: why its laptop is suspected."""
    marks = [cards.role(role) for role in seat.characters if role is not None]
    if view.crown == seat.seat:
        marks.append(_("crown"))
    if not seat.present:
        marks.append(_("away"))
    if doubt:
        marks.append(doubts.mark(doubt))
    name = scene.subject(seat.seat)
    who = f"{name} ({', '.join(marks)})" if marks else name
    shown = ", ".join(city_card(card) for card in seat.city) or _("empty")
    return _("{who}: {gold}, {hand}. City: {city}.").format(who=who, city=shown, **_held(seat))


def _held(seat: SeatView) -> dict[str, str]:
    """A seat's `gold` and the number of cards in its `hand`."""
    gold = counted("{gold} gold", gold=seat.gold)
    hand = counted("{count} card", "{count} cards", count=seat.hand)
    return {"gold": gold, "hand": hand}


def table(
    view: View, scene: Scene, suspected: Mapping[int, str] | None = None
) -> tuple[str, ...]:
    """Everything that lies open. `suspected`: by seat, why its laptop is suspected."""
    deck = counted(
        "Round {round}. {count} card in the deck.",
        "Round {round}. {count} cards in the deck.",
        count=view.deck,
        round=view.round,
    )
    size = counted(
        "A city is complete with {size} district.",
        "A city is complete with {size} districts.",
        size=view.city_size,
    )
    end = " " + _("This is the last round.") if view.ends else ""
    lines = [f"{deck} {size}{end}"]
    if view.faceup:
        lines.append(called(view, scene)[0])
    why = suspected or {}
    seats = (seat_line(seat, view, scene, why.get(seat.seat, "")) for seat in view.seats)
    return (*lines, *seats)


def purses(view: View, scene: Scene) -> tuple[str, ...]:
    """Everybody's gold and number of cards."""
    return tuple(
        _("{name}: {gold}, {hand}.").format(name=scene.subject(seat.seat), **_held(seat))
        for seat in view.seats
    )


def called(view: View, scene: Scene) -> tuple[str, ...]:
    """What is known about this round's characters."""
    lines = [narrate(Event(0, "face_up", (view.faceup,)), scene)]
    for seat in view.seats:
        known = [cards.character(role) for role in seat.characters if role is not None]
        if known:
            line = _("{name}: {characters}.")
            lines.append(line.format(name=scene.subject(seat.seat), characters=listing(known)))
    return tuple(lines)


def crown(view: View, scene: Scene) -> str:
    if view.crown is None:
        return _("Nobody has the crown.")
    if scene.is_you(view.crown):
        return _("You have the crown.")
    return _("{name} has the crown.").format(name=scene.name(view.crown))


def points(view: View, scene: Scene) -> tuple[str, ...]:
    """What the cities are worth so far, the best first."""
    ranked = sorted(view.seats, key=lambda seat: -seat.points_so_far)
    return tuple(
        counted(
            "{name}: {points} point so far.",
            "{name}: {points} points so far.",
            points=seat.points_so_far,
            name=scene.subject(seat.seat),
        )
        for seat in ranked
    )
