"""Shell: which networks this machine is on, which addresses to tell others, which to try first.

Nothing here asks for a route: two laptops on a bare switch have none, and find each other all
the same. An address is only a way to try; who answers there is the handshake's business.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import ifaddr

from protocol.errors import Malformed, Unavailable
from protocol.identity import fingerprint, parse_fingerprint

MAX_ANNOUNCED = 8
"""Addresses told to others: each is tried, and few laptops are on more networks."""

_NOT_A_NETWORK = re.compile(r"awdl\d|llw\d|anpi\d", re.ASCII)
_INSIDE_ONLY = re.compile(
    r"docker|br-[0-9a-f]{6}|virbr|vboxnet|vmnet|veth|cni|podman|lxcbr|vEthernet", re.ASCII
)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Interface = ipaddress.IPv4Interface | ipaddress.IPv6Interface


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """One network adapter: its name, its index in the system, its addresses with their
    networks.
    """

    name: str
    index: int
    interfaces: tuple[Interface, ...]

    @property
    def is_inside_only(self) -> bool:
        """Whether it leads to this machine's own containers and virtual machines."""
        return _INSIDE_ONLY.match(self.name) is not None


def adapters(only: Collection[str] | None = None) -> tuple[Adapter, ...]:
    """The machine's adapters, or those named in `only` (by name or by address). May block.

    Raises `Unavailable("no_interface")` if a named one is not there.
    """
    found = tuple(
        Adapter(
            name=adapter.nice_name if adapter.nice_name else adapter.name,
            index=adapter.index or 0,
            interfaces=tuple(
                sorted(
                    (interface for ip in adapter.ips if (interface := _interface(ip))),
                    key=lambda interface: (interface.version, int(interface.ip)),
                )
            ),
        )
        for adapter in ifaddr.get_adapters()
        if not _NOT_A_NETWORK.match(adapter.name)
    )
    found = tuple(adapter for adapter in found if adapter.interfaces)
    if not only:
        return found
    for wanted in only:
        if not any(_is_called(adapter, wanted) for adapter in found):
            raise Unavailable("no_interface", wanted)
    return tuple(a for a in found if any(_is_called(a, wanted) for wanted in only))


def announced(found: Collection[Adapter]) -> tuple[str, ...]:
    """What to tell others: IPv4 and wider IPv6 addresses; loopback only if there is nothing
    else.
    """
    outward = [a for a in found if not a.is_inside_only] or list(found)
    usable = [interface.ip for adapter in outward for interface in adapter.interfaces]
    abroad = [ip for ip in usable if not ip.is_loopback and not ip.is_link_local]
    last = [ip for ip in usable if ip.is_link_local and ip.version == 4]
    chosen = abroad or last or [ip for ip in usable if ip.is_loopback and ip.version == 4]
    return tuple(dict.fromkeys(map(str, sorted(chosen, key=lambda ip: ip.version))))[
        :MAX_ANNOUNCED
    ]


def ranked(candidates: Iterable[str], mine: Collection[Adapter]) -> tuple[str, ...]:
    """Addresses ("host:port") of somebody else, those to try first in front.

    First what is on a network of ours, then the rest, then what may be this machine's own
    containers, and loopback at the end.
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
    """Host and port again; `port` stands in for a missing one. Raises `Malformed`."""
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
    """What a host shows to whoever cannot find it: "host:port/ABCD-EFGH-IJKL-MNOP"."""
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
    return wanted == adapter.name or any(str(i.ip) == wanted for i in adapter.interfaces)


def _interface(ip: ifaddr.IP) -> Interface | None:
    """One address of ifaddr's with its network; None for what nobody can be reached at."""
    try:
        if isinstance(ip.ip, str):
            return ipaddress.IPv4Interface(f"{ip.ip}/{ip.network_prefix}")
        text, _, scope = ip.ip
        # Without its scope a link-local address leads nowhere.
        zone = f"%{scope}" if scope and ipaddress.IPv6Address(text).is_link_local else ""
        return ipaddress.IPv6Interface(f"{text}{zone}/{ip.network_prefix}")
    except ValueError:
        return None
