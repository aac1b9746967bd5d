"""One operator at its match: it folds the journal, says what it owes, and tells its person."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import Random

from citadels_p2p import rules
from citadels_p2p.bots import LEVELS, Bot, make_bot
from citadels_p2p.match.asks import ask_of, awaited_in, fits, over_of
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.attendance import STALE
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.news import (
    Ask,
    EventNews,
    News,
    Notice,
    OverNews,
    StateNews,
    names_of,
)
from citadels_p2p.match.operator.contributor import Contributor, say
from citadels_p2p.match.operator.silence_clock import SLOW, SilenceClock
from citadels_p2p.rules import Reason
from citadels_p2p.rules.needs import Decide
from protocol.application import FORBIDDEN, Contribution, Genesis
from protocol.cards.group import Group
from protocol.errors import RemoteError
from protocol.journal.statements import quorum

LUCK = make_bot("easy")
"""Decides for a person whose time is up: any legal choice, each as likely as the others."""


class SealedDealer(Contributor):
    """Fulfils `protocol.application.Application` for one operator.

    `brains` maps the seats that programs play to their bots; the operator's other seats are its
    person's, who may hand them over to a bot.
    """

    def __init__(
        self,
        genesis: Genesis,
        me: int,
        brains: Mapping[int, Bot],
        group: Group | None = None,
        random: Random | None = None,
    ) -> None:
        super().__init__(Match(genesis, group), me, brains, random)
        self.names = names_of(genesis.seats)
        self.fault: RemoteError | None = None
        self._said: set[bytes] = set()
        self._confirmed = 0
        self._turned = 0
        self._told = 0
        self._asked: tuple[int, Ask] | None = None
        self._asks = 0
        self._vigil = SilenceClock(len(genesis.operators), me)
        self._standing: tuple[str, ...] = ("here",) * len(genesis.operators)
        self._open_since: tuple[int, float] | None = None  # which question, and since when
        self._is_late = False
        self._notices: list[Notice] = []

    # What the table tells us.

    def restore(self, kept: tuple[Contribution, ...]) -> None:
        """Take back keys and nonces from before a restart."""
        for contribution in kept:
            self._said.add(contribution.key)
            if contribution.keep:
                self._take_back(contribution.keep)

    def rewind(self) -> None:
        """Entries give way to others: back to the beginning, but for what was told."""
        match = Match(self.match.genesis, self.match.group)
        super().__init__(match, self.me, self._brains, self._random)
        self._said, self._asked, self.fault = set(), None, None
        self._turned = 0

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        """Apply an entry; the code of its refusal otherwise."""
        bots = dict(self.match.bots)
        try:
            self.match.fold(seq, author, body)
        except RemoteError as problem:
            self.fault = problem
            return refusal_code(problem)
        if self.match.turned:
            self._turned = seq
        self._vigil.hear(author)
        if bots != self.match.bots and author == self.me:
            self._asked = None  # the bot's to answer now, or our person's anew
        if author == self.me:
            self._known.moved(body)
        return None

    def turned(self) -> bool:
        """Whether the newest fold gave anybody something new to say or to see."""
        return self.match.turned

    def confirm(self, seq: int) -> None:
        """Everything up to `seq` may be shown."""
        self._confirmed = max(self._confirmed, seq)

    def refused(self, key: bytes, code: str) -> None:
        """What was refused may be said anew, and a decision be taken anew."""
        self._said.discard(key)
        if is_act(key):
            self._asked = None

    def digest(self) -> bytes:
        """SHA-256 of the public state."""
        return self.match.digest()

    def tick(self, now: float, silences: Sequence[float]) -> bool:
        """Time has passed, and each operator has been silent for so many seconds.

        Whether there is something new to tell.
        """
        match = self.match
        # Whoever decides may think, a person or a bot; all else takes a program a moment.
        owing = {duty.operator for duty in match.duties if duty.kind != "act"}
        self._vigil.tick(now, silences, owing, match.absence.attendance.words)
        before, self._standing = self._standing, self._stand()
        was_late, self._is_late = self._is_late, self._time_is_up(now)
        return before != self._standing or (self._is_late and not was_late)

    # What we owe.

    def owed(self) -> tuple[Contribution, ...]:
        """What this operator's program has to say now."""
        made = []
        for key, make in self._obligations():
            if key not in self._said:
                contribution = make()
                if contribution is not None:
                    self._said.add(key)
                    made.append(contribution)
        return tuple(made)

    def _obligations(self) -> Iterator[tuple[bytes, Callable[[], Contribution | None]]]:
        """Everything owed by its name, with the way to make it."""
        match, attendance = self.match, self.match.absence.attendance
        if match.stage == "done" or match.cheat is not None:
            return
        absence, words = match.absence, attendance.words
        if self.me in absence.left:
            return  # nothing that we say is heard any more
        if attendance.missed_by(self.me):
            key = f"returned/{words[self.me]}".encode()
            yield key, partial(say, key, bodies.Returned())
        if self.me in attendance.away:
            return  # first the others must know
        for dealer, held in match.keys.escrows.items():
            if self.me in held.seals and self._sound.get(dealer) is not held:
                key = f"complaint/{len(match.keys.departed)}/{dealer}".encode()
                yield key, partial(self._complaint, key, dealer)
        patience = match.liveness.away
        # Whoever hears no majority is cut off itself, and blames nobody; nor does who is
        # waiting for a majority to have somebody's last word.
        connected = self._vigil.hears(patience) >= quorum(match.operators)
        connected = connected and self._confirmed >= match.folded
        overdue = set(self._vigil.overdue(patience) if connected else ())
        for operator in sorted(overdue.difference(absence.departed)):
            if self.me not in attendance.missed_by(operator):
                key = f"missed/{operator}/{words[operator]}".encode()
                yield key, partial(say, key, bodies.Missed(operator, words[operator]))
        for operator in sorted(self._hopeless()) if connected else ():
            key = f"given_up/{operator}/{words[operator]}".encode()
            yield key, partial(say, key, bodies.GivenUp(operator, words[operator]))
        for duty in match.duties:
            if duty.operator == self.me and self._is_ready_for(duty):
                key = self._name(duty)
                yield key, partial(self._make, duty, key)

    def _is_ready_for(self, duty: Duty) -> bool:
        """Whether our program does this by itself now.

        For one that is gone only once our own clock agrees: so nobody can make us hand out
        parts of a key by saying that its operator is gone.
        """
        match = self.match
        if duty.kind == "act":
            return self._is_played(duty.seat) or self._is_late
        absent = match.keepers[duty.seat] if duty.kind == "timeout" else duty.absent
        attendance = match.absence.attendance
        return (
            absent < 0
            or self.me in attendance.missed_by(absent)
            or absent in attendance.goodbyes
            or absent in match.absence.departed
        )

    def _hopeless(self) -> frozenset[int]:
        """Who has been away for longer than the table waits, and we have yet to say so."""
        patience, absence = self.match.liveness.give_up, self.match.absence
        if not patience or self.match.is_over:
            return frozenset()
        overdue = absence.gone.intersection(self._vigil.overdue(patience))
        return frozenset(
            operator
            for operator in overdue.difference(absence.left)
            if self.me not in absence.attendance.given_up_by(operator)
        )

    def _is_played(self, seat: int) -> bool:
        """Whether a program decides for a seat of ours."""
        return seat in self._brains or bool(self.match.bots.get(seat))

    def _bot_act(self, duty: Duty, key: bytes) -> Contribution:
        if self._is_played(duty.seat):
            return super()._bot_act(duty, key)
        self._asked, self._is_late = None, False
        self._notices.append(Notice("time_up"))
        return self._act_by(LUCK, duty, key)

    # What we see of the others.

    @property
    def standing(self) -> tuple[str, ...]:
        """Of each operator: "here", "slow", or "away"."""
        return self._stand()

    def patience_left(self, operator: int) -> int:
        """Seconds until we say that we miss this operator."""
        return max(0, round(self.match.liveness.away - self._vigil.quiet(operator)))

    def waits_for(self) -> tuple[int, ...]:
        """The operators that are away and without which the match can not go on."""
        gone = self.match.absence.gone
        return tuple(
            o for o, how in enumerate(self.standing) if how == "away" and o not in gone
        )

    def _stand(self) -> tuple[str, ...]:
        away = set(self.match.absence.attendance.away) - {self.me}
        patience = self.match.liveness.away
        if self.match.operators - 1 < quorum(self.match.operators):
            # There is nobody to miss it with.
            away |= set(self._vigil.overdue(patience))
        slow = set(self._vigil.overdue(min(SLOW, patience)))
        return tuple(
            "away" if operator in away else "slow" if operator in slow else "here"
            for operator in range(self.match.operators)
        )

    def _time_is_up(self, now: float) -> bool:
        """Whether our person has had the time that the table allows for a decision."""
        allowed = self.match.liveness.step_time
        if self._asked is None or not allowed:
            self._open_since = None
            return False
        question = self._asked[1].id
        if self._open_since is None or self._open_since[0] != question:
            self._open_since = (question, now)
        return now - self._open_since[1] >= allowed

    # What our person is told, and may do.

    def news(self, journal: str = "") -> tuple[News, ...]:
        """What may be told since the last time.

        Only what is confirmed, and only when the cards are at rest.
        """
        match = self.match
        if not self.settled or not match.at_rest:
            return ()
        told: list[News] = [*self._notices]
        self._notices.clear()
        told += [EventNews(event) for event in match.events[self._told :]]
        if self._told < len(match.events):
            self._told = len(match.events)
            told.append(StateNews(self.view(), self.names, awaited_in(self.match.state)))
        ask = self._question()
        if ask is not None:
            told.append(ask)
        return tuple(told)

    @property
    def settled(self) -> bool:
        """All that is to be seen is confirmed: `news` has held nothing back for that."""
        return self._confirmed >= self._turned

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
        if seat is None or step != self.match.step or not self._is_our_turn(seat):
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

    def hand_over(self, level: str) -> Contribution | Reason:
        """Let a bot of this level play our person's seat; '' takes the seat back."""
        seat = self.my_seat()
        if seat is None:
            return Reason("no_such_seat")
        if self.match.is_over:
            return Reason("match_over")
        if level and level not in LEVELS:
            return Reason("unknown_level")
        if self.me in self.match.absence.left:
            return Reason("already_so")  # nobody's to play, neither a bot's nor a person's
        if level == self.match.bots.get(seat, ""):
            return Reason("already_so")
        key = f"hand_over/{self.match.folded}/{level}".encode()
        return say(key, bodies.HandedOver(seat, level))

    def depart(self) -> Contribution | Reason:
        """Leave for good: the others play on, and nobody takes this seat again."""
        absence = self.match.absence
        if self.me in absence.left:
            return Reason("already_so")
        if self.match.is_over:
            return Reason("match_over")
        if self.match.stage != "play" or not absence.could_spare(self.me):
            return Reason("not_spared")
        word = self.match.absence.attendance.words[self.me]
        key = f"given_up/{self.me}/{word}".encode()
        return say(key, bodies.GivenUp(self.me, word))

    def open_ask(self) -> int | None:
        """The id of the question that waits for the person."""
        return None if self._asked is None else self._asked[1].id

    def _is_our_turn(self, seat: int) -> bool:
        return Duty("act", self.me, (), seat) in self.match.duties

    def _question(self) -> Ask | None:
        match = self.match
        need = rules.need(match.state) if match.stage == "play" else None
        seat = self.my_seat()
        if not isinstance(need, Decide) or need.seat != seat or self._is_played(seat):
            return None
        if not self._is_our_turn(seat):
            return None  # the others play on without us, and do not know yet that we are here
        if self._asked is not None and self._asked[0] == match.step:
            return None
        if self._name(Duty("act", self.me, (), seat)) in self._said:
            return None
        faces = self.faces(seat)
        self._asks += 1
        allowed = match.liveness.step_time
        question = ask_of(self._asks, match.state, faces, allowed or None)
        self._asked = (match.step, question)
        return question


def is_act(key: bytes) -> bool:
    """Whether a contribution of this name is a decision, and not work of programs alone."""
    return key.startswith(b"act/")


def refusal_code(problem: RemoteError) -> str:
    """What is said of an entry that may not stand.

    Machines owe what they owe until they say it, and a person's act is checked before it leaves
    by the very engine that refuses it later. So only what was said for a moment that has passed
    can be an accident; everything else is a cheat.
    """
    if problem.detail == STALE:
        return STALE
    # It may quote what somebody wrote: others take no letter that a terminal obeys.
    detail = problem.detail.encode("ascii", "replace").decode()
    plain = "".join(letter if letter.isprintable() else "?" for letter in detail)
    return f"{FORBIDDEN}{problem.code}: {plain}"[:64]
