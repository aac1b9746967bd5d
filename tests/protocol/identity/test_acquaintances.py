"""A known name with another key is a warning, and no stranger makes us forget a friend."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.errors import Unavailable
from protocol.identity.acquaintances import (
    ACQUAINTANCES_FILE,
    MAX_ACQUAINTANCES,
    Acquaintances,
)
from tests.protocol.company import identity


def test_a_known_name_with_another_key_is_a_warning_until_it_is_trusted(tmp_path: Path) -> None:
    anna, impostor = identity(1).public, identity(2).public
    assert Acquaintances(tmp_path).greet("Anna", anna) == "new"
    assert Acquaintances(tmp_path).greet("Anna", anna) == "known"
    assert Acquaintances(tmp_path).greet("Anna", impostor) == "changed"
    assert Acquaintances(tmp_path).greet("Anna", impostor) == "changed"
    Acquaintances(tmp_path).trust("Anna", impostor)
    assert Acquaintances(tmp_path).greet("Anna", impostor) == "known"
    assert Acquaintances(tmp_path).greet("Anna", anna) == "changed"


def test_names_that_read_the_same_are_the_same(tmp_path: Path) -> None:
    company = Acquaintances(tmp_path)
    company.greet("Zoë", identity(1).public)
    assert company.greet("ZOE\u0308 ", identity(1).public) == "known"
    assert company.greet("zoe\u0308", identity(2).public) == "changed"


def test_a_known_key_may_take_another_name(tmp_path: Path) -> None:
    company = Acquaintances(tmp_path)
    company.greet("Anna", identity(1).public)
    assert company.greet("Annabel", identity(1).public) == "known"
    assert company.greet("Annabel", identity(2).public) == "changed"


def test_the_oldest_acquaintance_makes_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.identity.acquaintances.MAX_ACQUAINTANCES", 3)
    company = Acquaintances(tmp_path)
    for number in range(4):
        company.greet(f"guest {number}", identity(number + 1).public)
    assert company.greet("guest 3", identity(4).public) == "known"
    assert company.greet("guest 0", identity(1).public) == "new"
    assert MAX_ACQUAINTANCES >= 100


def test_no_stranger_pushes_out_who_is_pinned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever sits down fills a bounded list; with as many keys as it likes, all of it."""
    monkeypatch.setattr("protocol.identity.acquaintances.MAX_ACQUAINTANCES", 3)
    anna, other = identity(1).public, identity(2).public
    company = Acquaintances(tmp_path)
    company.greet("Anna", anna)
    company.pin("Anna", anna)
    for number in range(9):
        company.greet(f"guest {number}", identity(number + 3).public)
    company = Acquaintances(tmp_path)
    assert company.greet("Anna", other) == "changed"
    assert company.greet("Anna", anna) == "known"
    company.pin("Anna", other)  # the first one stays
    assert company.greet("Anna", anna) == "known"
    assert company.forget("Anna")
    company.pin("Anna", other)
    assert company.greet("Anna", anna) == "changed"


def test_the_pinned_have_a_bound_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.identity.acquaintances.MAX_PINNED", 2)
    company = Acquaintances(tmp_path)
    for number in range(3):
        company.pin(f"friend {number}", identity(number + 1).public)
    assert company.greet("friend 2", identity(3).public) == "known"
    assert company.greet("friend 0", identity(9).public) == "new"


def test_whom_a_list_of_before_knew_is_known_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.identity.acquaintances.MAX_ACQUAINTANCES", 1)
    anna = identity(1).public
    (tmp_path / ACQUAINTANCES_FILE).write_text(f'{{"anna": "{anna.hex()}"}}')
    for number in range(3):
        Acquaintances(tmp_path).greet(f"guest {number}", identity(number + 3).public)
    assert Acquaintances(tmp_path).greet("Anna", anna) == "known"


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b'{"a": ["zz", true]}', b'{"a": 1}', b'{"a": "zz"}', b"\xff"]
)
def test_forgetting_whom_we_know_is_not_done_in_silence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ACQUAINTANCES_FILE).write_bytes(content)
    with pytest.raises(Unavailable) as caught:
        Acquaintances(tmp_path)
    assert caught.value.hint == "acquaintances_damaged"
