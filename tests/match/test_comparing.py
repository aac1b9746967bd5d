"""Several people's files of one match: what neither of them shows alone."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from citadels_p2p.match import Comparison, compare
from cli.__main__ import main
from protocol.identity.keys import fingerprint
from protocol.journal.genesis import make_genesis
from protocol.journal.statements import MAX_TERMS, Terms, agree_to
from protocol.storage.store import Store
from protocol.wire.codec import decode, encode
from tests.protocol.journal.signing import FIRST, IDENTITIES
from tests.protocol.replication.forked import (
    COMMON,
    ONE,
    OTHER,
    Part,
    begun,
    certificate,
    elects,
    goes_on,
)
from tests.protocol.replication.test_parting import two_elections, two_orders, two_votes, undone
from tests.protocol.tabletop import genesis


def saved(path: Path, part: Part) -> Path:
    """This history on somebody's disk, and whose acknowledgements confirm it."""
    store = Store(path)
    store.start()
    for entry in part[0].entries:
        store.entry(entry, lambda _: None)
    store.certificate(certificate(part))
    store.close()
    return path


def compared(folder: Path, *parts: Part) -> Comparison:
    return compare([saved(folder / f"{n}.citadels", part) for n, part in enumerate(parts)])


def test_files_of_one_match_agree_however_far_each_goes(tmp_path: Path) -> None:
    long, short = goes_on(begun(ONE), b"a", b"b"), goes_on(begun(OTHER), b"a")
    found = compared(tmp_path, long, short, begun(ONE))
    assert found == Comparison(is_one=True)
    assert found.agrees


@pytest.mark.parametrize("fork", [two_orders, two_votes, two_elections])
def test_who_played_on_twice_is_named(tmp_path: Path, fork: object) -> None:
    """Each of the files is sound."""
    found = compared(tmp_path, *fork())  # type: ignore[operator]
    assert found == Comparison(True, COMMON + 1, ("Anna",))
    assert not found.agrees


def test_who_signed_for_both_is_told_where_nothing_proves_a_cheat(tmp_path: Path) -> None:
    """A folder that was put back does the same without its person."""
    assert compared(tmp_path, *undone()) == Comparison(True, COMMON + 1, (), ("Anna",))


def test_what_nobody_confirmed_gave_way_and_names_nobody(tmp_path: Path) -> None:
    one = goes_on(begun(ONE), b"here")
    other = goes_on(elects(begun(OTHER), 3, 2), b"there")
    path = tmp_path / "unconfirmed.citadels"
    store = Store(path)
    store.start()
    for entry in one[0].entries:
        store.entry(entry, lambda _: None)
    store.close()
    found = compare([path, saved(tmp_path / "other.citadels", other)])
    assert found == Comparison(True, COMMON + 1)


def test_two_beginnings_of_one_table_name_who_made_them(tmp_path: Path) -> None:
    anna = IDENTITIES[0]
    terms = begun(ONE, 0)[0].beginning.terms
    agreed = tuple(agree_to(terms, one, bytes(range(16))) for one in IDENTITIES)
    again = make_genesis(anna, terms, agreed)
    assert again != FIRST
    chain = begun(ONE, 0)[0]
    twice = type(chain)(again)
    found = compare(
        [
            saved(tmp_path / "one.citadels", (chain, ())),
            saved(tmp_path / "two.citadels", (twice, ())),
        ]
    )
    assert found == Comparison(True, 0, ("Anna",))


def test_a_beginning_with_other_names_makes_nobody_guilty_of_it(tmp_path: Path) -> None:
    """Anna hosts. She makes another beginning alone, in which she is called Bert."""
    anna = IDENTITIES[0]
    first = begun(ONE, 0)[0]
    terms = decode(first.beginning.terms, Terms, limit=MAX_TERMS)
    bert, seat = terms.operators[1].name, terms.seats[0]
    false = msgspec.structs.replace(
        terms,
        operators=(msgspec.structs.replace(terms.operators[0], name=bert),),
        seats=(msgspec.structs.replace(seat, name=bert),),
    )
    signed = agree_to(encode(false), anna, bytes(16))
    forged = type(first)(make_genesis(anna, encode(false), (signed,)))
    paths = [
        saved(tmp_path / f"{name}.citadels", (chain, ()))
        for name, chain in (("forged", forged), ("own", first))
    ]
    for files in (paths, paths[::-1]):
        assert compare(files) == Comparison(True, 0, (fingerprint(anna.public),))


def test_files_of_two_tables_are_not_of_one_match(tmp_path: Path) -> None:
    chain = begun(ONE)[0]
    other = type(chain)(genesis(IDENTITIES[:3], table=bytes(range(1, 17))))
    assert not compared(tmp_path, (chain, ONE), (other, ())).is_one


def test_the_command_tells_each_file_and_then_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [
        str(saved(tmp_path / f"{n}.citadels", part)) for n, part in enumerate(two_orders())
    ]
    assert main(["verify", *paths]) == 1
    told = capsys.readouterr().out
    assert f"They part at entry {COMMON + 1}" in told
    assert "Anna has signed both" in told
    assert main(["verify", "--json", *paths]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert len(shown["files"]) == 2
    assert shown["together"] == {
        "is_one": True,
        "parts": COMMON + 1,
        "exposed": ["Anna"],
        "forgot": [],
    }
    assert main(["verify", paths[0], str(tmp_path / "missing")]) == 2
