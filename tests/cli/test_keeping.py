"""`citadels history --put-away`, `--export`, `--delete`, and what `resume` makes of it."""

from __future__ import annotations

import errno
import io
import os
import sys
from pathlib import Path

import pytest

from citadels_p2p.match.session import seating
from citadels_p2p.match.session.seating import _resumable
from citadels_p2p.rules import Rules
from cli.__main__ import main
from cli.line.exits import Exit
from protocol import Unfinished
from protocol.errors import Unavailable
from protocol.identity.keys import Identity, load_or_create
from protocol.journal.chain import Journal
from protocol.storage.keeping import away
from protocol.storage.match_files import SECRETS, unfinished
from protocol.storage.saved_matches import open_unfinished
from tests.match import signed_table
from tests.match.dated import dated
from tests.match.signed_table import Setting, small_table, write


class Person(io.StringIO):
    """Somebody at a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with one finished match, and three of the same name that may go on with us."""
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    me = load_or_create(tmp_path)
    for number in range(4):
        first = small_table(2, str(number), me if number else None).records()
        path = write(tmp_path, Journal(first))
        path = path.rename(path.with_name(f"{number:032x}.citadels"))
        if number:
            path.with_suffix(SECRETS).touch()
        dated(path, 1_700_000_000 + number)
    return tmp_path


def stems(paths: tuple[Path, ...]) -> list[int]:
    return sorted(int(path.stem, 16) for path in paths)


def test_all_but_the_newest_are_put_away(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["history", "--put-away"]) == 0
    assert (stems(unfinished(home)), stems(away(home))) == ([3], [1, 2])
    assert "Kitchen" in capsys.readouterr().out
    assert main(["history", "--put-away"]) == 0
    assert "nothing to put away" in capsys.readouterr().out


def test_one_is_put_away_by_its_file_and_comes_back_when_it_is_named(home: Path) -> None:
    assert main(["history", "--put-away", f"{2:032x}"]) == 0
    assert (stems(unfinished(home)), stems(away(home))) == ([1, 3], [2])
    me = load_or_create(home)
    assert int(_resumable(home, me, None).path.stem, 16) != 2
    assert int(_resumable(home, me, f"{2:032x}").path.stem, 16) == 2
    assert (stems(unfinished(home)), stems(away(home))) == ([1, 2, 3], [])


def test_of_many_that_may_go_on_only_those_that_are_meant_are_verified(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[int] = []

    def counted(path: Path, identity: Identity) -> Unfinished | None:
        opened.append(int(path.stem, 16))
        return open_unfinished(path, identity)

    monkeypatch.setattr(seating, "open_unfinished", counted)
    monkeypatch.setattr(seating, "OPENED", 2)
    newest, *_others = unfinished(home)
    assert seating._resumable(home, load_or_create(home), None).path == newest
    assert opened == [3]
    opened.clear()
    assert [one.path for one in seating.unfinished(home)] == list(unfinished(home))
    assert opened == [3, 2]  # the third is verified when it is chosen


def test_what_was_put_away_is_offered_to_nobody(home: Path) -> None:
    while unfinished(home):
        assert main(["history", "--put-away", "Kitchen"]) == 0
    me = load_or_create(home)
    with pytest.raises(Unavailable) as caught:
        _resumable(home, me, None)
    assert caught.value.hint == "none_unfinished"
    assert _resumable(home, me, "Kitchen").genesis.name == "Kitchen"


def test_a_name_that_no_match_has_changes_nothing(home: Path) -> None:
    assert main(["history", "--put-away", "Kitchen", "Cellar"]) == 2
    assert away(home) == ()


@pytest.mark.parametrize(
    "command",
    [
        ["verify"],
        ["replay", "--ui", "plain"],
        ["history", "--delete"],
        ["history", "--put-away"],
        ["resume", "--ui", "plain"],
    ],
    ids=" ".join,
)
def test_a_name_that_no_file_can_have_is_a_name(
    home: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A table's may have 64 letters, of four bytes each."""
    assert main([*command, "\N{GEM STONE}" * 64]) == Exit.USAGE
    assert "fault in the program" not in capsys.readouterr().err


def test_a_file_that_may_not_be_looked_at_is_no_fault_of_ours(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In somebody else's folder, say."""
    shut, plain = home / "shut.citadels", Path.stat

    def stat(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if path == shut:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return plain(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", stat)
    assert main(["verify", str(shut)]) == Exit.USAGE
    said = capsys.readouterr().err
    assert f"{shut.name}" in said
    assert "fault in the program" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no such names")
def test_the_name_of_a_file_says_nothing_to_the_terminal(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A stranger gave it: a line of its own in it looked like the verdict."""
    name = "\x1b[2J\nSound: 99 entries; every signature, proof and rule holds."
    damaged, other = (home / "matches" / f"{name}{n}.citadels" for n in range(2))
    (home / "matches" / f"{0:032x}.citadels").rename(damaged)
    damaged.write_bytes(damaged.read_bytes()[:-1000])
    other.mkdir()
    (home / "matches" / f"{1:032x}.citadels").rename(whole := home / f"{name}.citadels")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    for typed in (
        ["verify", str(damaged)],
        ["verify", str(whole)],
        ["verify", f"{damaged}2"],
        ["verify", str(damaged), str(whole)],
        ["history"],
        ["history", "--put-away"],
        ["history", "--export", "1", str(other)],
        ["replay", "--ui", "plain", str(damaged)],
        ["resume", "--ui", "plain", str(damaged)],
        ["doctor"],
    ):
        main(typed)
        said = "".join(capsys.readouterr())
        assert "\x1b[2J" not in said, typed
        lines = said.replace("\r", "\n").splitlines()
        assert not any(line.startswith("Sound: 99") for line in lines), typed


def test_a_match_of_an_unknown_game_keeps_nobody_from_the_others(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its house box is not here today."""
    me, setting = load_or_create(home), Setting(Rules.make("classic", 2, 6), 2, "9")
    monkeypatch.setattr(signed_table, "pack_options", lambda *_: b'{"edition":"house"}')
    first = signed_table._genesis(setting, [me, Identity.fresh()])
    path = write(home, Journal((first,)))
    path.with_suffix(SECRETS).touch()
    dated(path, 1_800_000_000)
    os.utime(path, (2_000_000_000, 2_000_000_000))
    assert unfinished(home)[0] == path
    assert stems(tuple(one.path for one in seating.unfinished(home))) == [1, 2, 3]
    assert main(["resume", "--ui", "plain"]) == Exit.REFUSED
    assert "version" in capsys.readouterr().err


def test_a_copy_is_written_once(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = home / "mine.citadels"
    assert main(["history", "--export", f"{0:032x}", str(target)]) == 0
    assert target.read_bytes()[:6] == b"SQLite"
    assert main(["history", "--export", f"{0:032x}", str(target)]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_deleting_asks_first(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = home / "matches" / f"{0:032x}.citadels"
    assert main(["history", "--delete", "1"]) == 2  # nobody is there to say yes
    for typed, is_left in (("", True), ("n", True), ("y", False)):
        monkeypatch.setattr("sys.stdin", Person(f"{typed}\n"))
        assert main(["history", "--delete", "1"]) == 0
        assert there.exists() is is_left
    assert "Delete Kitchen of 2023-11-" in capsys.readouterr().out


def test_what_may_go_on_is_not_deleted_before_it_was_put_away(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["history", "--delete", f"{1:032x}"]) == 2
    assert main(["history", "--put-away", f"{1:032x}"]) == 0
    monkeypatch.setattr("sys.stdin", Person("y\n"))
    assert main(["history", "--delete", f"{1:032x}"]) == 0
    assert (stems(unfinished(home)), away(home)) == ([2, 3], ())
