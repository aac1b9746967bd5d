"""Which networks we are on, what we tell others, and what we try first."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.addresses import (
    MAX_ANNOUNCED,
    Adapter,
    adapters,
    announced,
    join_address,
    join_code,
    ranked,
    split_address,
    split_join_code,
)
from protocol.errors import Malformed, Unavailable
from protocol.identity import fingerprint_bytes
from tests.protocol.company import identity


def adapter(name: str, *texts: str, index: int = 1) -> Adapter:
    interfaces = tuple(ipaddress.ip_interface(text) for text in texts)
    return Adapter(name=name, index=index, interfaces=interfaces)


LOOPBACK = adapter("lo", "127.0.0.1/8", "::1/128")
WIFI = adapter("wlan0", "192.168.1.7/24", "fe80::1%wlan0/64", index=2)
CABLE = adapter("eth0", "10.0.0.7/24", "fd00::7/64", index=3)
DOCKER = adapter("docker0", "172.17.0.1/16", index=4)
SWITCH = adapter("eth1", "169.254.3.4/16", "fe80::9%eth1/64", index=5)


def test_every_network_is_told_ipv4_first_and_nothing_that_leads_nowhere() -> None:
    told = announced((LOOPBACK, CABLE, WIFI, DOCKER))
    assert told == ("10.0.0.7", "192.168.1.7", "fd00::7")


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ((LOOPBACK,), ("127.0.0.1",)),
        ((LOOPBACK, SWITCH), ("169.254.3.4",)),
        ((LOOPBACK, SWITCH, WIFI), ("192.168.1.7",)),
        ((DOCKER,), ("172.17.0.1",)),
        ((), ()),
    ],
    ids=["loopback alone", "a bare switch", "better than a bare switch", "asked for", "none"],
)
def test_what_is_told_where_little_is_there(
    found: tuple[Adapter, ...], told: tuple[str, ...]
) -> None:
    assert announced(found) == told


def test_a_machine_of_many_networks_tells_a_few() -> None:
    many = tuple(adapter(f"eth{n}", f"10.0.{n}.1/24", index=n) for n in range(40))
    assert len(announced(many)) == MAX_ANNOUNCED


def test_what_is_near_is_tried_first_and_loopback_last() -> None:
    candidates = (
        "127.0.0.1:1",
        "172.17.0.1:1",
        "203.0.113.9:1",
        "192.168.1.20:1",
        "[fd00::20]:1",
        "10.0.0.20:1",
        "10.0.0.20:1",
    )
    assert ranked(candidates, (LOOPBACK, WIFI, CABLE, DOCKER)) == (
        "192.168.1.20:1",
        "10.0.0.20:1",
        "[fd00::20]:1",
        "203.0.113.9:1",
        "172.17.0.1:1",
        "127.0.0.1:1",
    )


def test_a_container_network_that_is_the_only_one_near_is_still_tried() -> None:
    assert ranked(("172.17.0.9:1",), (DOCKER,)) == ("172.17.0.9:1",)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("10.0.0.7:4000", "10.0.0.7", 4000),
        ("laptop.local:4000", "laptop.local", 4000),
        ("[fd00::7]:4000", "fd00::7", 4000),
        ("[fe80::1%wlan0]:4000", "fe80::1%wlan0", 4000),
        (" 10.0.0.7 ", "10.0.0.7", 5000),
        ("[::1]", "::1", 5000),
        ("fd00::7", "fd00::7", 5000),
    ],
)
def test_addresses_are_read_as_people_write_them(text: str, host: str, port: int) -> None:
    assert split_address(text, 5000) == (host, port)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        "a b:1",
        "10.0.0.7:0",
        "10.0.0.7:65536",
        "10.0.0.7:x",
        "[::1",
        "::1]:4",
        "a:1:b:2",
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(Malformed):
        split_address(text, 5000)


def test_a_port_is_needed_where_none_is_meant() -> None:
    with pytest.raises(Malformed):
        split_address("10.0.0.7")


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        host, port = split_address(text, 5000)
    except Malformed:
        return
    assert split_address(join_address(host, port)) == (host, port)


def test_a_join_code_pins_the_host() -> None:
    code = join_code("10.0.0.7:4000", identity(1).public)
    assert split_join_code(code) == ("10.0.0.7", 4000, fingerprint_bytes(identity(1).public))
    assert split_join_code("10.0.0.7:4000") == ("10.0.0.7", 4000, None)
    with pytest.raises(Malformed):
        split_join_code("10.0.0.7:4000/nonsense")


def test_this_machine_has_a_loopback_and_no_imagined_interface() -> None:
    found = adapters()
    assert any(i.ip.is_loopback for one in found for i in one.interfaces)
    assert [a.interfaces for a in adapters(["127.0.0.1"])]
    with pytest.raises(Unavailable) as caught:
        adapters(["nothere9"])
    assert caught.value.hint == "no_interface"
