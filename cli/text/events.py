"""What happened, told: one whole sentence in the present tense for every kind of event.

Each kind has its own function, named as the kind, that takes the event's fields. A sentence
about a seat has two voices, "you" and a name; a name never changes its form, and a number
always goes through a plural.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from citadels_p2p.rules.events import Event
from cli.i18n import _, ngettext
from cli.text import cards
from cli.text.scene import Scene, listing

_SENTENCES: dict[str, Callable[..., str]] = {}


def narrate(event: Event, scene: Scene) -> str:
    """The event as a sentence, in the voice of `scene`."""
    sentence = _SENTENCES.get(event.kind)
    if sentence is None:
        return _("{what}.").format(what=cards.spell(event.kind))
    return sentence(scene, **event.fields())


def has_sentence(kind: str) -> bool:
    return kind in _SENTENCES


def _tell(sentence: Callable[..., str]) -> Callable[..., str]:
    _SENTENCES[sentence.__name__] = sentence
    return sentence


# The round


@_tell
def match_begins(scene: Scene, first: int | None) -> str:
    if first is None:
        return _("The match begins. Nobody has the crown yet.")
    if scene.is_you(first):
        return _("The match begins. The lots give you the crown.")
    return _("The match begins. The lots give the crown to {name}.").format(
        name=scene.name(first)
    )


@_tell
def round_begins(scene: Scene, round: int, crown: int | None) -> str:
    if crown is None:
        return _("Round {round} begins. Nobody has the crown.").format(round=round)
    if scene.is_you(crown):
        return _("Round {round} begins. You have the crown and choose first.").format(
            round=round
        )
    return _("Round {round} begins. {name} has the crown and chooses first.").format(
        round=round, name=scene.name(crown)
    )


@_tell
def face_up(scene: Scene, characters: Sequence[str]) -> str:
    if not characters:
        return _("No character lies face up this round.")
    return ngettext(
        "Out of this round, face up: {characters}.",
        "Out of this round, face up: {characters}.",
        len(characters),
    ).format(characters=listing([cards.character(role) for role in characters]))


@_tell
def face_up_replaced(scene: Scene, character: str) -> str:
    return _("{character} may not lie face up and goes back; another card is turned.").format(
        character=cards.character(character)
    )


@_tell
def face_down(scene: Scene, count: int) -> str:
    return ngettext(
        "{count} character is out of this round, face down.",
        "{count} characters are out of this round, face down.",
        count,
    ).format(count=count)


@_tell
def character_taken(scene: Scene, seat: int) -> str:
    if scene.is_you(seat):
        return _("You choose a character.")
    return _("{name} chooses a character.").format(name=scene.name(seat))


@_tell
def character_set_aside(scene: Scene, seat: int) -> str:
    if scene.is_you(seat):
        return _("You put a character aside, face down.")
    return _("{name} puts a character aside, face down.").format(name=scene.name(seat))


@_tell
def rank_called(scene: Scene, rank: int, seat: int | None, character: str | None) -> str:
    role = character or scene.ranks.get(rank)
    if seat is None:
        if role is None:
            return _("Rank {rank} is called: nobody answers.").format(rank=rank)
        return _("Rank {rank}, {character}: nobody answers.").format(
            rank=rank, character=cards.character(role)
        )
    shown = cards.character(role) if role else "?"
    if scene.is_you(seat):
        return _("Rank {rank}, {character}: it is your turn.").format(
            rank=rank, character=shown
        )
    return _("Rank {rank}, {character}: {name} answers.").format(
        rank=rank, character=shown, name=scene.name(seat)
    )


@_tell
def rank_silent(scene: Scene, rank: int) -> str:
    role = scene.ranks.get(rank)
    if role is None:
        return _("Rank {rank} stays silent: its character is murdered.").format(rank=rank)
    return _("Rank {rank}, {character}, is murdered and stays silent.").format(
        rank=rank, character=cards.character(role)
    )


@_tell
def turn_begins(scene: Scene, seat: int, rank: int, character: str) -> str:
    if scene.is_you(seat):
        return _("Your turn begins as the {character}.").format(
            character=cards.character(character)
        )
    return _("{name} plays as the {character}.").format(
        name=scene.name(seat), character=cards.character(character)
    )


@_tell
def turn_ends(scene: Scene, seat: int) -> str:
    if scene.is_you(seat):
        return _("Your turn ends.")
    return _("{name} ends the turn.").format(name=scene.name(seat))


@_tell
def exposed(scene: Scene, seat: int, character: str) -> str:
    role = cards.character(character)
    if scene.is_you(seat):
        return _("You show your silent character: {character}.").format(character=role)
    return _("{name} shows a silent character: {character}.").format(
        name=scene.name(seat), character=role
    )


@_tell
def heir(scene: Scene, seat: int, character: str) -> str:
    role = cards.character(character)
    if scene.is_you(seat):
        return _("As heir of the murdered {character}, the crown is yours.").format(
            character=role
        )
    return _("As heir of the murdered {character}, {name} has the crown.").format(
        name=scene.name(seat), character=role
    )


@_tell
def last_round(scene: Scene) -> str:
    return _("This is the last round.")


@_tell
def match_over(scene: Scene, winners: Sequence[int]) -> str:
    if len(winners) == 1 and scene.is_you(winners[0]):
        return _("The match is over. You win!")
    return ngettext(
        "The match is over. {names} wins.",
        "The match is over. {names} share the victory.",
        len(winners),
    ).format(names=listing([scene.name(seat) for seat in winners]))


# Gold and cards


@_tell
def gold_gathered(scene: Scene, seat: int, gold: int) -> str:
    if scene.is_you(seat):
        return ngettext("You take {gold} gold.", "You take {gold} gold.", gold).format(
            gold=gold
        )
    return ngettext("{name} takes {gold} gold.", "{name} takes {gold} gold.", gold).format(
        name=scene.name(seat), gold=gold
    )


@_tell
def cards_drawn(scene: Scene, seat: int, count: int) -> str:
    if scene.is_you(seat):
        return ngettext(
            "You draw {count} card to look at.", "You draw {count} cards to look at.", count
        ).format(count=count)
    return ngettext(
        "{name} draws {count} card to look at.", "{name} draws {count} cards to look at.", count
    ).format(name=scene.name(seat), count=count)


@_tell
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


@_tell
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


@_tell
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


@_tell
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


@_tell
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


@_tell
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


@_tell
def built(scene: Scene, seat: int, card: str, slot: int, paid: int) -> str:
    if scene.is_you(seat):
        line = ngettext(
            "You build {card} for {paid} gold.", "You build {card} for {paid} gold.", paid
        )
    else:
        line = ngettext(
            "{name} builds {card} for {paid} gold.",
            "{name} builds {card} for {paid} gold.",
            paid,
        )
    return line.format(name=scene.name(seat), card=cards.district(card), paid=paid)


@_tell
def city_completed(scene: Scene, seat: int, first: bool) -> str:
    if scene.is_you(seat):
        if first:
            return _("Your city is complete, before anybody else's!")
        return _("Your city is complete.")
    if first:
        return _("{name} completes a city, before anybody else.").format(name=scene.name(seat))
    return _("{name} completes a city.").format(name=scene.name(seat))


@_tell
def destroyed(scene: Scene, seat: int, owner: int, card: str, slot: int, paid: int) -> str:
    if scene.is_you(seat) and scene.is_you(owner):
        line = ngettext(
            "You destroy your own {card} for {paid} gold.",
            "You destroy your own {card} for {paid} gold.",
            paid,
        )
    elif scene.is_you(seat):
        line = ngettext(
            "You destroy {card} in {owner}'s city for {paid} gold.",
            "You destroy {card} in {owner}'s city for {paid} gold.",
            paid,
        )
    elif scene.is_you(owner):
        line = ngettext(
            "{name} destroys your {card} for {paid} gold.",
            "{name} destroys your {card} for {paid} gold.",
            paid,
        )
    else:
        line = ngettext(
            "{name} destroys {card} in {owner}'s city for {paid} gold.",
            "{name} destroys {card} in {owner}'s city for {paid} gold.",
            paid,
        )
    return line.format(
        name=scene.name(seat), owner=scene.name(owner), card=cards.district(card), paid=paid
    )


@_tell
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


@_tell
def recovery_declined(scene: Scene, seat: int, card: str) -> str:
    if scene.is_you(seat):
        return _("You let {card} go.").format(card=cards.district(card))
    return _("{name} lets {card} go.").format(name=scene.name(seat), card=cards.district(card))


# Powers


@_tell
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
    if scene.is_you(seat):
        return _("You name the {character}.").format(character=role)
    return _("{name} names the {character}.").format(name=scene.name(seat), character=role)


@_tell
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


@_tell
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


@_tell
def hands_swapped(scene: Scene, seat: int, other: int, given: int, taken: int) -> str:
    if scene.is_you(seat):
        line = _("You swap hands with {other} (cards: {given} for {taken}).")
    elif scene.is_you(other):
        line = _("{name} swaps hands with you (cards: {given} for {taken}).")
    else:
        line = _("{name} swaps hands with {other} (cards: {given} for {taken}).")
    return line.format(name=scene.name(seat), other=scene.name(other), given=given, taken=taken)


# Presence


@_tell
def seat_away(scene: Scene, seat: int) -> str:
    return _("{name} is away.").format(name=scene.name(seat))


@_tell
def seat_back(scene: Scene, seat: int) -> str:
    return _("{name} is back.").format(name=scene.name(seat))


@_tell
def timed_out(scene: Scene, seat: int) -> str:
    if scene.is_you(seat):
        return _("Your time is up: the usual choice is made for you.")
    return _("Time is up for {name}: the usual choice is made.").format(name=scene.name(seat))
