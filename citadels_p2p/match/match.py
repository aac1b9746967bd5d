"""The match as every operator folds it from the journal: rules and sealed cards joined.

One instance runs on each laptop, and one in the verifier; all of them see the same entries and
come to the same public state. An entry is either what somebody owes now, proven, or it is
refused with a typed error and changes nothing. What this operator owes itself is made in
`sealed_dealer.py`.

Stages: *commit* (share keys promised) → *key* (shown) → *play* → *audit* (keys given away) →
*done*.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from citadels_p2p import rules
from citadels_p2p.match import acts, bodies
from citadels_p2p.match.custody import Custody, Duty
from citadels_p2p.match.labels import face_of, label_of
from citadels_p2p.match.options import unpack_options
from citadels_p2p.match.picks import Denial, Picks, pick_label
from citadels_p2p.match.share_keys import ShareKeys
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.needs import (
    Call,
    Called,
    Deal,
    Dealt,
    Decide,
    Fact,
    Open,
    Opened,
    Over,
    Shuffle,
    Shuffled,
)
from protocol.application import Genesis
from protocol.errors import IllegalEntry, LocalError, RemoteError
from protocol.group import Edwards25519, Group
from protocol.sealed import SealedCards

LARGE_PILE = 24
"""Cards whose joint shuffle a person waits for; a round's characters are done in a blink."""

STALE = "stale"
"""Why an act is refused that was meant for a moment that has passed."""


class Match:
    """The public side: everything that anybody can know and check."""

    def __init__(self, genesis: Genesis, group: Group | None = None) -> None:
        self.genesis = genesis
        self.rules = unpack_options(genesis.options)
        if len(genesis.seats) != self.rules.seats:
            raise IllegalEntry("seats: not as many as the rules say")
        keepers = [seat.operator for seat in genesis.seats]
        if any(keeper is None or keeper >= len(genesis.operators) for keeper in keepers):
            raise IllegalEntry("seats: one has no operator")
        self.keepers: tuple[int, ...] = tuple(k for k in keepers if k is not None)
        self.operators = len(genesis.operators)
        self.group: Group = group or Edwards25519()
        self.stage = "commit"
        self.state = rules.new(self.rules)
        self.step = 0
        self.folded = 0
        self.events: list[Event] = []
        self.words: tuple[str, ...] = ()
        self.cheat: RemoteError | None = None
        self.keys = ShareKeys(genesis, self.group)
        self._cards: SealedCards | None = None
        self._custody: Custody | None = None
        self._laid = -1
        self._shufflers = 0
        self.picks = Picks(genesis.digest)
        self._round = 0
        self.duties: tuple[Duty, ...] = self._key_duties()

    @property
    def cards(self) -> SealedCards:
        """The sealed cards; there are none before the keys are shown."""
        if self._cards is None:
            raise LocalError("no cards before the keys")
        return self._cards

    @property
    def at_rest(self) -> bool:
        """Nothing is left to be done by programs alone.

        Somebody decides, or the match is over.
        """
        return self.stage in ("audit", "done") or (
            self.stage == "play" and all(duty.kind == "act" for duty in self.duties)
        )

    def long_work(self) -> tuple[str, int, int] | None:
        """Work that a person should see go on: what, how much is done, of how much."""
        if self.stage in ("commit", "key"):
            return "keys", len(self.keys.promised) + len(self.keys.shown), 2 * self.operators
        need = rules.need(self.state)
        if isinstance(need, Shuffle) and len(need.slots) >= LARGE_PILE:
            return "shuffle", self._shufflers, self.operators
        return None

    def seats_of(self, operator: int) -> tuple[int, ...]:
        """The seats that an operator plays."""
        return tuple(seat for seat, keeper in enumerate(self.keepers) if keeper == operator)

    def rank_of(self, character: str) -> int:
        """A character's rank in this match; IllegalEntry for one that is not in it."""
        rank = self.state.plan.ranks.get(character)
        if rank is None:
            raise IllegalEntry("no such character")
        return rank

    def hidden_picks(self) -> dict[int, int]:
        """Character cards chosen and not yet shown: slot → seat."""
        return {
            slot: zone.seat
            for slot, zone in rules.zones(self.state).items()
            if zone.kind == "pick" and zone.seat is not None
        }

    def digest(self) -> bytes:
        """SHA-256 of everything public.

        The stage, the engine's state, the readiness of the cards.
        """
        parts = (self.stage.encode(), rules.digest(self.state), repr(self.duties).encode())
        return hashlib.sha256(b"citadels match digest" + b"\0".join(parts)).digest()

    def fold(self, seq: int, author: int, body: bytes) -> None:
        """Apply one entry.

        A `RemoteError` says why it may not stand, and nothing has changed.
        """
        entry = bodies.read(body)
        match entry:
            case bodies.KeyCommit():
                self._owed("commit", author)
                self.keys.promise(author, entry.commitment)
            case bodies.KeyOpen():
                self._owed("key", author)
                self.keys.show(author, entry.opening)
            case bodies.Shuffled():
                self._fold_shuffle(author, entry)
            case bodies.Shared():
                duty = self._owed("deal", author, entry.slots, entry.seat)
                self.cards.apply_shares(author, duty.slots, b"deal", entry.shares)
            case bodies.Opened():
                self._fold_opened(author, entry)
            case bodies.Answered():
                self._fold_answer(seq, author, entry)
            case bodies.Acted():
                self._fold_act(author, entry)
            case bodies.Pledged():
                duty = self._owed("pledge", author, (entry.slot,))
                self.picks.commit(entry.slot, duty.seat, entry.commitment)
            case bodies.KeyShown():
                self._owed("audit", author)
                self.keys.give(author, entry.secret)
        self._advance()
        self.folded = seq

    def _owed(
        self,
        kind: str,
        author: int,
        slots: Sequence[int] | None = None,
        seat: int | None = None,
    ) -> Duty:
        """The duty that an entry fulfils.

        `IllegalEntry` where its author owes no such thing now.
        """
        for duty in self.duties:
            if (
                duty.operator == author
                and duty.kind == kind
                and (slots is None or duty.slots == tuple(slots))
                and (seat is None or duty.seat == seat)
            ):
                return duty
        raise IllegalEntry(f"not_owed: {kind}")

    def _begin(self) -> None:
        """All keys are shown: the safety words, the cards and the first need."""
        self.words = self.keys.words()
        self._cards = SealedCards(self.group, self.keys.context(), self.keys.publics)
        self._custody = Custody(self._cards, self.keepers, self.operators)

    def _fold_shuffle(self, author: int, entry: bodies.Shuffled) -> None:
        kinds = {duty.kind for duty in self.duties if duty.operator == author}
        kind = "remask" if "remask" in kinds else "shuffle"
        duty = self._owed(kind, author, entry.slots)
        self.cards.apply_shuffle(author, duty.slots, kind.encode(), entry.proof)
        assert self._custody is not None
        self._custody.masked(duty.slots)
        if kind == "shuffle":
            self._shufflers += 1

    def _fold_opened(self, author: int, entry: bodies.Opened) -> None:
        duty = self._owed("open", author, entry.slots)
        committed = tuple(
            slot
            for slot in duty.slots
            if slot in self.picks.committed and self.keepers[self._seat_of(slot)] == author
        )
        if tuple(opening.slot for opening in entry.openings) != committed:
            raise IllegalEntry("opens other commitments than it should")
        with self.cards.trial():
            self.cards.apply_shares(author, duty.slots, b"open", entry.shares)
            for opening in entry.openings:
                self._check_pick(opening.slot, opening.nonce)

    def _seat_of(self, slot: int) -> int:
        zone = rules.zones(self.state).get(slot)
        return -1 if zone is None or zone.seat is None else zone.seat

    def _check_pick(self, slot: int, nonce: bytes) -> str:
        label = self.pick_label(slot, self._seat_of(slot))
        return self.picks.check(label, slot, self.face(slot), nonce)

    def pick_label(self, slot: int, seat: int) -> bytes:
        """What a seat's commitment to the character in this slot is bound to."""
        return pick_label(self.state.round, seat, slot)

    def _fold_answer(self, seq: int, author: int, entry: bodies.Answered) -> None:
        self._owed("answer", author)
        need = rules.need(self.state)
        assert isinstance(need, Call)
        if entry.step != self.step:
            raise IllegalEntry(STALE)
        if entry.seat < 0:
            if entry.slot != -1 or entry.nonce or entry.shares:
                raise IllegalEntry("'not I' carries nothing")
            self.picks.deny(Denial(seq, author, need.rank))
            return
        if self.hidden_picks().get(entry.slot) != entry.seat:
            raise IllegalEntry("reveals a card that this seat has not chosen")
        if self.keepers[entry.seat] != author:
            raise IllegalEntry("answers for somebody else's seat")
        with self.cards.trial():
            self.cards.apply_shares(author, (entry.slot,), b"open", entry.shares)
            character = self._check_pick(entry.slot, entry.nonce)
            fact = Called(entry.seat, entry.slot, character)
            self.refuse(fact)
        self.picks.reveal(author, fact)

    def _fold_act(self, author: int, entry: bodies.Acted) -> None:
        if entry.step != self.step:
            raise IllegalEntry(STALE)
        self._owed("act", author, seat=entry.seat)
        fact = acts.judge(self, author, entry)
        slot = rules.commits(self.state, fact.move)
        if slot is not None:
            self.picks.commit(slot, entry.seat, entry.commitment)
        self._apply(fact)

    def is_card(self, slot: int) -> bool:
        """Whether a sealed card lies in this slot, and not something that a seat invented."""
        return self._custody is not None and self._custody.holds(slot)

    def still_closed(self, operator: int, slots: Sequence[int]) -> tuple[int, ...]:
        """Those of the slots that lack this operator's share.

        A card may come to a hand open.
        """
        return tuple(s for s in slots if operator not in self.cards.state(s).sharers)

    def refuse(self, fact: Fact) -> None:
        """Raise IllegalEntry with the engine's reason, if it has one against this fact."""
        reason = rules.refuse(self.state, fact)
        if reason is not None:
            raise IllegalEntry(reason.code)

    def face(self, slot: int) -> str | None:
        """The id of an open card."""
        label = self.cards.face(slot)
        return None if label is None else face_of(label)

    def _apply(self, fact: Fact) -> None:
        self.events.extend(rules.apply(self.state, fact))
        self.step += 1

    def _advance(self) -> None:
        """Serve every need that is met already, then say who owes what."""
        if self.stage in ("commit", "key"):
            self.duties = self._key_duties()
            if self.duties:
                return
            self.stage = "key" if self.stage == "commit" else "play"
            if self.stage == "key":
                self.duties = self._key_duties()
                return
            self._begin()
        assert self._custody is not None
        while True:
            need = rules.need(self.state)
            if isinstance(need, Shuffle) and need.fresh and self._laid != self.step:
                self.cards.lay(need.slots, [label_of(need.pile, card) for card in need.fresh])
                self._custody.laid(need.slots)
                self._laid = self.step
            self.duties = self._custody.duties(need, rules.zones(self.state)) or self._pledges()
            if self.duties:
                return
            self.duties = self._need_duties(need)
            if self.duties:
                return
            if isinstance(need, Over):
                self.stage = "done"
                return
            self._serve(need)
            if self.cheat is not None:
                return

    def _pledges(self) -> tuple[Duty, ...]:
        """Characters that a seat holds and is not committed to.

        Dealt by chance, or exchanged.
        """
        return tuple(
            Duty("pledge", self.keepers[seat], (slot,), seat)
            for slot, seat in sorted(self.hidden_picks().items())
            if self.picks.holder(slot) != seat
        )

    def _key_duties(self) -> tuple[Duty, ...]:
        done = self.keys.promised if self.stage == "commit" else self.keys.shown
        kind = "commit" if self.stage == "commit" else "key"
        return tuple(Duty(kind, o) for o in range(self.operators) if o not in done)

    def _need_duties(self, need: rules.Need) -> tuple[Duty, ...]:
        match need:
            case Shuffle():
                if self._shufflers < self.operators:
                    return (Duty("shuffle", self._shufflers, need.slots),)
                return ()
            case Deal():
                return ()
            case Open():
                return tuple(
                    Duty("open", operator, missing)
                    for operator in range(self.operators)
                    if (
                        missing := tuple(
                            s for s in need.slots if operator not in self.cards.state(s).sharers
                        )
                    )
                )
            case Call():
                holders = {self.keepers[seat] for seat in self.hidden_picks().values()}
                return tuple(
                    Duty("answer", operator)
                    for operator in sorted(holders)
                    if operator not in self.picks.answered
                )
            case Decide():
                return (Duty("act", self.keepers[need.seat], (), need.seat),)
            case Over():
                self.stage = "audit"
                return tuple(
                    Duty("audit", o) for o in range(self.operators) if o not in self.keys.given
                )

    def _serve(self, need: rules.Need) -> None:
        """Turn what the table has established into the engine's fact."""
        match need:
            case Shuffle():
                self._shufflers = 0
                self._apply(Shuffled())
            case Deal():
                self._apply(Dealt())
            case Open():
                faces = tuple(self.face(slot) or "" for slot in need.slots)
                self._expose(need.slots, faces)
                if self.cheat is None:
                    self._apply(Opened(faces))
            case Call():
                self._apply(self.picks.answer())
            case Decide() | Over():
                raise LocalError("nobody but a person or the end serves this")
        if self.state.round != self._round:
            self._round = self.state.round
            self.picks.clear()

    def _expose(self, slots: Sequence[int], faces: Sequence[str]) -> None:
        """Whoever stayed silent at the call of a character that is now shown has cheated."""
        hidden = self.hidden_picks()
        for slot, face in zip(slots, faces, strict=True):
            seat = hidden.get(slot)
            if seat is None:
                continue
            denial = self.picks.lie(self.keepers[seat], self.rank_of(face))
            if denial is not None:
                self.cheat = IllegalEntry(
                    f"silent at the call of rank {denial.rank} in entry {denial.seq}",
                    culprit=self.genesis.operators[denial.operator].identity,
                )
