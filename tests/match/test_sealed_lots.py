"""Characters and unique districts that the table's own lots choose, over sealed cards.

No operator can choose or foresee them: each pile is shuffled by all before it is turned over.
"""

from __future__ import annotations

import pytest

from citadels_p2p.bots import make_bot
from citadels_p2p.match.archive.assurance import check_hidden
from citadels_p2p.match.fold.bodies import Opened, Shuffled, read
from citadels_p2p.rules import Rules
from tests.match.round_table import RoundTable
from tests.protocol.tiny_group import TinyGroup


def table(edition: str, seats: int, operators: int, seed: int = 0) -> RoundTable:
    rules = Rules.make(edition, seats, 6, characters=["random"], uniques=["random"])
    return RoundTable(
        rules, [make_bot("easy")] * seats, operators=operators, group=TinyGroup(), seed=seed
    )


@pytest.mark.parametrize(
    ("edition", "seats", "operators"), [("2016", 3, 3), ("2016", 4, 2), ("dark-city", 2, 2)]
)
def test_a_match_whose_cards_nobody_chose(edition: str, seats: int, operators: int) -> None:
    round_table = table(edition, seats, operators)
    round_table.play()
    first = round_table.dealers[0].match
    assert [event.kind for event in first.events[:3]] == [
        "characters_drawn",
        "uniques_drawn",
        "match_begins",
    ]
    for dealer in round_table.dealers:
        assert dealer.match.digest() == first.digest()
        assert check_hidden(dealer.match)


def test_everybody_shuffles_before_anything_is_turned_over() -> None:
    round_table = table("2016", 3, 3)
    match = round_table.dealers[0].match
    while "uniques_drawn" not in [event.kind for event in match.events]:
        assert round_table.step()
    said: list[tuple[str, int]] = []
    for author, body in round_table.journal:
        entry = read(body)
        if isinstance(entry, Shuffled):
            said.append(("shuffle", author))
        elif isinstance(entry, Opened):
            said.append(("open", author))
    pile = [("shuffle", 0), ("shuffle", 1), ("shuffle", 2)]
    turned = {("open", 0), ("open", 1), ("open", 2)}
    assert said[:3] == said[6:9] == pile
    assert set(said[3:6]) == set(said[9:12]) == turned


def test_two_tables_draw_different_cards() -> None:
    """What is drawn comes from the operators' own chance, not from the table's options."""
    found = set()
    for seed in range(4):
        round_table = table("2016", 3, 2, seed)
        match = round_table.dealers[0].match
        while not match.state.rules.drawn:
            assert round_table.step()
        found.add((match.state.rules.characters, match.state.rules.uniques))
    assert len(found) > 1
