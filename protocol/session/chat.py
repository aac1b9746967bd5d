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

from protocol.errors import Malformed, RemoteError
from protocol.identity.keys import Identity
from protocol.identity.names import MAX_CHAT, legible
from protocol.journal.statements import DOMAIN_LINE, Line, Signed, sign
from protocol.wire.rate_limits import TokenBuckets

CHAT_BURST = 8
CHAT_SECONDS = 1.0
"""Lines of chat at once, and the seconds until the next: a person in a hurry, no program."""

PATIENCE = 4
"""So many times a speaker's rate is shown by whoever hears it: lines may come in heaps."""

MAX_SPEAKERS = 256
"""Speakers whose numbers are remembered; those heard of longest ago are forgotten."""

RECENT = 64
"""Numbers of one speaker that are remembered beside the highest one."""


@dataclass(frozen=True, slots=True)
class Spoke:
    """`text` is fit to be shown; `speaker` is the key that signed it."""

    speaker: bytes
    text: str


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
        self._own = TokenBuckets(CHAT_BURST, CHAT_SECONDS)
        self._others = TokenBuckets(CHAT_BURST * PATIENCE, CHAT_SECONDS / PATIENCE)
        self._numbers: dict[bytes, _Numbers] = {}

    def speak(self, table: bytes, text: str, now: float) -> tuple[Spoke, Signed] | None:
        """A line of ours, shown and signed; None where it says nothing, or says too much."""
        me, shown = self._identity.public, legible(text, MAX_CHAT)
        if not shown or not self._own.take(me.hex(), now):
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
        shown = legible(said.text, MAX_CHAT)
        if not shown or not self._others.take(said.speaker.hex(), now):
            return None
        return Spoke(said.speaker, shown)

    def _sign(self, table: bytes, text: str) -> Signed:
        line = Line(table, self._identity.public, self._last, text)
        return sign(self._identity, DOMAIN_LINE, line)

    def _of(self, speaker: bytes) -> _Numbers:
        found = self._numbers.pop(speaker, None) or _Numbers()
        self._numbers[speaker] = found
        if len(self._numbers) > MAX_SPEAKERS:
            del self._numbers[next(iter(self._numbers))]
        return found


def _open(line: Signed, table: bytes, teller: bytes) -> Line:
    try:
        said = line.read(Line)
        line.check(said.speaker, DOMAIN_LINE)
    except RemoteError:
        # The teller's connection is at fault, whatever key stands in the line.
        raise Malformed("a line that its speaker did not sign", culprit=teller) from None
    if said.table != table:
        raise Malformed("a line that was said at another table", culprit=teller)
    return said
