"""Writes events: one whole sentence in the present tense for every kind.

A kind has a row in `VOICES` or a function named as the kind. A sentence about a seat has a
voice for that seat ("you"), one with its name, and a third where somebody else does it to you.
A number always goes through a plural. A sentence that begins with `{name}` keeps the name as
its owner writes it; all others begin with a capital.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from citadels_p2p.rules.events import Event, Value
from cli.i18n import N_, NN_, _, counted, ngettext
from cli.text import cards
from cli.text.blanks import capital, filled, price
from cli.text.scene import Scene, listing

#: one sentence, or one for one and one for many
Form: TypeAlias = str | tuple[str, str]


class Voices(NamedTuple):
    """The sentences about one kind of event, by who reads them.

    Where somebody else does it to you, `whom` is that one's field, and `to_you` the sentence.
    `none` has the voices where the field `number` is 0, if that deserves a sentence of its own.
    """

    yours: Form
    theirs: Form
    whom: str = ""
    to_you: Form = ""
    none: Voices | None = None
    number: str = ""


def _alike(sentence: str) -> Voices:
    """The voices of an event that everybody reads in the same words."""
    return Voices(sentence, sentence)


VOICES: dict[str, Voices] = {
    # the course of the match
    "character_taken": Voices(
        N_("You choose a character."),
        N_("{name} chooses a character."),
    ),
    "character_dealt": _alike(N_("Chance deals the characters.")),
    "character_set_aside": Voices(
        N_("You put a character aside, face down."),
        N_("{name} puts a character aside, face down."),
    ),
    "turn_begins": Voices(
        N_("Your turn begins as the {character}."),
        N_("{name} plays as the {character}."),
    ),
    "turn_ends": Voices(N_("Your turn ends."), N_("{name} ends the turn.")),
    "exposed": Voices(
        N_("You show your silent character: {character}."),
        N_("{name} shows a silent character: {character}."),
    ),
    "last_round": _alike(N_("This is the last round.")),
    "goes_on": _alike(N_("No complete city is left: the match goes on.")),
    "seat_away": _alike(N_("{name} is away.")),
    "seat_back": _alike(N_("{name} is back.")),
    "timed_out": Voices(
        N_("Your time is up: the usual choice is made for you."),
        N_("Time is up for {name}: the usual choice is made."),
    ),
    # gold, cards, districts and powers
    "built": Voices(
        N_("You build {card} {price}."),
        N_("{name} builds {card} {price}."),
    ),
    "recovery_declined": Voices(N_("You let {card} go."), N_("{name} lets {card} go.")),
    "hands_swapped": Voices(
        N_("You swap hands with {other} (cards: {given} for {taken})."),
        N_("{name} swaps hands with {other} (cards: {given} for {taken})."),
        "other",
        N_("{name} swaps hands with you (cards: {given} for {taken})."),
    ),
    # what the further characters do
    "turn_resumed": Voices(
        N_("You play the turn of the bewitched {character}."),
        N_("{name} plays the turn of the bewitched {character}."),
    ),
    "hand_seen": Voices(
        N_("You look into {other}'s hand ({reason})."),
        N_("{seat} looks into {other}'s hand ({reason})."),
        "other",
        N_("{seat} looks into your hand ({reason})."),
    ),
    "hand_opened": Voices(
        N_("You show your hand: {cards}."), N_("{seat} shows the hand: {cards}.")
    ),
    "markers_withdrawn": Voices(
        N_("You take your markers back."),
        N_("{seat} takes the markers back."),
    ),
    "bribe_refused": Voices(
        N_("You pay no bribe to {to}."),
        N_("{seat} pays no bribe to {to}."),
        "to",
        N_("{seat} pays you no bribe."),
    ),
    "threat_shown": Voices(
        N_("You turn the threat on the {character} over."),
        N_("{seat} turns the threat on the {character} over."),
    ),
    "threat_dropped": Voices(
        N_("You let the threat on {victim} be."),
        N_("{seat} lets the threat on {victim} be."),
        "victim",
        N_("{seat} lets the threat on you be."),
    ),
    "summoned": Voices(
        N_("You pay for {card}; the Magistrate may take it over."),
        N_("{seat} pays for {card}; the Magistrate may take it over."),
    ),
    "site_begun": Voices(
        N_("You begin to build {card}."),
        N_("{seat} begins to build {card}."),
    ),
    "declined": Voices(
        N_("You do not use the {reason}."), N_("{seat} does not use the {reason}.")
    ),
    "recasting": Voices(
        N_("You exchange a character with {other}."),
        N_("{seat} exchanges a character with {other}."),
        "other",
        N_("{seat} exchanges a character with you."),
    ),
    "picks_swapped": Voices(
        N_("You exchange characters with {other}, unseen."),
        N_("{seat} exchanges characters with {other}, unseen."),
        "other",
        N_("{seat} exchanges characters with you, unseen."),
    ),
    "unveiled": Voices(N_("You show {card}."), N_("{seat} shows {card}.")),
    "deck_shuffled": _alike(N_("The deck is shuffled.")),
    "seized": Voices(
        N_("You take {card} from {owner} {price}."),
        N_("{seat} takes {card} from {owner} {price}."),
        "owner",
        N_("{seat} takes your {card} {price}."),
    ),
    # gold, cards, districts and powers
    "gold_gathered": Voices(
        NN_("You take {gold} gold."), NN_("{name} takes {gold} gold."), number="gold"
    ),
    "cards_drawn": Voices(
        NN_("You draw {count} card to look at.", "You draw {count} cards to look at."),
        NN_("{name} draws {count} card to look at.", "{name} draws {count} cards to look at."),
        number="count",
    ),
    "cards_gained": Voices(
        NN_("You gain {count} card ({reason}).", "You gain {count} cards ({reason})."),
        NN_("{name} gains {count} card ({reason}).", "{name} gains {count} cards ({reason})."),
        number="count",
    ),
    "cards_discarded": Voices(
        NN_(
            "You put {count} card under the deck ({reason}).",
            "You put {count} cards under the deck ({reason}).",
        ),
        NN_(
            "{name} puts {count} card under the deck ({reason}).",
            "{name} puts {count} cards under the deck ({reason}).",
        ),
        number="count",
    ),
    "gold_gained": Voices(
        NN_("You gain {gold} gold ({reason})."),
        NN_("{name} gains {gold} gold ({reason})."),
        number="gold",
    ),
    "income": Voices(
        NN_("Your {quarter} districts bring you {gold} gold."),
        NN_("{name} takes {gold} gold for {quarter} districts."),
        number="gold",
    ),
    "recovered": Voices(
        NN_("You pay {paid} gold and take {card} into your hand."),
        NN_("{name} pays {paid} gold and takes {card} into the hand."),
        number="paid",
    ),
    "robbed": Voices(
        NN_("You steal {gold} gold from {victim}."),
        NN_("{name} steals {gold} gold from {victim}."),
        "victim",
        NN_("{name} steals your {gold} gold."),
        Voices(
            N_("You find no gold to steal from {victim}."),
            N_("{name} finds no gold to steal from {victim}."),
            "victim",
            N_("{name} finds no gold to steal from you."),
        ),
        number="gold",
    ),
    # what the further characters do
    "deck_searched": Voices(
        NN_("You search the deck: {count} card.", "You search the deck: {count} cards."),
        NN_(
            "{seat} searches the deck: {count} card.",
            "{seat} searches the deck: {count} cards.",
        ),
        number="count",
    ),
    "cards_tucked": Voices(
        NN_(
            "You tuck {count} card away ({reason}).", "You tuck {count} cards away ({reason})."
        ),
        NN_(
            "{seat} tucks {count} card away ({reason}).",
            "{seat} tucks {count} cards away ({reason}).",
        ),
        number="count",
    ),
    "fewer_needed": Voices(
        NN_(
            "You ring the bell: {count} district completes a city.",
            "You ring the bell: {count} districts complete a city.",
        ),
        NN_(
            "{seat} rings the bell: {count} district completes a city.",
            "{seat} rings the bell: {count} districts complete a city.",
        ),
        number="count",
    ),
    "cards_given": Voices(
        NN_(  # the Seer takes it: nobody chose to give it
            "{count} card of yours goes to {to} ({reason}).",
            "{count} cards of yours go to {to} ({reason}).",
        ),
        NN_(
            "{seat} gives {count} card to {to} ({reason}).",
            "{seat} gives {count} cards to {to} ({reason}).",
        ),
        "to",
        NN_(
            "{seat} gives you {count} card ({reason}).",
            "{seat} gives you {count} cards ({reason}).",
        ),
        number="count",
    ),
    "spied": Voices(
        NN_(
            "You find {count} {quarter} card in {other}'s hand.",
            "You find {count} {quarter} cards in {other}'s hand.",
        ),
        NN_(
            "{seat} finds {count} {quarter} card in {other}'s hand.",
            "{seat} finds {count} {quarter} cards in {other}'s hand.",
        ),
        "other",
        NN_(
            "{seat} finds {count} {quarter} card in your hand.",
            "{seat} finds {count} {quarter} cards in your hand.",
        ),
        Voices(
            N_("You find no {quarter} card in {other}'s hand."),
            N_("{seat} finds no {quarter} card in {other}'s hand."),
            "other",
            N_("{seat} finds no {quarter} card in your hand."),
        ),
        number="count",
    ),
    "taxed": Voices(
        NN_("You pay {gold} gold in tax."),
        NN_("{seat} pays {gold} gold in tax."),
        number="gold",
    ),
    "bribed": Voices(
        NN_("You pay a bribe of {gold} gold to {to}."),
        NN_("{seat} pays a bribe of {gold} gold to {to}."),
        "to",
        NN_("{seat} pays you a bribe of {gold} gold."),
        Voices(
            N_("You pay a bribe of nothing to {to}."),
            N_("{seat} pays a bribe of nothing to {to}."),
            "to",
            N_("{seat} pays you a bribe of nothing."),
        ),
        number="gold",
    ),
    "confiscated": Voices(
        NN_("You take {card} over; {owner} gets {returned} gold back."),
        NN_("{seat} takes {card} over; {owner} gets {returned} gold back."),
        "owner",
        NN_("{seat} takes {card} over; you get {returned} gold back."),
        number="returned",
    ),
    "exchanged": Voices(
        NN_("You exchange {card} for {other_card} with {other} and pay {paid} gold."),
        NN_("{seat} exchanges {card} for {other_card} with {other} and pays {paid} gold."),
        "other",
        NN_("{seat} exchanges {card} for your {other_card} and pays you {paid} gold."),
        Voices(
            N_("You exchange {card} for {other_card} with {other}."),
            N_("{seat} exchanges {card} for {other_card} with {other}."),
            "other",
            N_("{seat} exchanges {card} for your {other_card}."),
        ),
        number="paid",
    ),
    "gilded": Voices(
        NN_("You put {gold} gold on {card}."),
        NN_("{seat} puts {gold} gold on {card}."),
        number="gold",
    ),
}


def _in_voice(kind: str, scene: Scene, **fields: Value) -> str:
    voices = VOICES[kind]
    number = fields.get(voices.number)
    if number == 0 and voices.none is not None:
        voices = voices.none
    seat, whom, form = fields.get("seat"), fields.get(voices.whom), voices.theirs
    if isinstance(seat, int) and scene.is_you(seat):
        form = voices.yours
    elif isinstance(whom, int) and scene.is_you(whom):
        form = voices.to_you
    count = number if isinstance(number, int) else 0
    sentence = _(form) if isinstance(form, str) else ngettext(*form, count)
    said = sentence.format(**filled(scene, fields))
    return said if sentence.startswith("{name") else capital(said)


#: kind → what writes the sentence, of the scene and the event's fields
SENTENCES: dict[str, Callable[..., str]] = {kind: partial(_in_voice, kind) for kind in VOICES}


def _written(sentence: Callable[..., str]) -> Callable[..., str]:
    """A sentence that needs more than a row; its name is the kind."""
    SENTENCES[sentence.__name__] = sentence
    return sentence


# The course of the match


@_written
def characters_drawn(scene: Scene, characters: Sequence[str]) -> str:
    shown = listing([cards.character(role) for role in characters])
    return _("Characters drawn by lot: {characters}.").format(characters=shown)


@_written
def uniques_drawn(scene: Scene, districts: Sequence[str]) -> str:
    shown = listing([cards.district(card) for card in districts])
    return _("Unique districts drawn by lot: {districts}.").format(districts=shown)


@_written
def match_begins(scene: Scene, first: int | None) -> str:
    if first is None:
        return _("The match begins. Nobody has the crown yet.")
    if scene.is_you(first):
        return _("The match begins. You get the crown by lot.")
    return _("The match begins. {name} gets the crown by lot.").format(name=scene.name(first))


@_written
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


@_written
def face_up(scene: Scene, characters: Sequence[str]) -> str:
    if not characters:
        return _("No character lies face up this round.")
    out = listing([cards.character(role) for role in characters])
    return _("Out of this round, face up: {characters}.").format(characters=out)


@_written
def face_up_replaced(scene: Scene, character: str) -> str:
    return _(
        "The {character} may not lie face up: it goes back, and another is turned."
    ).format(character=cards.character(character))


@_written
def face_down(scene: Scene, count: int) -> str:
    return ngettext(
        "{count} character is out of this round, face down.",
        "{count} characters are out of this round, face down.",
        count,
    ).format(count=count)


@_written
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


@_written
def rank_silent(scene: Scene, rank: int) -> str:
    role = scene.ranks.get(rank)
    if role is None:
        return _("Rank {rank} stays silent: its character is murdered.").format(rank=rank)
    return _("Rank {rank}, {character}, is murdered and stays silent.").format(
        rank=rank, character=cards.character(role)
    )


@_written
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


@_written
def match_over(scene: Scene, winners: Sequence[int]) -> str:
    if len(winners) == 1 and scene.is_you(winners[0]):
        return _("The match is over. You win!")
    return ngettext(
        "The match is over. {names} wins.",
        "The match is over. {names} share the victory.",
        len(winners),
    ).format(names=listing([scene.name(seat) for seat in winners]))


# Gold, cards, districts and powers


@_written
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


@_written
def gold_paid(scene: Scene, seat: int, gold: int, reason: str, to: int | None) -> str:
    if scene.is_you(seat) and to is None:
        line = counted("You pay {gold} gold ({reason}).", gold)
    elif to is None:
        line = counted("{name} pays {gold} gold ({reason}).", gold)
    elif scene.is_you(seat):
        line = counted("You pay {gold} gold to {other} ({reason}).", gold)
    elif scene.is_you(to):
        line = counted("{name} pays you {gold} gold ({reason}).", gold)
    else:
        line = counted("{name} pays {gold} gold to {other} ({reason}).", gold)
    return line.format(
        name=scene.name(seat), other=scene.name(to), gold=gold, reason=cards.source(reason)
    )


@_written
def city_completed(scene: Scene, seat: int, first: bool) -> str:
    if scene.is_you(seat):
        if first:
            return _("Your city is complete and counts as first!")
        return _("Your city is complete.")
    if first:
        line = _("{name} completes a city, which counts as first.")
        return line.format(name=scene.name(seat))
    return _("{name} completes a city.").format(name=scene.name(seat))


@_written
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


@_written
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


@_written
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


@_written
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
            _("You decide in secret which threat is real.")
            if mine
            else _("{name} decides in secret which threat is real.")
        )
    return line.format(name=scene.name(seat))


@_written
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


def narrate(event: Event, scene: Scene) -> str:
    """The event as a sentence in the voice of `scene`; an unknown kind as its own words."""
    sentence = SENTENCES.get(event.kind)
    if sentence is None:
        return f"{cards.spell(event.kind)}."
    return sentence(scene, **event.fields())


def goes_without_saying(
    event: Event, before: Event | None, you: int | None, *, live: bool = False
) -> bool:
    """Whether the event needs no sentence, because `before` or the next event implies it.

    `live`: the table's own notices say who is away and who is back.
    """
    fields = event.fields()
    match event.kind:
        case "turn_begins":  # the call has just said who plays what
            return before is not None and before.kind == "rank_called"
        case "character_dealt":  # one deal serves them all
            return before is not None and before.kind == event.kind
        case "seat_away" | "seat_back":
            return live
        case "crown_taken":  # so has the heir's sentence
            return before is not None and before.kind == "heir"
        case "turn_ends":  # the next call says so
            return fields["seat"] != you
        case "cards_gained":  # both hands of a swap were told in one sentence
            if fields["reason"] == "start":  # everybody gains the same
                return fields["seat"] != (you or 0)
            swap = before is not None and before.kind in ("hands_swapped", "cards_gained")
            return swap and fields["reason"] == "magician"
    return False
