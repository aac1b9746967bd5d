"""The viewer's hand: a pile of spines, or one line; a key hides it from neighbours' eyes."""

from __future__ import annotations

from citadels_p2p.cards import DISTRICTS
from citadels_p2p.match import Ask
from cli.drawing.building import House
from cli.i18n import _, counted, pgettext
from cli.screen.pages.cities import tile
from cli.screen.pages.sheet import Sheet
from cli.text import cards, wordings
from cli.text.cells import clip, width, wrap
from cli.text.screen import number_of_more
from cli.text.table import by_cost, gold_short, no_hand, stands_already

#: cells of a spine's end, and blanks before what its card does
SPINE, INDENT = 6, 3
#: cells of a line that the count of what has no room takes
MORE = 6


def held(sheet: Sheet) -> tuple[str, ...]:
    """The cards of the hand by cost, then by name."""
    you = sheet.view.you
    if sheet.held is not None:
        return sheet.held.cards
    return () if you is None else by_cost([card.card for card in you.hand], sheet.model.box)


def lost(sheet: Sheet) -> tuple[str, ...]:
    """The cards of the hand that was swapped, until the viewer has decided."""
    swapped = (one for one in sheet.model.deeds.done if one.event.kind == "hands_swapped")
    had = next((deed.had for deed in swapped), ())
    if sheet.hidden or sheet.held is not None:
        return ()
    return by_cost(had, sheet.model.box)


def card_house(sheet: Sheet, card: str) -> House:
    """A card as it would stand in a city."""
    row = DISTRICTS[card]
    return House(card, row.quarter, sheet.model.box.prices.get(card, row.cost))


def _note(sheet: Sheet, card: str) -> str:
    """What keeps the viewer from building it; '' where it can be paid."""
    view, box = sheet.view, sheet.model.box
    if not card_house(sheet, card).cost:
        return _("cannot be built")
    if stands_already(card, view, box):
        return _("already in your city")
    short = gold_short(card, view, box)
    if not short:
        return ""
    return counted("{count} gold short", count=short)


def heading(sheet: Sheet) -> str:
    return pgettext("heading of the hand", "Your hand")


def count(sheet: Sheet) -> int:
    """How many cards the hand has that is seen, also while it becomes another."""
    if sheet.held is not None:
        return sum(map(bool, sheet.held.cards))
    return 0 if sheet.view.you is None else len(sheet.view.you.hand)


def empty(sheet: Sheet) -> str:
    """What is said where no card is shown; '' where some are."""
    you = sheet.view.you
    if you is None:  # a room that looks on knows that it has none
        return "" if sheet.model.is_big else no_hand(sheet.model.lobby)
    if sheet.hidden:
        return _("Your hand and character are hidden: h shows them.")
    return "" if you.hand or lost(sheet) else pgettext("the hand", "empty")


def line(sheet: Sheet, y: int) -> None:
    """The hand in one row: what can be paid is bright, what was lost struck out."""
    grid, end = sheet.grid, sheet.grid.columns - 1
    if sheet.view.you is None:
        grid.put(1, y, empty(sheet), "dim")
        return
    at = 1 if sheet.hidden else grid.put(1, y, heading(sheet) + " ", "dim")
    if said := empty(sheet):
        grid.put(at, y, clip(said, end - at, sheet.look.signs.ellipsis), "dim")
        return
    hand = held(sheet)
    gone = lost(sheet)
    for place, card in enumerate(card for card in hand if card):
        name, left = cards.district(card), len(hand) - place
        more = f"{number_of_more(left)}: r"  # "+1" would be read as a Temple
        kept = width(more) + 1 if left > 1 else MORE if gone else 0
        if at + 3 + width(name) + kept > end:
            grid.put(at, y, more, "dim")
            return
        bright = not _note(sheet, card)
        at = tile(sheet, at, y, card_house(sheet, card)) + 1
        at = grid.put(at, y, name, "strong" if bright else "dim") + 2
    if gone and at + width(f"{_('lost:')} {len(gone)}") > end:
        grid.put(at, y, f"{sheet.look.signs.minus}{len(gone)}", "bad")
        return
    if gone:
        at = grid.put(at, y, _("lost:"), "bad") + 1
    for place, card in enumerate(gone):
        name, left = cards.district(card), len(gone) - place
        more = number_of_more(left) if place else str(left)
        if at + width(name) + (width(more) + 2 if left > 1 else 0) > end:
            grid.put(at, y, more, "bad")
            return
        at = grid.put(at, y, name, "dim struck") + 2


def spines(sheet: Sheet, x: int, y: int, size: int, rows: int) -> int:
    """A card a row, coloured over the whole row where it can be paid; what it does below it
    where rows are free, whole or not at all. The rows it took.
    """
    grid, hand, gone, box = sheet.grid, held(sheet), lost(sheet), sheet.model.box
    if said := empty(sheet):
        return grid.lines(x + 1, y, wrap(said, size - 1)[:rows], "dim") - y
    # what moves, moves by itself
    spare = 0 if sheet.held is not None else rows - len(hand) - len(gone)
    at = y
    for place, card in enumerate(hand):
        if at >= y + rows or (at == y + rows - 1 and len(hand) - place > 1):
            grid.put(x + 1, at, f"{number_of_more(len(hand) - place)}: r", "dim")
            return rows
        if card:
            _spine(sheet, card, x, at, size)
        at += 1
        if not spare:
            continue
        effect = wordings.effect(card, box.edition, box.readings)
        told = wrap(effect, size - INDENT - 1) if effect else ()
        if len(told) <= spare:
            at = grid.lines(x + INDENT, at, told, "dim")
            spare -= len(told)
    for card in gone[: max(0, y + rows - at)]:
        grid.put(x + 1, at, sheet.look.signs.minus, "bad")
        grid.put(x + SPINE + 1, at, cards.district(card), "dim struck")
        note = _("lost")
        grid.put(x + size - width(note) - 1, at, note, "bad")
        at += 1
    return at - y


def _spine(sheet: Sheet, card: str, x: int, y: int, size: int) -> None:
    grid, shown, note = sheet.grid, card_house(sheet, card), _note(sheet, card)
    ready = not note
    text = f"{sheet.pen.sign(shown.kind)}{shown.cost}"
    ink, body = "", f"on-{shown.kind}"
    if sheet.pen.paints:
        grid.fill(x, y, size, 1, body if ready else "on-bar")
        grid.fill(x, y, SPINE, 1, body)
        grid.put(x + 1, y, text, "bold")
    elif sheet.pen.is_ascii:
        ink = shown.kind if ready else ""
        grid.put(x + 1, y, text, f"{shown.kind} bold")
    else:
        ink = "plate" if ready else ""
        grid.put(x, y, f" {text}".ljust(size if ready else SPINE), "plate bold")
    end = grid.put(x + SPINE + 1, y, cards.district(card), f"{ink} bold" if ready else ink)
    note = note or _("can be paid")
    if end + width(note) + 2 <= x + size:
        grid.put(x + size - width(note) - 1, y, note, ink if ready else "dim")


def seen(sheet: Sheet, ask: Ask, x: int, y: int, size: int, rows: int) -> int:
    """The cards that the viewer looks at now, where no option shows them; the rows it took."""
    view, listed = sheet.view, {option.fields.get("slot") for option in ask.options}
    if view.you is None:
        return 0
    known = [one.card for one in view.you.seen if one.slot not in listed]
    shown = by_cost([card for card in known if card in DISTRICTS], sheet.model.box)
    if not shown:
        return 0
    at, used, start = x, 1, sheet.grid.put(x, y, _("You see: "), "dim")
    at = start
    for card in shown:
        name = cards.district(card)
        if at + 3 + width(name) > x + size and at > start:
            if used >= rows:
                break
            at, used = x + 2, used + 1
        at = tile(sheet, at, y + used - 1, card_house(sheet, card)) + 1
        at = sheet.grid.put(at, y + used - 1, name) + 2
    return used
