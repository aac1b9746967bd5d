"""One match to play with: a state, its open dealer, and the question that is open.

For bots, studies and questions about a position. Whoever holds a game knows every card of it;
a seat is told what it may know by `view` and `observation`.

>>> game = Game("classic", seats=4, seed=1)
>>> game
<Game classic, 4 seats, round 1: seat 3 has a choice (character, 5 options)>
>>> game.play(game.options[0])[0].kind
'character_taken'
"""

from __future__ import annotations

from copy import copy
from random import Random
from typing import Final

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

#: what is asked when a match is over
NOTHING: Final = Ask()


class Refused(ValueError):
    """What was played is not possible now; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        words = [f"{name} {value}" for name, value in reason.fields().items()]
        super().__init__(": ".join((reason.code, ", ".join(words))) if words else reason.code)
        self.reason = reason


class OpenMatch:
    """A state and its dealer, always at a decision or over.

    The one loop that all matches of one process are played by: `frame` is what is asked and
    `ask` how, `menu` lists what may be answered, `settle` answers.
    """

    __slots__ = ("ask", "dealer", "frame", "state")

    def __init__(self, state: State, dealer: OpenDealer) -> None:
        self.state = state
        self.dealer = dealer
        self.frame = dealer.advance(state)
        self.ask: Ask = NOTHING if self.frame.need == "over" else ASKS[self.frame.then]

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
        flow.answered(state, ask, move, dealer.faces)
        frame = state.stack[-1]
        if frame.need != "decide":
            frame = dealer.advance(state)
        self.frame = frame
        self.ask = NOTHING if frame.need == "over" else ASKS[frame.then]
        return frame


class Game(OpenMatch):
    """A match for whoever writes programs.

    `log` holds every event since the beginning, `moves` who chose what. It began by the rules
    `began_by` with this `seed` (None: with a dealer of its own), at the position `began_at`
    (empty: at the very beginning): what a record needs. `random` is chance for its players.
    """

    __slots__ = (
        "_options",
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
        edition: str | Rules = "classic",
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
        seed. Raises `notation.Unreadable` for what is no position.
        """
        from citadels_p2p.notation.checks import imagined
        from citadels_p2p.notation.reading import read_position

        state, faces = read_position(position)
        kept = _seed(seed)
        dealer = OpenDealer(Dice(kept))
        dealer.faces = imagined(state, faces, dealer.random)
        game = resume(state, dealer)
        game.began_at = position
        game._seeded(kept)
        return game

    def position(self, seat: int | None = None, *, open: bool = False) -> str:
        """The position in one line, with what this seat may know; `open`: with every card."""
        from citadels_p2p.notation.writing import write_position

        if open:
            return write_position(self.state, self.dealer.faces)
        return write_position(
            self.state, {} if seat is None else self.dealer.knowledge(self.state, seat)
        )

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
        return None if self.over else self.frame.seat

    @property
    def question(self) -> Choice | None:
        """What is asked, with all that may be answered; None when the match is over.

        Its moves tell what they concern, for a sentence; `options` are the same moves bare.
        """
        if self._question is None and not self.over:
            state = self.state
            self._question = asks.choice(state, self.dealer.knowledge(state, self.frame.seat))
        return self._question

    def about(self, option: Move) -> Move:
        """The option with what it concerns (card, cost …) and what it costs."""
        state = self.state
        return asks.describe(state, self.dealer.knowledge(state, self.frame.seat), option)

    @property
    def options(self) -> tuple[Move, ...]:
        """What the asked seat may choose; none when the match is over.

        One of them is played, or, where `bounds` are numbers, so many.
        """
        options = self._options
        if options is None:
            if self.frame.need == "over":
                return ()
            options = self._options = tuple(self.menu())
        return options

    @property
    def bounds(self) -> tuple[int, int] | None:
        """How many of the options are to be chosen, at least and at most; None: exactly one."""
        ask = self.ask
        return ask.bounds(self.state, self.frame) if ask.several else None

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
            raise Refused(reason)
        self.choose(_ids(options))
        return tuple(self.log[told:])

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
        """The table as this seat may see it; None: as everybody may."""
        knows = {} if seat is None else self.dealer.knowledge(self.state, seat)
        return view(self.state, seat, knows)

    def copy(self) -> Game:
        """Another game, equal and independent, with the same chance before it."""
        deals = copy(self.dealer.random)
        same = self.random is self.dealer.random
        return _taken_up(
            self.state.copy(),
            self.dealer.faces.copy(),
            deals,
            deals if same else copy(self.random),
            self.moves[:],
            self.log,
            self.began_by,
            self.began_at,
            self.seed,
        )

    def __deepcopy__(self, memo: dict[int, object]) -> Game:
        """A copy, for libraries that make them so."""
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        dealer = self.dealer
        began = self.began_by, self.began_at, self.seed
        held = self.state, dealer.faces, dealer.random, self.random, self.moves, self.log
        return _taken_up, (*held, *began)

    def __repr__(self) -> str:
        where = f"{self.rules.edition}, {self.rules.seats} seats"
        if self.over:
            scores = self.scores
            winners = " and ".join(f"seat {seat}" for seat in scores.winners)
            points = scores.seats[scores.winners[0]].total
            rounds = f"over after {self.state.round} rounds"
            return f"<Game {where}, {rounds}: {winners} with {points} points>"
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
    game = Game.__new__(Game)
    game._follow(state, dealer, [*log])
    return game


def _taken_up(
    state: State,
    faces: dict[int, str],
    deals: Random,
    random: Random,
    moves: list[tuple[int, Move]],
    log: list[Event],
    began_by: Rules,
    began_at: str,
    seed: int | str | None,
) -> Game:
    dealer = OpenDealer(deals)
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
