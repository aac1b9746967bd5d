"""Trying the network for real: what fails is a finding, and a bug of ours is none."""

from __future__ import annotations

import errno
import ipaddress
import socket
from typing import NoReturn

import pytest

from protocol.errors import LocalError, Unavailable
from protocol.tools import network_check
from protocol.wire import addresses
from protocol.wire.addresses import Adapter
from tests.protocol.company import run


async def refused(*_: object, **__: object) -> NoReturn:
    raise Unavailable("refused")


async def buggy(*_: object, **__: object) -> NoReturn:
    raise LocalError("a bug")


def codes() -> list[str]:
    return [finding.code for finding in run(network_check._channel(["127.0.0.1"]))]


def test_a_connection_that_works_and_one_that_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert codes() == ["reachable"]
    monkeypatch.setattr(network_check, "dial", refused)
    assert codes() == ["not_reachable"]
    monkeypatch.setattr(network_check, "listen", refused)
    assert codes() == ["refused"]


@pytest.mark.parametrize("step", ["dial", "listen"])
def test_a_bug_is_loud(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network_check, step, buggy)
    with pytest.raises(LocalError):
        codes()


class _Deaf:
    """Sockets whose packets come back to nobody, and fail to be sent with this number."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __call__(self, *_: object) -> _Deaf:
        return self

    def __enter__(self) -> _Deaf:
        return self

    def __exit__(self, *_: object) -> None: ...

    def setsockopt(self, *_: object) -> None: ...

    def sendto(self, *_: object) -> None:
        if self.number:
            raise OSError(self.number, "no route to host")


@pytest.mark.parametrize(
    ("system", "number", "code"),
    [
        ("darwin", errno.EHOSTUNREACH, "local_network"),
        ("darwin", errno.ENETDOWN, "multicast_lost"),
        ("darwin", 0, "multicast_lost"),
        ("linux", errno.EHOSTUNREACH, "multicast_lost"),
    ],
)
def test_a_mac_that_keeps_us_from_its_network_is_told_from_a_deaf_one(
    system: str, number: int, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Local Network privacy: what is sent there fails at once, and no other way tells of it."""

    async def lost(*_: object) -> bool:
        return False

    async def gone(*_: object) -> None: ...

    monkeypatch.setattr(network_check, "connected", lambda _adapters: object())
    monkeypatch.setattr(network_check, "closed", gone)
    monkeypatch.setattr(network_check, "_echo", lost)
    wifi = Adapter(name="en0", index=4, interfaces=(ipaddress.ip_interface("10.0.0.7/24"),))
    with monkeypatch.context() as simulated:
        simulated.setattr(addresses.sys, "platform", system)
        simulated.setattr(addresses, "socket", _System(number))
        assert addresses.is_denied(wifi) == (code == "local_network")
    monkeypatch.setattr(network_check, "is_denied", lambda _: code == "local_network")
    assert run(network_check._multicast(wifi)).code == code


class _System:
    """The module `socket` of a system whose sockets are these."""

    def __init__(self, number: int) -> None:
        self.socket = _Deaf(number)

    def __getattr__(self, name: str) -> object:
        return getattr(socket, name)
