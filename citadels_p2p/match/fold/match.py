"""The match as every operator folds it from the journal: rules and sealed cards joined.

One instance runs on each laptop, and one in the verifier; all of them see the same entries and
come to the same public state. An entry is either what somebody owes now, proven, or it is
refused with a typed error and changes nothing. What this operator owes itself is made in
`sealed_dealer.py`.

Stages: *commit* (share keys promised) → *key* (shown) → *escrow* (held by the others) →
*play* → *audit* (keys given away) → *done*.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence

from citadels_p2p import rules
from citadels_p2p.match.fold import bodies, decisions, departure, owing, sealing, words
from citadels_p2p.match.fold.absence import Absence
from citadels_p2p.match.fold.custody import Custody
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.match.fold.giving_back import GivingBack
from citadels_p2p.match.fold.picks import Picks
from citadels_p2p.match.fold.refusal import STALE
from citadels_p2p.match.fold.sealing import face_of, label_of
from citadels_p2p.match.fold.share_keys import ShareKeys
from citadels_p2p.match.options import unpack_liveness, unpack_options
from citadels_p2p.rules import Zone
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.needs import (
    Away,
    Back,
    Call,
    Deal,
    Dealt,
    Decide,
    Fact,
    Open,
    Opened,
    Over,
    Shuffle,
    Shuffled,
    TimedOut,
)
from protocol.application import Genesis
from protocol.cards.deck import SealedCards
from protocol.cards.escrow import threshold
from protocol.cards.group import Edwards25519, Group
from protocol.errors import BadProof, IllegalEntry, LocalError, RemoteError

LAST_SECONDS = 30
"""For a decision, once most of those who count have said that it has taken long enough."""

_STAGES = {"commit": "key", "key": "escrow", "escrow": "play"}


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
        self.resigned: int | None = None  #: who ended the match by leaving the last but one
        self.ended: frozenset[int] = frozenset()  #: who has signed that the match is over
        self.state = rules.new(self.rules)
        self.step = 0
        self.folded = 0
        self.seq = 0  #: of the entry that is being folded
        self.events: list[Event] = []
        self.facts: list[Fact] = []  #: what the engine was told, from the beginning
        self.words: tuple[str, ...] = ()
        self.cheat: RemoteError | None = None
        self.turned = True  #: whether there is more to say or to see after the newest entry
        self.liveness = unpack_liveness(genesis.options)
        needed = threshold(self.operators, self.liveness.escrow)
        self.keys = ShareKeys(genesis, self.group, needed)
        self.absence = Absence(self.operators, needed)
        self.giving_back = GivingBack()  #: share keys that were lost on their operators' disks
        self.bots: dict[int, str] = {}  #: seats that persons have handed over, and to which
        self.hurried: frozenset[int] = frozenset()  #: who finds that this decision takes long
        self.handed: Counter[int] = Counter()  #: how often, by operator
        self._cards: SealedCards | None = None
        self._custody: Custody | None = None
        self._laid = -1
        self.shuffled: set[int] = set()  #: who has shuffled the pile that is asked for
        self.picks = Picks(genesis.digest)
        self._round = 0
        self.owed_once: set[Duty] = set()  #: and is owed no longer
        self._fulfilled: Duty | None = None  # by the entry that is being folded
        self._zones: tuple[int, Mapping[int, Zone]] = -1, {}
        self._hidden: tuple[int, Mapping[int, int]] = -1, {}
        self.duties: tuple[Duty, ...] = owing.before_play(self)

    @property
    def cards(self) -> SealedCards:
        """The sealed cards; there are none before the keys are shown."""
        if self._cards is None:
            raise LocalError("no cards before the keys")
        return self._cards

    @property
    def custody(self) -> Custody:
        """Who can read which card; there is nothing to read before the keys are shown."""
        if self._custody is None:
            raise LocalError("no custody before the keys")
        return self._custody

    @property
    def at_rest(self) -> bool:
        """Nothing is left to programs alone: somebody decides, or the match is over."""
        kinds = {duty.kind for duty in self.duties}
        return self.is_over or (self.stage == "play" and kinds <= {"act"})

    @property
    def held_off(self) -> frozenset[int]:
        """Who came and went so often that it is back with the next round only."""
        return self.absence.held_off(self.state.round) if self.stage == "play" else frozenset()

    @property
    def allowed(self) -> int:
        """Seconds that a decision may take, this one at least; 0 for as long as it likes."""
        is_hurried = self.absence.attendance.is_majority(self.hurried)
        return self.liveness.step_time or (LAST_SECONDS if is_hurried else 0)

    @property
    def is_over(self) -> bool:
        """The last score stands: all that is left is that share keys are given away."""
        return self.stage in ("audit", "done")

    def seats_of(self, operator: int | None) -> tuple[int, ...]:
        """The seats that an operator plays; nobody plays any."""
        return tuple(seat for seat, keeper in enumerate(self.keepers) if keeper == operator)

    def absent_of(self, duty: Duty) -> int:
        """The operator for which this is done because it is gone; -1 where it is for nobody."""
        return self.keepers[duty.seat] if duty.kind == "timeout" else duty.absent

    @property
    def zones(self) -> Mapping[int, Zone]:
        """Where every card lies: as the rules say, read once for each of their facts."""
        step, zones = self._zones
        if step != self.step:
            zones = rules.zones(self.state)
            self._zones = self.step, zones
        return zones

    def rank_of(self, character: str) -> int:
        """A character's rank in this match; IllegalEntry for one that is not in it."""
        rank = self.state.tables.ranks.get(character)
        if rank is None:
            raise IllegalEntry("no such character")
        return rank

    def hidden_picks(self) -> Mapping[int, int]:
        """Character cards chosen and not yet shown: slot → seat; read as the zones are."""
        step, hidden = self._hidden
        if step != self.step:
            hidden = rules.hidden_picks(self.state)
            self._hidden = self.step, hidden
        return hidden

    def digest(self) -> bytes:
        """SHA-256 of everything public: the stage, the engine's state, who owes what."""
        away = sorted(self.absence.attendance.away)
        owed = repr((self.duties, away, self.absence.departed)).encode()
        parts = (self.stage.encode(), rules.digest(self.state), owed)
        return hashlib.sha256(b"citadels match digest" + b"\0".join(parts)).digest()

    # C901: one case for each kind of entry: a table, written as a match
    def fold(  # noqa: C901
        self, seq: int, author: int, body: bytes
    ) -> bodies.Body | bodies.Removed:
        """Apply one entry, and return what it says.

        A `RemoteError` says why it may not stand, and nothing has changed.
        """
        entry, self.seq = bodies.read(body), seq
        attendance = self.absence.attendance
        away, owed = attendance.away, self.duties
        before = owing.moment(self)
        self._fulfilled = None
        removed = isinstance(entry, bodies.Removed)
        silent = author in away and not isinstance(entry, bodies.Returned | bodies.Forgot)
        if (silent or author in self.absence.left) and not (
            removed or self._may_still_say(author, entry)
        ):
            raise IllegalEntry(STALE)  # said before it knew
        match entry:
            case bodies.KeyCommit():
                self.owed("commit", author)
                self.keys.promise(author, entry.commitment)
            case bodies.KeyOpen():
                self.owed("key", author)
                self.keys.show(author, entry.opening)
            case bodies.Shuffled():
                sealing.shuffle(self, author, entry)
            case bodies.Shared():
                sealing.deal(self, author, entry)
            case bodies.Opened():
                sealing.open_to_all(self, author, entry)
            case bodies.Passed():
                sealing.hand_on(self, author, entry)
            case bodies.Veiled():
                sealing.veil(self, author, entry)
            case bodies.Answered():
                self.owed("answer", author)
                decisions.judge_answer(self, seq, author, entry)
            case bodies.Acted():
                self._fold_act(author, entry)
            case bodies.Pledged():
                duty = self.owed("pledge", author, (entry.slot,))
                self.picks.commit(entry.slot, duty.seat, entry.commitment)
            case bodies.Ended():
                if author not in self.absence.left and not self._says_goodbye(author):
                    self.owed("over", author)
                self.ended |= {author}
            case bodies.KeyShown():
                if author != self.resigned or owing.unended(self):
                    self.owed("audit", author)
                self.keys.give(author, entry.secret)
            case bodies.Entrusted():
                self.owed("entrust", author)
                self.keys.entrust(author, entry.escrow)
                self.absence.entrust(author, self.keys.escrows.get(author))
            case bodies.Complained():
                self.keys.uphold(author, entry.dealer, entry.proof)
                self.cheat = BadProof(
                    f"sealed a wrong value to operator {author}",
                    culprit=self.genesis.operators[entry.dealer].identity,
                )
            case bodies.Missed():
                if words.miss(self, author, entry):
                    self._presence(entry.operator, Away)
            case bodies.Returned():
                if words.come_back(self, author):
                    self._presence(author, Back)
            case bodies.GivenUp():
                if departure.give_up(self, author, entry):
                    self._presence(entry.operator, Away)
            case bodies.Resigned():
                departure.resign(self, author)
                if self.resigned is None:
                    self._presence(author, Away)
            case bodies.Removed():
                for operator in departure.remove(self, entry):
                    self._presence(operator, Away)
            case bodies.Forgot():
                self.giving_back.plead(self, seq, author, entry.lock)
            case bodies.GaveBack():
                self.giving_back.give(self, author, entry)
            case bodies.Recovered():
                sealing.recover(self, author, entry)
            case bodies.TimedOut():
                self.owed("timeout", author, seat=entry.seat, step=entry.step)
                self._apply(TimedOut(entry.seat))
            case bodies.Hurried():
                words.hurry(self, author, entry)
            case bodies.HandedOver():
                decisions.hand_over(self, author, entry)
        is_word = self._fulfilled or author in away or words.counts(self, owed, author)
        if is_word and not isinstance(entry, bodies.Removed | bodies.Forgot):
            attendance.spoke(author, seq)
        for operator in attendance.away - away:
            self.absence.went_in[operator] = self.state.round
            if self._custody is not None:
                self._custody.masks.leave(operator)
        departure.settle(self, seq)
        if self.cheat is None:
            self.duties = owing.rest(self, self._fulfilled)
            if not self.duties:
                self._advance()
        self.owed_once.update(set(owed).difference(self.duties))
        self.turned = owing.turns(entry, before, owing.moment(self))
        self.folded = seq
        return entry

    def owed(
        self,
        kind: str,
        author: int,
        slots: Sequence[int] | None = None,
        seat: int | None = None,
        absent: int = -1,
        step: int | None = None,
    ) -> Duty:
        """The duty that an entry fulfils, at this step where it names one.

        `IllegalEntry` where its author owes no such thing now. That is an accident where it
        did once: its word may still be on its way when others take the duty away, and a host
        may order what it has refused, which its author says again meanwhile.
        """
        if step not in (None, self.step):
            raise IllegalEntry(STALE)
        for duty in self.duties:
            if duty.fits(kind, author, slots, seat, absent):
                self._fulfilled = duty
                return duty
        if any(duty.fits(kind, author, slots, seat, absent) for duty in self.owed_once):
            raise IllegalEntry(STALE)
        raise IllegalEntry(f"not_owed: {kind}")

    def _begin(self) -> None:
        """All keys are shown: the safety words, the cards and the first need."""
        self.words = self.keys.words()
        self._cards = SealedCards(self.group, self.keys.context(), self.keys.publics)
        self.absence.begin(self._cards, self.keys.escrows)
        self._custody = Custody(self._cards, self.keepers, self.absence)

    def _may_still_say(self, author: int, entry: bodies.Body | bodies.Removed) -> bool:
        """What is heard of who has left for good: that it takes its layer off, or that it, too,
        has come to the end; for who left by its own word that is where it left.
        """
        if author not in self.absence.left and not self._says_goodbye(author):
            return False
        is_end = isinstance(entry, bodies.Ended) and owing.has_ended(self, author)
        takes_off = isinstance(entry, bodies.Shared) and author in self.absence.resigning
        return (is_end and author in owing.unended(self)) or takes_off

    def _says_goodbye(self, operator: int) -> bool:
        """Whether it leaves by its own word, and has yet to say so of this very history."""
        return operator in self.absence.attendance.goodbyes - self.ended

    def _presence(self, operator: int, fact: type[Away] | type[Back]) -> None:
        """Its seats are told of, and no open question is touched; but all are to end alike."""
        for seat in () if self.is_over else self.seats_of(operator):
            self._apply(fact(seat), steps=0)

    def seat_of(self, slot: int) -> int:
        zone = self.zones.get(slot)
        return -1 if zone is None or zone.seat is None else zone.seat

    def check_pick(self, slot: int, nonce: bytes) -> str:
        """The open character in a slot, which must be the one its seat is committed to."""
        label = self.pick_label(slot, self.seat_of(slot))
        return self.picks.check(label, slot, self.face(slot), nonce)

    def pick_label(self, slot: int, seat: int) -> bytes:
        """What a seat's commitment to the character in this slot is bound to."""
        return b"citadels character pick %d %d %d" % (self.state.round, seat, slot)

    def _fold_act(self, author: int, entry: bodies.Acted) -> None:
        self.owed("act", author, seat=entry.seat, step=entry.step)
        fact = decisions.judge(self, author, entry)
        slot = rules.commits(self.state, fact.move)
        if slot is not None:
            self.picks.commit(slot, entry.seat, entry.commitment)
        self._apply(fact)

    def is_card(self, slot: int) -> bool:
        """Whether a sealed card lies in this slot, and not something that a seat invented."""
        return slot in self.custody.holds

    def still_closed(self, operator: int, slots: Sequence[int]) -> tuple[int, ...]:
        """Those of the slots that lack this operator's share: cards may come to a hand open."""
        return tuple(s for s in slots if operator not in self.cards.state(s).sharers)

    def refuse(self, fact: Fact) -> None:
        """Raise IllegalEntry with the engine's reason, if it has one against this fact."""
        reason = rules.refuse(self.state, fact)
        if reason is not None:  # whoever went meanwhile was here when it was said
            raise IllegalEntry(STALE if reason.code == "not_present" else reason.code)

    def face(self, slot: int) -> str | None:
        """The id of an open card."""
        label = self.cards.face(slot)
        return None if label is None else face_of(label)

    def _apply(self, fact: Fact, steps: int = 1) -> None:
        self.facts.append(fact)
        self.events.extend(rules.apply(self.state, fact))
        self.step += steps
        if steps:
            self.hurried = frozenset()

    def _advance(self) -> None:
        """Serve every need that is met already, then say who owes what."""
        while self.stage in _STAGES:
            self.duties = owing.before_play(self)
            if self.duties:
                return
            self.stage = _STAGES[self.stage]
            if self.stage == "escrow" and self.keys.needed is None:
                self.stage = "play"
            if self.stage == "play":
                self._begin()
        while True:
            if self.resigned is not None:
                self.duties = owing.for_need(self, Over())
                self.stage = "audit" if self.duties else "done"
                return
            need = rules.need(self.state)
            if isinstance(need, Shuffle) and need.fresh and self._laid != self.step:
                self.cards.lay(need.slots, [label_of(need.pile, card) for card in need.fresh])
                self.custody.laid(need.slots)
                self._laid = self.step
            self.duties = departure.duties(self)
            if not isinstance(need, Over):
                self.duties = self.duties or self.custody.duties(need, self.zones)
                self.duties = self.duties or owing.pledges(self)
            if self.duties:
                return
            if isinstance(need, Over):
                self.stage = "audit"
            self.duties = owing.for_need(self, need)
            if self.duties:
                return
            if isinstance(need, Over):
                self.stage = "done"
                return
            self._serve(need)
            if self.cheat is not None:
                return

    def _serve(self, need: rules.Need) -> None:
        """Turn what the table has established into the engine's fact."""
        match need:
            case Shuffle():
                self.shuffled.clear()
                self._apply(Shuffled())
            case Deal():
                self._apply(Dealt())
            case Open():
                faces = tuple(self.face(slot) or "" for slot in need.slots)
                self.cheat = decisions.exposed(self, need.slots, faces)
                if self.cheat is None:
                    self._apply(Opened(faces))
            case Call():
                self._apply(self.picks.answer())
            case Decide() | Over():
                raise LocalError("nobody but a person or the end serves this")
        if self.state.round != self._round:
            self._round = self.state.round
            self.picks.clear()
