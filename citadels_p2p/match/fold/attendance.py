"""Who is gone, by what the operators have signed.

Nobody alone can send anybody away, the host least of all: an operator is *away* when a majority
has missed it, each by its own clock, since the same last word. One word of its own (see
`words`) takes all of that back; once it is away, only that it has returned. The majority is the
journal's: it counts nobody that a removal has taken out.

Who misses somebody more often than `MOST` times, and each time it spoke again, is not
answered any more: its vote *stays*. One vote sends nobody away, and nothing more is said about
it; so a journal does not grow without end, and who is gone is away as ever. Once somebody was
away and is back, all begins anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet

from citadels_p2p.match.fold.refusal import STALE
from protocol.errors import IllegalEntry
from protocol.journal.statements import quorum

MOST = 64
"""Times that one operator misses another and takes a word of it for an answer."""


class Attendance:
    """The operators of one match, by roster index; all are here at first."""

    def __init__(self, operators: int) -> None:
        self._operators = operators
        self.members = frozenset(range(operators))  #: who counts in a majority
        self._words = [0] * operators
        self._missing: dict[int, set[int]] = {}
        self._misses: Counter[tuple[int, int]] = Counter()  # by who misses whom
        self.away: frozenset[int] = frozenset()  #: whom a majority misses
        self._given_up: dict[int, set[int]] = {}
        #: who has said itself that it leaves for good
        self.goodbyes: frozenset[int] = frozenset()
        self.returns: Counter[int] = Counter()  #: how often each one was away and came back

    def remove(self, operator: int) -> list[int]:
        """It counts no more: who is newly away, by the words of fewer."""
        if operator not in self.members:
            raise IllegalEntry("nobody to be removed")
        self.members -= {operator}
        missing = [o for o, said in self._missing.items() if self.is_majority(said)]
        away = [o for o in missing if o not in self.away]
        self.away |= {*away}
        return sorted(away)

    def is_majority(self, voters: AbstractSet[int]) -> bool:
        """Whether these are most of those who count."""
        return len(voters & self.members) >= quorum(len(self.members))

    @property
    def words(self) -> tuple[int, ...]:
        """The number of each operator's newest entry that counts as a word, 0 for none."""
        return tuple(self._words)

    def missed_by(self, operator: int) -> frozenset[int]:
        """Who has said that it misses this operator."""
        return frozenset(self._missing.get(operator, ()))

    def awaits_word(self, operator: int) -> bool:
        """Whether this operator is to say that it is here: a vote that stays asks nothing."""
        return operator in self.away or self.missed_by(operator) != self._staying(operator)

    def _staying(self, operator: int) -> frozenset[int]:
        voters = self._missing.get(operator, ())
        return frozenset(one for one in voters if self._misses[one, operator] > MOST)

    def given_up_by(self, operator: int) -> frozenset[int]:
        """Who has said that it waits for this operator no more."""
        return frozenset(self._given_up.get(operator, ()))

    @property
    def voted_out(self) -> frozenset[int]:
        """Whom a majority waits for no more."""
        said = (one for one, voters in self._given_up.items() if self.is_majority(voters))
        return frozenset(said)

    def spoke(self, operator: int, seq: int) -> None:
        """A word of this operator stands: only votes that stay are not taken back by it."""
        self._words[operator] = seq
        if operator in self._missing and operator not in self.away:
            self._answer(operator)

    def _answer(self, operator: int) -> None:
        staying = self._staying(operator)
        self._missing.pop(operator, None)
        if staying:
            self._missing[operator] = set(staying)

    def miss(self, voter: int, operator: int, since: int) -> bool:
        """`voter` has heard nothing of `operator` since its last word, in entry `since`.

        Whether that makes it away. IllegalEntry where it has spoken meanwhile, or where
        somebody misses itself or one that it misses already.
        """
        if not 0 <= operator < self._operators or voter == operator:
            raise IllegalEntry("nobody to be missed")
        if since != self._words[operator]:
            raise IllegalEntry(STALE)
        voters = self._missing.setdefault(operator, set())
        if voter in voters:
            raise IllegalEntry("misses it twice")
        voters.add(voter)
        self._misses[voter, operator] += 1
        if operator in self.away or not self.is_majority(voters):
            return False
        self.away |= {operator}
        return True

    def give_up(self, voter: int, operator: int, since: int) -> None:
        """`voter` waits no more for one that is away; or says that it leaves itself."""
        if not 0 <= operator < self._operators:
            raise IllegalEntry("nobody to be given up")
        if voter == operator:
            self.say_goodbye(operator)
            return
        if operator not in self.away or since != self._words[operator]:
            raise IllegalEntry(STALE)
        voters = self._given_up.setdefault(operator, set())
        if voter in voters:
            raise IllegalEntry("gives it up twice")
        voters.add(voter)

    def say_goodbye(self, operator: int) -> None:
        """It leaves for good, by its own word."""
        self.goodbyes |= {operator}
        self.away |= {operator}

    def come_back(self, operator: int) -> bool:
        """An operator says that it is here: whether it had been away.

        IllegalEntry where nobody had missed it, or only such as are not answered any more.
        """
        if operator not in self._missing or not self.awaits_word(operator):
            raise IllegalEntry(STALE)
        if operator not in self.away:
            self._answer(operator)
            return False
        del self._missing[operator]
        for voter in range(self._operators):
            del self._misses[voter, operator]
        self.away -= {operator}
        self._given_up.pop(operator, None)
        self.returns[operator] += 1
        return True
