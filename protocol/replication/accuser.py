"""A host's own accusations: what looks like a cheat is judged where it was said, then shown.

What no honest program could have said after our newest entry may have been right at its
author's ancestor. So our application is asked once more, there (`effects.Examine`), and its
author waits meanwhile. The accusation itself is the last entry of its match (`accusation`).

To ask is as dear as reading the match, so an author is examined a few times in a term; then
what it says is only refused, and has no effect on anybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from protocol.application import Contribution
from protocol.errors import RemoteError
from protocol.journal.accusation import (
    is_accusation,
    is_forbidden,
    make_accusation,
    verdict,
)
from protocol.journal.chain import Chain, Entry
from protocol.journal.statements import Authored, Signed, authored_hash
from protocol.replication.effects import Examine

MAX_EXAMINED = 8
"""So often one author is examined in one term. One that is honest hardly ever is."""


class Accuser:
    """Who may be accused, and who is. Pure."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._examined: dict[bytes, tuple[Authored, Signed]] = {}  # what looks like a cheat
        self._times: Counter[int] = Counter()  # how often each author was examined
        self._spared: set[tuple[int, int]] = set()  # words that have waited for one already
        self._condemned: tuple[int, str] | None = None  # a cheating author, and the refusal

    @property
    def is_sure(self) -> bool:
        """Whether somebody is accused: then nothing else is ordered any more."""
        return self._condemned is not None

    @property
    def suspects(self) -> set[int]:
        """The authors of what is being judged."""
        return {statement.author for statement, _ in self._examined.values()}

    def may_suspect(self, statement: Authored, code: str) -> bool:
        """Whether what was refused so is examined as well."""
        author = statement.author
        spared = (author, statement.counter) in self._spared
        return is_forbidden(code) and not spared and self._times[author] < MAX_EXAMINED

    def spare(self, author: int, counters: Iterable[int]) -> None:
        """An examination came to nothing: what waited for it has its answer without another."""
        self._spared.update((author, counter) for counter in counters)

    def suspect(self, statement: Authored, authored: Signed) -> Examine:
        """Have this judged where it was said: its ancestor is an entry of ours."""
        place = self._chain.place_of(statement.ancestor)
        assert place is not None  # it was looked up before it was folded
        key = b"accuse" + authored_hash(authored.content)
        self._examined[key] = statement, authored
        self._times[statement.author] += 1
        return Examine(key, place, statement)

    def take(self, key: bytes) -> tuple[Authored, Signed] | None:
        """What was judged under this key, once; None where nobody waits for it any more."""
        found = self._examined.pop(key, None)
        return None if self.is_sure else found

    def condemn(self, statement: Authored, authored: Signed, code: str) -> Contribution:
        """The accusation of a word that was `code` where its author said it."""
        self._condemned = statement.author, code
        return Contribution(key=b"accusation", body=make_accusation(authored))

    def verdict(self, entry: Entry) -> RemoteError | None:
        """Who cheated, where this entry is our accusation."""
        if self._condemned is None or not is_accusation(entry.body):
            return None
        return verdict(self._chain, entry, *self._condemned)
