"""A bare switch or cable where nobody gives out addresses: laptops have link-local ones alone.

The guests have two adapters, so that they have to find out on which one their host is.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lan.lab import Lab, Talk
from tests.lan.test_whole_match import CITADELS, hear, sit_down

pytestmark = pytest.mark.lan

HOST, BERT, CARLA = range(3)


@pytest.fixture
def lab() -> Iterator[Lab]:
    everywhere = {0: (BERT, CARLA), 1: (HOST, BERT, CARLA)}
    with Lab(machines=3, networks=2, plugged=everywhere) as built:
        for machine in range(3):
            built.run(machine, "ip", "-4", "address", "flush", "scope", "global")
            while built.run(machine, "ip", "-6", "address", "show", "tentative").stdout:
                pass  # the system looks for a moment whether an address is anybody else's
        yield built


def hosts(lab: Lab, home: Path, *flags: str) -> tuple[Talk, str]:
    """Anna's table and its join code."""
    anna = sit_down(lab, HOST, home, "host", "Attic", "--name", "Anna", *flags)
    return anna, str(hear(anna, "table")["code"])


def bare_address(code: str) -> ipaddress.IPv6Address:
    """The address in a join code: one that others can type."""
    return ipaddress.IPv6Address(code.partition("]")[0].removeprefix("["))


def test_tables_are_found_and_joined_by_code_and_the_match_survives_its_host(
    lab: Lab, tmp_path: Path
) -> None:
    game = ("--seats", "3", "--bots", "1", "--no-seat", "--start-when-full", "--away", "5")
    anna, code = hosts(lab, tmp_path, *game)
    here = bare_address(code)
    assert here.is_link_local
    assert here.scope_id is None
    found = lab.run(BERT, *CITADELS, "tables", "--json", "--wait", "5")
    assert [table["code"] for table in json.loads(found.stdout)] == [code]
    guests = [
        sit_down(lab, machine, tmp_path, "join", target, "--name", name, "--bot", "normal")
        for machine, target, name in ((BERT, code, "Bert"), (CARLA, "Attic", "Carla"))
    ]
    for guest in guests:
        assert hear(guest, "table")["code"] == code
    for guest in guests:
        guest.say('{"do": "ready"}')
    for guest in guests:
        hear(guest, "state")
    anna.kill()
    for guest in guests:
        while hear(guest, "notice")["code"] != "hosting":
            pass
        hear(guest, "event")


def test_a_table_on_one_of_two_such_networks(lab: Lab, tmp_path: Path) -> None:
    """Bert hosts on the one that Anna's laptop is on, under the address of that one."""
    flags = ("host", "Cellar", "--name", "Bert", "--interface", "wlan1")
    code = str(hear(sit_down(lab, BERT, tmp_path, *flags), "table")["code"])
    shown = lab.run(BERT, "ip", "-6", "address", "show", "dev", "wlan1").stdout
    assert f" {bare_address(code)}/64 " in shown
    for machine, target in ((HOST, code), (CARLA, "Cellar")):
        guest = sit_down(lab, machine, tmp_path, "join", target, "--name", f"G{machine}")
        assert hear(guest, "table")["code"] == code


def test_a_host_on_no_network_is_told_when_one_comes(lab: Lab, tmp_path: Path) -> None:
    lab.switch_off(HOST, 1)
    home = {"CITADELS_HOME": str(tmp_path), "CITADELS_LANG": "en"}
    anna = lab.talk(HOST, *CITADELS, "host", "Attic", "--ui", "plain", env=home)
    anna.line(lambda said: said.startswith("This table is on no network"))
    assert not any("127.0.0.1" in said for said in anna.said)
    lab.switch_on(HOST, 1)
    told = anna.line(lambda said: said.startswith("If that finds nothing"))
    assert "citadels join [fe80:" in told


def test_doctor_knows_such_a_network(lab: Lab, tmp_path: Path) -> None:
    home = f"CITADELS_HOME={tmp_path}"
    done = lab.run(HOST, "env", home, *CITADELS, "doctor", "--json")
    findings = [
        (one["verdict"], one["code"], str(one["fields"].get("address", "")).partition("%")[0])
        for one in json.loads(done.stdout)["findings"]
        if one["check"] in ("network", "multicast", "ports")
    ]
    _anna, code = hosts(lab, tmp_path)
    assert findings == [
        ("ok", "interface", ""),
        ("ok", "bare_network", ""),
        ("ok", "multicast_heard", ""),
        ("ok", "usual_port_free", ""),
        ("ok", "reachable", str(bare_address(code))),
    ]


ALONE_AT_ANNAS, ALONE_AT_BERTS, CABLE = range(3)


@pytest.fixture(params=["IPv6", "IPv4"])
def cable(request: pytest.FixtureRequest) -> Iterator[Lab]:
    """Anna and Bert have each a Wi-Fi of their own, and a cable between them with link-local
    addresses, of one kind.
    """
    plugged = {ALONE_AT_ANNAS: (0,), ALONE_AT_BERTS: (1,), CABLE: (0, 1)}
    with Lab(machines=2, networks=3, plugged=plugged) as built:
        for machine in range(2):
            built.run(machine, "ip", "-4", "address", "flush", "dev", "wlan2")
            if request.param == "IPv4":
                built.run(machine, "ip", "-6", "address", "flush", "dev", "wlan2")
                address = f"169.254.7.{machine + 1}/16"
                built.run(machine, "ip", "address", "add", address, "dev", "wlan2")
            route = ("ip", "route", "add", "default", "via", f"10.{77 + machine}.0.1")
            assert built.run(machine, *route).returncode == 0
            while built.run(machine, "ip", "-6", "address", "show", "tentative").stdout:
                pass
        yield built


def test_a_cable_beside_two_networks_that_do_not_meet(cable: Lab, tmp_path: Path) -> None:
    anna = sit_down(cable, 0, tmp_path, "host", "Attic", "--name", "Anna", "--seats", "3")
    first, *others = hear(anna, "table")["codes"]
    assert first.startswith(cable.address(0, ALONE_AT_ANNAS))
    (code,) = others
    assert code.startswith(("[fe80:", "169.254.7.1:"))
    assert "%" not in code
    found = json.loads(cable.run(1, *CITADELS, "tables", "--json", "--wait", "5").stdout)
    assert [table["code"] for table in found] == [code]
    for target, name in (("Attic", "Bert"), (code, "Carla")):
        guest = sit_down(cable, 1, tmp_path, "join", target, "--name", name)
        assert hear(guest, "table")["code"] == code


def test_doctor_names_a_cable_beside_a_network(cable: Lab, tmp_path: Path) -> None:
    done = cable.run(0, "env", f"CITADELS_HOME={tmp_path}", *CITADELS, "doctor", "--json")
    findings = json.loads(done.stdout)["findings"]
    told = [one["fields"] for one in findings if one["code"] == "bare_beside"]
    assert [one["interface"] for one in told] == ["wlan2"]
    reachable = [one["fields"]["address"] for one in findings if one["code"] == "reachable"]
    assert [at.startswith(("fe80:", "169.254.")) for at in reachable] == [False, True]
