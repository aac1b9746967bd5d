"""Codes that people say: there and back, and whatever is one thing else is noticed."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Malformed
from protocol.wire.spoken_code import WORDS, SpokenCode, spoken, understood

USUAL = 24_482
secret = st.tuples(st.integers(0, WORDS - 1), st.integers(0, WORDS - 1))
port = st.just(USUAL) | st.integers(256, 65_535)
NETWORKS = ("192.168.0.0/16", "169.254.0.0/16", "10.0.0.0/8", "172.16.0.0/12", "0.0.0.0/0")
host = st.sampled_from(NETWORKS).flatmap(
    lambda network: st.ip_addresses(v=4, network=network).map(str)
)


@given(host, port, secret)
def test_there_and_back(host: str, port: int, secret: tuple[int, int]) -> None:
    code = spoken(f"{host}:{port}", secret, USUAL)
    assert code is not None
    heard = understood(code.numbers, code.words)
    assert heard == code
    assert host in heard.hosts
    assert (heard.port or USUAL) == port
    assert heard.password._secret == code.password._secret


@pytest.mark.parametrize(
    ("address", "numbers"),
    [
        ("192.168.1.20:24482", (1, 20)),
        ("169.254.7.19:24482", (7, 19)),
        ("10.0.0.5:24482", (0, 0, 5)),
        ("172.16.3.4:24482", (16, 3, 4)),
        ("172.32.3.4:24482", (172, 32, 3, 4)),
        ("127.0.0.1:4000", (127, 0, 0, 1, 4000)),
        ("192.168.1.20:40000", (1, 20, 40000)),
    ],
)
def test_what_private_networks_have_in_common_is_not_said(
    address: str, numbers: tuple[int, ...]
) -> None:
    code = spoken(address, (1, 2), USUAL)
    assert code is not None
    assert code.numbers == numbers


@pytest.mark.parametrize(
    ("address", "numbers", "check"),
    [
        ("192.168.1.20:24482", (1, 20), 233),
        ("10.0.7.19:40000", (0, 7, 19, 40000), 255),
    ],
)
def test_the_examples_of_the_protocol(
    address: str, numbers: tuple[int, ...], check: int
) -> None:
    code = spoken(address, (5, 205), USUAL)
    assert code is not None
    assert (code.numbers, code.words) == (numbers, (5, 205, check))


@pytest.mark.parametrize("address", ["[fe80::1]:24482", "192.168.1.20:80", "anna.local:24482"])
def test_what_cannot_be_said(address: str) -> None:
    assert spoken(address, (1, 2), USUAL) is None


@pytest.mark.parametrize(
    "address", ["192.168.1.20:24482", "10.0.7.19:40000", "127.0.0.1:65535"], ids=str
)
def test_one_thing_that_is_another_is_always_noticed(address: str) -> None:
    """Each word and each number but the port, whatever else it is."""
    code = spoken(address, (17, 203), USUAL)
    assert code is not None
    numbers, words = list(code.numbers), list(code.words)
    for said, places in ((numbers, len(code.parts)), (words, 3)):
        for place in range(places):
            right = said[place]
            for other in set(range(WORDS)) - {right}:
                said[place] = other
                with pytest.raises(Malformed):
                    understood(numbers, words)
            said[place] = right
    assert understood(numbers, words) == code


@given(st.integers(256, 65_534), secret)
def test_a_neighbouring_port_is_noticed(port: int, secret: tuple[int, int]) -> None:
    code = spoken(f"192.168.1.20:{port}", secret, USUAL)
    assert code is not None
    if port + 1 != USUAL and port != USUAL:
        with pytest.raises(Malformed):
            understood((1, 20, port + 1), code.words)


@given(
    st.lists(st.integers(0, 10**6), max_size=7),
    st.lists(st.integers(0, WORDS - 1), max_size=5),
)
def test_anything_is_a_code_or_malformed(numbers: list[int], words: list[int]) -> None:
    try:
        code = understood(numbers, words)
    except Malformed:
        return
    assert code.numbers == tuple(numbers)
    assert all(ipaddress.IPv4Address(host) for host in code.hosts)


def test_a_code_does_not_show_its_secret() -> None:
    assert "77" not in repr(SpokenCode((1, 20), None, (77, 77)))
