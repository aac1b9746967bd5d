"""The viewer's hand and character, which a key hides from neighbours' eyes."""

from __future__ import annotations

from citadels_p2p.cards import DISTRICTS
from citadels_p2p.match import Ask
from citadels_p2p.rules.view import View
from cli.client.client_model import ClientModel
from cli.i18n import _
from cli.screen.look import Look
from cli.screen.pages.seats import flow
from cli.text import cards, wordings
from cli.text.cells import Row, Span, line, wrap
from cli.text.table import by_cost, my_role, no_hand


def hand_cards(view: View, model: ClientModel) -> tuple[str, ...]:
    """The cards of the hand by cost, then by name."""
    if view.you is None:
        return ()
    return by_cost([card.card for card in view.you.hand], model.box)


def card_row(
    card: str, view: View, model: ClientModel, look: Look, *, mine: bool = True
) -> Row:
    """A card; one of the hand is dim when its cost cannot be paid, or it stands in the city
    already.
    """
    row = DISTRICTS.get(card)
    if row is None or view.you is None:
        return line(cards.district(card))
    cost = model.box.prices.get(card, row.cost)
    home = view.seats[view.you.seat]
    built = card in {standing.card for standing in home.city}
    style = "dim" if mine and (built or cost > home.gold) else ""
    code = f"{look.quarter(row.quarter)}{cost}"
    return (Span(f"{code} ", row.quarter), Span(cards.district(card), style))


def hand_rows(
    view: View, model: ClientModel, look: Look, size: int, *, hidden: bool
) -> tuple[Row, ...]:
    """The hand one card after the other."""
    if view.you is None:
        return (line(" " + no_hand(model.lobby), "dim"),)
    head = " " + _("Your hand: ")
    if not view.you.hand:
        return (line(head + _("empty"), "dim"),)
    if hidden:
        blocks = "  ".join([look.signs.hidden * 4] * len(view.you.hand))
        return ((Span(head, "dim"), Span(blocks, "dim")),)
    return flow(
        [card_row(card, view, model, look) for card in hand_cards(view, model)], head, size
    )


def seen_rows(ask: Ask, model: ClientModel, look: Look, size: int) -> tuple[Row, ...]:
    """The cards that the viewer looks at now, where no option shows them."""
    view, listed = model.view, {option.fields.get("slot") for option in ask.options}
    if view is None or view.you is None:
        return ()
    known = [one for one in view.you.seen if one.slot not in listed]
    seen = [one.card for one in known if one.card in DISTRICTS]
    words = [card_row(card, view, model, look, mine=False) for card in by_cost(seen, model.box)]
    return flow(words, " " + _("You see: "), size) if words else ()


def hand_texts(
    view: View, model: ClientModel, look: Look, size: int, *, hidden: bool
) -> tuple[Row, ...]:
    """The hand one card a row, with what each does."""
    if view.you is None or not view.you.hand or hidden:
        return hand_rows(view, model, look, size, hidden=hidden)
    rows: list[Row] = [line(" " + _("Your hand: ").rstrip(), "heading")]
    for card in hand_cards(view, model):
        rows.append((Span(" "), *card_row(card, view, model, look)))
        effect = wordings.effect(card, model.box.edition, model.box.readings)
        rows += (
            [line(f"    {text}", "dim") for text in wrap(effect, size - 4)] if effect else []
        )
    return tuple(rows)


def role_rows(view: View, model: ClientModel, size: int, *, hidden: bool) -> tuple[Row, ...]:
    """The viewer's character and its power; a note instead where it is hidden."""
    role = my_role(view, model.box)
    if not role:
        return ()
    if hidden:
        return (line(" " + _("Your hand and character are hidden: h shows them."), "dim"),)
    return tuple(line(f" {text}", "mine") for text in wrap(role, size - 2, "  "))
