"""What a laptop remembers of its matches: made from the journals, and from nothing else."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
from multiprocessing import active_children
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from citadels_p2p.match.archive import history, statistics
from citadels_p2p.match.archive.history import Verifying, recall
from citadels_p2p.match.archive.index import FILE
from citadels_p2p.match.archive.statistics import Selection
from citadels_p2p.match.news import OverNews
from cli.__main__ import main
from cli.client import past
from cli.commands.history import _match_row
from cli.line.exits import Exit
from protocol.identity.keys import load_or_create
from protocol.storage.match_files import SECRETS, SUFFIX
from tests.match import laptops
from tests.match.dated import dated


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, OverNews]:
    """The homes of Anna and Bert, who have played one match with a bot."""
    homes = tmp_path_factory.mktemp("homes")
    listeners = asyncio.run(laptops.play([homes / "anna", homes / "bert"], bots=1))
    over = listeners[0].last(OverNews)
    return homes, over


@pytest.fixture
def home(played: tuple[Path, OverNews], tmp_path: Path) -> Path:
    """Anna's home, as it was after the match."""
    return Path(shutil.copytree(played[0] / "anna", tmp_path / "anna"))


def journal(home: Path) -> Path:
    """The match that was played; a copy of it has a name that begins so."""
    (found,) = (
        path
        for path in (home / "matches").glob(f"*{SUFFIX}")
        if not path.name.startswith("copy")
    )
    return found


def test_a_match_whose_score_stands_is_among_those_that_are_over(home: Path) -> None:
    ended = journal(home)
    ended.with_suffix(SECRETS).touch()  # until its table is left
    assert past.played(home) == ()
    (told,) = past.played(home, str(ended))
    assert (told.title, told.path) == ("Kitchen", ended)


def test_a_finished_match_is_kept_and_remembered(
    home: Path, played: tuple[Path, OverNews]
) -> None:
    (told,) = recall(home).summaries
    over = played[1]
    assert (told.standing, told.table, told.opened) == ("finished", "Kitchen", True)
    assert [place.name for place in told.places[:2]] == ["Anna", "Bert"]
    assert [place.total for place in told.places] == [row.total for row in over.scores]
    assert [i for i, place in enumerate(told.places) if place.won] == list(over.winners)
    keys = [load_or_create(played[0] / name).fingerprint for name in ("anna", "bert")]
    assert [place.key for place in told.places] == [*keys, ""]
    assert told.places[2].level == "easy"
    twice = 2 * told.rounds  # three seats play two characters each
    assert all(0 < sum(place.turns.values()) <= twice for place in told.places)
    for place in told.places:
        assert set(place.city) <= set(place.built)  # nobody gave districts away here


def test_a_journal_is_verified_once(home: Path) -> None:
    looked: list[Verifying] = []
    first = recall(home, looked.append)
    assert looked[-1] == Verifying(1, 1, 1.0)
    assert [one.part for one in looked] == sorted(one.part for one in looked)
    looked.clear()
    assert recall(home, looked.append) == first
    assert not looked


def _asked(path: Path, sql: str) -> tuple[Any, ...]:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        return connection.execute(sql).fetchone() or ()
    finally:
        connection.close()


@pytest.mark.parametrize(
    "damage",
    ["gone", "noise", "other_rows", "no_rows", "letters", "types", "names"],
)
def test_the_index_is_made_anew(home: Path, damage: str) -> None:
    before, index = recall(home), home / FILE
    if damage == "gone":
        index.unlink()
    elif damage == "noise":
        index.write_bytes(b"no database at all" * 400)
    elif damage == "names":  # by which a row is found when it is written
        (one,) = before.summaries
        os.utime(home / one.file)
        (root,) = _asked(index, "SELECT rootpage FROM sqlite_schema WHERE type = 'index'")
        with index.open("r+b") as raw:
            raw.seek((root - 1) * 4096)
            raw.write(bytes(4096))
    elif damage == "letters":
        _asked(
            index, "UPDATE chapter SET told = CAST('{\"file\": \"' || x'ff' || '\"}' AS BLOB)"
        )
    elif damage == "types":
        _asked(index, "UPDATE chapter SET written = x'00'")
    else:
        with sqlite3.connect(index) as connection:
            if damage == "other_rows":
                connection.execute("UPDATE chapter SET told = '{\"file\": 3}'")
            else:
                connection.execute("DROP TABLE chapter")
                connection.execute("CREATE TABLE chapter (file TEXT)")
        connection.close()
    after = recall(home)
    assert after.summaries == before.summaries
    assert after.remade == (damage != "gone")
    assert not recall(home).remade


def test_a_journal_that_does_not_hold_counts_for_nothing(home: Path) -> None:
    with sqlite3.connect(journal(home)) as connection:
        connection.execute("UPDATE entry SET signature = zeroblob(64) WHERE seq = 40")
    connection.close()
    (told,) = recall(home).summaries
    assert (told.standing, told.entries, told.places) == ("unsound", 40, ())
    assert told.fault
    key = load_or_create(home).fingerprint
    assert statistics.own([told], key).matches == 0
    assert statistics.ratings([told]) == {}


def test_a_file_that_is_no_journal_is_listed_too(home: Path) -> None:
    journal(home).write_bytes(b"never was one")
    (told,) = recall(home).summaries
    assert (told.standing, told.entries) == ("unsound", 0)


def test_a_match_that_may_go_on_is_only_counted(home: Path) -> None:
    journal(home).with_suffix(SECRETS).touch()
    found = recall(home)
    assert (found.summaries, found.unfinished) == ((), 1)


def test_a_journal_that_is_gone_is_forgotten(home: Path) -> None:
    assert len(recall(home).summaries) == 1
    path = journal(home)
    other = path.with_name("00" * 16 + SUFFIX)
    path.rename(other)
    (told,) = recall(home).summaries
    assert told.file == f"matches/{other.name}"


def test_a_match_that_was_watched_is_nobodys_win(home: Path) -> None:
    (home / "matches").rename(home / "watched")
    (home / "identity.pem").unlink(missing_ok=True)
    stranger = load_or_create(home / "elsewhere").fingerprint
    (told,) = recall(home).summaries
    assert told.standing == "finished"
    assert statistics.place_of(told, stranger) is None
    assert statistics.own([told], stranger).matches == 0
    assert len(statistics.ratings([told])) == 2  # the two who played are rated all the same


def test_where_the_index_cannot_be_written_history_is_told_all_the_same(home: Path) -> None:
    (home / FILE).mkdir()
    assert len(recall(home).summaries) == 1


def test_the_command_shows_the_match(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CITADELS_HOME", str(home))
    shown = {}
    for flags in ((), ("--opponents",), ("--characters",), ("--districts",)):
        assert main(["history", *flags]) == 0
        out = capsys.readouterr().out
        assert all(len(line) <= 80 for line in out.splitlines())
        shown[flags] = out
    assert "Kitchen" in shown[()]
    assert "1 match played" in shown[()]
    assert "Bert" in shown[("--opponents",)]
    assert "bots (easy)" in shown[("--opponents",)]
    assert main(["history", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["you"] == load_or_create(home).fingerprint
    assert told["matches"][0]["played"] is True
    assert len(told["ratings"]) == 2
    (bert,) = [row for row in told["opponents"] if row["key"]]
    assert bert["ahead"] + bert["behind"] <= bert["meetings"] == 1
    both = [sum(place["turns"].values()) for place in told["matches"][0]["places"]]
    assert sum(row["all"] for row in told["characters"]) == sum(both)


def test_without_matches_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    assert main(["history"]) == 0
    assert "no finished match" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())  # looking makes neither a key nor an index


def shown(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *flags: str,
) -> str:
    """What the command says on standard output."""
    monkeypatch.setenv("CITADELS_HOME", str(home))
    assert main(["history", *flags]) == 0
    return capsys.readouterr().out


def test_only_matches_that_are_meant_are_counted(home: Path) -> None:
    (told,) = recall(home).summaries
    anna, bert = (place.key for place in told.places[:2])
    for meant in ({"against": "bert "}, {"against": bert[:6].lower()}, {"edition": "classic"}):
        assert Selection(**meant).fits(told, anna)
    assert Selection(since=told.ended).fits(told, anna)
    for other in ({"against": "Bot 3"}, {"against": "Anna"}, {"edition": "2016"}):
        assert not Selection(**other).fits(told, anna)
    assert Selection(against="Anna").fits(told, bert)
    assert not Selection(since=told.ended + 1).fits(told, anna)
    assert not Selection(against=bert[:3]).fits(told, anna)  # too few letters to name anybody


def test_the_command_shows_what_is_asked_for(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def say(*flags: str) -> str:
        return shown(home, monkeypatch, capsys, *flags)

    assert "1 match played" in say("--against", "Bert", "--edition", "classic")
    nothing = "No match is like that; without these wishes there is 1."
    assert nothing in say("--against", "Bert", "--edition", "2016")
    assert nothing in say("--since", "2999-12-31", "--opponents")
    told = json.loads(say("--since", "2999", "--json"))
    assert (told["matches"], told["opponents"], told["of"]) == ([], [], 1)
    assert told["own"]["matches"] == 0
    assert len(told["ratings"]) == 2  # what was reached does not change by being left out
    assert told["wanted"]["since"] > 0
    with pytest.raises(SystemExit):
        main(["history", "--since", "yesterday"])
    assert "2026-11-21" in capsys.readouterr().err


def test_what_another_key_of_ours_played_is_told_as_such(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = load_or_create(home).fingerprint
    for file in home.glob("identity*"):
        file.unlink()
    now = load_or_create(home).fingerprint
    assert now != before
    assert "under another key" in shown(home, monkeypatch, capsys)
    none = "You have played none of these matches."
    assert none in shown(home, monkeypatch, capsys, "--opponents")
    own = shown(home, monkeypatch, capsys, "--key", before[:4])
    assert "1 match played" in own
    assert "another key" not in own
    told = json.loads(shown(home, monkeypatch, capsys, "--key", before, "--json"))
    assert (told["you"], told["own"]["matches"]) == (before, 1)
    assert before in told["matches"][0]["operators"]
    assert main(["history", "--key", "0000"]) == 2
    assert "0000" in capsys.readouterr().err


def test_who_hosted_without_a_seat_has_looked_on(home: Path) -> None:
    """The key of a laptop counts as known, whether or not anybody sat at it."""
    (told,) = recall(home).summaries
    key = load_or_create(home).fingerprint
    assert key in told.operators
    others = tuple(place for place in told.places if place.key != key)
    row = _match_row(msgspec.structs.replace(told, places=others), key)
    assert "you looked on" in row[-1]


def test_a_folder_where_a_journal_should_be_is_named_and_the_rest_is_told(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = home / "matches" / f"odd{SUFFIX}"
    odd.mkdir()
    found = recall(home)
    assert found.unreadable == (odd,)
    assert len(found.summaries) == 1
    monkeypatch.setenv("CITADELS_HOME", str(home))
    assert main(["history"]) == 0
    assert str(odd) in capsys.readouterr().err


def test_ratings_follow_the_places(home: Path) -> None:
    (told,) = recall(home).summaries
    summaries = [told] * 5
    first, second = statistics.ratings(summaries).values()
    ranks = {place.key: place.rank for place in told.places if place.key}
    better = min(ranks, key=lambda key: ranks[key])
    assert next(iter(statistics.ratings(summaries))) == better
    assert first.mean > 25 > second.mean
    assert first.matches == second.matches == 5


def test_the_day_of_a_match_lies_in_its_file(home: Path) -> None:
    """A copy has that day, whatever its file's; and the index knows it by its content."""
    dated(journal(home), 1_700_000_000)
    (told,) = recall(home).summaries
    assert told.ended == 1_700_000_000
    copy = journal(home).with_name(f"copy{SUFFIX}")
    shutil.copyfile(journal(home), copy)
    verified: list[Verifying] = []
    assert [one.ended for one in recall(home, verified.append).summaries] == [told.ended] * 2
    assert not verified


def test_a_clock_that_was_wrong_makes_no_match_the_newest(home: Path) -> None:
    """A time that lies ahead is none."""
    early = journal(home).with_name(f"copy{SUFFIX}")
    shutil.copyfile(journal(home), early)
    dated(early, 1_700_000_000)
    dated(journal(home), 2**33)
    assert [(one.file, one.ended) for one in recall(home).summaries] == [
        (f"matches/{early.name}", 1_700_000_000),
        (f"matches/{journal(home).name}", 0),
    ]


@pytest.mark.parametrize("seconds", [2**35, 2**62, 2**63, 2**64 - 1])
def test_a_time_that_is_in_no_calendar_is_none(
    home: Path,
    seconds: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One file of a stranger's would keep history, lobby and deleting from all the others."""
    monkeypatch.setenv("CITADELS_HOME", str(home))
    dated(journal(home), seconds)
    (told,) = recall(home).summaries
    assert told.standing == "finished"
    assert len(past.played(home)) == 1
    assert main(["history"]) == Exit.FINE
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _: "y")
    assert main(["history", "--delete", "1"]) == Exit.FINE
    assert not recall(home).summaries


@pytest.mark.parametrize("seconds", [2**40, 2**62])
def test_a_file_that_is_dated_in_no_calendar_is_told(
    home: Path, seconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = Path.stat

    def stat(path: Path, **how: bool) -> os.stat_result:
        told = plain(path, **how)
        if path != journal_file:
            return told
        times = {"st_mtime": float(seconds), "st_mtime_ns": seconds * 10**9}
        return SimpleNamespace(**{**_fields(told), **times})  # type: ignore[return-value]

    journal_file = journal(home)
    dated(journal_file, None)
    monkeypatch.setattr(Path, "stat", stat)
    assert [one.ended for one in recall(home).summaries] == [0]
    assert [one.when for one in past.played(home)] == ["–"]


def _fields(told: os.stat_result) -> dict[str, Any]:
    return {name: getattr(told, name) for name in dir(told) if name.startswith("st_")}


def test_an_older_file_has_its_files_day_and_keeps_it_as_a_copy(home: Path) -> None:
    path = journal(home)
    dated(path, None)
    os.utime(path, (1_600_000_000, 1_600_000_000))
    assert [one.ended for one in recall(home).summaries] == [1_600_000_000]
    os.utime(path, (1_650_000_000, 1_650_000_000))  # restored, with the index beside it
    assert [one.ended for one in recall(home).summaries] == [1_600_000_000]
    (home / FILE).unlink()
    assert [one.ended for one in recall(home).summaries] == [1_650_000_000]


def test_the_index_of_the_version_before_is_taken_over(home: Path) -> None:
    before, path = recall(home), journal(home)
    about = path.stat()
    with sqlite3.connect(home / FILE) as connection:
        (told,) = connection.execute("SELECT told FROM chapter").fetchone()
        connection.execute("DROP TABLE chapter")
        connection.execute(
            "CREATE TABLE chapter (file TEXT PRIMARY KEY, size INTEGER NOT NULL, "
            "changed INTEGER NOT NULL, told BLOB NOT NULL)"
        )
        row = (f"matches/{path.name}", about.st_size, about.st_mtime_ns, told)
        connection.execute("INSERT INTO chapter VALUES (?,?,?,?)", row)
        connection.execute("PRAGMA user_version=3")
    connection.close()
    verified: list[Verifying] = []
    assert recall(home, verified.append).summaries == before.summaries
    assert not verified


def test_many_are_verified_side_by_side_and_what_is_done_is_kept(home: Path) -> None:
    for number in range(history.FEW):
        copy = journal(home).with_name(f"copy{number}{SUFFIX}")
        shutil.copyfile(journal(home), copy)
        dated(copy, 1_700_000_000 + number)  # so they are not one content

    def enough(how_far: Verifying) -> None:
        if how_far.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        recall(home, enough)
    assert not active_children()
    seen: list[Verifying] = []
    found = recall(home, seen.append)
    assert len(found.summaries) == history.FEW + 1
    assert seen[-1] == Verifying(history.FEW - 1, history.FEW - 1, 1.0)
