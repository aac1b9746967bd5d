"""What the vectors say is so: read back, by the program and, of the cards, by a second checker.

Another program reads the same files by the same steps: README.md has them.
"""

from __future__ import annotations

import json
import re
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from citadels_p2p import rules
from citadels_p2p.match.archive.assurance import confirmed
from citadels_p2p.match.archive.audit import judge, verify
from citadels_p2p.match.archive.comparing import compare
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.match.options import unpack_liveness, unpack_options
from citadels_p2p.notation import read_record, replay
from citadels_p2p.rules import Rules
from citadels_p2p.rules.needs import Opened
from protocol.cards import escrow
from protocol.cards.group import Edwards25519, Point, Scalar
from protocol.cards.share_keys import check_key
from protocol.errors import BadProof, RemoteError
from protocol.identity.password import Password
from protocol.journal.chain import Journal
from protocol.storage import backup
from protocol.storage.match_files import read_journal
from tests.match.signed_table import write_file
from tests.protocol.slow_verifier import (
    Claim,
    Refused,
    check_shares_step,
    check_shuffle_step,
    check_transfer_step,
)
from tests.vectors import bad, engine, exchanges, matches, proofs
from tests.vectors.writing import FOLDER, drawn_from, read, to_text

PROOFS, BAD = read("proofs.json"), read("bad.json")


def rows(content: dict[str, object], key: str) -> list[dict[str, Any]]:
    found = content[key]
    assert isinstance(found, list)
    return found


def named(row: dict[str, Any]) -> str:
    return str(row["name"])


# Proofs.


@pytest.mark.parametrize("vector", rows(PROOFS, "proofs"), ids=named)
def test_a_proof_holds_and_comes_to_its_challenge(vector: dict[str, Any]) -> None:
    group = proofs.Listening()
    group.begin()
    proofs.check(group, vector)
    assert group.told() == vector["computed"]


@pytest.mark.parametrize("vector", rows(PROOFS, "proofs"), ids=named)
def test_what_is_nearly_a_proof_is_refused(vector: dict[str, Any]) -> None:
    assert len(vector["refused"]) >= 6
    for change in vector["refused"]:
        with pytest.raises(RemoteError) as caught:
            proofs.check(Edwards25519(), proofs.with_change(vector, change))
        assert caught.value.code == change["error"], change["what"]


def second_checker(vector: dict[str, Any]) -> None:
    claim = Claim(
        bytes.fromhex(vector["context"]),
        bytes.fromhex(vector["purpose"]),
        vector["operator"],
        tuple(map(bytes.fromhex, vector["publics"])),
        tuple((slot, version) for slot, version in vector["places"]),
    )
    inputs = [bytes.fromhex(one) for one in vector["inputs"]]
    step = bytes.fromhex(vector["step"])
    match vector["proof"]:
        case "shares":
            check_shares_step(claim, inputs, step)
        case "shuffle":
            check_shuffle_step(claim, inputs, step, bytes.fromhex(vector["joint"]))
        case "transfer":
            check_transfer_step(claim, bytes.fromhex(vector["receiver"]), inputs, step)


@pytest.mark.parametrize(
    "vector", [row for row in rows(PROOFS, "proofs") if "inputs" in row], ids=named
)
def test_a_second_checker_comes_to_the_same(vector: dict[str, Any]) -> None:
    second_checker(vector)
    few = vector["refused"][:1] if vector["proof"] == "shuffle" else vector["refused"]
    for change in few:  # it takes a second for a shuffle
        with pytest.raises(Refused):
            second_checker(proofs.with_change(vector, change))


def test_escrow_complaint_and_what_is_given_back() -> None:
    group, held = Edwards25519(), PROOFS["escrow"]
    assert isinstance(held, dict)
    context = bytes.fromhex(str(PROOFS["context"]))
    publics = [Point(bytes.fromhex(key)) for key in _texts(PROOFS, "publics")]
    secrets = [Scalar(bytes.fromhex(key)) for key in _texts(PROOFS, "secrets")]
    for at, opening in enumerate(_texts(PROOFS, "openings")):
        promise = bytes.fromhex(_texts(PROOFS, "commitments")[at])
        assert check_key(group, context, at, promise, bytes.fromhex(opening)) == publics[at]
    needed = held["threshold"]
    right, wrong = (
        escrow.read_escrow(group, context, publics, 0, needed, bytes.fromhex(held[name]))
        for name in ("escrow", "wrong_escrow")
    )
    assert [point.hex() for point in right.points] == held["points"]
    values = {holder: right.open_seal(holder, secrets[holder]) for holder in (1, 2)}
    assert {str(holder): value.hex() for holder, value in values.items()} == held["values"]
    wrong.uphold(1, bytes.fromhex(held["complaint_of_1"]))
    unjust = bytes.fromhex(held["complaint_against_a_right_one"])
    with pytest.raises(BadProof):
        right.uphold(1, unjust)
    given = {
        holder: escrow.read_seal(group, context, 0, holder, bytes.fromhex(raw))
        for holder, raw in zip((1, 2), held["given_back_by_1_and_2"], strict=True)
    }
    lock = Scalar(bytes.fromhex(held["lock_secret"]))
    assert right.regain(given, lock) == secrets[0]


def _texts(content: dict[str, object], key: str) -> list[str]:
    found = content[key]
    assert isinstance(found, list)
    return found


# The engine.


def test_the_editions_are_as_they_are_played() -> None:
    assert read("editions.json") == json.loads(to_text(engine.editions()))


def test_every_game_comes_to_its_digests_by_its_record() -> None:
    """From the public facts alone, as whoever has another engine reads them."""
    content = read("games.json")
    told = rows(content, "games")
    assert content["engine"] == engine.engine_digest(told)
    assert str(content["engine"]) in engine.PAGE.read_text(encoding="utf-8")
    for game in told:
        record = read_record(game["record"])
        assert json.dumps(record.rules.to_options(), separators=(",", ":")) == game["options"]
        *_, last = replay(record)
        assert rules.digest(last.state).hex().startswith(game["digests"].split()[-1])


@pytest.mark.parametrize("number", range(len(engine.GAMES)))
def test_the_engine_has_not_changed(number: int) -> None:
    """`python -m tests.vectors` writes them anew, under a new version of the journal."""
    _, digests = engine.played(engine.GAMES[number], f"game {number}")
    assert " ".join(digests) == rows(read("games.json"), "games")[number]["digests"]


LETTERS = {
    "shuffle": "s",
    "open": "o",
    "call": "c",
    "character": "t",
    "discard_character": "x",
    "act": "a",
    "keep": "k",
    "discard": "r",
    "respond": "g",
}
TURN = "(a(d?k?|dd|rd?|g))+"
CHOICES = {2: "dtdtxdtxdt", 3: "(dt){6}"}
FACE_UP = {4: "o(os)?", 5: "o(os)?"}


@pytest.mark.parametrize("seats", range(2, 8))
def test_the_needs_of_the_classic_box_come_as_the_page_says(seats: int) -> None:
    """ENGINE.md, "The needs of the classic box": other programs are made by it."""
    chosen = Rules.make("classic", seats, 6)
    facts, _ = engine.played(chosen, f"needs {seats}")
    state, said = rules.new(chosen), ""
    for fact in facts:
        need = rules.need(state)
        word = need.kind if isinstance(need, rules.Decide) else engine.told_need(need)[0]
        said += LETTERS.get(str(word), "d")
        if isinstance(need, rules.Call):
            assert rules.hidden_picks(state)
            named = chosen.characters[need.rank - 1]
            assert named not in (*state.faceup.values(), state.silenced)
        rules.apply(state, fact)
    choices = CHOICES.get(seats, f"(dt){{{seats}}}")
    a_round = f"s{FACE_UP.get(seats, '')}{choices}(c({TURN})?)+o?"
    assert re.fullmatch(f"sosd{{{seats}}}({a_round})+", said)


def test_a_card_of_a_hand_is_drawn_as_the_page_says() -> None:
    """ENTRIES.md, "Lots": the Seer's, seat by seat, and the Emperor's."""
    chosen = Rules.make("2016", 4, 6, characters=["seer", "emperor"])
    facts, _ = engine.played(chosen, "a lot out of a hand")
    state, drawn = rules.new(chosen), dict[str, list[list[int]]]()
    for at, fact in enumerate(facts):
        need = rules.need(state)
        if isinstance(need, rules.Shuffle) and need.pile == "lots" and state.round:
            hands = [[str(slot) for slot in home.hand] for home in state.places]
            seat = hands.index([*need.fresh])
            first = state.fresh_slot - len(need.fresh)
            assert need.slots == (*range(first, state.fresh_slot),)
            after = state.copy()
            rules.apply(after, fact)
            opening, opened = rules.need(after), facts[at + 1]
            assert opening == rules.Open(need.slots[:1])
            assert isinstance(opened, Opened)
            rules.apply(after, opened)
            taken = int(opened.faces[0])
            assert taken not in after.places[seat].hand
            deal = rules.need(after)
            assert isinstance(deal, rules.Deal)
            assert deal.slots == (taken,)
            assert deal.seat != seat
            assert state.turn is not None
            asked = drawn.setdefault(state.turn.character, [])
            asked += [[]] if not asked or seat <= asked[-1][-1] else []
            asked[-1].append(seat)
        rules.apply(state, fact)
    assert drawn.keys() == {"seer", "emperor"}
    assert any(len(seats) == 3 for seats in drawn["seer"])


# Whole matches.


@pytest.fixture(scope="module", params=matches.MATCHES)
def match(request: pytest.FixtureRequest) -> tuple[Journal, dict[str, Any]]:
    name = request.param
    return read_journal(FOLDER / "matches" / f"{name}.citadels"), read(f"matches/{name}.json")


def test_a_match_is_what_is_said_of_it(match: tuple[Journal, dict[str, Any]]) -> None:
    """Verdict, words, faces, and after each entry the digest, the step and who owes what."""
    journal, said = match
    assert matches.told(journal) == said


def test_the_command_writes_the_same_match_again() -> None:
    """All of it follows from a seed: what differs is another version."""
    kept = read_journal(FOLDER / "matches" / "lots.citadels")
    assert matches.made("lots").journal_here() == kept


@pytest.fixture(scope="module")
def torn() -> dict[str, bad.Torn]:
    return {name: bad.Torn(name) for name in matches.MATCHES}


def test_every_body_there_is_stands_in_some_vector(torn: dict[str, bad.Torn]) -> None:
    entries = [entry for one in torn.values() for entry in one.whole.entries[1:]]
    found = {type(bodies.read(entry.body)) for entry in entries if entry.election is None}
    assert {*bodies.KINDS, bodies.Removed} - found == {bodies.Complained}
    assert any(entry.election for entry in entries)
    assert any("complains" in fault["name"] for fault in rows(BAD, "entries"))


def duty_rows() -> list[tuple[list[str], set[int]]]:
    """The table of duties in ENGINE.md: kinds, and the tags by which they are fulfilled."""
    _, _, after = engine.PAGE.read_text(encoding="utf-8").partition("| while | duty |")
    table = after.split("\n\n", 1)[0].splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in table]
    return [
        (
            [word for word in re.findall(r"\w+", duty) if word in KINDS],
            {int(tag) for tag in tags.split(", ")},
        )
        for _, duty, _, tags in cells
    ]


KINDS = frozenset(
    re.findall(r"\w+", (Duty.__doc__ or "").partition("`kind`:")[2].split(";")[0])
)


def test_the_table_of_duties_is_that_of_the_code(torn: dict[str, bad.Torn]) -> None:
    """All that is owed at one moment stands in one row, and is fulfilled by that row's tags."""
    table = [
        ({*kinds} | ({"veil", "remask"} if {20, 3} <= tags else set()), tags)
        for kinds, tags in duty_rows()
    ]
    assert {word for kinds, _ in table for word in kinds} == KINDS
    held: set[int] = set()
    for name, one in torn.items():
        owed = read(f"matches/{name}.json")["owed"]
        assert isinstance(owed, list)
        for entry, before in zip(one.whole.entries[1:], owed, strict=False):
            duties = [duty.split()[:3] for duty in before.split("; ") if duty]
            kinds = {kind for kind, *_ in duties}
            fitting = [at for at, (words, _) in enumerate(table) if kinds <= words]
            assert fitting, (name, entry.seq, before)
            tag = 0 if entry.election else entry.body[1]
            owes = {kind for kind, _, by in duties if by == str(entry.author)}
            if owes and tag in FULFILLING:
                assert any(tag in table[at][1] for at in fitting), (name, entry.seq, before)
                held.update(at for at in fitting if tag in table[at][1])
    assert held == set(range(len(table))) - NEVER_HERE


FULFILLING = frozenset((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 15, 19, 20, 24))
NEVER_HERE: frozenset[int] = frozenset()


# Faults.


@pytest.mark.parametrize("fault", rows(BAD, "entries"), ids=named)
def test_a_fault_is_found_at_its_entry(
    fault: dict[str, Any], torn: dict[str, bad.Torn]
) -> None:
    put = list(bad.read_signed(fault["entries"]))
    verdict = judge(bad.journal_of(torn[fault["of"]], (fault["keep"], put)))
    assert matches.judged(verdict)["faults"] == fault["faults"]


@pytest.mark.parametrize("fault", rows(BAD, "certificates"), ids=named)
def test_a_false_certificate_confirms_nothing(
    fault: dict[str, Any], torn: dict[str, bad.Torn]
) -> None:
    whole = torn[fault["of"]]
    with pytest.raises(RemoteError) as caught:
        confirmed(whole.whole, bad.read_signed(fault["acknowledgements"]))
    assert [[whole.whole.head + 1, "", caught.value.code]] == fault["faults"]


@pytest.mark.parametrize("fault", rows(BAD, "files"), ids=named)
def test_a_file_of_other_tables_is_not_read(fault: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "bad.citadels"
    path.write_bytes((FOLDER / "matches" / f"{fault['of']}.citadels").read_bytes())
    with closing(sqlite3.connect(path)) as file, file:
        for statement in fault["sql"]:
            file.execute(statement)
    verdict = verify(path)
    assert not verdict.sound
    assert verdict.entries == 0


@pytest.mark.parametrize("fork", rows(BAD, "forks"), ids=named)
def test_two_histories_show_together_what_neither_shows(
    fork: dict[str, Any], torn: dict[str, bad.Torn], tmp_path: Path
) -> None:
    paths = []
    for number, side in enumerate(fork["sides"]):
        kept = torn[fork["of"]].journal.records[: fork["keep"]]
        journal = Journal(
            (*kept, *bad.read_signed(side["entries"])),
            bad.read_signed(side["acknowledgements"]),
        )
        paths.append(tmp_path / f"{number}.citadels")
        write_file(paths[-1], journal)
        assert verify(paths[-1]).sound
    shown = compare(paths)
    assert (shown.parts, list(shown.exposed), list(shown.forgot)) == (
        fork["parts"],
        fork["exposed"],
        fork["forgot"],
    )


# What stands beside the journal.


def test_passwords_codes_and_the_backup() -> None:
    with drawn_from("exchanges.json"):
        assert json.loads(to_text(exchanges.vectors())) == read("exchanges.json")
    told = read("exchanges.json")["backup"]
    assert isinstance(told, dict)
    with tempfile.TemporaryDirectory() as home:
        content = bytes.fromhex(told["backup"])
        assert backup.unpack(Path(home), content, Password(told["password"])) == 0
        assert (Path(home) / "identity.pem").read_text() == told["key_file"]


# The page.


def test_the_page_of_the_engine_is_up_to_date() -> None:
    """`python -m tests.vectors` makes its table anew."""
    text = engine.PAGE.read_text(encoding="utf-8")
    assert text == engine.page()
    showing = ", ".join(f"`{verb}`" for verb in engine.showing()[:-1])
    said = f"{showing} or `{engine.showing()[-1]}`; no other shows anything"
    assert said in " ".join(text.split())


def test_the_public_state_has_the_values_of_the_page_in_their_order() -> None:
    state = rules.new(engine.GAMES[0])
    assert f"{len(engine.STATE)} values" in engine.PAGE.read_text(encoding="utf-8")
    names = [name for name, _ in engine.STATE]
    before = state.values()
    assert len(before) == len(names)
    plain = {"rules": state.rules, "places": state.places, "stack": state.frames()}
    for at, name in enumerate(names):
        if name in plain:
            continue
        changed, put = state.copy(), _another(getattr(state, name))
        setattr(changed, name, put)
        differing = [
            n
            for n, pair in enumerate(zip(before, changed.values(), strict=True))
            if pair[0] != pair[1]
        ]
        assert differing == [at], name


def _another(value: object) -> object:
    """Another value of the same kind, or of one that the state takes in its place."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return f"{value}x"
        case dict():
            return {7: "x"}
        case list():
            return [*value, 7]
        case _:
            return _Turn(1)


class _Turn(int):
    """Stands for what was nothing: a number, or a turn."""

    def values(self) -> tuple[object, ...]:
        return ("other",)


def test_options_are_read_as_the_page_says() -> None:
    for box in rows({"editions": [*read("editions.json").values()]}, "editions"):
        for table in box["tables"]:
            chosen = unpack_options(table["options"].encode())
            assert list(chosen.characters) == table["characters"]
            assert len(chosen.pack) == table["cards"]
            assert unpack_liveness(table["options"].encode()).away == 20
