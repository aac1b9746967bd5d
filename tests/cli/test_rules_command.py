"""`citadels rules`: every card and character as its edition words it, with what was ruled."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, PRESETS
from citadels_p2p.rules import Rules, effects
from cli.__main__ import main
from cli.line.exits import Exit
from cli.text import cards, wordings
from cli.text.rules import of_table, summary
from cli.text.rulings import RULINGS, rulings
from tests.cli.scripted import lobby

RULINGS_PAGE = Path(__file__).parents[2] / "docs" / "RULINGS.md"


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command prints, its lines joined."""
    assert main(["rules", *arguments]) == Exit.FINE
    return " ".join(capsys.readouterr().out.split())


def lists(edition: str) -> tuple[set[str], set[str]]:
    box = EDITIONS[edition]
    return set(box.cast), {row.card for row in (*box.deck, *box.chest)}


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_lists_its_characters_and_districts(
    edition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = told(capsys, "--edition", edition)
    roles, districts = lists(edition)
    for role in roles:
        assert f"{cards.character(role)}: {wordings.ability(role, edition)}" in shown
    for card in districts:
        assert cards.district(card) in shown
        assert wordings.effect(card, edition) in shown
    for preset in PRESETS.values():
        assert (preset.id in shown) == (preset.edition == edition)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_card_of_an_edition_can_be_asked_for(
    edition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    box = EDITIONS[edition]
    roles, districts = lists(edition)
    for id in (*roles, *districts):
        shown = told(capsys, "--edition", edition, cards.source(id))
        assert shown.startswith(cards.source(id))
        assert all(line in shown for line in rulings(id, edition))
        value = json.loads(told(capsys, "--json", "--edition", edition, cards.source(id)))
        if id in districts:
            row = next(row for row in (*box.deck, *box.chest) if row.card == id)
            assert (value["cost"] or 0, value["copies"]) == (row.cost, row.copies)
            assert value["type"] == DISTRICTS[id].quarter
        else:
            assert value["power"]
        assert value["rulings"] == list(rulings(id, edition))


@pytest.mark.parametrize(
    ("edition", "card", "said"),
    [
        ("original", "laboratory", "for 1 gold"),
        ("2016", "laboratory", "for 2 gold"),
        ("original", "observatory", "cost 5"),
        ("classic", "observatory", "cost 4"),
        ("dark-city", "imperial treasury", "cost 4"),
        ("dark-city", "factory", "cost 5"),
        ("dark-city", "poor house", "cost 4"),
        ("dark-city", "tax collector", "rank 2"),
        ("2016", "tax collector", "rank 9"),
        ("dark-city", "emperor", "of its own choice"),
        ("2016", "emperor", "by chance"),
        ("dark-city", "warlord", "At the end of the turn"),
        ("2016", "keep", "rank 8"),
        ("dark-city", "library", "kept."),
        ("2016", "secret vault", "without a cost"),
    ],
)
def test_editions_word_it_differently(
    edition: str, card: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in told(capsys, "--edition", edition, card)


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_text_names_a_card_that_its_box_has_not(edition: str) -> None:
    roles, districts = lists(edition)
    here = {*roles, *districts}
    others = [cards.source(id) for id in (*CHARACTERS, *DISTRICTS) if id not in here]
    for id in here:
        texts = (wordings.ability(id, edition), wordings.effect(id, edition))
        for text in (*texts, wordings.power(id, edition), *rulings(id, edition)):
            named = [name for name in others if re.search(rf"\b{name}\b", text)]
            assert not named, (id, text)


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_the_options_of_a_game_change_the_texts_of_its_cards(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Where complete cities are open to powers they are so in the list and in each text."""
    game = ("--edition", "2016", "--complete", "open", *arguments)
    whole = told(capsys, *game)
    assert "that is not complete" not in whole
    assert "It may not be used from a complete city" not in whole
    for card in ("warlord", "diplomat", "marshal", "armory"):
        assert "complete or not" in told(capsys, *game, card)
        assert "complete or not" not in told(capsys, *game[:2], card)


def test_the_notes_of_a_card_are_those_of_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    """Where cities can be broken an end does not stay."""
    for card in ("armory", "bell tower"):
        game = ("--edition", "dark-city", card)
        assert "end that has begun stays" in told(capsys, *game)
        assert "end that has begun stays" not in told(capsys, *game, "--complete", "open")


def test_without_an_edition_the_first_that_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert "[Classic]" in told(capsys, "library")
    assert "[2016]" in told(capsys, "spy")
    assert "[The Dark City]" in told(capsys, "hospital")


def test_a_card_of_another_edition(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--edition", "2016", "graveyard"]) == Exit.USAGE
    assert "classic, original, dark-city" in capsys.readouterr().err


def test_an_edition_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    value = json.loads(told(capsys, "--json", "--edition", "2016"))
    cast, printed = lists("2016")
    assert sorted(row["character"] for row in value["characters"]) == sorted(cast)
    assert sorted(row["card"] for row in value["districts"]) == sorted(printed)
    ranks = [row["rank"] for row in value["characters"]]
    assert ranks == sorted(ranks)
    assert {row["preset"] for row in value["presets"]} == set(PRESETS)


def test_whatever_the_engine_words_otherwise_is_worded_otherwise() -> None:
    """Where an older box has another effect than the newest, its text differs too."""
    for id in effects.OLDER:
        assert wordings.ability(id, "dark-city") != wordings.ability(id, "2016")
    for id in effects.OLDER_DISTRICTS:
        assert wordings.effect(id, "dark-city") != wordings.effect(id, "2016")


def test_every_ruling_bears_on_something_of_its_editions() -> None:
    for ruling in RULINGS:
        named = ruling.editions.split() or list(EDITIONS)
        for id in ruling.subjects.split():
            assert id in CHARACTERS or id in DISTRICTS
            assert any(id in {*lists(edition)[0], *lists(edition)[1]} for edition in named)


def test_whatever_the_page_of_rulings_names_has_a_ruling_here() -> None:
    """Every card and character named in the first column of its tables of cards."""
    page = RULINGS_PAGE.read_text(encoding="utf-8")
    for heading, ids in (("## Characters", CHARACTERS), ("## Districts", DISTRICTS)):
        rows = page.partition(heading)[2].partition("\n## ")[0]
        named = re.findall(r"^\| ([^|]+) \|", rows, re.MULTILINE)
        for id in ids:
            if any(cards.source(id) in row for row in named):
                assert any(rulings(id, edition) for edition in EDITIONS), id


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("city", "6", "has 6 districts, the round is played out"),
        ("ending", "turn", "the match ends with that turn"),
        ("complete", "open", "Powers reach into complete cities too."),
        ("steps", "fixed", "A turn has a fixed order"),
        ("ties", "costs", "more points in districts alone win"),
        ("ties", "none", "In a tie the win is shared."),
        ("draft", "deal", "chooses a character out of all. Then chance deals the rest"),
        ("gilding", "price", "The Artist's gold on a district raises its price"),
        ("unveiling", "quarter", "The Secret Vault shown at the end counts"),
    ],
)
def test_the_rules_in_short_are_those_that_the_table_has_agreed_on(
    option: str, value: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the flag and in the help of a table; the edition alone says nothing of it."""
    cards_of_it = {"characters": ["artist"], "uniques": ["random", "secret_vault"]}
    agreed = {option: int(value) if option == "city" else value}
    game = Rules.make("2016", **cards_of_it, **agreed)  # type: ignore[arg-type]
    table = replace(lobby(), edition="2016", options=game.to_options())
    told_here = " ".join(of_table("2016", table))
    assert said in told_here
    assert said not in " ".join(summary("2016"))
    if option not in ("gilding", "unveiling"):
        assert said in told(capsys, "--edition", "2016", f"--{option}", value)


def test_no_rules_are_told_of_a_game_that_there_is_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "--seats", "9"]) == Exit.USAGE
    assert "--seats: Players in this edition" in capsys.readouterr().err
