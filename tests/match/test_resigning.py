"""The last two: one leaves for good, and the match is over, or the other plays on with bots."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from citadels_p2p.bots import make_bot
from citadels_p2p.match.archive.assurance import check_hidden
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.refusal import STALE
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.rules import Rules
from protocol.application import Contribution
from protocol.journal.membership import removal_body
from tests.match.round_table import genesis_for
from tests.protocol.tiny_group import TinyGroup


class Pair:
    """Some operators; `keepers[seat]` plays the seat, by a bot."""

    def __init__(self, keepers: Sequence[int], seed: int = 1) -> None:
        rules = Rules.make("classic", seats=len(keepers), city=6)
        genesis = genesis_for(rules, max(keepers) + 1, keepers)
        self.random = Random(seed)
        self.dealers = [
            SealedDealer(
                genesis,
                me,
                {seat: make_bot("easy") for seat, one in enumerate(keepers) if one == me},
                TinyGroup(),
                Random(f"{seed}/{me}"),
            )
            for me in range(max(keepers) + 1)
        ]
        self.here = list(range(len(self.dealers)))
        self.journal: list[tuple[int, bytes]] = []

    def order(self, author: int, body: bytes) -> str | None:
        seq = len(self.journal) + 1
        said = {one.fold(seq, author, body) for one in self.dealers}
        (code,) = said
        if code is None:
            self.journal.append((author, body))
            for one in self.dealers:
                one.confirm(seq)
        return code

    def round(self) -> bool:
        letters = [(me, one) for me in self.here for one in self.dealers[me].owed()]
        self.random.shuffle(letters)
        for author, letter in letters:
            code = self.order(author, letter.body)
            if code is not None:
                assert code == STALE, code
                self.dealers[author].refused(letter.key, code)
        return bool(letters)

    def until(self, rounds: int) -> None:
        match = self.dealers[0].match
        while not (match.state.round >= rounds and match.at_rest):
            assert self.round()

    def resign(self, me: int) -> None:
        made = self.dealers[me].depart()
        assert isinstance(made, Contribution)
        assert self.order(me, made.body) is None
        for over in self.dealers[me].owed():
            assert self.order(me, over.body) is None


def test_of_two_persons_one_leaves_and_the_score_stands() -> None:
    pair = Pair([0, 1])
    pair.until(3)
    before = [seat.gold for seat in pair.dealers[0].match.state.places]
    pair.resign(1)
    while pair.round():
        pass
    for dealer in pair.dealers:
        match = dealer.match
        assert (match.stage, match.resigned) == ("done", 1)
        assert [seat.gold for seat in match.state.places] == before
        result = dealer.result("")
        assert (result.winners, result.resigned) == ((0,), (1,))
        assert [score.rank for score in result.scores] == [1, 2]
        assert check_hidden(match)  # both have given their keys away
    assert pair.dealers[0].match.digest() == pair.dealers[1].match.digest()
    assert pair.order(0, bodies.write(bodies.Resigned())) == STALE


def test_of_three_nobody_resigns() -> None:
    pair = Pair([0, 1, 2])
    pair.until(2)
    assert pair.order(1, bodies.write(bodies.Resigned())) == STALE


def test_one_after_another_until_one_is_left_with_its_bots() -> None:
    pair = Pair([0, 1, 2, 0])
    pair.until(2)
    pair.resign(2)
    pair.here = [0, 1]
    match = pair.dealers[0].match
    while match.absence.departed != (2,):
        assert pair.round()
    pair.until(match.state.round)
    pair.resign(1)
    while match.absence.departed != (2, 1):
        assert pair.round()
    pair.here = [0]
    while pair.round():
        pass
    assert (match.stage, match.absence.departed) == ("done", (2, 1))
    assert len({one.match.digest() for one in pair.dealers}) == 1


def test_who_has_bots_plays_on_alone() -> None:
    for seed in range(4):
        pair = Pair([0, 1, 0, 0], seed)
        pair.until(2)
        pair.resign(1)
        match = pair.dealers[0].match
        assert match.absence.left == (1,)
        while match.absence.departed != (1,):
            assert pair.round()
        pair.here = [0]
        for _ in range(20_000):
            if not pair.round():
                break
        assert match.stage == "done"
        assert match.absence.departed == (1,)
        assert match.resigned is None
        assert pair.dealers[0].match.digest() == pair.dealers[1].match.digest()
        assert check_hidden(match)


def test_nobody_is_removed_before_its_layer_is_off() -> None:
    """The journal takes it. The host of the last two ended both programs so."""
    pair = Pair([0, 1, 0, 0])
    pair.until(2)
    made = pair.dealers[1].depart()
    assert isinstance(made, Contribution)
    assert pair.order(1, made.body) is None
    code = pair.order(0, removal_body(1, len(pair.journal)))
    assert code == "forbidden illegal: removed before it has left"
