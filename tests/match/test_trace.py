"""The debug log tells how a match went, and holds no secret of anybody's."""

from __future__ import annotations

import asyncio
import base64
import logging
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from citadels_p2p.cards import CHARACTERS, DISTRICTS
from citadels_p2p.rules import Rules
from protocol import Hosted, LobbyChanged, Node
from protocol.identity.keys import Identity, load_or_create
from tests.match import laptops
from tests.match.program import Program, begin
from tests.protocol.gathering import A, company, crash, knows, over, until
from tests.protocol.gathering import play_live as play
from tests.protocol.tiny_group import TinyGroup

WORD = "seven owls"


def lines(caplog: pytest.LogCaptureFixture) -> str:
    return "\n".join(record.getMessage() for record in caplog.records)


def hides(text: str, secrets: Iterable[bytes]) -> bool:
    """Whether none of these is in the text, however bytes are written."""
    return not any(
        form in text
        for secret in secrets
        for form in (
            secret.hex(),
            repr(secret)[2:-1],
            base64.b64encode(secret).decode().rstrip("="),
            secret.decode("latin-1"),
        )
    )


def secrets_of(node: Node[A], identity: Identity) -> list[bytes]:
    """Its key, and all that it has kept to itself in this match."""
    assert node._session.runtime is not None
    said = node._session.runtime.driver.machine.replica.outbox.said()
    kept = [one.keep for one in said if len(one.keep) >= 8]
    assert kept
    return [identity._secret[:32], *kept]


def test_a_locked_match_whose_host_dies(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Who became what in which term is told, and what was done."""
    caplog.set_level(logging.DEBUG)
    secrets = [WORD.encode()]

    async def test() -> None:
        async with company(tmp_path, 3, rounds=8, password=WORD) as table:
            await table.begin()
            await until(table.nodes[2], Hosted)
            await crash(table.nodes[0])
            while (await until(table.nodes[1], Hosted)).operator == 0:
                pass  # told before its laptop died
            await table.resume(0)
            await asyncio.gather(*(over(node) for node in table.nodes[1:]))
            for index in (1, 2):
                secrets.extend(secrets_of(table.nodes[index], table.identities[index]))  # type: ignore[type-var]

    play(test())
    text = lines(caplog)
    for told in (
        r"operator [12]: pre-candidate in term 1, host (0|None)",
        r"operator [12]: candidate in term \d+, host None",
        r"operator ([12]): leader in term \d+, host \1",
        r"operator 2: StoreSubmissions",
        r"operator 1: StoreEntry \d+ by 2 in term \d+",
        r"operator [12]: Send Submit to \d",  # but for whoever orders now
        r"operator 2: Fold seq=\d+ author=\d",
        r"operator 2: Hosting operator=\d",
    ):
        assert re.search(told, text), told
    assert hides(text, secrets)


def test_a_sealed_match(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Neither keys nor openings, nor any card by its name."""
    caplog.set_level(logging.DEBUG)
    secrets: list[bytes] = []

    async def test() -> None:
        homes, rules = (
            [tmp_path / name for name in laptops.NAMES[:3]],
            Rules.make(seats=3, city=6),
        )
        make = laptops.played("easy", group=TinyGroup())
        nodes = [await laptops.host(homes[0], rules, make=make)]
        for home in homes[1:]:
            nodes.append(await laptops.join(nodes[0], home, home.name, make=make))
        for guest in nodes[1:]:
            await knows(guest, 3)
            assert await guest.ready() == ""
        while await nodes[0].start():
            await until(nodes[0], LobbyChanged)  # type: ignore[arg-type]
        while (
            nodes[1].genesis is None or await nodes[1].run(lambda one: one.match.folded) < 200
        ):
            await nodes[1].next()  # somebody has built by then
        for node, home in zip(nodes, homes, strict=True):
            secrets.extend(secrets_of(node, load_or_create(home)))
            await node.leave()

    play(test())
    text = lines(caplog)
    assert "StoreSubmissions" in text
    assert hides(text, secrets)
    for face in (*CHARACTERS, *DISTRICTS):
        assert not re.search(rf"\b{face}\b", text, re.IGNORECASE), face


def test_debug_writes_it_to_a_file(tmp_path: Path) -> None:
    flags = ("--seats", "3", "--bots", "1", "--interface", "lo")
    anna = Program(tmp_path / "anna", "host", "Kitchen", "--name", "Anna", *flags)
    report = tmp_path / "report"
    address = str(anna.hear("table")["address"])
    bert = Program(tmp_path / "bert", "join", address, "--name", "Bert", "--debug", str(report))
    try:
        begin(anna, [bert])
        bert.hear("state")
    finally:
        anna.kill()
        bert.kill()
    text = report.read_text("utf-8")
    assert re.search(
        r"protocol\.replication\.driver DEBUG operator 1: Fold seq=1 author=\d", text
    )
    assert "operator 1: Hosting operator=0" in text
