"""The game in short, in our own words, for `citadels rules` and for `rules` at the table."""

from __future__ import annotations

from citadels_p2p.cards import EDITIONS, Edition
from cli.i18n import N_, _

_AIMS: dict[tuple[int, int], str] = {
    (7, 8): N_(
        "You build a city. When somebody's city has seven districts (eight with two or "
        "three players), the round is played out and the most points win."
    ),
    (8, 8): N_(
        "You build a city. When somebody's city has eight districts, the round is played out "
        "and the most points win."
    ),
}
_TIES: dict[str, str] = {
    "ranks": N_("In a tie the higher rank revealed in the last round wins."),
    "costs": N_("In a tie more points in districts alone win, then more gold."),
}


def summary(edition: str = "classic") -> tuple[str, ...]:
    """The rules of an edition, a paragraph each."""
    box = EDITIONS.get(edition, EDITIONS["classic"])
    return (
        _(_AIMS[box.short_city, box.long_city]),
        _(
            "A round has two parts. First everybody secretly chooses a character: whoever has "
            "the crown chooses first, the others follow round the table. Some characters are "
            "out of the round, face up or face down. With two or three players everybody has "
            "two characters."
        ),
        _calls(box),
        _(
            "A character's power may be used once, at any moment of its turn, unless its text "
            "says when. So may the income of those who have one: 1 gold, or what their text "
            "says, for each district of their type."
        ),
        _(
            "Points: the cost of each district; 3 for having all five types; 4 for completing "
            "a city first, 2 for completing it later; and what unique districts add."
        )
        + " "
        + _(_TIES[box.ties]),
        _("Gold and the number of cards in a hand are open to all. The cards are not."),
    )


def _calls(box: Edition) -> str:
    turn = _(
        "Whoever is called takes a turn: take gold or cards (2 gold, or draw "
        "two cards and keep "
        "one), and then, if you like, build a district from your hand by paying its cost. You "
        "never have two districts of the same name."
    )
    if len(box.cast) == len(box.characters):
        return _("Then the characters are called by rank, from 1 to 8.") + " " + turn
    called = _(
        "Then the characters are called by rank, from 1 to 8, or to 9 where a "
        "character of that "
        "rank takes part: each match has one of each rank."
    )
    return f"{called} {turn}"
