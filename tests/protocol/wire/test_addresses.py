"""Which networks we are on, what we tell others, and what we try first."""

from __future__ import annotations

import dataclasses
import errno
import ipaddress
import socket

import ifaddr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Malformed, Unavailable
from protocol.identity.keys import fingerprint_bytes
from protocol.wire import addresses
from protocol.wire.addresses import (
    MAX_ANNOUNCED,
    Adapter,
    adapters,
    announced,
    join_address,
    join_code,
    on_each,
    one_each,
    own_addresses,
    ranked,
    split_address,
    split_join_code,
    without_zone,
)
from tests.protocol.company import identity


def adapter(name: str, *texts: str, index: int = 1) -> Adapter:
    interfaces = tuple(ipaddress.ip_interface(text) for text in texts)
    return Adapter(name=name, index=index, interfaces=interfaces)


LOOPBACK = adapter("lo", "127.0.0.1/8", "::1/128")
WIFI = adapter("wlan0", "192.168.1.7/24", "fe80::1%wlan0/64", index=2)
CABLE = adapter("eth0", "10.0.0.7/24", "fd00::7/64", index=3)
DOCKER = adapter("docker0", "172.17.0.1/16", index=4)
CABLE_ALONE = adapter("eth1", "fe80::9%5/64", index=5)
MAC_LOOPBACK = adapter("lo0", "127.0.0.1/8", "::1/128", "fe80::1%1/64")
TUNNEL = adapter("utun0", "fe80::3%9/64", index=9)
SWITCH = adapter("eth1", "169.254.3.4/16", "fe80::9%eth1/64", index=5)
VPN = adapter("tun0", "10.8.0.2/24", "fe80::4%6/64", index=6)


def test_every_network_is_told_ipv4_first_and_nothing_that_leads_nowhere() -> None:
    told = announced((LOOPBACK, CABLE, WIFI, DOCKER))
    assert told == ("10.0.0.7", "192.168.1.7", "fd00::7")


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ((LOOPBACK,), ("127.0.0.1",)),
        ((LOOPBACK, SWITCH), ("169.254.3.4", "fe80::9")),
        ((LOOPBACK, CABLE_ALONE), ("fe80::9",)),
        ((MAC_LOOPBACK, CABLE_ALONE, TUNNEL), ("fe80::9",)),
        ((MAC_LOOPBACK, TUNNEL), ("127.0.0.1",)),
        ((LOOPBACK, SWITCH, WIFI), ("192.168.1.7", "169.254.3.4", "fe80::9")),
        ((LOOPBACK, CABLE_ALONE, CABLE, DOCKER), ("10.0.0.7", "fd00::7", "fe80::9")),
        ((SWITCH, VPN), ("169.254.3.4", "10.8.0.2", "fe80::9")),
        ((SWITCH, VPN, WIFI), ("192.168.1.7", "10.8.0.2", "169.254.3.4", "fe80::9")),
        ((DOCKER,), ("172.17.0.1",)),
        ((), ()),
    ],
    ids=[
        "loopback alone",
        "a bare switch",
        "IPv6 alone",
        "a tunnel's leads nowhere",
        "nor does a Mac's own",
        "a bare cable beside a Wi-Fi",
        "a bare cable beside another",
        "a bare cable and a tunnel",
        "all of them",
        "asked for",
        "none",
    ],
)
def test_what_is_told_where_little_is_there(
    found: tuple[Adapter, ...], told: tuple[str, ...]
) -> None:
    assert announced(found) == told


WINDOWS = "{0F1B7A61-2D9C-4C5B-9E57-3F0B1D2C4A5E}"


def on_windows(friendly: str, description: str, text: str) -> Adapter:
    """An adapter as ifaddr tells it there: a number for a name, and two names for people."""
    address, _, prefix = text.partition("/")
    ip = ifaddr.IP(address, int(prefix), friendly)
    return addresses._adapter(ifaddr.Adapter(WINDOWS, description, [ip], index=7), ())


VIRTUAL = (
    on_windows("vEthernet (WSL)", "Hyper-V Virtual Ethernet Adapter", "172.28.160.1/20"),
    on_windows(
        "vEthernet (WSL (Hyper-V firewall))",
        "Hyper-V Virtual Ethernet Adapter",
        "172.29.0.1/20",
    ),
    on_windows(
        "vEthernet (Default Switch)", "Hyper-V Virtual Ethernet Adapter #2", "172.20.0.1/20"
    ),
    on_windows("Ethernet 2", "VirtualBox Host-Only Ethernet Adapter", "192.168.56.1/24"),
    on_windows(
        "VMware Network Adapter VMnet8",
        "VMware Virtual Ethernet Adapter for VMnet8",
        "192.168.80.1/24",
    ),
    adapter("lxdbr0", "10.150.0.1/24"),
    adapter("incusbr0", "10.151.0.1/24"),
    adapter("docker0", "172.17.0.1/16"),
    adapter("vmnet8", "192.168.80.1/24"),
    adapter("waydroid0", "192.168.240.1/24"),
)
TUNNELS = (
    on_windows("Ethernet 3", "TAP-Windows Adapter V9", "10.8.0.2/24"),
    on_windows("wg-home", "WireGuard Tunnel", "10.9.0.2/24"),
    on_windows("Tailscale", "Tailscale Tunnel", "100.64.1.2/10"),
    on_windows("ZeroTier One [1]", "ZeroTier Virtual Port", "10.147.17.2/24"),
    on_windows("Local Area Connection", "Wintun Userspace Tunnel", "10.10.0.2/24"),
    on_windows("NordLynx", "NordLynx Tunnel", "10.5.0.2/24"),
    adapter("tun0", "10.8.0.2/24"),
    adapter("utun3", "10.8.0.2/24"),
    adapter("tailscale0", "100.64.1.2/10"),
    adapter("ztabcd1234", "10.147.17.2/24"),
)
SWITCHES = (
    on_windows("vEthernet (External)", "Hyper-V Virtual Ethernet Adapter #3", "10.0.0.9/24"),
    adapter("bridge100", "192.168.64.1/24"),
)
OWN = on_windows("Wi-Fi", "Intel(R) Wi-Fi 6 AX201 160MHz", "192.168.1.20/24")


@pytest.mark.parametrize("other", [*VIRTUAL, *TUNNELS, *SWITCHES], ids=lambda a: a.name)
def test_a_join_code_begins_with_the_laptops_own_adapter(other: Adapter) -> None:
    for found in ((LOOPBACK, other, OWN), (OWN, other, LOOPBACK)):
        told = announced(found)
        assert told[0] == "192.168.1.20"
        assert len(told) == (1 if other in VIRTUAL else 2)


@pytest.mark.parametrize("other", [*TUNNELS, *SWITCHES], ids=lambda a: a.name)
def test_what_may_lead_outside_is_told_where_nothing_else_does(other: Adapter) -> None:
    assert announced((LOOPBACK, other)) == (str(other.interfaces[0].ip),)


def test_the_way_out_is_told_first_but_not_a_tunnel() -> None:
    other = adapter("eth1", "10.1.0.7/24", index=9)
    assert announced((CABLE, other, WIFI))[0] == "10.0.0.7"
    assert announced((CABLE, other, dataclasses.replace(WIFI, is_way_out=True)))[:2] == (
        "192.168.1.7",
        "10.0.0.7",
    )
    tunnel = dataclasses.replace(TUNNELS[0], is_way_out=True)
    assert announced((tunnel, CABLE))[0] == "10.0.0.7"
    # The switch that stands in for the laptop's own adapter is its own adapter.
    switch = dataclasses.replace(SWITCHES[0], is_way_out=True)
    unused = adapter("Ethernet", "169.254.7.7/16")
    assert announced((unused, switch)) == ("10.0.0.9", "169.254.7.7")


def test_adapters_are_named_as_people_call_them() -> None:
    assert OWN.name == "Wi-Fi"
    for wanted in ("wi-fi", "Intel(R) Wi-Fi 6 AX201 160MHz", WINDOWS, "192.168.1.20"):
        assert addresses._is_called(OWN, wanted)
    assert not addresses._is_called(OWN, "Ethernet")
    inside = on_windows("Ethernet", "Microsoft Hyper-V Network Adapter", "10.0.0.5/24")
    assert inside.rank == 0  # this machine is a virtual one, and that is its own
    assert not on_windows("Mobile", "ZTE Mobile Broadband", "10.0.0.6/24").is_private


def test_a_machine_of_many_networks_tells_a_few() -> None:
    many = tuple(adapter(f"eth{n}", f"10.0.{n}.1/24", index=n) for n in range(40))
    assert len(announced(many)) == MAX_ANNOUNCED


INTERFACES = st.sampled_from(
    ["10.0.{}.7/24", "192.168.{}.7/24", "fd00:{}::7/64", "169.254.{}.7/16", "fe80::{}/64"]
)


@given(st.lists(st.sets(INTERFACES, min_size=1), min_size=1, max_size=MAX_ANNOUNCED))
def test_no_network_is_left_out_for_another(kinds: list[set[str]]) -> None:
    """Whoever is on one of our networks has an address to try, and a code to type."""
    every = [
        adapter(f"eth{n}", *(text.format(n) for text in sorted(of)), index=n)
        for n, of in enumerate(kinds, start=1)
    ]
    told, codes = announced(every), one_each(every)
    for one in every:
        own = {str(interface.ip) for interface in one.interfaces}
        assert own & set(told)
        assert own & set(codes)
    assert codes[0] == told[0]
    bare = [ipaddress.ip_address(text).is_link_local for text in told]
    assert bare == sorted(bare)


def test_what_is_typed_on_each_of_our_networks() -> None:
    assert one_each((LOOPBACK, SWITCH, WIFI, DOCKER)) == ("192.168.1.7", "fe80::9")
    # A laptop with link-local IPv4 may be beside one that has none.
    assert one_each((LOOPBACK, SWITCH)) == ("169.254.3.4", "fe80::9")
    assert one_each((LOOPBACK,)) == ("127.0.0.1",)


def test_a_link_local_address_is_tried_on_every_adapter_where_it_may_be() -> None:
    inside = adapter("docker0", "fe80::4%4/64", index=4)
    found = (MAC_LOOPBACK, inside, CABLE, CABLE_ALONE, WIFI, TUNNEL)
    assert on_each("fe80::7", found) == ("fe80::7%5", "fe80::7%2", "fe80::7%9", "fe80::7%4")
    assert on_each("fe80::7%wlan0", found) == ("fe80::7%wlan0",)
    assert on_each("fe80::7", (LOOPBACK, CABLE)) == ()


def test_a_zone_is_for_nobody_else() -> None:
    assert own_addresses((LOOPBACK, SWITCH)) == ("169.254.3.4", "fe80::9%eth1")
    assert without_zone("[fe80::7%wlan0]:4000") == "[fe80::7]:4000"
    assert without_zone("fe80::7%2") == "fe80::7"
    assert without_zone("[fd00::7]:4000") == "[fd00::7]:4000"
    code = join_code("[fe80::7%3]:4000", identity(1).public)
    assert code.startswith("[fe80::7]:4000/")
    assert split_join_code(code)[:2] == ("fe80::7", 4000)
    assert join_code("", identity(1).public).startswith("/")  # a match whose host is not known


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


def test_an_address_that_no_socket_can_have_yet_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A cable that was just plugged in: its own address is still being asked for."""
    plugged, ready = adapter("eth1", "169.254.3.4/16", "fe80::7/64"), set[str]()

    class Probe(socket.socket):
        def bind(self, address: object) -> None:
            assert isinstance(address, tuple)
            assert address[3] == plugged.index
            if address[0] not in ready:
                raise OSError(errno.EADDRNOTAVAIL, "not yet")

    monkeypatch.setattr(addresses.socket, "socket", Probe)
    settled = addresses._settled(plugged)
    assert [str(one) for one in settled.interfaces] == ["169.254.3.4/16"]
    ready.add("fe80::7")
    assert addresses._settled(plugged) == plugged
