"""Faults planted on purpose, one rule broken in each: the simulation must notice.

`python -m tests.simulation --mutant NAME --seeds A-B` looks for a seed that finds it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager as Context
from unittest import mock

from protocol import election, hearing, journal, poll, sequencer
from protocol.application import Application
from protocol.effects import Effect, StoreEntry, Truncate
from protocol.journal import Entry
from protocol.outbox import Outbox
from protocol.replica import Replica
from protocol.sequencer import Sequencer
from protocol.succession import Succession
from tests.simulation.desk import Desk

Mutant = Callable[[], Context[object]]


@contextlib.contextmanager
def _quorum(size: Callable[[int], int]) -> Iterator[None]:
    with contextlib.ExitStack() as planted:
        for module in (election, hearing, journal, poll, sequencer):
            planted.enter_context(mock.patch.object(module, "quorum", size))
        yield


def _half() -> Context[object]:
    return _quorum(lambda operators: max(operators // 2, 1))


def _alone() -> Context[object]:
    return mock.patch.object(sequencer, "quorum", return_value=1)


def _before_the_disk() -> Context[object]:
    """Guests acknowledge what is not on their disks yet."""

    def take(self: Replica, entry: Entry) -> StoreEntry:
        self.chain.append(entry)
        self.stored = entry.seq
        return StoreEntry(entry)

    return mock.patch.object(Replica, "take", take)


def _any_journal() -> Context[object]:
    return mock.patch.object(Succession, "_is_as_new", return_value=True)


def _twice() -> Context[object]:
    """What comes again is put in order again."""
    return mock.patch.object(Sequencer, "_known", return_value=None)


@contextlib.contextmanager
def _forgotten_cut() -> Iterator[None]:
    """The disk keeps what has given way."""
    perform = Desk._perform

    def performed(self: Desk[Application], effect: Effect) -> None:
        if not isinstance(effect, Truncate):
            perform(self, effect)

    with mock.patch.object(Desk, "_perform", performed):
        yield


def _several_votes() -> Context[object]:
    return mock.patch.object(poll.Poll, "may_promise", return_value=True)


def _lost_letters() -> Context[object]:
    """Nobody says again what lost its place."""
    return mock.patch.object(Outbox, "undone", return_value=None)


def _no_rewind() -> Context[object]:
    """The application keeps what has given way."""
    return mock.patch.object(Replica, "rewind", return_value=[])


def _unheard_followers() -> Context[object]:
    """Statements count in a term whose host their author does not follow."""
    return mock.patch.object(Sequencer, "gone", return_value=None)


MUTANTS: dict[str, Mutant] = {
    "half": _half,
    "alone": _alone,
    "before-the-disk": _before_the_disk,
    "any-journal": _any_journal,
    "twice": _twice,
    "forgotten-cut": _forgotten_cut,
    "several-votes": _several_votes,
    "lost-letters": _lost_letters,
    "no-rewind": _no_rewind,
    "unheard-followers": _unheard_followers,
}
