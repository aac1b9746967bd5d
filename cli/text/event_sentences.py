"""The sentences about events that need more than a table: see `event_voices` for the others."""

from __future__ import annotations

from collections.abc import Sequence

from cli.i18n import _, ngettext
from cli.text import cards
from cli.text.blanks import price
from cli.text.scene import Scene, listing
from cli.text.sentence_registry import event_sentence

# The course of the match


@event_sentence
def characters_drawn(scene: Scene, characters: Sequence[str]) -> str:
    shown = listing([cards.character(role) for role in characters])
    return _("The lots choose the characters: {characters}.").format(characters=shown)


@event_sentence
def uniques_drawn(scene: Scene, districts: Sequence[str]) -> str:
    shown = listing([cards.district(card) for card in districts])
    return _("The lots choose the unique districts: {districts}.").format(districts=shown)


@event_sentence
def match_begins(scene: Scene, first: int | None) -> str:
    if first is None:
        return _("The match begins. Nobody has the crown yet.")
    if scene.is_you(first):
        return _("The match begins. The lots give you the crown.")
    return _("The match begins. The lots give the crown to {name}.").format(
        name=scene.name(first)
    )


@event_sentence
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


@event_sentence
def face_up(scene: Scene, characters: Sequence[str]) -> str:
    if not characters:
        return _("No character lies face up this round.")
    out = listing([cards.character(role) for role in characters])
    return _("Out of this round, face up: {characters}.").format(characters=out)


@event_sentence
def face_up_replaced(scene: Scene, character: str) -> str:
    return _(
        "The {character} may not lie face up: it goes back, and another is turned."
    ).format(character=cards.character(character))


@event_sentence
def face_down(scene: Scene, count: int) -> str:
    return ngettext(
        "{count} character is out of this round, face down.",
        "{count} characters are out of this round, face down.",
        count,
    ).format(count=count)


@event_sentence
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


@event_sentence
def rank_silent(scene: Scene, rank: int) -> str:
    role = scene.ranks.get(rank)
    if role is None:
        return _("Rank {rank} stays silent: its character is murdered.").format(rank=rank)
    return _("Rank {rank}, {character}, is murdered and stays silent.").format(
        rank=rank, character=cards.character(role)
    )


@event_sentence
def heir(scene: Scene, seat: int, character: str) -> str:
    role = cards.character(character)
    if character == "emperor":  # no heir: he gives it away
        if scene.is_you(seat):
            line = _("You show the murdered {character} and give the crown away.")
        else:
            line = _("{name} shows the murdered {character} and gives the crown away.")
        return line.format(name=scene.name(seat), character=role)
    if scene.is_you(seat):
        line = _("You show the murdered {character} and inherit the crown.")
    else:
        line = _("{name} shows the murdered {character} and inherits the crown.")
    return line.format(name=scene.name(seat), character=role)


@event_sentence
def match_over(scene: Scene, winners: Sequence[int]) -> str:
    if len(winners) == 1 and scene.is_you(winners[0]):
        return _("The match is over. You win!")
    return ngettext(
        "The match is over. {names} wins.",
        "The match is over. {names} share the victory.",
        len(winners),
    ).format(names=listing([scene.name(seat) for seat in winners]))


# Gold, cards, districts and powers


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
def city_completed(scene: Scene, seat: int, first: bool) -> str:
    if scene.is_you(seat):
        if first:
            return _("Your city is complete; none was before it!")
        return _("Your city is complete.")
    if first:
        line = _("{name} completes a city; none was complete before it.")
        return line.format(name=scene.name(seat))
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
def markers_placed(scene: Scene, seat: int, characters: Sequence[str], purpose: str) -> str:
    mine = scene.is_you(seat)
    match purpose:
        case "warrants" if mine:
            line = _("You put warrants on {characters}; one of them is signed.")
        case "warrants":
            line = _("{name} puts warrants on {characters}; one of them is signed.")
        case "threats" if mine:
            line = _("You threaten {characters}; one of the threats is real.")
        case "threats":
            line = _("{name} threatens {characters}; one of the threats is real.")
        case _ if mine:
            line = _("You put markers on {characters}.")
        case _:
            line = _("{name} puts markers on {characters}.")
    shown = listing([cards.character(role) for role in characters])
    return line.format(name=scene.name(seat), characters=shown)


@event_sentence
def marker_signed(scene: Scene, seat: int, purpose: str) -> str:
    mine = scene.is_you(seat)
    if purpose == "warrants":
        line = (
            _("You sign one of the warrants in secret.")
            if mine
            else _("{name} signs one of the warrants in secret.")
        )
    else:
        line = (
            _("You decide in secret which marker is the true one.")
            if mine
            else _("{name} decides in secret which marker is the true one.")
        )
    return line.format(name=scene.name(seat))


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
