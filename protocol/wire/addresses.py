"""Shell: which networks this machine is on, which addresses to announce, which to try first.

Nothing here needs a default route: two laptops on a bare switch have none. If there is one, its
adapter's address is announced first. An address is only a hint; the handshake proves who
answers there.
"""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
from collections.abc import Collection, Iterable
from dataclasses import dataclass

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

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
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
    out = _ways_out()
    every = (
        _adapter(adapter, out)
        for adapter in ifaddr.get_adapters()
        if not _NOT_A_NETWORK.match(adapter.name)
    )
    found = tuple(adapter for adapter in every if adapter.interfaces)
    if not only:
        return found
    for wanted in only:
        if not any(_is_called(adapter, wanted) for adapter in found):
            raise Unavailable("no_interface", wanted)
    return tuple(a for a in found if any(_is_called(a, wanted) for wanted in only))


def announced(found: Collection[Adapter]) -> tuple[str, ...]:
    """The addresses to announce: IPv4 and wider IPv6 ones; loopback only as a last resort.

    The first one is in the join code. A laptop's own adapters come before switches of virtual
    machines and private networks, and among them the one with the default route.
    """
    outward = [a for a in found if not a.is_inside_only] or list(found)
    chosen: list[Address] = []
    for rank in sorted({adapter.rank for adapter in outward}):
        ranked_so = sorted(
            (a for a in outward if a.rank == rank), key=lambda a: not a.is_way_out
        )
        usable = [interface.ip for adapter in ranked_so for interface in adapter.interfaces]
        wide = [ip for ip in usable if not ip.is_loopback and not ip.is_link_local]
        near = [ip for ip in usable if ip.is_link_local and ip.version == 4]
        chosen += sorted(wide or ([] if chosen else near), key=lambda ip: ip.version)
    if not chosen:
        all_of_them = [i.ip for adapter in outward for i in adapter.interfaces]
        chosen = [ip for ip in all_of_them if ip.is_loopback and ip.version == 4]
    return tuple(dict.fromkeys(map(str, chosen)))[:MAX_ANNOUNCED]


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
    return f"{address}/{fingerprint(public)}"


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
