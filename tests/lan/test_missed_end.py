"""One laptop's cable is out while the others play to the end and close; then they meet again.

The real command in real processes, found by multicast alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lan.lab import Lab, Talk
from tests.lan.test_host_gone import notice
from tests.lan.test_whole_match import CITADELS, MATCH_SECONDS, hear, sit_down

pytestmark = pytest.mark.lan

GAME = ("--seats", "4", "--bots", "1", "--bot-level", "easy", "--city", "6")
ATTIC = ("host", "Attic", "--name", "Anna", *GAME, "--no-seat", "--start-when-full")


@pytest.fixture
def lab() -> Iterator[Lab]:
    with Lab(machines=4) as built:
        yield built


@pytest.fixture
def missed(lab: Lab, tmp_path: Path) -> tuple[Talk, dict[str, object]]:
    """Dora, who waits with her cable back in, and the score that the others have seen."""
    host = sit_down(lab, 0, tmp_path, *ATTIC, "--away", "2")
    hear(host, "table")
    guests = [
        sit_down(lab, machine, tmp_path, "join", "Attic", "--name", name, "--bot", "easy")
        for machine, name in ((1, "Bert"), (2, "Carla"), (3, "Dora"))
    ]
    for guest in guests:
        hear(guest, "table")
    for guest in guests:
        guest.say('{"do": "ready"}')
    *others, dora = guests
    hear(dora, "state")
    lab.cut(3)
    notice(host, "away")
    overs = [hear(talk, "over", MATCH_SECONDS) for talk in (host, *others)]
    for talk in (*others, host):
        talk.say('{"do": "leave"}')
        assert hear(talk, "bye")["code"] == 0
        talk.end()
    lab.mend(3)
    return dora, overs[0]


def gets_it(lab: Lab, dora: Talk, over: dict[str, object], machine: int = 3) -> None:
    """She is told the score, and the match verifies on her disk. The hands stay closed: nobody
    gives a key away before she has said to them, too, that it is over.
    """
    told = hear(dora, "over", 60.0)
    assert (told["digest"], told["scores"]) == (over["digest"], over["scores"])
    dora.say('{"do": "leave"}')
    assert hear(dora, "bye")["code"] == 0
    verdict = lab.run(machine, *CITADELS, "verify", "--json", str(told["journal"]))
    judged = json.loads(verdict.stdout)
    assert (judged["sound"], judged["finished"], judged["opened"]) == (True, True, False)
    assert not list(Path(str(told["journal"])).parent.glob("*.secrets"))


def test_who_waits_is_brought_the_end_by_somebody_in_the_lobby(
    lab: Lab, missed: tuple[Talk, dict[str, object]], tmp_path: Path
) -> None:
    lab.talk(
        1, *CITADELS, "--ui", "plain", env={"CITADELS_HOME": str(tmp_path / "1"), "LANG": "C"}
    )
    gets_it(lab, *missed)


def test_who_resumes_another_evening_has_the_end_from_somebody_at_another_table(
    lab: Lab, missed: tuple[Talk, dict[str, object]], tmp_path: Path
) -> None:
    dora, over = missed
    dora.kill()
    carla = sit_down(lab, 2, tmp_path, "host", "Cellar", "--seats", "3")
    hear(carla, "table")
    gets_it(lab, sit_down(lab, 3, tmp_path, "resume"), over)
