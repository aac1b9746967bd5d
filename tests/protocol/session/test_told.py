"""What peers may tell as addresses and codes: numbers and plain words, in every message."""

from __future__ import annotations

import ipaddress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.text.endings import ENDINGS
from protocol.errors import Malformed
from protocol.journal.genesis import open_terms
from protocol.journal.statements import VERSION, Refusal, Terms
from protocol.messages import (
    DENIALS,
    GOODBYES,
    Catalogue,
    Denied,
    Fault,
    Join,
    Leave,
    Meet,
    Status,
)
from protocol.roster import Operator, Seat
from protocol.wire.addresses import join_address, split_address
from protocol.wire.codec import decode, encode
from protocol.wire.numeric_addresses import MAX_PLACE, is_numeric_place

LONGEST = "[fe80:1111:2222:3333:4444:5555:6666:7777]:65535"

GOOD = (
    "10.0.0.7:4000",
    "255.255.255.255:65535",
    "[fd00::7]:1",
    "[::1]:24482",
    "[::]:5",
    "[1::]:5",
    "[1:2:3:4:5:6:7:8]:9",
    "[1:2:3:4:5:6:7::]:9",
    "[fe80::1]:4000",
    LONGEST,
)
BAD = (
    "",
    "a..b:1",
    "laptop.local:4000",
    "localhost:1",
    "10.0.0.7",
    "10.0.0.7:0",
    "10.0.0.7:65536",
    "10.0.0.7:04000",
    "010.0.0.7:4000",
    "256.0.0.1:4",
    "10.0.0:4",
    "10.0.0.7:4\n",
    "١٠.0.0.7:4000",
    "fd00::7:4000",
    "[fd00::7]",
    "[:::]:5",
    "[1::2::3]:5",
    "[1:2:3:4:5:6:7]:9",
    "[1:2:3:4:5:6:7:8:9]:9",
    "[fd00::7%wlan0]:4000",
    "[fe80::1%wlan0]:4000",
    "[fe80::1%12]:4000",
    "[fe80::1%a b]:4000",
    "\x1b[2J:4000",
    "宽" * 300,
)


@pytest.mark.parametrize("text", GOOD)
def test_a_number_with_a_port_is_an_address(text: str) -> None:
    assert is_numeric_place(text)
    host, _ = split_address(text)
    ipaddress.ip_address(host)


@pytest.mark.parametrize("text", BAD)
def test_nothing_else_is(text: str) -> None:
    assert not is_numeric_place(text)


@given(st.ip_addresses(), st.integers(1, 65_535))
def test_every_address_of_a_machine_may_be_told(
    ip: ipaddress.IPv4Address | ipaddress.IPv6Address, port: int
) -> None:
    if getattr(ip, "ipv4_mapped", None) is None:
        assert is_numeric_place(join_address(str(ip), port))


@given(st.from_regex(r"\A\[?[0-9a-f:.%]{0,24}\]?:[0-9]{1,5}\Z"))
def test_what_passes_is_never_looked_up(text: str) -> None:
    if is_numeric_place(text):
        ipaddress.ip_address(split_address(text)[0])


def told(address: str) -> tuple[msgspec.Struct, ...]:
    """Each message by which a peer tells an address."""
    key = bytes(32)
    return (
        Join(VERSION, "Eve", (address,)),
        Meet(bytes(16), bytes(32), (address,), bytes(8), False),
        Status(
            VERSION,
            bytes(16),
            "Kitchen",
            "classic",
            b"",
            "lobby",
            2,
            1,
            0,
            key,
            (address,),
            "guest",
            False,
            False,
        ),
    )


@pytest.mark.parametrize("address", ["a..b:1", "example.org:80", "宽" * 300])
def test_a_peer_that_tells_a_name_is_refused_by_the_schema(address: str) -> None:
    for message in told(address):
        with pytest.raises(Malformed):
            decode(encode(message), Catalogue, limit=4096)
    for message in told("10.0.0.7:4000"):
        assert decode(encode(message), Catalogue, limit=4096) == message
    operator = Operator(bytes(32), "Eve", (address,))
    seat = Seat("taken", "Eve", 0, "")
    with pytest.raises(Malformed):
        open_terms(encode(Terms(VERSION, bytes(16), "Kitchen", b"", (operator,), (seat,))))


def test_an_address_takes_as_many_bytes_as_characters() -> None:
    assert len(LONGEST.encode()) <= MAX_PLACE


@pytest.mark.parametrize("kind", [Denied, Leave])
def test_a_code_of_somebody_else_is_none_of_our_own_verdicts(
    kind: type[Denied] | type[Leave],
) -> None:
    """What ends a program for what it has found itself, in words and with an exit code."""
    known = DENIALS if kind is Denied else GOODBYES
    for code in known:
        assert decode(encode(kind(code)), Catalogue, limit=4096) == kind(code)
    own = {*ENDINGS} - {"closed", "finished", "left", "version", "elsewhere"}
    assert {"cheat", "equivocation", "outbox_lost", "journal_damaged", "false_words"} < own
    assert not own & {*known}
    for code in (*own, "", "unheard-of"):
        with pytest.raises(Malformed):
            decode(encode(kind(code)), Catalogue, limit=4096)


@pytest.mark.parametrize("code", ["\x1b[2J", "closed\n", "clo sed", "Ärger", "‮", "x" * 65])
def test_a_code_is_a_word_that_no_terminal_obeys(code: str) -> None:
    said: tuple[msgspec.Struct, ...] = (Denied(code), Leave(code), Fault(code, None, ()))
    for message in said:
        with pytest.raises(Malformed):
            decode(encode(message), Catalogue, limit=4096)
    for level, kind in ((code, "bot"), ("easy", "bot\n")):
        operator = Operator(bytes(32), "Eve", ())
        terms = Terms(
            VERSION,
            bytes(16),
            "Kitchen",
            b"",
            (operator,),
            (Seat(kind, "Bot 1", 0, level),),
        )
        with pytest.raises(Malformed):
            open_terms(encode(terms))


def test_a_refusal_may_say_a_few_words_in_plain_ascii() -> None:
    def refusal(code: str) -> bytes:
        return encode(Refusal(bytes(32), 1, 1, 1, bytes(32), 0, bytes(32), code))

    fine = refusal("forbidden proof: a share that does not hold")
    assert encode(decode(fine, Refusal, limit=1024)) == fine
    for code in ("\x1b[2J", "stale\n", "Ärger", "x" * 65):
        with pytest.raises(Malformed):
            decode(refusal(code), Refusal, limit=1024)
