"""What changes for everybody else while an operator is gone.

With enough operators left, the match goes on without it: they make its decryption shares from
its escrow, mix together what it would have re-masked, shuffle without it, and the first of them
enters the default for its seats. With fewer nothing changes, and the match waits for it.

Why so: docs/decisions, 28.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from citadels_p2p.match.fold.attendance import Attendance
from citadels_p2p.match.fold.duty import Duty
from protocol.cards.deck import SealedCards
from protocol.cards.escrow import Escrow
from protocol.cards.recovery import Recovery
from protocol.errors import LocalError

OFTEN = 3
"""Times that somebody is back at once; after that, with the round that begins next."""


class Absence:
    """Who is gone, and who stands in for it."""

    def __init__(self, operators: int, needed: int | None) -> None:
        """`needed`: the holders that stand in for one; None where nobody can."""
        self.operators = operators
        self.needed = needed
        self.attendance = Attendance(operators)
        self.left: tuple[int, ...] = ()  #: who left for good, in the order in which they did
        self.departed: tuple[int, ...] = ()  #: the first of them: they have no layer left
        self.resigning: frozenset[int] = frozenset()  #: who takes its own layer off
        self.left_at: dict[int, int] = {}  #: by which entry each of them left
        self.owed_at: dict[int, int] = {}  #: at which step who owed something was sent away
        self.went_in: dict[int, int] = {}  #: in which round each of them went
        self._recovery: Recovery | None = None

    @property
    def recovery(self) -> Recovery:
        """The shares that are being put together; there are none before the cards."""
        if self._recovery is None:
            raise LocalError("nothing to put together")
        return self._recovery

    @property
    def gone(self) -> frozenset[int]:
        """The operators that the others play on without."""
        away = self.attendance.away
        return away if not away or self._can_spare(away) else frozenset(self.departed)

    @property
    def leaving(self) -> tuple[int, ...]:
        """Who left for good, and has a layer still; the first is being taken out."""
        return self.left[len(self.departed) :]

    def is_taking_leave(self, operator: int) -> bool:
        """Whether it has left for good, or has said so: only its last words are heard still."""
        return operator in self.left or operator in self.attendance.goodbyes

    def could_spare(self, operator: int) -> bool:
        """Whether the others can play on without this one as well."""
        return self._can_spare(self.attendance.away | {operator})

    def _can_spare(self, away: frozenset[int]) -> bool:
        missing = away.difference(self.departed, self.resigning)
        if self._recovery is None or not missing:
            return not missing
        needed = max(map(self._recovery.needed, missing))
        return self.operators - len(away) >= needed

    def held_off(self, round_now: int) -> frozenset[int]:
        """Who is gone and comes back with the next round: it went in this one, as often before.

        Each going may cost a pass of the whole stock by all who are here.
        """
        often = {one for one, times in self.attendance.returns.items() if times >= OFTEN}
        return frozenset(one for one in often & self.gone if self.went_in.get(one) == round_now)

    def undone_at(self, step: int) -> frozenset[int]:
        """Who is gone and was sent away at this step, while its program owed something."""
        return frozenset(one for one in self.gone if self.owed_at.get(one) == step)

    @property
    def present(self) -> tuple[int, ...]:
        """Everybody who is not gone, in roster order."""
        gone, everybody = self.gone, range(self.operators)
        return tuple(one for one in everybody if one not in gone) if gone else tuple(everybody)

    def begin(self, cards: SealedCards, escrows: Mapping[int, Escrow]) -> None:
        """There are cards now, and every key is held by the others."""
        if self.needed is not None:
            self._recovery = Recovery(cards, escrows)

    def entrust(self, dealer: int, escrow: Escrow | None) -> None:
        """An operator's key is held anew, or by nobody any more."""
        if self._recovery is not None:
            self._recovery.entrust(dealer, escrow)

    def share_duties(
        self,
        kind: str,
        lacking: Mapping[int, Sequence[int]],
        seat: int = -1,
    ) -> list[Duty]:
        """Who must publish the shares that are `lacking`, by operator.

        Everybody its own; those of one that is gone are made by the first holders that suffice.
        """
        gone = self.gone
        duties: list[Duty] = []
        for operator, slots in lacking.items():
            if operator in gone:
                duties += self._stand_in(operator, slots, seat)
            else:
                duties.append(Duty(kind, operator, tuple(slots), seat))
        return duties

    def _stand_in(self, absent: int, slots: Iterable[int], seat: int) -> list[Duty]:
        owed: dict[int, list[int]] = {}
        for slot in slots:
            given = self.recovery.parts(absent, slot)
            holders = [holder for holder in self.present if holder not in given]
            for holder in holders[: self.recovery.lacking(absent, slot)]:
                owed.setdefault(holder, []).append(slot)
        return [Duty("recover", one, tuple(held), seat, absent) for one, held in owed.items()]
