"""Who is here, slow or away: what our own clock says, beside what all have signed, and the
words that we owe about it. Pure, with time as an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from citadels_p2p.match.fold import bodies
from citadels_p2p.match.fold.duty import Duty
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.operator.contributor import Contributor, say
from protocol.application import Contribution
from protocol.journal.statements import quorum

SLOW = 4.0
"""Seconds after which people are told whom they wait for."""

ASLEEP = 10.0
"""Between two ticks so far apart this laptop slept itself, and has heard nobody."""


class SilenceClock:
    """How long each operator has been silent, by our own clock.

    Silent is who is not heard, and also who is heard but does not do what its program owes
    without a person's help. What it has said, and the host leaves lying, is not its silence:
    meanwhile its clock stands still.
    """

    def __init__(self, operators: int, me: int) -> None:
        self._me = me
        #: for how many seconds nothing has come of each
        self.quiet = [0.0] * operators
        self._owing: dict[int, tuple[int, float]] = {}  # since which word, and since when
        self._at = float("-inf")
        self._since = [self._at] * operators  # we slept until then, or had a word of it

    def tick(
        self,
        now: float,
        silence: Sequence[float],
        owing: Collection[int],
        words: Sequence[int],
        withheld: Collection[int] = (),
    ) -> None:
        """Time has passed.

        `silence`: seconds since each operator was last heard; `owing`: whose program owes
        something; `words`: the number of each one's newest entry; `withheld`: who has said
        something that no host has answered.
        """
        passed = now - self._at
        if now - self._at > ASLEEP:
            self._owing.clear()
            self._since = [now] * len(self._since)
        self._at = now
        for operator, unheard in enumerate(silence):
            word, since = self._owing.get(operator, (-1, now))
            if operator not in owing or operator == self._me:
                self._owing.pop(operator, None)
                since = now
            elif word != words[operator]:
                self._owing[operator] = (words[operator], now)
                since = now
            elif operator in withheld:
                since += passed
                self._owing[operator] = (word, since)
            self.quiet[operator] = (
                0.0
                if operator == self._me
                else max(min(unheard, now - self._since[operator]), now - since)
            )

    def hear(self, operator: int) -> None:
        """An entry of this operator has come, perhaps by way of others: whatever the clock said
        of it is past.
        """
        self.quiet[operator] = 0.0
        self._since[operator] = self._at
        self._owing.pop(operator, None)

    def overdue(self, patience: float) -> tuple[int, ...]:
        """Those that have been silent for at least this long."""
        return tuple(o for o, quiet in enumerate(self.quiet) if quiet >= patience)


OFTEN = 60.0
STEADY = 30.0
"""Seconds. Who is slow twice within the first is shown as slow until it was not for the second:
people are not told of each time that a lid opens and closes.
"""


@dataclass(slots=True)
class _Decision:
    """What one operator has to decide, and since when it could.

    Where nothing was heard of it meanwhile its program may have begun anew, and gives its
    person the whole time: so do we; but once, so that nobody holds the table by breaking its
    link again and again.
    """

    moment: tuple[int, int]
    since: float
    was_silent: bool = False
    is_given_anew: bool = False

    def hear(self, now: float, silence: float) -> None:
        """Nothing has been heard of it for so many seconds."""
        if silence >= SLOW:
            self.was_silent = True
        elif self.was_silent and not self.is_given_anew:
            self.since, self.is_given_anew = now, True


class Presence:
    """The others as operator `me` sees them. The match is given anew: it may be rewound."""

    def __init__(self, operators: int, me: int) -> None:
        self._me = me
        self._clock = SilenceClock(operators, me)
        self._standing: tuple[str, ...] = ("here",) * operators
        self._now = float("-inf")
        self._slow: dict[int, float] = {}  # since when, of those that are
        self._slowed = [self._now] * operators  # when each was slow last
        self._shown_until = [self._now] * operators  # as slow, while they come and go
        self._absconded: int | None = None
        self._is_finished = False
        self._deciding: dict[int, _Decision] = {}
        # Who has yet to miss one that it stands in for, and since when.
        self._standing_in: dict[tuple[int, int], float] = {}

    def tick(
        self,
        match: Match,
        now: float,
        silences: Sequence[float],
        withheld: Collection[int] = (),
    ) -> bool:
        """Time has passed, see `Application.tick`. Whether anybody's standing has changed."""
        away = match.absence.attendance.away
        self._standing_in = {
            (one, absent): since
            for (one, absent), since in self._standing_in.items()
            if absent in away and one not in away
        }
        # Whoever decides may think, a person or a bot; all else takes a program a moment.
        owing = {
            duty.operator
            for duty in match.duties
            if duty.kind != "act" and self._could(match, now, duty)
        }
        owing |= self._undecided(match, now, silences)
        # Who is away and heard should have said that it is back: else whoever hears it would
        # never miss it, and not stand in for it.
        owing |= away
        words = match.absence.attendance.words
        self._clock.tick(now, silences, owing, words, withheld)
        self._watch(now)
        before = self._standing, self._absconded, self._is_finished
        self._standing, self._absconded = self.shown(match), self.absconded(match)
        self._is_finished = self.is_finished(match)
        return before != (self._standing, self._absconded, self._is_finished)

    def _could(self, match: Match, now: float, duty: Duty) -> bool:
        """Whether the program that owes this could have done it by now.

        Who stands in for somebody has to miss it itself, by its own clock, and says so. Whom we
        miss it may hear, and then misses `away` seconds after all know that it is gone; so its
        time begins with its word, or once it should have said that.
        """
        absent, attendance = match.absent_of(duty), match.absence.attendance
        if absent < 0 or absent in match.absence.left:
            return True
        if self._clock.quiet[absent] < match.liveness.away:
            return False  # we would not do it ourselves
        key = duty.operator, absent
        if duty.operator in attendance.missed_by(absent):
            self._standing_in.pop(key, None)
            return True
        return now - self._standing_in.setdefault(key, now) >= match.liveness.away

    def _undecided(self, match: Match, now: float, silences: Sequence[float]) -> set[int]:
        """Whose decision takes longer than the table has agreed: its own program should have
        decided by then, and it may be that it never does.
        """
        deciding = {duty.operator for duty in match.duties if duty.kind == "act"}
        allowed = match.allowed
        moment = match.step, allowed  # the others may agree on a time while it goes on
        unheard = dict(enumerate(silences))  # of nobody, where we only look on
        known, self._deciding = self._deciding, {}
        for one in deciding:
            before = known.get(one)
            if before is None or before.moment != moment:
                before = _Decision(moment, now)
            self._deciding[one] = before
            before.hear(now, unheard.get(one, 0.0))
        return {one for one, told in self._deciding.items() if 0 < allowed <= now - told.since}

    def hear(self, match: Match, seq: int, operator: int) -> None:
        """An entry of this operator has come: whether it counts as a word, the match says."""
        if match.absence.attendance.words[operator] == seq:
            self._clock.hear(operator)

    def _away(self, match: Match) -> frozenset[int]:
        """Who is away, as we are to be told."""
        attendance = match.absence.attendance
        away, members = attendance.away - {self._me}, attendance.members
        if len(members) - 1 < quorum(len(members)):
            # There is nobody to miss it with.
            away |= members.intersection(self._clock.overdue(match.liveness.away))
        return away

    def shown(self, match: Match) -> tuple[str, ...]:
        """Of each operator: "here", "slow", or "away". Who comes and goes stays "slow" for a
        while.
        """
        standing = ["slow" if self._now < until else "here" for until in self._shown_until]
        for operator in self._clock.overdue(min(SLOW, match.liveness.away)):
            standing[operator] = "slow"
        for operator in self._away(match):
            standing[operator] = "away"
        return tuple(standing)

    def _watch(self, now: float) -> None:
        """Note who is slow again."""
        self._now = now
        slow = self._clock.overdue(SLOW)
        for operator in slow:
            since = self._slow.setdefault(operator, now)
            if since - self._slowed[operator] < OFTEN:
                self._shown_until[operator] = now + STEADY
        for operator in self._slow.keys() - set(slow):
            del self._slow[operator]
            self._slowed[operator] = now

    def waits_for(self, match: Match) -> tuple[int, ...]:
        """The operators that are away and without which the match cannot go on."""
        return tuple(sorted(self._away(match) - match.absence.gone))

    def patience_left(self, match: Match, operator: int) -> int:
        """Seconds until we say that we miss this operator."""
        return max(0, round(match.liveness.away - self._clock.quiet[operator]))

    def absconded(self, match: Match) -> int | None:
        """The only other operator that counts, where it has been away for as long as the table
        waits for anybody: then our person may end the match, with the score as it stands.
        """
        patience, absence = match.liveness.give_up, match.absence
        others = absence.attendance.members - {self._me}
        if not patience or match.stage != "play" or len(others) != 1:
            return None
        gone = others.intersection(self._clock.overdue(patience)).difference(absence.departed)
        return next(iter(gone), None)

    def is_finished(self, match: Match) -> bool:
        """Whether the score stands, and nothing is awaited but last words of who went home.

        They may be too many to be missed: those who are left need not be a majority.
        """
        silent = self._clock.overdue(match.liveness.away)
        return match.is_over and all(duty.operator in silent for duty in match.duties)

    def hears_majority(self, match: Match) -> bool:
        """Whether we may blame anybody: who hears no majority is cut off itself."""
        members = match.absence.attendance.members
        heard = members.difference(self._clock.overdue(match.liveness.away))
        return len(heard) >= quorum(len(members))

    def missed(self, match: Match) -> list[int]:
        """Who has been silent for too long, and we have yet to say so."""
        absence = match.absence
        overdue = set(self._clock.overdue(match.liveness.away)).difference(absence.departed)
        return sorted(o for o in overdue if self._me not in absence.attendance.missed_by(o))

    def given_up(self, match: Match) -> list[int]:
        """Who has been away for longer than the table waits, and we have yet to say so."""
        patience, absence = match.liveness.give_up, match.absence
        if not patience or match.is_over:
            return []
        overdue = absence.gone.intersection(self._clock.overdue(patience))
        return sorted(
            operator
            for operator in overdue.difference(absence.left)
            if self._me not in absence.attendance.given_up_by(operator)
        )


def words_owed(
    contributor: Contributor, presence: Presence, *, blames: bool
) -> Iterator[tuple[bytes, Callable[[], Contribution | None]]]:
    """Each by its name, with the way to make it; those about others only if it `blames`."""
    match, me = contributor.match, contributor.me
    attendance, words = match.absence.attendance, match.absence.attendance.words
    if attendance.awaits_word(me) and me not in match.held_off:
        key = f"returned/{words[me]}".encode()
        yield key, partial(say, key, bodies.Returned())
    if me in attendance.away:
        return  # first the others must know
    for dealer in contributor.unchecked():
        key = f"complaint/{len(match.keys.departed)}/{dealer}".encode()
        yield key, partial(contributor.complaint, key, dealer)
    for operator in match.giving_back.owed_to(me, match.absence.left):
        key = contributor.name_gift(operator)
        yield key, partial(contributor.give_back, operator, key)
    # Nor do we blame anybody while we wait for a majority to have somebody's last word.
    if blames and presence.hears_majority(match):
        for operator in presence.missed(match):
            key = f"missed/{operator}/{words[operator]}".encode()
            yield key, partial(say, key, bodies.Missed(operator, words[operator]))
        for operator in presence.given_up(match):
            key = f"given_up/{operator}/{words[operator]}".encode()
            yield key, partial(say, key, bodies.GivenUp(operator, words[operator]))
