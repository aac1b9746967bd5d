"""Shell: what the game said at an older place, judged on a thread of its own.

The match goes on meanwhile: an application of our own is made anew, and folds our journal up to
that place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from protocol.application import SPECTATOR, Application, Genesis
from protocol.errors import RemoteError
from protocol.journal.refusals import prove_by_folding
from protocol.journal.statements import Authored
from protocol.replication.replica import Replica
from protocol.session.alarm import UnderWay
from protocol.session.worker import Returns, Worker
from protocol.storage.replay import judge_at

A = TypeVar("A", bound=Application)


class Examiner(Generic[A]):
    """Judges statements, and what others show, after entries of one journal."""

    def __init__(
        self,
        make: Callable[[Genesis, int], A],
        replica: Replica,
        returns: Returns,
        is_closed: Callable[[], bool],
    ) -> None:
        """`is_closed`: whether nobody wants the answer any more."""
        self.under_way = UnderWay()  #: statements that are being judged
        self._make = make
        self._replica = replica
        self._returns = returns
        self._is_closed = is_closed
        self._worker: Worker | None = None  # there from the first need

    @property
    def workers(self) -> tuple[Worker, ...]:
        """The thread, where there is one: for whoever ends it."""
        return () if self._worker is None else (self._worker,)

    def examine(
        self,
        place: int,
        statement: Authored,
        done: Callable[[str | None], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        """Tell `done` what the game says of a statement right after entry `place`: a refusal's
        code or None. `failed` is told what went wrong with us.
        """
        self.under_way.begin()

        def examined(code: str | None) -> None:
            done(code)
            self.under_way.end()

        def broken(problem: BaseException) -> None:
            self.under_way.end()
            failed(problem)

        self._at_work().submit(self._judgement(place, statement), examined, broken)

    async def prove(self, evidence: tuple[bytes, ...]) -> RemoteError | None:
        """The fault that these exhibits show to whoever folds our journal up to their place."""
        chain = self._replica.chain
        return await self._at_work().run(
            lambda: prove_by_folding(
                chain, evidence, lambda place, said: self._judgement(place, said)()
            )
        )

    def _at_work(self) -> Worker:
        if self._worker is None:
            self._worker = Worker(self._returns, "examiner")
        return self._worker

    def _judgement(self, place: int, statement: Authored) -> Callable[[], str | None]:
        """What the game said right after an entry of our journal as it is now."""
        make, chain = self._make, self._replica.chain
        genesis, entries = chain.genesis, tuple(chain.entries[1 : place + 1])
        return lambda: judge_at(make(genesis, SPECTATOR), entries, statement, self._is_closed)
