"""How one operator makes what it owes: with its keys, its nonces, and what its seats can see.

Everything here follows from the journal and from a few secrets, which reach this operator's own
disk before anything that depends on them leaves the laptop. Secrets never appear in a repr or
an error.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from random import Random

from citadels_p2p import rules
from citadels_p2p.bots import Bot, Observation, make_bot
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.fold.sealing import lacking, made_for
from citadels_p2p.match.operator.knowledge import Knowledge
from citadels_p2p.match.operator.persisted_secrets import KeptKey, KeptNonce
from citadels_p2p.rules import Reason
from citadels_p2p.rules.needs import Call, Decided
from protocol.application import Contribution
from protocol.cards import commitment, escrow, share_keys
from protocol.cards.deck import VEIL
from protocol.cards.holder import CardHolder
from protocol.cards.recovery import EscrowHolder
from protocol.errors import BadProof, LocalError
from protocol.wire.codec import decode, encode


class Contributor:
    """One operator's hands. `brains` maps the seats that programs play to their bots."""

    def __init__(
        self,
        match: Match,
        me: int,
        brains: Mapping[int, Bot],
        random: Random | None = None,
    ) -> None:
        """`random` orders the cards and decides for bots; the system's own unless given."""
        self.match = match
        self.me = me
        self._brains = dict(brains)
        self._random = random or secrets.SystemRandom()
        self._key: KeptKey | None = None
        self._holder: CardHolder | None = None
        self._nonces: dict[tuple[int, int], bytes] = {}
        self._known = Knowledge(match, lambda: self._card_holder())
        self._sound: dict[int, escrow.Escrow] = {}  # whose escrow holds what it should

    def __repr__(self) -> str:
        return f"{type(self).__name__}(operator={self.me})"

    def faces(self, seat: int) -> dict[int, str]:
        """The cards that a seat of ours may look at: slot → id."""
        return self._known.faces(seat)

    def _peek(self, slot: int) -> str | None:
        """The card in a slot that this operator can read; None for all others."""
        return self._known.peek(slot)

    def _name(self, duty: Duty) -> bytes:
        """One name a contribution: what is owed, at which step, for which ciphertexts.

        And under which keys: when somebody leaves for good, some of it is owed anew.
        """
        match, departed = self.match, self.match.keys.departed
        since = f"@{len(departed)}" if departed else ""
        if duty.kind in ("commit", "key", "entrust", "audit"):
            return f"{duty.kind}{since}".encode()
        versions = ",".join(f"{slot}.{match.cards.version(slot)}" for slot in duty.slots)
        instead = f"{duty.absent}/" if duty.absent >= 0 else ""
        if duty.kind in ("shuffle", "remask"):
            since += "".join(f"-{one}" for one in lacking(match, duty))
        return f"{duty.kind}/{match.step}/{duty.seat}/{instead}{versions}{since}".encode()

    def _make(self, duty: Duty, key: bytes) -> Contribution:
        if duty.kind == "commit":
            return self._promise(key)
        if self._key is None:
            raise LocalError("the share key of this match is not on this disk")
        if duty.kind == "key":
            return say(key, bodies.KeyOpen(self._key.opening))
        if duty.kind == "entrust":
            return self._entrust(key)
        match duty.kind:
            case "shuffle" | "remask" | "mix":
                return self._shuffle(duty, key)
            case "pass":
                return self._pass(duty, key)
            case "veil":
                veils = self._card_holder().make_veils(duty.slots)
                self.match.cards.vouch(self.me, duty.slots, VEIL, veils)
                return say(key, bodies.Veiled(duty.slots, veils))
            case "deal":
                shares = self._shares(duty.slots, b"deal")
                return say(key, bodies.Shared(duty.seat, duty.slots, shares))
            case "recover":
                return self._recover(duty, key)
            case "blind":
                asked = self.match.inquiry.make(self.me, duty.slots)
                return say(key, bodies.Blinded(self.match.step, duty.slots, asked))
            case "open":
                return self._open(duty, key)
            case "answer":
                return self._answer(key)
            case "act":
                return self._bot_act(duty, key)
            case "timeout":
                return say(key, bodies.TimedOut(self.match.step, duty.seat))
            case "pledge":
                promise, keep = self._pledge(duty.slots[0], duty.seat)
                body = bodies.Pledged(duty.slots[0], promise)
                return Contribution(key=key, body=bodies.write(body), keep=keep)
            case "audit":
                return say(key, bodies.KeyShown(self._key.secret))
        raise LocalError(f"no such duty: {duty.kind}")

    def _promise(self, key: bytes) -> Contribution:
        pair = share_keys.KeyPair.create(self.match.group)
        context = self.match.genesis.digest
        opening = share_keys.open_key(self.match.group, context, self.me, pair)
        self._key = KeptKey(pair.secret, opening)
        promise = share_keys.commit_key(context, self.me, opening)
        return Contribution(
            key=key, body=bodies.write(bodies.KeyCommit(promise)), keep=encode(self._key)
        )

    def _entrust(self, key: bytes) -> Contribution:
        keys = self.match.keys
        dealt = b""
        if keys.needed is not None:
            dealt = escrow.deal_escrow(
                self.match.group,
                keys.context(),
                keys.publics,
                self.me,
                self._pair(),
                keys.needed,
                keys.departed,
            )
        return say(key, bodies.Entrusted(dealt))

    def _complaint(self, key: bytes, dealer: int) -> Contribution | None:
        """What proves that a dealer sealed us a wrong value, where it did."""
        keys, group, secret = self.match.keys, self.match.group, self._pair().secret
        context, held = keys.context(), keys.escrows[dealer]
        try:
            escrow.open_seal(group, context, held, self.me, secret)
        except BadProof:
            proof = escrow.complain(group, context, keys.publics, held, self.me, secret)
            return say(key, bodies.Complained(dealer, proof))
        self._sound[dealer] = held
        return None

    def _shuffle(self, duty: Duty, key: bytes) -> Contribution:
        places = range(len(duty.slots))
        chosen = tuple(self._random.sample(places, len(places)))
        purpose = duty.kind.encode()
        step, order = self._card_holder().make_shuffle(
            duty.slots, purpose, chosen, alone=duty.kind == "mix"
        )
        self.match.cards.vouch(self.me, duty.slots, purpose, step)
        made = say(key, bodies.Shuffled(duty.slots, step, *made_for(self.match, duty)))
        if duty.seat >= 0 and self.match.keepers[duty.seat] == self.me:
            self._known.expect(made.body, duty.seat, duty.slots, order)
        return made

    def _pass(self, duty: Duty, key: bytes) -> Contribution:
        receiver = self.match.keepers[duty.seat]
        step = self._card_holder().make_transfer(duty.slots, receiver, b"pass")
        self.match.cards.vouch(self.me, duty.slots, b"pass", step)
        return say(key, bodies.Passed(duty.seat, duty.slots, step))

    def _shares(self, slots: Sequence[int], purpose: bytes) -> bytes:
        step = self._card_holder().make_shares(slots, purpose)
        self.match.cards.vouch(self.me, slots, purpose, step)
        return step

    def _recover(self, duty: Duty, key: bytes) -> Contribution:
        match = self.match
        holder = EscrowHolder(
            match.absence.recovery, match.cards, match.keys.escrows, self.me, self._pair()
        )
        parts = holder.make_parts(duty.absent, duty.slots, duty.purpose)
        return say(key, bodies.Recovered(duty.absent, duty.seat, duty.slots, parts))

    def _open(self, duty: Duty, key: bytes) -> Contribution:
        match = self.match
        picks = match.hidden_picks()
        openings = tuple(
            bodies.Opening(slot, self._nonces[match.state.round, slot])
            for slot in duty.slots
            if slot in picks and match.keepers[picks[slot]] == self.me
        )
        shares = self._shares(duty.slots, b"open")
        return say(key, bodies.Opened(duty.slots, shares, openings))

    def _answer(self, key: bytes) -> Contribution:
        match = self.match
        need = rules.need(match.state)
        assert isinstance(need, Call)
        for slot, seat in match.hidden_picks().items():
            if match.keepers[seat] != self.me or match.cards.state(slot).is_open:
                continue
            face = self._peek(slot)
            if face is not None and match.rank_of(face) == need.rank:
                nonce = self._nonces[match.state.round, slot]
                shares = self._shares((slot,), b"open")
                return say(key, bodies.Answered(match.step, seat, slot, nonce, shares))
        return say(key, bodies.Answered(match.step, -1, -1, b"", b""))

    def _bot_act(self, duty: Duty, key: bytes) -> Contribution:
        return self._act_by(self._bot_of(duty.seat), duty, key)

    def _bot_of(self, seat: int) -> Bot:
        """The bot that plays a seat: from the start, or because its person let it."""
        return self._brains.get(seat) or make_bot(self.match.bots[seat])

    def _act_by(self, bot: Bot, duty: Duty, key: bytes) -> Contribution:
        observation = Observation(self.match.state, duty.seat, self.faces(duty.seat))
        made = self._act(duty, bot.choose(observation, self._random), key)
        if isinstance(made, Reason):
            raise LocalError(f"a bot chose what the rules refuse: {made.code}")
        return made

    def _act(self, duty: Duty, picks: tuple[str, ...], key: bytes) -> Contribution | Reason:
        match = self.match
        move = rules.decision(match.state, picks)
        if isinstance(move, Reason):
            return move
        invented = rules.secret(match.state, move)
        if invented is not None:
            move = invented.public
        slots = rules.reveals(match.state, move)
        known = self.faces(duty.seat)
        shown = tuple((slot, known.get(slot, "")) for slot in slots)
        reason = rules.refuse(match.state, Decided(duty.seat, move, shown))
        if reason is not None:
            return reason
        closed = match.still_closed(self.me, [slot for slot in slots if match.is_card(slot)])
        shares = self._shares(closed, b"open") if closed else b""
        told = tuple(
            bodies.Told(slot, face, self._nonces[match.state.round, slot])
            for slot, face in shown
            if not match.is_card(slot)
        )
        promise, keep = b"", b""
        pick = rules.commits(match.state, move)
        if pick is not None:
            face = invented.face if invented is not None else None
            promise, keep = self._pledge(pick, duty.seat, face)
        body = bodies.Acted(match.step, duty.seat, move.picks, promise, shares, told)
        return Contribution(key=key, body=bodies.write(body), keep=keep)

    def _pledge(self, slot: int, seat: int, face: str | None = None) -> tuple[bytes, bytes]:
        """A commitment to what a slot holds or, with a face, to what the seat invents.

        What to keep.
        """
        match = self.match
        hidden = face or self._peek(slot)
        if hidden is None:
            raise LocalError("a card that it can not see")
        kept = KeptNonce(match.state.round, seat, slot, commitment.draw_nonce(), face or "")
        self._remember(kept)
        promise = commitment.commit(
            match.genesis.digest, match.pick_label(slot, seat), hidden.encode(), kept.nonce
        )
        return promise, encode(kept)

    def _remember(self, kept: KeptNonce) -> None:
        self._nonces[kept.round, kept.slot] = kept.nonce
        if kept.face:
            self._known.invent(kept)

    def _take_back(self, keep: bytes) -> None:
        kept = decode(keep, KeptKey | KeptNonce, limit=bodies.MAX_BODY)
        if isinstance(kept, KeptKey):
            self._key = kept
        elif isinstance(kept, KeptNonce):
            self._remember(kept)

    def _pair(self) -> share_keys.KeyPair:
        if self._key is None:
            raise LocalError("the share key of this match is not on this disk")
        return share_keys.KeyPair.from_secret(self.match.group, self._key.secret)

    def _card_holder(self) -> CardHolder:
        if self._holder is None:
            self._holder = CardHolder(self.match.cards, self.me, self._pair())
        return self._holder


def say(key: bytes, body: bodies.Body) -> Contribution:
    """A contribution with nothing to keep."""
    return Contribution(key=key, body=bodies.write(body))
