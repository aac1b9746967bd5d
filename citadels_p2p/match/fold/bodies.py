"""What operators write into the journal during a match: typed bodies in canonical bytes.

The first element of each array is the body's tag; tags are never reused. Slots, seats and steps
are small integers; proofs, shares and keys are opaque bytes that `protocol.cards.deck` reads.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

import msgspec

from protocol.journal.membership import is_removal, read_removal
from protocol.wire.codec import CanonicalStruct, decode, encode

#: The largest honest body is a shuffle of 84 cards: 5.4 kB of ciphertexts and 10.9 kB of proof.
MAX_BODY = 64 * 1024


class Body(CanonicalStruct, frozen=True):
    """What an operator writes: on the wire an array that begins with the tag."""


class Fulfilling(Body, frozen=True):
    """What does nothing but fulfil a duty."""


class KeyCommit(Fulfilling, frozen=True, tag=1):
    """A promise of this operator's share key: nobody chooses a key after seeing the others'."""

    commitment: bytes


class KeyOpen(Fulfilling, frozen=True, tag=2):
    """The share key that was promised, its proof of possession and the promise's nonce."""

    opening: bytes


class Shuffled(Fulfilling, frozen=True, tag=3):
    """Slots re-encrypted and permuted, with proof.

    One link of a joint shuffle, or a re-mask by an owner. `age` is the sum of the versions that
    it takes in, `lacking` the operators whose key it leaves out: where somebody comes back and
    shuffles first, or lays its layer on, the step is stale.
    """

    slots: tuple[int, ...]
    proof: bytes
    age: int
    lacking: tuple[int, ...] = ()


class Shared(Fulfilling, frozen=True, tag=4):
    """Decryption shares with proofs, for cards dealt to a seat whose operator withholds its
    own.
    """

    seat: int
    slots: tuple[int, ...]
    shares: bytes


class Opening(CanonicalStruct, frozen=True):
    """What opens the commitment to a picked character: its slot and the 32-byte nonce."""

    slot: int
    nonce: bytes


class Told(CanonicalStruct, frozen=True):
    """What a seat had invented in secret.

    The slot that stands for it, what it is, the nonce.
    """

    slot: int
    face: str
    nonce: bytes


class Opened(Fulfilling, frozen=True, tag=5):
    """Shares that show cards to everybody, and the nonces of those that were committed to."""

    slots: tuple[int, ...]
    shares: bytes
    openings: tuple[Opening, ...] = ()


class Answered(Fulfilling, frozen=True, tag=6):
    """The answer to a call for all of an operator's seats.

    'not I' (seat -1), or who reveals which card.
    """

    step: int
    seat: int
    slot: int
    nonce: bytes
    shares: bytes


class Acted(Body, frozen=True, tag=7):
    """A seat's decision by option ids.

    `commitment` to a picked character, `shares` of cards it shows.
    """

    step: int
    seat: int
    picks: tuple[str, ...]
    commitment: bytes = b""
    shares: bytes = b""
    told: tuple[Told, ...] = ()


class KeyShown(Fulfilling, frozen=True, tag=8):
    """After the match: the share key itself, so that anybody can open what stayed sealed."""

    secret: bytes


class Pledged(Fulfilling, frozen=True, tag=9):
    """A commitment to a character that came to a seat without being picked by it."""

    slot: int
    commitment: bytes


class Entrusted(Body, frozen=True, tag=10):
    """This operator's share key in escrow with the others."""

    escrow: bytes


class Complained(Body, frozen=True, tag=11):
    """What `dealer` sealed to this operator is not what it committed to, as the proof shows."""

    dealer: int
    proof: bytes


class Missed(Body, frozen=True, tag=12):
    """Nothing was heard of `operator` for as long as the table allows.

    `since` is the number of its newest entry: a word of its own makes this void.
    """

    operator: int
    since: int


class Returned(Body, frozen=True, tag=13):
    """I am here, whoever misses me."""


class Recovered(Fulfilling, frozen=True, tag=14):
    """Parts, with proofs, of the shares of an operator that is gone.

    For cards dealt to `seat`, or opened to all (-1).
    """

    absent: int
    seat: int
    slots: tuple[int, ...]
    parts: bytes


class TimedOut(Body, frozen=True, tag=15):
    """The default for a seat that must decide and whose operator is gone."""

    step: int
    seat: int


class HandedOver(Body, frozen=True, tag=16):
    """A bot of this level plays this seat from now on; '': its person again."""

    seat: int
    level: str


class GivenUp(Body, frozen=True, tag=18):
    """`operator` is away for longer than the table waits; of oneself: I leave for good.

    `since` is the number of its newest entry.
    """

    operator: int
    since: int


class Passed(Fulfilling, frozen=True, tag=19):
    """Cards that only this operator can read, handed to the one that plays `seat`, with
    proof.
    """

    seat: int
    slots: tuple[int, ...]
    transfer: bytes


class Veiled(Fulfilling, frozen=True, tag=20):
    """This operator's layer, with proof, for cards that were handed on without it."""

    slots: tuple[int, ...]
    veils: bytes


class Resigned(Body, frozen=True, tag=21):
    """One of the last two leaves for good, where nobody could stand in for it."""


class Forgot(Body, frozen=True, tag=22):
    """This operator's secrets are lost on its disk.

    `lock`: a fresh public key, to which the others seal their parts of its share key; empty
    where it still has that key, and lacks only what opens its commitments.
    """

    lock: bytes


class GaveBack(Body, frozen=True, tag=23):
    """This holder's part of the share key of `operator`, sealed to the lock of its plea
    number `plea`.
    """

    operator: int
    plea: int
    seal: bytes


class Ended(Fulfilling, frozen=True, tag=24):
    """In my history the match is over: so it may show what my key and my seals hide."""


class Hurried(Body, frozen=True, tag=25):
    """Whoever decides at this step has thought for long enough: chance may decide soon."""

    step: int


class Removed(msgspec.Struct, frozen=True):
    """The journal counts `operator` no more, which had left for good by entry `place`.

    Only a host makes this one; it comes in the protocol's own bytes.
    """

    operator: int
    place: int


KINDS = {*Body.__subclasses__(), *Fulfilling.__subclasses__()} - {Fulfilling}
_BODIES = reduce(or_, KINDS)


def read(body: bytes) -> Body | Removed:
    """The typed body, or `Malformed`/`Excessive`."""
    if is_removal(body):
        return Removed(*read_removal(body))
    return decode(body, _BODIES, limit=MAX_BODY)


def write(body: Body) -> bytes:
    return encode(body)
