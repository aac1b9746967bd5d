"""How much a saved match assures, once every entry in it holds.

What a majority has confirmed; whose share keys are known; whether what was put in escrow was
what it claimed to be; whether the cards that stayed hidden complete the pack; and what the
match was stopped for, where its entries do not show it.

Why so: docs/decisions, 21.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.fold.refusal import refusal_code
from citadels_p2p.match.fold.sealing import face_of
from protocol.cards.elgamal import Ciphertext, unseal
from protocol.cards.escrow import Escrow
from protocol.errors import BadProof, IllegalEntry, Malformed, RemoteError
from protocol.journal.chain import Chain
from protocol.journal.judgement import judge
from protocol.journal.statements import DOMAIN_ACK, Ack, Authored, Signed
from protocol.journal.stop_reason import StopReason
from protocol.replication.folding import judge_at

PLACED = ("deck", "hand", "drawn", "city", "tucked")
"""The zones that share the pack of districts."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Whose share keys are known after a match, by name.

    `given` away by themselves; `rebuilt` from the escrow that others held; `lacking`: neither.
    Who has left for good is in none but the first two: nothing lies under its key any more.
    """

    given: tuple[str, ...] = ()
    rebuilt: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Complaint:
    """What a match was stopped for, and whom that named ('': nobody), without any proof."""

    code: str
    name: str


class Uncertified(Malformed):
    """The confirmation that a file shows does not hold; whoever wrote the file is unknown."""

    code = "certificate"


class Cut(Malformed):
    """Entries are missing at the end: somebody has acknowledged later ones."""

    code = "journal_incomplete"


class WrongSeal(BadProof):
    """A value in escrow was not the one that its dealer committed to."""

    def __init__(self, detail: str, *, culprit: bytes, seq: int) -> None:
        super().__init__(detail, culprit=culprit)
        self.seq = seq


class Seals:
    """Every escrow of a match, with the number of the entry that dealt it."""

    def __init__(self) -> None:
        self._dealt: list[tuple[int, Escrow]] = []
        self._newest: dict[int, Escrow] = {}

    def look(self, match: Match, author: int, seq: int) -> None:
        """An entry of this author was folded."""
        held = match.keys.escrows.get(author)
        if held is not None and self._newest.get(author) is not held:
            self._newest[author] = held
            self._dealt.append((seq, held))

    def check(self, match: Match) -> None:
        """Open each value that was sealed to somebody whose key is known. Raises `WrongSeal`.

        Its holder should have complained; but it may have been in it together with the dealer,
        and what nobody could use would have stopped the match once the dealer was gone.
        """
        known, names = match.keys.known, match.genesis.operators
        for seq, held in self._dealt:
            for holder in sorted(held.seals.keys() & known.keys()):
                try:
                    held.open_seal(holder, known[holder])
                except BadProof:
                    raise WrongSeal(
                        f"sealed a wrong value to {names[holder].name}",
                        culprit=names[held.dealer].identity,
                        seq=seq,
                    ) from None


def confirmed(chain: Chain, certificate: tuple[Signed, ...]) -> int | None:
    """The newest entry that a majority has confirmed, as the certificate shows; None without.

    Raises `Cut` where somebody has signed for an entry after the last one here, and
    `Uncertified` where what is shown proves nothing. Neither names anybody: whoever has the
    file may have changed it.
    """
    if not certificate:
        return None
    try:
        acks = [one.read(Ack) for one in certificate]
        for ack, signed in zip(acks, certificate, strict=True):
            _check_end(chain, ack, signed)
        reach = min(ack.seq for ack in acks)
        chain.check_quorum_certificate(reach, certificate)
    except Cut:
        raise
    except RemoteError as problem:
        raise Uncertified(problem.detail) from None
    return reach


def _check_end(chain: Chain, ack: Ack, signed: Signed) -> None:
    operators = chain.genesis.operators
    if ack.seq <= chain.head or ack.operator >= len(operators):
        return
    if ack.match == chain.genesis.digest:
        signer = operators[ack.operator]
        signed.check(signer.identity, DOMAIN_ACK)
        raise Cut(f"{signer.name} has acknowledged entry {ack.seq}")


def keys_of(match: Match) -> Keys:
    """Whose share keys are known, now that the match is over."""
    names = [operator.name for operator in match.genesis.operators]
    given, known = match.keys.given, match.keys.known
    return Keys(
        given=tuple(name for one, name in enumerate(names) if one in given),
        rebuilt=tuple(
            name for one, name in enumerate(names) if one in known and one not in given
        ),
        lacking=tuple(
            name
            for one, name in enumerate(names)
            if one not in known and one not in match.keys.departed
        ),
    )


def check_hidden(match: Match) -> bool:
    """Whether the districts in deck, hands and cities could all be opened.

    `IllegalEntry` where they could, and are not the edition's pack.
    """
    placed = [slot for slot, zone in match.zones.items() if zone.kind in PLACED]
    known = match.keys.known.keys()
    if not placed or not all(map(match.is_card, placed)):
        return False  # it ended before all was laid
    if any(
        one not in known and one not in match.cards.shares(slot)
        for slot in placed
        for one in match.cards.layers(slot)
    ):
        return False
    found = Counter(hidden_faces(match, placed).values())
    if found != Counter(match.state.tables.labels):
        raise IllegalEntry("the hidden cards are not what is missing from the pack")
    return True


def hidden_faces(match: Match, slots: Iterable[int]) -> dict[int, str]:
    """What lies in these slots, opened with the share keys that are known."""
    cards, secrets = match.cards, match.keys.known
    found = {}
    for slot in slots:
        sealed, published = cards.state(slot).value, cards.shares(slot)
        shares = [
            published[one]
            if one in published
            else match.group.multiply(secrets[one], sealed.mask)
            for one in cards.layers(slot)
        ]
        found[slot] = face_of(cards.label(unseal(match.group, sealed, shares)))
    return found


def open_card(match: Match, sealed: Ciphertext, layers: Iterable[int]) -> str | None:
    """The face of a card of this match as it was sealed at any moment of it.

    `layers` are the operators whose keys were in it then; needs the share keys that are known.
    None where one of them is lacking: that of an operator that left for good, in a card from
    before.
    """
    group, secrets = match.group, match.keys.known
    if not secrets.keys() >= set(layers):
        return None
    shares = [group.multiply(secrets[one], sealed.mask) for one in layers]
    label = match.cards.labels.get(unseal(group, sealed, shares))
    return None if label is None else face_of(label)


def weigh(chain: Chain, charge: StopReason, whole: int) -> RemoteError | Complaint:
    """What the evidence that lies beside the entries proves, by itself, with the entries, or by
    what the rules say at its place; a complaint where it proves nothing.

    The rules are asked among the first `whole` entries alone: these hold.
    """
    genesis, shown = chain.genesis, charge.evidence
    proven = judge(chain, shown, partial(judged, chain), whole - 1)
    if proven is not None and proven.culprit is not None:
        return proven
    names = {operator.identity: operator.name for operator in genesis.operators}
    return Complaint(charge.code, names.get(charge.culprit or b"", ""))


def judged(chain: Chain, place: int, said: Authored) -> str | None:
    """What the rules say of a statement right after entry `place`: a refusal code, or None."""
    match = Match(chain.genesis)

    def fold(seq: int, author: int, body: bytes) -> str | None:
        try:
            match.fold(seq, author, body)
        except RemoteError as problem:
            return refusal_code(problem)
        return None

    return judge_at(fold, chain.entries[1 : place + 1], said)
