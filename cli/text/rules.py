"""The game in short, in our own words, for `citadels rules` and for `rules` at the table."""

from __future__ import annotations

from cli.i18n import _


def summary() -> tuple[str, ...]:
    """The rules of the classic game, a paragraph each."""
    return (
        _(
            "You build a city. When somebody's city has seven districts (eight with two or "
            "three players), the round is played out and the most points win."
        ),
        _(
            "A round has two parts. First everybody secretly chooses a character: whoever has "
            "the crown chooses first, the others follow round the table. Some characters are "
            "out of the round, face up or face down. With two or three players everybody has "
            "two characters."
        ),
        _(
            "Then the characters are called by rank, from 1 to 8. Whoever is called takes a "
            "turn: take gold or cards (2 gold, or draw two cards and keep one), and then, if "
            "you like, build a district from your hand by paying its cost. You never have two "
            "districts of the same name."
        ),
        _(
            "A character's power may be used once, at any moment of its turn. So may the "
            "income of King, Bishop, Merchant and Warlord: 1 gold for each district of their "
            "type."
        ),
        _(
            "Points: the cost of each district; 3 for having all five types; 4 for completing "
            "a city first, 2 for completing it later; and what unique districts add. In a tie "
            "the higher rank revealed in the last round wins."
        ),
        _("Gold and the number of cards in a hand are open to all. The cards are not."),
    )
