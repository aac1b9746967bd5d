"""The game in short, in our own words, for `citadels rules` and for `rules` at the table."""

from __future__ import annotations

from citadels_p2p.cards import EDITIONS, Edition
from citadels_p2p.match import TableNews
from citadels_p2p.rules import Rules
from citadels_p2p.rules.choosing import RANDOM
from cli.i18n import N_, _, counted

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
_ENDINGS: dict[str, str] = {
    "round": N_(
        "You build a city. When somebody's city has {districts}, the round is played out and "
        "the most points win."
    ),
    "turn": N_(
        "You build a city. When somebody's city has {districts}, the match ends with that turn "
        "and the most points win."
    ),
}
_TIES: dict[str, str] = {
    "ranks": N_("In a tie the higher rank revealed in the last round wins."),
    "costs": N_("In a tie more points in districts alone win, then more gold."),
    "none": N_("In a tie the win is shared."),
}


def of_table(edition: str, table: TableNews | None) -> tuple[str, ...]:
    """The rules of an edition as this table plays it, where one is known."""
    return summary(edition, None if table is None else Rules.from_options(table.options))


def summary(edition: str, game: Rules | None = None) -> tuple[str, ...]:
    """The rules of an edition, a paragraph each; of one `game`, with what it has agreed on."""
    box = EDITIONS.get(edition, EDITIONS["classic"])
    return (
        _(_AIMS[box.short_city, box.long_city]) if game is None else _aim(game),
        _choosing(game),
        _calls(box),
        _powers(game),
        _(
            "Points: the cost of each district; 3 for having all five types; 4 for completing "
            "a city first, 2 for completing it later; and what unique districts add."
        )
        + " "
        + _(_TIES[box.ties if game is None else game.ties]),
        _("Gold and the number of cards in a hand are open to all. The cards are not."),
        *(() if game is None else _further(game)),
    )


def _aim(game: Rules) -> str:
    districts = counted("{count} district", "{count} districts", count=game.city)
    return _(_ENDINGS[game.ending]).format(districts=districts)


def _choosing(game: Rules | None) -> str:
    if game is not None and game.draft == "deal":
        return counted(
            "A round has two parts. First whoever has the crown (in the beginning nobody has) "
            "secretly chooses a character out of all. Then chance deals the rest, unseen by "
            "the others, until everybody has {count} character.",
            "A round has two parts. First whoever has the crown (in the beginning nobody has) "
            "secretly chooses a character out of all. Then chance deals the rest, unseen by "
            "the others, until everybody has {count} characters.",
            count=game.characters_each,
        )
    return _(
        "A round has two parts. First everybody secretly chooses a character: whoever has "
        "the crown chooses first, the others follow round the table. Some characters are "
        "out of the round, face up or face down. With two or three players everybody has "
        "two characters."
    )


def _powers(game: Rules | None) -> str:
    if game is not None and game.steps == "fixed":
        return _(
            "A turn has a fixed order: gold or cards, income, powers, building, powers of the "
            "turn's end. A power may be used once, and so may the income of characters that "
            "have one: 1 gold, or what their text says, for each district of their type."
        )
    return _(
        "A character's power may be used once, at any moment of its turn, unless its text "
        "says when. So may the income of those who have one: 1 gold, or what their text "
        "says, for each district of their type."
    )


def _further(game: Rules) -> tuple[str, ...]:
    """What the game has agreed on besides, where the books differ."""
    said = []
    if game.cities_break:
        said.append(
            _(
                "Powers reach into complete cities too. If none is left when the match would "
                "end, it goes on; only a city that is complete at the end has points for it."
            )
        )
    if game.gilding == "price" and _may_have(game.characters, "artist"):
        said.append(
            _("The Artist's gold on a district raises its price and its points, not its cost.")
        )
    if game.unveiling == "quarter" and _may_have(game.uniques, "secret_vault"):
        said.append(_("The Secret Vault shown at the end counts for all five types too."))
    return tuple(said)


def _may_have(cards: tuple[str, ...], one: str) -> bool:
    return one in cards or RANDOM in cards


def _calls(box: Edition) -> str:
    turn = _(
        "Whoever is called takes a turn: take gold or cards (2 gold, or draw two cards and "
        "keep one), and then, if you like, build a district from your hand by paying its cost. "
        "You never have two districts of the same name."
    )
    if len(box.cast) == len(box.characters):
        return _("Then the characters are called by rank, from 1 to 8.") + " " + turn
    called = _(
        "Then the characters are called by rank, from 1 to 8, or to 9 where a character of "
        "that rank takes part: each match has one of each rank."
    )
    return f"{called} {turn}"
