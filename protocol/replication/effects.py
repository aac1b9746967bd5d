"""What the machines of a match ask of the world. Values only.

The shell performs them in the order given. `StoreEntry`, `StoreSubmissions`, `StoreBallot` and
`Fold` are answered by `stored`, `kept`, `balloted` and `folded`; what must be on disk before it
leaves waits for that.
"""

from __future__ import annotations

import msgspec

from protocol.application import Contribution
from protocol.errors import ProtocolError
from protocol.journal.chain import Chain, Entry
from protocol.journal.statements import CHECKPOINT, Authored, Signed
from protocol.replication.ballot import Ballot
from protocol.replication.outbox import Submission


class Effect(msgspec.Struct, frozen=True):
    """Base of the effects."""


class StoreEntry(Effect, frozen=True):
    """Put this entry on our disk; answer `stored(entry.seq, entry.hash)`.

    A `lazy` one is written in one transaction with the next that is not: what takes the place
    of other entries is on the disk whole or not at all.
    """

    entry: Entry
    lazy: bool = False


class Truncate(Effect, frozen=True):
    """Delete what our disk holds after entry `seq`; `certificate` is the newest that is left.

    Comes before the entry that takes the place, and needs no answer.
    """

    seq: int
    certificate: tuple[Signed, ...]


class StoreBallot(Effect, frozen=True):
    """Put our term and our vote in it on our disk; answer `balloted(ballot)`."""

    ballot: Ballot


class StoreSubmissions(Effect, frozen=True):
    """Put these on our disk in one transaction, secrets first; answer `kept(counters)`."""

    submissions: tuple[Submission, ...]


class StoreRefusal(Effect, frozen=True):
    """Remember a refusal before anything later is stored. Needs no answer."""

    author: int
    counter: int
    refusal: Signed


class Fold(Effect, frozen=True):
    """Let the application apply this; answer `folded(seq, code, digest)`.

    `authored` is the statement that `body` is from. Folds are answered in their order.
    """

    seq: int
    author: int
    body: bytes
    authored: Signed

    @property
    def checkpoint(self) -> bool:
        """Whether the application's digest is asked for afterwards."""
        return self.seq % CHECKPOINT == 0


class Ask(Effect, frozen=True):
    """Ask our application what it owes, unless it was asked at this state of things already.

    It has its turn before the next fold, so that nobody keeps it from that by what it says.
    """


class Examine(Effect, frozen=True):
    """Let an application made anew judge a statement right after entry `place`.

    Answer `examined(key, code)`; `code` is None where the statement may stand there. It takes
    as long as reading the match up to there; nothing waits for it.
    """

    key: bytes
    place: int
    statement: Authored


class Judge(Effect, frozen=True):
    """Let applications made anew say what this evidence shows in the journal `judges`, which
    goes on by a `segment` of others' entries that nobody has checked.

    Answered to the `review` that asks, under the name `case`. As dear as `Examine`.
    """

    case: object
    judges: Chain
    segment: tuple[Signed, ...]
    evidence: tuple[bytes, ...]


class Recall(Effect, frozen=True):
    """A contribution that had been refused has its place after all: the application takes it
    back before it folds it.
    """

    contribution: Contribution


class Rewind(Effect, frozen=True):
    """Take the application back to the moment after entry `seq`.

    Answers to folds asked for before this are void. What was `said`, and what was `confirmed`,
    it keeps; nothing is shown twice.
    """

    seq: int
    confirmed: int
    said: tuple[Contribution, ...]


class Send(Effect, frozen=True):
    """To one operator, if it is here; lost otherwise, and repeated after its return."""

    operator: int
    message: msgspec.Struct


class Confirm(Effect, frozen=True):
    """Everything up to `seq` is on a majority's disks, as this certificate shows."""

    seq: int
    certificate: tuple[Signed, ...]


class Reject(Effect, frozen=True):
    """Our contribution with this key has no place: refused by the host, signed, or "lost"."""

    key: bytes
    counter: int
    code: str


class Hosting(Effect, frozen=True):
    """This operator orders from now on; None while nobody is known to.

    `instead_of`: whom it replaces, where that one was suspected.
    """

    operator: int | None
    instead_of: int | None = None


class Suspect(Effect, frozen=True):
    """This operator owes an answer that an honest program gives at once.

    `why`: "withholds", "differs" or "forgets"; `about`: whose statement it leaves lying.
    """

    operator: int
    why: str
    about: int | None = None


class Clear(Effect, frozen=True):
    """The answer came."""

    operator: int


class Cut(Effect, frozen=True):
    """This operator broke the protocol: speak with it no more."""

    operator: int
    fault: ProtocolError


class Fail(Effect, frozen=True):
    """The table must not go on."""

    fault: ProtocolError
