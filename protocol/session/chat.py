"""Chat: every line is signed by its speaker, belongs to one table, and is shown once.

The rules of this room:

- What is said in a person's name is under the signature of that person's laptop. Who passes on
  a line that its speaker did not sign, or signed for another table, has broken the protocol of
  that connection; the speaker has done nothing.
- A line has a number. One that somebody else passes on counts only above all numbers of its
  speaker, so nobody repeats an old line as new. On its own connection a speaker may say
  anything that was not shown yet: its clock may have gone back.
- A line without text only tells where its speaker's numbers are; it is said on every new link.
- Whoever comes is reminded of its own newest line, and goes on above it: others would take what
  is passed on of somebody whose clock has gone back for old.
- Lines beyond a person's rate are not shown, and do not come back another way.

Time is an argument, in seconds of any clock that only moves forward.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TypeVar

from protocol.errors import Malformed, RemoteError
from protocol.identity.keys import Identity, verify
from protocol.identity.names import MAX_CHAT, legible
from protocol.journal.statements import DOMAIN_LINE, Line, Signed, sign
from protocol.wire.codec import decode

_T = TypeVar("_T")

CHAT_PER_SECOND = 1.0
CHAT_BURST = 8.0
"""Lines of chat: a person in a hurry, not a program."""

PATIENCE = 4.0
"""So many times a speaker's rate is shown by whoever hears it: lines may come in heaps."""

MAX_LINE = 2048
"""Bytes of a line: its text in the widest letters, and what surrounds it."""

MAX_SPEAKERS = 256
"""Speakers whose numbers are remembered; those heard of longest ago are forgotten."""

RECENT = 64
"""Numbers of one speaker that are remembered beside the highest one."""


@dataclass(frozen=True, slots=True)
class Spoke:
    """`text` is fit to be shown; `speaker` is the key that signed it."""

    speaker: bytes
    text: str


class Talk:
    """What one speaker after another says: made legible, cut to length, held to a rate."""

    def __init__(self, patience: float = 1.0) -> None:
        self._burst, self._rate = CHAT_BURST * patience, CHAT_PER_SECOND * patience
        self._purses: dict[bytes, tuple[float, float]] = {}

    def hear(self, speaker: bytes, text: str, now: float) -> str:
        """What may be shown; empty when there is nothing in it or too much of it."""
        left, at = self._purses.pop(speaker, (self._burst, now))
        left = min(self._burst, left + max(0.0, now - at) * self._rate)
        shown = legible(text, MAX_CHAT)
        granted = left >= 1.0 and bool(shown)
        self._purses[speaker] = (left - 1.0 if granted else left, now)
        _forget(self._purses)
        return shown if granted else ""


@dataclass(slots=True)
class _Numbers:
    """What is known of one speaker's numbers."""

    highest: int = -1
    newest: Signed | None = None  # the line that has the highest
    recent: deque[int] = field(default_factory=lambda: deque(maxlen=RECENT))


class Chat:
    """What we say, and what we have heard of everybody."""

    def __init__(self, identity: Identity, began: int) -> None:
        """`began`: milliseconds of the wall clock, so that numbers go on after a restart."""
        self._identity = identity
        self._last = began
        self._own, self._others = Talk(), Talk(PATIENCE)
        self._numbers: dict[bytes, _Numbers] = {}

    def speak(self, table: bytes, text: str, now: float) -> tuple[Spoke, Signed] | None:
        """A line of ours, shown and signed; None where it says nothing, or says too much."""
        me = self._identity.public
        shown = self._own.hear(me, text, now)
        if not shown:
            return None
        self._last += 1
        self._of(me).recent.append(self._last)
        return Spoke(me, shown), self._sign(table, shown)

    def mark(self, table: bytes) -> Signed:
        """Where our numbers are, for whoever is linked with us now: older lines are old."""
        return self._sign(table, "")

    def newest_of(self, speaker: bytes) -> Signed | None:
        """The newest line that we know of a speaker, to remind it of."""
        return self._numbers[speaker].newest if speaker in self._numbers else None

    def hear(
        self, line: Signed, table: bytes, members: Collection[bytes], teller: bytes, now: float
    ) -> Spoke | None:
        """What is to be shown of a line that came from `teller`; None where nothing is.

        `members`: the keys at this table. Raises `Malformed`, naming the teller, where the
        speaker did not sign it, or signed it for another table.
        """
        said = _open(line, table, teller)
        if said.speaker not in members:
            return None
        if said.speaker == self._identity.public:
            self._last = max(self._last, said.number)
            return None
        known = self._of(said.speaker)
        passed_on = said.speaker != teller
        if said.number in known.recent or (passed_on and said.number <= known.highest):
            return None
        if said.number > known.highest:
            known.highest, known.newest = said.number, line
        if not said.text:
            return None
        known.recent.append(said.number)
        shown = self._others.hear(said.speaker, said.text, now)
        return Spoke(said.speaker, shown) if shown else None

    def _sign(self, table: bytes, text: str) -> Signed:
        line = Line(table, self._identity.public, self._last, text)
        return sign(self._identity, DOMAIN_LINE, line)

    def _of(self, speaker: bytes) -> _Numbers:
        found = self._numbers.pop(speaker, None) or _Numbers()
        self._numbers[speaker] = found
        _forget(self._numbers)
        return found


def _open(line: Signed, table: bytes, teller: bytes) -> Line:
    try:
        said = decode(line.content, Line, limit=MAX_LINE)
        verify(said.speaker, DOMAIN_LINE, line.content, line.signature)
    except RemoteError:
        # The teller's connection is at fault, whatever key stands in the line.
        raise Malformed("a line that its speaker did not sign", culprit=teller) from None
    if said.table != table:
        raise Malformed("a line that was said at another table", culprit=teller)
    return said


def _forget(kept: dict[bytes, _T]) -> None:
    """The oldest make room."""
    while len(kept) > MAX_SPEAKERS:
        del kept[next(iter(kept))]
