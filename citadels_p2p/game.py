"""One match to play with: a state, its open dealer, and the question that is open.

For bots, studies and questions about a position. Whoever holds a game knows every card of it;
a seat is told what it may know by `view` and `observation`, which cannot change the match.

>>> game = Game("classic", seats=4, seed=1)
>>> game
<Game classic, 4 seats, round 1: seat 3 has a choice (character, 5 options)>
>>> game.play(game.options[0])[0].kind
'character_taken'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import chain, combinations
from random import Random
from typing import Final, NamedTuple

from citadels_p2p.bots.determinization import imagined
from citadels_p2p.bots.easy import pick_several
from citadels_p2p.bots.memory import Memory
from citadels_p2p.bots.observation import Observation
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.dice import Dice
from citadels_p2p.rules import asks, flow
from citadels_p2p.rules.asks import ASKS, Choice
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.hooks import Ask
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.needs import Decided
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.refusals import refuse
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.scoring import Scores, score
from citadels_p2p.rules.setup import new
from citadels_p2p.rules.state import Frame, State
from citadels_p2p.rules.view import View, view
from citadels_p2p.rules.zones import zones

#: what is asked when a match is over
NOTHING: Final = Ask()


#: of so many options an error names every one
NAMED: Final = 20


class Refused(ValueError):
    """What was played is not possible now; `reason` says why, `asked` what is possible."""

    def __init__(self, reason: Reason, asked: str = "") -> None:
        super().__init__(reason, asked)
        self.reason = reason
        self.asked = asked

    def __str__(self) -> str:
        words = ", ".join([f"{name} {value}" for name, value in self.reason.fields().items()])
        return ": ".join([word for word in (self.reason.code, words, self.asked) if word])


class OpenMatch:
    """A state and its dealer, always at a decision or over, or at a pile to shuffle by hand.

    The one loop that all matches of one process are played by: `frame` is what is asked and
    `ask` how, `menu` lists what may be answered, `settle` answers.
    """

    __slots__ = ("ask", "dealer", "frame", "state")

    def __init__(self, state: State, dealer: OpenDealer) -> None:
        self.state = state
        self.dealer = dealer
        self.frame = frame = dealer.advance(state)
        self.ask: Ask = ASKS[frame.then] if frame.need == "decide" else NOTHING

    @property
    def over(self) -> bool:
        return self.frame.need == "over"

    @property
    def observation(self) -> Observation:
        """All that the asked seat may know, for a bot."""
        seat = self.frame.seat
        return Observation(self.state, seat, self.dealer.knowledge(self.state, seat))

    def menu(self) -> list[Move]:
        """What the asked seat may choose; where it chooses several, what from."""
        return self.ask.options(self.state, self.frame, self.dealer.faces)

    def play_out(self, random: Random, decisions: int = 1_000_000) -> None:
        """Play on, to the end or for so many decisions: every seat chooses at random.

        They look at nothing but their options, so nobody gets a view.
        """
        chance, state, faces = random.random, self.state, self.dealer.faces
        for _ in range(decisions):
            frame, ask = self.frame, self.ask
            if frame.need == "over":
                return
            moves = ask.options(state, frame, faces)
            if ask.several:
                low, high = ask.bounds(state, frame)
                self.settle(asks.compose(ask, pick_several(moves, low, high, random)))
            else:
                count = float(len(moves))  # compiled, a float times an int is made by objects
                self.settle(moves[int(chance() * count)])

    def choose(self, picks: tuple[str, ...]) -> None:
        """The asked seat chooses legal options, by their ids: what a bot gives."""
        move = asks.decision(self.state, picks)
        assert isinstance(move, Move), (picks, move)
        self.settle(move)

    def settle(self, move: Move) -> Frame:
        """The asked seat makes a legal move, and the dealer deals on. Unchecked.

        Gives what is asked then.
        """
        state, dealer, ask = self.state, self.dealer, self.ask
        if ask.invents and (secret := ask.secret(state, self.frame, move)) is not None:
            move = dealer.invent(secret)
        if not ask.stays:
            state.stack.pop()
        ask.do(state, self.frame, move, dealer.faces)  # as `flow.decided`, with the ask at hand
        frame = state.stack[-1]
        if frame.need != "decide":
            frame = dealer.advance(state)
        if frame is not self.frame:  # a turn's menu stays the same from move to move
            self.frame = frame
            self.ask = ASKS[frame.then] if frame.need == "decide" else NOTHING
        return frame

    def pile(self) -> list[str]:
        """The cards that are to be shuffled, where the dealer deals by hand; else none."""
        frame, faces = self.frame, self.dealer.faces
        if frame.need != "shuffle":
            return []
        return list(frame.labels) or [faces[slot] for slot in frame.slots]

    def lay(self, cards: Sequence[str]) -> None:
        """The cards of `pile` lie so, in this order; the dealer deals on."""
        assert sorted(cards) == sorted(self.pile()), "the pile has other cards"
        for at, slot in enumerate(self.frame.slots):
            self.dealer.faces[slot] = cards[at]
        flow.done(self.state)
        OpenMatch.__init__(self, self.state, self.dealer)


class _Begun(NamedTuple):
    """A match that has begun elsewhere.

    A game is made of it by `Game(…)`, since a compiled class is never made without `__init__`.
    """

    state: State
    dealer: OpenDealer
    log: list[Event]


class _Before(NamedTuple):
    """Where a game stood: its table, the state of its chances, the lengths of its lists.

    `players` is None where their chance had not been asked for, or is the dealer's.
    """

    state: State
    faces: dict[int, str]
    deals: tuple[object, ...]
    players: tuple[object, ...] | None
    moves: int
    told: int


class Game(OpenMatch):
    """A match for whoever writes programs.

    `log` holds every event since the beginning, `moves` who chose what. It began by the rules
    `began_by` with this `seed` (None: with a dealer of its own), at the position `began_at`
    (empty: at the very beginning): what a record needs. `random` is chance for its players.

    Two games are equal where the same lies on every slot, hidden cards too, and the same is
    asked; the chance before them does not count. A game changes, so it has no hash:
    `position(open=True)` is a key for what lies there.

    >>> game = Game("classic", seats=2, seed=1)
    >>> print(game)
    classic, round 1: characters are chosen. 60 cards in the deck; cities of 8.
    seat        gold  hand  points  characters  city
      0            2     4       0
    > 1  crown     2     4       0
    hand: temple 1, map room 5, manor 3, church 2
    Seat 1 is asked (character): take:71 warlord, take:72 magician, take:73 bishop,
    take:74 architect, take:75 thief, take:76 king, take:77 assassin
    """

    __slots__ = (
        "_options",
        "_pushed",
        "_question",
        "_random",
        "began_at",
        "began_by",
        "log",
        "moves",
        "seed",
    )

    def __init__(
        self,
        edition: str | Rules | _Begun = "classic",
        seats: int = 4,
        *,
        seed: int | str | None = None,
        city: int | None = None,
        characters: tuple[str, ...] | list[str] | None = None,
        uniques: tuple[str, ...] | list[str] | None = None,
        draft: str = "pass",
        characters_each: int | None = None,
        **readings: str,
    ) -> None:
        """The same seed gives the same deals; None: others every time.

        `edition` may be whole `Rules`, which say all the rest; else it and what follows are
        those of `Rules.make`, with its ValueErrors.
        """
        if isinstance(edition, _Begun):
            self._follow(edition.state, edition.dealer, edition.log)
            return
        if isinstance(edition, str):
            edition = Rules.make(
                edition,
                seats,
                city,
                characters=characters,
                uniques=uniques,
                draft=draft,
                characters_each=characters_each,
                **readings,
            )
        self._follow(new(edition), OpenDealer(Dice(kept := _seed(seed))), [])
        self.began_by = edition
        self._seeded(kept)

    def _follow(self, state: State, dealer: OpenDealer, log: list[Event]) -> None:
        self.log = log
        self.moves: list[tuple[int, Move]] = []
        self.began_by = state.rules
        self.began_at = ""
        self.seed: int | str | None = None
        self._random: Random | None = dealer.random
        self._question: Choice | None = None
        self._options: tuple[Move, ...] | None = None
        self._pushed: list[_Before] = []
        state.log = log
        OpenMatch.__init__(self, state, dealer)

    def _seeded(self, seed: int | str) -> None:
        """Players have a chance of their own, so that theirs changes no deal."""
        self.seed = seed
        self._random = None

    @property
    def random(self) -> Random:
        """Chance for the players."""
        random = self._random
        if random is None:
            random = self._random = Dice(f"players of {self.seed}")
        return random

    @classmethod
    def at(cls, position: str, seed: int | str | None = None) -> Game:
        """The game that goes on from a position.

        What it does not tell of hidden cards is imagined, and all that comes is dealt, by this
        seed. Raises `notation.Unreadable` for what is no position. A line that was read lately
        is not checked again, so many games from one line cost little.

        >>> game = Game("classic", seed=1)
        >>> Game.at(game.position(open=True)) == game
        True
        """
        from citadels_p2p.notation.reading import read_position

        state, faces = read_position(position)
        kept = _seed(seed)
        dealer = OpenDealer(Dice(kept))
        dealer.faces = imagined(state, max(0, state.stack[-1].seat), faces, dealer.random)
        game = resume(state, dealer)
        game.began_at = position
        game._seeded(kept)
        return game

    def position(self, seat: int | None = None, *, open: bool = False) -> str:
        """The position in one line, with what this seat may know; `open`: with every card.

        None: as everybody may see it. IndexError where there is no such seat.
        """
        from citadels_p2p.notation.writing import write_position

        return write_position(self.state, self.dealer.faces if open else self._knows(seat))

    def _knows(self, seat: int | None) -> dict[int, str]:
        """Slot → card for what this seat may know; None: nobody in particular."""
        if seat is None:
            return {}
        if not 0 <= seat < len(self.state.places):
            last = len(self.state.places) - 1
            raise IndexError(f"there is no seat {seat}: the seats are 0 to {last}")
        return self.dealer.knowledge(self.state, seat)

    def record(self) -> str:
        """The match so far as text; ValueError("no_seed") where a dealer was given to it."""
        from citadels_p2p.notation.record import record_of, write_record

        return write_record(record_of(self))

    @property
    def rules(self) -> Rules:
        """What is played; where lots choose the cards, what they have chosen."""
        return self.state.rules

    @property
    def seat(self) -> int | None:
        """Who is asked; None when the match is over."""
        return self.frame.seat if self.frame.need == "decide" else None

    @property
    def observation(self) -> Observation:
        """All that the asked seat may know, for a bot; its state is a copy.

        ValueError when the match is over, since nobody is asked.
        """
        if self.seat is None:
            raise ValueError("the match is over: nobody is asked")
        seat = self.frame.seat
        return Observation(self.state.copy(), seat, self.dealer.knowledge(self.state, seat))

    @property
    def question(self) -> Choice | None:
        """What is asked, with all that may be answered; None when the match is over.

        Its moves tell what they concern, for a sentence; `options` are the same moves bare.
        """
        if self._question is None and self.seat is not None:
            state = self.state
            self._question = asks.choice(state, self.dealer.knowledge(state, self.frame.seat))
        return self._question

    def about(self, option: Move) -> Move:
        """The option with what it concerns (card, cost …) and what it costs.

        >>> game = Game("2016", seed=1)
        >>> game.about(game.options[0]).fields()
        {'slot': 75, 'card': 'bishop'}
        """
        state = self.state
        return asks.describe(state, self.dealer.knowledge(state, self.frame.seat), option)

    @property
    def options(self) -> tuple[Move, ...]:
        """What the asked seat may choose; none when the match is over.

        One of them is played, or, where `bounds` are numbers, so many.
        """
        options = self._options
        if options is None:
            if self.frame.need != "decide":
                return ()
            options = self._options = tuple(self.menu())
        return options

    @property
    def bounds(self) -> tuple[int, int] | None:
        """How many of the options are to be chosen, at least and at most; None: exactly one."""
        ask = self.ask
        return ask.bounds(self.state, self.frame) if ask.several else None

    def answers(self) -> Iterator[tuple[Move, ...]]:
        """Every legal answer: an option, or all that may be chosen together; none at the end.

        Where several are asked for there may be very many, so they come one by one.

        >>> game = Game("classic", seed=1)
        >>> [answer[0].id for answer in game.answers()]
        ['take:75', 'take:76', 'take:77', 'take:78', 'take:79']
        """
        low, high = self.bounds or (1, 1)
        options = self.options
        return chain.from_iterable(
            [combinations(options, count) for count in range(low, high + 1)]
        )

    @property
    def scores(self) -> Scores:
        """What all seats come to; before the end, as it would be if it ended now."""
        return score(self.state)

    def refusal(self, *options: Move | str) -> Reason | None:
        """Why the asked seat may not choose these options; None where it may."""
        if self.over:
            return Reason("match_over")
        picks, seat = _ids(options), self.frame.seat
        move = asks.decision(self.state, picks)
        if isinstance(move, Reason):
            return move
        if {*picks} <= {option.id for option in self.options}:
            return None
        knows = self.dealer.knowledge(self.state, seat)
        slots = [slot for slot in asks.reveals(self.state, move) if slot in knows]
        shown = tuple([(slot, knows[slot]) for slot in slots])
        reason = refuse(self.state, Decided(seat, move, shown))
        return Reason("not_an_option") if reason is None else reason

    def play(self, *options: Move | str) -> tuple[Event, ...]:
        """Choose one of the options, or several where several are asked for, or their ids.

        Gives what happens until somebody is asked again. Raises `Refused`, and then nothing
        has happened.

        >>> game = Game("classic", seats=4, seed=1)
        >>> game.play("build:17")
        Traceback (most recent call last):
        citadels_p2p.game.Refused: not_an_option: build:17; seat 3 is asked (character) for ...
        """
        log = self.log
        told = len(log)
        if len(options) == 1 and not self.ask.several:
            given = options[0]
            for option in self._options or self.options:
                if option is given:
                    self.settle(option)
                    return tuple(log[told:])
        elif self.ask.several and (move := self._several(options)) is not None:
            self.settle(move)
            return tuple(log[told:])
        reason = self.refusal(*options)
        if reason is not None:
            raise Refused(reason, self._wanted(options))
        self.choose(_ids(options))
        return tuple(self.log[told:])

    def _wanted(self, options: tuple[Move | str, ...]) -> str:
        """What was said, what is asked, and what is possible."""
        said = ", ".join(_ids(options)) or "nothing"
        if self.over:
            return said
        possible = [option.id for option in self.options]
        if len(possible) > NAMED:
            possible[NAMED:] = [f"and {len(possible) - NAMED} more"]
        low, high = self.bounds or (1, 1)
        count = "one" if low == high == 1 else f"{low}" if low == high else f"{low} to {high}"
        asked = f"seat {self.frame.seat} is asked ({self.ask.kind}) for {count} of"
        return f"{said}; {asked}: {', '.join(possible)}"

    def push(self, *options: Move | str) -> tuple[Event, ...]:
        """As `play`, to be taken back by `pop`: for whoever tries things out.

        >>> game = Game("classic", seed=1)
        >>> before = game.copy()
        >>> happened = game.push(game.options[0])
        >>> game.pop()
        >>> game == before
        True
        """
        dealer, players = self.dealer, self._random
        own = players is not None and players is not dealer.random
        before = _Before(
            self.state.copy(),
            dealer.faces.copy(),
            dealer.random.getstate(),
            players.getstate() if players is not None and own else None,
            len(self.moves),
            len(self.log),
        )
        happened = self.play(*options)
        self._pushed.append(before)
        return happened

    def pop(self) -> None:
        """Back to before the last `push`, whatever was played since; its chance comes anew.

        IndexError where nothing was pushed.
        """
        if not self._pushed:
            raise IndexError("nothing was pushed")
        state, faces, deals, players, moves, told = self._pushed.pop()
        dealer = self.dealer
        dealer.faces = faces
        dealer.random.setstate(deals)
        if players is not None:
            self.random.setstate(players)
        elif self._random is not dealer.random:
            self._random = None
        del self.moves[moves:]
        del self.log[told:]
        state.log = self.log
        self._question = self._options = None
        OpenMatch.__init__(self, state, dealer)

    def _several(self, options: tuple[Move | str, ...]) -> Move | None:
        """The move that chooses these; None where they are no options, or too few or many."""
        low, high = self.ask.bounds(self.state, self.frame)
        if not low <= len(options) <= high:
            return None
        chosen = [one for one in self.options if any(one is given for given in options)]
        return asks.compose(self.ask, chosen) if len(chosen) == len(options) else None

    def settle(self, move: Move) -> Frame:
        """As any match, with another question after it."""
        self._question = self._options = None
        self.moves.append((self.frame.seat, move))
        return OpenMatch.settle(self, move)

    def view(self, seat: int | None = None) -> View:
        """The table as this seat may see it; None: as everybody may.

        IndexError where there is no such seat.
        """
        return view(self.state, seat, self._knows(seat))

    def copy(self) -> Game:
        """Another game, equal and independent, with the same chance before it.

        What was pushed stays here.
        """
        deals, players = copy(self.dealer.random), self._random
        if players is not None:
            players = deals if players is self.dealer.random else copy(players)
        began = self.began_by, self.began_at, self.seed
        held = self.state.copy(), self.dealer.faces.copy(), deals, players, self.moves[:]
        return _taken_up(*held, self.log, *began, self.dealer.by_hand)

    def determinized(
        self, seat: int, random: Random | None = None, memory: Memory | None = None
    ) -> Game:
        """Another game that this seat cannot tell from this one by what it may know now.

        Hidden cards and all chance to come are imagined, by `random`, or by `self.random`.
        `memory`: what the seat remembers having seen before.

        >>> game = Game("2016", seed=1)
        >>> other = game.determinized(seat=3)
        >>> other.view(3) == game.view(3), other == game
        (True, False)
        """
        random = random or self.random
        faces = imagined(self.state, seat, self._knows(seat), random, memory)
        dealer = OpenDealer(Dice(random.getrandbits(64)), self.dealer.by_hand)
        dealer.faces = faces
        return resume(self.state.copy(), dealer, self.log)

    def __deepcopy__(self, memo: dict[int, object]) -> Game:
        """A copy, for libraries that make them so."""
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        dealer = self.dealer
        began = self.began_by, self.began_at, self.seed
        held = self.state, dealer.faces, dealer.random, self._random, self.moves, self.log
        return _taken_up, (*held, *began, dealer.by_hand)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Game)
            and self.state == other.state
            and _lying(self) == _lying(other)
        )

    __hash__ = None  # type: ignore[assignment]  # it changes in place

    def __str__(self) -> str:
        """The table in lines, as the asked seat may see it: for a terminal, in ASCII."""
        from citadels_p2p.drawing import text

        return text(self)

    def _repr_svg_(self) -> str:
        """The cities as everybody may see them: what a notebook shows."""
        from citadels_p2p.drawing import svg

        return svg(self)

    def __repr__(self) -> str:
        where = f"{self.rules.edition}, {self.rules.seats} seats"
        if self.over:
            scores = self.scores
            winners = " and ".join(f"seat {seat}" for seat in scores.winners)
            points = scores.seats[scores.winners[0]].total
            rounds = f"over after {self.state.round} rounds"
            return f"<Game {where}, {rounds}: {winners} with {points} points>"
        if self.seat is None:
            return f"<Game {where}, round {self.state.round}: a pile is to be shuffled>"
        turn = self.state.turn
        who = f"seat {self.frame.seat}"
        if turn is not None and turn.seat == self.frame.seat:
            who += f" ({turn.character})"
        return (
            f"<Game {where}, round {self.state.round}: {who} has a choice"
            f" ({self.ask.kind}, {len(self.options)} options)>"
        )


def resume(state: State, dealer: OpenDealer, log: list[Event] | tuple[Event, ...] = ()) -> Game:
    """The game that goes on from this state, which it takes over; `log`: what was told before.

    The dealer must know every card that is still to be dealt or opened.
    """
    return Game(_Begun(state, dealer, [*log]))


def _taken_up(
    state: State,
    faces: dict[int, str],
    deals: Random,
    random: Random | None,
    moves: list[tuple[int, Move]],
    log: list[Event],
    began_by: Rules,
    began_at: str,
    seed: int | str | None,
    by_hand: bool,
) -> Game:
    dealer = OpenDealer(deals, by_hand)
    dealer.faces = faces
    game = resume(state, dealer, log)
    game._random, game.moves = random, moves
    game.began_by, game.began_at, game.seed = began_by, began_at, seed
    return game


def _seed(seed: int | str | None) -> int | str:
    """The seed as a record can hold it; some seed where there is none.

    Raises:
        TypeError: a seed is a whole number or a text.
    """
    if seed is None:
        return Random().getrandbits(48)
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise TypeError(f"a seed is a whole number or a text, not {seed!r}")
    return int(seed) if isinstance(seed, str) and seed.isdecimal() else seed


def _ids(options: tuple[Move | str, ...]) -> tuple[str, ...]:
    return tuple([option if isinstance(option, str) else option.id for option in options])


def _lying(game: Game) -> dict[int, str | None]:
    """Slot → card for whatever lies on the table now."""
    faces, shown = game.dealer.faces, game.state.faces
    return {slot: shown.get(slot) or faces.get(slot) for slot in zones(game.state)}
