"""Shell: can tables be opened, announced and found from this machine? All of it is tried.

The tries have a service name of their own and a fresh key, so that no table appears on any
screen and nothing is left behind.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Collection

import msgspec

from protocol import chance
from protocol.cards.group import Edwards25519, self_test
from protocol.discovery import dns_sd
from protocol.discovery.multicast import closed, connected
from protocol.errors import Failure, Unavailable
from protocol.identity.keys import Identity
from protocol.tools.findings import Finding
from protocol.wire.addresses import Adapter, adapters, is_denied, own_addresses
from protocol.wire.channel import Channel, dial
from protocol.wire.listener import bind, listen

SERVICE = "_citadels-check._tcp.local."
ECHO_SECONDS = 3.0
"""A multicast packet comes back in a millisecond; zeroconf sends its second one after one
second."""


async def check_network(only: Collection[str] | None, port: int) -> tuple[Finding, ...]:
    """Adapters, multicast on each, the usual port, a whole connection to every own address.

    `only` narrows the adapters by name or address; `port` is where hosts listen first.
    """
    try:
        found = await asyncio.to_thread(adapters, only)
    except Unavailable as problem:
        return (Finding("network", "bad", problem.hint, {"interface": problem.detail}),)
    outward = tuple(a for a in found if not a.is_inside_only and not a.is_loopback)
    echoes = await asyncio.gather(*(_multicast(adapter) for adapter in outward))
    return (
        *_adapters(found, outward),
        *echoes,
        _port(port),
        *await _channel(own_addresses(found)),
    )


async def check_libraries() -> tuple[Finding, ...]:
    """Whether the group's library refuses the points in which a cheater would hide a mark."""
    try:
        await asyncio.to_thread(self_test, Edwards25519())
    except Unavailable as problem:
        return (Finding("libraries", "bad", problem.hint),)
    return (Finding("libraries", "ok", "group_sound"),)


def _is_private(adapter: Adapter) -> bool:
    """A virtual private network that carries addresses of its own."""
    wide = any(not interface.ip.is_link_local for interface in adapter.interfaces)
    return wide and adapter.is_private


def _adapters(found: Collection[Adapter], outward: Collection[Adapter]) -> list[Finding]:
    told: list[Finding] = []
    for adapter in found:
        addresses = ", ".join(str(interface.ip) for interface in adapter.interfaces)
        fields: dict[str, str | int] = {"interface": adapter.name, "addresses": addresses}
        if adapter.is_inside_only:
            told.append(Finding("network", "ok", "inside_only", fields))
        elif _is_private(adapter):
            told.append(Finding("network", "warn", "private_network", fields))
        elif adapter in outward:
            told.append(Finding("network", "ok", "interface", fields))
    ours = [ipaddress.ip_address(text) for text in own_addresses(found)]
    if all(ip.is_loopback for ip in ours):
        told.append(Finding("network", "bad", "no_network"))
    elif all(ip.is_link_local for ip in ours):
        told.append(Finding("network", "ok", "bare_network"))
    else:
        told += [
            Finding("network", "ok", "bare_beside", {"interface": adapter.name})
            for adapter in outward
            if any(
                ip.is_link_local for ip in map(ipaddress.ip_address, own_addresses((adapter,)))
            )
        ]
    return told


async def _multicast(adapter: Adapter) -> Finding:
    """Announce something on this adapter, and listen for it with other sockets."""
    fields: dict[str, str | int] = {"interface": adapter.name}
    stations: list[dns_sd.AsyncZeroconf] = []
    try:
        for _ in range(2):
            stations.append(connected((adapter,)))
        heard = await _echo(*stations)
    except Unavailable as problem:
        return Finding("multicast", "bad", problem.hint, fields)
    finally:
        for station in stations:
            await closed(station)
    if heard:
        return Finding("multicast", "ok", "multicast_heard", fields)
    if is_denied(adapter):
        return Finding("multicast", "bad", "local_network", fields)
    return Finding("multicast", "bad", "multicast_lost", fields)


async def _echo(speaker: dns_sd.AsyncZeroconf, listener: dns_sd.AsyncZeroconf) -> bool:
    """Whether what one announces reaches the other by the adapter's multicast."""
    label = f"c-{chance.source.randbytes(4).hex()}"
    heard = asyncio.Event()

    def on_change(
        zeroconf: dns_sd.Zeroconf,
        service_type: str,
        name: str,
        state_change: dns_sd.ServiceStateChange,
    ) -> None:
        if name.startswith(label) and state_change is dns_sd.ServiceStateChange.Added:
            heard.set()

    browser = dns_sd.AsyncServiceBrowser(listener.zeroconf, SERVICE, handlers=[on_change])
    service = dns_sd.AsyncServiceInfo(
        SERVICE, f"{label}.{SERVICE}", port=9, server=f"{label}.local.", parsed_addresses=[]
    )
    spreading = None
    try:
        async with asyncio.timeout(ECHO_SECONDS):
            spreading = await speaker.async_register_service(
                service, cooperating_responders=True
            )
            await heard.wait()
    except TimeoutError:
        return False
    finally:
        if isinstance(spreading, asyncio.Future):
            spreading.cancel()
            await asyncio.gather(spreading, return_exceptions=True)
        await browser.async_cancel()
    return True


def _port(port: int) -> Finding:
    fields: dict[str, str | int] = {"port": port}
    try:
        bound = bind(None, port, None)
    except Unavailable:
        return Finding("ports", "warn", "usual_port_busy", fields)
    for one in bound:
        one.close()
    return Finding("ports", "ok", "usual_port_free", fields)


class _Word(msgspec.Struct, frozen=True, array_like=True, tag=1):
    """The message of the connection that is tried."""


async def _channel(hosts: Collection[str]) -> list[Finding]:
    """Listen as a table does, and connect to each of our own addresses."""
    identity = Identity.fresh()

    async def answer(channel: Channel) -> None:
        channel.post(await channel.receive())

    try:
        listener = await listen(identity, "", answer, catalogue=_Word)
    except Unavailable as problem:
        return [Finding("ports", "bad", problem.hint)]
    told: list[Finding] = []
    try:
        for host in hosts:
            fields: dict[str, str | int] = {"address": host}
            try:
                channel = await dial(
                    host,
                    listener.port,
                    Identity.fresh(),
                    "",
                    catalogue=_Word,
                    expect=identity.public,
                )
                channel.post(_Word())
                async with asyncio.timeout(ECHO_SECONDS):
                    await channel.receive()
                channel.abort()
            except (Failure, TimeoutError):
                told.append(Finding("ports", "bad", "not_reachable", fields))
            else:
                told.append(Finding("ports", "ok", "reachable", fields))
    finally:
        await listener.close()
    return told
