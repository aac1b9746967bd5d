"""Shell: all that we use of the library that speaks DNS-SD over multicast DNS.

Name what is here through this module (`dns_sd.AsyncZeroconf`), so that a test can put another
network in its place.
"""

from __future__ import annotations

from zeroconf import DNSQuestionType, IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

__all__ = [
    "AsyncServiceBrowser",
    "AsyncServiceInfo",
    "AsyncZeroconf",
    "DNSQuestionType",
    "IPVersion",
    "ServiceStateChange",
    "Zeroconf",
]
