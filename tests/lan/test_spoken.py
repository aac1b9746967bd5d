"""A network that carries no multicast: nothing is found there, and words are enough to join."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli import i18n
from cli.line.exits import Exit
from cli.text.spoken import meant, told
from protocol.session.spoken_exchange import TRIES
from protocol.wire.spoken_code import SpokenCode
from tests.lan.lab import Lab, Talk
from tests.lan.test_whole_match import CITADELS, hear, sit_down

pytestmark = pytest.mark.lan

HOST, GUEST, MALLORY = range(3)


@pytest.fixture
def lab() -> Iterator[Lab]:
    with Lab(machines=3) as built:
        built.filter("ip daddr 224.0.0.0/4 drop", "ip6 daddr ff00::/8 drop")
        yield built


def opened(lab: Lab, machine: int, home: Path, *flags: str) -> tuple[Talk, SpokenCode]:
    """A table, and what its host may say."""
    host = sit_down(lab, machine, home, "host", "Attic", "--seats", "3", "--bots", "1", *flags)
    return host, said(hear(host, "table"))


def said(table: dict[str, object]) -> SpokenCode:
    code = meant(str(table["spoken"]))
    assert code is not None
    return code


def wrong(code: SpokenCode) -> str:
    """A code whose check holds, and whose secret is not the host's."""
    first, second = code.secret
    return told(replace(code, secret=(first, (second + 1) % 256)))


def join(lab: Lab, home: Path, target: str) -> subprocess.CompletedProcess[str]:
    place = f"CITADELS_HOME={home / str(GUEST)}"
    command = (*CITADELS, "join", target, "--wait", "1", "--ui", "json")
    return lab.run(GUEST, "env", place, "CITADELS_LANG=en", *command)


def reason(done: subprocess.CompletedProcess[str]) -> str:
    return str(json.loads(done.stdout.splitlines()[-1])["reason"])


def test_a_table_that_nobody_finds_is_joined_by_words_and_the_match_begins(
    lab: Lab, tmp_path: Path
) -> None:
    anna, code = opened(lab, HOST, tmp_path, "--name", "Anna", "--start-when-full")
    assert code.numbers == (77, 0, 10)
    assert reason(join(lab, tmp_path, "Attic")) == "not_found"
    with i18n.speaking("uk"):
        target = told(code).replace("-", " ").upper()  # as somebody types it
    guest = sit_down(lab, GUEST, tmp_path, "join", target, "--name", "Bert")
    assert hear(guest, "table")["host"] == "Anna"
    guest.say('{"do": "ready"}')
    for talk in (anna, guest):
        hear(talk, "state")


def test_whoever_answers_in_the_hosts_place_is_not_believed(lab: Lab, tmp_path: Path) -> None:
    """Mallory has Anna's address, port and table's name, and not her words."""
    anna, code = opened(lab, HOST, tmp_path)
    anna.kill()
    lab.switch_off(HOST)
    lab.readdress(MALLORY, lab.address(HOST))
    mallory, forged = opened(lab, MALLORY, tmp_path)
    assert forged.numbers == code.numbers
    done = join(lab, tmp_path, told(code))
    assert (done.returncode, reason(done)) == (Exit.REFUSED, "not_spoken")
    mallory.say('{"do": "leave"}')
    hear(mallory, "bye")
    assert not any('"Bert"' in line for line in mallory.said)


def test_words_that_are_guessed_at_are_soon_others(lab: Lab, tmp_path: Path) -> None:
    anna, code = opened(lab, HOST, tmp_path)
    slip = told(code).replace("-0-10-", "-0-11-")
    assert join(lab, tmp_path, slip).returncode == Exit.USAGE  # nobody is asked
    for _ in range(TRIES):
        assert reason(join(lab, tmp_path, wrong(code))) == "not_spoken"
    fresh = said(hear(anna, "table"))
    assert fresh.secret != code.secret
    assert hear(anna, "notice")["code"] == "code_guessed"
    guest = sit_down(lab, GUEST, tmp_path, "join", told(fresh), "--name", "Bert")
    hear(guest, "table")
