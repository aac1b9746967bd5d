"""Writes events: one whole sentence in the present tense for every kind.

A kind has a row in `VOICES`, several that its fields choose among (`_row`), or a function named
as the kind. A sentence about a seat has a voice for that seat ("you"), one with its name, and a
third where somebody else does it to you. A number always goes through a plural. A sentence that
begins with `{name}` keeps the name as its owner writes it; all others begin with a capital.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from citadels_p2p.rules.events import Event, Value
from cli.i18n import NN_, Message, _, counted, phrase, worded
from cli.text import cards
from cli.text.blanks import capital, filled
from cli.text.scene import Scene, listing


class Voices(NamedTuple):
    """The sentences about one kind of event, by who reads them.

    Where somebody else does it to you, `whom` is that one's field, and `to_you` the sentence.
    """

    yours: Message
    theirs: Message
    whom: str = ""
    to_you: Message = ""


def _alike(sentence: Message) -> Voices:
    """The voices of an event that everybody reads in the same words."""
    return Voices(sentence, sentence)


#: kind, or kind and what `_row` adds to it → its voices
VOICES: dict[str, Voices] = {
    # the course of the match
    "characters_drawn": _alike("Characters drawn by lot: {characters}."),
    "uniques_drawn": _alike("Unique districts drawn by lot: {districts}."),
    "match_begins": Voices(
        "The match begins. You get the crown by lot.",
        "The match begins. {name} gets the crown by lot.",
    ),
    "match_begins nobody": _alike("The match begins. Nobody has the crown yet."),
    "round_begins": Voices(
        "Round {round} begins. You have the crown and choose first.",
        "Round {round} begins. {name} has the crown and chooses first.",
    ),
    "round_begins nobody": _alike("Round {round} begins. Nobody has the crown."),
    "face_up": _alike("Out of this round, face up: {characters}."),
    "face_up nobody": _alike("No character lies face up this round."),
    "face_up_replaced": _alike(
        "The {character} may not lie face up: it goes back, and another is turned."
    ),
    "rank_called answered": Voices(
        "Rank {rank}, {character}: it is your turn.",
        "Rank {rank}, {character}: {name} answers.",
    ),
    "rank_called": _alike("Rank {rank}, {character}: nobody answers."),
    "rank_called unknown": _alike("Rank {rank} is called: nobody answers."),
    "rank_silent": _alike("Rank {rank}, {character}, is murdered and stays silent."),
    "rank_silent unknown": _alike("Rank {rank} stays silent: its character is murdered."),
    "face_down": _alike(
        NN_(
            "{count} character is out of this round, face down.",
            "{count} characters are out of this round, face down.",
        )
    ),
    "character_taken": Voices("You choose a character.", "{name} chooses a character."),
    "character_dealt": _alike("Chance deals the characters."),
    "character_set_aside": Voices(
        "You put a character aside, face down.", "{name} puts a character aside, face down."
    ),
    "turn_begins": Voices(
        "Your turn begins as the {character}.", "{name} plays as the {character}."
    ),
    "turn_ends": Voices("Your turn ends.", "{name} ends the turn."),
    "exposed": Voices(
        "You show your silent character: {character}.",
        "{name} shows a silent character: {character}.",
    ),
    "heir": Voices(
        "You show the murdered {character} and inherit the crown.",
        "{name} shows the murdered {character} and inherits the crown.",
    ),
    "heir emperor": Voices(  # no heir: he gives it away
        "You show the murdered {character} and give the crown away.",
        "{name} shows the murdered {character} and gives the crown away.",
    ),
    "city_completed": Voices("Your city is complete.", "{name} completes a city."),
    "city_completed first": Voices(
        "Your city is complete and counts as first!",
        "{name} completes a city, which counts as first.",
    ),
    "last_round": _alike("This is the last round."),
    "goes_on": _alike("No complete city is left: the match goes on."),
    "seat_away": _alike("{name} is away."),
    "seat_back": _alike("{name} is back."),
    "timed_out": Voices(
        "Your time is up: the usual choice is made for you.",
        "Time is up for {name}: the usual choice is made.",
    ),
    # gold, cards, districts and powers
    "built": Voices("You build {card} {price}.", "{name} builds {card} {price}."),
    "destroyed": Voices(
        "You destroy {card} in {owner}'s city {price}.",
        "{name} destroys {card} in {owner}'s city {price}.",
        "owner",
        "{name} destroys your {card} {price}.",
    ),
    "destroyed own": Voices(
        "You destroy your own {card} {price}.",
        "{name} destroys a district of their own, {card}, {price}.",
    ),
    "destroyed unpaid": Voices(  # given up, as some districts want it
        "You destroy your own {card}.", "{name} destroys a district of their own, {card}."
    ),
    "named": Voices("You name the {character}.", "{name} names the {character}."),
    "named murder": Voices("You murder the {character}.", "{name} murders the {character}."),
    "named theft": Voices(
        "You are going to rob the {character}.", "{name} is going to rob the {character}."
    ),
    "named witchcraft": Voices(
        "You bewitch the {character}.", "{name} bewitches the {character}."
    ),
    "crown_taken": Voices("You take the crown.", "{name} takes the crown."),
    "crown_taken again": Voices("You keep the crown.", "{name} keeps the crown."),
    "crown_taken away": Voices(
        "You take the crown.",
        "{name} takes the crown from {other}.",
        "other",
        "{name} takes the crown from you.",
    ),
    "recovery_declined": Voices("You let {card} go.", "{name} lets {card} go."),
    "hands_swapped": Voices(
        "You swap hands with {other} (cards: {given} for {taken}).",
        "{name} swaps hands with {other} (cards: {given} for {taken}).",
        "other",
        "{name} swaps hands with you (cards: {given} for {taken}).",
    ),
    # what the further characters do
    "turn_resumed": Voices(
        "You play the turn of the bewitched {character}.",
        "{name} plays the turn of the bewitched {character}.",
    ),
    "hand_seen": Voices(
        "You look into {other}'s hand ({reason}).",
        "{seat} looks into {other}'s hand ({reason}).",
        "other",
        "{seat} looks into your hand ({reason}).",
    ),
    "hand_opened": Voices("You show your hand: {cards}.", "{seat} shows the hand: {cards}."),
    "markers_placed": Voices(
        "You put markers on {characters}.", "{name} puts markers on {characters}."
    ),
    "markers_placed warrants": Voices(
        "You put warrants on {characters}; one of them is signed.",
        "{name} puts warrants on {characters}; one of them is signed.",
    ),
    "markers_placed threats": Voices(
        "You threaten {characters}; one of the threats is real.",
        "{name} threatens {characters}; one of the threats is real.",
    ),
    "marker_signed": Voices(
        "You decide in secret which threat is real.",
        "{name} decides in secret which threat is real.",
    ),
    "marker_signed warrants": Voices(
        "You sign one of the warrants in secret.", "{name} signs one of the warrants in secret."
    ),
    "markers_withdrawn": Voices(
        "You take your markers back.", "{seat} takes the markers back."
    ),
    "bribe_refused": Voices(
        "You pay no bribe to {to}.",
        "{seat} pays no bribe to {to}.",
        "to",
        "{seat} pays you no bribe.",
    ),
    "threat_shown": Voices(
        "You turn the threat on the {character} over.",
        "{seat} turns the threat on the {character} over.",
    ),
    "threat_dropped": Voices(
        "You let the threat on {victim} be.",
        "{seat} lets the threat on {victim} be.",
        "victim",
        "{seat} lets the threat on you be.",
    ),
    "summoned": Voices(
        "You pay for {card}; the Magistrate may take it over.",
        "{seat} pays for {card}; the Magistrate may take it over.",
    ),
    "site_begun": Voices("You begin to build {card}.", "{seat} begins to build {card}."),
    "declined": Voices("You do not use the {reason}.", "{seat} does not use the {reason}."),
    "recasting": Voices(
        "You exchange a character with {other}.",
        "{seat} exchanges a character with {other}.",
        "other",
        "{seat} exchanges a character with you.",
    ),
    "picks_swapped": Voices(
        "You exchange characters with {other}, unseen.",
        "{seat} exchanges characters with {other}, unseen.",
        "other",
        "{seat} exchanges characters with you, unseen.",
    ),
    "unveiled": Voices("You show {card}.", "{seat} shows {card}."),
    "deck_shuffled": _alike("The deck is shuffled."),
    "seized": Voices(
        "You take {card} from {owner} {price}.",
        "{seat} takes {card} from {owner} {price}.",
        "owner",
        "{seat} takes your {card} {price}.",
    ),
    # gold, cards, districts and powers
    "gold_gathered": Voices(NN_("You take {gold} gold."), NN_("{name} takes {gold} gold.")),
    "cards_drawn": Voices(
        NN_("You draw {count} card to look at.", "You draw {count} cards to look at."),
        NN_("{name} draws {count} card to look at.", "{name} draws {count} cards to look at."),
    ),
    "cards_gained": Voices(
        NN_("You gain {count} card ({reason}).", "You gain {count} cards ({reason})."),
        NN_("{name} gains {count} card ({reason}).", "{name} gains {count} cards ({reason})."),
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
    ),
    "gold_gained": Voices(
        NN_("You gain {gold} gold ({reason})."), NN_("{name} gains {gold} gold ({reason}).")
    ),
    "gold_paid": Voices(
        NN_("You pay {gold} gold ({reason})."), NN_("{name} pays {gold} gold ({reason}).")
    ),
    "gold_paid to": Voices(
        NN_("You pay {gold} gold to {other} ({reason})."),
        NN_("{name} pays {gold} gold to {other} ({reason})."),
        "other",
        NN_("{name} pays you {gold} gold ({reason})."),
    ),
    "income": Voices(
        NN_("Your {quarter} districts bring you {gold} gold."),
        NN_("{name} takes {gold} gold for {quarter} districts."),
    ),
    "recovered": Voices(
        NN_("You pay {paid} gold and take {card} into your hand."),
        NN_("{name} pays {paid} gold and takes {card} into the hand."),
    ),
    "robbed": Voices(
        NN_("You steal {gold} gold from {victim}."),
        NN_("{name} steals {gold} gold from {victim}."),
        "victim",
        NN_("{name} steals your {gold} gold."),
    ),
    "robbed nothing": Voices(
        "You find no gold to steal from {victim}.",
        "{name} finds no gold to steal from {victim}.",
        "victim",
        "{name} finds no gold to steal from you.",
    ),
    # what the further characters do
    "deck_searched": Voices(
        NN_("You search the deck: {count} card.", "You search the deck: {count} cards."),
        NN_(
            "{seat} searches the deck: {count} card.",
            "{seat} searches the deck: {count} cards.",
        ),
    ),
    "cards_tucked": Voices(
        NN_(
            "You tuck {count} card away ({reason}).", "You tuck {count} cards away ({reason})."
        ),
        NN_(
            "{seat} tucks {count} card away ({reason}).",
            "{seat} tucks {count} cards away ({reason}).",
        ),
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
    ),
    "spied nothing": Voices(
        "You find no {quarter} card in {other}'s hand.",
        "{seat} finds no {quarter} card in {other}'s hand.",
        "other",
        "{seat} finds no {quarter} card in your hand.",
    ),
    "taxed": Voices(NN_("You pay {gold} gold in tax."), NN_("{seat} pays {gold} gold in tax.")),
    "bribed": Voices(
        NN_("You pay a bribe of {gold} gold to {to}."),
        NN_("{seat} pays a bribe of {gold} gold to {to}."),
        "to",
        NN_("{seat} pays you a bribe of {gold} gold."),
    ),
    "bribed nothing": Voices(
        "You pay a bribe of nothing to {to}.",
        "{seat} pays a bribe of nothing to {to}.",
        "to",
        "{seat} pays you a bribe of nothing.",
    ),
    "confiscated": Voices(
        NN_("You take {card} over; {owner} gets {returned} gold back."),
        NN_("{seat} takes {card} over; {owner} gets {returned} gold back."),
        "owner",
        NN_("{seat} takes {card} over; you get {returned} gold back."),
    ),
    "exchanged": Voices(
        NN_("You exchange {card} for {other_card} with {other} and pay {paid} gold."),
        NN_("{seat} exchanges {card} for {other_card} with {other} and pays {paid} gold."),
        "other",
        NN_("{seat} exchanges {card} for your {other_card} and pays you {paid} gold."),
    ),
    "exchanged nothing": Voices(
        "You exchange {card} for {other_card} with {other}.",
        "{seat} exchanges {card} for {other_card} with {other}.",
        "other",
        "{seat} exchanges {card} for your {other_card}.",
    ),
    "gilded": Voices(
        NN_("You put {gold} gold on {card}."), NN_("{seat} puts {gold} gold on {card}.")
    ),
}


def _row(event: Event, scene: Scene) -> tuple[str, Mapping[str, Value]]:
    """Which row tells it, and its fields by the names that the row has for them."""
    kind, fields = event.kind, event.fields()
    match kind, fields:
        case ("match_begins", {"first": seat}) | ("round_begins", {"crown": seat}):
            return kind if seat is not None else f"{kind} nobody", {**fields, "seat": seat}
        case "face_up", {"characters": ()}:
            return "face_up nobody", fields
        case (
            ("robbed" | "bribed", {"gold": 0})
            | ("spied", {"count": 0})
            | ("exchanged", {"paid": 0})
        ):
            return f"{kind} nothing", fields
        case (("rank_called" | "rank_silent"), {"rank": int(rank)}):
            role = fields.get("character") or scene.ranks.get(rank)
            row = "answered" if fields.get("seat") is not None else "" if role else "unknown"
            return f"{kind} {row}".strip(), {**fields, "character": role or "?"}
        case "heir", {"character": "emperor"}:
            return "heir emperor", fields
        case "city_completed", {"first": True}:
            return "city_completed first", fields
        case "gold_paid", {"to": int(to)}:
            return "gold_paid to", {**fields, "other": to}
        case "crown_taken", {"seat": seat, "before": int(before)}:
            row = "crown_taken again" if seat == before else "crown_taken away"
            return row, {**fields, "other": before}
        case "destroyed", {"seat": seat, "owner": owner, "paid": paid} if seat == owner:
            return "destroyed own" if paid else "destroyed unpaid", fields
    purpose = f"{kind} {fields.get('purpose')}"
    return purpose if purpose in VOICES else kind, fields


def _match_over(scene: Scene, winners: Sequence[int]) -> str:
    if len(winners) == 1 and scene.is_you(winners[0]):
        return _("The match is over. You win!")
    return counted(
        "The match is over. {names} wins.",
        "The match is over. {names} share the victory.",
        count=len(winners),
        names=listing([scene.name(seat) for seat in winners]),
    )


def _cards_kept(scene: Scene, seat: int, count: int, returned: int) -> str:
    said = NN_("{name} keeps {count} card.", "{name} keeps {count} cards.")
    if scene.is_you(seat):
        said = NN_("You keep {count} card.", "You keep {count} cards.")
    kept = phrase(said, {"name": scene.name(seat), "count": count})
    if not returned:
        return kept
    rest = counted(
        "{count} card goes under the deck.", "{count} cards go under the deck.", count=returned
    )
    return f"{kept} {rest}"


#: kind → what writes a sentence that needs more than a row, of the scene and the fields
WRITTEN: Mapping[str, Callable[..., str]] = {
    "match_over": _match_over,
    "cards_kept": _cards_kept,
}


def narrate(event: Event, scene: Scene) -> str:
    """The event as a sentence in the voice of `scene`; an unknown kind as its own words."""
    if event.kind in WRITTEN:
        return WRITTEN[event.kind](scene, **event.fields())
    row, fields = _row(event, scene)
    if row not in VOICES:
        return f"{cards.spell(event.kind)}."
    voices, blanks = VOICES[row], filled(scene, fields)
    message = voices.theirs
    if scene.is_you(fields.get("seat")):
        message = voices.yours
    elif scene.is_you(fields.get(voices.whom)):
        message = voices.to_you
    sentence = worded(message, blanks)
    said = sentence.format_map(blanks)
    return said if sentence.startswith("{name") else capital(said)


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
