"""What the further characters do, told.

Each sentence about a seat has the voices "you" and a name, and a third where somebody else does
it to you. The tables below are the whole of it: event kind → its sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from citadels_p2p.rules.events import Value
from cli.i18n import N_, NN_, _, ngettext
from cli.text.intrigues import capital, filled
from cli.text.scene import Scene
from cli.text.sentence_registry import SENTENCES


class Voices(NamedTuple):
    """One event in the voices it is told in."""

    yours: str
    theirs: str
    #: where somebody else does it to you: that one's field, and the sentence
    whom: str = ""
    to_you: str = ""


class Counted(NamedTuple):
    """The same for an event with a number: the field that counts, each voice for one and for
    many, and where it is worth a sentence, each voice for none."""

    field: str
    yours: tuple[str, str]
    theirs: tuple[str, str]
    whom: str = ""
    to_you: tuple[str, str] = ("", "")
    none: Voices | None = None


TOLD: dict[str, Voices] = {
    "turn_resumed": Voices(
        N_("You go on as the {character}."),
        N_("{seat} goes on as the {character}."),
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
    "markers_placed": Voices(
        N_("You put markers on {characters}."),
        N_("{seat} puts markers on {characters}."),
    ),
    "marker_signed": Voices(
        N_("You sign one of your markers in secret."),
        N_("{seat} signs one of the markers in secret."),
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
    "deck_shuffled": Voices(N_("The deck is shuffled."), N_("The deck is shuffled.")),
    "seized": Voices(
        N_("You take {card} from {owner} {price}."),
        N_("{seat} takes {card} from {owner} {price}."),
        "owner",
        N_("{seat} takes your {card} {price}."),
    ),
}

COUNTED: dict[str, Counted] = {
    "deck_searched": Counted(
        "count",
        NN_("You search the deck: {count} card.", "You search the deck: {count} cards."),
        NN_(
            "{seat} searches the deck: {count} card.",
            "{seat} searches the deck: {count} cards.",
        ),
    ),
    "cards_tucked": Counted(
        "count",
        NN_(
            "You tuck {count} card away ({reason}).", "You tuck {count} cards away ({reason})."
        ),
        NN_(
            "{seat} tucks {count} card away ({reason}).",
            "{seat} tucks {count} cards away ({reason}).",
        ),
    ),
    "fewer_needed": Counted(
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
    "cards_given": Counted(
        "count",
        NN_("You give {count} card to {to}.", "You give {count} cards to {to}."),
        NN_("{seat} gives {count} card to {to}.", "{seat} gives {count} cards to {to}."),
        "to",
        NN_("{seat} gives you {count} card.", "{seat} gives you {count} cards."),
    ),
    "spied": Counted(
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
    "taxed": Counted(
        "gold",
        NN_("You pay {gold} gold in tax.", "You pay {gold} gold in tax."),
        NN_("{seat} pays {gold} gold in tax.", "{seat} pays {gold} gold in tax."),
    ),
    "bribed": Counted(
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
    "confiscated": Counted(
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
    "exchanged": Counted(
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
    "gilded": Counted(
        "gold",
        NN_("You put {gold} gold on {card}.", "You put {gold} gold on {card}."),
        NN_("{seat} puts {gold} gold on {card}.", "{seat} puts {gold} gold on {card}."),
    ),
}


def _voice(scene: Scene, told: Voices | Counted, fields: Mapping[str, Value]) -> str:
    """Which of its voices an event is told in."""
    seat, whom = fields.get("seat"), fields.get(told.whom)
    if isinstance(seat, int) and scene.is_you(seat):
        return "yours"
    return "to_you" if isinstance(whom, int) and scene.is_you(whom) else "theirs"


def _sentence(scene: Scene, kind: str, fields: Mapping[str, Value]) -> str:
    told: Voices | None = TOLD.get(kind)
    if told is None:
        counted = COUNTED[kind]
        number = fields[counted.field]
        told = counted.none if number == 0 else None
        if told is None:
            one, many = getattr(counted, _voice(scene, counted, fields))
            return ngettext(one, many, number if isinstance(number, int) else 0)
    sentence: str = getattr(told, _voice(scene, told, fields))
    return _(sentence)


def _teller(kind: str) -> None:
    def told(scene: Scene, **fields: Value) -> str:
        return capital(_sentence(scene, kind, fields).format(**filled(scene, fields)))

    SENTENCES[kind] = told


for _kind in (*TOLD, *COUNTED):
    _teller(_kind)
