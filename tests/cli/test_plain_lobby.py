"""The lobby as lines: what is listed, what a number means, forms, and commands typed out."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from citadels_p2p.match.options import Liveness
from citadels_p2p.match.session.listing import TableListing, Tables
from citadels_p2p.match.session.seating import UnfinishedMatch
from citadels_p2p.rules import Rules
from cli.__main__ import main
from cli.client.effects import Print, Prompt
from cli.client.lobby import Lobby
from cli.client.plain_lobby import LeaveLobby, LobbyEffects, PlainLobby, Run
from tests.cli.scripted import view

COMMANDS = frozenset({"host", "join", "play", "rules", "settings", "tables"})


def listing(
    name: str,
    taken: int = 1,
    *,
    state: str = "lobby",
    spectators: bool = False,
    table: str = "",
) -> TableListing:
    return TableListing(
        number=1,
        name=name,
        table=table or name.encode().hex(),
        edition="classic",
        seats=4,
        taken=taken,
        bots=0,
        game=Rules.make("classic", seats=4),
        liveness=Liveness(),
        locked=False,
        state=state,
        spectators=spectators,
        address="10.0.0.7:24482",
        fingerprint="ABCD-EFGH",
        code=f"10.0.0.7:24482/{name}",
    )


def left(name: str, table: str = "ff") -> UnfinishedMatch:
    return UnfinishedMatch(
        name, table, "classic", Path("/m/one.citadels"), hosted=True, names=("Ann", "Bob")
    )


def lobby(*tables: TableListing, unfinished: tuple[UnfinishedMatch, ...] = ()) -> PlainLobby:
    """A lobby whose first list has been shown."""
    machine = PlainLobby(Lobby("Ann", unfinished=unfinished), COMMANDS)
    machine.greet()
    machine.hear(Lobby("Ann", tables, unfinished))
    return machine


def said(effects: LobbyEffects) -> list[str]:
    return [effect.text for effect in effects if isinstance(effect, Print)]


def runs(effects: LobbyEffects) -> list[tuple[str, ...]]:
    return [effect.line for effect in effects if isinstance(effect, Run)]


def test_unfinished_matches_come_first_then_tables_then_the_ways_to_begin() -> None:
    lines = said(lobby(listing("Friday"), unfinished=(left("Monday"),)).show())
    assert lines[1] == "You are Ann."
    assert lines[2].startswith("1. Go on with Monday (Classic, you host it, with Ann and Bob)")
    assert lines[3].startswith("2. Sit down at Friday (Classic, 3 of 4 seats free, open)")
    assert lines[4].startswith("3. Host a table")
    assert "6. A guided first game (every step is explained where it happens)" not in lines[:4]
    assert lines[-2] == "11. Leave"


def test_an_unfinished_match_says_how_it_stands() -> None:
    monday = left("Monday")
    machine = PlainLobby(Lobby("Ann"), COMMANDS)
    stands = replace(view(you=False), seats=view().seats[:2])
    lines = said(machine.hear(Lobby("Ann", (), (monday,), views={monday.path: stands})))
    assert any("with Ann and Bob · Round 2. Bob 3 (1/7), Ann 1 (1/7))" in one for one in lines)


def test_nothing_is_listed_before_the_network_was_looked_at() -> None:
    machine = PlainLobby(Lobby("Ann"), COMMANDS)
    assert not machine.is_ready
    assert machine.hear(Lobby("Ann", unfinished=(left("Monday"),))) == ()
    assert said(machine.hear(Lobby("Ann", (), (left("Monday"),))))
    assert machine.is_ready


def test_a_network_that_cannot_be_used_is_said_and_the_rest_still_works() -> None:
    machine = PlainLobby(Lobby("Ann"), COMMANDS)
    lines = said(machine.hear(Lobby("Ann", trouble="There is no network to use.")))
    assert "There is no network to use." in lines
    assert runs(machine.read("play")) == [("play",)]


def test_a_number_or_a_name_sits_down_with_the_hosts_key_pinned() -> None:
    machine = lobby(listing("Friday"), unfinished=(left("Monday"),))
    assert runs(machine.read("1")) == [("resume", str(Path("/m/one.citadels")))]
    assert runs(machine.read("2")) == [("join", "10.0.0.7:24482/Friday")]
    assert runs(machine.read("fri")) == [("join", "10.0.0.7:24482/Friday")]


def test_ones_own_unfinished_table_is_listed_once() -> None:
    lines = said(lobby(listing("Monday", table="ff"), unfinished=(left("Monday"),)).show())
    assert sum("Monday" in line for line in lines) == 1


def test_a_table_that_appears_gets_the_next_number_and_no_other_changes() -> None:
    machine = lobby(listing("Friday"))
    count = len(said(machine.show())) - 3
    lines = said(machine.hear(Lobby("Ann", (listing("Alpha"), listing("Friday")))))
    assert lines == [
        f"A table is here: {count + 1}. Sit down at Alpha (Classic, 3 of 4 seats free, open)"
    ]
    assert runs(machine.read("1")) == [("join", "10.0.0.7:24482/Friday")]
    assert runs(machine.read(str(count + 1))) == [("join", "10.0.0.7:24482/Alpha")]


def test_a_table_that_changes_or_goes_is_said_in_one_line() -> None:
    machine = lobby(listing("Friday"))
    lines = said(machine.hear(Lobby("Ann", (listing("Friday", 2),))))
    assert lines == ["1. Sit down at Friday (Classic, 2 of 4 seats free, open)"]
    assert said(machine.hear(Lobby("Ann", ()))) == ["Gone: Friday"]
    assert said(machine.read("1")) == ["Gone: Friday"]
    assert machine.hear(Lobby("Ann", ())) == ()


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (listing("Full", 4), "Full: Every seat is taken."),
        (
            listing("Late", 4, state="playing"),
            "Late: The match has already begun, without spectators.",
        ),
    ],
)
def test_what_is_not_possible_stays_listed_with_its_reason(
    table: TableListing, why: str
) -> None:
    effects = lobby(table).read("1")
    assert (said(effects), runs(effects)) == ([why], [])


def test_where_spectators_are_welcome_one_looks_on() -> None:
    machine = lobby(listing("Late", 4, state="playing", spectators=True))
    assert runs(machine.read("1")) == [("watch", "10.0.0.7:24482/Late")]


def test_hosting_is_a_form_that_ends_as_a_command() -> None:
    machine = lobby()
    lines = said(machine.read("host a table"))
    assert "2. Edition: Classic" in lines
    assert said(machine.read("seats 5")) == ["Seats: 5"]
    assert said(machine.read("edition 2016")) == ["Edition: 2016"]
    assert said(machine.read("characters witch"))[0].startswith("Characters: Witch")
    assert said(machine.read("name Friday night")) == ["Name of the table: Friday night"]
    assert runs(machine.read("")) == [
        (
            "host",
            "Friday night",
            "--edition",
            "2016",
            "--seats",
            "5",
            "--characters",
            "witch,thief,magician,king,bishop,merchant,architect,warlord",
        )
    ]


def test_a_form_says_what_is_possible_and_why_something_is_not() -> None:
    machine = lobby()
    machine.read("practise")
    assert "2, 3, 4, 5, 6, 7" in said(machine.read("seats"))
    assert said(machine.read("seats 9")) == ["Choose one of: 2, 3, 4, 5, 6, 7."]
    assert said(machine.read("nonsense 4"))[0].startswith("That is none of the choices.")
    machine.read("edition 2016")
    lines = said(machine.read("uniques park"))
    assert lines[-1].startswith(
        "Unique districts: Unique districts in this edition (2016): 14."
    )
    assert runs(machine.read("")) == []
    assert said(machine.read("back"))[1] == "You are Ann."


def test_an_address_is_asked_for() -> None:
    machine = lobby()
    machine.read("Join by address or code")
    assert runs(machine.read("10.0.0.9:4521")) == [("join", "10.0.0.9:4521")]
    machine.read("Join by address or code")
    assert said(machine.read(""))[1] == "You are Ann."


@pytest.mark.parametrize("before", ["", "join ", "Join "])
def test_join_words_may_be_typed_as_they_are_heard(before: str) -> None:
    machine = lobby(listing("Friday"))
    heard = "1 20 apple river ticket"
    assert runs(machine.read(before + heard)) == [("join", heard)]
    assert runs(machine.read("1-20-арфа-сумка-ягода")) == [("join", "1-20-арфа-сумка-ягода")]


def test_nothing_comes_between_a_question_and_its_answer() -> None:
    machine = lobby()
    machine.read("Join by address or code")
    assert machine.hear(Lobby("Ann", (listing("Friday"),))) == ()
    assert any("Friday" in line for line in said(machine.read("")))


def test_any_command_may_be_typed_out() -> None:
    machine = lobby()
    assert runs(machine.read("host 'Friday night' --seats 3")) == [
        ("host", "Friday night", "--seats", "3")
    ]
    assert runs(machine.read("rules haunted quarter")) == [("rules", "haunted", "quarter")]
    assert said(machine.read("host 'open")) == ["A quotation mark is open in that line."]
    assert runs(machine.read("help")) == [("--help",)]


def test_a_number_behind_a_command_is_one_of_the_list_last_shown() -> None:
    machine = lobby(listing("Friday", spectators=True), unfinished=(left("Monday"),))
    assert runs(machine.read("resume 1")) == [("resume", str(Path("/m/one.citadels")))]
    assert runs(machine.read("join 2")) == [("join", "10.0.0.7:24482/Friday")]
    assert runs(machine.read("watch 2")) == [("watch", "10.0.0.7:24482/Friday")]
    for line in ("watch 1", "join 1", "join 99", "resume 3"):
        assert runs(machine.read(line)) == []


def test_leaving() -> None:
    for line in ("quit", "leave", "exit"):
        assert lobby().read(line) == (LeaveLobby(),)


def test_whatever_is_typed_there_is_an_answer() -> None:
    for line in ("", "0", "99", "?!", "\x1b[2J", "back", "x" * 500):
        effects = lobby(listing("Friday")).read(line)
        assert said(effects) or runs(effects)
        assert isinstance(effects[-1], Prompt)


def test_watching_the_tables_lists_them_anew_whenever_they_change(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def looks(**_: object) -> AsyncIterator[Tables]:
        yield Tables((listing("Friday"),))
        yield Tables()
        yield Tables((listing("Friday", 2),))

    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    monkeypatch.setattr("citadels_p2p.match.watch_tables", looks)
    assert main(["tables", "--watch"]) == 0
    said = capsys.readouterr()
    about = "   Complete city: 7 districts · 10.0.0.7:24482/Friday"
    assert said.out.splitlines() == [
        "1. Friday: Classic, 3 of 4 seats free, open",
        about,
        "",
        "",
        "1. Friday: Classic, 2 of 4 seats free, open",
        about,
    ]
    assert "No table is to be found here." in said.err
    assert main(["tables", "--watch", "--json"]) == 0
    lists = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [[table["taken"] for table in found] for found in lists] == [[1], [], [2]]
