"""One real match, played once: two laptops on loopback, TLS, SQLite, the real group."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from citadels_p2p.match.archive.record import MatchRecord, record_of
from protocol.journal.chain import Journal
from protocol.storage.match_files import read_journal
from tests.match import laptops


@pytest.fixture(scope="session")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("replay")
    asyncio.run(laptops.play([home / "0", home / "1"], bots=1))
    return next(home.glob("0/matches/*.citadels"))


@pytest.fixture(scope="session")
def journal(saved: Path) -> Journal:
    return read_journal(saved)


@pytest.fixture(scope="session")
def record(journal: Journal) -> MatchRecord:
    return record_of(journal)
