"""Faults planted on purpose, one rule broken in each: the simulation must notice.

`python -m tests.simulation --mutant NAME --seeds A-B` looks for a seed that finds it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager as Context
from unittest import mock

from protocol.application import Application
from protocol.errors import Diverged, Equivocation, RemoteError
from protocol.journal import chain, evidence, membership
from protocol.journal.accusation import PREFIX, Accused
from protocol.journal.chain import Chain, Entry
from protocol.journal.evidence import exhibit
from protocol.journal.membership import Membership
from protocol.journal.statements import DOMAIN_LINE, MAX_BODY, Ack, Signed
from protocol.replication import ballot, folding, follower, tally, timers
from protocol.replication.answers import Answers
from protocol.replication.delivery import Delivery
from protocol.replication.driver import Driver
from protocol.replication.effects import Effect, StoreEntry, Truncate
from protocol.replication.host_watch import HostWatch
from protocol.replication.intake import Intake
from protocol.replication.outbox import Outbox
from protocol.replication.replica import Checkpoints, Replica
from protocol.replication.restart import RestartGuard
from protocol.replication.timers import LateRejections, Yielding
from protocol.wire.codec import decode

Mutant = Callable[[], Context[object]]


@contextlib.contextmanager
def _quorum(size: Callable[[int], int]) -> Iterator[None]:
    with contextlib.ExitStack() as planted:
        for module in (membership, timers, tally):
            planted.enter_context(mock.patch.object(module, "quorum", size))
        yield


def _half() -> Context[object]:
    return _quorum(lambda operators: max(operators // 2, 1))


def _alone() -> Context[object]:
    return mock.patch.object(tally, "quorum", return_value=1)


def _before_the_disk() -> Context[object]:
    """Guests acknowledge what is not on their disks yet."""

    def take(self: Replica, entry: Entry, *, lazy: bool = False) -> StoreEntry:
        self.chain.append(entry)
        self.stored = entry.seq
        return StoreEntry(entry, lazy)

    return mock.patch.object(Replica, "take", take)


def _any_journal() -> Context[object]:
    return mock.patch.object(Replica, "is_no_newer", return_value=True)


def _twice() -> Context[object]:
    """What comes again is put in order again."""
    return mock.patch.object(Intake, "_known", return_value=None)


@contextlib.contextmanager
def _forgotten_cut() -> Iterator[None]:
    """The disk keeps what has given way."""
    perform = Driver._perform

    def performed(self: Driver[Application], effect: Effect) -> None:
        if not isinstance(effect, Truncate):
            perform(self, effect)

    with mock.patch.object(Driver, "_perform", performed):
        yield


def _several_votes() -> Context[object]:
    return mock.patch.object(ballot.BallotBox, "may_vote_for", return_value=True)


def _lost_submissions() -> Context[object]:
    """Nobody says again what lost its place."""
    return mock.patch.object(Outbox, "undone", return_value=None)


def _no_rewind() -> Context[object]:
    """The application keeps what has given way."""
    return mock.patch.object(Replica, "rewind", return_value=[])


def _unheard_followers() -> Context[object]:
    """Statements count in a term whose host their author does not follow."""
    return mock.patch.object(Delivery, "end", return_value=None)


# The rules of blame (PROTOCOL.md, 10), each left out: `--byzantine` must notice.


def _anothers_signature() -> Context[object]:
    """Whoever acknowledges another entry is believed to have been shown it."""
    check = Chain.check_said

    def checked(self: Chain, ack: Ack, signed: Signed, *, holds: bool) -> None:
        try:
            check(self, ack, signed, holds=holds)
        except RemoteError:
            if ack.seq > self.head or ack.hash == self.hash_at(ack.seq):
                raise
            here = self.entries[ack.seq]
            raise Equivocation(
                "another history was acknowledged",
                culprit=self.host_of(here.term),
                evidence=(here.exhibit(), exhibit("ack", signed)),
            ) from None

    return mock.patch.object(Chain, "check_said", checked)


@contextlib.contextmanager
def _any_match() -> Iterator[None]:
    """What a host has ordered in another match is held against it."""
    with contextlib.ExitStack() as planted:
        for module in (chain, evidence):
            planted.enter_context(mock.patch.object(module, "is_of", return_value=True))
        yield


def _any_refusal() -> Context[object]:
    """Nobody judges at the place that a refusal names."""
    return mock.patch.object(Answers, "judge", return_value=[])


@contextlib.contextmanager
def _old_words() -> Iterator[None]:
    """Anything may be accused, whenever it was said, and is judged where the accuser likes."""

    def check_accusation(chain: Chain, entry: Entry) -> Accused:
        signed = decode(entry.body[len(PREFIX) :], Signed, limit=MAX_BODY)
        return Accused(chain.check_authored(signed), entry.seq - 1)

    with contextlib.ExitStack() as planted:
        for module in (follower, folding):
            planted.enter_context(
                mock.patch.object(module, "check_accusation", check_accusation)
            )
        yield


def _silence() -> Context[object]:
    """A host that answers nothing stays in good standing."""
    return mock.patch.object(HostWatch, "_owed", return_value=[])


def _deaf_restart() -> Context[object]:
    """Who starts with a disk speaks and votes at once."""
    made = RestartGuard.__init__

    def make(
        self: RestartGuard, replica: Replica, ballots: ballot.BallotBox, *, restarted: bool
    ) -> None:
        made(self, replica, ballots, restarted=False)

    return mock.patch.object(RestartGuard, "__init__", make)


def _odd_digest() -> Context[object]:
    """One odd digest stops whoever hears it."""
    heard = Checkpoints.heard

    def hear(self: Checkpoints, ack: Ack, signed: Signed) -> frozenset[int]:
        differing = heard(self, ack, signed)
        if differing:
            raise Diverged(ack.seq, evidence=(exhibit("ack", signed),))
        return differing

    return mock.patch.object(Checkpoints, "heard", hear)


def _counted_for_ever() -> Context[object]:
    """Who has left still counts in the majority."""

    def remove(self: Membership, seq: int, operator: int) -> None:
        self.eras.append((seq, self.newest))

    return mock.patch.object(Membership, "remove", remove)


def _newest_majority() -> Context[object]:
    """What was said before a removal is judged by those who count after it."""
    return mock.patch.object(Membership, "at", lambda self, _: self.newest)


def _at_once() -> Context[object]:
    """What is refused again and again is said again at once."""
    return mock.patch.object(LateRejections, "hold", lambda _, now, effects: list(effects))


def _gives_in() -> Context[object]:
    """A host steps down for every word of a later term."""
    return mock.patch.object(Yielding, "gives_in", return_value=True)


def _anybodys_words() -> Context[object]:
    """Whoever brings a line of chat may put it into another's mouth."""
    check = Signed.check

    def checked(self: Signed, public: bytes, domain: bytes) -> None:
        if domain != DOMAIN_LINE:
            check(self, public, domain)

    return mock.patch.object(Signed, "check", checked)


MUTANTS: dict[str, Mutant] = {
    "counted-for-ever": _counted_for_ever,
    "newest-majority": _newest_majority,
    "half": _half,
    "alone": _alone,
    "before-the-disk": _before_the_disk,
    "any-journal": _any_journal,
    "twice": _twice,
    "forgotten-cut": _forgotten_cut,
    "several-votes": _several_votes,
    "lost-submissions": _lost_submissions,
    "no-rewind": _no_rewind,
    "unheard-followers": _unheard_followers,
    "anothers-signature": _anothers_signature,
    "any-match": _any_match,
    "any-refusal": _any_refusal,
    "old-words": _old_words,
    "silence": _silence,
    "deaf-restart": _deaf_restart,
    "odd-digest": _odd_digest,
    "at-once": _at_once,
    "gives-in": _gives_in,
    "anybodys-words": _anybodys_words,
}
