"""Where the books read differently, the table may choose; each reading has its name."""

from __future__ import annotations

from random import Random

import pytest

from citadels_p2p.arena import play
from citadels_p2p.cards import EDITIONS, READINGS
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.inspection import Inspector
from citadels_p2p.rules import Rules, new, score
from tests.rules.scene import Player, Scene

SIX = "temple church market tavern watchtower prison"


@pytest.mark.parametrize("name", READINGS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_reading_can_be_chosen_in_every_edition_and_travels(
    edition: str, name: str
) -> None:
    for value in READINGS[name]:
        rules = Rules.make(edition, **{name: value})
        assert getattr(rules, name) == value
        assert Rules.from_options(rules.to_options()) == rules
        usual = getattr(Rules.make(edition), name)
        assert rules.to_options().get(name, usual) == value
    for nonsense in ("", "maybe", 3, None):
        options = Rules.make(edition).to_options() | {name: nonsense}
        with pytest.raises(ValueError, match=f"unknown_{name}"):
            Rules.from_options(options)


def test_a_reading_that_nobody_knows() -> None:
    with pytest.raises(ValueError, match="unknown_option"):
        Rules.make(weather="fair")


@pytest.mark.parametrize(
    ("edition", "draft", "usual"),
    [
        ("classic", "pass", {"complete": "safe", "ties": "ranks"}),
        ("2016", "pass", {"complete": "safe", "ties": "ranks"}),
        ("original", "pass", {"complete": "safe", "ties": "costs"}),
        ("dark-city", "pass", {"complete": "safe", "ties": "costs"}),
        ("classic", "deal", {"complete": "open", "ties": "none"}),
        ("dark-city", "deal", {"complete": "open", "ties": "none"}),
    ],
)
def test_what_is_usual(edition: str, draft: str, usual: dict[str, str]) -> None:
    rules = Rules.make(edition, draft=draft)
    expected = {name: values[0] for name, values in READINGS.items()} | usual
    assert {name: getattr(rules, name) for name in READINGS} == expected


# The end


def completing(ending: str, **others: str) -> Scene:
    return Scene(
        readings={"ending": ending, **others},
        ann=Player("bishop", gold=9, hand="manor", city=SIX),
        bob=Player("warlord", gold=9, city="castle"),
    )


def test_the_round_in_which_a_city_is_completed_is_played_to_its_end() -> None:
    scene = completing("round")
    scene.play("gold", "build:manor", "end")
    assert scene.turn == "bob warlord"


def test_or_the_match_ends_with_that_turn() -> None:
    scene = completing("turn")
    told = scene.play("gold", "build:manor")
    assert "last_round" in told
    told = scene.play("end")
    assert scene.asked == "over"
    assert told[-1] == "match_over winners=ann"
    assert not any("seat=bob rank=8" in line for line in told)


def test_whoever_was_not_called_any_more_inherits_nothing() -> None:
    """Only a murdered King takes the crown when he is shown at the end."""
    scene = Scene(
        readings={"ending": "turn"},
        crown="cleo",
        ann=Player("magician", gold=9, hand="manor", city=SIX),
        bob=Player("king"),
    )
    told = scene.play("gold", "build:manor", "end")
    assert "exposed seat=bob character=king" in told
    assert scene.crown == "cleo"


def test_a_complete_city_is_safe_from_the_warlord() -> None:
    scene = completing("round")
    scene.play("gold", "build:manor", "end", "gold")
    assert not scene.offers("destroy") & {f"destroy:ann:{card}" for card in SIX.split()}


def test_or_it_is_not_and_the_end_may_be_taken_back() -> None:
    scene = Scene(
        readings={"complete": "open"},
        ann=Player("merchant", gold=9, hand="manor", city=SIX),
        bob=Player("warlord", gold=9, city="castle"),
    )
    scene.play("gold", "build:manor", "end", "gold", "destroy:ann:temple")
    told = scene.play("end")
    assert "goes_on" in told
    assert scene.asked != "over"


def test_a_city_broken_in_the_turn_that_would_end_the_match() -> None:
    """The end comes with a turn, cities are open: what counts is how the turn leaves them."""
    scene = Scene(
        readings={"complete": "open", "ending": "turn"},
        ann=Player("warlord", gold=9, hand="manor", city=SIX),
        bob=Player("bishop"),
    )
    scene.play("gold", "end")
    scene.play("gold", "build:manor", "destroy:ann:temple")
    told = scene.play("end")
    assert "goes_on" in told
    assert scene.asked != "over"


@pytest.mark.parametrize(
    ("ties", "winners"), [("ranks", ["bob"]), ("costs", ["ann"]), ("none", ["ann", "bob"])]
)
def test_what_decides_between_equal_totals(ties: str, winners: list[str]) -> None:
    """Ann has more in her districts, Bob all five quarters and the higher rank."""
    scene = Scene(
        readings={"ties": ties},
        ann=Player("thief", city="fortress castle manor"),
        bob=Player("warlord", city="tavern temple watchtower manor keep"),
    )
    scene.state.places[0].revealed, scene.state.places[1].revealed = ["thief"], ["warlord"]
    assert scene.total("ann") == scene.total("bob") == 12
    assert scene.winners() == winners


@pytest.mark.parametrize("seed", range(12))
def test_whole_matches_under_any_readings(seed: int) -> None:
    random = Random(f"readings/{seed}")
    edition = random.choice(list(EDITIONS))
    rules = Rules.make(
        edition,
        random.randint(2, 7),
        draft=random.choice(["pass", "deal"]),
        characters_each=None,
        **{name: random.choice(values) for name, values in READINGS.items()},
    )
    dealer, state = OpenDealer(random), new(rules)
    play(state, dealer, ("easy",) * rules.seats, Inspector(dealer, every=97))
    assert score(state).winners
