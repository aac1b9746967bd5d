"""A house box: the classic one with a Mason and a Vineyard. Everybody at a table needs it.

CITADELS_HOUSE=examples/house_box.py citadels play --edition house
CITADELS_HOUSE=examples/house_box.py citadels rules mason
"""

from citadels_p2p import house
from citadels_p2p.cards import EDITIONS, QUARTERS, Character, District, extended
from citadels_p2p.rules import Reason, State, board
from citadels_p2p.rules.choices import GainGold
from citadels_p2p.rules.hooks import CharacterEffect, DistrictEffect
from cli import i18n
from cli.text import cards

MASON = Character("mason", 7)
VINEYARD = District("vineyard", "unique", 4)
NOBLE = QUARTERS.index("noble")


class Fee(GainGold):
    """Gold once a district was paid for in this turn."""

    def bars(self, state: State, seat: int) -> Reason | None:
        assert state.turn is not None
        return None if state.turn.paid else Reason("not_an_option")


def vintage(state: State, seat: int) -> None:
    """The turn of its owner ends."""
    if state.places[seat].quarters[NOBLE]:
        board.gain_gold(state, seat, 1, "vineyard")


house.add(
    extended(EDITIONS["classic"], "house", [MASON], [VINEYARD]),
    {MASON: CharacterEffect(acts=(Fee("bonus_gold", "mason", 2),), limit=2)},
    {VINEYARD: DistrictEffect(on_end=vintage)},
)
cards.EDITIONS["house"] = "House rules"
cards.CHARACTERS["mason"] = "Mason"
cards.POWERS["mason"] = "2 gold after building; builds up to two districts"
cards.ABILITIES["mason"] = (
    "Having paid for a district, gains 2 gold. Builds up to two districts."
)
cards.DISTRICTS["vineyard"] = "Vineyard"
cards.EFFECTS["vineyard"] = "When your turn ends with a noble district, you gain 1 gold."

# Another language: each English text, and each case of a character's or a district's name.
i18n.add(
    "fr",
    {
        "Mason": "Maçon",
        ("nominative", "Mason"): "Maçon",
        ("genitive", "Mason"): "du Maçon",
        ("dative", "Mason"): "au Maçon",
        ("accusative", "Mason"): "le Maçon",
        "Vineyard": "Vignoble",
        ("accusative", "Vineyard"): "le Vignoble",
    },
)
