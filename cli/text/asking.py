"""A question as the plain table puts it: the state, the question, the numbered choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS
from citadels_p2p.match import Ask, Option
from citadels_p2p.rules.choosing import rank_of
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.view import View
from cli.i18n import N_, _, counted
from cli.text import cards, wordings
from cli.text.events import narrate
from cli.text.labels import label
from cli.text.questions import question
from cli.text.scene import Scene, listing
from cli.text.table import Box, city, hand_card, my_hand, my_purse, my_role, my_seat, seat_line


def prelude(view: View, scene: Scene, box: Box) -> tuple[str, ...]:
    """How things stand before a decision: the others first, then what is mine."""
    mine = my_seat(view)
    others = [seat_line(seat, view, scene) for seat in view.seats if seat is not mine]
    if mine is None:
        return tuple(others)
    own = (city(mine, view, scene), my_hand(view, box), my_role(view, box), my_purse(view))
    return (*others, *(line for line in own if line))


def in_order(ask: Ask, box: Box) -> Ask:
    """The same ask with its options in a person's order. What gives something up comes last;
    verbs keep their places; within one characters are sorted by rank and cards by cost, but for
    those of a city, which go by their player.
    """
    places: dict[str, int] = {}
    for place, option in enumerate(ask.options):
        places.setdefault(option.verb, place)

    def order(option: Option) -> tuple[bool, int, int]:
        card, place = option.fields.get("character", option.fields.get("card")), 0
        if isinstance(card, str) and card in CHARACTERS:
            place = rank_of(EDITIONS[box.edition], card)
        elif isinstance(card, str) and "seat" not in option.fields:
            place = box.prices.get(card, 0)
        return option.sacrifice, places[option.verb], place

    return replace(ask, options=tuple(sorted(ask.options, key=order)))


def ranks_in(box: Box) -> dict[str, int]:
    """The rank by which the box calls each of its characters."""
    row = EDITIONS[box.edition]
    return {role: rank_of(row, role) for role in row.cast}


def by_rank(options: Sequence[Option], ranks: Mapping[str, int]) -> tuple[int, ...]:
    """The number of each option where characters are chosen: its rank, and 0 for what is none
    of them; () where something else is.
    """
    told = (one.fields.get("character", one.fields.get("card")) for one in options)
    found = [ranks.get(role, 0) if isinstance(role, str) else 0 for role in told]
    apart = len(set(found)) == len(found) and any(found)
    return tuple(found) if apart else ()


def numbers(ask: Ask, box: Box) -> tuple[int, ...]:
    """What is typed for each option: its rank or its place, from 1."""
    found = by_rank(ask.options, ranks_in(box))
    return found or tuple(range(1, len(ask.options) + 1))


def pose(ask: Ask, scene: Scene, box: Box) -> tuple[str, ...]:
    """The question and its numbered choices; what has but one answer is told."""
    if ask.sole:
        return (statement(ask, scene, box), _("Press Enter to go on."))
    lines = [question(ask, scene)]
    lines += [
        f"  {number}. {choice(ask, option, scene, box)}"
        for number, option in zip(numbers(ask, box), ask.options, strict=True)
    ]
    if ask.low is not None and ask.high != 1:
        lines.append(
            _("Several with commas: 1, 3. Nothing at all: none.")
            if ask.low == 0
            else _("Several with commas: 1, 3.")
        )
    if ask.deadline is not None:
        seconds = max(0, round(ask.deadline))
        lines.append(
            counted("You have {count} second.", "You have {count} seconds.", count=seconds)
        )
    return tuple(lines)


#: what is said where a marker could be shown and the viewer has not the true one there
_UNSHOWN = {
    "custody": N_("{card} is paid for, but your warrant there is not signed."),
    "threaten": N_("No bribe is paid, but your threat there is not the real one."),
}


def statement(ask: Ask, scene: Scene, box: Box) -> str:
    """What an ask with one answer comes to, told instead of asked."""
    (one, *others), fields = ask.options, ask.fields
    if one.verb == "decline" and ask.word in _UNSHOWN:
        card = fields.get("card")
        district = cards.district(card) if isinstance(card, str) else ""
        return _(_UNSHOWN[ask.word]).format(card=district)
    if ask.kind not in ("count", "counted"):
        said = [label(option, scene) for option in (one, *others)]
        only = _("Only this is possible: {choice}.").format(choice=listing(said))
        return f"{question(ask, scene)} {only}"
    sides = (scene.you, fields["seat"]) if ask.kind == "count" else (fields["seat"], scene.you)
    count = one.fields["number"] if ask.kind == "count" else fields["count"]
    told = narrate(Event(0, "spied", (*sides, fields["quarter"], count)), scene)
    wrong = _("That is wrong, and your hand is shown to all.")
    return f"{told} {wrong}" if one.verb == "contest" else told


def choice(ask: Ask, option: Option, scene: Scene, box: Box) -> str:
    """One choice; a card or a character that is chosen says what it is good for."""
    return joined(*parts(ask, option, scene, box))


def joined(head: str, rest: str) -> str:
    """A choice and what is said of it besides, in one line."""
    return _("{choice}: {reason}").format(choice=head, reason=rest) if rest else head


def parts(ask: Ask, option: Option, scene: Scene, box: Box) -> tuple[str, str]:
    """One choice, and what it is good for where that is said (else empty)."""
    card = option.fields.get("card")
    role = option.fields.get("character", card)
    if ask.kind in ("character", "discard_character") and isinstance(role, str):
        rank = rank_of(EDITIONS[box.edition], role) if role in CHARACTERS else 0
        head = _("{choice} (rank {rank})").format(choice=label(option, scene), rank=rank)
        return head, wordings.power(role, box.edition)
    if option.verb == "card" and isinstance(card, str):
        return hand_card(card, box), wordings.effect(card, box.edition, box.readings)
    told = ask.kind != "act" and option.verb != "decline"
    if told and isinstance(card, str) and card in DISTRICTS:
        row = DISTRICTS[card]
        cost = option.fields.get("cost", box.prices.get(card, row.cost))
        shown = (_("{card} ({cost} {quarter})") if cost else _("{card} ({quarter})")).format(
            card=label(option, scene), cost=cost, quarter=cards.quarter(row.quarter)
        )
        return shown, wordings.effect(card, box.edition, box.readings)
    return label(option, scene), ""
