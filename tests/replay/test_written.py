"""Matches as text: a saved one is written, and one that was written is stepped through."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from citadels_p2p import Game
from citadels_p2p.bots import make_bot
from citadels_p2p.match.archive.record import UNREADABLE, MatchRecord, as_written, told, written
from citadels_p2p.match.news import BotName, Bye, OverNews
from citadels_p2p.match.options import pack_options
from citadels_p2p.match.session.replay import names_saved, read_saved
from citadels_p2p.match.session.seating import UnfinishedMatch
from citadels_p2p.notation import (
    Line,
    Record,
    read_record,
    record_of_facts,
    replay,
    write_record,
)
from citadels_p2p.rules import Rules
from cli.__main__ import main
from cli.line.exits import Exit
from protocol.errors import Unavailable
from protocol.identity.keys import Identity
from protocol.journal.chain import Journal
from protocol.journal.genesis import make_genesis
from protocol.journal.statements import VERSION, Terms, agree_to
from protocol.roster import Operator, Seat
from protocol.wire.codec import encode
from tests.match.round_table import RoundTable
from tests.protocol.tiny_group import TinyGroup


@pytest.fixture
def played() -> str:
    game, bot = Game("classic", 3, seed=2), make_bot("normal")
    while not game.over:
        game.play(*bot.choose(game.observation, game.random))
    return game.record()


def test_a_person_who_calls_itself_as_a_bot_is_a_person_in_a_record_too(played: str) -> None:
    names = dict(enumerate(map(as_written, ("Bot 2", BotName(2), "Anna"))))
    text = write_record(replace(read_record(played), names=names))
    person, bot, anna = told(read_record(text)).names
    assert (person, bot, anna) == ("“Bot 2”", BotName(2), "Anna")
    assert [isinstance(name, BotName) for name in (person, bot, anna)] == [False, True, False]


def test_a_saved_match_is_written_as_everybody_saw_it(
    journal: Journal, record: MatchRecord
) -> None:
    text = written(journal)
    assert text is not None
    again = told(text)
    assert [moment.events for moment in again.moments] == [
        moment.events for moment in record.moments
    ]
    assert [moment.views[None] for moment in again.moments] == [
        moment.views[None] for moment in record.moments
    ]
    assert again.verdict.result is not None
    assert record.verdict.result is not None
    assert again.verdict.result.digest == record.verdict.result.digest
    assert again.seats == ()
    assert again.names[0] == record.names[0]


def test_a_name_of_a_saved_match_says_no_line_of_its_own_and_moves_no_cursor() -> None:
    """Whoever made the file chose it; nobody at a real table has agreed to such a one."""
    called = ("\x1b]0;x\x07\x1b[2JAnna", "Bert\nmove 0 take:71", "#1", "Dora #2")
    identities = [Identity.fresh() for _ in called]
    terms = Terms(
        version=VERSION,
        table=bytes(16),
        name="Kitchen",
        options=pack_options(Rules.make("classic", seats=len(called))),
        operators=tuple(
            Operator(one.public, name) for one, name in zip(identities, called, strict=True)
        ),
        seats=tuple(Seat("taken", name, at) for at, name in enumerate(called)),
    )
    agreed = tuple(agree_to(encode(terms), one, bytes(16)) for one in identities)
    first = make_genesis(identities[0], encode(terms), agreed)
    record = written(Journal((first,)))
    assert record is not None
    assert read_record(write_record(record)) == record
    assert record.names == {0: "]0;x[2JAnna", 1: "Bert move 0 take:71", 3: "Dora"}


def test_a_record_with_a_seed_is_told_from_every_seat(played: str) -> None:
    match = told(read_record(played))
    assert match.verdict.sound
    assert match.seats == (0, 1, 2)
    assert isinstance(match.ending(""), OverNews)
    assert match.moments[0].views[1].you is not None


def test_what_cannot_be_ends_the_match_before_it(played: str) -> None:
    record = read_record(played)
    broken = replace(record, lines=(*record.lines[:3], Line("move", ("0", "end"))), digest="")
    match = told(broken)
    assert len(match.moments) == 4
    assert [fault.code for fault in match.verdict.faults] == [UNREADABLE]
    assert match.ending("") == Bye(1, UNREADABLE, {"name": ""})


def test_lots_are_written_with_what_they_said() -> None:
    rules = Rules.make("2016", 3, characters=["random"], uniques=["random"])
    table = RoundTable(rules, [make_bot("easy")] * 3, group=TinyGroup(), seed=5)
    table.play()
    match = table.dealers[0].match
    record = record_of_facts(match.rules, match.facts)
    *_, last = replay(read_record(write_record(record)))
    assert last.state == match.state


def test_the_command_writes_it_and_steps_through_what_is_written(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, page = tmp_path / "match.txt", tmp_path / "match.html"
    assert main(["replay", str(saved), "--record", str(text)]) == Exit.FINE
    assert isinstance(read_saved(text), Record)
    assert main(["replay", str(text), "--html", str(page)]) == Exit.FINE
    assert capsys.readouterr().out.split() == [str(text), str(page)]
    assert "<html" in page.read_text(encoding="utf-8")
    assert main(["replay", str(text), "--all", "--ui", "plain"]) == Exit.FINE
    assert "wins" in capsys.readouterr().out


def test_a_seat_that_there_is_not_ends_it_before_it_begins(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(saved), "--seat", "9", "--all", "--ui", "plain"]) == Exit.USAGE
    streams = capsys.readouterr()
    assert "Round 1" not in streams.out
    assert streams.err == "citadels: There is no such seat.\n"


def test_where_nothing_is_saved_no_name_is_spoken_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    for command, said in (
        ("replay", "citadels: There is no saved match on this laptop yet.\n"),
        ("resume", "citadels: There is no unfinished match on this laptop.\n"),
    ):
        assert main([command, "--ui", "plain"]) == Exit.USAGE
        assert capsys.readouterr().err == said


def test_a_text_that_does_not_hold_is_said_to_be_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "match.txt"
    text.write_text("citadels-record/1\nrules cake\n", encoding="utf-8")
    with pytest.raises(Unavailable) as caught:
        read_saved(text)
    assert caught.value.hint == UNREADABLE
    assert main(["replay", str(text), "--all", "--ui", "plain"]) != Exit.FINE
    told = capsys.readouterr().err
    assert "does not hold" in told
    assert "no name=value: 'cake'" in told


@pytest.fixture
def home(saved: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CITADELS_HOME", str(saved.parent.parent))
    return saved.parent.parent


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("flag", ["--record", "--html"])
def test_a_dash_stands_for_standard_output(
    flag: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "file"
    assert main(["replay", flag, str(file)]) == Exit.FINE
    capsys.readouterr()
    assert main(["replay", flag, "-"]) == Exit.FINE
    assert capsys.readouterr().out.rstrip("\n") == file.read_text(encoding="utf-8").rstrip("\n")
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("further", [["--record", "-"], ["--json"]])
def test_who_names_no_match_is_told_which_there_are(
    further: list[str], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (name,) = names_saved(home, 3)
    assert main(["replay", "no such", *further]) == Exit.USAGE
    told = capsys.readouterr().err
    assert "`citadels history` lists them" in told
    assert f"The newest here: {name}" in told


def test_who_verifies_no_file_is_told_which_there_are(
    home: Path, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(home / "no such")]) == Exit.USAGE
    assert str(saved) in capsys.readouterr().err


def test_who_goes_on_with_no_match_is_told_which_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one = UnfinishedMatch("Friday\x1b", "ab", "classic", tmp_path, True, ("Ann", "Bob"))
    monkeypatch.setattr("citadels_p2p.match.unfinished", lambda _home: (one, one))
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    assert main(["resume", "Monday", "--ui", "json"]) == Exit.USAGE
    assert capsys.readouterr().err.endswith("\n  The newest here: Friday\n")
