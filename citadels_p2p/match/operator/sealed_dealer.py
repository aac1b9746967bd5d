"""One operator at its match: it folds the journal, says what it owes, and tells its person."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from citadels_p2p import rules
from citadels_p2p.bots import LEVELS, Bot, Observation, make_bot
from citadels_p2p.match.asks import ask_of, fits, over_of
from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.fold.owing import has_ended, unended
from citadels_p2p.match.fold.refusal import refusal_code
from citadels_p2p.match.news import Ask, News, Notice, OverNews, PassOn, names_of
from citadels_p2p.match.operator.contributor import Contributor, choose, say
from citadels_p2p.match.operator.foresight import SILENT, Prospect, foresee, outlook
from citadels_p2p.match.operator.persons import Persons
from citadels_p2p.match.operator.presence import Presence, words_owed
from citadels_p2p.match.operator.telling import Telling, view_of
from citadels_p2p.rules import Reason
from citadels_p2p.rules.needs import Decide
from protocol import chance
from protocol.application import Contribution, Genesis
from protocol.cards.group import Group
from protocol.errors import LocalError, RemoteError

if TYPE_CHECKING:
    from random import Random

EARLY = frozenset(("shuffle", "remask", "mix", "veil"))
"""Duties that are fulfilled before the entries that they follow are confirmed."""

LUCK = make_bot("easy")
"""Decides for a person whose time is up: any legal choice, each as likely as the others."""


class SealedDealer:
    """Fulfils `protocol.application.Application` for one operator.

    `brains` maps the seats that programs play to their bots; the operator's other seats are its
    persons', who may hand them over to a bot. `random` orders cards and decides for bots; the
    system's own unless given.
    """

    def __init__(
        self,
        genesis: Genesis,
        me: int,
        brains: Mapping[int, Bot],
        group: Group | None = None,
        random: Random | None = None,
    ) -> None:
        self.me = me
        self.names = names_of(genesis.seats)
        self._brains = dict(brains)
        self._random = random or chance.source
        self.match = Match(genesis, group)  #: as far as it is folded
        self.contributor = Contributor(self.match, me, self._random)
        self.fault: RemoteError | None = None
        self._said: set[bytes] = set()
        self._confirmed = 0
        self._turned = self._turned_by_others = 0
        mine = [seat for seat, row in enumerate(genesis.seats) if row.operator == me]
        self.persons = Persons([seat for seat in mine if seat not in brains], self.names)
        self.presence = Presence(len(genesis.operators), me)
        self._telling = Telling(self.persons)
        self._ahead: Prospect | None = None  #: what our person is, or may be, asked early

    def __repr__(self) -> str:
        return f"{type(self).__name__}(operator={self.me})"

    # What the table tells us.

    def restore(self, kept: tuple[Contribution, ...]) -> None:
        """Take back keys and nonces from before a restart."""
        for contribution in kept:
            self._said.add(contribution.key)
            if contribution.keep:
                self.contributor.take_back(contribution.keep)

    def can_mend(self) -> bool:
        return self.contributor.can_mend

    def rewind(self) -> None:
        """Entries give way to others: back to the beginning, but for what was told."""
        self.match = Match(self.match.genesis, self.match.group)
        self.contributor = Contributor(self.match, self.me, self._random)
        self._said, self.fault = set(), None
        self._withdraw()
        self.persons.begin_again()
        self._turned = self._turned_by_others = 0
        self._telling.rewind()

    def fold(self, seq: int, author: int, body: bytes) -> str | None:
        bots, happened = dict(self.match.bots), len(self.match.events)
        try:
            entry = self.match.fold(seq, author, body)
        except RemoteError as problem:
            self.fault = problem
            return refusal_code(problem)
        if self.match.turned:
            self._turned = seq
            if author != self.me and not isinstance(entry, SILENT):
                self._turned_by_others = seq
        self.presence.hear(self.match, seq, author)
        if author == self.me:
            self.contributor.known.moved(body)
        is_ours = bots == self.match.bots or author != self.me
        if not (is_ours and self._is_still_asked(happened)):
            self._withdraw()  # the bot's to answer now, or our person's anew
        self._telling.look(self.contributor)
        return None

    def _is_still_asked(self, happened: int) -> bool:
        """Whether nobody has decided without us, and what we foresaw may come or has come.
        `happened`: how many events, before the newest entry.
        """
        match, ahead, asked = self.match, self._ahead, self.persons.asked
        if match.is_over:
            return False
        if ahead is not None:
            return ahead.may_come(self.contributor)
        if asked is None or asked.step != match.step:
            return asked is None
        # Who goes or comes takes no step, and a hand is out of reach, or in reach again.
        return len(match.events) == happened or self._asks(asked.ask, asked.seat)

    def _asks(self, ask: Ask, seat: int) -> bool:
        """Whether the same would be asked now."""
        now = ask_of(ask.id, self.match.state, self.faces(seat))
        return replace(now, deadline=ask.deadline) == ask

    def _withdraw(self) -> None:
        """Nothing is asked that may not be what is to be decided; what may be is asked anew."""
        self.persons.asked = self._ahead = None
        self._telling.doubt()

    def turned(self) -> bool:
        return self.match.turned

    def confirm(self, seq: int) -> None:
        self._confirmed = max(self._confirmed, seq)

    def departed(self) -> frozenset[int]:
        left_at = self.match.absence.left_at
        return frozenset(one for one, at in left_at.items() if at <= self._confirmed)

    def pleas(self) -> tuple[int, ...]:
        """Who has said that its secrets are lost, as far as that is confirmed, in order."""
        return tuple(one for at, one in self.match.giving_back.heard if at <= self._confirmed)

    def refused(self, key: bytes, code: str) -> None:
        """What was refused may be said anew, and a decision be taken anew."""
        self._said.discard(key)
        if is_act(key):
            self._withdraw()

    def digest(self) -> bytes:
        return self.match.digest()

    def tick(
        self, now: float, silences: Sequence[float], withheld: Collection[int] = ()
    ) -> bool:
        has_changed = self.presence.tick(self.match, now, silences, withheld)
        return self.persons.is_newly_late(now, self.match.allowed) or has_changed

    # What we owe.

    def owed(self, *, early: bool = False) -> tuple[Contribution, ...]:
        made = []
        for key, make in self._early() if early else self._obligations():
            if key not in self._said:
                contribution = make()
                if contribution is not None:
                    self._said.add(key)
                    made.append(contribution)
        return tuple(made)

    def _obligations(self) -> Iterator[tuple[bytes, Callable[[], Contribution | None]]]:
        """Everything owed by its name, with the way to make it."""
        match = self.match
        if match.cheat is not None:
            return
        if match.absence.is_taking_leave(self.me):
            yield from self._last_words()
            return  # nothing else that we say is heard any more
        if match.stage == "done" and self.me not in unended(match):
            return
        plea = self.contributor.plea()
        if plea is not None:
            yield plea, partial(self.contributor.plead, plea)
            return  # what is asked of us may need what we have lost, until our plea stands
        if not self.contributor.has_key:
            return  # and nobody is told that we are here before we can do our part
        certain = self._confirmed >= match.folded
        yield from words_owed(self.contributor, self.presence, blames=certain)
        if self.me in match.absence.attendance.away:
            return
        duties = match.duties
        if self.me == match.resigned and not unended(match):
            duties += (Duty("audit", self.me),)  # as long as we are here: nobody waits for it
        ours = (duty for duty in duties if duty.operator == self.me)
        yield from self._named(filter(self._is_ready_for, ours))

    def _named(
        self, duties: Iterable[Duty]
    ) -> Iterator[tuple[bytes, Callable[[], Contribution | None]]]:
        for duty in duties:
            key = self.contributor.name(duty)
            yield key, partial(self._make, duty, key)

    def _last_words(self) -> Iterator[tuple[bytes, Callable[[], Contribution | None]]]:
        """What is owed by who has left for good."""
        match, duties = self.match, list(self.match.duties)
        if has_ended(match, self.me) and self.me in unended(match):
            duties.append(Duty("over", self.me))
        return self._named(duty for duty in duties if duty.operator == self.me)

    def _early(self) -> Iterator[tuple[bytes, Callable[[], Contribution | None]]]:
        """What shows nobody a card that it would not see if the newest entries gave way.

        A shuffle is drawn anew for each pile. A share of a dealt card is never early: were the
        deal to give way, the same card might come to us, and whoever has our share of it needs
        only those that all others then give.
        """
        match = self.match
        is_free = match.stage == "play" and match.cheat is None and self.contributor.has_key
        if not is_free or match.absence.gone:
            return
        ours = (duty for duty in match.duties if duty.operator == self.me)
        yield from self._named(duty for duty in ours if duty.kind in EARLY)

    def _is_ready_for(self, duty: Duty) -> bool:
        """Whether our program does this by itself now.

        For one that is gone only once our own clock agrees: so nobody can make us hand out
        parts of a key by saying that its operator is gone.
        """
        match = self.match
        if duty.kind == "act":
            is_answered = self.persons.is_late or self.persons.held(self.match.step) is not None
            return self._is_played(duty.seat) or is_answered
        if duty.kind == "recover" and not self.contributor.may_stand_in(duty):
            return False
        absent, attendance = match.absent_of(duty), match.absence.attendance
        return (
            absent < 0
            or self.me in attendance.missed_by(absent)
            or absent in attendance.goodbyes
            or absent in match.absence.departed
        )

    def _is_played(self, seat: int) -> bool:
        """Whether a program decides for a seat of ours."""
        return seat in self._brains or bool(self.match.bots.get(seat))

    def _make(self, duty: Duty, key: bytes) -> Contribution:
        if duty.kind != "act":
            return self.contributor.make(duty, key)
        held = self.persons.held(self.match.step)
        made = self._choose(duty, key) if held is None else self._decide(duty.seat, held)
        if isinstance(made, Reason):
            raise LocalError(f"what was chosen for this is refused: {made.code}")
        return made

    def _choose(self, duty: Duty, key: bytes) -> Contribution | Reason:
        """What a bot decides, or chance where our person has had all its time."""
        if self._is_played(duty.seat):
            bot = self._brains.get(duty.seat) or make_bot(self.match.bots[duty.seat])
        else:
            bot, self.persons.asked, self._ahead = LUCK, None, None
            shared = len(self.persons.seats) > 1
            self._telling.notices.append(
                Notice("time_up", {"seat": duty.seat} if shared else {})
            )
        faces = self.faces(duty.seat)
        picks = bot.choose(Observation(self.match.state, duty.seat, faces), self._random)
        chosen = choose(self.match.state, duty.seat, picks, faces)
        return chosen if isinstance(chosen, Reason) else self.contributor.act(duty, chosen, key)

    # What our persons are told, and may do.

    def news(self) -> tuple[News, ...]:
        """What may be told by now: only what is confirmed, when the cards are at rest."""
        match = self.match
        told = self._telling.key(self.contributor)
        if not (self.settled and match.at_rest and self.contributor.has_key):
            return tuple(told)
        told += self._telling.events(self.contributor)
        ahead, is_held = self._ahead, self.persons.held(self.match.step) is not None
        if ahead is not None and ahead.step == match.step and not is_held:
            self._ahead = None  # it has come
        if self._ahead is None:
            told += self._telling.table(self.contributor)
            told += self._question()
        return tuple(told)

    def foretell(self) -> tuple[News, ...]:
        """What our person is to decide next, while what that follows is still on its way.

        A round begins in its own order: how the last one ended is read first. So is what was
        decided for our person.
        """
        is_sure = self._confirmed >= self._turned_by_others
        if self.persons.asked or not is_sure or self._telling.closes(self.match):
            return ()
        ahead = self._ahead
        if ahead is None and not (self.settled and self.match.at_rest):
            ahead = outlook(self.contributor, self.persons.seats)
        if ahead is None or self.persons.sits != ahead.seat or self._is_played(ahead.seat):
            return ()
        act = self.contributor.name(Duty("act", self.me, (), ahead.seat))
        is_answered = ahead.step == self.match.step and act in self._said
        if is_answered or ahead.state.round != self._telling.round:
            return ()
        self._ahead = ahead
        table = self._telling.show(self.contributor, ahead.state, {ahead.seat: ahead.faces})
        return (*table, self._put(ahead.step, ahead.seat, ahead.state, ahead.faces))

    @property
    def settled(self) -> bool:
        """All that is to be seen is confirmed: `news` has held nothing back for that."""
        return self._confirmed >= self._turned

    @property
    def is_finished(self) -> bool:
        """The score and all before it is confirmed, and nobody who is here owes a last word."""
        return self.settled and self.presence.is_finished(self.match)

    def result(self, journal: str, absent: int | None = None) -> OverNews:
        """The final scores; or as they stand, without one that is claimed to be `absent`."""
        match, claimed = self.match, absent is not None
        left = match.seats_of(absent if claimed else match.resigned)
        return over_of(match.state, self.names, journal, left, claimed=claimed)

    def faces(self, seat: int) -> dict[int, str]:
        return self.contributor.known.faces(seat)

    def view(self, seat: int | None) -> rules.View:
        """What who plays a seat of ours may see; None: everybody."""
        return view_of(self.contributor, seat)

    def decide(self, ask: int, picks: Sequence[str]) -> Contribution | Reason | None:
        """The answer of who sits here as a contribution, or why it is none; None where it is
        held until it is sure that just this is asked.
        """
        asked, ahead = self.persons.asked, self._ahead
        if asked is None or self.persons.open_ask != ask:
            return Reason("ask_closed")
        seat = asked.seat
        is_open = asked.step == self.match.step and self._is_our_turn(seat)
        if ahead is not None and not (is_open and self.settled):
            judged = fits(asked.ask, picks) or choose(ahead.state, seat, picks, ahead.faces)
            if isinstance(judged, Reason):
                return judged
            asked.held = tuple(picks)
            return None
        if not is_open:
            self.persons.asked = None  # it is asked anew, once it is ours to answer again
            return Reason("ask_closed")
        return fits(asked.ask, picks) or self._decide(seat, picks)

    def _decide(self, seat: int, picks: Sequence[str]) -> Contribution | Reason:
        """Say what our person has decided."""
        duty, faces = Duty("act", self.me, (), seat), self.faces(seat)
        chosen = choose(self.match.state, seat, picks, faces)
        if isinstance(chosen, Reason):
            return chosen
        made = self.contributor.act(duty, chosen, self.contributor.name(duty))
        self._said.add(made.key)
        self.persons.asked = None
        shown = [slot for slot, _ in chosen.fact.shown]
        self._ahead = foresee(self.match, chosen.fact, seat, shown, faces)
        return made

    def hand_over(self, level: str) -> Contribution | Reason:
        """Let a bot of this level play the seat of who sits here; '' takes a seat back."""
        match, seat = self.match, self.persons.rests(level, self.match.bots)
        if seat is None:
            return Reason("no_such_seat")
        if match.is_over:
            return Reason("match_over")
        if level and level not in LEVELS:
            return Reason("unknown_level")
        if match.absence.is_taking_leave(self.me):
            return Reason("already_so")  # nobody's to play, neither a bot's nor a person's
        if level == match.bots.get(seat, ""):
            return Reason("already_so")
        key = f"hand_over/{match.folded}/{level}".encode()
        return say(key, bodies.HandedOver(seat, level))

    def hurry(self) -> Contribution | Reason:
        """Say that whoever decides now has thought for long enough."""
        match = self.match
        deciding = {duty.operator for duty in match.duties if duty.kind == "act"}
        if not deciding or self.me in deciding or match.liveness.step_time:
            return Reason("not_needed")
        if self.me in match.hurried:
            return Reason("already_so")
        return say(f"hurry/{match.step}".encode(), bodies.Hurried(match.step))

    def depart(self) -> Contribution | Reason:
        """Leave for good: the others play on, and nobody takes this seat again."""
        match, me, absence = self.match, self.me, self.match.absence
        if absence.is_taking_leave(me):
            return Reason("already_so")
        if match.is_over:
            return Reason("match_over")
        if match.stage != "play":
            return Reason("not_spared")
        if match.operators - len(absence.left) == 2 and not absence.leaving:
            if not self.contributor.has_key:
                return Reason("not_spared")
            return say(b"resigned", bodies.Resigned())
        if not absence.could_spare(me):
            return Reason("not_spared")
        word = absence.attendance.words[me]
        return say(f"given_up/{me}/{word}".encode(), bodies.GivenUp(me, word))

    def open_ask(self) -> int | None:
        return self.persons.open_ask

    def _is_our_turn(self, seat: int) -> bool:
        return Duty("act", self.me, (), seat) in self.match.duties

    def _question(self) -> tuple[News, ...]:
        """What one of our persons must decide, or to whom the laptop is to be passed for it."""
        match, asked = self.match, self.persons.asked
        need = rules.need(match.state) if match.stage == "play" else None
        if not isinstance(need, Decide) or need.seat not in self.persons.seats:
            return ()
        seat, act = need.seat, Duty("act", self.me, (), need.seat)
        if self._is_played(seat) or act not in match.duties:
            return ()  # the others may play on without us, and not know yet that we are here
        if asked is not None and asked.step == match.step:
            return ()
        if self.contributor.name(act) in self._said:
            return ()
        return (self._put(match.step, seat, match.state, self.faces(seat)),)

    def _put(
        self, step: int, seat: int, state: rules.State, faces: dict[int, str]
    ) -> Ask | PassOn:
        allowed = self.match.allowed or None
        return self.persons.put(
            step, seat, lambda number: ask_of(number, state, faces, allowed)
        )


def is_act(key: bytes) -> bool:
    """Whether a contribution of this name is a decision, and not work of programs alone."""
    return key.startswith(b"act/")
