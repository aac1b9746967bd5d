"""The sentences about events that a table can hold: event kind → its voices.

A sentence about a seat has a voice for that seat ("you"), one with its name, and a third where
somebody else does it to you. A sentence that begins with `{name}` keeps the name as its owner
writes it; all others begin with a capital.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from citadels_p2p.rules.events import Value
from cli.i18n import N_, NN_, _, ngettext
from cli.text.blanks import capital, filled
from cli.text.scene import Scene
from cli.text.sentence_registry import SENTENCES


class Voices(NamedTuple):
    """The sentences about one kind of event, by who reads them."""

    yours: str
    theirs: str
    #: where somebody else does it to you: that one's field, and the sentence
    whom: str = ""
    to_you: str = ""


class CountedVoices(NamedTuple):
    """The same for an event with a number, which `field` holds: voices for one and for many.

    `none` has the voices for 0, where that deserves a sentence of its own.
    """

    field: str
    yours: tuple[str, str]
    theirs: tuple[str, str]
    whom: str = ""
    to_you: tuple[str, str] = ("", "")
    none: Voices | None = None


def _alike(sentence: str) -> Voices:
    """The voices of an event that everybody reads in the same words."""
    return Voices(sentence, sentence)


VOICES: dict[str, Voices] = {
    # the course of the match
    "character_taken": Voices(
        N_("You choose a character."),
        N_("{name} chooses a character."),
    ),
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
        N_("You make no use of the {reason}."), N_("{seat} makes no use of the {reason}.")
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
}

COUNTED: dict[str, CountedVoices] = {
    # gold, cards, districts and powers
    "gold_gathered": CountedVoices(
        "gold",
        NN_("You take {gold} gold.", "You take {gold} gold."),
        NN_("{name} takes {gold} gold.", "{name} takes {gold} gold."),
    ),
    "cards_drawn": CountedVoices(
        "count",
        NN_("You draw {count} card to look at.", "You draw {count} cards to look at."),
        NN_("{name} draws {count} card to look at.", "{name} draws {count} cards to look at."),
    ),
    "cards_gained": CountedVoices(
        "count",
        NN_("You gain {count} card ({reason}).", "You gain {count} cards ({reason})."),
        NN_("{name} gains {count} card ({reason}).", "{name} gains {count} cards ({reason})."),
    ),
    "cards_discarded": CountedVoices(
        "count",
        NN_(
            "You put {count} card under the deck ({reason}).",
            "You put {count} cards under the deck ({reason}).",
        ),
        NN_(
            "{name} puts {count} card under the deck ({reason}).",
            "{name} puts {count} cards under the deck ({reason}).",
        ),
    ),
    "gold_gained": CountedVoices(
        "gold",
        NN_("You gain {gold} gold ({reason}).", "You gain {gold} gold ({reason})."),
        NN_("{name} gains {gold} gold ({reason}).", "{name} gains {gold} gold ({reason})."),
    ),
    "income": CountedVoices(
        "gold",
        NN_(
            "Your {quarter} districts bring you {gold} gold.",
            "Your {quarter} districts bring you {gold} gold.",
        ),
        NN_(
            "{name} takes {gold} gold for {quarter} districts.",
            "{name} takes {gold} gold for {quarter} districts.",
        ),
    ),
    "recovered": CountedVoices(
        "paid",
        NN_(
            "You pay {paid} gold and take {card} into your hand.",
            "You pay {paid} gold and take {card} into your hand.",
        ),
        NN_(
            "{name} pays {paid} gold and takes {card} into the hand.",
            "{name} pays {paid} gold and takes {card} into the hand.",
        ),
    ),
    "robbed": CountedVoices(
        "gold",
        NN_("You steal {gold} gold from {victim}.", "You steal {gold} gold from {victim}."),
        NN_(
            "{name} steals {gold} gold from {victim}.",
            "{name} steals {gold} gold from {victim}.",
        ),
        "victim",
        NN_("{name} steals your {gold} gold.", "{name} steals your {gold} gold."),
    ),
    # what the further characters do
    "deck_searched": CountedVoices(
        "count",
        NN_("You search the deck: {count} card.", "You search the deck: {count} cards."),
        NN_(
            "{seat} searches the deck: {count} card.",
            "{seat} searches the deck: {count} cards.",
        ),
    ),
    "cards_tucked": CountedVoices(
        "count",
        NN_(
            "You tuck {count} card away ({reason}).", "You tuck {count} cards away ({reason})."
        ),
        NN_(
            "{seat} tucks {count} card away ({reason}).",
            "{seat} tucks {count} cards away ({reason}).",
        ),
    ),
    "fewer_needed": CountedVoices(
        "count",
        NN_(
            "You ring the bell: {count} district completes a city.",
            "You ring the bell: {count} districts complete a city.",
        ),
        NN_(
            "{seat} rings the bell: {count} district completes a city.",
            "{seat} rings the bell: {count} districts complete a city.",
        ),
    ),
    "cards_given": CountedVoices(
        "count",
        NN_("You give {count} card to {to}.", "You give {count} cards to {to}."),
        NN_("{seat} gives {count} card to {to}.", "{seat} gives {count} cards to {to}."),
        "to",
        NN_("{seat} gives you {count} card.", "{seat} gives you {count} cards."),
    ),
    "spied": CountedVoices(
        "count",
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
    ),
    "taxed": CountedVoices(
        "gold",
        NN_("You pay {gold} gold in tax.", "You pay {gold} gold in tax."),
        NN_("{seat} pays {gold} gold in tax.", "{seat} pays {gold} gold in tax."),
    ),
    "bribed": CountedVoices(
        "gold",
        NN_(
            "You pay a bribe of {gold} gold to {to}.", "You pay a bribe of {gold} gold to {to}."
        ),
        NN_(
            "{seat} pays a bribe of {gold} gold to {to}.",
            "{seat} pays a bribe of {gold} gold to {to}.",
        ),
        "to",
        NN_(
            "{seat} pays you a bribe of {gold} gold.",
            "{seat} pays you a bribe of {gold} gold.",
        ),
        Voices(
            N_("You pay a bribe of nothing to {to}."),
            N_("{seat} pays a bribe of nothing to {to}."),
            "to",
            N_("{seat} pays you a bribe of nothing."),
        ),
    ),
    "confiscated": CountedVoices(
        "returned",
        NN_(
            "You take {card} over; {owner} gets {returned} gold back.",
            "You take {card} over; {owner} gets {returned} gold back.",
        ),
        NN_(
            "{seat} takes {card} over; {owner} gets {returned} gold back.",
            "{seat} takes {card} over; {owner} gets {returned} gold back.",
        ),
        "owner",
        NN_(
            "{seat} takes {card} over; you get {returned} gold back.",
            "{seat} takes {card} over; you get {returned} gold back.",
        ),
    ),
    "exchanged": CountedVoices(
        "paid",
        NN_(
            "You exchange {card} for {other_card} with {other} and pay {paid} gold.",
            "You exchange {card} for {other_card} with {other} and pay {paid} gold.",
        ),
        NN_(
            "{seat} exchanges {card} for {other_card} with {other} and pays {paid} gold.",
            "{seat} exchanges {card} for {other_card} with {other} and pays {paid} gold.",
        ),
        "other",
        NN_(
            "{seat} exchanges {card} for your {other_card} and pays you {paid} gold.",
            "{seat} exchanges {card} for your {other_card} and pays you {paid} gold.",
        ),
        Voices(
            N_("You exchange {card} for {other_card} with {other}."),
            N_("{seat} exchanges {card} for {other_card} with {other}."),
            "other",
            N_("{seat} exchanges {card} for your {other_card}."),
        ),
    ),
    "gilded": CountedVoices(
        "gold",
        NN_("You put {gold} gold on {card}.", "You put {gold} gold on {card}."),
        NN_("{seat} puts {gold} gold on {card}.", "{seat} puts {gold} gold on {card}."),
    ),
}


def _voice(scene: Scene, voices: Voices | CountedVoices, fields: Mapping[str, Value]) -> str:
    """The name of the voice for this reader."""
    seat, whom = fields.get("seat"), fields.get(voices.whom)
    if isinstance(seat, int) and scene.is_you(seat):
        return "yours"
    return "to_you" if isinstance(whom, int) and scene.is_you(whom) else "theirs"


def _sentence(scene: Scene, kind: str, fields: Mapping[str, Value]) -> str:
    """The sentence with its blanks open."""
    voices: Voices | None = VOICES.get(kind)
    if voices is None:
        counted = COUNTED[kind]
        number = fields[counted.field]
        voices = counted.none if number == 0 else None
        if voices is None:
            one, many = getattr(counted, _voice(scene, counted, fields))
            return ngettext(one, many, number if isinstance(number, int) else 0)
    sentence: str = getattr(voices, _voice(scene, voices, fields))
    return _(sentence)


def _register(kind: str) -> None:
    def told(scene: Scene, **fields: Value) -> str:
        sentence = _sentence(scene, kind, fields)
        said = sentence.format(**filled(scene, fields))
        return said if sentence.startswith("{name") else capital(said)

    SENTENCES[kind] = told


for _kind in (*VOICES, *COUNTED):
    _register(_kind)
