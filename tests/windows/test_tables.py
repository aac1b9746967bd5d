"""Linux and Windows at one table, on a network of their own: hosted by either, killed, resumed.

The real command in real processes; every seat is played by a program, so that nobody types.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.lan.lab import Lab, Talk
from tests.lan.test_host_gone import notice
from tests.lan.test_whole_match import CITADELS, hear, sit_down
from tests.windows.wine import Windows, linux_path, windows_path

#: Wine on a busy machine takes its time
MATCH_SECONDS = 240.0
NAMES = ("Anna", "Иван", "Carla")
LINUX, WINDOWS, ANOTHER = 0, 1, 2


@pytest.mark.parametrize("hosting", [WINDOWS, LINUX])
def test_a_match_of_both_survives_its_host(
    hosting: int, lab: Lab, windows: Windows, tmp_path: Path
) -> None:
    """The host is killed and comes back as a guest; both systems verify every journal."""

    def start(machine: int, *arguments: str) -> Talk:
        if machine != WINDOWS:
            return sit_down(lab, machine, tmp_path, *arguments)
        home = {"CITADELS_HOME": windows_path(tmp_path / str(machine))}
        return windows.talk("-m", "cli", *arguments, "--ui", "json", **home)

    game = ("--seats", "3", "--bots", "1", "--no-seat", "--city", "6", "--away", "5")
    name = ("--name", NAMES[hosting])
    talks = {hosting: start(hosting, "host", "Attic", *name, *game, "--start-when-full")}
    hear(talks[hosting], "table")
    for machine in {LINUX, WINDOWS, ANOTHER} - {hosting}:
        who = ("--name", NAMES[machine], "--bot", "normal")
        talks[machine] = start(machine, "join", "Attic", *who)
        hear(talks[machine], "table")
    guests = [machine for machine in talks if machine != hosting]
    for machine in guests:
        talks[machine].say('{"do": "ready"}')
    for machine in guests:
        hear(talks[machine], "state")
    talks[hosting].kill()
    successors = {str(notice(talks[machine], "hosting")["name"]) for machine in guests}
    assert len(successors) == 1
    assert successors <= {NAMES[machine] for machine in guests}
    talks[hosting] = start(hosting, "resume", "Attic")
    assert notice(talks[hosting], "hosting")["name"] in successors

    overs = {machine: hear(talk, "over", MATCH_SECONDS) for machine, talk in talks.items()}
    assert len({str(over["digest"]) for over in overs.values()}) == 1
    assert len({json.dumps(over["scores"]) for over in overs.values()}) == 1
    for machine in (*guests, hosting):
        talks[machine].say('{"do": "leave"}')
    for talk in talks.values():
        assert hear(talk, "bye")["code"] == 0
    for over in overs.values():
        journal = linux_path(str(over["journal"]))
        for verdict in (
            lab.run(LINUX, *CITADELS, "verify", "--json", str(journal)),
            windows.run("-m", "cli", "verify", "--json", windows_path(journal)),
        ):
            assert verdict.returncode == 0, verdict.stderr
            judged = json.loads(verdict.stdout)
            assert (judged["sound"], judged["finished"]) == (True, True)
