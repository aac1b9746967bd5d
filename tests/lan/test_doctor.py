"""`citadels doctor` on machines whose network is well, and on others."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lan.lab import Lab

pytestmark = [
    pytest.mark.lan,
    pytest.mark.skipif(shutil.which("nft") is None, reason="the command `nft` is missing"),
]

DOCTOR = (sys.executable, "-m", "cli", "doctor")


@pytest.fixture
def lab() -> Iterator[Lab]:
    with Lab(machines=1, networks=2) as built:
        yield built


def examined(lab: Lab, *flags: str) -> tuple[int, list[dict[str, object]]]:
    """The exit code, and what was found of the network and the firewall."""
    done = lab.run(0, *DOCTOR, "--json", *flags)
    assert done.returncode in (0, 1, 3), done.stderr
    findings: list[dict[str, object]] = json.loads(done.stdout)["findings"]
    looked_at = ("network", "multicast", "ports", "firewall")
    return done.returncode, [one for one in findings if one["check"] in looked_at]


def codes(findings: list[dict[str, object]]) -> list[tuple[object, object]]:
    told = []
    for one in findings:
        fields = one["fields"]
        assert isinstance(fields, dict)
        told.append((one["code"], fields.get("interface", fields.get("address"))))
    return told


def firewall(lab: Lab, *rules: str) -> None:
    """The machine's own nftables."""
    chains = "\n".join(rules)
    subprocess.run(
        lab.command(0, "nft", "-f", "-"),
        input=f"table inet own {{\n{chains}\n}}",
        text=True,
        check=True,
        capture_output=True,
    )


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))


def test_a_machine_on_two_networks_is_well_on_both(lab: Lab) -> None:
    code, findings = examined(lab)
    assert code == 0
    assert codes(findings) == [
        ("interface", "wlan0"),
        ("interface", "wlan1"),
        ("multicast_heard", "wlan0"),
        ("multicast_heard", "wlan1"),
        ("usual_port_free", None),
        ("reachable", "10.77.0.10"),
        ("reachable", "10.78.0.10"),
        *[pair for pair in codes(findings) if ":" in str(pair[1])],
        ("firewall_none", None),
    ]


@pytest.mark.parametrize("way", ["input", "output"])
def test_multicast_that_a_firewall_blocks_is_found_and_named(lab: Lab, way: str) -> None:
    name = "iifname" if way == "input" else "oifname"
    rule = f'{name} "wlan0" udp dport 5353 drop'
    firewall(lab, f"chain own {{ type filter hook {way} priority 0; {rule}; }}")
    code, findings = examined(lab)
    assert code == 3
    assert ("multicast_lost", "wlan0") in codes(findings)
    assert ("multicast_heard", "wlan1") in codes(findings)
    (lost,) = (one for one in findings if one["code"] == "multicast_lost")
    assert lost["verdict"] == "bad"
    assert "5353" in str(lost["advice"])
    if way == "input":
        assert ("firewall_nft", None) in codes(findings)
    code, findings = examined(lab, "--interface", "wlan1")
    assert code == 0
    assert ("multicast_lost", "wlan0") not in codes(findings)


def test_connections_that_a_firewall_refuses(lab: Lab) -> None:
    rule = "ip daddr 10.77.0.10 tcp dport != 22 reject with tcp reset"
    firewall(lab, f"chain own {{ type filter hook input priority 0; {rule}; }}")
    code, findings = examined(lab)
    assert code == 3
    assert ("not_reachable", "10.77.0.10") in codes(findings)
    assert ("reachable", "10.78.0.10") in codes(findings)


def test_a_laptop_without_a_network(lab: Lab) -> None:
    lab.unplug(0, 0)
    lab.unplug(0, 1)
    code, findings = examined(lab)
    assert code == 3
    assert ("no_network", None) in codes(findings)


def test_private_networks_and_those_of_containers_are_named(lab: Lab) -> None:
    for name, address in (("wg0", "10.200.0.1/24"), ("docker0", "172.17.0.1/16")):
        for line in (
            f"link add {name} type bridge",
            f"addr add {address} dev {name}",
            f"link set {name} up",
        ):
            assert lab.run(0, "ip", *line.split()).returncode == 0
    _, findings = examined(lab)
    assert ("inside_only", "docker0") in codes(findings)
    (vpn,) = (one for one in findings if one["code"] == "private_network")
    assert vpn["verdict"] == "warn"
    assert "--interface" in str(vpn["advice"])


def test_a_table_that_is_open_already_is_told_from_a_fault(lab: Lab, tmp_path: Path) -> None:
    host = lab.talk(
        0,
        *(sys.executable, "-m", "cli", "host", "--ui", "json"),
        env={"CITADELS_HOME": str(tmp_path / "host")},
    )
    host.line(lambda said: json.loads(said)["type"] == "table")
    code, findings = examined(lab)
    assert code == 0
    assert ("usual_port_busy", None) in codes(findings)
