"""What the further characters do, told and labelled.

Each sentence about a seat has two voices, "you" and a name; other seats in it are named through
`_who`. The tables below are the whole of it: kind or verb → its sentences.
"""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.rules.events import Value
from cli.i18n import N_, NN_, _, ngettext
from cli.text import cards
from cli.text.scene import Scene, listing
from cli.text.told import SENTENCES

_SEATS = ("seat", "to", "other", "victim", "owner", "judge")

#: event kind → your voice, a name's voice
TOLD: dict[str, tuple[str, str]] = {
    "turn_resumed": (
        N_("You go on as the {character}."),
        N_("{seat} goes on as the {character}."),
    ),
    "hand_seen": (
        N_("You look into a hand: {other} ({reason})."),
        N_("{seat} looks into a hand: {other} ({reason})."),
    ),
    "hand_opened": (N_("You show your hand: {cards}."), N_("{seat} shows the hand: {cards}.")),
    "markers_placed": (
        N_("You put markers on: {characters}."),
        N_("{seat} puts markers on: {characters}."),
    ),
    "marker_signed": (
        N_("You sign one of your markers in secret."),
        N_("{seat} signs one of the markers in secret."),
    ),
    "markers_withdrawn": (
        N_("You take your markers back."),
        N_("{seat} takes the markers back."),
    ),
    "bribe_refused": (N_("You do not pay: {to}."), N_("{seat} does not pay: {to}.")),
    "threat_shown": (
        N_("You turn the threat on the {character} over."),
        N_("{seat} turns the threat on the {character} over."),
    ),
    "threat_dropped": (
        N_("You let the threat be: {victim}."),
        N_("{seat} lets the threat be: {victim}."),
    ),
    "summoned": (
        N_("You pay for {card}; the Magistrate may take it over."),
        N_("{seat} pays for {card}; the Magistrate may take it over."),
    ),
    "site_begun": (
        N_("You begin to build {card}."),
        N_("{seat} begins to build {card}."),
    ),
    "declined": (N_("You do without: {reason}."), N_("{seat} does without: {reason}.")),
    "recasting": (
        N_("You exchange a character: {other}."),
        N_("{seat} exchanges a character: {other}."),
    ),
    "picks_swapped": (
        N_("You exchange characters, unseen: {other}."),
        N_("{seat} exchanges characters, unseen: {other}."),
    ),
    "unveiled": (N_("You show {card}."), N_("{seat} shows {card}.")),
    "deck_shuffled": (N_("The deck is shuffled."), N_("The deck is shuffled.")),
}

#: event kind → the field that counts, your voice, a name's voice, each for one and for many
COUNTED: dict[str, tuple[str, tuple[str, str], tuple[str, str]]] = {
    "deck_searched": (
        "count",
        NN_("You search the deck: {count} card.", "You search the deck: {count} cards."),
        NN_(
            "{seat} searches the deck: {count} card.",
            "{seat} searches the deck: {count} cards.",
        ),
    ),
    "cards_tucked": (
        "count",
        NN_(
            "You tuck {count} card away ({reason}).", "You tuck {count} cards away ({reason})."
        ),
        NN_(
            "{seat} tucks {count} card away ({reason}).",
            "{seat} tucks {count} cards away ({reason}).",
        ),
    ),
    "fewer_needed": (
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
    "cards_given": (
        "count",
        NN_("You give {count} card: {to}.", "You give {count} cards: {to}."),
        NN_("{seat} gives {count} card: {to}.", "{seat} gives {count} cards: {to}."),
    ),
    "spied": (
        "count",
        NN_(
            "You find {count} {quarter} card: {other}.",
            "You find {count} {quarter} cards: {other}.",
        ),
        NN_(
            "{seat} finds {count} {quarter} card: {other}.",
            "{seat} finds {count} {quarter} cards: {other}.",
        ),
    ),
    "taxed": (
        "gold",
        NN_("You pay {gold} gold in tax.", "You pay {gold} gold in tax."),
        NN_("{seat} pays {gold} gold in tax.", "{seat} pays {gold} gold in tax."),
    ),
    "bribed": (
        "gold",
        NN_("You pay a bribe of {gold} gold: {to}.", "You pay a bribe of {gold} gold: {to}."),
        NN_(
            "{seat} pays a bribe of {gold} gold: {to}.",
            "{seat} pays a bribe of {gold} gold: {to}.",
        ),
    ),
    "confiscated": (
        "returned",
        NN_(
            "You take {card} over; {owner} gets {returned} gold back.",
            "You take {card} over; {owner} gets {returned} gold back.",
        ),
        NN_(
            "{seat} takes {card} over; {owner} gets {returned} gold back.",
            "{seat} takes {card} over; {owner} gets {returned} gold back.",
        ),
    ),
    "seized": (
        "paid",
        NN_(
            "You take {card} for {paid} gold: {owner}.",
            "You take {card} for {paid} gold: {owner}.",
        ),
        NN_(
            "{seat} takes {card} for {paid} gold: {owner}.",
            "{seat} takes {card} for {paid} gold: {owner}.",
        ),
    ),
    "exchanged": (
        "paid",
        NN_(
            "You exchange {card} for {other_card} and pay {paid} gold: {other}.",
            "You exchange {card} for {other_card} and pay {paid} gold: {other}.",
        ),
        NN_(
            "{seat} exchanges {card} for {other_card} and pays {paid} gold: {other}.",
            "{seat} exchanges {card} for {other_card} and pays {paid} gold: {other}.",
        ),
    ),
    "gilded": (
        "gold",
        NN_("You put {gold} gold on {card}.", "You put {gold} gold on {card}."),
        NN_("{seat} puts {gold} gold on {card}.", "{seat} puts {gold} gold on {card}."),
    ),
}

#: verb → its label
LABELS: dict[str, str] = {
    "role": N_("{character}"),
    "bewitch": N_("Bewitch the {character}"),
    "place_warrants": N_("Put three warrants on characters"),
    "warrants": N_("Put the warrants there"),
    "confiscate": N_("Take {card} over"),
    "spy": N_("Spy for {quarter} cards: {seat}"),
    "count": N_("Count {number}"),
    "agree": N_("Agree with the count"),
    "contest": N_("Contest the count and show your hand"),
    "place_threats": N_("Put two threats on characters"),
    "threats": N_("Put the threats there"),
    "bribe": N_("Pay the bribe"),
    "refuse_bribe": N_("Pay nothing"),
    "threaten": N_("Turn the threat over"),
    "sign": N_("Sign the one on the {character}"),
    "seal": N_("Sign one in secret"),
    "peek": N_("Look into a hand: {seat}"),
    "pocket": N_("Take {card} into your hand"),
    "raise": N_("Build {card} at once"),
    "foresee": N_("Take a card from everybody"),
    "give": N_("Give {card}"),
    "crown": N_("Give the crown: {seat}"),
    "tribute_gold": N_("Take 1 gold for the crown"),
    "tribute_card": N_("Take a card for the crown"),
    "tribute": N_("Give {card} for the crown"),
    "share": N_("Take {number} in gold and the rest in cards"),
    "alms": N_("Take 1 gold of the richest: {seat}"),
    "borrow": N_("Borrow the missing gold: {seat}"),
    "pay_cards": N_("Give cards for the gold"),
    "homage": N_("Take your gold beside the crown"),
    "gild": N_("Put 1 gold on {card}"),
    "collect": N_("Collect the taxes"),
    "voyage_gold": N_("Take 4 gold"),
    "voyage_cards": N_("Draw 4 cards"),
    "study": N_("Draw seven cards and keep one"),
    "exchange": N_("Exchange a district for {card}: {seat}"),
    "seize": N_("Take {card}: {seat}"),
    "armory": N_("Armory: destroy {card}: {seat}"),
    "framework": N_("Build {card} by giving up the Framework"),
    "necropolis": N_("Build the Necropolis by giving up a district"),
    "thieves_den": N_("Build the Thieves' Den with cards and gold"),
    "tuck": N_("Museum: tuck {card} away"),
    "restock": N_("Draw cards at the Park"),
    "search": N_("Search the deck"),
    "fetch": N_("Take {card} out of the deck"),
    "toll": N_("Let the bell ring"),
    "treat": N_("Hospital: gather {card}"),
    "stage": N_("Exchange characters: {seat}"),
    "recast": N_("Give this character away: {seat}"),
}

#: kind of ask → its question
QUESTIONS: dict[str, str] = {
    "bewitch": N_("Which character do you bewitch?"),
    "warrants": N_("On which three characters do you put warrants?"),
    "sign": N_("Which of them do you sign in secret?"),
    "custody": N_("A district is paid for under your warrant. What do you do?"),
    "count": N_("How many cards of that type are there?"),
    "counted": N_("Is the count right?"),
    "threats": N_("On which two characters do you put threats?"),
    "bribe": N_("You are threatened. Do you pay?"),
    "threaten": N_("No bribe is paid. Do you turn the threat over?"),
    "peeked": N_("Which card do you take?"),
    "give": N_("Which card do you give back?"),
    "crown": N_("Who gets the crown?"),
    "tribute": N_("What do you take for the crown?"),
    "borrow": N_("Whose gold do you borrow?"),
    "pay_cards": N_("Which cards do you give for it?"),
    "den_price": N_("Which cards do you pay with?"),
    "fetch": N_("Which card do you take out of the deck?"),
    "theater": N_("Do you exchange your character?"),
}

#: refusals that only these characters earn
REASONS: dict[str, str] = {
    "no_building": N_("This character builds nothing."),
    "turn_closing": N_("The turn is closing: only what comes last is left."),
    "duty_first": N_("There is something that must be done before."),
    "step_over": N_("This table plays with fixed steps, and that step of the turn is past."),
    "not_richest": N_("{seat} is not the richest."),
    "is_richest": N_("Nobody is richer than you."),
    "holds_crown": N_("{seat} has the crown."),
    "no_gold": N_("{seat} has no gold."),
    "not_exact": N_("Choose exactly as many as are asked for."),
    "already_gilded": N_("Gold lies on it already."),
    "not_buildable": N_("{card} cannot be built."),
    "too_many_districts": N_("It is too late for that: {limit} districts stand there."),
    "not_itself": N_("Not itself."),
    "dearer_than": N_("It costs more than {limit}."),
}


def _who(scene: Scene, seat: object) -> str:
    if not isinstance(seat, int):
        return _("nobody")
    return _("you") if scene.is_you(seat) else scene.name(seat)


def _words(scene: Scene, fields: Mapping[str, Value]) -> dict[str, object]:
    """Every field as it is said: seats and cards by name, numbers as they are."""
    said: dict[str, object] = {
        "character": _("a character"),
        "card": _("a card"),
        "quarter": "",
        "number": "?",
        **fields,
    }
    for name in _SEATS:
        said[name] = _who(scene, fields[name]) if name in fields else _("somebody")
    for name in ("card", "other_card"):
        card = fields.get(name)
        if isinstance(card, str):
            said[name] = cards.district(card)
    if isinstance(role := fields.get("character"), str):
        said["character"] = cards.character(role)
    if isinstance(roles := fields.get("characters"), tuple):
        said["characters"] = listing([cards.character(str(one)) for one in roles])
    if isinstance(hand := fields.get("cards"), tuple):
        said["cards"] = listing([cards.district(str(one)) for one in hand])
    if isinstance(reason := fields.get("reason"), str):
        said["reason"] = cards.source(reason)
    if isinstance(quarter := fields.get("quarter"), str):
        said["quarter"] = cards.quarter(quarter)
    return said


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _teller(kind: str) -> None:
    def told(scene: Scene, **fields: Value) -> str:
        seat = fields.get("seat")
        mine = isinstance(seat, int) and scene.is_you(seat)
        if kind in COUNTED:
            counting, yours, theirs = COUNTED[kind]
            one, many = yours if mine else theirs
            number = fields[counting]
            sentence = ngettext(one, many, number if isinstance(number, int) else 0)
        else:
            sentence = _(TOLD[kind][0 if mine else 1])
        return _capital(sentence.format(**_words(scene, fields)))

    SENTENCES[kind] = told


def label(verb: str, fields: Mapping[str, Value], scene: Scene) -> str:
    """The label of an option with one of these verbs."""
    return _capital(_(LABELS[verb]).format(**_words(scene, fields)))


for _kind in (*TOLD, *COUNTED):
    _teller(_kind)
