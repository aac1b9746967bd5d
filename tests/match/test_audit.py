"""What `citadels verify` says of a saved match: as much as is certain, and of nobody more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from citadels_p2p.bots import make_bot
from citadels_p2p.match.archive.assurance import Complaint, Keys, check_hidden
from citadels_p2p.match.archive.audit import Fault, Verdict, examine, judge
from citadels_p2p.match.fold import bodies
from citadels_p2p.rules import Rules
from cli.__main__ import main
from cli.commands.verify import _fault
from cli.i18n import speaking
from protocol.application import Contribution
from protocol.cards.escrow import SEAL_BYTES, seal_to
from protocol.identity.acquaintances import ACQUAINTANCES_FILE, Acquaintances
from protocol.identity.keys import Identity, load_or_create
from protocol.journal.accusation import make_accusation
from protocol.journal.chain import Chain, Journal
from protocol.journal.evidence import exhibit
from protocol.journal.genesis import make_genesis, open_terms
from protocol.journal.statements import DOMAIN_VOTE, Signed, Vote, agree_to, sign
from protocol.journal.stop_reason import StopReason
from protocol.wire.codec import encode
from tests.match.signed_table import NAMES, SignedTable, small_table, write
from tests.match.vacant_chairs import VacantChairs
from tests.protocol.tiny_group import TinyGroup


@pytest.fixture(scope="module", autouse=True)
def small_numbers() -> Iterator[None]:
    """A toy group, for the verifier too: what is told here does not rest on the real one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("citadels_p2p.match.fold.match.Edwards25519", TinyGroup)
        yield


@pytest.fixture(scope="module")
def played(small_numbers: None) -> SignedTable:
    """A match of Anna (the host), Bert and Carla, to its very end."""
    table = small_table(3)
    table.play()
    return table


def whole(table: SignedTable, left_out: int = 0, *reached: int) -> Journal:
    """The journal without so many entries at its end; certified up to `reached`."""
    records = table.records()
    acks = table.certificate(dict(enumerate(reached)))
    return Journal(records[: len(records) - left_out], acks)


# Confirmed, and left out.


def test_without_a_certificate_nothing_is_known_to_be_confirmed(played: SignedTable) -> None:
    verdict = judge(whole(played))
    assert verdict.sound
    assert verdict.confirmed is None
    assert verdict.unconfirmed == verdict.entries == played.chain.head + 1


def test_a_majority_has_confirmed_all_of_it(played: SignedTable) -> None:
    head = played.chain.head
    verdict = judge(whole(played, 0, head, head))
    assert (verdict.sound, verdict.confirmed, verdict.unconfirmed) == (True, head, 0)


def test_what_comes_after_the_confirmed_is_counted(played: SignedTable) -> None:
    head = played.chain.head
    verdict = judge(whole(played, 0, head, head - 7))
    assert (verdict.sound, verdict.confirmed, verdict.unconfirmed) == (True, head - 7, 7)


def test_entries_cut_off_after_they_were_acknowledged_are_missed(played: SignedTable) -> None:
    head = played.chain.head
    verdict = judge(whole(played, 5, head - 9, head))
    assert said(verdict) == (head - 4, "", "journal_incomplete")
    assert f"Bert has acknowledged entry {head}" in verdict.faults[0].detail


# Keys and escrow.


def givers(table: SignedTable) -> list[str]:
    """Who gave its key away first, second and last."""
    return [NAMES[entry.author] for entry in table.chain.entries[-3:]]


def test_all_keys_were_given_away(played: SignedTable) -> None:
    verdict = judge(whole(played))
    assert verdict.opened
    assert verdict.keys == Keys(given=NAMES[:3])


def test_one_key_that_was_not_given_away_is_rebuilt(played: SignedTable) -> None:
    """And the hidden cards are checked with it."""
    verdict = judge(whole(played, 1))
    assert (verdict.sound, verdict.finished, verdict.opened) == (True, True, True)
    *others, last = givers(played)
    assert verdict.keys == Keys(given=tuple(sorted(others)), rebuilt=(last,))


def test_where_too_few_keys_were_given_away_nothing_is_opened(played: SignedTable) -> None:
    verdict = judge(whole(played, 2))
    assert (verdict.sound, verdict.finished, verdict.opened) == (True, True, False)
    first, *others = givers(played)
    assert verdict.keys == Keys(given=(first,), lacking=tuple(sorted(others)))


def test_a_rebuilt_key_is_the_one_that_was_used(played: SignedTable) -> None:
    _, match = examine(whole(played, 1))
    assert match is not None
    assert match.keys.known == played.dealers[0].match.keys.known


def test_a_wrong_value_in_escrow_names_its_dealer() -> None:
    """Its holder was to complain of it, and was in it together with the dealer."""
    table = small_table(3)
    order = table.order

    def meddle(author: int, letter: Contribution) -> None:
        body = bodies.read(letter.body)
        if isinstance(body, bodies.Entrusted) and author == 1:
            group, keys, raw = TinyGroup(), table.dealers[1].match.keys, body.escrow
            value = group.random_scalar()
            wrong = seal_to(group, keys.context(), 1, 0, value, keys.publics[0])
            changed = bodies.Entrusted(raw[:32] + wrong + raw[32 + SEAL_BYTES :])
            letter = replace(letter, body=bodies.write(changed))
        if not isinstance(body, bodies.Complained):
            order(author, letter)

    table.order = meddle  # type: ignore[method-assign]
    table.play()
    verdict = judge(whole(table))
    (at,) = (
        entry.seq
        for entry in table.chain.entries[1:]
        if entry.author == 1 and isinstance(bodies.read(entry.body), bodies.Entrusted)
    )
    assert said(verdict) == (at, "Bert", "proof")
    assert verdict.faults[0].detail == "sealed a wrong value to Anna"
    assert not verdict.opened


def test_a_match_that_was_left_while_lots_were_out_is_sound() -> None:
    """No district lay anywhere yet. It was called one whose pack is not whole."""
    chosen = Rules.make("2016", 2, characters=["random"], uniques=["random"])
    chairs = VacantChairs(chosen, [make_bot("easy")] * 2)
    chairs.until(lambda: chairs.witness.match.stage == "play")
    word = chairs.dealers[1].depart()
    assert isinstance(word, Contribution)
    chairs.order(1, word)
    chairs.play()
    match = chairs.witness.match
    assert match.keys.known.keys() == {0, 1}
    assert not check_hidden(match)


# Who is named.


def flipped(record: Signed) -> Signed:
    return Signed(record.content[:-1] + bytes([record.content[-1] ^ 1]), record.signature)


def changed(records: list[Signed], how: str) -> list[Signed]:
    """The same records after somebody was at the file."""
    match how:
        case "a signature is gone":
            records[30] = Signed(records[30].content, bytes(64))
        case "a letter is another one":
            records[30] = flipped(records[30])
        case "one is left out":
            del records[30]
        case "one is there twice":
            records.insert(30, records[29])
        case "two have changed places":
            records[30], records[31] = records[31], records[30]
        case "one from the end":
            records[30] = records[-1]
    return records


@pytest.mark.parametrize(
    "how",
    [
        "a signature is gone",
        "a letter is another one",
        "one is left out",
        "one is there twice",
        "two have changed places",
        "one from the end",
    ],
)
def test_whoever_changes_a_file_makes_nobody_guilty(played: SignedTable, how: str) -> None:
    records = changed(list(played.records()), how)
    verdict = judge(Journal(tuple(records)))
    assert not verdict.sound
    assert verdict.faults[0].author == ""
    assert verdict.entries == 30


def test_what_the_rules_refuse_is_the_fault_of_who_ordered_it(played: SignedTable) -> None:
    """Its author may have said it at a time when it was right."""
    table = small_table(3)
    meant = next(
        entry for entry in played.chain.entries[1:] if entry.author == 1
    )  # a promise of a key
    for author in (0, 1, 2):
        table.order(author, table.dealers[author].owed()[0])
    entry = table.chain.extend(table.identities[0], table.say(1, meant.body))
    verdict = judge(whole(table))
    assert said(verdict)[:2] == (entry.seq, "Anna")


# Evidence that lies beside the entries.


def two_votes(table: SignedTable, voter: int) -> tuple[bytes, ...]:
    """Somebody has voted for two candidates in one term."""
    match, first = table.chain.genesis.digest, table.chain.hash_at(0)
    votes = (Vote(match, 5, voter, candidate, 0, first) for candidate in (0, 1))
    return tuple(
        exhibit("vote", sign(table.identities[voter], DOMAIN_VOTE, vote)) for vote in votes
    )


def test_evidence_beside_the_entries_names_the_culprit(played: SignedTable) -> None:
    """Whomever the complaint itself named."""
    anna = played.identities[0].public
    fault = StopReason("equivocation", anna, two_votes(played, 2))
    verdict = judge(replace(whole(played), fault=fault))
    assert said(verdict) == (None, "Carla", "equivocation")
    assert verdict.complaint is None


@pytest.mark.parametrize("shown", [(), (b"noise",), (encode(("vote", b"", bytes(64))),)])
def test_a_complaint_that_proves_nothing_is_said_to_be_one(
    played: SignedTable, shown: tuple[bytes, ...]
) -> None:
    anna = played.identities[0].public
    verdict = judge(replace(whole(played, 40), fault=StopReason("illegal", anna, shown)))
    assert verdict.sound
    assert verdict.complaint == Complaint("illegal", "Anna")
    stranger = StopReason("diverged", bytes(32), shown)
    assert judge(replace(whole(played, 40), fault=stranger)).complaint == Complaint(
        "diverged", ""
    )


def test_a_complaint_that_did_not_keep_a_match_from_its_end_is_none(
    played: SignedTable,
) -> None:
    fault = StopReason("illegal", played.identities[0].public, ())
    verdict = judge(replace(whole(played), fault=fault))
    assert (verdict.sound, verdict.complaint) == (True, None)


def begun() -> SignedTable:
    """A match in which everybody has promised a key."""
    table = small_table(3)
    for author in (0, 1, 2):
        table.order(author, table.dealers[author].owed()[0])
    return table


def taken_back(table: SignedTable) -> Signed:
    """Bert took his seat back before he knew confirmed that he had handed it over: where he
    said so, it was his.
    """
    return table.say(1, bodies.write(bodies.HandedOver(1, "")))


def test_an_accusation_of_what_was_late_names_the_accuser_in_the_journal_and_beside() -> None:
    table = begun()
    before, accusation = table.records(), make_accusation(taken_back(table))
    entry = table.chain.extend(table.identities[0], table.say(0, accusation))
    assert said(judge(whole(table)))[:2] == (entry.seq, "Anna")
    fault = StopReason("illegal", table.identities[1].public, (entry.exhibit(),))
    assert said(judge(Journal(before, (), fault)))[:2] == (None, "Anna")


def test_evidence_from_behind_an_entry_that_does_not_hold_proves_nothing() -> None:
    """The rules say nothing there."""
    table = begun()
    bad = table.chain.extend(table.identities[0], table.say(1, b"\xc0"))
    records = table.records()
    order = table.chain.extend(table.identities[0], taken_back(table))
    fault = StopReason("illegal", table.identities[1].public, (order.exhibit(),))
    verdict = judge(Journal(records, (), fault))
    assert said(verdict) == (bad.seq, "Anna", "malformed")


def test_evidence_beside_a_table_of_no_rules_proves_nothing() -> None:
    table = begun()
    terms = open_terms(table.chain.beginning.terms)
    none = encode(msgspec.structs.replace(terms, options=b"{}"))
    agreed = tuple(agree_to(none, one, bytes(16)) for one in table.identities)
    table.chain = Chain(make_genesis(table.identities[0], none, agreed))
    first = table.records()
    order = table.chain.extend(table.identities[0], taken_back(table))
    fault = StopReason("illegal", table.identities[1].public, (order.exhibit(),))
    assert said(judge(Journal(first, (), fault))) == (0, "Anna", "illegal")


def said(verdict: Verdict) -> tuple[int | None, str, str]:
    """Where, who and what."""
    assert not verdict.sound
    (fault,) = verdict.faults
    return fault.seq, fault.author, fault.code


# In words.


def told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], journal: Journal
) -> tuple[int, str, dict[str, object]]:
    """Exit code, words and JSON of the command."""
    path = str(write(tmp_path, journal))
    code = main(["verify", path])
    words = " ".join(capsys.readouterr().out.split())
    assert main(["verify", "--json", path]) == code
    return code, words, json.loads(capsys.readouterr().out)


def test_what_is_for_programmers_is_told_in_no_other_language() -> None:
    fault = Fault(3, "Bert", "malformed", "a damaged journal: not its whole length")
    assert "whole length" in "".join(_fault(fault))
    with speaking("fr"):
        assert "whole length" not in "".join(_fault(fault))


def test_the_command_says_what_it_knows(
    played: SignedTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = played.chain.head
    code, words, report = told(tmp_path, capsys, whole(played, 1, head - 4, head - 4))
    assert code == 0
    assert f"confirmed by a majority of the laptops up to entry {head - 4}." in words
    *others, last = givers(played)
    assert f"put together from what the others held of them: {last}" in words
    assert "names, keys and addresses" in words
    assert report["confirmed"] == head - 4
    assert report["unconfirmed"] == 3
    assert report["keys"] == {"given": sorted(others), "rebuilt": [last], "lacking": []}
    assert report["complaint"] is None
    assert report["tells"] == ["names", "keys", "addresses"]


def test_the_command_says_whose_keys_have_signed(
    played: SignedTable,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever makes a file may give keys of its own the names of people one knows."""
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path / "home"))
    anna, bert, carla = played.identities
    code, words, _ = told(tmp_path / "strange", capsys, whole(played))
    assert code == 0
    for one in played.identities:
        assert f"{one.fingerprint} a key that you have not met" in words
    assert not (tmp_path / "home").exists()  # it looks, and keeps nothing
    met = Acquaintances(tmp_path / "home")
    met.greet("Anna", anna.public)
    met.greet("Bert", Identity.fresh().public)
    _, words, report = told(tmp_path / "met", capsys, whole(played))
    assert f"Anna {anna.fingerprint} the key that you know" in words
    assert f"Bert {bert.fingerprint} not the key that you know by this name" in words
    assert report["operators"] == [
        {"name": "Anna", "fingerprint": anna.fingerprint, "known": "known"},
        {"name": "Bert", "fingerprint": bert.fingerprint, "known": "changed"},
        {"name": "Carla", "fingerprint": carla.fingerprint, "known": "new"},
    ]


def test_the_command_knows_its_own_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path / "home"))
    own = load_or_create(tmp_path / "home")
    table = small_table(3)
    terms = open_terms(table.chain.beginning.terms)
    mine = (msgspec.structs.replace(terms.operators[0], identity=own.public),)
    changed = encode(msgspec.structs.replace(terms, operators=mine + terms.operators[1:]))
    agreed = tuple(agree_to(changed, one, bytes(16)) for one in (own, *table.identities[1:]))
    journal = Journal((make_genesis(own, changed, agreed),))
    assert f"{own.fingerprint} your own key" in told(tmp_path, capsys, journal)[1]


def test_a_list_that_cannot_be_read_leaves_the_keys_as_they_are(
    played: SignedTable,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("CITADELS_HOME", str(home))
    home.mkdir()
    (home / ACQUAINTANCES_FILE).write_text("{")
    assert main(["verify", str(write(tmp_path, whole(played)))]) == 0
    told = capsys.readouterr()
    assert "list of people you met is damaged" in told.err
    assert played.identities[0].fingerprint in told.out
    assert "met" not in told.out


def test_the_command_says_that_nothing_is_confirmed(
    played: SignedTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, words, report = told(tmp_path, capsys, whole(played, 40))
    assert code == 0
    assert "Nothing in this file shows that a majority" in words
    assert "Entries may be missing at its end" in words
    assert (report["confirmed"], report["finished"]) == (None, False)


def test_the_command_names_whom_the_evidence_names(
    played: SignedTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fault = StopReason("equivocation", None, two_votes(played, 2))
    code, words, report = told(tmp_path, capsys, replace(whole(played, 40), fault=fault))
    assert code == 1
    assert "Evidence beside the entries (Carla): Another laptop told two" in words
    assert "names, keys and addresses" in words
    (shown,) = report["faults"]  # type: ignore[misc]
    assert (shown["seq"], shown["author"]) == (None, "Carla")  # type: ignore[index]


def test_the_command_says_that_a_complaint_proves_nothing(
    played: SignedTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fault = StopReason("illegal", played.identities[1].public, ())
    code, words, report = told(tmp_path, capsys, replace(whole(played, 40), fault=fault))
    assert code == 0
    assert "stopped by a complaint that proves nothing: Another laptop broke" in words
    assert "The complaint was about: Bert" in words
    assert report["complaint"] == {"code": "illegal", "name": "Bert"}
