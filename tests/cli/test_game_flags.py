"""The game that flags describe: presets and what takes the place of their characters."""

from __future__ import annotations

import contextlib

import pytest

from citadels_p2p.cards import PRESETS, READINGS
from citadels_p2p.rules import Rules
from cli.line.game_options import chosen_rules
from cli.line.parser import build


def game(*flags: str, command: str = "play") -> Rules | None:
    return chosen_rules(build().parse_args([command, *flags]))


def test_a_named_character_takes_its_ranks_place_in_a_preset() -> None:
    preset = PRESETS["devious_dignitaries"]
    rules = game("--preset", preset.id, "--characters", "assassin,artist")
    assert rules is not None
    assert rules.characters == ("assassin", *preset.characters[1:], "artist")


def test_a_ninth_character_joins_a_preset() -> None:
    rules = game("--preset", "devious_dignitaries", "--seats", "6", "--characters", "ninth")
    assert rules is not None
    assert rules.characters[8] == "queen"
    few = game("--preset", "devious_dignitaries", "--characters", "ninth")
    assert few is not None
    assert few.characters[8] == "artist"  # no Queen with four


def test_lots_may_choose() -> None:
    flags = ("--edition", "2016", "--characters", "random,witch", "--uniques", "random")
    rules = game(*flags)
    assert rules is not None
    assert (rules.characters, rules.uniques) == (("random", "witch"), ("random",))


@pytest.mark.parametrize("command", ["host", "play", "simulate"])
@pytest.mark.parametrize("name", READINGS)
def test_every_reading_has_a_flag(name: str, command: str) -> None:
    for value in READINGS[name]:
        rules = game(f"--{name}", value, command=command)
        assert rules is not None
        assert getattr(rules, name) == value


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--characters", "random"], "lots could draw"),
        (["--preset", "vicious_nobles", "--seats", "2", "--characters", "ninth"], "rank 9"),
        (["--edition", "dark-city", "--uniques", "random,university,moat"], "unique district"),
    ],
)
def test_what_cannot_be_is_refused_in_words(
    flags: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert game(*flags) is None
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["host", "--bots", "-1"], "a number from 0 on is needed"),
        (["play", "--seats", "some"], "a number from 1 on is needed"),
        (["host", "--step-time", "99999"], "86400 at most"),
        (["play", "--seats", "8"], "Players in this edition (Classic): 2–7."),
        (["play", "--preset", "vicious_noble"], "Did you mean vicious_nobles?"),
    ],
)
def test_a_number_or_a_name_that_cannot_be_is_told_with_what_can(
    flags: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with contextlib.suppress(SystemExit):
        assert chosen_rules(build().parse_args(flags)) is None
    assert said in capsys.readouterr().err
