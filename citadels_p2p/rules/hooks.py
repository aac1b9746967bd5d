"""What a card may do beyond its row: the fixed list of places where effects plug in.

An effect fills the fields it needs and leaves the rest; the core asks the fields and names no
card. What a player *does* is an `Act`; a choice in the middle of something is an `Ask`; what
follows a deal, an opening or a shuffle is a `Step`. Acts, asks and steps keep nothing: all
memory is in the state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from citadels_p2p.cards import CHARACTERS, DISTRICTS, QUARTERS, Printing
from citadels_p2p.rules import steps
from citadels_p2p.rules.events import Value
from citadels_p2p.rules.move_ids import GATHERING
from citadels_p2p.rules.moves import Move, Outlay
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.state import Frame, Site, State, Turn

#: slot → card, for what the deciding seat knows
Faces: TypeAlias = dict[int, str]

#: what a sentence is told, by name
About: TypeAlias = tuple[tuple[str, Value], ...]

#: what follows a frame; the last argument is what was opened
Step: TypeAlias = Callable[[State, Frame, tuple[str, ...]], None]


class Secret(NamedTuple):
    """What a seat invents with a move: `face` is its own, `public` is the move all others see.

    It binds itself to the face of `slot`, which lies nowhere before.
    """

    slot: int
    face: str
    public: Move


class Act:
    """Something a seat may do in its turn.

    `power`: what it spends, at most `times` a turn. `after_gathering`: not before.
    `at_turn_end`: not before either, and then only such powers are left. `must`: the turn
    cannot end without it. `defers`: nothing is done yet but asked, and the ask spends the
    power once something is.
    `step`: of a turn whose steps have a fixed order. `outlay`: what it costs the seat; each act
    has to say.
    """

    verb: str
    power: str
    outlay: Outlay
    times: int = 1
    after_gathering: bool = False
    at_turn_end: bool = False
    must: bool = False
    defers: bool = False
    step: int = steps.POWERS

    def options(self, state: State, seat: int, faces: Faces, moves: list[Move]) -> None:
        """Add every legal move of this act: the candidates that `refuse` lets pass."""
        for move in self.candidates(state, seat):
            if self.refuse(state, seat, move) is None:
                moves.append(move)

    def candidates(self, state: State, seat: int) -> Sequence[Move]:
        """What may be legal, one for each target; nothing where none has to be named."""
        return ()

    def refuse(self, state: State, seat: int, move: Move) -> Reason | None:
        """Why not, from public facts.

        That the power is the seat's and unspent is checked before.
        """
        raise NotImplementedError

    def do(self, state: State, seat: int, move: Move) -> None:
        """Carry it out; unchecked."""
        raise NotImplementedError

    def about(self, state: State, seat: int, move: Move) -> About:
        """What a sentence about the move needs beside its arguments and the card's id."""
        return ()

    def outlay_of(self, state: State, seat: int, move: Move) -> Outlay:
        """What this very move costs, where that is not always the same."""
        return self.outlay

    def duty(self, state: State, seat: int) -> Move | None:
        """Of an act that must be done: what is taken for a seat that does not choose.

        None where nothing can be done, and the duty is void.
        """
        return None


class Ask:
    """A choice that interrupts. `kind` is the word for what is asked.

    Without a word in `several` exactly one of the options is chosen; with it, `bounds` says how
    many, and one move with that verb answers for all. With `invents` each option carries a
    secret. `returns`: it may be left with nothing done, and then the menu stands as before.
    `outlay`: what its options cost the seat; each ask has to say.
    """

    kind: str
    outlay: Outlay
    several: str = ""
    stays: bool = False
    invents: bool = False
    returns: bool = False

    def options(self, state: State, frame: Frame, faces: Faces) -> list[Move]:
        """Every legal move, or the cards to choose from."""
        raise NotImplementedError

    def bounds(self, state: State, frame: Frame) -> tuple[int, int]:
        """The fewest and the most to be chosen."""
        return 1, 1

    def refuse(self, state: State, frame: Frame, move: Move, shown: Faces) -> Reason | None:
        """Why not, from public facts and what the move shows."""
        raise NotImplementedError

    def do(self, state: State, frame: Frame, move: Move, shown: Faces) -> None:
        """Carry it out; unchecked. The frame has left the stack, unless `stays`."""
        raise NotImplementedError

    def default(self, state: State, frame: Frame) -> Move:
        """What is taken for a seat that does not answer; needs no hidden knowledge."""
        raise NotImplementedError

    def reveals(self, move: Move) -> tuple[int, ...]:
        """The slots whose faces the seat must show to all with this move."""
        return ()

    def commits(self, move: Move) -> int | None:
        """The slot to whose hidden face the seat binds itself with this move."""
        return None

    def secret(self, state: State, frame: Frame, move: Move) -> Secret | None:
        """What the move hides from all others, if it hides anything."""
        return None

    def about(self, state: State, frame: Frame, move: Move) -> About:
        """What a sentence about the move needs beside its arguments and the card's id."""
        return ()

    def outlay_of(self, state: State, frame: Frame, move: Move) -> Outlay:
        """What this very option costs, where they are not all the same."""
        return self.outlay

    def closes(self, state: State, frame: Frame, verb: str, other: str) -> bool:
        """Whether after an option of `verb` none of `other`, beside it now, can be chosen."""
        return False

    def harms(self, state: State, frame: Frame, move: Move) -> bool:
        """Whether this option is done to somebody: it names another seat, or a character."""
        named = bool(move.character) and not self.invents
        return named or move.seat not in (-1, frame.seat)

    def concerns(self, state: State, frame: Frame) -> About:
        """What a sentence about the question itself needs."""
        return ()


class Way:
    """Another way to pay for a card of the hand while building it, and so to show it.

    What building asks for besides a payment is checked before. `outlay`: what it costs besides
    gold; each way has to say.
    """

    verb: str
    outlay: Outlay

    def options(self, state: State, turn: Turn, slot: int, card: District) -> list[Move]:
        """Every legal move that builds this card so."""
        raise NotImplementedError

    def refuse(self, state: State, turn: Turn, move: Move, card: District) -> Reason | None:
        """Why not, the card being shown."""
        raise NotImplementedError

    def do(self, state: State, turn: Turn, move: Move, card: District) -> None:
        """Pay, and build; unchecked."""
        raise NotImplementedError

    def about(self, state: State, seat: int, move: Move) -> About:
        """What a sentence about the move needs beside its arguments and the card's id."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterEffect:
    """What a character does.

    `income`: the act that collects for its quarter, where it is not the common one. `limit`:
    districts it may build in its turn; `unlimited`: a quarter whose districts do not count;
    `duplicates`: also such as stand in its city; `builds`: False: none at all. `crown_bound`:
    may not lie face up, its holder is heir to the crown.

    `on_called(state, seat)`: its holder answers the call, whoever then plays its turn.
    `on_turn(state, seat)`: its turn begins for the seat that plays it. `errand`: the ask that
    takes the place of its turn's menu, once its holder has gathered. `on_end(state, seat)`: it
    ends its turn.

    Of others, while it is one of the match's characters: `on_reveal(state, seat, character)`:
    one answers its call. `detains(state, seat, character)`: what its holder is asked between
    gathering and everything else. `on_payment(state, site)`: a district is about to stand; True
    takes charge of it. `on_built(state, seat)`: one has been built. `on_any_end(state, seat)`:
    a turn ends. `on_exposed(state, seat)`: it is shown only at the round's end, because it was
    silenced; `on_any_exposed(state, seat, character)`: another is.
    """

    acts: tuple[Act, ...] = ()
    income: Act | None = None
    limit: int = 1
    unlimited: str | None = None
    duplicates: bool = False
    builds: bool = True
    crown_bound: bool = False
    on_called: Callable[[State, int], None] | None = None
    on_turn: Callable[[State, int], None] | None = None
    errand: str = ""
    on_end: Callable[[State, int], None] | None = None
    on_reveal: Callable[[State, int, str], None] | None = None
    detains: Callable[[State, int, str], Frame | None] | None = None
    on_payment: Callable[[State, Site], bool] | None = None
    on_built: Callable[[State, int], None] | None = None
    on_any_end: Callable[[State, int], None] | None = None
    on_exposed: Callable[[State, int], None] | None = None
    on_any_exposed: Callable[[State, int, str], None] | None = None


class Role:
    """One character of a match, with all that its turn asks for, found once.

    Made of its effect, of the acts `of_city` by their verbs, and of the common act of income.
    `acts`: all; `early`: before the gathering; `closing`: when the turn is closing. `act_of`:
    what each verb means in its turn, `step_of` to which step it belongs. `plain`: the common
    rules of building are all there is. `income`, `unlimited`: quarters, -1 for none.
    """

    def __init__(
        self,
        rules: Rules,
        id: str,
        effect: CharacterEffect,
        of_city: dict[str, Act],
        income: Act,
    ) -> None:
        quarter, unlimited = CHARACTERS[id].quarter, effect.unlimited
        acts = ((effect.income or income,) if quarter is not None else ()) + effect.acts
        self.rules = rules
        self.id = id
        self.effect = effect
        self.acts = acts
        self.early = tuple([a for a in acts if not (a.after_gathering or a.at_turn_end)])
        self.closing = tuple([a for a in acts if a.at_turn_end])
        self.musts = tuple([a for a in acts if a.must])
        self.act_of = of_city | {act.verb: act for act in acts}
        self.step_of = dict.fromkeys(GATHERING, steps.GATHERING) | {"end": steps.CLOSING}
        for verb, act in self.act_of.items():
            self.step_of[verb] = steps.CLOSING if act.at_turn_end else act.step
        self.limit = effect.limit
        self.plain = effect.builds and not effect.duplicates and unlimited is None
        self.income = -1 if quarter is None else QUARTERS.index(quarter)
        self.unlimited = -1 if unlimited is None else QUARTERS.index(unlimited)


@dataclass(frozen=True, slots=True, kw_only=True)
class DistrictEffect:
    """What a unique district does while it stands in a city.

    `acts`: in its owner's turn. `gold`: more gold when gathering gold. `draws`: more cards when
    gathering cards; `keeps` of them stay, or all with `keeps_all`. `any_income`: counts as the
    quarter its owner collects for. `any_quarter`: counts at the end as one quarter of the
    owner's choice, but not if it `fades` and was built in the last round. `untouchable`: no
    power of the last coloured rank touches it. `surcharge`: gold added to the price of every
    other district of its city. `size`: as how many districts it completes a city.

    While its owner builds: `discount`: off the cost of every other unique district; `twins`: so
    many of one name may stand in the city; `ways` to pay for any district. Of itself, in the
    hand: `bars(state, seat)`: why it may not be built; `own_ways` to pay for it; `counted`:
    False where it does not use one of the turn's buildings.

    `points(state, seat, counts)`: at the end, beside its cost, with the city's quarters counted
    as its owner chose; `unveiled`: points for showing it from the hand then.

    `on_raised(state, seat, slot)`: it has just been built. `on_destroyed(state, seat, slot,
    by)`: a district of any city was destroyed by the power of `by`; True takes charge of the
    card. `on_end(state, seat)`: its owner's turn ends. `on_crown(state, seat)`: the crown went
    from one seat to another. `on_selected(state, seat)`: all characters are chosen.
    `on_silenced(state, seat, character)`: a character that must keep silent is called.
    """

    acts: tuple[Act, ...] = ()
    gold: int = 0
    draws: int = 0
    keeps: int = 1
    keeps_all: bool = False
    any_income: bool = False
    any_quarter: bool = False
    fades: bool = False
    untouchable: bool = False
    surcharge: int = 0
    size: int = 1
    discount: int = 0
    twins: int = 1
    ways: tuple[Way, ...] = ()
    bars: Callable[[State, int], Reason | None] | None = None
    own_ways: tuple[Way, ...] = ()
    counted: bool = True
    points: Callable[[State, int, Sequence[int]], int] | None = None
    unveiled: int = 0
    on_raised: Callable[[State, int, int], None] | None = None
    on_destroyed: Callable[[State, int, int, int], bool] | None = None
    on_end: Callable[[State, int], None] | None = None
    on_crown: Callable[[State, int], None] | None = None
    on_selected: Callable[[State, int], None] | None = None
    on_silenced: Callable[[State, int, str], None] | None = None


class District:
    """One district of a match: its row in the deck, and what it does, found once.

    There is one for each id, so that `is` tells them apart. `cost` as printed; `quarter`: a
    number in the order of `QUARTERS`. `site`: building it has rules of its own; `yard`: it
    changes how others are built while it stands.
    """

    def __init__(self, rules: Rules, row: Printing, effect: DistrictEffect) -> None:
        self.rules = rules
        self.id = row.card
        self.cost = row.cost
        self.quarter = QUARTERS.index(DISTRICTS[row.card].quarter)
        self.effect = effect
        self.site = bool(effect.own_ways) or effect.bars is not None or not effect.counted
        self.yard = bool(effect.ways) or effect.twins > 1 or effect.discount > 0
