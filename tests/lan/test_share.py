"""A laptop with nothing but Python, on a network without a way out, gets the program."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.lan.lab import Lab, Talk

pytestmark = pytest.mark.lan

#: the interpreter below our environment: none of what the program stands on is installed there
BARE = Path(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
MATCH_SECONDS = 120.0


@pytest.fixture
def lab() -> Iterator[Lab]:
    with Lab(machines=3) as built:
        yield built


def share(lab: Lab, machine: int, home: Path, *flags: str) -> tuple[Talk, dict[str, object]]:
    """Share in a machine; the talk and its first line."""
    environment = {"CITADELS_HOME": str(home / f"host{machine}")}
    command = (sys.executable, "-m", "cli", "share", "--json", *flags)
    talk = lab.talk(machine, *command, env=environment)
    told: dict[str, object] = json.loads(talk.line())
    assert told["type"] == "sharing"
    return talk, told


def bare(home: Path) -> list[str]:
    """What begins the command line of a laptop that has Python and nothing else."""
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "python3").symlink_to(BARE)
    path = f"{home / 'bin'}:/usr/bin:/bin"
    return ["env", "-i", f"HOME={home}", f"PATH={path}", "LANG=en_GB.UTF-8"]


def got(lab: Lab, machine: int, home: Path, rows: Sequence[str], *environment: str) -> Talk:
    """Type rows into a terminal of a machine."""
    talk = lab.talk(machine, *bare(home), *environment, "sh", "-c", "exec sh 2>&1")
    for row in (*rows, "exit $?"):
        talk.say(row)
    return talk


def rows_of(told: dict[str, object]) -> list[str]:
    """What the sharer's program has a guest with Linux type at its first address."""
    addresses, rows = told["addresses"], told["rows"]
    assert isinstance(addresses, list)
    assert isinstance(rows, dict)
    typed: list[str] = rows[addresses[0]]["linux"]
    return typed


def screen(lab: Lab, machine: int, home: Path) -> Talk:
    """Share in a machine as a person does, until its last row stands there."""
    environment = {"CITADELS_HOME": str(home / f"host{machine}"), "CITADELS_LANG": "en"}
    talk = lab.talk(machine, sys.executable, "-m", "cli", "share", env=environment)
    talk.line(lambda said: "Ctrl-C ends it" in said)
    return talk


def page(lab: Lab, machine: int, url: str) -> str:
    """What a browser would show, and as a terminal shows it."""
    return html.unescape(lab.run(machine, "curl", "-sS", "--noproxy", "*", url).stdout)


def citadels(lab: Lab, machine: int, home: Path, *arguments: str) -> Talk:
    """Run the program that was got, from a folder where there is no other."""
    environment = [*bare(home / "again"), "sh", "-c", 'cd / && exec "$0" "$@"']
    environment[2] = f"HOME={home}"
    return lab.talk(machine, *environment, str(home / "citadels" / "citadels"), *arguments)


def hear(talk: Talk, kind: str, seconds: float = 60.0) -> dict[str, object]:
    found: dict[str, object] = json.loads(
        talk.line(lambda said: json.loads(said)["type"] == kind, seconds)
    )
    return found


def test_a_whole_match_by_who_had_nothing_while_somebody_is_greedy(
    lab: Lab, tmp_path: Path
) -> None:
    """The sharer's laptop hosts; the guest gets the program from it, and has two minutes."""
    sharing, told = share(lab, 0, tmp_path)
    route = lab.run(1, "ip", "route", "get", "192.0.2.1")
    assert route.returncode != 0, "there is a way out of this network"
    began = time.monotonic()
    home = tmp_path / "guest"
    fetching = got(lab, 1, home, rows_of(told))
    fetching.line(lambda said: "Start it with:" in said)
    assert fetching.end() == 0

    addresses = told["addresses"]
    assert isinstance(addresses, list)
    port = str(addresses[0]).rstrip("/").rpartition(":")[2]
    files = told["files"]
    assert isinstance(files, dict)
    large = "/" + max(files, key=lambda name: int(files[name]))
    command = (sys.executable, "-m", "tests.lan.greedy", lab.address(0), port, large)
    greedy = lab.talk(2, *command)

    host = lab.talk(
        0,
        *(sys.executable, "-m", "cli", "host", "Attic", "--seats", "2", "--bots", "1"),
        *("--city", "6", "--no-seat", "--start-when-full", "--ui", "json"),
        env={"CITADELS_HOME": str(tmp_path / "table")},
    )
    hear(host, "table")
    join = ("join", "Attic", "--name", "Bert", "--bot", "easy", "--ui", "json")
    guest = citadels(lab, 1, home, *join)
    hear(guest, "table")
    guest.say('{"do": "ready"}')
    overs = [hear(talk, "over", MATCH_SECONDS) for talk in (host, guest)]
    took = time.monotonic() - began
    assert overs[0]["digest"] == overs[1]["digest"]
    assert took < MATCH_SECONDS
    for talk in (guest, host):
        talk.say('{"do": "leave"}')
        assert hear(talk, "bye")["code"] == 0

    tried = json.loads(greedy.line())
    assert tried["outside"] == ["HTTP/1.1 404 Not Found"]
    assert tried["huge"] < 1000
    assert tried["turned away"] >= 30
    assert sharing.process.poll() is None
    first = json.loads(sharing.line())
    assert first == {"type": "taken", "by": lab.address(1), "what": "/go"}


def test_a_guest_types_what_stands_on_the_sharers_screen(lab: Lab, tmp_path: Path) -> None:
    """Nothing but the page and that screen: one slips, one has a proxy and wget alone."""
    shown = screen(lab, 0, tmp_path)
    url = next(row.strip() for row in shown.said if row.startswith("  http://"))
    told = page(lab, 1, url)
    assert "place of CODE" in told
    blocks = [block.split("\n") for block in re.findall("(?s)<pre>(.*?)</pre>", told)]
    beginning = shown.said.index("Linux:") + 1
    rows = [row.strip() for row in shown.said[beginning : beginning + 3]]
    code = shown.said[beginning + 3].partition(": ")[2].replace(" ", "")
    assert [row.replace("CODE", code) for row in blocks[-1]] == rows

    slip = got(lab, 1, tmp_path / "slip", [row.replace(code, code[::-1]) for row in rows])
    assert slip.end() in (2, 127), "no such file"
    assert [path.name for path in (tmp_path / "slip").iterdir()] == ["bin"]
    asks = shown.line()
    assert asks == f"{lab.address(1)} asks for the list; next its own laptop compares the code."

    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "env", "mktemp", "mv", "rm", "cut", "uname", "wget", "sha256sum"):
        (tools / tool).symlink_to(str(shutil.which(tool)))
    home = tmp_path / "guest"
    proxy = "http://127.0.0.1:9"
    told_so = (f"http_proxy={proxy}", f"all_proxy={proxy}", f"PATH={home / 'bin'}:{tools}")
    guest = got(lab, 2, home, rows, *told_so)
    guest.line(lambda said: "Start it with:" in said)
    assert guest.end() == 0
    taken = [shown.line(), shown.line()]
    assert taken[1] == f"{lab.address(2)} takes the program."
    assert citadels(lab, 2, home, "--version").line().startswith("citadels-p2p")


def test_https_is_refused_at_once_and_the_screen_says_why(lab: Lab, tmp_path: Path) -> None:
    shown = screen(lab, 0, tmp_path)
    url = next(row.strip() for row in shown.said if row.startswith("  http://"))
    secure = url.replace("http:", "https:")
    asked = lab.run(1, "curl", "-sSk", "--max-time", "60", "--noproxy", "*", secure)
    assert "alert" in asked.stderr, asked.stderr
    assert shown.line().startswith(f"{lab.address(1)} asks by https:// here.")


def test_what_no_browser_opens_is_not_shown(lab: Lab, tmp_path: Path) -> None:
    """Link-local addresses of IPv6 need a zone, which is another one on each laptop."""
    for machine in range(2):
        lab.run(machine, "ip", "-4", "address", "flush", "scope", "global")
        while lab.run(machine, "ip", "-6", "address", "show", "tentative").stdout:
            pass  # the system looks for a moment whether an address is anybody else's
    share = ("env", f"CITADELS_HOME={tmp_path}", sys.executable, "-m", "cli", "share")
    refused = lab.run(0, *share)
    assert refused.returncode == 3
    assert "http" not in refused.stdout
    assert "IPv4" in refused.stderr

    for machine in range(2):
        address = f"169.254.7.{machine + 1}/16"
        lab.run(machine, "ip", "address", "add", address, "dev", "wlan0")
    shown = screen(lab, 0, tmp_path)
    urls = [row.strip() for row in shown.said if row.startswith("  http://")]
    assert [url.partition(":24")[0] for url in urls] == ["http://169.254.7.1"]
    assert "place of CODE" in page(lab, 1, urls[0])


def test_a_laptop_without_a_network_shares_nothing(lab: Lab, tmp_path: Path) -> None:
    lab.unplug(0)
    share = ("env", f"CITADELS_HOME={tmp_path}", sys.executable, "-m", "cli", "share")
    refused = lab.run(0, *share)
    assert (refused.returncode, refused.stdout) == (3, "")
    assert "no network" in refused.stderr


def test_a_second_share_is_told_its_own_address(lab: Lab, tmp_path: Path) -> None:
    _first, told = share(lab, 0, tmp_path)
    _second, again = share(lab, 0, tmp_path / "second")
    assert told["addresses"] != again["addresses"]
    port = str(told["addresses"]).rpartition(":")[2].strip("/']")
    refused = lab.run(
        0, "env", f"CITADELS_HOME={tmp_path / 'third'}", sys.executable, "-m", "cli", "share",
        "--port", port,
    )  # fmt: skip
    assert refused.returncode == 2
    assert "port is taken" in refused.stderr


def test_eight_at_once(tmp_path: Path) -> None:
    with Lab(machines=9) as room:
        _sharing, told = share(room, 0, tmp_path)
        homes = [tmp_path / f"guest{machine}" for machine in range(1, 9)]
        talks = [
            got(room, machine, home, rows_of(told)) for machine, home in enumerate(homes, 1)
        ]
        for talk in talks:
            talk.line(lambda said: "Start it with:" in said, MATCH_SECONDS)
            assert talk.end() == 0
        last = citadels(room, 8, homes[-1], "--version")
        last.line(lambda said: "citadels-p2p" in said)
        kept = {
            tuple(sorted(path.name for path in (home / "citadels/lib").iterdir()))
            for home in homes
        }
        assert len(kept) == 1


def test_ctrl_c_ends_it(lab: Lab, tmp_path: Path) -> None:
    sharing, told = share(lab, 0, tmp_path)
    addresses = told["addresses"]
    assert isinstance(addresses, list)
    sharing.process.send_signal(2)
    assert sharing.process.wait(20) == 130
    asked = lab.run(
        1, sys.executable, "-c", f"import urllib.request as u;u.urlopen({addresses[0]!r})"
    )
    assert "Connection refused" in asked.stderr
