"""What a match tells the person's side. Values only.

`cli` renders these as sentences, as JSON lines or as a screen; it never sees the engine's
state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from citadels_p2p.exits import Exit
from citadels_p2p.rules.events import Event, Value
from citadels_p2p.rules.view import View

if TYPE_CHECKING:
    from citadels_p2p.match.acts import Act
    from citadels_p2p.match.archive.record import MatchRecord
    from protocol.roster import Seat
    from protocol.wire.spoken_code import SpokenCode


class BotName(str):
    """The name of a bot's seat: who reads it says it in a language; to programs it is a word.

    `number` tells the bots of a table apart. No person can have such a name: it comes from the
    seat's kind, not from what somebody typed.
    """

    __slots__ = ("number",)
    number: int

    def __new__(cls, number: int) -> BotName:
        name = super().__new__(cls, f"Bot {number}")
        name.number = number
        return name


def names_of(seats: Sequence[Seat]) -> tuple[str, ...]:
    """What the seats of a table are called, in their order."""
    return tuple(
        BotName(place) if seat.kind == "bot" else seat.name
        for place, seat in enumerate(seats, 1)
    )


@dataclass(frozen=True, slots=True)
class TableSeat:
    """A seat in the lobby.

    `kind`: human, bot or open; `operator`: index or None; `ready`: agrees to the table;
    `level`: that of the bot that plays it, also where a person has handed it over.
    `suspected`: why its laptop owes the table an answer (as in the notice of that name), or "".
    """

    seat: int
    name: str
    kind: str
    operator: int | None
    present: bool
    ready: bool = False
    level: str = ""
    suspected: str = ""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the table waits, and on how many of its `laptops` it rests.

    `away`, `step_time` and `give_up` in seconds (0: no limit); `needed` laptops together stand
    in for one that is away; None: nobody can, and the match waits.
    """

    away: int
    step_time: int
    escrow: str
    laptops: int
    needed: int | None
    give_up: int = 0


@dataclass(frozen=True, slots=True)
class Holders:
    """Any `needed` of these `laptops` (roster indices) together could rebuild a key."""

    needed: int
    laptops: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trust:
    """`holders` of this laptop's key, former ones too; () where nobody has any of it.

    `spare` laptops may go away, and the match goes on. `branching` of them, with command of the
    network, could play on twice unseen; None where the match waits for whoever is away.
    """

    holders: tuple[Holders, ...]
    spare: int
    branching: int | None


@dataclass(frozen=True, slots=True)
class TableNews:
    """The table changed.

    `words` are the safety words, once keys are exchanged; `you` is your seat or None.
    """

    table: str
    name: str
    edition: str
    options: dict[str, object]
    host: str
    address: str
    _: KW_ONLY
    code: str = ""  #: what a friend types after `citadels join` where nothing is discovered
    other_codes: tuple[str, ...] = ()  #: the same on other networks of a host's laptop
    #: what a host may say to them instead; of a spectator the words that led here
    spoken: SpokenCode | None = None
    seats: tuple[TableSeat, ...]
    words: tuple[str, ...]
    you: int | None
    watching: int | None = None  #: how many spectators look on; None where nobody may
    spectator: bool = False  #: you are one of them
    between: bool = False  #: persons share the laptop, and none of them sits before it
    hosting: bool = False  #: the table is yours: you may change it and begin
    sent_away: tuple[str, ...] = ()  #: whom you sent away from it, and may let in again
    host_gone: bool = False  #: before the start: whoever sits here may open the table again
    invited_by: str = ""  #: who has opened it again, and whose table one may go to
    carrier: str = ""  #: whose laptop counts though nobody sits at it, which opened the table
    patience: Patience | None = None  #: at a table of laptops
    trust: Trust | None = None  #: there, for whoever plays


@dataclass(frozen=True, slots=True)
class Awaited:
    """Whom the table waits for: the seat that must decide, and the kind of its ask."""

    seat: int
    kind: str


@dataclass(frozen=True, slots=True)
class StateNews:
    """The public state, or what you can see of it, changed. `names` by seat.

    `awaited` belongs to the moment, not to the state's number: a decision may tell nothing.
    """

    view: View
    names: tuple[str, ...]
    awaited: Awaited | None = None

    @property
    def awaits_you(self) -> bool:
        """Whether the seat that sees this must decide."""
        you = self.view.you
        return you is not None and self.awaited is not None and self.awaited.seat == you.seat


@dataclass(frozen=True, slots=True)
class LookNews:
    """What a seat was let look at, told later between the events of its time: `view` is how
    everything lay then.
    """

    view: View


@dataclass(frozen=True, slots=True)
class EventNews:
    """Something happened."""

    event: Event


@dataclass(frozen=True, slots=True)
class Option:
    """One thing you may do.

    `id` as in "build:17"; `verb` and `fields` for the sentence (slot, card, seat, cost …).
    `gift`: it costs nothing; `sacrifice`: it gives up a card or a district that could be kept;
    `closes`: the verbs of the ask's other options that nobody may choose after it; `harms`: it
    is done to another player, or to a character.
    """

    id: str
    verb: str
    fields: dict[str, Value] = field(default_factory=dict)
    gift: bool = False
    sacrifice: bool = False
    closes: tuple[str, ...] = ()
    harms: bool = False


@dataclass(frozen=True, slots=True)
class Barred:
    """Something that you may not do now, and why not."""

    option: Option
    reason: str
    fields: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ask:
    """You must or may decide.

    `kind` is for programs; the question belongs to the ask, which is `word` (empty: as the
    kind), with what it concerns in `fields`. `low`/`high` are None for a choice of one, else
    bounds of a choice of several.
    """

    id: int
    kind: str
    options: tuple[Option, ...]
    low: int | None = None
    high: int | None = None
    deadline: float | None = None
    barred: tuple[Barred, ...] = ()  #: for screens: what is impossible now, with the reason
    word: str = ""
    fields: dict[str, Value] = field(default_factory=dict)

    @property
    def sole(self) -> tuple[str, ...]:
        """The picks of the only answer there is; () where something is to be decided, and of a
        turn's open menu.
        """
        count = 1 if self.low is None else self.low
        decided = self.kind != "act" and len(self.options) == count
        return tuple(option.id for option in self.options) if decided else ()


@dataclass(frozen=True, slots=True)
class Ground:
    """Why a bot would choose so; `citadels_p2p.bots.advice` has the codes and their fields."""

    code: str
    fields: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AdviceNews:
    """What a bot would do in the ask with this id, as `Advise` wanted to know.

    `picks`: the ids of its options; `percent`: how likely it then holds the seat to win, None
    where there is but one answer; `next` and `next_percent`: the same of the next best choice.
    """

    ask: int
    picks: tuple[str, ...]
    percent: int | None
    grounds: tuple[Ground, ...]
    next: tuple[str, ...]
    next_percent: int | None


@dataclass(frozen=True, slots=True)
class PassOn:
    """Somebody else of this laptop's persons must decide: nothing goes on until they have taken
    their `seat`. Only where several persons share a laptop. `deadline` as that of an ask.
    """

    seat: int
    name: str
    deadline: float | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """Your last act was refused; `ask` is the id still open, if one is."""

    reason: str
    fields: dict[str, Value] = field(default_factory=dict)
    ask: int | None = None


@dataclass(frozen=True, slots=True)
class Chat:
    """Somebody speaks."""

    seat: int | None
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """The table's own news: someone away or back, waiting for whom, progress of long work,
    cheating found. `NOTICES` has its codes.
    """

    code: str
    fields: dict[str, Value] = field(default_factory=dict)


NOTICES: dict[str, tuple[str, ...]] = {
    "waiting": ("names",),
    "not_opened": ("names",),  # the next table, for a while
    "progress": ("what", "done", "of"),
    "back_at": ("moment", "of"),  # of a saved match
    "slow": ("name", "seconds"),  # until it counts as away
    "left": ("name",),  # it said goodbye, and may come back
    "away": ("name",),  # the others play on
    "paused": ("names",),  # without them nobody can
    "back": ("name",),
    "given_up": ("name",),  # it has left for good
    "seat_lost": (),  # this laptop has
    "held_off": (),  # it came and went too often: it is back with the next round
    "may_claim": ("name",),  # of two, it has been away for as long as the table waits
    "hurries": ("name", "other"),  # finds that the other one has thought for long enough
    "hurried": ("name", "seconds"),  # most find so: then chance decides
    "time_up": (),  # chance has decided
    "resting": ("level",),  # a bot plays your seat
    "handed_over": ("name", "level"),
    "taken_back": ("name",),
    "key_asked": ("count",),  # our secrets are lost: so many others have to answer
    "key_back": (),
    "key_wanted": ("name",),  # that laptop's are lost
    "cheat": ("name", "what"),
    "diverged": ("seq",),
    "host_gone": (),
    "reconnected": (),
    "hosting": ("name",),  # and `instead_of` whom, if that one kept back what others said
    "suspected": ("name", "why", "about"),
    "cleared": ("name",),
    "elsewhere": ("name",),  # who says: another program with our key is there; this one waits
    "taking_over": (),  # this one goes on instead
    "key_changed": ("name",),
    "not_announced": ("hint",),
    "code_guessed": (),  # wrong join words were tried: there are others now
    "code_spent": (),  # too many were: there are none any more
    "watching": ("count",),
    "gallery_full": ("count",),  # somebody was turned away: so many watch already
    "not_remembered": (),
    "bot_ended": (),
    "bot_silent": (),
    "bot_wrong": (),
}
"""Code of a notice → the fields that it always has. Where several persons share a laptop it may
name the seat as well."""

CLOSING = frozenset({"time_up", "resting"})
"""Notices after which an open question is another's to answer."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """`reason` is a code: districts, quarters, first_city, other_city, or a district's id."""

    reason: str
    points: int


@dataclass(frozen=True, slots=True)
class SeatScore:
    """One seat's result; `rank` counts from 1, equal for a tie that the rules leave."""

    seat: int
    total: int
    lines: tuple[ScoreLine, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A round that changed who was likely to win: each seat's chance before it and after it, in
    percent, as a bot judges what everybody sees.
    """

    round: int
    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OverNews:
    """The match ended.

    `digest` is the hex digest of the last public state; `journal` the saved match's path (''
    for none), `record` the match as text where nothing else keeps it. `resigned`: the seats
    whose leaving for good has ended it, before its time; `claimed`: they did not say so, who
    stayed did. `turning_points`: of a match that is told again.
    """

    scores: tuple[SeatScore, ...]
    winners: tuple[int, ...]
    digest: str
    journal: str
    names: tuple[str, ...]
    resigned: tuple[int, ...] = ()
    claimed: bool = False
    record: str = ""
    turning_points: tuple[TurningPoint, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """One player this evening: matches won, and in how many rounds it was murdered."""

    name: str
    wins: int
    murdered: int


@dataclass(frozen=True, slots=True)
class StandingNews:
    """How so many `matches` of this evening have gone, the last one included."""

    matches: int
    rows: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Anew:
    """Another match with the same people: what was told before is another table's."""


@dataclass(frozen=True, slots=True)
class Bye:
    """The last thing said.

    `reason`: why ('' when all is well), with its fields.
    """

    code: Exit
    reason: str = ""
    fields: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecordNews:
    """A whole saved match, for a screen that finds the way through it by itself.

    `seat` is the chair to begin in (None: everybody's), `path` the saved match's file.
    """

    record: MatchRecord
    seat: int | None
    path: str


#: what is told piece by piece
Told: TypeAlias = (
    TableNews
    | StateNews
    | EventNews
    | Ask
    | AdviceNews
    | Refused
    | Chat
    | Notice
    | OverNews
    | StandingNews
    | Anew
    | Bye
)
News: TypeAlias = Told | LookNews | PassOn | RecordNews


class Session(Protocol):
    """A table as the person's side drives it; the same for practice and for the network."""

    async def next(self) -> News:
        """The next thing to tell. Raises nothing: the end is `Bye`."""

    async def do(self, act: Act) -> None:
        """Do what the person wants. Refusals arrive as `Refused` news, in order."""
