"""What may be decided: a label for each option."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from citadels_p2p.match import Option
from citadels_p2p.rules.events import Value
from cli.i18n import _, ngettext
from cli.text import cards, intrigues, options
from cli.text.scene import Scene

_LABELS: dict[str, Callable[[Mapping[str, Value], Scene], str]] = {}


def label(option: Option, scene: Scene) -> str:
    """One option in a few words, beginning with a capital and without a full stop."""
    return options.laid(_label(option, scene), option.fields)


def _label(option: Option, scene: Scene) -> str:
    if option.verb in options.LABELS:
        return options.LABELS[option.verb](option.fields, scene)
    if option.verb in intrigues.LABELS:
        return intrigues.label(option.verb, option.fields, scene)
    labelled = _LABELS.get(option.verb)
    if labelled is None:
        card = option.fields.get("card")
        named = cards.district(card) if isinstance(card, str) else ""
        return " ".join(part for part in (cards.spell(option.verb), named) if part)
    return labelled(option.fields, scene)


def has_label(verb: str) -> bool:
    return verb in _LABELS or verb in options.LABELS or verb in intrigues.LABELS


Labelled = Callable[[Mapping[str, Value], Scene], str]


def _labels(verb: str) -> Callable[[Labelled], Labelled]:
    def register(function: Labelled) -> Labelled:
        _LABELS[verb] = function
        return function

    return register


def _card(fields: Mapping[str, Value]) -> str:
    card = fields.get("card")
    return cards.district(card) if isinstance(card, str) else _("a card")


def _role(fields: Mapping[str, Value]) -> str:
    role = fields.get("character", fields.get("card"))
    return cards.character(role) if isinstance(role, str) else _("a character")


def _number(fields: Mapping[str, Value], *names: str) -> int | None:
    for name in names:
        value = fields.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


# Choosing characters


@_labels("take")
def _take(fields: Mapping[str, Value], scene: Scene) -> str:
    role = _role(fields)
    return role[:1].upper() + role[1:]


@_labels("aside")
def _aside(fields: Mapping[str, Value], scene: Scene) -> str:
    return _("Put aside {character}").format(character=_role(fields))


@_labels("murder")
def _murder(fields: Mapping[str, Value], scene: Scene) -> str:
    return _("Murder the {character}").format(character=_role(fields))


@_labels("rob")
def _rob(fields: Mapping[str, Value], scene: Scene) -> str:
    return _("Rob the {character}").format(character=_role(fields))


# Gold and cards


@_labels("gold")
def _gold(fields: Mapping[str, Value], scene: Scene) -> str:
    gold = _number(fields, "gold", "count")
    if gold is None:
        return _("Take gold")
    return ngettext("Take {gold} gold", "Take {gold} gold", gold).format(gold=gold)


@_labels("cards")
def _cards(fields: Mapping[str, Value], scene: Scene) -> str:
    count, keep = _number(fields, "cards", "count", "draw"), _number(fields, "keep")
    if count is None:
        return _("Draw cards")
    if keep is not None and keep >= count:
        return ngettext(
            "Draw {count} card and keep it", "Draw {count} cards and keep them all", count
        ).format(count=count)
    return ngettext(
        "Draw {count} card to look at", "Draw {count} cards to choose from", count
    ).format(count=count)


@_labels("card")
def _one_card(fields: Mapping[str, Value], scene: Scene) -> str:
    card = _card(fields)
    return card[:1].upper() + card[1:]


@_labels("keep")
def _keep(fields: Mapping[str, Value], scene: Scene) -> str:
    return _("Keep {card}").format(card=_card(fields))


@_labels("discard")
def _discard(fields: Mapping[str, Value], scene: Scene) -> str:
    return _("Discard {card}").format(card=_card(fields))


@_labels("income")
def _income(fields: Mapping[str, Value], scene: Scene) -> str:
    gold, quarter = _number(fields, "gold"), fields.get("quarter")
    kind = cards.quarter(quarter) if isinstance(quarter, str) else ""
    if gold is None:
        count = _number(fields, "count")
        if count is None:
            return _("Collect the income of your districts")
        drawn = ngettext("{count} card", "{count} cards", count).format(count=count)
        return _("Collect income: {what}").format(what=drawn)
    if not kind:
        return ngettext(
            "Collect income: {gold} gold", "Collect income: {gold} gold", gold
        ).format(gold=gold)
    return ngettext(
        "Collect income: {gold} gold for {quarter} districts",
        "Collect income: {gold} gold for {quarter} districts",
        gold,
    ).format(gold=gold, quarter=kind)


@_labels("bonus_gold")
@_labels("voyage_gold")
def _bonus_gold(fields: Mapping[str, Value], scene: Scene) -> str:
    gold = _number(fields, "gold", "count")
    if gold is None:
        return _("Take your extra gold")
    return ngettext("Take {gold} extra gold", "Take {gold} extra gold", gold).format(gold=gold)


@_labels("bonus_cards")
@_labels("voyage_cards")
def _bonus_cards(fields: Mapping[str, Value], scene: Scene) -> str:
    count = _number(fields, "cards", "count")
    if count is None:
        return _("Draw your extra cards")
    return ngettext("Draw {count} extra card", "Draw {count} extra cards", count).format(
        count=count
    )


@_labels("swap")
def _swap(fields: Mapping[str, Value], scene: Scene) -> str:
    seat, count = _number(fields, "seat"), _number(fields, "cards", "count")
    if count is None:
        return _("Swap hands with {name}").format(name=scene.name(seat))
    return ngettext(
        "Swap hands with {name}, who has {count} card",
        "Swap hands with {name}, who has {count} cards",
        count,
    ).format(name=scene.name(seat), count=count)


@_labels("redraw")
def _redraw(fields: Mapping[str, Value], scene: Scene) -> str:
    return _("Swap some of your cards with the deck")


# The city


@_labels("build")
def _build(fields: Mapping[str, Value], scene: Scene) -> str:
    cost = _number(fields, "cost")
    if cost is None:
        return _("Build {card}").format(card=_card(fields))
    return ngettext(
        "Build {card} for {cost} gold", "Build {card} for {cost} gold", cost
    ).format(card=_card(fields), cost=cost)


@_labels("destroy")
def _destroy(fields: Mapping[str, Value], scene: Scene) -> str:
    seat, cost = _number(fields, "seat", "owner"), _number(fields, "cost")
    if scene.is_you(seat):
        if cost is None:
            return _("Destroy your own {card}").format(card=_card(fields))
        return ngettext(
            "Destroy your own {card} for {cost} gold",
            "Destroy your own {card} for {cost} gold",
            cost,
        ).format(card=_card(fields), cost=cost)
    if cost is None:
        return _("Destroy {card} in {name}'s city").format(
            card=_card(fields), name=scene.name(seat)
        )
    return ngettext(
        "Destroy {card} in {name}'s city for {cost} gold",
        "Destroy {card} in {name}'s city for {cost} gold",
        cost,
    ).format(card=_card(fields), name=scene.name(seat), cost=cost)


@_labels("lab")
def _lab(fields: Mapping[str, Value], scene: Scene) -> str:
    gold = _number(fields, "gold")
    if gold is None:
        return _("Laboratory: give up {card} for gold").format(card=_card(fields))
    return ngettext(
        "Laboratory: give up {card} for {gold} gold",
        "Laboratory: give up {card} for {gold} gold",
        gold,
    ).format(card=_card(fields), gold=gold)


@_labels("smithy")
def _smithy(fields: Mapping[str, Value], scene: Scene) -> str:
    cost = _number(fields, "cost", "gold")
    if cost is None:
        return _("Smithy: pay for cards")
    return ngettext(
        "Smithy: pay {cost} gold for cards", "Smithy: pay {cost} gold for cards", cost
    ).format(cost=cost)


@_labels("recover")
def _recover(fields: Mapping[str, Value], scene: Scene) -> str:
    cost = _number(fields, "cost")
    if cost is None:
        return _("Graveyard: take {card} into your hand").format(card=_card(fields))
    return ngettext(
        "Graveyard: pay {cost} gold and take {card} into your hand",
        "Graveyard: pay {cost} gold and take {card} into your hand",
        cost,
    ).format(cost=cost, card=_card(fields))


@_labels("decline")
def _decline(fields: Mapping[str, Value], scene: Scene) -> str:
    return _("Let it go")


@_labels("end")
def _end(fields: Mapping[str, Value], scene: Scene) -> str:
    return _("End your turn")


# A saved match


@_labels("forward")
def _forward(fields: Mapping[str, Value], scene: Scene) -> str:
    return _("On to what happens next")


@_labels("back")
def _back(fields: Mapping[str, Value], scene: Scene) -> str:
    return _("Back by one moment")


@_labels("round_on")
def _round_on(fields: Mapping[str, Value], scene: Scene) -> str:
    return _("On to the next round")


@_labels("round_back")
def _round_back(fields: Mapping[str, Value], scene: Scene) -> str:
    return _("Back to where the round begins")


@_labels("look_from")
def _look_from(fields: Mapping[str, Value], scene: Scene) -> str:
    return _("See it as {name} did").format(name=scene.name(_number(fields, "seat")))


@_labels("look_on")
def _look_on(fields: Mapping[str, Value], scene: Scene) -> str:
    return _("See it as everybody did")


@_labels("finish")
def _finish(fields: Mapping[str, Value], scene: Scene) -> str:
    return _("To the end and the score")
