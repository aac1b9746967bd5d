"""What operators have said of the characters they hold: commitments, answers, denials."""

from __future__ import annotations

from dataclasses import dataclass

from citadels_p2p.rules.needs import Called
from protocol.cards import commitment
from protocol.errors import BadProof, IllegalEntry, LocalError


@dataclass(frozen=True, slots=True)
class Denial:
    """An operator said in entry `seq` that none of its seats holds `rank`."""

    seq: int
    operator: int
    rank: int


class Picks:
    """One round's characters, as far as they are public."""

    def __init__(self, context: bytes) -> None:
        self._context = context
        self.committed: dict[int, bytes] = {}  #: the commitment to what a slot holds
        self.holders: dict[int, int] = {}  #: the seat that is bound by it
        self.answers: dict[int, Called] = {}  #: to the call that is open, by operator
        self._released: set[int] = set()
        self._denials: list[Denial] = []

    def clear(self) -> None:
        """A new round: everything said before is settled."""
        self.committed.clear()
        self.holders.clear()
        self._released.clear()
        self.answers.clear()
        self._denials.clear()

    def commit(self, slot: int, seat: int, promise: bytes) -> None:
        """A seat binds itself to what this slot holds."""
        if len(promise) != 32:
            raise BadProof("a commitment has 32 bytes")
        self.committed[slot] = promise
        self.holders[slot] = seat
        self._released.discard(slot)

    def release(self, slot: int) -> None:
        """The nonce of this commitment is lost: the sealed card alone says what it is."""
        if self.committed.pop(slot, None) is not None:
            self._released.add(slot)

    def binds(self, label: bytes, slot: int, character: str, nonce: bytes) -> bool:
        """Whether this opens the commitment that stands on a slot."""
        promise = commitment.commit(self._context, label, character.encode(), nonce)
        return self.committed.get(slot) == promise

    def check(self, label: bytes, slot: int, character: str | None, nonce: bytes) -> str:
        """The opened character must be the one committed to; gives it back.

        Raises BadProof where it is another or not open, IllegalEntry where none was promised.
        One that was released needs no nonce.
        """
        if character is None:
            raise BadProof("the card is not open")
        if slot in self._released:
            return character
        promise = self.committed.get(slot)
        if promise is None:
            raise IllegalEntry("no commitment stands on this card")
        commitment.check(self._context, label, character.encode(), nonce, promise)
        return character

    def reveal(self, operator: int, fact: Called) -> None:
        """An operator's seat holds the rank that is called."""
        self.answers[operator] = fact

    def deny(self, denial: Denial) -> None:
        """None of an operator's seats does."""
        self.answers[denial.operator] = Called()
        self._denials.append(denial)

    def answer(self) -> Called:
        """What the table says to the call, once everybody has answered."""
        found = [fact for fact in self.answers.values() if fact.seat is not None]
        self.answers.clear()
        if len(found) > 1:
            raise LocalError("two cards of one rank")
        return found[0] if found else Called()

    def lie(self, operator: int, rank: int) -> Denial | None:
        """The denial of a rank that the operator is now seen to have held."""
        said = (one for one in self._denials if (one.operator, one.rank) == (operator, rank))
        return next(said, None)
