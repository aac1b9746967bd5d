"""Advice for the decision of the moment: what it is about, for somebody who has not read the
rules.
"""

from __future__ import annotations

from citadels_p2p.match import Ask
from citadels_p2p.rules.view import View
from cli.i18n import N_, _
from cli.text import cards, wordings
from cli.text.questions import question
from cli.text.scene import Scene
from cli.text.table import Box

#: ask, or its kind → what to think of
ADVICE: dict[str, str] = {
    "character": N_(
        "Take one character in secret and pass the others on. Characters act in the order of "
        "their ranks. Think of what you need in this round, and of what the others expect."
    ),
    "discard_character": N_(
        "This character goes out of the round face down; nobody else sees which it is."
    ),
    "gather": N_("Every turn begins so: gold from the bank, or cards to choose from."),
    "act": N_(
        "Take gold or cards, use your character's power, collect income and use your districts "
        "in whatever order you like; build once you have taken gold or cards. End your turn "
        "when nothing is left that you want. What is dim is not possible now; the reason "
        "stands beside it."
    ),
    "keep": N_("You keep what you choose; the rest goes under the deck."),
    "studied": N_("You keep what you choose; the rest is shuffled into the deck."),
    "discard": N_("What you choose goes under the deck, and you draw as many new cards."),
    "respond": N_("This may be answered now, and not later."),
}

#: the same of a turn whose steps have a fixed order (`steps`: `fixed`)
FIXED = N_(
    "The steps of a turn have a fixed order at this table: take gold or cards; collect income; "
    "use your character's power and your districts; build; then what comes at the turn's end. "
    "You may leave out any but the first, and none comes back. What is dim is not possible "
    "now; the reason stands beside it."
)

#: the same where chance deals the characters (`draft`: `deal`)
DEALT = N_(
    "You have the crown, so you take one character out of all, in secret; chance deals the "
    "others. Characters act in the order of their ranks."
)


def advice(ask: Ask | None, view: View | None, box: Box, scene: Scene) -> tuple[str, ...]:
    """The open question with what it is about, and one's own character."""
    if ask is None:
        lines = [_("Nothing is asked of you now. You may read, talk, or just watch.")]
    else:
        lines = [question(ask, scene)]
        thought = ADVICE.get(ask.word) or ADVICE.get(ask.kind)
        if ask.kind == "act" and box.readings.get("steps") == "fixed":
            thought = FIXED
        if ask.kind == "character" and box.draft == "deal":
            thought = DEALT
        if thought is not None:
            lines.append(_(thought))
    if view is not None and view.you is not None:
        lines += [
            _("Your character, the {character}: {deed}").format(
                character=cards.character(role),
                deed=wordings.ability(role, box.edition, box.readings),
            )
            for role in view.you.characters
        ]
    return tuple(lines)
