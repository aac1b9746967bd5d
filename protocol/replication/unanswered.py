"""What others have said and the host has not answered: silence is seen by all.

An author whose statement is left lying shows it to every operator. Each of them brings it to
the host itself, so that no broken link explains the silence, and waits a while. An honest host
can always answer: by ordering it, or by a signed refusal. One that does neither is *suspected*
(after PeerReview's challenges), and others may want another host. That is no verdict, and it
ends with the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from protocol.journal.chain import Chain, Entry
from protocol.journal.statements import Authored, Refusal, Signed, authored_hash

MAX_WORDS = 64
"""Statements of one author that are held. What is beyond waits with its author."""

MAX_HEARD = 64
"""So many words of one author without a place are brought to one host: an honest author has a
few. A host lets one operator bring sixteen times as many, so that nobody who brings them for a
liar, and has forgotten it after a restart, comes near its bound (`RefusedSubmissions`).
"""

MAX_BYTES = 1 << 20
"""Bytes of one author's statements that are held."""


@dataclass(slots=True)
class _Word:
    author: int
    counter: int
    authored: Signed
    ancestor: bytes
    since: float  # when this host could have known it
    brought: float | None = None  # when it was last brought to the host


class Unanswered:
    """Statements by the SHA-256 of their bytes. Pure; time is an argument."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._words: dict[bytes, _Word] = {}
        self._heard: Counter[int] = Counter()  # of each author, in vain or not answered yet

    def __len__(self) -> int:
        return len(self._words)

    @property
    def authors(self) -> frozenset[int]:
        return frozenset(word.author for word in self._words.values())

    def hear(self, now: float, statement: Authored, authored: Signed) -> None:
        """An operator shows a statement, its author's signature checked."""
        name = authored_hash(authored.content)
        author = statement.author
        if self._heard[author] >= MAX_HEARD:
            return
        if name in self._words or statement.counter <= self._chain.last_counter(author):
            return
        held = [word for word in self._words.values() if word.author == author]
        size = sum(len(word.authored.content) for word in held)
        if len(held) >= MAX_WORDS or (held and size + len(authored.content) > MAX_BYTES):
            return
        self._heard[author] += 1
        self._words[name] = _Word(
            author, statement.counter, authored, statement.ancestor, since=now
        )

    def newest_of(self, author: int) -> Signed | None:
        words = [word for word in self._words.values() if word.author == author]
        return max(words, key=lambda word: word.counter).authored if words else None

    def take(self) -> tuple[Signed, ...]:
        """Everything that waits, in the order in which it was heard: we answer now."""
        words = tuple(word.authored for word in self._words.values())
        self._words.clear()
        return words

    def ordered(self, entry: Entry) -> None:
        """An entry has its place: what its author said before has none any more."""
        for name, word in tuple(self._words.items()):
            if word.author == entry.author and word.counter <= entry.counter:
                del self._words[name]
                self._heard[entry.author] -= name == authored_hash(entry.inside.content)

    def refused(self, refusal: Refusal) -> Signed | None:
        """The host's signed refusal: the statement, if it waits here and this is an answer.

        A refusal judged where we have not been, or before what its author had seen confirmed,
        answers nothing.
        """
        word = self._words.get(refusal.hash)
        if word is None or refusal.place > self._chain.head:
            return None
        place = self._chain.place_of(word.ancestor)
        elsewhere = self._chain.hash_at(refusal.place) != refusal.entry
        if elsewhere or (place is not None and refusal.place < place):
            return None
        del self._words[refusal.hash]
        return word.authored

    def leave_to(self, host: int | None) -> None:
        """Another hosts: its own words are its own affair, and it has heard nothing from us."""
        for name, word in tuple(self._words.items()):
            if word.author == host:
                del self._words[name]
        self._heard = Counter(word.author for word in self._words.values())

    def renew(self, now: float) -> None:
        """The host may not have heard anything yet."""
        for word in self._words.values():
            word.since, word.brought = now, None

    def bring(self, now: float, again: float) -> Iterator[Signed]:
        """What goes to the host now, in the order in which it was heard; taken as brought."""
        for word in self._words.values():
            if word.brought is None or now - word.brought >= again:
                if word.brought is None:
                    word.since = now
                word.brought = now
                yield word.authored

    def overdue(self, now: float, patience: float) -> Iterable[int]:
        """The authors whose words were brought so long ago, oldest first."""
        late = [
            word
            for word in self._words.values()
            if word.brought is not None and now - word.since >= patience
        ]
        return tuple(dict.fromkeys(word.author for word in late))
