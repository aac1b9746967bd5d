"""What is asked: one question for each ask of the rules, and for the table's own.

A question belongs to the ask, not to its kind: the kinds are for programs, and many asks share
one.
"""

from __future__ import annotations

from citadels_p2p.match import Ask
from cli.i18n import N_, NN_, Message, _, phrase
from cli.text.blanks import filled
from cli.text.scene import Scene

#: ask → its question. Its blanks are `seat` (a name), `card`, `character`, the numbers `low`
#: and `high` of those that may be chosen, and other numbers that the ask gives
QUESTIONS: dict[str, Message] = {
    # choosing characters
    "character": N_("Which character do you choose?"),
    "put": N_("Which character do you put aside, face down?"),
    # every turn
    "gather": N_("Gold or cards?"),
    "act": N_("What do you do?"),
    "keep": NN_(
        "Which card do you keep? {count} card stays.",
        "Which card do you keep? {count} cards stay, one after the other.",
    ),
    # characters
    "bewitch": N_("Which character do you bewitch?"),
    "warrants": N_("On which three characters do you put warrants?"),
    "sign": N_("Which warrant do you sign in secret?"),
    "custody": N_("A district is paid for under your warrant: {card}. Do you take it over?"),
    "threats": N_("On which two characters do you put threats?"),
    "bribe": N_("You are threatened. Do you pay?"),
    "threaten": N_("No bribe is paid. Do you turn the threat over?"),
    "count": N_("How many cards of that type are there?"),
    "counted": N_("Is the count right?"),
    "redraw": NN_(
        "Which cards do you put under the deck? Choose {low} to {high} card.",
        "Which cards do you put under the deck? Choose {low} to {high} cards.",
        by="high",
    ),
    "peeked": N_("Which card do you take?"),
    "give_back": N_("Which card do you give back to {seat}?"),
    "crown": N_("Who gets the crown?"),
    "tribute": N_("What do you take for the crown?"),
    "offering": N_("What do you give for the crown?"),
    "borrow": N_("For which district do you borrow gold from {seat}?"),
    "pay_cards": NN_(
        "Which card do you give to {seat} for the gold?",
        "Which {count} cards do you give to {seat} for the gold?",
    ),
    "studied": N_("Which card do you keep? The others are shuffled into the deck."),
    # districts
    "thieves_den": NN_(
        "Which cards do you pay with? Choose {low} to {high} card; gold pays the rest.",
        "Which cards do you pay with? Choose {low} to {high} cards; gold pays the rest.",
        by="high",
    ),
    "recovery": N_("A district is destroyed: {card}. Do you take it into your hand?"),
    "bell_tower": NN_(
        "Do you ring the bell? Then {count} district completes a city.",
        "Do you ring the bell? Then {count} districts complete a city.",
    ),
    "lighthouse": N_("Do you look through the deck and take a card?"),
    "fetch": N_("Which card do you take out of the deck?"),
    "park": NN_(
        "Your hand is empty. Do you draw {count} card at the Park?",
        "Your hand is empty. Do you draw {count} cards at the Park?",
    ),
    "hospital": N_(
        "This character is murdered: {character}. If it is yours, do you show it and gather?"
    ),
    "theater": NN_(
        "Do you exchange your character?", "Do you exchange one of your characters?", by="count"
    ),
    # a saved match
    "moment": N_("Where do you look?"),
}

#: the question where the markers are threats
_THREATS = N_("Which threat is the real one?")
#: the question where so many cards must be given, and no others would do
_ALL = NN_(
    "Which {high} card do you pay with? Gold pays the rest.",
    "Which {high} cards do you pay with? Gold pays the rest.",
)


def question(ask: Ask, scene: Scene | None = None) -> str:
    """What is asked, with the bounds where several may be chosen."""
    said = QUESTIONS.get(ask.word or ask.kind)
    if said is None:
        return _("What do you decide?")
    words = {**filled(scene or Scene(), ask.fields), "low": ask.low, "high": ask.high}
    if ask.word == "sign" and ask.fields.get("purpose") == "threats":
        said = _THREATS
    elif ask.word == "thieves_den" and ask.low == ask.high:
        said = _ALL
    number = 0 if isinstance(said, str) else said.number(words)
    if number is None:
        return _("What do you decide?")
    if ask.word == "keep" and number == 1:
        return _("Which card do you keep?")
    return phrase(said, words)
