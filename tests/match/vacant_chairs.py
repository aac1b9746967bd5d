"""A table whose operators come and go, in virtual time, with entries under way.

Everybody who is here is asked at one moment what it owes, and what all said is then ordered one
after the other, in any order: so an entry may arrive after somebody came or went. Who is gone
folds nothing; on its return it folds what it missed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from citadels_p2p.bots import Bot
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.fold.refusal import STALE
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.options import Liveness, pack_options
from citadels_p2p.rules import Rules
from protocol.application import Contribution, Genesis
from protocol.cards.group import Group
from tests.match.round_table import genesis_for
from tests.protocol.tiny_group import TinyGroup

BEAT = 0.5


class VacantChairs:
    """`dealers[i]` is operator i and plays seat i by its bot; `here` are those at the table."""

    def __init__(
        self,
        chosen: Rules,
        brains: Sequence[Bot | None],
        *,
        seed: int = 0,
        liveness: Liveness | None = None,
        group: Group | None = None,
        keepers: Sequence[int] = (),
        genesis: Genesis | None = None,
    ) -> None:
        """A seat without a brain is a person's, who never decides by itself. `keepers`: the
        operator of each seat, where that is not one operator a seat. `genesis`: one that was
        signed, for these rules.
        """
        keepers = keepers or range(len(brains))
        count = max(keepers) + 1
        self.liveness = liveness or Liveness()
        options = pack_options(chosen, self.liveness)
        self.genesis = genesis or genesis_for(chosen, count, list(keepers), options=options)
        self.random = Random(seed)
        self.now = 0.0
        self.here = set(range(count))
        self.whispers: set[tuple[int, int]] = set()  #: who is gone, and heard by whom
        self.journal: list[tuple[int, bytes]] = []
        self.refusals = 0
        self.kept: list[list[Contribution]] = [[] for _ in range(count)]
        self._left_at: dict[int, float] = {}
        self._lost: list[tuple[int, Contribution]] = []
        self._make: Callable[[int], SealedDealer] = lambda me: SealedDealer(
            self.genesis,
            me,
            {
                seat: brain
                for seat, brain in enumerate(brains)
                if keepers[seat] == me and brain is not None
            },
            group or TinyGroup(),
            Random(f"{seed}/{me}"),
        )
        self.dealers = [self._make(me) for me in range(count)]

    @property
    def witness(self) -> SealedDealer:
        """Somebody who is here."""
        return self.dealers[min(self.here)]

    def vanish(self, operator: int) -> None:
        """Its laptop is closed: it hears and says nothing."""
        self.here.discard(operator)
        self._left_at[operator] = self.now

    def vote_out(self, operator: int) -> None:
        """It vanishes, and the others have waited for long enough."""
        self.vanish(operator)
        for _ in range(2000):
            if operator in self.witness.match.absence.departed and self.witness.match.at_rest:
                return
            self.round()
            self.pass_time(5.0)
        raise AssertionError("nobody gave it up")

    def leave(self, operator: int) -> None:
        """It says itself that it leaves for good, and does."""
        word = self.dealers[operator].depart()
        assert isinstance(word, Contribution)
        self.order(operator, word)
        for ended in self._owed(operator):
            self.order(operator, ended)
        self.vanish(operator)

    def come_back(
        self, operator: int, *, restarted: bool = False, robbed: bool = False
    ) -> None:
        """It is here again and catches up; `restarted`: with its disk and nothing else;
        `robbed`: and without its secrets.
        """
        if robbed:
            self.kept[operator] = [replace(one, keep=b"") for one in self.kept[operator]]
        if restarted or robbed:
            self.dealers[operator] = self._make(operator)
            self.dealers[operator].restore(tuple(self.kept[operator]))
        dealer = self.dealers[operator]
        for seq in range(dealer.match.folded + 1, len(self.journal) + 1):
            author, body = self.journal[seq - 1]
            assert dealer.fold(seq, author, body) is None
            dealer.confirm(seq)
        self.here.add(operator)

    def round(self) -> bool:
        """One exchange; time passes where nobody has anything to say, and where all of it is
        refused: who is refused waits before it says so again. False at the end.
        """
        letters = [(o, letter) for o in sorted(self.here) for letter in self._owed(o)]
        self.random.shuffle(letters)
        before = len(self.journal)
        for author, letter in letters:
            self.order(author, letter)
        if len(self.journal) == before:
            if not letters and all(self.dealers[o].match.stage == "done" for o in self.here):
                return False
            self.pass_time()
        return True

    def gather(self) -> Match:
        """All come back and say that it is over: only then are the keys given away."""
        for operator in set(range(len(self.dealers))) - self.here:
            self.come_back(operator)
        self.play()
        return self.witness.match

    def _owed(self, operator: int) -> tuple[Contribution, ...]:
        owed = self.dealers[operator].owed()
        self.kept[operator].extend(owed)
        return owed

    def order(self, author: int, letter: Contribution) -> None:
        """Put it in order; nothing honest is ever refused but for having come too late."""
        seq = len(self.journal) + 1
        verdicts = {o: self.dealers[o].fold(seq, author, letter.body) for o in self.here}
        assert len(set(verdicts.values())) == 1, verdicts
        verdict = next(iter(verdicts.values()))
        if verdict is not None:
            assert verdict == STALE, (verdict, letter.key)
            self.refusals += 1
            self.kept[author] = [one for one in self.kept[author] if one.key != letter.key]
            self.dealers[author].refused(letter.key, verdict)
            return
        self.journal.append((author, letter.body))
        closed(self.witness.match)
        for operator in self.here:
            self.dealers[operator].confirm(seq)

    def pass_time(self, seconds: float = BEAT) -> None:
        """The clock goes on; whoever is here is heard."""
        self.now += seconds
        for operator in self.here:
            self.dealers[operator].tick(self.now, self._silences(operator))

    def _silences(self, ear: int) -> tuple[float, ...]:
        return tuple(
            0.0
            if operator in self.here or (operator, ear) in self.whispers
            else self.now - self._left_at[operator]
            for operator in range(len(self.dealers))
        )

    def until(self, happened: Callable[[], bool], most: int = 20_000) -> None:
        """Play on until something has happened."""
        for _ in range(most):
            if happened():
                return
            if not self.round():
                break
        assert happened()

    def play(self, most: int = 20_000) -> None:
        """To the end, as far as those who are here can take it."""
        for _ in range(most):
            if not self.round():
                return
        raise AssertionError(f"the match stands still: {self.witness.match.duties}")


def closed(match: Match) -> None:
    """Nobody's character is open before it is called, unless its seat was found to lie."""
    if match.stage == "play" and match.at_rest and match.cheat is None:
        assert not [slot for slot in match.hidden_picks() if match.face(slot) is not None]
