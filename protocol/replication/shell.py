"""What a driver asks of the laptop that it runs on: a disk, and a shell. No code.

`storage.store.Store` and `session.match_runtime` are those of a real laptop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeAlias, TypeVar

import msgspec

from protocol.errors import ProtocolError, Unavailable
from protocol.journal.chain import Entry
from protocol.journal.statements import Signed
from protocol.journal.stop_reason import StopReason
from protocol.replication.ballot import Ballot
from protocol.replication.outbox import Submission

T = TypeVar("T")

Written: TypeAlias = Callable[[Unavailable | None], None]
"""What a disk calls, on any thread, when a write is done: None, or what went wrong."""


class Disk(Protocol):
    """Where a match is kept, in the order asked. `Store` says what each call does."""

    def entry(self, entry: Entry, done: Written, *, lazy: bool = False) -> None: ...
    def submissions(self, submissions: Iterable[Submission], done: Written) -> None: ...
    def ballot(self, ballot: Ballot, done: Written) -> None: ...
    def refusal(self, author: int, counter: int, refusal: Signed) -> None: ...
    def truncate(self, seq: int, certificate: tuple[Signed, ...]) -> None: ...
    def certificate(self, acks: tuple[Signed, ...]) -> None: ...
    def fault(self, code: str, culprit: bytes | None, evidence: tuple[bytes, ...]) -> None: ...
    def cases(self, reasons: Iterable[StopReason]) -> None: ...


class Shell(Protocol):
    """The laptop around a driver. Every call returns at once; answers come later."""

    # As the effects of these names.
    def send(self, operator: int, message: msgspec.Struct, /) -> object: ...
    def cut(self, operator: int, fault: ProtocolError, /) -> object: ...
    def hosted(self, operator: int | None, instead_of: int | None, /) -> object: ...
    def suspected(self, operator: int, why: str, about: int | None, /) -> object: ...
    def cleared(self, operator: int, /) -> object: ...

    def refused(self, key: bytes, code: str, /) -> object:
        """The application knows that a contribution of ours has no place."""

    def advanced(self, seq: int, /) -> object:
        """The application shows everything up to this entry, and perhaps more."""

    def stopped(self, problem: ProtocolError, /) -> object:
        """The match stops here, once."""

    def wake_at(self, due: float, /) -> object:
        """Call `Driver.wake` at this time, or earlier; never, if it is infinite."""

    def rested(self) -> object:
        """Nothing is under way at this moment."""

    def work(
        self,
        job: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[ProtocolError], None],
        /,
    ) -> object:
        """Do `job` after the earlier ones; one at a time, since they share the application."""

    def judge(
        self,
        job: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[ProtocolError], None],
        /,
    ) -> object:
        """Do `job` beside all others: it may take long, and shares nothing with them."""

    def returning(self, done: Callable[[float, Unavailable | None], None], /) -> Written:
        """What a disk may call on any thread; the shell then calls `done`, with the time."""
