"""ENTRIES.md, *What may not stand*: every phrase of its table is tried on the fold, at matches
that go through all that may happen, and every refusal that the fold has is one of them.
"""

from __future__ import annotations

import ast
import re
import traceback
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest

from citadels_p2p import rules
from citadels_p2p.bots import make_bot
from citadels_p2p.match import fold
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.fold.refusal import STALE, refusal_code
from citadels_p2p.match.options import Liveness, pack_options
from citadels_p2p.rules import Decide, Move, Rules
from citadels_p2p.rules.needs import Decided
from protocol.application import Contribution
from protocol.errors import RemoteError
from tests.match.round_table import genesis_for
from tests.match.vacant_chairs import VacantChairs

FOLDER = Path(fold.__file__).parent
PAGE = (FOLDER.parent / "ENTRIES.md").read_text(encoding="utf-8")
EASY = make_bot("easy")

DUTIES: dict[type[object], tuple[str, ...]] = {
    bodies.KeyCommit: ("commit",),
    bodies.KeyOpen: ("key",),
    bodies.Shuffled: ("shuffle", "remask", "mix"),
    bodies.Shared: ("deal",),
    bodies.Opened: ("open",),
    bodies.Answered: ("answer",),
    bodies.Acted: ("act",),
    bodies.KeyShown: ("audit",),
    bodies.Pledged: ("pledge",),
    bodies.Entrusted: ("entrust",),
    bodies.Recovered: ("recover",),
    bodies.TimedOut: ("timeout",),
    bodies.Passed: ("pass",),
    bodies.Veiled: ("veil",),
    bodies.Ended: ("over",),
}
"""By what each duty is fulfilled."""

PROVEN = {"opening", "proof", "shares", "transfer", "veils", "parts", "escrow"}
"""Fields that hold what is checked as a proof."""

BEHIND_OTHERS = {
    "seats: not as many as the rules say",  # of a genesis
    "seats: one has no operator",
    "no such character",  # behind the engine
    "the card is not open",  # behind the proof of its shares
    "no commitment stands on this card",  # behind the pledge that is owed
    "nobody to be given up",  # behind "is not gone"
    "a part of what its holder or reader has not masked since",  # behind the masks owed
}
"""Refusals that no entry meets, since another one comes first."""


def page() -> dict[str, list[tuple[str, str]]]:
    """The table: by tag, the column and each phrase in it."""
    _, _, after = PAGE.partition("| tag | stale where | a cheat where |\n| --- | --- | --- |\n")
    found: dict[str, list[tuple[str, str]]] = {}
    for row in after.split("\n\n", 1)[0].splitlines():
        tag, stale, cheat = (cell.strip() for cell in row.strip("|").split("|"))
        cells = (("stale", stale), ("cheat", cheat))
        found[tag] = [(how, said) for how, cell in cells for said in cell.split("; ") if said]
    return found


def tag_of(body: bodies.Body | bodies.Removed) -> str:
    if isinstance(body, bodies.Removed):
        return "removal"
    return str(body.__struct_config__.tag)


def written(body: bodies.Body | bodies.Removed) -> bytes:
    if isinstance(body, bodies.Removed):
        return b"\xc1removal" + bytes([body.operator]) + body.place.to_bytes(8, "big")
    return bodies.write(body)


Attempt = tuple[int, bodies.Body | bodies.Removed, str]
"""By whom, what, and words of the phrase that says why it may not stand."""


class Trying(VacantChairs):
    """Before each entry what may not stand there is tried, as the page has it; after it, who
    spoke is looked at.
    """

    def begin(self) -> Trying:
        self.table = page()
        self.tried: set[tuple[str, str]] = set()
        self.again: set[type[object]] = set()
        self.met: set[tuple[str, int]] = set()
        return self

    def judge(self, author: int, body: bytes) -> str:
        match = self.witness.match
        before = match.digest(), match.absence.attendance.words, len(match.owed_once)
        with pytest.raises(RemoteError) as caught:
            match.fold(match.folded + 1, author, body)
        assert before == (match.digest(), match.absence.attendance.words, len(match.owed_once))
        self.met.update(
            (Path(frame.filename).name, frame.lineno or 0)
            for frame in traceback.extract_tb(caught.value.__traceback__)
            if Path(frame.filename).parent == FOLDER
        )
        return "stale" if refusal_code(caught.value) == STALE else "cheat"

    def order(self, author: int, letter: Contribution) -> None:
        match, body = self.witness.match, bodies.read(letter.body)
        assert not isinstance(body, bodies.Removed)
        attendance = match.absence.attendance
        for one in attendance.away.difference(match.absence.left):
            assert self.judge(one, written(bodies.HandedOver(99, ""))) == "stale"
            assert self.judge(one, b"\xc0") == "cheat"
        for by, other, words in attempts(self, author, body):
            tag = tag_of(other)
            [(how, phrase)] = [one for one in self.table[tag] if words in one[1]]
            if (tag, phrase) not in self.tried:
                assert self.judge(by, written(other)) == how, (tag, phrase)
                self.tried.add((tag, phrase))
        mine = {duty.kind for duty in match.duties if duty.operator == author}
        owes = bool(mine) if match.allowed else bool(mine - {"act"})
        speaks = author in attendance.away or not owes or type(body) in DUTIES
        before = len(self.journal)
        super().order(author, letter)
        if len(self.journal) > before:
            is_word = attendance.words[author] == len(self.journal)
            assert is_word == (speaks and not isinstance(body, bodies.Forgot)), body
            if type(body) in DUTIES and type(body) not in self.again:
                self.again.add(type(body))
                assert self.judge(author, letter.body) == "stale", body

    def say(self, author: int, body: bodies.Body) -> None:
        self.order(author, Contribution(key=b"said", body=bodies.write(body)))

    def remove(self, operator: int) -> None:
        body, seq = written(bodies.Removed(operator, len(self.journal))), len(self.journal) + 1
        host = min(self.here)
        assert {self.dealers[one].fold(seq, host, body) for one in self.here} == {None}
        self.journal.append((host, body))
        for one in self.here:
            self.dealers[one].confirm(seq)
        assert self.witness.match.absence.attendance.words[host] < seq


def attempts(chairs: Trying, author: int, body: bodies.Body) -> Iterator[Attempt]:
    match = chairs.witness.match
    silent = match.absence.attendance.away.union(match.absence.left)
    for one in silent.difference(match.absence.left):
        yield from coming_back(match, one)
    if author not in silent and is_owed(match, author, body):
        for changed, words in changes(chairs, author, body):
            yield author, changed, words
    for one in chairs.here - silent:
        for said, words in chain(unasked(match, one), of_others(match, one)):
            yield one, said, words
    for plea in match.giving_back.pleas:
        if plea not in silent:
            yield plea, bodies.GaveBack(plea, 1, b""), "holds no part"


def is_owed(match: Match, author: int, body: bodies.Body) -> bool:
    slots = getattr(body, "slots", None)
    if isinstance(body, bodies.Shuffled) and body.age != sum(
        map(match.cards.version, body.slots)
    ):
        return False
    return getattr(body, "step", match.step) == match.step and any(
        duty.operator == author and duty.kind in DUTIES.get(type(body), ())
        for duty in match.duties
        if slots in (None, duty.slots)
    )


def coming_back(match: Match, one: int) -> Iterator[Attempt]:
    if match.stage != "play":
        return
    if match.absence.is_taking_leave(one):
        yield one, bodies.Returned(), "leaves for good"
    elif one in match.held_off:
        yield one, bodies.Returned(), "next round only"
    elif one in match.absence.undone_at(match.step) and not match.at_rest:
        yield one, bodies.Returned(), "at this step, owing"


def changes(
    chairs: Trying, author: int, body: bodies.Body
) -> Iterator[tuple[bodies.Body, str]]:
    """What is owed, said wrongly."""
    match = chairs.witness.match

    def but(**fields: object) -> Any:
        return msgspec.structs.replace(body, **fields)

    for field in PROVEN & {*body.__struct_fields__}:
        proof = getattr(body, field)
        if proof:
            yield (
                but(**{field: proof[:-1]}),
                "not" if field in ("opening", "escrow") else "proof",
            )
    match body:
        case bodies.KeyCommit() | bodies.Pledged():
            yield but(commitment=b""), "32 bytes"
        case bodies.Shuffled():
            yield but(age=body.age + 1), "as it is now"
            yield but(lacking=(*body.lacking, 7)), "as it is now"
        case bodies.Opened():
            yield but(openings=(*body.openings, bodies.Opening(0, bytes(32)))), "committed to"
            if body.openings:
                false = msgspec.structs.replace(body.openings[0], nonce=bytes(32))
                yield but(openings=(false, *body.openings[1:])), "another commitment"
        case bodies.Answered():
            yield but(step=body.step + 1), "step number"
            yield but(seat=author, slot=0), "no hidden character"
            for slot, seat in match.hidden_picks().items():
                if match.keepers[seat] != author:
                    yield but(seat=seat, slot=slot), "another operator's"
                elif body.seat < 0 and slot in match.picks.committed:
                    mind = chairs.dealers[author].contributor
                    nonce = mind._nonces[match.state.round, slot]
                    shares = mind._shares((slot,), b"open")
                    yield (
                        but(seat=seat, slot=slot, nonce=nonce, shares=shares),
                        "another rank",
                    )
            if body.seat < 0:
                yield but(shares=b"x"), "a 'not I' has"
            else:
                yield but(nonce=bytes(32)), "another commitment"
        case bodies.Acted():
            yield but(picks=("nothing",)), "another reason"
            yield but(commitment=b"" if body.commitment else bytes(32)), "commitment lacks"
            yield but(told=(bodies.Told(0, "x", bytes(32)),)), "inventions"
            if not body.shares:
                yield but(shares=b"x"), "no card to open"
            for seat in range(match.rules.seats):
                swap = Decided(body.seat, Move("swap", seat=seat), ())
                reason = rules.refuse(match.state, swap)
                if reason is not None and reason.code == "not_present":
                    picks = (f"swap:{seat}",)
                    yield but(picks=picks, commitment=b"", shares=b""), "not_present"
        case bodies.KeyShown():
            yield but(secret=bytes([1]) + bytes(31)), "the secret"
        case bodies.Entrusted():
            if match.keys.needed is None:
                yield but(escrow=b"x"), "nobody is to hold"


def unasked(match: Match, author: int) -> Iterator[tuple[bodies.Body | bodies.Removed, str]]:
    """What nobody is asked for: words about who is here, and the like."""
    absence, attendance, keys = match.absence, match.absence.attendance, match.keys
    mine, step, words = match.seats_of(author)[0], match.step, attendance.words
    yield bodies.HandedOver((mine + 1) % match.rules.seats, ""), "not its author's"
    yield bodies.HandedOver(mine, "sage"), "no such level"
    for seat in match.seats_of(author)[1:]:
        yield bodies.HandedOver(seat, "hard"), "began as a bot's"
    if not match.is_over:
        yield bodies.HandedOver(mine, match.bots.get(mine, "")), "already"
        if match.handed[author] == 250:
            yield bodies.HandedOver(mine, "hard"), "251st"
    else:
        yield bodies.HandedOver(mine, "hard"), "last score"
    yield bodies.Missed(author, words[author]), "of its author, or of nobody"
    yield bodies.Missed(99, 0), "of its author, or of nobody"
    owing = {duty.kind for duty in match.duties if duty.operator == author} - {"act"}
    if owing:
        yield bodies.Returned(), "its program owes"
    elif not attendance.missed_by(author):
        yield bodies.Returned(), "nobody misses it"
    if not match.is_over and not absence.could_spare(author):
        yield bodies.GivenUp(author, 0), "could not play on"
    if match.stage != "play":
        yield bodies.Resigned(), "no cards are played"
    elif absence.leaving:
        yield bodies.Resigned(), "taken out"
    elif match.operators - len(absence.left) != 2:
        yield bodies.Resigned(), "not two"
    if match.stage not in ("play", "audit"):
        yield bodies.Forgot(b""), "no cards are there"
    elif author in keys.given:
        yield bodies.Forgot(b""), "given its key away"
    elif match.giving_back.count[author] == 16:
        yield bodies.Forgot(b""), "17th"
    elif author in keys.escrows:
        yield bodies.Forgot(b"x"), "no point"
    else:
        yield bodies.Forgot(bytes(32)), "nobody holds this key"
    need = rules.need(match.state)
    deciding = {duty.operator for duty in match.duties if duty.kind == "act"}
    if match.liveness.step_time:
        if deciding - {author}:
            yield bodies.Hurried(step), "has a step time"
    elif author in match.hurried:
        yield bodies.Hurried(step), "has said so"
    elif deciding - {author} and isinstance(need, Decide):
        yield bodies.Hurried(step + 1), "step number"
    else:
        yield bodies.Hurried(step), "nobody decides"
    yield bodies.Complained(author, b""), "complains itself"
    yield bodies.Removed(99, 0), "had not left"


def of_others(match: Match, author: int) -> Iterator[tuple[bodies.Body | bodies.Removed, str]]:
    """Words about one of the others."""
    absence, attendance, keys = match.absence, match.absence.attendance, match.keys
    words = attendance.words
    for one in set(range(match.operators)) - {author}:
        yield bodies.Missed(one, words[one] + 1), "number is not"
        if author in attendance.missed_by(one):
            yield bodies.Missed(one, words[one]), "vote stands already"
        if one in keys.escrows:
            yield bodies.Complained(one, b""), "holds against no escrow"
        if match.is_over:
            yield bodies.GivenUp(one, words[one]), "last score"
        elif one in absence.left:
            yield bodies.GivenUp(one, words[one]), "has left for good"
        elif one not in absence.gone:
            yield bodies.GivenUp(one, words[one]), "is not gone"
        else:
            yield bodies.GivenUp(one, words[one] + 1), "number is not"
            if author in attendance.given_up_by(one):
                yield bodies.GivenUp(one, words[one]), "already"
        plea = match.giving_back.pleas.get(one)
        if plea is None:
            yield bodies.GaveBack(one, 1, b""), "never asked"
        elif author in plea.held.seals:
            yield bodies.GaveBack(one, plea.number + 1, b""), "not the newest"
            is_given = author in plea.given
            words_of_it = "part is given" if is_given else "seal does not hold"
            yield bodies.GaveBack(one, plea.number, b""), words_of_it
        if one in absence.left and one not in attendance.members:
            yield bodies.Removed(one, match.seq), "removed already"


def vote_out(chairs: Trying, operator: int) -> None:
    match = chairs.witness.match
    for voter in (0, 1):
        chairs.say(voter, bodies.Missed(operator, match.absence.attendance.words[operator]))
    assert operator in match.absence.attendance.away


def with_escrow() -> Trying:
    """Three: one is sent away again and again, vanishes, is robbed, leaves; two play on."""
    chosen, free = Rules.make("classic", seats=3, city=6), Liveness(give_up=0)
    chairs = Trying(chosen, [EASY] * 3, seed=3, liveness=free).begin()
    match = chairs.witness.match
    nothing_owed(chairs)
    chairs.until(lambda: match.state.round == 1)
    for _ in range(4):
        chairs.until(
            lambda: any((one.kind, one.operator) == ("deal", 2) for one in match.duties)
        )
        vote_out(chairs, 2)
        chairs.until(lambda: 2 not in match.absence.attendance.away)
    chairs.vanish(2)
    chairs.until(lambda: 2 in match.absence.gone)
    chairs.say(0, bodies.GivenUp(2, match.absence.attendance.words[2]))
    chairs.until(lambda: any("not_present" in said for _, said in chairs.tried))
    chairs.until(lambda: match.at_rest)
    chairs.come_back(2, robbed=True)
    chairs.until(lambda: 2 not in match.absence.attendance.away and match.at_rest)
    for _ in range(16):
        chairs.say(1, bodies.Forgot(b""))
    deciding = {duty.operator for duty in match.duties}
    chairs.say(min({0, 1, 2} - deciding), bodies.Hurried(match.step))
    chairs.until(lambda: match.at_rest)
    chairs.leave(2)
    chairs.until(lambda: 2 in match.absence.departed)
    chairs.remove(2)
    chairs.play()
    return chairs


def without() -> Trying:
    """Two, with a bot's seat and a step time; who plays the first hands it over for ever."""
    chosen, limits = Rules.make("classic", seats=3, city=6), Liveness(step_time=30)
    genesis = genesis_for(chosen, 2, [0, 1, 1], options=pack_options(chosen, limits))
    *persons, last = genesis.seats
    genesis = replace(genesis, seats=(*persons, msgspec.structs.replace(last, kind="bot")))
    brains = [None, EASY, EASY]
    chairs = Trying(chosen, brains, liveness=limits, keepers=[0, 1, 1], genesis=genesis).begin()
    match = chairs.witness.match
    chairs.until(lambda: match.at_rest and match.duties[0].operator == 0)
    chairs.say(1, bodies.HandedOver(1, "easy"))
    for time in range(251):
        chairs.say(0, bodies.HandedOver(0, "" if time % 2 else "easy"))
    return chairs


def test_the_page_says_of_every_refusal_whether_it_is_stale_or_a_cheat() -> None:
    both = with_escrow(), without()
    assert both[0].again == DUTIES.keys()
    tried = set[tuple[str, str]]().union(*(one.tried for one in both))
    assert {(tag, said) for tag, row in page().items() for _, said in row} == tried
    met = set[tuple[str, int]]().union(*(one.met for one in both))
    assert [site for site in refusals() if not met.intersection(site)] == []


def refusals() -> Iterator[set[tuple[str, int]]]:
    """The lines of each place at which the fold refuses an entry."""
    for path in sorted(FOLDER.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                told = ast.unparse(node.exc)
                behind = any(repr(said) in told or said in told for said in BEHIND_OTHERS)
                if not behind and "LocalError" not in told:
                    last = node.end_lineno or node.lineno
                    yield {(path.name, line) for line in range(node.lineno, last + 1)}


def nothing_owed(chairs: Trying) -> None:
    """What fulfils a duty is a cheat where nobody ever owed it, and stale at another step."""
    [listed] = re.findall(r"Tags 1 to 10, (.*) and 24 fulfil a duty", PAGE)
    assert {int(tag_of(one)) for one in map(empty, DUTIES)} == {
        *range(1, 11),
        *map(int, listed.split(", ")),
        24,
    }
    for kind in DUTIES.keys() - {bodies.KeyCommit}:
        body = empty(kind)
        assert chairs.judge(0, written(body)) == "cheat"
        if isinstance(body, bodies.Acted | bodies.TimedOut):
            late = msgspec.structs.replace(body, step=1)
            assert chairs.judge(0, written(late)) == "stale"


def empty(kind: Any) -> Any:
    """A body of this kind with nothing in it."""
    fields = msgspec.structs.fields(kind)
    return kind(*({int: 0, bytes: b""}.get(field.type, ()) for field in fields))


@pytest.mark.parametrize("stage", ["commit", "key", "escrow"])
def test_who_is_away_before_the_cards_lie_is_waited_for(stage: str) -> None:
    chairs = Trying(Rules.make("classic", seats=3, city=6), [EASY] * 3, seed=1).begin()
    match = chairs.witness.match
    chairs.until(lambda: match.stage == stage)
    chairs.vanish(2)
    vote_out(chairs, 2)
    for _ in range(20):
        chairs.round()
    assert (match.stage, match.absence.gone) == (stage, frozenset())
    assert not match.state.places[2].present
    chairs.come_back(2)
    chairs.until(lambda: match.stage == "play" and match.state.places[2].present)


def test_who_has_entrusted_its_key_and_is_away_is_gone_from_the_first_shuffle_on() -> None:
    chairs = Trying(Rules.make("classic", seats=3, city=6), [EASY] * 3, seed=1).begin()
    match = chairs.witness.match
    chairs.until(lambda: match.stage == "escrow")
    [letter] = chairs.dealers[2].owed()
    chairs.order(2, letter)
    chairs.vanish(2)
    vote_out(chairs, 2)
    chairs.until(lambda: match.stage == "play")
    assert match.absence.gone == {2}
    chairs.until(lambda: match.state.round == 1)
    chairs.come_back(2)
    chairs.until(lambda: not match.absence.gone)
