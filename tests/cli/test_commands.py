"""The command line as a person meets it: help, settings, exit codes, output for scripts."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from citadels_p2p import arena, match
from citadels_p2p.bots import LEVELS
from citadels_p2p.cards import EDITIONS
from citadels_p2p.contest import Bout, contest
from cli import i18n, settings
from cli.__main__ import main
from cli.commands import person
from cli.line import arguments
from cli.line.exits import Exit
from cli.line.parser import build
from cli.settings.friendly_names import friendly
from protocol.errors import BadProof, Impostor, LocalError, Unavailable
from protocol.identity.password import Password
from protocol.messages import Denied
from protocol.session.host_link import refused


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, and no wishes in the environment."""
    for setting in settings.TABLE:
        monkeypatch.delenv(setting.variable, raising=False)
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(("flags", "wanted"), [((), False), (("--take-over",), True)])
def test_a_match_is_taken_over_only_where_that_is_said(
    flags: tuple[str, ...], wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    async def resume(*_here: object, **given: object) -> None:
        asked.append(given["take_over"])
        raise Unavailable("nothing_unfinished")

    monkeypatch.setattr(match, "resume", resume)
    assert main(["resume", *flags, "--ui", "plain"]) == Exit.USAGE
    assert asked == [wanted]


def test_the_help_begins_with_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("examples:\n  citadels play")


def test_programs_must_name_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--ui", "json"]) == Exit.USAGE
    assert "citadels host" in capsys.readouterr().err


def test_every_command_helps_with_examples_first(capsys: pytest.CaptureFixture[str]) -> None:
    names = [
        "host",
        "join",
        "watch",
        "tables",
        "play",
        "rules",
        "verify",
        "simulate",
        "bench",
        "whoami",
    ]
    for name in names:
        with pytest.raises(SystemExit):
            build().parse_args([name, "--help"])
        shown = capsys.readouterr().out
        assert shown.startswith(f"examples:\n  citadels {name}")
        assert "--lang" in shown


def test_every_example_parses() -> None:
    import shlex

    parser = build()
    commands = parser._subparsers._group_actions[0].choices  # type: ignore[union-attr]
    for command in commands.values():  # type: ignore[union-attr]
        for example in command.examples:
            line = example.partition("   ")[0]
            assert parser.parse_args(shlex.split(line)[1:]).run


def test_help_imports_nothing_heavy() -> None:
    heavy = {"asyncio", "cryptography", "nacl", "zeroconf", "msgspec", "prompt_toolkit"}
    code = (
        "import sys; from cli.__main__ import main; main(['rules', 'library']);"
        f"print(sorted({heavy} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stderr.decode().strip() == "[]"


def test_whoever_interrupts_before_it_has_begun_sees_no_fault() -> None:
    """Ctrl-C while the first modules are still being imported."""
    code = (
        "import sys\n"
        "class Impatient:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'cli.line.parser': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Impatient())\n"
        "from cli.__main__ import main\n"
        "sys.exit(main([]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (Exit.INTERRUPTED, b"", b"")


def test_the_lobby_shows_itself_before_anything_of_a_match_is_imported() -> None:
    """Keys, proofs and the network come while its first frame stands already."""
    heavy = {"cryptography", "msgspec", "nacl", "openskill", "spake2", "sqlite3", "zeroconf"}
    heavy |= {"segno"}  # nor what draws codes
    first = ("cli.commands.lobby", "cli.screen.pages.lobby", "cli.screen.shell")
    code = f"import sys, {', '.join(first)}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[]"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == Exit.FINE
    assert capsys.readouterr().out.startswith("citadels-p2p ")


@pytest.mark.parametrize(
    "line",
    [
        ["dance"],
        ["host", "--port", "99999"],
        ["host", "--name", "x" * 25],
        ["host", "--name", "\x1b"],
        ["play", "--city", "5"],
        ["join", "--wait", "nan"],
        ["simulate", "--levels", "genius"],
        ["simulate", "--games", "0"],
        ["simulate", "--csv", "--json"],
        ["simulate", "--seats", "many"],
        ["play", "--lang", "xx"],
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(line: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == Exit.USAGE


def test_an_unknown_flag_is_answered_by_its_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for line, said in (
        (
            ["watch", "Friday", "--name", "Dora"],
            "citadels watch: unrecognized arguments: --name",
        ),
        (["--dance"], "citadels: unrecognized arguments: --dance"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(line)
        assert ended.value.code == Exit.USAGE
        err = capsys.readouterr().err.splitlines()
        assert err[0].startswith(said)
        assert err[1] == f"{said.partition(':')[0]} --help explains everything."
        assert len(err) == 2


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        (["hots"], "'host'"),
        (["play", "--edition", "clasic"], "'classic'"),
        (["play", "--sets", "4"], "--seats?"),
        (["play", "--characters", "asassin"], "asassin. Did you mean assassin?"),
        (["play", "--characters", "magistrate"], "Magistrate belongs to another edition: 2016"),
        (["play", "--uniques", "statu"], "statu. Did you mean statue?"),
        (["host", "--bots", "-1"], "--bots: a number from 0 on is needed"),
        (["play", "--seed", "x"], "--seed: a whole number is needed"),
        (["host", "--city", "x"], "--city: a whole number is needed"),
        (["rules", "assasin"], "assasin. Did you mean Assassin?"),
        (["rules", "great", "wal l"], "great wal l. Did you mean Great Wall?"),
    ],
)
def test_a_slip_is_named_and_guessed(
    line: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(line)
    except SystemExit as ended:
        code = int(ended.code or 0)
    assert code == Exit.USAGE
    assert meant in capsys.readouterr().err


def test_nothing_is_guessed_where_nothing_is_like_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "xyzzy"]) == Exit.USAGE
    said = capsys.readouterr().err
    assert "xyzzy" in said
    assert "mean" not in said


def test_a_name_may_be_said_before_a_command_and_without_one() -> None:
    assert build().parse_args(["--name", "Boris"]).name == "Boris"
    assert build().parse_args(["--name", "Boris", "host"]).name == "Boris"
    assert build().parse_args(["host", "--name", "Boris"]).name == "Boris"
    assert build().parse_args(["host"]).name is None


@pytest.mark.parametrize(
    "line",
    [
        ["play", "--seats", "9"],
        ["host", "--seats", "3", "--bots", "3"],
        ["rules", "xyzzy"],
        ["rules", "ma"],
        ["verify", "/nowhere/at/all"],
        ["play", "--debug", "/nowhere/at/all"],
        ["simulate", "--seats", "1"],
    ],
)
def test_what_is_not_possible_is_a_usage_error_too(
    line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line) == Exit.USAGE
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith("citadels: ")
    assert "Traceback" not in streams.err


def test_the_command_line_knows_the_editions_and_levels_that_there_are() -> None:
    assert set(arguments.EDITIONS) == set(EDITIONS)
    assert set(arguments.LEVELS) == set(LEVELS)


def test_rules_of_everything_and_of_one_card(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == Exit.FINE
    whole = capsys.readouterr().out
    assert "8  Warlord" in whole
    assert "2  Haunted Quarter, 1 card" in whole
    assert max(map(len, whole.splitlines())) <= 80
    assert main(["rules", "great", "wall"]) == Exit.FINE
    assert capsys.readouterr().out.startswith("Great Wall: a unique district, cost 6.")


def test_simulate_is_the_same_for_the_same_seed(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["simulate", "--games", "3", "--seats", "3", "--seed", "5", "--json"]
    outcomes = []
    for _ in range(2):
        assert main([*line, "--levels", "easy,normal"]) == Exit.FINE
        outcomes.append(json.loads(capsys.readouterr().out))
    first, second = outcomes
    assert first["digest"] == second["digest"]
    assert first["levels"] == ["easy", "normal", "easy"]
    assert sum(row["won"] for row in first["standings"]) == pytest.approx(1, abs=0.001)


@pytest.mark.parametrize("finished", [0, 2])
def test_a_contest_that_is_broken_off_tells_what_was_played(
    finished: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken_off(*given: Any) -> Iterator[Bout]:
        yield from islice(contest(*given), finished)
        raise KeyboardInterrupt

    monkeypatch.setattr("cli.commands.measure.contest", broken_off)
    line = ["simulate", "--games", "9", "--levels", "easy,normal", "--json"]
    assert main(line) == Exit.INTERRUPTED
    told = capsys.readouterr().out
    assert (json.loads(told)["games"] if told else 0) == finished


def test_games_that_are_broken_off_tell_what_was_played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken_off(*given: Any, **how: Any) -> Iterator[arena.Result]:
        yield from islice(played(*given, **how), 2)
        raise KeyboardInterrupt

    played = arena.simulate
    monkeypatch.setattr(arena, "simulate", broken_off)
    assert main(["simulate", "--games", "9", "--json"]) == Exit.INTERRUPTED
    assert json.loads(capsys.readouterr().out)["games"] == 2


@pytest.mark.parametrize(
    ("further", "columns", "rows"),
    [
        ([], "", 4),
        (["--check"], "", 4),
        (["--seats", "8", "--edition", "any"], ",edition", 8),
        (["--levels", "easy,normal"], ",seconds,slowest", 4),
    ],
)
def test_every_kind_of_simulation_makes_a_table(
    further: list[str], columns: str, rows: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", "--games", "1", "--csv", *further]) == Exit.FINE
    head, *table = capsys.readouterr().out.splitlines()
    assert head == "game,seat,level,points,won,rounds" + columns
    assert [row.split(",")[1] for row in table] == [str(seat + 1) for seat in range(rows)]


def test_a_time_to_think_that_nobody_takes_is_said_to_change_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for levels, said in (("easy,normal", True), ("easy", True), ("hard", False)):
        line = ["simulate", "--games", "1", "--seats", "2", "--think", "0"]
        assert main([*line, "--levels", levels]) == Exit.FINE
        assert ("--think changes nothing" in capsys.readouterr().err) == said


def test_simulate_draws_any_rules(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["simulate", "--games", "12", "--edition", "any", "--check"]
    assert main([*line, "--seats", "any", "--json"]) == Exit.FINE
    by_seats = json.loads(capsys.readouterr().out)["by_seats"]
    assert sum(row["games"] for row in by_seats.values()) == 12
    assert set(by_seats) <= set("2345678")
    assert main([*line, "--seats", "8"]) == Exit.FINE
    assert "8 seats, 12 games: " in capsys.readouterr().out


def test_simulate_says_which_rule_the_engine_breaks_and_in_which_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise AssertionError("gold was made")

    monkeypatch.setattr("citadels_p2p.arena.play", broken)
    line = ["simulate", "--games", "2", "--edition", "classic", "--seats", "2", "--seed", "7"]
    assert main([*line, "--check"]) == Exit.BUG
    said = capsys.readouterr().err
    assert "by seed 7 in game 0 with" in said
    assert "gold was made" in said


def test_simulate_shows_a_rule_that_has_no_sentence_as_it_stands_in_the_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("citadels_p2p.inspection.account", broken)
    line = ["simulate", "--games", "1", "--edition", "classic", "--seats", "2", "--check"]
    assert main(line) == Exit.BUG
    assert "raise AssertionError." in capsys.readouterr().err


@pytest.mark.parametrize(
    "further",
    [["--city", "7"], ["--preset", "first_game"], ["--draft", "deal"], ["--seats", "9"]],
)
def test_where_any_rules_are_drawn_nothing_else_is_chosen(
    further: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", "--edition", "any", *further]) == Exit.USAGE
    assert capsys.readouterr().err.startswith("citadels: ")


def test_whoami_keeps_one_identity_and_name(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = []
    for _ in range(2):
        assert main(["whoami", "--json"]) == Exit.FINE
        shown.append(json.loads(capsys.readouterr().out))
    assert shown[0] == shown[1]
    assert shown[0]["home"] == str(home)
    (home / "settings.toml").write_text('name = "Filed"\n')
    for expected, line in (("Filed", []), ("Flagged", ["--name", "Flagged"])):
        main(["whoami", "--json", *line])
        assert json.loads(capsys.readouterr().out)["name"] == expected
    monkeypatch.setenv("CITADELS_NAME", "Wished")
    main(["whoami", "--json"])
    assert json.loads(capsys.readouterr().out)["name"] == "Wished"


def test_a_damaged_identity_is_said_plainly(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "identity.pem").write_text("nonsense")
    assert main(["whoami"]) == Exit.USAGE
    assert "Your identity file is damaged." in capsys.readouterr().err


def test_a_bug_ends_in_a_short_message_and_a_report_if_wanted(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(options: object) -> int:
        raise RuntimeError("inner detail")

    monkeypatch.setattr("cli.commands.whoami.whoami", broken)
    assert main(["whoami"]) == Exit.BUG
    said = capsys.readouterr().err
    assert "RuntimeError" in said
    assert "--debug" in said
    assert "inner detail" not in said


@pytest.mark.parametrize("short", [MemoryError(), RuntimeError("can't start new thread")])
def test_a_laptop_without_memory_is_told_so(
    short: Exception,
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def starved(options: object) -> int:
        raise short

    monkeypatch.setattr("cli.commands.whoami.whoami", starved)
    assert main(["whoami"]) == Exit.USAGE
    said = capsys.readouterr().err
    assert "no memory left" in said
    assert "fault" not in said


def test_exit_codes_of_failures() -> None:
    assert person.exit_for(Unavailable("not_found")) == Exit.NOBODY
    assert person.exit_for(Unavailable("full")) == Exit.REFUSED
    assert person.exit_for(Unavailable("port_busy")) == Exit.USAGE
    assert person.exit_for(Unavailable("disk_full")) == Exit.USAGE
    assert person.exit_for(Unavailable("no_memory")) == Exit.USAGE
    assert person.exit_for(Impostor("other key")) == Exit.REFUSED
    assert person.exit_for(BadProof("bad share")) == Exit.FAULT
    assert person.exit_for(LocalError("ours")) == Exit.BUG


@pytest.mark.parametrize("hint", ["not_found", "no_route", "refused"])
@pytest.mark.parametrize("system", ["Darwin", "Linux", "Windows"])
def test_a_mac_may_keep_a_program_from_the_network(
    hint: str, system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nobody was found, its person reads what to allow."""
    monkeypatch.setattr(person.platform, "system", lambda: system)
    told = " ".join(person.details(Unavailable(hint)))
    assert ("Local Network" in told) == (system == "Darwin" and hint != "refused")


def test_a_hosts_own_no_is_told_by_its_sentence_alone() -> None:
    """Nothing in English stands below it for programmers."""
    assert person.details(refused(Denied("locked"))) == ()


def test_friendly_names_are_stable() -> None:
    assert friendly(b"key") == friendly(b"key")
    assert len({friendly(bytes([n])) for n in range(40)}) > 20


def test_the_language_is_found_in_the_environment() -> None:
    assert i18n.preferred({"LANG": "en_GB.UTF-8"}) == "en"
    assert i18n.preferred({"LANG": "xx_YY"}) == "en"


def test_home_comes_from_the_environment_or_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings.home_folder({"CITADELS_HOME": "/here"}) == Path("/here")
    assert settings.home_folder({}).name == "citadels-p2p"


def test_identity_and_matches_move_to_another_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = iter(["nine bridges", "eight bridges", "nine bridges", "nine bridges"])

    def typed(**_: object) -> Password:
        return Password(next(words))

    monkeypatch.setattr("cli.commands.passwords.ask", typed)
    file = str(tmp_path / "me.luggage")

    def at(home: str, *line: str) -> tuple[int, str]:
        monkeypatch.setenv("CITADELS_HOME", str(tmp_path / home))
        code = main(["whoami", *line])
        out = capsys.readouterr()
        return code, out.out + out.err

    assert at("old", "--export", file)[0] == Exit.FINE
    old = at("old")[1].splitlines()[1]
    assert at("new", "--import", file) == (
        Exit.USAGE,
        "citadels: That is not the password of this file.\n",
    )
    assert at("new", "--import", file)[0] == Exit.FINE
    assert at("new")[1].splitlines()[1] == old
    assert at("other")[1].splitlines()[1] != old
    code, told = at("other", "--import", file)
    assert code == Exit.USAGE
    assert "Another identity" in told


PRINTING = (
    ["--version"],
    ["--help"],
    ["rules"],
    ["rules", "--json"],
    ["tables", "--json", "--wait", "0.1", "--interface", "127.0.0.1"],
    ["share", "--json"],
    ["play", "--ui", "plain"],
    ["play", "--ui", "json"],
    ["history"],
    ["simulate", "--seats", "2", "--games", "1", "--csv"],
    ["whoami", "--json"],
    ["settings"],
    ["completion", "bash"],
)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
def test_standard_output_that_fails_is_named(
    words: list[str], unbuffered: str, tmp_path: Path
) -> None:
    """A disk that is full, say; here a file that may only be read."""
    (tmp_path / "sink").touch()
    with (tmp_path / "sink").open() as sink:
        ran = subprocess.run(
            [sys.executable, "-m", "cli", "--lang", "en", *words],
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            text=True,
            check=False,
        )
    if ran.returncode == Exit.NOBODY:
        pytest.skip(ran.stderr)  # nothing is shared where there is no network
    assert ran.stderr.startswith("citadels: standard output cannot be written: ")
    assert ran.stderr.count("\n") == 1
    assert ran.returncode == Exit.UNWRITTEN


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such redirection")
@pytest.mark.parametrize(
    ("typed", "code", "said"),
    [
        ("play --ui plain --seed 1 <&-", Exit.FINE, "Citadels."),
        ("play --ui json --seed 1 <&-", Exit.FINE, '{"'),
        ("whoami --export mine <&-", Exit.USAGE, ""),
        ("no-such-command 2>&-", Exit.USAGE, ""),
        ("verify nothing 2>&-", Exit.USAGE, ""),
        ("verify nothing <&- >&- 2>&-", Exit.USAGE, ""),
    ],
)
def test_whatever_somebody_closed_is_there_and_empty(
    typed: str, code: int, said: str, tmp_path: Path
) -> None:
    """As programs that start us in the background do. What belongs on standard error does not
    go to standard output, which a program may read.
    """
    line = f"{shlex.quote(sys.executable)} -m cli {typed}"
    home = {**os.environ, "CITADELS_HOME": str(tmp_path)}
    ran = subprocess.run(["/bin/sh", "-c", line], capture_output=True, check=False, env=home)
    assert ran.stdout.decode()[: len(said) or None] == said
    assert b"fault in the program" not in ran.stderr
    assert ran.returncode == code


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such redirection")
def test_standard_output_that_somebody_closed_is_not_wanted() -> None:
    closed = f"{shlex.quote(sys.executable)} -m cli rules >&-"
    ran = subprocess.run(["/bin/sh", "-c", closed], capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (Exit.FINE, b"")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [(["help"], ["--help"]), (["help", "play"], ["play", "--help"]), (["-V"], ["--version"])],
)
def test_what_other_programs_understand_is_understood(
    typed: list[str], meant: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    def said(words: list[str]) -> tuple[object, str]:
        try:
            code: object = main(words)
        except SystemExit as left:
            code = left.code
        return code, capfd.readouterr().out

    assert said(typed) == said(meant)
    assert said(typed)[0] == Exit.FINE


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["play", "--seat", "4"], "--seats"),
        (["simulate", "--gam=3"], "--games"),
        (["--vers"], "--version"),
    ],
)
def test_an_abbreviated_flag_is_refused_by_its_whole_name(
    typed: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(typed)
    assert refused.value.code == Exit.USAGE
    assert f"Did you mean {meant}?" in capsys.readouterr().err
