"""What players do, told: gold, cards, districts and powers."""

from __future__ import annotations

from cli.i18n import _, ngettext
from cli.text import cards
from cli.text.scene import Scene
from cli.text.sentence_registry import event_sentence

# Gold and cards


@event_sentence
def gold_gathered(scene: Scene, seat: int, gold: int) -> str:
    if scene.is_you(seat):
        return ngettext("You take {gold} gold.", "You take {gold} gold.", gold).format(
            gold=gold
        )
    return ngettext("{name} takes {gold} gold.", "{name} takes {gold} gold.", gold).format(
        name=scene.name(seat), gold=gold
    )


@event_sentence
def cards_drawn(scene: Scene, seat: int, count: int) -> str:
    if scene.is_you(seat):
        return ngettext(
            "You draw {count} card to look at.", "You draw {count} cards to look at.", count
        ).format(count=count)
    return ngettext(
        "{name} draws {count} card to look at.", "{name} draws {count} cards to look at.", count
    ).format(name=scene.name(seat), count=count)


@event_sentence
def cards_kept(scene: Scene, seat: int, count: int, returned: int) -> str:
    if scene.is_you(seat):
        kept = ngettext("You keep {count} card.", "You keep {count} cards.", count)
    else:
        kept = ngettext("{name} keeps {count} card.", "{name} keeps {count} cards.", count)
    kept = kept.format(name=scene.name(seat), count=count)
    if not returned:
        return kept
    rest = ngettext(
        "{count} card goes under the deck.", "{count} cards go under the deck.", returned
    ).format(count=returned)
    return f"{kept} {rest}"


@event_sentence
def cards_gained(scene: Scene, seat: int, count: int, reason: str) -> str:
    if scene.is_you(seat):
        line = ngettext(
            "You gain {count} card ({reason}).", "You gain {count} cards ({reason}).", count
        )
    else:
        line = ngettext(
            "{name} gains {count} card ({reason}).",
            "{name} gains {count} cards ({reason}).",
            count,
        )
    return line.format(name=scene.name(seat), count=count, reason=cards.source(reason))


@event_sentence
def cards_discarded(scene: Scene, seat: int, count: int, reason: str) -> str:
    if scene.is_you(seat):
        line = ngettext(
            "You put {count} card under the deck ({reason}).",
            "You put {count} cards under the deck ({reason}).",
            count,
        )
    else:
        line = ngettext(
            "{name} puts {count} card under the deck ({reason}).",
            "{name} puts {count} cards under the deck ({reason}).",
            count,
        )
    return line.format(name=scene.name(seat), count=count, reason=cards.source(reason))


@event_sentence
def gold_gained(scene: Scene, seat: int, gold: int, reason: str) -> str:
    if scene.is_you(seat):
        line = ngettext(
            "You gain {gold} gold ({reason}).", "You gain {gold} gold ({reason}).", gold
        )
    else:
        line = ngettext(
            "{name} gains {gold} gold ({reason}).", "{name} gains {gold} gold ({reason}).", gold
        )
    return line.format(name=scene.name(seat), gold=gold, reason=cards.source(reason))


@event_sentence
def gold_paid(scene: Scene, seat: int, gold: int, reason: str, to: int | None) -> str:
    if scene.is_you(seat) and to is None:
        line = ngettext(
            "You pay {gold} gold ({reason}).", "You pay {gold} gold ({reason}).", gold
        )
    elif to is None:
        line = ngettext(
            "{name} pays {gold} gold ({reason}).", "{name} pays {gold} gold ({reason}).", gold
        )
    elif scene.is_you(seat):
        line = ngettext(
            "You pay {gold} gold to {other} ({reason}).",
            "You pay {gold} gold to {other} ({reason}).",
            gold,
        )
    elif scene.is_you(to):
        line = ngettext(
            "{name} pays you {gold} gold ({reason}).",
            "{name} pays you {gold} gold ({reason}).",
            gold,
        )
    else:
        line = ngettext(
            "{name} pays {gold} gold to {other} ({reason}).",
            "{name} pays {gold} gold to {other} ({reason}).",
            gold,
        )
    return line.format(
        name=scene.name(seat), other=scene.name(to), gold=gold, reason=cards.source(reason)
    )


@event_sentence
def income(scene: Scene, seat: int, gold: int, quarter: str) -> str:
    kind = cards.quarter(quarter)
    if scene.is_you(seat):
        line = ngettext(
            "Your {quarter} districts bring you {gold} gold.",
            "Your {quarter} districts bring you {gold} gold.",
            gold,
        )
    else:
        line = ngettext(
            "{name} takes {gold} gold for {quarter} districts.",
            "{name} takes {gold} gold for {quarter} districts.",
            gold,
        )
    return line.format(name=scene.name(seat), gold=gold, quarter=kind)


# The city


def price(paid: int) -> str:
    """What something costs, as it ends a sentence."""
    if not paid:
        return _("for nothing")
    return ngettext("for {gold} gold", "for {gold} gold", paid).format(gold=paid)


@event_sentence
def built(scene: Scene, seat: int, card: str, slot: int, paid: int) -> str:
    if scene.is_you(seat):
        line = _("You build {card} {price}.")
    else:
        line = _("{name} builds {card} {price}.")
    return line.format(name=scene.name(seat), card=cards.district(card), price=price(paid))


@event_sentence
def city_completed(scene: Scene, seat: int, first: bool) -> str:
    if scene.is_you(seat):
        if first:
            return _("Your city is complete, before anybody else's!")
        return _("Your city is complete.")
    if first:
        return _("{name} completes a city, before anybody else.").format(name=scene.name(seat))
    return _("{name} completes a city.").format(name=scene.name(seat))


@event_sentence
def destroyed(scene: Scene, seat: int, owner: int, card: str, slot: int, paid: int) -> str:
    if seat == owner and not paid:  # given up, as some districts want it
        if scene.is_you(seat):
            line = _("You destroy your own {card}.")
        else:
            line = _("{name} destroys a district of their own, {card}.")
    elif scene.is_you(seat) and scene.is_you(owner):
        line = _("You destroy your own {card} {price}.")
    elif scene.is_you(seat):
        line = _("You destroy {card} in {owner}'s city {price}.")
    elif scene.is_you(owner):
        line = _("{name} destroys your {card} {price}.")
    elif seat == owner:
        line = _("{name} destroys a district of their own, {card}, {price}.")
    else:
        line = _("{name} destroys {card} in {owner}'s city {price}.")
    return line.format(
        name=scene.name(seat),
        owner=scene.name(owner),
        card=cards.district(card),
        price=price(paid),
    )


@event_sentence
def recovered(scene: Scene, seat: int, card: str, slot: int, paid: int) -> str:
    if scene.is_you(seat):
        line = ngettext(
            "You pay {paid} gold and take {card} into your hand.",
            "You pay {paid} gold and take {card} into your hand.",
            paid,
        )
    else:
        line = ngettext(
            "{name} pays {paid} gold and takes {card} into the hand.",
            "{name} pays {paid} gold and takes {card} into the hand.",
            paid,
        )
    return line.format(name=scene.name(seat), card=cards.district(card), paid=paid)


@event_sentence
def recovery_declined(scene: Scene, seat: int, card: str) -> str:
    if scene.is_you(seat):
        return _("You let {card} go.").format(card=cards.district(card))
    return _("{name} lets {card} go.").format(name=scene.name(seat), card=cards.district(card))


# Powers


@event_sentence
def named(scene: Scene, seat: int, character: str, purpose: str) -> str:
    role = cards.character(character)
    if purpose == "murder":
        if scene.is_you(seat):
            return _("You murder the {character}.").format(character=role)
        return _("{name} murders the {character}.").format(
            name=scene.name(seat), character=role
        )
    if purpose == "theft":
        if scene.is_you(seat):
            return _("You are going to rob the {character}.").format(character=role)
        return _("{name} is going to rob the {character}.").format(
            name=scene.name(seat), character=role
        )
    if purpose == "witchcraft":
        if scene.is_you(seat):
            return _("You bewitch the {character}.").format(character=role)
        return _("{name} bewitches the {character}.").format(
            name=scene.name(seat), character=role
        )
    if scene.is_you(seat):
        return _("You name the {character}.").format(character=role)
    return _("{name} names the {character}.").format(name=scene.name(seat), character=role)


@event_sentence
def robbed(scene: Scene, seat: int, victim: int, gold: int) -> str:
    if scene.is_you(seat):
        line = ngettext(
            "You steal {gold} gold from {victim}.",
            "You steal {gold} gold from {victim}.",
            gold,
        )
    elif scene.is_you(victim):
        line = ngettext(
            "{name} steals your {gold} gold.", "{name} steals your {gold} gold.", gold
        )
    else:
        line = ngettext(
            "{name} steals {gold} gold from {victim}.",
            "{name} steals {gold} gold from {victim}.",
            gold,
        )
    return line.format(name=scene.name(seat), victim=scene.name(victim), gold=gold)


@event_sentence
def crown_taken(scene: Scene, seat: int, before: int | None) -> str:
    if seat == before:
        if scene.is_you(seat):
            return _("You keep the crown.")
        return _("{name} keeps the crown.").format(name=scene.name(seat))
    if scene.is_you(seat):
        return _("You take the crown.")
    if before is None:
        return _("{name} takes the crown.").format(name=scene.name(seat))
    if scene.is_you(before):
        return _("{name} takes the crown from you.").format(name=scene.name(seat))
    return _("{name} takes the crown from {other}.").format(
        name=scene.name(seat), other=scene.name(before)
    )


@event_sentence
def hands_swapped(scene: Scene, seat: int, other: int, given: int, taken: int) -> str:
    if scene.is_you(seat):
        line = _("You swap hands with {other} (cards: {given} for {taken}).")
    elif scene.is_you(other):
        line = _("{name} swaps hands with you (cards: {given} for {taken}).")
    else:
        line = _("{name} swaps hands with {other} (cards: {given} for {taken}).")
    return line.format(name=scene.name(seat), other=scene.name(other), given=given, taken=taken)
