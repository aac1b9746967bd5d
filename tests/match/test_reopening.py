"""The host's laptop dies before the match has begun: real programs, over JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.match.program import Program, begin

GAME = ("--seats", "4", "--bots", "1", "--bot-level", "easy", "--edition", "2016")


@pytest.fixture
def guests(tmp_path: Path) -> Iterator[tuple[Program, Program]]:
    """Bert and Carla; Anna's laptop, which kept their table, has just died."""
    anna = Program(tmp_path / "anna", "host", "Kitchen", "--name", "Anna", *GAME)
    people = [anna]
    try:
        address = str(anna.hear("table")["address"])
        for name in ("Bert", "Carla"):
            guest = Program(tmp_path / name, "join", address, "--name", name)
            people.append(guest)
            while guest.hear("table")["you"] is None:
                pass
        anna.kill()
        yield people[1], people[2]
    finally:
        for program in people:
            program.kill()


def table(program: Program, **wanted: object) -> dict[str, object]:
    """The first table it is told of that is as wanted."""
    while True:
        told = program.hear("table")
        if all(told[key] == value for key, value in wanted.items()):
            return told


def test_a_guest_opens_the_table_again_and_the_others_come_over(
    guests: tuple[Program, Program],
) -> None:
    bert, carla = guests
    before = table(bert, host_gone=True, invited_by="")
    table(carla, host_gone=True)
    bert.say({"do": "reopen"})
    assert notice_of(bert, "hosting")["name"] == "Bert"
    own = table(bert, hosting=True)
    assert own["table"] != before["table"]
    assert [own[key] for key in ("name", "options", "patience")] == [
        *(before[key] for key in ("name", "options")),
        {**before["patience"], "laptops": 1, "needed": None},  # type: ignore[dict-item]
    ]
    table(carla, invited_by="Bert")
    carla.say({"do": "reopen"})
    assert notice_of(carla, "hosting")["name"] == "Bert"
    assert table(carla, table=own["table"], host="Bert", host_gone=False)["you"] == 1
    bert.say({"do": "bot", "seat": 2, "level": "easy"})
    begin(bert, [carla])
    for program in guests:
        program.hear("state")


def test_nothing_is_opened_while_the_host_is_here(tmp_path: Path) -> None:
    anna = Program(tmp_path / "anna", "host", "Kitchen", "--name", "Anna", *GAME)
    try:
        anna.hear("table")
        anna.say({"do": "reopen"})
        assert anna.hear("error")["reason"] == "host_here"
    finally:
        anna.kill()


def notice_of(program: Program, code: str) -> dict[str, object]:
    while (told := program.hear("notice"))["code"] != code:
        pass
    return told
