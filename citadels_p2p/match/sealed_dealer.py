"""One operator's private side of a match: its keys, what its seats may see, and what it owes.

Everything here follows from the journal and from a few secrets, which reach this operator's own
disk before anything that depends on them leaves the laptop. Secrets never appear in a repr or
an error.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from random import Random

from citadels_p2p import rules
from citadels_p2p.bots import Bot, Sight
from citadels_p2p.match import bodies
from citadels_p2p.match.asks import ask_of, awaited_in, fits, over_of
from citadels_p2p.match.custody import HELD, Duty
from citadels_p2p.match.kept import KeptKey, KeptNonce
from citadels_p2p.match.labels import face_of
from citadels_p2p.match.match import STALE, Match
from citadels_p2p.match.news import Ask, EventNews, News, OverNews, StateNews
from citadels_p2p.rules import Reason
from citadels_p2p.rules.needs import Call, Decide, Decided
from protocol import commitment, keygen
from protocol.application import FORBIDDEN, Contribution, Genesis
from protocol.codec import decode, encode
from protocol.errors import LocalError, RemoteError
from protocol.group import Group
from protocol.sealed import CardHolder


class SealedDealer:
    """Folds a match, makes what its operator owes, and tells its person the news.

    `brains` maps the seats that programs play to their bots; the operator's other seats are its
    person's. Fulfils `protocol.application.Application`.
    """

    def __init__(
        self,
        genesis: Genesis,
        me: int,
        brains: Mapping[int, Bot],
        group: Group | None = None,
        random: Random | None = None,
    ) -> None:
        self.match = Match(genesis, group)
        self.me = me
        self.names = tuple(seat.name for seat in genesis.seats)
        self._brains = dict(brains)
        self._random = random or secrets.SystemRandom()
        self._key: KeptKey | None = None
        self._holder: CardHolder | None = None
        self._nonces: dict[tuple[int, int], bytes] = {}
        self._invented: dict[int, KeptNonce] = {}
        self._said: set[bytes] = set()
        self._faces: dict[tuple[int, int], str] = {}
        self._confirmed = 0
        self._told = 0
        self._asked: tuple[int, Ask] | None = None
        self._asks = 0
        self.fault: RemoteError | None = None

    def restore(self, kept: tuple[Contribution, ...]) -> None:
        """Take back keys and nonces from before a restart."""
        for contribution in kept:
            self._said.add(contribution.key)
            if contribution.keep:
                self._take_back(contribution.keep)

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        """Apply an entry; the code of its refusal otherwise."""
        try:
            self.match.fold(seq, author, body)
        except RemoteError as problem:
            self.fault = problem
            return refusal_code(problem)
        return None

    def confirm(self, seq: int) -> None:
        """Everything up to `seq` may be shown."""
        self._confirmed = max(self._confirmed, seq)

    def owed(self) -> tuple[Contribution, ...]:
        """What this operator's program has to say now."""
        made = []
        for duty in self.match.duties:
            if duty.operator != self.me:
                continue
            if duty.kind == "act" and duty.seat not in self._brains:
                continue
            key = self._name(duty)
            if key not in self._said:
                contribution = self._make(duty, key)
                self._said.add(key)
                made.append(contribution)
        return tuple(made)

    def refused(self, key: bytes, code: str) -> None:
        """A refused act may be decided anew."""
        self._said.discard(key)
        self._asked = None

    def digest(self) -> bytes:
        """SHA-256 of the public state."""
        return self.match.digest()

    def news(self, journal: str = "") -> tuple[News, ...]:
        """What may be told since the last time.

        Only what is confirmed, and only when the cards are at rest.
        """
        match = self.match
        if self._confirmed < match.folded or not match.at_rest:
            return ()
        told: list[News] = [EventNews(event) for event in match.events[self._told :]]
        if told:
            self._told = len(match.events)
            told.append(StateNews(self.view(), self.names, awaited_in(self.match.state)))
        ask = self._question()
        if ask is not None:
            told.append(ask)
        return tuple(told)

    @property
    def settled(self) -> bool:
        """Everything folded is confirmed, so that `news` has held nothing back for that."""
        return self._confirmed >= self.match.folded

    def result(self, journal: str) -> OverNews:
        """The final scores."""
        return over_of(self.match.state, self.names, rules.digest(self.match.state), journal)

    def my_seat(self) -> int | None:
        """The seat of this operator's person."""
        mine = [seat for seat in self.match.seats_of(self.me) if seat not in self._brains]
        return mine[0] if mine else None

    def view(self) -> rules.View:
        """What this operator's person may see."""
        seat = self.my_seat()
        return rules.view(self.match.state, seat, {} if seat is None else self.faces(seat))

    def decide(self, ask: int, picks: Sequence[str]) -> Contribution | Reason:
        """The person's answer as a contribution, or why it is none; nothing changes yet."""
        if self._asked is None or self._asked[1].id != ask:
            return Reason("ask_closed")
        step, question = self._asked
        seat = self.my_seat()
        if seat is None or step != self.match.step:
            return Reason("ask_closed")
        reason = fits(question, picks)
        if reason is not None:
            return reason
        duty = Duty("act", self.me, (), seat)
        made = self._act(duty, tuple(picks), self._name(duty))
        if isinstance(made, Contribution):
            self._said.add(made.key)
            self._asked = None
        return made

    def open_ask(self) -> int | None:
        """The id of the question that waits for the person."""
        return None if self._asked is None else self._asked[1].id

    def faces(self, seat: int) -> dict[int, str]:
        """The cards that a seat of ours may look at: slot → id."""
        known: dict[int, str] = {}
        held = dict.fromkeys(self.match.state.places[seat].hand)  # also while others look at it
        for slot, zone in rules.zones(self.match.state).items():
            if slot in held or (zone.seat == seat and zone.kind in HELD):
                face = self._peek(slot)
                if face is not None:
                    known[slot] = face
        for slot, kept in self._invented.items():
            if (kept.round, kept.seat) == (self.match.state.round, seat):
                known[slot] = kept.face
        return known

    def _name(self, duty: Duty) -> bytes:
        """One name a contribution: what is owed, at which step, for which ciphertexts."""
        match = self.match
        if duty.kind in ("commit", "key", "audit"):
            return duty.kind.encode()
        versions = ",".join(f"{slot}.{match.cards.state(slot).version}" for slot in duty.slots)
        return f"{duty.kind}/{match.step}/{duty.seat}/{versions}".encode()

    def _make(self, duty: Duty, key: bytes) -> Contribution:
        if duty.kind == "commit":
            return self._promise(key)
        if self._key is None:
            raise LocalError("the share key of this match is not on this disk")
        if duty.kind == "key":
            return _say(key, bodies.KeyOpen(self._key.opening))
        holder = self._card_holder()
        match duty.kind:
            case "shuffle" | "remask":
                proof, order = holder.make_shuffle(duty.slots, duty.kind.encode())
                if duty.seat >= 0:
                    self._follow(duty.seat, duty.slots, order)
                return _say(key, bodies.Shuffled(duty.slots, proof))
            case "deal":
                shares = holder.make_shares(duty.slots, b"deal")
                return _say(key, bodies.Shared(duty.seat, duty.slots, shares))
            case "open":
                return self._open(duty, key)
            case "answer":
                return self._answer(key)
            case "act":
                return self._bot_act(duty, key)
            case "pledge":
                promise, keep = self._pledge(duty.slots[0], duty.seat)
                body = bodies.Pledged(duty.slots[0], promise)
                return Contribution(key=key, body=bodies.write(body), keep=keep)
            case "audit":
                return _say(key, bodies.KeyShown(self._key.secret))
        raise LocalError(f"no such duty: {duty.kind}")

    def _promise(self, key: bytes) -> Contribution:
        pair = keygen.KeyPair.create(self.match.group)
        context = self.match.genesis.digest
        opening = keygen.open_key(self.match.group, context, self.me, pair)
        self._key = KeptKey(pair.secret, opening)
        promise = keygen.commit_key(context, self.me, opening)
        return Contribution(
            key=key, body=bodies.write(bodies.KeyCommit(promise)), keep=encode(self._key)
        )

    def _open(self, duty: Duty, key: bytes) -> Contribution:
        match = self.match
        picks = match.hidden_picks()
        openings = tuple(
            bodies.Opening(slot, self._nonces[match.state.round, slot])
            for slot in duty.slots
            if slot in picks and match.keepers[picks[slot]] == self.me
        )
        shares = self._card_holder().make_shares(duty.slots, b"open")
        return _say(key, bodies.Opened(duty.slots, shares, openings))

    def _answer(self, key: bytes) -> Contribution:
        match = self.match
        need = rules.need(match.state)
        assert isinstance(need, Call)
        for slot, seat in match.hidden_picks().items():
            if match.keepers[seat] != self.me:
                continue
            face = self._peek(slot)
            if face is not None and match.rank_of(face) == need.rank:
                nonce = self._nonces[match.state.round, slot]
                shares = self._card_holder().make_shares((slot,), b"open")
                return _say(key, bodies.Answered(match.step, seat, slot, nonce, shares))
        return _say(key, bodies.Answered(match.step, -1, -1, b"", b""))

    def _bot_act(self, duty: Duty, key: bytes) -> Contribution:
        sight = Sight(self.match.state, duty.seat, self.faces(duty.seat))
        picks = self._brains[duty.seat].choose(sight, self._random)
        made = self._act(duty, picks, key)
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
        shares = self._card_holder().make_shares(closed, b"open") if closed else b""
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

    def _follow(self, seat: int, slots: Sequence[int], order: Sequence[int]) -> None:
        """Who permutes its own hand knows where its cards are, whoever looks at them next."""
        cards = self.match.cards
        if not set(slots) <= set(self.match.state.places[seat].hand):
            return
        faces = [self._peek(slots[source]) for source in order]
        for slot, face in zip(slots, faces, strict=True):
            if face is not None:
                self._faces[slot, cards.state(slot).version + 1] = face

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
            self._invented[kept.slot] = kept

    def _take_back(self, keep: bytes) -> None:
        kept = decode(keep, KeptKey | KeptNonce, limit=bodies.MAX_BODY)
        if isinstance(kept, KeptKey):
            self._key = kept
        elif isinstance(kept, KeptNonce):
            self._remember(kept)

    def _card_holder(self) -> CardHolder:
        if self._holder is None:
            if self._key is None:
                raise LocalError("the share key of this match is not on this disk")
            pair = keygen.KeyPair.from_secret(self.match.group, self._key.secret)
            self._holder = CardHolder(self.match.cards, self.me, pair)
        return self._holder

    def _peek(self, slot: int) -> str | None:
        """The card in a slot that this operator can read; None for all others."""
        where = (slot, self.match.cards.state(slot).version)
        face = self._faces.get(where)
        if face is None:
            label = self._card_holder().peek(slot)
            if label is not None:
                face = self._faces[where] = face_of(label)
        return face

    def _question(self) -> Ask | None:
        match = self.match
        need = rules.need(match.state) if match.stage == "play" else None
        seat = self.my_seat()
        if not isinstance(need, Decide) or need.seat != seat:
            return None
        if self._asked is not None and self._asked[0] == match.step:
            return None
        if self._name(Duty("act", self.me, (), seat)) in self._said:
            return None
        faces = self.faces(seat)
        self._asks += 1
        question = ask_of(self._asks, match.state, faces)
        self._asked = (match.step, question)
        return question


def refusal_code(problem: RemoteError) -> str:
    """What is said of an entry that may not stand.

    Machines owe what they owe until they say it, and a person's act is checked before it leaves
    by the very engine that refuses it later. So only an act for a moment that has passed can be
    an accident; everything else is a cheat.
    """
    if problem.detail == STALE:
        return STALE
    return f"{FORBIDDEN}{problem.code}: {problem.detail}"[:64]


def _say(key: bytes, body: bodies.Body) -> Contribution:
    return Contribution(key=key, body=bodies.write(body))
