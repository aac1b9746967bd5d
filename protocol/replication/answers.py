"""What our host has refused of ours: heard when we can judge it, judged when everybody can.

A refusal names the entry after which the host judged. It is no answer before we have folded
that entry, nor where it was judged before what we had seen confirmed. Once the entry is
confirmed, and so cannot give way any more, our own application says whether it was right.
"""

from __future__ import annotations

from protocol.journal.refusals import check_one_answer, disputed_statement, unjust_refusal
from protocol.journal.statements import Authored, Refusal, Signed, authored_hash
from protocol.replication.effects import Effect, Examine, Reject, StoreRefusal
from protocol.replication.outbox import Submission
from protocol.replication.replica import Replica


class Answers:
    """The refusals of our hosts, one after the other. What exposes one of them is raised,
    though another may host by then.
    """

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self._chain = replica.chain
        # By the hash of what they refuse: heard too early, to be judged, being judged.
        self._early: dict[bytes, tuple[Signed, Refusal]] = {}
        self._heard: dict[bytes, tuple[Refusal, Signed, Signed]] = {}
        self._judging: dict[bytes, tuple[Refusal, Signed, Signed]] = {}

    def hear(self, refusal: Signed, told: Refusal, term: int) -> list[Effect]:
        """A refusal of ours in our host's `term`; `told` is what is inside, its signature
        checked.
        """
        replica = self._replica
        placed = self._chain.by_counter(replica.me, told.counter)
        if placed is not None:
            check_one_answer(placed, refusal, self._chain.host_of(placed.term))
        said = replica.outbox.submission(told.counter)
        if said is None or authored_hash(said.authored.content) != told.hash:
            return []  # of what we never said
        if told.place > replica.folded:
            self._early[told.hash] = refusal, told
            replica.outbox.foretell(told.counter, told.code)
            return []
        if not self._is_answer(said, told):
            return []
        submission = replica.outbox.refused(refusal, told, term)
        if submission is None:
            return []
        self._heard[told.hash] = told, refusal, submission.authored
        return [
            StoreRefusal(replica.me, submission.counter, refusal),
            Reject(submission.key, submission.counter, told.code),
            *self.judge(),
        ]

    def folded(self, term: int) -> list[Effect]:
        """We have come to another entry: refusals that were judged there are heard."""
        effects: list[Effect] = []
        for name, (refusal, told) in tuple(self._early.items()):
            if told.place <= self._replica.folded:
                del self._early[name]
                effects += self.hear(refusal, told, term)
        return effects

    def judge(self) -> list[Effect]:
        """Whether the host was right, as far as the places are confirmed."""
        effects: list[Effect] = []
        for name, (told, refusal, authored) in tuple(self._heard.items()):
            if told.place > self._replica.confirmed:
                continue
            del self._heard[name]
            statement = disputed_statement(self._chain, told, refusal, authored)
            if statement is not None:
                self._judging[name] = told, refusal, authored
                effects.append(Examine(name, told.place, statement))
        return effects

    def examined(self, key: bytes, code: str | None) -> list[Effect]:
        """The application's answer to `Examine`; raises where it would have accepted."""
        found = self._judging.pop(key, None)
        if found is not None and code is None:
            told, _, authored = found
            said = authored.read(Authored)
            self._replica.note_verdict(told.place, said.author, said.body, code)
            raise unjust_refusal(self._chain, *found)
        return []

    def _is_answer(self, submission: Submission, told: Refusal) -> bool:
        """Whether it was judged in our history, and not before what we had seen confirmed."""
        statement = submission.authored.read(Authored)
        ancestor = self._chain.place_of(statement.ancestor)
        if self._chain.hash_at(told.place) != told.entry:
            # Signed for another entry of its own, it is a lie that is shown; else no answer.
            return told.place > 0 and self._chain.entries[told.place].term == told.term
        return ancestor is None or ancestor <= told.place
