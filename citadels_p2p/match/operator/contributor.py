"""How one operator makes what it owes: with its keys, its nonces, and what its seats can see.

Everything here follows from the journal and from a few secrets, which reach this operator's own
disk before anything that depends on them leaves the laptop. Secrets never appear in a repr or
an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citadels_p2p import rules
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.fold.sealing import SHUFFLE, lacking, made_for
from citadels_p2p.match.operator.knowledge import (
    Knowledge,
    PersistedKey,
    PersistedLock,
    PersistedNonce,
)
from citadels_p2p.rules import Reason, State
from citadels_p2p.rules.needs import Call, Decided
from protocol.application import Contribution
from protocol.cards import commitment, escrow, share_keys
from protocol.cards.deck import VEIL
from protocol.cards.group import Scalar
from protocol.cards.holder import CardHolder
from protocol.errors import BadProof, LocalError, Unavailable
from protocol.wire.codec import decode, encode

if TYPE_CHECKING:
    from random import Random


class Contributor:
    """One operator's secrets in one folding of a match, and what they make.

    `random` orders the cards that it shuffles.
    """

    def __init__(self, match: Match, me: int, random: Random) -> None:
        self.match = match
        self.me = me
        self._random = random
        self._key: PersistedKey | None = None
        self._holder: CardHolder | None = None
        self._nonces: dict[tuple[int, int], bytes] = {}
        self._locks: dict[bytes, Scalar] = {}  # of our pleas, by their public key
        self.known = Knowledge(match, lambda: self.card_holder() if self.has_key else None)
        self._sound: dict[int, escrow.Escrow] = {}  # whose escrow holds what it should

    def __repr__(self) -> str:
        return f"{type(self).__name__}(operator={self.me})"

    def name(self, duty: Duty) -> bytes:
        """One name a contribution: what is owed, at which step, for which ciphertexts.

        And under which keys: when somebody leaves for good, some of it is owed anew.
        """
        match, departed = self.match, self.match.keys.departed
        since = f"@{len(departed)}" if departed else ""
        if duty.kind in ("commit", "key", "entrust", "over", "audit"):
            return f"{duty.kind}{since}".encode()
        versions = ",".join(f"{slot}.{match.cards.version(slot)}" for slot in duty.slots)
        instead = f"{duty.absent}/" if duty.absent >= 0 else ""
        if duty.kind in ("shuffle", "remask"):
            since += "".join(f"-{one}" for one in lacking(match, duty))
        return f"{duty.kind}/{match.step}/{duty.seat}/{instead}{versions}{since}".encode()

    def make(self, duty: Duty, key: bytes) -> Contribution:
        """What is owed, under this name; decisions are for `act`.

        Raises `Unavailable` where our disk has lost what is needed for that.
        """
        if duty.kind == "commit":
            return self._promise(key)
        if duty.kind == "over":  # also of who has lost its key
            return say(key, bodies.Ended())
        own = self._own_key()
        match duty.kind:
            case "key":
                return say(key, bodies.KeyOpen(own.opening))
            case "entrust":
                return self._entrust(key)
            case "shuffle" | "remask" | "mix":
                return self._shuffle(duty, key)
            case "pass":
                return self._pass(duty, key)
            case "veil":
                veils = self.card_holder().make_veils(duty.slots)
                self.match.cards.vouch(self.me, duty.slots, VEIL, veils)
                return say(key, bodies.Veiled(duty.slots, veils))
            case "deal":
                shares = self._shares(duty.slots, duty.purpose)
                return say(key, bodies.Shared(duty.seat, duty.slots, shares))
            case "recover":
                return self._recover(duty, key)
            case "open":
                return self._open(duty, key)
            case "answer":
                return self._answer(key)
            case "timeout":
                return say(key, bodies.TimedOut(self.match.step, duty.seat))
            case "pledge":
                promise, keep = self._pledge(duty.slots[0], duty.seat)
                return say(key, bodies.Pledged(duty.slots[0], promise), keep)
            case "audit":
                return say(key, bodies.KeyShown(own.secret))
        raise LocalError(f"no such duty: {duty.kind}")

    def _promise(self, key: bytes) -> Contribution:
        pair = share_keys.KeyPair.create(self.match.group)
        context = self.match.genesis.digest
        opening = share_keys.open_key(self.match.group, context, self.me, pair)
        self._key = PersistedKey(pair.secret, opening)
        promise = share_keys.commit_key(context, self.me, opening)
        return say(key, bodies.KeyCommit(promise), encode(self._key))

    def _entrust(self, key: bytes) -> Contribution:
        keys = self.match.keys
        dealt = b""
        if keys.needed is not None:
            dealt = escrow.deal_escrow(
                self.match.group,
                keys.context(),
                keys.publics,
                self.me,
                self.pair(),
                keys.needed,
                keys.departed,
            )
        return say(key, bodies.Entrusted(dealt))

    def unchecked(self) -> list[int]:
        """Of whom we do not know yet that what it entrusted to us holds what it should."""
        escrows = self.match.keys.escrows.items()
        ours = {dealer: held for dealer, held in escrows if self.me in held.seals}
        return [dealer for dealer, held in ours.items() if self._sound.get(dealer) is not held]

    def complaint(self, key: bytes, dealer: int) -> Contribution | None:
        """What proves that a dealer sealed us a wrong value, where it did."""
        held, secret = self.match.keys.escrows[dealer], self.pair().secret
        try:
            held.open_seal(self.me, secret)
        except BadProof:
            return say(key, bodies.Complained(dealer, held.complain(self.me, secret)))
        self._sound[dealer] = held
        return None

    # Secrets that are lost.

    @property
    def has_key(self) -> bool:
        """Whether our share key is here, as far as it is needed: lost, it may be given back."""
        if self._holder is not None:
            return True
        public = self.match.keys.shown.get(self.me)
        if public is None:
            return True
        if self._key is None or self.match.group.base(Scalar(self._key.secret)) != public:
            self._key = self._regained()
        return self._key is not None

    def _regained(self) -> PersistedKey | None:
        plea = self.match.giving_back.pleas.get(self.me)
        if plea is None or plea.lock not in self._locks:
            return None
        key = plea.held.regain(plea.given, self._locks[plea.lock])
        return None if key is None else PersistedKey(key, b"")

    @property
    def can_mend(self) -> bool:
        """Whether what our disk has lost can be done without, or be given back."""
        is_playing = self.match.stage in ("play", "audit")
        return is_playing and (self.has_key or self.me in self.match.keys.escrows)

    def plea(self) -> bytes | None:
        """The name of what we owe to all if secrets are lost: to say so. None if none are."""
        match = self.match
        if match.stage not in ("play", "audit") or self.me in match.keys.given:
            return None
        if self.has_key:
            is_owed = any(map(self._is_forgotten, match.hidden_picks().items()))
        else:
            plea = match.giving_back.pleas.get(self.me)
            is_asked = plea is not None and plea.lock in self._locks
            is_owed = not is_asked and self.me in match.keys.escrows
        return b"forgot/%d" % match.giving_back.count[self.me] if is_owed else None

    def _is_forgotten(self, pick: tuple[int, int]) -> bool:
        """Whether we cannot open the commitment to this character."""
        match, (slot, seat) = self.match, pick
        is_ours = match.keepers[seat] == self.me and match.picks.holders.get(slot) == seat
        if not is_ours or slot not in match.picks.committed or match.face(slot) is not None:
            return False
        nonce, face = self._nonces.get((match.state.round, slot)), self.known.peek(slot)
        if nonce is None or face is None:
            return nonce is None
        return not match.picks.binds(match.pick_label(slot, seat), slot, face, nonce)

    def plead(self, key: bytes) -> Contribution:
        """Say that our secrets are lost, and ask for our share key where it is one of them."""
        if self.has_key:
            return say(key, bodies.Forgot(b""))
        lock = share_keys.KeyPair.create(self.match.group)
        self._locks[lock.public] = lock.secret
        return say(key, bodies.Forgot(lock.public), encode(PersistedLock(lock.secret)))

    def name_gift(self, operator: int) -> bytes:
        """One name for each plea of an operator that has lost its share key."""
        return b"gave_back/%d/%d" % (operator, self.match.giving_back.pleas[operator].number)

    def give_back(self, operator: int, key: bytes) -> Contribution | None:
        """Our part of the share key of one that has lost it; None where it gave us a false
        one.
        """
        plea = self.match.giving_back.pleas[operator]
        try:
            seal = plea.held.give_back(self.me, self.pair().secret, plea.lock)
        except BadProof:
            return None
        return say(key, bodies.GaveBack(operator, plea.number, seal))

    # What is owed while the cards are played.

    def _shuffle(self, duty: Duty, key: bytes) -> Contribution:
        places = range(len(duty.slots))
        chosen = tuple(self._random.sample(places, len(places)))
        step, order = self.card_holder().make_shuffle(
            duty.slots, SHUFFLE, chosen, alone=duty.kind == "mix"
        )
        self.match.cards.vouch(self.me, duty.slots, SHUFFLE, step)
        made = say(key, bodies.Shuffled(duty.slots, step, *made_for(self.match, duty)))
        if duty.seat >= 0 and self.match.keepers[duty.seat] == self.me:
            self.known.expect(made.body, duty.seat, duty.slots, order)
        return made

    def _pass(self, duty: Duty, key: bytes) -> Contribution:
        receiver = self.match.keepers[duty.seat]
        step = self.card_holder().make_transfer(duty.slots, receiver, b"pass")
        self.match.cards.vouch(self.me, duty.slots, b"pass", step)
        return say(key, bodies.Passed(duty.seat, duty.slots, step))

    def _shares(self, slots: Sequence[int], purpose: bytes) -> bytes:
        step = self.card_holder().make_shares(slots, purpose)
        self.match.cards.vouch(self.me, slots, purpose, step)
        return step

    def may_stand_in(self, duty: Duty) -> bool:
        """Whether we have masked what we are to give parts of, since its operator went.

        No other history has these ciphertexts then, whatever others have shown us.
        """
        unmasked = self.match.custody.unmasked
        return not any(unmasked(slot, duty.absent, (self.me,)) for slot in duty.slots)

    def _recover(self, duty: Duty, key: bytes) -> Contribution:
        match = self.match
        if not self.may_stand_in(duty):
            raise LocalError("a part of what we have not masked since its operator went")
        parts = match.absence.recovery.make_parts(
            self.me, self.pair().secret, duty.absent, duty.slots, duty.purpose
        )
        return say(key, bodies.Recovered(duty.absent, duty.seat, duty.slots, parts))

    def _open(self, duty: Duty, key: bytes) -> Contribution:
        match = self.match
        picks = match.hidden_picks()
        openings = tuple(
            bodies.Opening(slot, self._nonces[match.state.round, slot])
            for slot in duty.slots
            if slot in match.picks.committed and match.keepers[picks[slot]] == self.me
        )
        shares = self._shares(duty.slots, b"open")
        return say(key, bodies.Opened(duty.slots, shares, openings))

    def called(self) -> tuple[int, int, str] | None:
        """The character of ours whose rank is called now: its seat, its slot and its id."""
        match = self.match
        need = rules.need(match.state)
        assert isinstance(need, Call)
        for slot, seat in match.hidden_picks().items():
            if match.keepers[seat] == self.me and not match.cards.state(slot).is_open:
                face = self.known.peek(slot)
                if face is not None and match.rank_of(face) == need.rank:
                    return seat, slot, face
        return None

    def _answer(self, key: bytes) -> Contribution:
        match, called = self.match, self.called()
        if called is None:
            return say(key, bodies.Answered(match.step, -1, -1, b"", b""))
        seat, slot, _ = called
        nonce = self._nonces[match.state.round, slot] if slot in match.picks.committed else b""
        shares = self._shares((slot,), b"open")
        return say(key, bodies.Answered(match.step, seat, slot, nonce, shares))

    def act(self, duty: Duty, chosen: Choice, key: bytes) -> Contribution:
        """A seat's decision, which the rules allow."""
        match = self.match
        move, shown = chosen.fact.move, chosen.fact.shown
        closed = match.still_closed(self.me, [slot for slot, _ in shown if match.is_card(slot)])
        shares = self._shares(closed, b"open") if closed else b""
        told = tuple(
            bodies.Told(slot, face, self._nonces[match.state.round, slot])
            for slot, face in shown
            if not match.is_card(slot)
        )
        promise, keep = b"", b""
        pick = rules.commits(match.state, move)
        if pick is not None:
            promise, keep = self._pledge(pick, duty.seat, chosen.invented)
        body = bodies.Acted(match.step, duty.seat, move.picks, promise, shares, told)
        return say(key, body, keep)

    def _pledge(self, slot: int, seat: int, face: str | None = None) -> tuple[bytes, bytes]:
        """A commitment to what a slot holds or, with a face, to what the seat invents.

        What to keep.
        """
        match = self.match
        hidden = face or self.known.peek(slot)
        if hidden is None:
            raise LocalError("a card that it cannot see")
        kept = PersistedNonce(
            match.state.round, seat, slot, commitment.draw_nonce(), face or ""
        )
        self._remember(kept)
        promise = commitment.commit(
            match.genesis.digest, match.pick_label(slot, seat), hidden.encode(), kept.nonce
        )
        return promise, encode(kept)

    def _remember(self, kept: PersistedNonce) -> None:
        self._nonces[kept.round, kept.slot] = kept.nonce
        if kept.face:
            self.known.invent(kept)

    def take_back(self, keep: bytes) -> None:
        """A key or a nonce from before a restart."""
        kinds = PersistedKey | PersistedNonce | PersistedLock
        kept = decode(keep, kinds, limit=bodies.MAX_BODY)
        if isinstance(kept, PersistedKey):
            self._key = kept
        elif isinstance(kept, PersistedLock):
            lock = share_keys.KeyPair.from_secret(self.match.group, kept.secret)
            self._locks[lock.public] = lock.secret
        elif isinstance(kept, PersistedNonce):
            self._remember(kept)

    def pair(self) -> share_keys.KeyPair:
        """Our share key. Raises `LocalError` before it is drawn, and `Unavailable` where it is
        lost.
        """
        return share_keys.KeyPair.from_secret(self.match.group, self._own_key().secret)

    def _own_key(self) -> PersistedKey:
        if self._key is not None:
            return self._key
        if self.me in self.match.keys.promised:
            # Before our disk was put back, or by another program with our identity.
            raise Unavailable("secrets_damaged", "the share key of this match is not here")
        raise LocalError("a share key that is not drawn yet")

    def card_holder(self) -> CardHolder:
        """Ours in the pack of sealed cards."""
        if self._holder is None:
            self._holder = CardHolder(self.match.cards, self.me, self.pair())
        return self._holder


def say(key: bytes, body: bodies.Body, keep: bytes = b"") -> Contribution:
    """A contribution, and what our disk keeps of it."""
    return Contribution(key=key, body=bodies.write(body), keep=keep)


@dataclass(frozen=True, slots=True)
class Choice:
    """What everybody hears of it, and what its seat has invented."""

    fact: Decided
    invented: str | None


def choose(
    state: State, seat: int, picks: Sequence[str], known: Mapping[int, str]
) -> Choice | Reason:
    """What a seat that knows these cards decides, or why the rules refuse it."""
    move = rules.decision(state, picks)
    if isinstance(move, Reason):
        return move
    invented = rules.secret(state, move)
    if invented is not None:
        move = invented.public
    shown = tuple((slot, known.get(slot, "")) for slot in rules.reveals(state, move))
    fact = Decided(seat, move, shown)
    return rules.refuse(state, fact) or Choice(fact, invented and invented.face)
