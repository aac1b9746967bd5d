"""A host plays twice: it copies its folder, goes on with one guest while the other's cable is
out, puts the copy back and goes on with the other one. Nobody changes what a program says.

The real command in real processes. The host notes how its own shuffles went, as anybody can.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from protocol.cards.group import Edwards25519
from protocol.journal.accusation import is_accusation
from protocol.journal.chain import check_journal
from protocol.storage.match_files import read_journal
from tests.lan.lab import Lab, Talk
from tests.lan.test_host_gone import notice
from tests.lan.test_whole_match import CITADELS, MATCH_SECONDS, hear, sit_down
from tests.match.histories import Orders, Said, leaks_of, look_at

pytestmark = pytest.mark.lan

ANNA, BERT, CARLA = range(3)
GAME = ("--seats", "3", "--bots", "1", "--city", "8", "--no-seat", "--away", "3")

ROUNDS = 1
"""More that are played in each history: two normal bots need four or five in all."""

LINKS = 20
"""Connections that two begin who meet, until they have come to an end. Each looks for the other
at once, by several ways; two that flap begin some each second, and come to none.
"""


@pytest.fixture
def lab() -> Iterator[Lab]:
    with Lab(machines=3) as built:
        yield built


def hosts(lab: Lab, home: Path, *arguments: str) -> Talk:
    place, orders = str(home / str(ANNA)), str(home / "orders")
    return lab.talk(
        ANNA,
        *(sys.executable, "-m", "tests.lan.changed", *arguments, "--ui", "json"),
        env={"CITADELS_HOME": place, "CHANGED_ORDERS": orders},
    )


def plays_on(guest: Talk, without: str) -> None:
    """Some rounds, in which somebody is away."""
    while notice(guest, "away")["name"] != without:
        pass
    rounds = [int(str(hear(guest, "state")["round"]))]
    while rounds[-1] < rounds[0] + ROUNDS:
        rounds.append(int(str(hear(guest, "state")["round"])))


def plays_out(guest: Talk, _without: str) -> None:
    """To the last score, and until it has said goodbye."""
    hear(guest, "over", MATCH_SECONDS)
    guest.say('{"do": "leave"}')
    hear(guest, "bye")


def parts(
    lab: Lab, tmp_path: Path, goes_on: Callable[[Talk, str], None] = plays_on
) -> tuple[Talk, Talk, Talk]:
    """Anna has gone on with Bert, and goes on with Carla now; Bert's cable is out."""
    anna = hosts(lab, tmp_path, "host", "Attic", "--name", "Anna", *GAME, "--start-when-full")
    hear(anna, "table")
    bert, carla = (
        sit_down(lab, machine, tmp_path, "join", "Attic", "--name", name, "--bot", "normal")
        for machine, name in ((BERT, "Bert"), (CARLA, "Carla"))
    )
    for guest in (bert, carla):
        hear(guest, "table")
    for guest in (bert, carla):
        guest.say('{"do": "ready"}')
    for guest in (bert, carla):
        hear(guest, "state")
    folder, copy = tmp_path / str(ANNA), tmp_path / "copy"
    anna.pause()
    shutil.copytree(folder, copy)
    lab.cut(CARLA)
    anna.resume()
    goes_on(bert, "Carla")
    anna.kill()
    lab.cut(BERT)
    lab.mend(CARLA)
    shutil.rmtree(folder)
    copy.rename(folder)
    anna = hosts(lab, tmp_path, "resume", "Attic")
    plays_on(carla, "Bert")
    return anna, bert, carla


def journals(home: Path) -> list[Path]:
    """Bert's and Carla's."""
    return [
        next((home / str(machine) / "matches").glob("*.citadels")) for machine in (BERT, CARLA)
    ]


def what_anna_reads(home: Path) -> list[tuple[int, int, str]]:
    """Closed cards of either history that she reads with what she has seen in both."""
    orders: Orders = {}
    for line in (home / "orders").read_text(encoding="ascii").splitlines():
        step, *order = line.split()
        orders[bytes.fromhex(step)] = ANNA, tuple(map(int, order))
    looks = []
    for path in journals(home):
        chain = check_journal(read_journal(path))
        said = [
            Said(one.seq, one.author, one.body)
            for one in chain.entries[1:]
            if one.election is None and not is_accusation(one.body)
        ]
        looks.append(look_at(chain.genesis, said, orders, Edwards25519()))
    return [*leaks_of(looks, [ANNA])]


def suspects(talk: Talk) -> set[tuple[str, str]]:
    """Whom its person was told about, and why."""
    told = [json.loads(line) for line in talk.said]
    return {(one["name"], one["why"]) for one in told if one.get("code") == "suspected"}


def come_to_an_end(lab: Lab, bert: Talk, carla: Talk, home: Path) -> None:
    """Whose history is the earlier one is out of the match; both have heard who signed both.

    One who is honest is named for nothing but that it has stopped.
    """
    bye = hear(bert, "bye", 30.0)
    assert (bye["code"], bye["reason"]) == (5, "diverged")
    while ("Anna", "forgets") not in suspects(carla):
        notice(carla, "suspected", 30.0)
    assert ("Anna", "forgets") in suspects(bert)
    others = {one for one in suspects(bert) | suspects(carla) if one[0] != "Anna"}
    assert others <= {("Bert", "complained")}
    files = map(str, journals(home))
    verdict = lab.run(CARLA, *CITADELS, "verify", "--json", *files)
    judged = json.loads(verdict.stdout)
    assert [one["sound"] for one in judged["files"]] == [True, True]
    together = judged["together"]
    assert (together["is_one"], together["exposed"], together["forgot"]) == (True, [], ["Anna"])
    assert together["parts"] > 0


def test_who_plays_twice_reads_nothing_and_both_are_told_who_it_was(
    lab: Lab, tmp_path: Path
) -> None:
    _, bert, carla = parts(lab, tmp_path)
    lab.mend(BERT)  # at once: the bots would play to the end while the files are read
    come_to_an_end(lab, bert, carla, tmp_path)
    assert what_anna_reads(tmp_path) == []


def test_who_finishes_one_of_two_matches_reads_nothing_in_the_other(
    lab: Lab, tmp_path: Path
) -> None:
    """Bert gives no key away before Carla, too, has said that it is over."""
    anna, *_ = parts(lab, tmp_path, plays_out)
    anna.kill()  # the other one is not over
    assert what_anna_reads(tmp_path) == []


def host(talk: Talk) -> str:
    """As its person was told last."""
    tables = [told for told in map(json.loads, talk.said) if told["type"] == "table"]
    return str(tables[-1]["host"])


def test_parted_histories_that_meet_come_to_an_end_without_flapping(
    lab: Lab, tmp_path: Path
) -> None:
    """Two honest laptops alone with each other, where the later history's has its host."""
    anna, bert, carla = parts(lab, tmp_path)
    while host(carla) != "Carla":
        anna.pause()
        notice(carla, "host_gone")
        anna.resume()
        notice(carla, "reconnected")
        hear(carla, "state")
    lab.filter(
        f"iifname p{ANNA} oifname p{BERT} drop",
        f"iifname p{BERT} oifname p{ANNA} drop",
        f"iifname != p{ANNA} oifname != p{ANNA} tcp flags & (syn | ack) == syn counter",
    )
    lab.mend(BERT)
    come_to_an_end(lab, bert, carla, tmp_path)
    assert 0 < lab.counted() <= LINKS
