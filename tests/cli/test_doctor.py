"""`citadels doctor`: what is around the program, in words, with what to do about it."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from cli.__main__ import main
from cli.commands import doctor, surroundings
from cli.line.exits import Exit
from cli.text import findings as text
from protocol.tools.findings import Finding

ROOT = Path(__file__).parent.parent.parent
LOOKING = (
    "protocol/tools/network_check.py",
    "protocol/tools/disk_check.py",
    "cli/commands/surroundings.py",
)
NFT = """table inet filter {
    chain input {
        type filter hook input priority filter; policy drop;
    }
}"""


def firewall(
    system: str, files: Mapping[str, str] = {}, programs: Mapping[str, str] = {}
) -> list[str]:
    def run(command: Sequence[str]) -> str | None:
        return programs.get(Path(command[0]).name)

    return [found.code for found in surroundings.check_firewall(system, files.get, run)]


def test_firewalls_are_known_by_their_own_words() -> None:
    assert firewall("Linux", {"/etc/ufw/ufw.conf": "ENABLED=yes\n"}) == ["firewall_ufw"]
    assert firewall("Linux", {"/etc/ufw/ufw.conf": "ENABLED=no\n"}) == ["firewall_none"]
    assert firewall("Linux", {}, {"firewall-cmd": "running\n"}) == ["firewall_firewalld"]
    assert firewall("Linux", {}, {"firewall-cmd": "not running\n"}) == ["firewall_none"]
    assert firewall("Linux", {}, {"nft": NFT}) == ["firewall_nft"]
    assert firewall("Linux", {}, {"nft": NFT.replace("drop", "accept")}) == ["firewall_none"]
    for said, code in (
        ("Firewall is disabled. (State = 0)", "firewall_none"),
        ("Firewall is enabled. (State = 1)", "firewall_macos"),
        (
            "Firewall is blocking all non-essential incoming connections. (State = 2)",
            "firewall_macos_all",
        ),
        ("usage: socketfilterfw [-d]", "firewall_none"),
    ):
        assert firewall("Darwin", {}, {"socketfilterfw": said}) == [code]
    assert firewall("Plan 9") == ["firewall_none"]


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({}, "firewall_none"),
        ({"Services.*StandardProfile": "0x1"}, "firewall_windows"),
        ({"Services.*PublicProfile": "0x1"}, "firewall_windows"),
        ({"Services.*PublicProfile": "0x00000001"}, "firewall_windows"),
        ({"Services.*DomainProfile": "0x1"}, "firewall_none"),
        ({"Services": "0x0"}, "firewall_none"),
        ({"Services": "0x1", "Policies": "0x0"}, "firewall_none"),
        ({"Services": "0x0", "Policies.*PublicProfile": "0x1"}, "firewall_windows"),
    ],
)
@pytest.mark.parametrize("missing", ["ERROR: …", "ОШИБКА: Не удаётся найти", ""])
def test_windows_firewall_is_read_by_its_values(
    values: Mapping[str, str], code: str, missing: str
) -> None:
    """In whatever language the system speaks."""

    def run(command: Sequence[str]) -> str | None:
        assert command[:2] == ("reg", "query")
        for place, value in values.items():
            if re.search(place, command[2]):
                return f"\r\n{command[2]}\r\n    EnableFirewall    REG_DWORD    {value}\r\n\r\n"
        return missing or None

    (found,) = surroundings.check_firewall("Windows", {}.get, run)
    assert found.code == code
    if code == "firewall_windows":
        assert f'program="{sys.executable}"' in text.advice(found)


def test_a_program_that_is_missing_says_nothing() -> None:
    assert surroundings.run_quietly(("no-such-program-anywhere",)) is None
    assert surroundings.read_text("/no/such/file") is None


@pytest.mark.parametrize(
    ("columns", "rows", "code"),
    [
        (59, 40, "terminal_small"),
        (80, 17, "terminal_small"),
        (60, 18, "terminal_size"),
        (119, 40, "terminal_size"),
        (120, 36, "terminal_roomy"),
    ],
)
def test_the_size_of_the_terminal(columns: int, rows: int, code: str) -> None:
    assert surroundings.size_of(columns, rows).code == code


def test_colours_and_letters() -> None:
    for environment, code in (
        ({"TERM": "xterm", "NO_COLOR": "1"}, "colours_unwanted"),
        ({"TERM": "dumb"}, "terminal_dumb"),
        ({"TERM": "xterm-256color"}, "colours_many"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "colours_many"),
        ({"TERM": "linux"}, "colours_few"),
        ({}, "colours_many" if os.name == "nt" else "terminal_dumb"),
    ):
        assert surroundings.colours(environment).code == code
    assert surroundings.letters("utf-8").code == "letters_all"
    assert surroundings.letters("latin-1").code == "letters_few"
    assert surroundings.letters("no-such-encoding").code == "letters_few"


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are a thing of POSIX")
@pytest.mark.parametrize(
    ("answer", "width"), [(b"\x1b[5;7R", 6), (b"\x1b[1;13R", 12), (b"", None), (b"xR", None)]
)
def test_a_terminal_is_asked_how_wide_it_draws(answer: bytes, width: int | None) -> None:
    import pty

    ours, theirs = pty.openpty()

    def terminal() -> None:
        asked = b""
        while not asked.endswith(b"\x1b[6n"):
            asked += os.read(ours, 100)
        os.write(ours, answer)

    drawing = threading.Thread(target=terminal)
    drawing.start()
    try:
        assert surroundings.measured_width(surroundings.DOUBTFUL, theirs, theirs) == width
    finally:
        drawing.join()
        os.close(theirs)
        os.close(ours)


def test_letters_that_are_wider_than_reckoned_are_told() -> None:
    assert surroundings.widths(len(surroundings.DOUBTFUL)).verdict == "ok"
    assert surroundings.widths(2 * len(surroundings.DOUBTFUL)).verdict == "warn"


def test_a_shell_that_lets_a_program_have_few_addresses() -> None:
    """With 250 to 300 MB a library ended the program by SIGABRT, now and then."""
    assert surroundings.check_memory(None) == []
    assert surroundings.check_memory(2 << 30) == []
    [few] = surroundings.check_memory(300 << 20)
    assert "300 MB" in text.found(few)
    assert "ulimit" in text.advice(few)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sets no such limit")
def test_the_limit_is_said_before_one_sits_down(tmp_path: Path) -> None:
    limited = 'ulimit -v 700000 && exec "$@"'
    words = [sys.executable, "-m", "cli", "join", "--name", "Ann", "192.0.2.1x"]
    told = subprocess.run(
        ["sh", "-c", limited, "sh", *words],
        env={**os.environ, "CITADELS_HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "683 MB of addresses" in told.stderr


def test_a_clock_that_was_set_back(tmp_path: Path) -> None:
    now = max(path.stat().st_mtime for path in (ROOT / "cli").rglob("*.py"))
    assert surroundings.check_clock(tmp_path, now)[0].code == "clock_plausible"
    assert surroundings.check_clock(tmp_path, now - 400 * 86_400)[0].code == "clock_behind"
    (tmp_path / "matches").mkdir()
    future = tmp_path / "matches" / "x.citadels"
    future.write_text("")
    os.utime(future, (now + 9 * 86_400,) * 2)
    assert surroundings.check_clock(tmp_path, now)[0].code == "clock_behind"


def constants(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_whatever_is_found_has_its_sentence_and_nothing_is_invented() -> None:
    used = set().union(*(constants(ROOT / path) for path in LOOKING))
    elsewhere = {"no_interface", "no_multicast", "mdns_busy", "no_address", "no_tls"}
    assert set(text.FOUND) - used == elsewhere | {"old_libsodium"}
    assert set(text.ADVICE) <= set(text.FOUND)
    fields = dict.fromkeys(
        ("interface", "addresses", "address", "path", "why", "now", "newest", "encoding"), "x"
    )
    numbers = dict.fromkeys(("port", "megabytes", "ms", "count", "columns", "rows"), 3)
    for code in text.FOUND:
        sentence = text.found(Finding("disk", "ok", code, {**fields, **numbers}))
        assert sentence.endswith(".") or code == "interface" or code == "private_network"
        assert "{" not in sentence
    for path in LOOKING:
        for check in re.findall(r'Finding\(\s*"(\w+)"', (ROOT / path).read_text("utf-8")):
            assert text.check_name(check)


def test_every_bad_finding_says_what_to_do() -> None:
    for path in LOOKING:
        source = (ROOT / path).read_text(encoding="utf-8")
        for code in re.findall(r'"(?:bad|warn)", "(\w+)"', source):
            assert text.ADVICE[code]


@pytest.mark.parametrize(
    ("bad", "code"),
    [((), Exit.FINE), (("multicast",), Exit.NOBODY), (("multicast", "disk"), Exit.BUG)],
)
def test_the_exit_code_tells_the_network_from_the_rest(
    bad: tuple[str, ...], code: Exit
) -> None:
    told = [Finding("clock", "warn", "clock_behind"), Finding("ports", "ok", "reachable")]
    told += [Finding(check, "bad", "x") for check in bad]
    assert doctor.exit_for(told) == code


def test_the_whole_look_in_words_and_for_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    code = main(["doctor", "--json", "--interface", "lo"])
    told = json.loads(capsys.readouterr().out)
    assert {one["check"] for one in told["findings"]} >= {"network", "disk", "clock"}
    assert told["verdict"] == "bad"  # the loopback alone is no network
    assert code == Exit.NOBODY
    assert main(["doctor", "--interface", "lo"]) == Exit.NOBODY
    shown = capsys.readouterr().out
    assert "This laptop is on no network." in shown
    assert "Join a network:" in shown
    assert main(["doctor", "--interface", "nowhere0"]) == Exit.NOBODY
    assert "There is no network interface nowhere0." in capsys.readouterr().out
