"""Tables nearby in words: what a person who chooses one wants to know, within 80 cells."""

from __future__ import annotations

from dataclasses import replace

import pytest

from citadels_p2p.match.options import Liveness
from citadels_p2p.rules import Rules
from cli import i18n
from cli.client.lobby import Lobby
from cli.text.cells import width
from cli.text.nearby import table_detail, table_lines
from tests.cli.test_plain_lobby import listing


def test_free_seats_bots_and_whether_one_may_come_in() -> None:
    table = replace(listing("Friday", 3), seats=6, bots=2, locked=True, spectators=True)
    detail = "Classic, 3 of 6 seats free, 2 bots, open, locked, spectators welcome"
    assert table_detail(table) == detail
    assert table_lines(table, 80)[0] == f"1. Friday: {detail}"


def test_what_is_not_as_usual_is_named() -> None:
    game = Rules.make("2016", seats=7, city=6, draft="deal")
    table = replace(listing("Friday"), game=game, liveness=Liveness(step_time=60))
    about = " ".join(table_lines(table, 80)[1:])
    assert "Complete city: 6 districts" in about
    assert "dealt by chance" in about
    assert "60 seconds" in about
    assert table.code in about
    usual = " ".join(table_lines(listing("Friday"), 80)[1:])
    assert "Characters" not in usual
    assert "Time for a decision" not in usual


def test_uniques_are_named_where_few_and_counted_where_many() -> None:
    lots = Rules.make("2016", seats=5, uniques=("random",))
    assert "drawn by lots" in " ".join(table_lines(replace(listing("F"), game=lots), 80))
    usual = Rules.make("2016", seats=5).uniques
    other = tuple("park" if card == "keep" else card for card in usual)
    many = Rules.make("2016", seats=5, uniques=other)
    assert "Unique districts: 14" in " ".join(table_lines(replace(listing("F"), game=many), 80))


def test_a_game_of_another_program_is_no_reason_to_hide_its_table() -> None:
    table = replace(listing("Friday"), game=None, liveness=None)
    assert "does not know" in table_lines(table, 80)[1]


@pytest.mark.parametrize("language", ["en", "ru", "uk", "fr"])
def test_no_line_is_too_long_and_none_is_empty(language: str) -> None:
    game = Rules.make("2016", seats=7, characters=("random",), draft="deal")
    table = replace(
        listing("A kitchen of very many words, and then some more of them"),
        seats=7,
        bots=5,
        locked=True,
        spectators=True,
        game=game,
        liveness=Liveness(step_time=90),
        code="[2001:db8:1234:5678:9abc:def0:1234:5678]:24482/ATIB-F5H3-L6UZ-M3C6",
    )
    with i18n.speaking(language):
        lines = table_lines(table, 80)
    assert all(0 < width(line) <= 80 for line in lines)
    assert lines[-1].endswith("M3C6")


def test_a_table_that_two_laptops_claim_is_shown_twice_with_a_warning() -> None:
    mine = replace(listing("Friday"), contested=True, fingerprint="ABCD-EFGH-IJKL-MNOP")
    other = replace(mine, number=2, fingerprint="QRST-UVWX-YZ23-4567")
    assert "Another laptop says" in " ".join(table_lines(mine, 80))
    assert "Another laptop says" not in " ".join(table_lines(listing("Friday"), 80))
    rows = Lobby("Ann", (mine, other)).nearby
    assert len({row.key for row in rows}) == 2
    for row, table in zip(rows, (mine, other), strict=True):
        assert row.detail.startswith(f"claimed by two laptops: {table.fingerprint}")
