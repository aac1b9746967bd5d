"""A proposed game in words: what it is, what changes, and why one is refused."""

from __future__ import annotations

import pytest

from citadels_p2p.cards import EDITIONS
from citadels_p2p.rules import Rules
from cli.text.game import OPTIONS, chosen, differences, refused_game


def test_a_usual_game_is_three_lines() -> None:
    assert chosen(Rules.make("classic", 4)) == (
        "Edition: Classic",
        "Seats: 4",
        "Complete city: 7 districts",
    )


def test_what_is_unusual_has_a_line_of_its_own() -> None:
    shown = chosen(Rules.make("2016", 5, 6, characters=["queen"], draft="deal"))
    assert {"Choosing characters: dealt by chance", "Complete city: 6 districts"} < {*shown}
    assert any(one.startswith("Characters:") and "Queen" in one for one in shown)


def test_differences_name_only_what_changes() -> None:
    before = Rules.make("2016", 4)
    assert differences(before, before) == ()
    assert differences(before, Rules.make("2016", 4, 6)) == ("Complete city: 6 districts",)
    other = Rules.make("2016", 4, characters=["witch", "emperor"])
    assert differences(before, other) == (
        "Characters: in Witch and Emperor; out Assassin and King",
    )


@pytest.mark.parametrize(
    ("game", "option", "sentence"),
    [
        ({"seats": 9}, "seats", "Players in this edition (Classic): 2–7."),
        (
            {"edition": "2016", "uniques": ["museum"]},
            "uniques",
            "Unique districts in this edition (2016): 14.",
        ),
        (
            {"edition": "2016", "uniques": ["museum", "museum"]},
            "uniques",
            "Museum is named twice.",
        ),
        ({"seats": 4, "city": 9}, "city", "A city has 6, 7 or 8 districts."),
        (
            {"edition": "2016", "seats": 4, "characters": ["queen"]},
            "characters",
            "Queen: only with more players.",
        ),
        (
            {
                "edition": "dark-city",
                "seats": 4,
                "characters": ["diplomat"],
                "uniques": ["graveyard"],
            },
            "uniques",
            "Graveyard: never played with one of these characters.",
        ),
    ],
)
def test_a_refusal_names_the_option_to_change(
    game: dict[str, object], option: str, sentence: str
) -> None:
    with pytest.raises(ValueError) as refused:
        Rules.make(**game)  # type: ignore[arg-type]
    assert refused_game(refused.value) == (option, sentence)


def test_every_option_of_every_edition_has_a_name() -> None:
    for edition in EDITIONS:
        for option in Rules.make(edition, 4).to_options():
            assert option in OPTIONS
