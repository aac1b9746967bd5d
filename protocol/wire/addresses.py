"""Shell: which networks this machine is on, which addresses to announce, which to try first.

Nothing here needs a default route: two laptops on a bare switch have none. If there is one, its
adapter's address is announced first. An address is only a hint; the handshake proves who
answers there.
"""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import re
import socket
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from itertools import zip_longest

import ifaddr

from protocol.errors import Malformed, Unavailable
from protocol.identity.keys import fingerprint, parse_fingerprint

MAX_ANNOUNCED = 8
"""Addresses announced: each one is tried, and few laptops are on more networks."""

_NOT_A_NETWORK = re.compile(r"awdl\d|llw\d|anpi\d", re.ASCII)
_INSIDE_ONLY = re.compile(
    r"docker|br-[0-9a-f]{6}|virbr|vboxnet|vmnet\d|veth|cni|podman|lxcbr|lxdbr|incusbr|waydroid"
    r"|flannel|cali[0-9a-f]|nerdctl|mpqemubr",
    re.ASCII,
)
_DESCRIBED_INSIDE_ONLY = re.compile(
    r"vEthernet \((?:WSL|Default Switch|nat\)|Docker)|VirtualBox Host-Only"
    r"|VMware (?:Virtual|Network)|DockerNAT|Npcap Loopback|KM-TEST Loopback",
    re.ASCII | re.IGNORECASE,
)
_PRIVATE = re.compile(
    r"tun\d|tap\d|utun\d|wg\d|wg-|ppp\d|ipsec|tailscale|zt[0-9a-z]{8}$|nordlynx|proton|mullvad",
    re.ASCII | re.IGNORECASE,
)
_DESCRIBED_PRIVATE = re.compile(
    r"\bTAP-|Wintun|WireGuard|Tailscale|ZeroTier|NordLynx|OpenVPN|AnyConnect|Fortinet|PANGP"
    r"|GlobalProtect|Juniper Networks|Pulse Secure|SonicWall|Mullvad|Hamachi"
    r"|Check Point Virtual|WAN Miniport|VPN",
    re.ASCII | re.IGNORECASE,
)
_DOUBTFUL = re.compile(r"bridge1\d\d|vmenet\d|vEthernet|Hyper-V Virtual", re.ASCII)
"""Switches of virtual machines. Some replace the laptop's own adapter, so they are announced as
well, at the end.
"""

Interface = ipaddress.IPv4Interface | ipaddress.IPv6Interface


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """One network adapter: its name, its index in the system, its addresses with their
    networks.

    `labels` are all that the system calls it: Windows has a name for people and a description.
    `is_way_out`: whether the default route goes through it.
    """

    name: str
    index: int
    interfaces: tuple[Interface, ...]
    labels: tuple[str, ...] = ()
    is_way_out: bool = False

    @property
    def is_loopback(self) -> bool:
        """Whether it leads nowhere but to this machine."""
        return any(interface.ip.is_loopback for interface in self.interfaces)

    @property
    def is_inside_only(self) -> bool:
        """Whether it leads to this machine's own containers and virtual machines."""
        return self._begins(_INSIDE_ONLY) or self._has(_DESCRIBED_INSIDE_ONLY)

    @property
    def is_private(self) -> bool:
        """Whether it is the end of a virtual private network."""
        return self._begins(_PRIVATE) or self._has(_DESCRIBED_PRIVATE)

    @property
    def rank(self) -> int:
        """How likely another laptop reaches this one there: 0 is the likeliest."""
        if self.is_inside_only:
            return 3
        if self.is_private:
            return 2
        return 1 if self._begins(_DOUBTFUL) and not self.is_way_out else 0

    def _begins(self, pattern: re.Pattern[str]) -> bool:
        return any(pattern.match(label) for label in (self.name, *self.labels))

    def _has(self, pattern: re.Pattern[str]) -> bool:
        return any(pattern.search(label) for label in (self.name, *self.labels))


def adapters(only: Collection[str] | None = None) -> tuple[Adapter, ...]:
    """The machine's adapters, or those named in `only` (by name or by address). May block.

    Raises `Unavailable("no_interface")` if a named one is not there.
    """
    found = every()
    if not only:
        return found
    for wanted in only:
        if not any(_is_called(adapter, wanted) for adapter in found):
            raise Unavailable("no_interface", wanted)
    return tuple(a for a in found if any(_is_called(a, wanted) for wanted in only))


def every() -> tuple[Adapter, ...]:
    """All adapters of this machine that have an address. May block."""
    out = _ways_out()
    listed = [
        _settled(_adapter(adapter, out))
        for adapter in ifaddr.get_adapters()
        if not _NOT_A_NETWORK.match(adapter.name)
    ]
    return tuple([adapter for adapter in listed if adapter.interfaces])


def announced(found: Collection[Adapter]) -> tuple[str, ...]:
    """The addresses to announce, as others may type them: link-local ones without their zones,
    which are names that we alone have for our adapters.

    The first one is in the join code. A laptop's own adapters come before switches of virtual
    machines and private networks, and among them the one with the default route.
    """
    return tuple(dict.fromkeys(map(without_zone, own_addresses(found))))


def own_addresses(found: Collection[Adapter]) -> tuple[str, ...]:
    """Our addresses that others may reach, each adapter's first one before its second; loopback
    only as a last resort.

    Beside other networks link-local ones stand last, since many such adapters are idle.
    """
    lists = _by_adapter(found)
    rows = zip_longest(*(map(with_zone, interfaces) for interfaces in lists))
    told = list(dict.fromkeys(text for row in rows for text in row if text is not None))
    chosen = told[:MAX_ANNOUNCED]
    if lists and not _is_bare(lists[0]):
        chosen.sort(key=lambda text: ipaddress.ip_address(text).is_link_local)
    return tuple(chosen)


def one_each(found: Collection[Adapter]) -> tuple[str, ...]:
    """For each adapter that leads to other laptops, an address of ours for those who are there,
    without its zone; at first the one that `announced` begins with.

    On a bare cable or switch it is one of IPv6 if there is any: every laptop has such.
    """
    best = (own[-1 if _is_bare(own) else 0] for own in _by_adapter(found))
    told = (*announced(found)[:1], *(without_zone(with_zone(interface)) for interface in best))
    return tuple(dict.fromkeys(told))


def _by_adapter(found: Collection[Adapter]) -> list[list[Interface]]:
    """What each adapter contributes, IPv4 before IPv6, the likeliest adapter first.

    Link-local addresses count where nobody gives an adapter better ones: on a bare cable or
    switch, perhaps beside a Wi-Fi. Those of a tunnel and of loopback lead nowhere.
    """
    outward = [adapter for adapter in found if not adapter.is_inside_only] or list(found)
    chosen: list[tuple[Adapter, list[Interface]]] = []
    for adapter in outward:
        own = [interface for interface in adapter.interfaces if not interface.ip.is_loopback]
        wide = [interface for interface in own if not interface.ip.is_link_local]
        near = own if not adapter.is_loopback and not adapter.is_private else []
        if wide or near:
            chosen.append((adapter, sorted(wide or near, key=lambda one: one.version)))
    has_network = any(not _is_bare(own) and not a.is_private for a, own in chosen)
    chosen.sort(
        key=lambda one: (has_network and _is_bare(one[1]), one[0].rank, not one[0].is_way_out)
    )
    loopback = [one for a in outward for one in a.interfaces if one.ip.is_loopback]
    return [own for _, own in chosen] or [[one] for one in loopback if one.version == 4]


def _is_bare(own: Collection[Interface]) -> bool:
    """Whether nobody gives out addresses where these are."""
    return all(interface.ip.is_link_local for interface in own)


def dialled(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """The address that a numeric one leads to: an IPv4 one may be written as one of IPv6, and
    older Pythons see no loopback in that. ValueError for a name.

    >>> dialled("::ffff:7f00:1")
    IPv4Address('127.0.0.1')
    """
    ip = ipaddress.ip_address(host)
    return ip if ip.version == 4 else ip.ipv4_mapped or ip


def is_link_local(host: str) -> bool:
    """Whether this is an address of IPv6 that means something on one network alone."""
    with contextlib.suppress(ValueError):
        ip = ipaddress.ip_address(host)
        return ip.version == 6 and ip.is_link_local
    return False


def without_zone(text: str) -> str:
    """An address, with or without its port, as others may use it.

    >>> without_zone("[fe80::7%wlan0]:4000")
    '[fe80::7]:4000'
    """
    return re.sub(r"%[^\]]*", "", text)


def on_each(host: str, mine: Collection[Adapter]) -> tuple[str, ...]:
    """A link-local address with the zone of each of our adapters on which it may be.

    One that has its zone already, from a person or from multicast, stays as it is.
    """
    if "%" in host:
        return (host,)
    near = [
        adapter
        for adapter in mine
        if adapter.index
        and not adapter.is_loopback
        and any(is_link_local(str(interface.ip)) for interface in adapter.interfaces)
    ]
    return tuple(f"{host}%{adapter.index}" for adapter in sorted(near, key=lambda a: a.rank))


def ranked(candidates: Iterable[str], mine: Collection[Adapter]) -> tuple[str, ...]:
    """Somebody else's addresses ("host:port") in the order in which to try them.

    First those on a network of ours, then others, then networks of our own containers, and
    loopback at the end.
    """

    def key(candidate: str) -> tuple[int, int]:
        host, _ = split_address(candidate)
        try:
            ip = ipaddress.ip_address(host)
        except ValueError:
            return 1, 0
        if ip.is_loopback:
            return 3, ip.version
        near = [
            a
            for a in mine
            if any(ip in i.network for i in a.interfaces if i.version == ip.version)
        ]
        if near and all(adapter.is_inside_only for adapter in near):
            return 2, ip.version
        return (0 if near else 1), ip.version

    return tuple(sorted(dict.fromkeys(candidates), key=key))


def join_address(host: str, port: int) -> str:
    """The text "host:port", with brackets where the host has colons of its own."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def split_address(text: str, port: int | None = None) -> tuple[str, int]:
    """Host and port of "host:port"; `port` is the default. Raises `Malformed`."""
    match = re.fullmatch(
        r"(?:\[(?P<six>[0-9a-fA-F:.%\w]+)\]|(?P<host>[^\s:\[\]/]+))(?::(?P<port>\d{1,5}))?",
        text.strip(),
        re.ASCII,
    )
    if match is None:
        bare = text.strip()
        if port is not None and bare.count(":") > 1 and is_numeric(bare):
            return bare, port
        raise Malformed("not an address")
    number = int(match["port"]) if match["port"] else port
    if number is None or not 0 < number < 65_536:
        raise Malformed("not a port")
    return match["six"] or match["host"], number


def join_code(address: str, public: bytes) -> str:
    """What a host shows to people who cannot find it: "host:port/ABCD-EFGH-IJKL-MNOP"."""
    return f"{without_zone(address)}/{fingerprint(public)}"


def split_join_code(text: str, port: int | None = None) -> tuple[str, int, bytes | None]:
    """Host, port and the pinned fingerprint (None if the text is an address only)."""
    address, slash, letters = text.strip().partition("/")
    host, number = split_address(address, port)
    return host, number, parse_fingerprint(letters) if slash else None


def is_numeric(text: str) -> bool:
    """Whether this is an address and not a name."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def with_zone(interface: Interface) -> str:
    """Its address, as this machine may connect to it; the standard library drops the zone."""
    zone = interface.scope_id if isinstance(interface, ipaddress.IPv6Interface) else None
    return f"{interface.ip}%{zone}" if zone else str(interface.ip)


def _is_called(adapter: Adapter, wanted: str) -> bool:
    labels = {label.casefold() for label in (adapter.name, *adapter.labels)}
    return wanted.casefold() in labels or any(str(i.ip) == wanted for i in adapter.interfaces)


def _adapter(found: ifaddr.Adapter, out: Collection[str]) -> Adapter:
    interfaces = sorted(
        (interface for ip in found.ips if (interface := _interface(ip))),
        key=lambda interface: (interface.version, int(interface.ip)),
    )
    # What people call it stands beside each address; elsewhere than on Windows all are one.
    called = [ip.nice_name for ip in found.ips]
    labels = dict.fromkeys(label for label in (*called, found.nice_name, found.name) if label)
    return Adapter(
        name=next(iter(labels), ""),
        index=found.index or 0,
        interfaces=tuple(interfaces),
        labels=tuple(labels),
        is_way_out=any(str(interface.ip) in out for interface in interfaces),
    )


def _settled(adapter: Adapter) -> Adapter:
    """Without link-local addresses that no socket can have yet.

    An adapter that was just plugged in first asks whether somebody else has its own, for a
    second or two (RFC 4862, 5.4).
    """
    there = [one for one in adapter.interfaces if not _is_tentative(one, adapter.index)]
    return replace(adapter, interfaces=tuple(there))


def _is_tentative(interface: Interface, index: int) -> bool:
    if not is_link_local(str(interface.ip)):
        return False
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as probe:
            probe.bind((str(interface.ip).partition("%")[0], 0, 0, index))
    except OSError as problem:
        return problem.errno == errno.EADDRNOTAVAIL
    return False


def is_denied(adapter: Adapter) -> bool:
    """Whether the system keeps this program from others on this adapter's network.

    macOS does from version 15 on (Local Network privacy), until its person has allowed the
    terminal's program: whatever is sent there fails at once. An empty query is sent to try it.
    """
    if sys.platform != "darwin":
        return False
    for interface in adapter.interfaces:
        if interface.version == 4:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
                asking.setsockopt(
                    socket.IPPROTO_IP, socket.IP_MULTICAST_IF, interface.ip.packed
                )
                try:
                    asking.sendto(bytes(12), ("224.0.0.251", 5353))
                except OSError as problem:
                    return problem.errno == errno.EHOSTUNREACH
    return False


def _ways_out() -> frozenset[str]:
    """Our own addresses on the default routes. Connecting UDP sockets sends nothing."""
    found = set()
    far = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
    for family, place in far:  # documentation addresses, RFC 5737 and 3849
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((place, 9))
            found.add(str(asking.getsockname()[0]))
    return frozenset(found)


def _interface(ip: ifaddr.IP) -> Interface | None:
    """One of ifaddr's addresses with its network; None for one that ipaddress refuses."""
    try:
        if isinstance(ip.ip, str):
            return ipaddress.IPv4Interface(f"{ip.ip}/{ip.network_prefix}")
        text, _, scope = ip.ip
        # Without its scope a link-local address leads nowhere.
        zone = f"%{scope}" if scope and ipaddress.IPv6Address(text).is_link_local else ""
        return ipaddress.IPv6Interface(f"{text}{zone}/{ip.network_prefix}")
    except ValueError:
        return None
