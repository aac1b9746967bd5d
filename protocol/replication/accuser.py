"""A host's own accusations: what looks like a cheat is judged where it was said, then shown.

What no honest program could have said after our newest entry may have been right at its
author's ancestor. So our application is asked once more, there (`effects.Examine`), and its
author waits meanwhile. The accusation itself is the last entry of its match (`accusation`).
"""

from __future__ import annotations

from protocol.application import Contribution
from protocol.errors import RemoteError
from protocol.journal.accusation import is_accusation, make_accusation, verdict
from protocol.journal.chain import Chain, Entry
from protocol.journal.statements import Authored, Signed, authored_hash
from protocol.replication.effects import Examine


class Accuser:
    """Who may be accused, and who is. Pure."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._examined: dict[bytes, tuple[Authored, Signed]] = {}  # what looks like a cheat
        self._condemned: tuple[int, str] | None = None  # a cheating author, and the refusal

    @property
    def is_sure(self) -> bool:
        """Whether somebody is accused: then nothing else is ordered any more."""
        return self._condemned is not None

    @property
    def suspects(self) -> set[int]:
        """The authors of what is being judged."""
        return {statement.author for statement, _ in self._examined.values()}

    def suspect(self, statement: Authored, authored: Signed) -> Examine:
        """Have this judged where it was said: its ancestor is an entry of ours."""
        place = self._chain.place_of(statement.ancestor)
        assert place is not None  # it was looked up before it was folded
        key = b"accuse" + authored_hash(authored.content)
        self._examined[key] = statement, authored
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
