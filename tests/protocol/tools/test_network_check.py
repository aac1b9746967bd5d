"""Trying the network for real: what fails is a finding, and a bug of ours is none."""

from __future__ import annotations

from typing import NoReturn

import pytest

from protocol.errors import LocalError, Unavailable
from protocol.tools import network_check
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
