"""Who is here, slow or away: what our own clock says, beside what all have signed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.operator.silence_clock import SLOW, SilenceClock
from protocol.journal.statements import quorum

OFTEN = 60.0
STEADY = 30.0
"""Seconds. Who is slow twice within the first is shown as slow until it was not for the second:
people are not told of each time that a lid opens and closes.
"""


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
        self._deciding: dict[int, tuple[tuple[int, int], float]] = {}  # what, and since when

    def tick(
        self,
        match: Match,
        now: float,
        silences: Sequence[float],
        withheld: Collection[int] = (),
    ) -> bool:
        """Time has passed, see `Application.tick`. Whether anybody's standing has changed."""
        # Whoever decides may think, a person or a bot; all else takes a program a moment. Who
        # stands in for somebody has to miss it itself: its time begins once it could.
        overdue = {-1, *match.absence.left, *self._clock.overdue(match.liveness.away)}
        owing = {
            duty.operator
            for duty in match.duties
            if duty.kind != "act" and match.absent_of(duty) in overdue
        }
        owing |= self._undecided(match, now)
        # Who is away and heard should have said that it is back: else whoever hears it would
        # never miss it, and not stand in for it.
        owing |= match.absence.attendance.away
        words = match.absence.attendance.words
        self._clock.tick(now, silences, owing, words, withheld)
        self._watch(now)
        before, self._standing = (self._standing, self._absconded), self.shown(match)
        self._absconded = self.absconded(match)
        return before != (self._standing, self._absconded)

    def _undecided(self, match: Match, now: float) -> set[int]:
        """Whose decision takes longer than the table has agreed: its own program should have
        decided by then, and it may be that it never does.
        """
        deciding = {duty.operator for duty in match.duties if duty.kind == "act"}
        allowed = match.allowed
        moment = match.step, allowed  # the others may agree on a time while it goes on
        begun = {one: self._deciding.get(one, (moment, now)) for one in deciding}
        self._deciding = {
            one: (moment, since if then == moment else now)
            for one, (then, since) in begun.items()
        }
        return {one for one, (_, since) in self._deciding.items() if 0 < allowed <= now - since}

    def hear(self, match: Match, seq: int, operator: int) -> None:
        """An entry of this operator has come: whether it counts as a word, the match says."""
        if match.absence.attendance.words[operator] == seq:
            self._clock.hear(operator)

    def standing(self, match: Match) -> tuple[str, ...]:
        """Of each operator: "here", "slow", or "away"."""
        away = set(match.absence.attendance.away) - {self._me}
        patience = match.liveness.away
        members = match.absence.attendance.members
        if len(members) - 1 < quorum(len(members)):
            # There is nobody to miss it with.
            away |= members.intersection(self._clock.overdue(patience))
        slow = set(self._clock.overdue(min(SLOW, patience)))
        return tuple(
            "away" if operator in away else "slow" if operator in slow else "here"
            for operator in range(match.operators)
        )

    def shown(self, match: Match) -> tuple[str, ...]:
        """As `standing`, for people: who comes and goes stays "slow" for a while."""
        return tuple(
            "slow" if how == "here" and self._now < until else how
            for how, until in zip(self.standing(match), self._shown_until, strict=True)
        )

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
        gone = match.absence.gone
        standing = enumerate(self.standing(match))
        return tuple(o for o, how in standing if how == "away" and o not in gone)

    def patience_left(self, match: Match, operator: int) -> int:
        """Seconds until we say that we miss this operator."""
        return max(0, round(match.liveness.away - self._clock.quiet(operator)))

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
