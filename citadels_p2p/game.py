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

from citadels_p2p.bots.observation import Observation
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.dice import Dice
from citadels_p2p.rules import asks, flow
from citadels_p2p.rules.asks import ASKS, Choice
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.needs import Decided
from citadels_p2p.rules.reasons import Reason
from citadels_p2p.rules.refusals import refuse
from citadels_p2p.rules.ruleset import Rules
from citadels_p2p.rules.scoring import Scores, score
from citadels_p2p.rules.setup import new
from citadels_p2p.rules.state import Frame, State
from citadels_p2p.rules.view import View, view


class Refused(ValueError):
    """What was played is not possible now; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        words = [f"{name} {value}" for name, value in reason.fields().items()]
        super().__init__(": ".join((reason.code, ", ".join(words))) if words else reason.code)
        self.reason = reason


class OpenMatch:
    """A state and its dealer, always at a decision or over.

    The one loop that all matches of one process are played by. `frame` is what is asked.
    """

    __slots__ = ("dealer", "frame", "state")

    def __init__(self, state: State, dealer: OpenDealer) -> None:
        self.state = state
        self.dealer = dealer
        self.frame = dealer.advance(state)

    @property
    def over(self) -> bool:
        """Has the match ended?"""
        return self.frame.need == "over"

    @property
    def observation(self) -> Observation:
        """All that the asked seat may know, for a bot."""
        seat = self.frame.seat
        return Observation(self.state, seat, self.dealer.knowledge(self.state, seat))

    def choose(self, picks: tuple[str, ...]) -> None:
        """The asked seat chooses legal options, by their ids: what a bot gives."""
        move = asks.decision(self.state, picks)
        assert isinstance(move, Move), (picks, move)
        self.settle(move)

    def settle(self, move: Move) -> Frame:
        """The asked seat makes a legal move, and the dealer deals on. Unchecked.

        Gives what is asked then.
        """
        state, dealer, frame = self.state, self.dealer, self.frame
        ask = ASKS[frame.then]
        if ask.invents and (secret := ask.secret(state, frame, move)) is not None:
            move = dealer.invent(secret)
        flow.decided(state, move, dealer.faces)
        frame = state.stack[-1]
        if frame.need != "decide":
            frame = dealer.advance(state)
        self.frame = frame
        return frame


class Game(OpenMatch):
    """A match for whoever writes programs.

    `log` holds every event since the beginning, `moves` who chose what. It began by the rules
    `began_by` with this `seed` (None: with a dealer of its own), at the position `began_at`
    (empty: at the very beginning): what a record needs. `random` is chance for its players.
    """

    __slots__ = ("_question", "began_at", "began_by", "log", "moves", "random", "seed")

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
        self.random = dealer.random
        self._question: Choice | None = None
        state.log = log
        OpenMatch.__init__(self, state, dealer)

    def _seeded(self, seed: int | str) -> None:
        """Players have a chance of their own, so that theirs changes no deal."""
        self.seed = seed
        self.random = Dice(f"players of {seed}")

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
        """What is asked, with all that may be answered; None when the match is over."""
        if self._question is None and not self.over:
            state = self.state
            self._question = asks.choice(state, self.dealer.knowledge(state, self.frame.seat))
        return self._question

    @property
    def options(self) -> tuple[Move, ...]:
        """What the asked seat may choose; none when the match is over.

        One of them is played, or, where `question.low` and `high` are numbers, so many.
        """
        question = self.question
        return () if question is None else question.moves

    @property
    def scores(self) -> Scores:
        """What all seats come to; before the end, as it would be if it ended now."""
        return score(self.state)

    def refusal(self, *options: Move | str) -> Reason | None:
        """Why the asked seat may not choose these options; None where it may."""
        question = self.question
        if question is None:
            return Reason("match_over")
        picks = _ids(options)
        move = asks.decision(self.state, picks)
        if isinstance(move, Reason):
            return move
        if {*picks} <= {option.id for option in question.moves}:
            return None
        knows = self.dealer.knowledge(self.state, question.seat)
        slots = [slot for slot in asks.reveals(self.state, move) if slot in knows]
        shown = tuple([(slot, knows[slot]) for slot in slots])
        reason = refuse(self.state, Decided(question.seat, move, shown))
        return Reason("not_an_option") if reason is None else reason

    def play(self, *options: Move | str) -> tuple[Event, ...]:
        """Choose one of the options, or several where several are asked for, or their ids.

        Gives what happens until somebody is asked again. Raises `Refused`, and then nothing
        has happened.
        """
        reason = self.refusal(*options)
        if reason is not None:
            raise Refused(reason)
        told = len(self.log)
        self.choose(_ids(options))
        return tuple(self.log[told:])

    def settle(self, move: Move) -> Frame:
        """As any match, with another question after it."""
        self._question = None
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
        question = self.question
        assert question is not None
        turn = self.state.turn
        who = f"seat {question.seat}"
        if turn is not None and turn.seat == question.seat:
            who += f" ({turn.character})"
        return (
            f"<Game {where}, round {self.state.round}: {who} has a choice"
            f" ({question.kind}, {len(question.moves)} options)>"
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
    game.random, game.moves = random, moves
    game.began_by, game.began_at, game.seed = began_by, began_at, seed
    return game


def _seed(seed: int | str | None) -> int | str:
    """The seed as a record can hold it; some seed where there is none."""
    if seed is None:
        return Random().getrandbits(48)
    return int(seed) if isinstance(seed, str) and seed.isdecimal() else seed


def _ids(options: tuple[Move | str, ...]) -> tuple[str, ...]:
    return tuple([option if isinstance(option, str) else option.id for option in options])
