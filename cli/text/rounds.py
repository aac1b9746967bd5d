"""The course of the match, told: rounds, calls, turns, who is here."""

from __future__ import annotations

from collections.abc import Sequence

from cli.i18n import _, ngettext
from cli.text import cards
from cli.text.scene import Scene, listing
from cli.text.sentence_registry import event_sentence


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
def character_taken(scene: Scene, seat: int) -> str:
    if scene.is_you(seat):
        return _("You choose a character.")
    return _("{name} chooses a character.").format(name=scene.name(seat))


@event_sentence
def character_set_aside(scene: Scene, seat: int) -> str:
    if scene.is_you(seat):
        return _("You put a character aside, face down.")
    return _("{name} puts a character aside, face down.").format(name=scene.name(seat))


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
def turn_begins(scene: Scene, seat: int, rank: int, character: str) -> str:
    if scene.is_you(seat):
        return _("Your turn begins as the {character}.").format(
            character=cards.character(character)
        )
    return _("{name} plays as the {character}.").format(
        name=scene.name(seat), character=cards.character(character)
    )


@event_sentence
def turn_ends(scene: Scene, seat: int) -> str:
    if scene.is_you(seat):
        return _("Your turn ends.")
    return _("{name} ends the turn.").format(name=scene.name(seat))


@event_sentence
def exposed(scene: Scene, seat: int, character: str) -> str:
    role = cards.character(character)
    if scene.is_you(seat):
        return _("You show your silent character: {character}.").format(character=role)
    return _("{name} shows a silent character: {character}.").format(
        name=scene.name(seat), character=role
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
        return _("As heir of the murdered {character}, the crown is yours.").format(
            character=role
        )
    return _("As heir of the murdered {character}, {name} has the crown.").format(
        name=scene.name(seat), character=role
    )


@event_sentence
def last_round(scene: Scene) -> str:
    return _("This is the last round.")


@event_sentence
def goes_on(scene: Scene) -> str:
    return _("No complete city is left: the match goes on.")


@event_sentence
def match_over(scene: Scene, winners: Sequence[int]) -> str:
    if len(winners) == 1 and scene.is_you(winners[0]):
        return _("The match is over. You win!")
    return ngettext(
        "The match is over. {names} wins.",
        "The match is over. {names} share the victory.",
        len(winners),
    ).format(names=listing([scene.name(seat) for seat in winners]))


@event_sentence
def seat_away(scene: Scene, seat: int) -> str:
    return _("{name} is away.").format(name=scene.name(seat))


@event_sentence
def seat_back(scene: Scene, seat: int) -> str:
    return _("{name} is back.").format(name=scene.name(seat))


@event_sentence
def timed_out(scene: Scene, seat: int) -> str:
    if scene.is_you(seat):
        return _("Your time is up: the usual choice is made for you.")
    return _("Time is up for {name}: the usual choice is made.").format(name=scene.name(seat))
