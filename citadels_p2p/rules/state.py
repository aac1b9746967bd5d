"""The public state: plain values that can be compared, copied and digested.

No callback, generator, clock or chance lives in it, and no card that is still hidden. What is
asked next is the top of `stack`: a *frame* is a value that names its continuation by a word.
When the stack is down to its base the phase decides what comes next.

Why so: docs/decisions, 1.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final, NamedTuple

from citadels_p2p.rules.events import Event, Value
from citadels_p2p.rules.ruleset import Rules

if TYPE_CHECKING:
    from citadels_p2p.rules.hooks import District, Role
    from citadels_p2p.rules.rule_tables import RuleTables

#: stands where an event has no further value
UNSAID: Final[Value] = ("",)


class Frame:
    """Something that is asked, and under which word the answer goes on.

    `need` is `shuffle`, `deal`, `open`, `call`, `decide` or `over`, or `rest` for nothing;
    `then` names the step or the ask that takes the answer; `seat` who is concerned (-1:
    nobody); `slots` which cards (for a call the rank); `labels` what a fresh pile is made of,
    or words the continuation needs. Never changed once made: states share their frames.
    """

    __slots__ = ("labels", "need", "seat", "slots", "then")

    def __init__(
        self,
        need: str,
        then: str,
        seat: int = -1,
        slots: tuple[int, ...] = (),
        labels: tuple[str, ...] = (),
    ) -> None:
        self.need = need
        self.then = then
        self.seat = seat
        self.slots = slots
        self.labels = labels

    def values(self) -> tuple[object, ...]:
        """Everything, in a fixed order, for comparing and digesting."""
        return (self.need, self.then, self.seat, self.slots, self.labels)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frame) and self.values() == other.values()

    def __hash__(self) -> int:
        return hash(self.values())

    def __repr__(self) -> str:
        return f"Frame{self.values()!r}"


#: so many frames that ask nothing lie below all others. Python lays a list out anew when it
#: shrinks below half of its room: for a stack that got empty after every answer that took a
#: twentieth of the instructions of a compiled game
BASE: Final = 4
REST: Final = Frame("rest", "settled")


class Place:
    """What lies before one seat.

    `districts`, `uniques`, `quarters` follow `city`; only the board writes them.
    """

    __slots__ = (
        "city",
        "districts",
        "drawn",
        "gold",
        "hand",
        "picks",
        "present",
        "quarters",
        "revealed",
        "uniques",
    )

    def __init__(self, gold: int) -> None:
        self.gold = gold
        self.hand: list[int] = []
        self.drawn: list[int] = []  #: being looked at, or on their way to this hand
        self.city: list[int] = []
        self.districts: list[District] = []  #: what stands on `city`, in the same order
        self.uniques: list[District] = []
        self.quarters = [0, 0, 0, 0, 0]
        self.picks: list[int] = []  #: this round's character cards
        self.revealed: list[str] = []  #: characters that answered their call this round
        self.present = True

    def copy(self) -> Place:
        """Another place that shares nothing that changes."""
        other = Place(self.gold)
        other.hand = self.hand[:]
        other.drawn = self.drawn[:]
        other.city = self.city[:]
        other.districts = self.districts[:]
        other.uniques = self.uniques[:]
        other.quarters = self.quarters[:]
        other.picks = self.picks[:]
        other.revealed = self.revealed[:]
        other.present = self.present
        return other

    def slot_of(self, id: str) -> int:
        """Where the district of this name stands; one does."""
        return next(self.city[at] for at, card in enumerate(self.districts) if card.id == id)

    def values(self) -> tuple[object, ...]:
        return (
            self.gold,
            self.hand,
            self.drawn,
            self.city,
            [card.id for card in self.districts],
            self.picks,
            self.revealed,
            self.present,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and self.values() == other.values()

    __hash__ = None  # type: ignore[assignment]  # it changes in place


class Markers(NamedTuple):
    """Markers that a seat laid on characters, for everybody to see.

    Which of them is the true one is the seat's secret: the face of `slot`, a character that
    the seat invented, bound itself to, and shows when the rules let it.
    """

    seat: int
    slot: int
    characters: tuple[str, ...]


class Site:
    """A district being built: by whom, which card, and what was paid.

    `gold` was paid to the bank. `paid`: gold or cards were given for it; False where a power
    replaces the payment. `lost`: the district of the same city that was given for it.
    """

    __slots__ = ("card", "gold", "lost", "paid", "seat", "slot")

    def __init__(
        self,
        seat: int,
        slot: int,
        card: District,
        gold: int,
        paid: bool = True,
        lost: District | None = None,
    ) -> None:
        self.seat: Final = seat
        self.slot: Final = slot
        self.card: Final = card
        self.gold: Final = gold
        self.paid: Final = paid
        self.lost: Final = lost


class Turn:
    """The turn being played: who, as which character, and what has been done in it."""

    __slots__ = (
        "built",
        "character",
        "closing",
        "gathered",
        "paid",
        "rank",
        "resumed",
        "role",
        "seat",
        "spent",
        "step",
        "used",
    )

    def __init__(self, seat: int, rank: int, role: Role) -> None:
        self.seat = seat
        self.rank = rank
        self.role = role
        self.character = role.id
        self.gathered = False
        self.built = 0  #: districts that count against the limit
        self.paid = 0  #: districts paid for, whatever became of them
        self.spent = 0  #: gold paid for them
        self.closing = False  #: a power of the turn's end was used: nothing but such is left
        self.resumed = False  #: played by another seat than the character's own
        self.used: list[str] = []  #: powers spent
        self.step = 0  #: where the turn has got to, if its steps have a fixed order

    def copy(self) -> Turn:
        other = Turn(self.seat, self.rank, self.role)
        other.gathered = self.gathered
        other.built = self.built
        other.paid = self.paid
        other.spent = self.spent
        other.closing = self.closing
        other.resumed = self.resumed
        other.used = self.used[:]
        other.step = self.step
        return other

    def values(self) -> tuple[object, ...]:
        return (
            self.seat,
            self.rank,
            self.character,
            self.gathered,
            self.built,
            self.paid,
            self.spent,
            self.closing,
            self.resumed,
            self.used,
            self.step,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Turn) and self.values() == other.values()

    __hash__ = None  # type: ignore[assignment]  # it changes in place


class State:
    """One match as everybody may see it.

    Changed in place by the engine; `copy` before trying things out.
    """

    __slots__ = (
        "also_first",
        "aside",
        "bank",
        "builders",
        "called",
        "crown",
        "cursor",
        "deck",
        "ends",
        "faces",
        "faceup",
        "first",
        "fresh_slot",
        "gilded",
        "gold_on_character",
        "guarded",
        "hidden_markers",
        "later",
        "log",
        "lots",
        "n",
        "named",
        "phase",
        "pile",
        "places",
        "possessed",
        "raised",
        "round",
        "rules",
        "shortened_by",
        "silenced",
        "stack",
        "tables",
        "tucked",
        "turn",
        "unveiled",
    )

    def __init__(self, rules: Rules, tables: RuleTables) -> None:
        self.rules = rules
        self.tables = tables
        self.log: list[Event] | None = None  #: where events are written; None: only counted
        self.n = 0  #: events so far
        self.round = 0
        self.phase = "setup"
        self.crown: int | None = None
        self.bank = 0  #: gold the bank gave out less what it got back, negated
        self.deck: list[int] = []  #: the last is the top
        self.faces: dict[int, str] = {}  #: slot → card, for what everybody may see
        self.places: list[Place] = []
        self.stack = [REST] * BASE
        self.turn: Turn | None = None
        self.called = 0  #: how many ranks have been called this round
        self.silenced = ""  #: the character that is not called this round
        #: a character whose holder only gathers, and the seat that then plays its turn
        self.possessed: tuple[str, int] | None = None
        self.named: dict[str, tuple[str, int]] = {}  #: purpose → (character, by which seat)
        self.hidden_markers: dict[str, Markers] = {}  #: purpose → what lies on characters
        self.builders: list[int] = []  #: seats that built in this round
        self.gold_on_character: dict[str, int] = {}  #: gold lying on characters
        self.gilded: dict[int, int] = {}  #: gold lying on districts, by slot
        self.tucked: dict[int, tuple[int, ...]] = {}  #: cards face down under districts
        self.raised: list[int] = []  #: districts built in this round
        self.guarded: list[int] = []  #: seats whose city is safe this round
        self.lots: dict[int, str] = {}  #: a pile of lots, slot → what was laid there
        self.pile: list[int] = []  #: characters going round
        self.aside: list[int] = []  #: characters face down
        self.faceup: dict[int, str] = {}  #: characters face up, slot → id
        self.cursor = 0  #: place in the selection's schedule
        self.fresh_slot = 0  #: the next slot never used before
        self.first: int | None = None  #: who completed a city first
        self.also_first: list[int] = []  #: who did at the same moment
        self.later: list[tuple[int, ...]] = []  #: who did later, moment by moment
        self.shortened_by: int | None = None  #: a district that makes one district fewer enough
        self.ends = False
        self.unveiled: dict[int, str] = {}  #: hand cards shown when points are counted

    def frames(self) -> list[Frame]:
        """All that is asked; the last of them now."""
        return self.stack[BASE:]

    def role(self) -> Role:
        """The character whose turn it is, with all that its turn asks for."""
        return self.in_turn().role

    def in_turn(self) -> Turn:
        """The turn that is played: there is one wherever its own powers are asked about."""
        assert self.turn is not None
        return self.turn

    def emit(
        self,
        kind: str,
        first: Value = UNSAID,
        second: Value = UNSAID,
        third: Value = UNSAID,
        more: tuple[Value, ...] = (),
    ) -> None:
        """Count one event, and write it down where somebody reads; else no tuple is made.

        `more`: the values beyond three.
        """
        self.n += 1
        if self.log is not None:
            values: tuple[Value, ...] = ()
            if third is not UNSAID:
                values = (first, second, third, *more)
            elif second is not UNSAID:
                values = (first, second)
            elif first is not UNSAID:
                values = (first,)
            self.log.append(Event(self.n, kind, values))

    def copy(self) -> State:
        """Another state, equal and independent, that writes no events."""
        other = State(self.rules, self.tables)
        other.n = self.n
        other.round = self.round
        other.phase = self.phase
        other.crown = self.crown
        other.bank = self.bank
        other.deck = self.deck[:]
        other.faces = self.faces.copy()
        other.places = [place.copy() for place in self.places]
        other.stack = self.stack[:]
        other.turn = self.turn.copy() if self.turn else None
        other.called = self.called
        other.silenced = self.silenced
        other.possessed = self.possessed
        other.named = self.named.copy()
        other.hidden_markers = self.hidden_markers.copy()
        other.builders = self.builders[:]
        other.gold_on_character = self.gold_on_character.copy()
        other.gilded = self.gilded.copy()
        other.tucked = self.tucked.copy()
        other.raised = self.raised[:]
        other.guarded = self.guarded[:]
        other.lots = self.lots.copy()
        other.pile = self.pile[:]
        other.aside = self.aside[:]
        other.faceup = self.faceup.copy()
        other.cursor = self.cursor
        other.fresh_slot = self.fresh_slot
        other.first = self.first
        other.also_first = self.also_first[:]
        other.later = self.later[:]
        other.shortened_by = self.shortened_by
        other.ends = self.ends
        other.unveiled = self.unveiled.copy()
        return other

    def values(self) -> tuple[object, ...]:
        """Everything public, in a fixed order and form, for comparing and digesting."""
        return (
            self.rules.to_options(),
            self.n,
            self.round,
            self.phase,
            self.crown,
            self.bank,
            self.deck,
            sorted(self.faces.items()),
            [place.values() for place in self.places],
            [frame.values() for frame in self.frames()],
            self.turn.values() if self.turn else None,
            self.called,
            self.silenced,
            self.possessed,
            sorted(self.named.items()),
            sorted(self.hidden_markers.items()),
            self.builders,
            sorted(self.gold_on_character.items()),
            sorted(self.gilded.items()),
            sorted(self.tucked.items()),
            self.raised,
            self.guarded,
            list(self.lots.items()),
            self.pile,
            self.aside,
            list(self.faceup.items()),
            self.cursor,
            self.fresh_slot,
            self.first,
            self.also_first,
            self.later,
            self.shortened_by,
            self.ends,
            sorted(self.unveiled.items()),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.values() == other.values()

    __hash__ = None  # type: ignore[assignment]  # it changes in place


_DOMAIN: Final = b"citadels-p2p state 1\n"
_text: Final = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


def digest(state: State) -> bytes:
    """SHA-256 over the state's values as one line of ASCII JSON without blanks, keys sorted.

    32 bytes.
    """
    return hashlib.sha256(_DOMAIN + _text(state.values()).encode("ascii")).digest()
