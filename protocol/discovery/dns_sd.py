"""Shell: all that we use of the library that speaks DNS-SD over multicast DNS.

Name what is here through this module (`dns_sd.AsyncZeroconf`), so that a test can put another
network in its place.
"""

from __future__ import annotations

from collections.abc import Iterable

from zeroconf import (  # type: ignore[attr-defined]  # two names are there for older programs
    DNSOutgoing,
    DNSQuestion,
    DNSQuestionType,
    IPVersion,
    ServiceStateChange,
    Zeroconf,
    const,
    current_time_millis,
)
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

__all__ = [
    "AsyncServiceBrowser",
    "AsyncServiceInfo",
    "AsyncZeroconf",
    "DNSQuestionType",
    "IPVersion",
    "ServiceStateChange",
    "Zeroconf",
    "ask",
    "keeps",
]


def keeps(zeroconf: Zeroconf, kind: str, name: str, seconds: float) -> bool:
    """Whether all records of this service are here, and will be for so long."""
    later = current_time_millis() + 1000 * seconds
    return AsyncServiceInfo(kind, name).load_from_cache(zeroconf, later)


def ask(zeroconf: Zeroconf, names: Iterable[str]) -> None:
    """Ask everybody at once for all records of these services: what comes renews the cache,
    here and at everybody else who listens, though a change was not heard when it was told.
    """
    query = DNSOutgoing(const._FLAGS_QR_QUERY)
    for name in names:
        query.add_question(DNSQuestion(name, const._TYPE_ANY, const._CLASS_IN))
    zeroconf.async_send(query)
