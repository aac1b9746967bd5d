"""Tables nearby in words: what a person who chooses one wants to know, within 80 cells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from citadels_p2p.match import NotMeant, TableListing
from citadels_p2p.match.options import Liveness
from citadels_p2p.match.session.listing import Tables
from citadels_p2p.rules import Rules
from cli import i18n
from cli.__main__ import main
from cli.client.lobby import Lobby
from cli.text.cells import width
from cli.text.endings import ENDINGS
from cli.text.nearby import FEW, instead, table_detail, table_lines
from tests.cli.test_plain_lobby import listing


def test_free_seats_bots_and_whether_one_may_come_in() -> None:
    table = replace(listing("Friday", 3), seats=6, bots=2, locked=True, spectators=True)
    detail = "Classic, 3 of 6 seats free, 2 bots, open, locked, spectators welcome"
    assert table_detail(table) == detail
    assert table_lines(table, 80)[0] == f"1. Friday: {detail}"


def test_the_name_is_the_last_thing_to_be_cut() -> None:
    """It was cut to "Friday n…", so that all else had room."""
    table = replace(listing("Friday night"), host="Anna", bots=1, spectators=True, locked=True)
    table = replace(table, number=37)
    assert table_lines(table, 80, short=True)[0].startswith("37. Friday night: Anna · Classic")
    whole = table_lines(table, 80)
    assert whole[0].startswith("37. Friday night: Anna · Classic")
    assert table_detail(table) in " ".join(line.strip() for line in whole)


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


def choice(count: int) -> tuple[TableListing, ...]:
    return tuple(
        replace(listing(f"Table {n}"), number=n, fingerprint=f"AAAA-BBBB-CCCC-{n:04}")
        for n in range(1, count + 1)
    )


def test_whoever_means_no_table_that_is_there_is_told_which_are() -> None:
    rows = (*choice(2), replace(listing("Küche Süd"), number=3, fingerprint="QRST-UVWX"))
    told = instead(NotMeant("not_found", "kuche sud", rows))
    assert told[:2] == ("Did you mean Küche Süd?", "3. Küche Süd (QRST-UVWX)")
    assert told[2:] == ("1. Table 1 (AAAA-BBBB-CCCC-0001)", "2. Table 2 (AAAA-BBBB-CCCC-0002)")
    assert instead(NotMeant("not_found", "Zoo", rows))[0] == "1. Table 1 (AAAA-BBBB-CCCC-0001)"
    assert instead(NotMeant("not_found", "Zoo", ())) == ()
    hall = [*choice(26), replace(listing("Table 1"), number=27, host="Zoé"), *choice(9)]
    assert instead(NotMeant("not_found", "zoe", hall))[0].startswith("27. Table 1 · Zoé (")


@pytest.mark.parametrize("language", ["en", "ru", "uk", "fr"])
def test_a_complaint_names_a_few_tables_and_the_command_that_lists_all(language: str) -> None:
    with i18n.speaking(language):
        told = instead(NotMeant("several", "", choice(40)))
    assert len(told) == FEW + 1
    assert all(f"AAAA-BBBB-CCCC-{n:04}" in line for n, line in enumerate(told[:FEW], start=1))
    assert str(40 - FEW) in told[-1]
    assert "`citadels tables`" in told[-1]


@pytest.mark.parametrize("language", ["en", "ru", "uk", "fr"])
@pytest.mark.parametrize(
    "typed",
    [
        "http://192.168.1.20:24490/",
        "10.0.0.7:99999",
        "10.0.0.300",
        "10.0.0.7:24482/ABCD-EFGH",
        "10.0.0.7:24482/ABCD-EFGH-IJKL-MN0P",
    ],
)
def test_what_is_no_place_has_words_of_its_own(
    typed: str,
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    assert main(["join", typed, "--name", "Bert", "--ui", "plain", "--lang", language]) == 2
    *_, why, what = capsys.readouterr().err.splitlines()
    assert what == f"  {typed}"
    with i18n.speaking(language):
        others = {i18n._(ENDINGS[hint]) for hint in ("not_found", "unknown_host", "refused")}
    assert why.removeprefix("citadels: ") not in others
    assert "_" not in why


def shown_tables(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, found: Tables, *flags: str
) -> int:
    async def tables(**_: object) -> Tables:
        return found

    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    monkeypatch.setattr("citadels_p2p.match.tables", tables)
    return main(["tables", *flags])


def test_of_many_tables_each_has_one_line_with_its_host(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = Tables(
        replace(listing("Friday night"), number=n, host=f"Anna {n}") for n in range(1, 41)
    )
    found.left_out = 2
    assert shown_tables(monkeypatch, tmp_path, found) == 0
    told = capsys.readouterr()
    lines = told.out.splitlines()
    assert len(lines) == 40
    assert all(width(one) <= 80 for one in lines)
    assert "Anna 17" in lines[16]
    assert "2 more laptops announce tables" in told.err
    assert shown_tables(monkeypatch, tmp_path, found, "ANNA 17") == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].startswith("17. ")
    assert found[16].code in out
    found.silent = 3
    assert shown_tables(monkeypatch, tmp_path, found) == 0
    assert "3 tables are announced here and do not answer." in capsys.readouterr().err
    nobody = Tables(())
    nobody.silent = 1
    assert shown_tables(monkeypatch, tmp_path, nobody) == 3
    told = capsys.readouterr().err
    assert "1 table is announced here and does not answer." in told
    assert "No table is to be found" not in told
    assert shown_tables(monkeypatch, tmp_path, found, "nobody") == 0
    assert "40 are here: citadels tables" in capsys.readouterr().err
