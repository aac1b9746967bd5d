"""What two versions say to each other: PROTOCOL.md, 13 *Versions*.

The lines of versions 7 to 10 are what their programs said: they were recorded, not made here.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import citadels_p2p
import protocol
from protocol.cards.transcript import PROTOCOL
from protocol.errors import VersionMismatch
from protocol.identity.keys import Identity
from protocol.journal import genesis, statements
from protocol.journal.statements import VERSION, Signed
from protocol.messages import (
    Catalogue,
    Denied,
    Entries,
    Join,
    JoinTogether,
    Lobby,
    Status,
    Watch,
)
from protocol.session.finding import knock
from protocol.storage.backup import HEADER
from protocol.storage.database import FORMAT
from protocol.wire.certificate import ALPN
from protocol.wire.codec import decode, encode
from protocol.wire.handshake import NEWEST_VERSION, OLDEST_VERSION
from tests.protocol.gathering import company, play
from tests.protocol.journal.make_vectors import recorded
from tests.protocol.session.test_finding import answering, at
from tests.protocol.session.test_locked import said, stranger

pytestmark = pytest.mark.played(by=play)

FOLDER = Path(__file__).parent.parent / "journal" / "vectors"
OLDER: list[dict[str, Any]] = [
    json.loads((FOLDER / f"version-{number}.json").read_text(encoding="utf-8"))
    for number in range(7, VERSION)
]
every_older = pytest.mark.parametrize("older", OLDER, ids=lambda older: older["version"])
PAGE = (Path(protocol.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
ENTRIES = Path(citadels_p2p.__file__).parent.joinpath("match", "ENTRIES.md").read_text("utf-8")
VECTORS = (Path(__file__).parents[2] / "vectors" / "README.md").read_text(encoding="utf-8")
POLICY = re.split(r"^## ", re.split(r"^## [\d.]+ Versions\n", PAGE, flags=re.M)[1], flags=re.M)[
    0
]


def line(older: dict[str, Any], name: str) -> object:
    """What the older program said, as a message of today."""
    return decode(bytes.fromhex(older["lines"][name]), Catalogue, limit=1 << 20)


def test_what_this_version_says_is_recorded_as_that_of_older_ones() -> None:
    """`make_vectors --record`, before the version goes up: a line may be one that is new."""
    now = recorded()
    assert now["version"] == VERSION
    assert now.keys() == OLDER[-1].keys()
    assert isinstance(now["lines"], dict)
    assert now["lines"].keys() >= OLDER[-1]["lines"].keys()
    for name in now["lines"]:
        assert line(now, name)


@every_older
@pytest.mark.parametrize("name", ["join", "join together", "watch"])
async def test_who_comes_with_an_older_program_is_told_why_not(
    older: dict[str, Any], name: str, tmp_path: Path
) -> None:
    asks = line(older, name)
    assert isinstance(asks, Join | JoinTogether | Watch)
    assert asks.version == older["version"] < VERSION
    async with company(tmp_path, 1, spectators=True) as table:
        visitor = await stranger(table)
        visitor.post(asks)
        assert await said(visitor) == Denied("version")
        await table.nodes[0].leave()


@pytest.mark.parametrize("version", [*(older["version"] for older in OLDER), VERSION + 1])
async def test_a_table_of_another_version_is_known_by_its_status(version: int) -> None:
    """So it is listed as that, and nobody tries to sit down."""
    status = line(OLDER[-1], "status")
    assert isinstance(status, Status)
    other = decode(
        encode((2, version, *decode(encode(status), tuple[object, ...], limit=1 << 20)[2:])),
        Catalogue,
        limit=1 << 20,
    )
    async with answering(Identity.fresh(), other) as listener:  # type: ignore[arg-type]
        with pytest.raises(VersionMismatch):
            await knock([at(listener)])


@every_older
def test_the_terms_and_the_genesis_of_an_older_program_are_known_as_that(
    older: dict[str, Any],
) -> None:
    lobby, entries = line(older, "lobby"), line(older, "entries")
    assert isinstance(lobby, Lobby)
    assert isinstance(entries, Entries)
    recorded = Signed(*map(bytes.fromhex, older["genesis"].values()))
    assert entries.entries == (recorded,)
    with pytest.raises(VersionMismatch):
        genesis.open_terms(lobby.terms)
    with pytest.raises(VersionMismatch):
        genesis.open_genesis(recorded)


@pytest.mark.parametrize(
    "terms", [(VERSION + 1,), (VERSION + 1, "of", [[b"another", None], "shape"]), (99, 1, 2)]
)
def test_terms_of_a_later_version_are_known_whatever_their_shape(terms: object) -> None:
    """Their first field is the version, in every version."""
    with pytest.raises(VersionMismatch):
        genesis.open_terms(encode(terms))


def test_the_page_has_the_numbers_of_the_code() -> None:
    """Whoever changes one looks at what it covers."""
    numbers = {
        f"`{ALPN}`",
        f"({OLDEST_VERSION} and {NEWEST_VERSION})",
        f"journal version ({VERSION})",
        f"`{PROTOCOL.decode()}`",
        f"`user_version` ({FORMAT})",
        f"`{HEADER.decode().strip()}`",
    }
    assert not [number for number in numbers if number not in POLICY]
    domains = {
        value.decode() for name, value in vars(statements).items() if name.startswith("DOMAIN_")
    }
    assert domains
    assert not [domain for domain in domains if f"`{domain}`" not in PAGE]
    assert re.search(rf"^Version {VERSION}\.", PAGE, re.MULTILINE)
    assert f"the journal's version ({VERSION})" in ENTRIES
    assert f"the journal's version {VERSION} and" in " ".join(VECTORS.split())
