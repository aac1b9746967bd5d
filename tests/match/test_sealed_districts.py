"""Districts that bend the table, over sealed cards: the deck looked through, cards tucked away,
characters exchanged unseen.
"""

from __future__ import annotations

from random import Random

import pytest

from citadels_p2p.bots import Observation, make_bot
from citadels_p2p.rules import Move, Rules, View
from tests.match.round_table import RoundTable
from tests.protocol.tiny_group import TinyGroup

NEWEST = (
    "haunted_quarter framework laboratory smithy dragon_gate thieves_den secret_vault stables"
    " monument museum necropolis gold_mine park theater"
)
DARK = (
    "haunted_quarter keep laboratory smithy observatory graveyard lighthouse bell_tower"
    " hospital throne_room armory museum quarry park"
)


class Seeker:
    """Looks for one district, saves up for it, builds nothing else, and uses it."""

    def __init__(self, card: str, verbs: tuple[str, ...]) -> None:
        self.card = card
        self.verbs = verbs
        self.other = make_bot("easy")

    def choose(self, sight: Observation, random: Random) -> tuple[str, ...]:
        choice = sight.choice
        if choice.low is not None:
            return self.other.choose(sight, random)
        return (max(choice.moves, key=lambda move: self._weight(sight.view, move)).id,)

    def _weight(self, view: View, move: Move) -> int:
        assert view.you is not None
        sought = dict(move.about).get("card") == self.card
        held = self.card in [card.card for card in view.you.hand]
        weights = {
            "build": 5 if sought else -1,
            "keep": 5 if sought else 0,
            "gold": 4 if held else 2,
            "cards": 3,
            "murder": 1 if self.card == "hospital" else -1,
            "destroy": -1,
            "swap": -1,
            "redraw": -1,
            "lab": -1,
        }
        return 6 if move.verb in self.verbs else weights.get(move.verb, 0)


@pytest.mark.parametrize(
    ("rules", "card", "verbs", "wanted"),
    [
        (Rules.make("2016", 2, uniques=NEWEST.split()), "theater", "recast", "picks_swapped"),
        (Rules.make("2016", 4, uniques=NEWEST.split()), "theater", "stage", "picks_swapped"),
        (Rules.make("2016", 2, uniques=NEWEST.split()), "museum", "tuck", "cards_tucked"),
        (
            Rules.make("dark-city", 2, uniques=DARK.split()),
            "lighthouse",
            "search fetch",
            "deck_shuffled",
        ),
    ],
    ids=["recast", "stage", "tuck", "search"],
)
def test_hidden_cards_move_under_seal(rules: Rules, card: str, verbs: str, wanted: str) -> None:
    """Every operator agrees, then and for a while after."""
    brains = [Seeker(card, tuple(verbs.split())) for _ in range(rules.seats)]
    table = RoundTable(rules, brains, operators=2, group=TinyGroup(), seed=1)
    match, told, left = table.dealers[0].match, 0, 60
    while left and table.step():
        if left < 60 or any(event.kind == wanted for event in match.events[told:]):
            left -= 1
            assert len({dealer.match.digest() for dealer in table.dealers}) == 1
        told = len(match.events)
    assert left < 60, "it never happened"


def test_a_murdered_owner_shows_a_sealed_character_to_the_hospital() -> None:
    """When it is its own that was murdered, the card is opened and it gathers."""
    rules = Rules.make("dark-city", 3, uniques=DARK.split())
    brains = [Seeker("hospital", ("treat",)) for _ in range(rules.seats)]
    table = RoundTable(rules, brains, group=TinyGroup(), seed=2)
    match, told, treated = table.dealers[0].match, 0, 0
    while not treated and table.step():
        for event in match.events[told:]:
            fields = event.fields()
            if event.kind == "turn_begins" and fields["character"] == match.state.silenced:
                treated += 1
                picks = match.state.places[match.state.stack[-1].seat].picks
                assert any(match.face(slot) == fields["character"] for slot in picks)
        told = len(match.events)
        assert len({dealer.match.digest() for dealer in table.dealers}) == 1
    assert treated
    for _ in range(60):
        assert table.step()
        assert len({dealer.match.digest() for dealer in table.dealers}) == 1


def test_at_the_end_only_the_vault_is_shown() -> None:
    """All hands are opened where it might lie; of other cards nobody is told anything."""
    rules = Rules.make("2016", 3, 6, uniques=NEWEST.split())
    table = RoundTable(rules, [make_bot("easy")] * 3, group=TinyGroup(), seed=3)
    table.play()
    match = table.dealers[0].match
    ending = [event for event in match.events if event.kind == "unveiled"]
    holders = [
        seat
        for seat, place in enumerate(match.state.places)
        for slot in place.hand
        if match.face(slot) == "secret_vault"
    ]
    assert [event.fields()["seat"] for event in ending] == holders
    assert set(match.state.unveiled.values()) <= {"secret_vault"}
    hands = {slot for place in match.state.places for slot in place.hand}
    assert not hands & set(match.state.faces), "the rules forget what else was opened"
    assert all(match.cards.state(slot).is_open for slot in hands)
