"""Why a line that was typed, or that a program wrote, was not understood."""

from __future__ import annotations

from cli.i18n import N_, _
from cli.text import cards
from cli.text.scene import clean

#: refusals of a typed line, before anybody else hears of it
ERRORS: dict[str, str] = {
    "too_long": N_("The line is too long."),
    "not_json": N_("The line is not JSON."),
    "not_an_object": N_("The line is not a JSON object."),
    "unknown_line": N_('A line has exactly one of "answer", "say" and "do".'),
    "closed_ask": N_("There is no open question with that number."),
    "unknown_option": N_("That is not one of the options."),
    "wrong_count": N_("Too few or too many are chosen."),
    "nothing_said": N_("There is nothing to say in it."),
    "unknown_seat": N_("That is not a seat."),
    "unknown_act": N_("There is nothing of that name to do."),
}


def error(code: str) -> str:
    """The sentence for a code; its own words where it has none."""
    return _(ERRORS[code]) if code in ERRORS else f"{cards.spell(clean(code, 60))}."
