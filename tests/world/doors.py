"""Every door through which this machine comes into a laptop, shut; each is one module of ours.

The import contracts in pyproject.toml hold that there are no others. What runs above is the
program as it is.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest import mock

from citadels_p2p.cards import EDITIONS
from citadels_p2p.match.fold import match as folded
from cli.commands import openings
from cli.line import arguments, flags
from protocol import chance, threads
from protocol.discovery import dns_sd
from protocol.wire import addresses, certificate, tcp
from tests.protocol.tiny_group import TinyGroup
from tests.simulation.chance import small_cities
from tests.world import hall
from tests.world.disk import Line, connect
from tests.world.here import here


class _Chance(Random):
    """The chance of the laptop that asks."""

    def random(self) -> float:
        return here().chance.random()

    def getrandbits(self, k: int) -> int:
        return here().chance.getrandbits(k)


def _listening_context() -> tuple[None, bytes]:
    return None, hashlib.sha256(here().certificate).digest()


def _city() -> flags.Flag:
    """Cities of three districts: no table outside the tests can have them."""
    return flags.option("--city", "", type=arguments.whole, choices=(3, 6, 7, 8))


@contextlib.contextmanager
def shut(*, real_group: bool = False) -> Iterator[None]:
    """While this lasts, nothing of this machine comes in."""
    doors: list[tuple[Any, str, Any]] = [
        (chance, "source", _Chance()),
        (chance, "now_ns", lambda: here().wall_ns()),
        (threads, "Line", Line),
        (tcp, "bound", lambda host, port: here().bound(host, port)),
        (certificate, "listening_context", _listening_context),
        (certificate, "dialling_context", lambda: None),
        (addresses, "every", lambda: here().every_adapter()),
        (dns_sd, "AsyncZeroconf", hall.Zeroconf),
        (dns_sd, "AsyncServiceBrowser", hall.ServiceBrowser),
        (dns_sd, "AsyncServiceInfo", hall.ServiceInfo),
        (flags, "_city", _city),
        (openings, "_passes_on", lambda _settled: here().at_terminal),
        (sys, "stdin", SimpleNamespace(isatty=lambda: here().at_terminal)),
    ]
    if not real_group:
        doors.append((folded, "Edwards25519", TinyGroup))
    with contextlib.ExitStack() as changed:
        for module, name, ours in doors:
            changed.enter_context(mock.patch.object(module, name, ours))
        changed.enter_context(mock.patch("sqlite3.connect", connect))
        for edition in EDITIONS:
            changed.enter_context(small_cities(edition))
        yield
