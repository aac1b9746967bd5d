"""The world itself: a seed is an evening, and what happens there is what was meant."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from citadels_p2p.match import Leave
from tests.world.evening import Evening
from tests.world.run import act
from tests.world.scenes import ended_well

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("scene", ["storm", "once_more", "swarm"])
def test_a_seed_is_the_same_evening_in_every_process(scene: str) -> None:
    """Everything told and typed, every byte on every link, every file on every disk."""
    said = [_played(scene, hash_seed) for hash_seed in ("0", "777")]
    assert said[0] == said[1]
    digests = re.findall(r"'(\w+)': '([0-9a-f]{16})'", said[0])
    assert [name for name, _ in digests][:3] == ["transcript", "wire", "Anna"]


def test_another_seed_is_another_evening() -> None:
    first, second = (act(a_match, seed) for seed in (1, 2))
    assert not first.digests.items() & second.digests.items()


def _played(scene: str, hash_seed: str) -> str:
    command = [
        "-m",
        "tests.world",
        "--scene",
        scene,
        "--seed",
        "11",
        "--seats",
        "3",
        "--digests",
    ]
    ran = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout.splitlines()[0]


def a_match(table: Evening) -> None:
    table.sit_down()
    ended_well(table)


def test_a_whole_match_at_three_kinds_of_tables() -> None:
    act(a_match, plays_with=("json", "plain", "screen"))


def test_a_table_of_two() -> None:
    act(a_match, seats=2)


def behind_a_password(table: Evening) -> None:
    table.sit_down(password="correct horse")
    ended_well(table)


def test_a_locked_table_opens_to_who_knows_its_password() -> None:
    """SPAKE2's entropy is the seed's as well."""
    first, second = (act(behind_a_password) for _ in range(2))
    assert first.digests == second.digests


def with_a_wrong_password(table: Evening) -> None:
    anna, bert = table.players
    anna.types("host Kitchen --name Anna --seats 2 --city 3 --locked", password="right")
    table.until(lambda: anna.table)
    bert.types("join --name Bert --locked", password="wrong")
    table.until(lambda: bert.code is not None)
    assert bert.failed == "password"
    bert.types("join --name Bert --locked", password="right")
    ended_well(table)


def test_a_wrong_password_opens_nothing() -> None:
    act(with_a_wrong_password, seats=2)


def on_a_moved_laptop(table: Evening) -> None:
    table.sit_down()
    table.some_way()
    before = table.net.connections
    table["Bert"].laptop.move("10.0.0.99")
    table.wait(20)
    assert table.net.connections > before, "nobody has found the other way"
    ended_well(table)


def test_a_laptop_with_another_address_is_found_again() -> None:
    act(on_a_moved_laptop)


def a_host_that_moves_before_the_match(table: Evening) -> None:
    last = table.players[-1]
    last.attends = False
    table.sit_down()
    table.until(lambda: all(one.table for one in table.players))
    table["Anna"].laptop.move("10.0.0.99")
    table.wait(30)
    last.attend()
    ended_well(table)


def test_a_host_that_moves_before_the_match_is_found_again() -> None:
    act(a_host_that_moves_before_the_match)


def on_a_cable_beside_the_wifi(table: Evening) -> None:
    for laptop in table.laptops:
        laptop.adapters["eth0"] = f"10.0.1.{laptop.number + 1}"
    table.sit_down()
    table.some_way()
    for laptop in table.laptops:
        laptop.unplug("wlan0")
    ended_well(table)


def test_where_one_network_goes_the_other_one_carries() -> None:
    act(on_a_cable_beside_the_wifi)


def on_an_address_that_comes_back(table: Evening) -> None:
    table.sit_down()
    table.some_way()
    laptop = table["Bert"].laptop
    address = laptop.adapters["wlan0"]
    laptop.unplug("wlan0")
    table.wait(1.0)
    laptop.move(address)
    table.wait(5.0)
    assert not any(end._flying for end in table.net.ends), "a word waits for the next one"
    ended_well(table)


def test_what_was_sent_while_an_address_was_gone_arrives() -> None:
    act(on_an_address_that_comes_back)


def two_programs_over_one_folder(table: Evening) -> None:
    table.sit_down()
    table.some_way()
    second = type(table["Bert"])(table["Bert"].laptop)
    second.types("resume")
    table.until(lambda: second.code is not None)
    assert second.failed == "journal_busy"
    ended_well(table)


def test_a_second_program_over_one_folder_is_told_so() -> None:
    act(two_programs_over_one_folder)


def the_host_goes_home(table: Evening) -> None:
    table.sit_down()
    table.some_way()
    table["Anna"].does(Leave())
    table.until(lambda: table["Anna"].code is not None)
    table.wait(30)
    table.come_back(table["Anna"])
    ended_well(table)


def test_a_host_who_goes_home_comes_back_to_its_match() -> None:
    act(the_host_goes_home, seats=4)


def something_wrong(table: Evening) -> None:
    table.sit_down()
    table.begun()
    raise AssertionError("this is not so")


def test_a_failure_says_how_it_came_to_that() -> None:
    with pytest.raises(AssertionError, match=r"(?s)answers.*this is not so"):
        act(something_wrong)
