"""Who is here, slow or away, as one person is told of it.

What is told follows from this laptop's own clock and from what the operators have signed; two
screens may differ by a moment, but never on who is away.
"""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.news import Notice
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.session.lobby import persons_of
from citadels_p2p.rules.events import Value
from protocol import Cleared, Gathering, Hosted, Suspected


class PresenceNews:
    """What was told last, to tell only what has changed."""

    def __init__(self) -> None:
        self._standing: tuple[str, ...] = ()
        self._awaited: tuple[int, ...] = ()
        self._left = 0
        self._pleas: int | None = None  # those before our first look are not told
        self.parted: set[int] = set()  #: operators who have said goodbye, and so are not missed
        self._is_held_off = False
        self._hurried: frozenset[int] = frozenset()
        self._may_claim = False  # whether our person was told that it may end the match

    def changes(self, dealer: SealedDealer) -> tuple[Notice, ...]:
        """What is new; called where the dealer lives."""
        match, presence = dealer.match, dealer.presence
        standing, awaited = presence.shown(match), presence.waits_for(match)
        before = self._standing or ("here",) * len(standing)
        told: list[Notice] = []
        for operator, (was, now) in enumerate(zip(before, standing, strict=True)):
            if was == now or (now == "away" and operator in awaited):
                continue
            if now == "slow" and operator in self.parted:
                continue  # everybody was told that it leaves
            fields: dict[str, str | int] = {"name": match.genesis.operators[operator].name}
            if now == "slow":
                fields["seconds"] = presence.patience_left(match, operator)
            told.append(Notice("back" if now == "here" else now, dict(fields)))
        if awaited and awaited != self._awaited:
            names = [match.genesis.operators[one].name for one in awaited]
            told.append(Notice("paused", {"names": ", ".join(names)}))
        known = dealer.departed()
        left = tuple(one for one in match.absence.left if one in known)
        for operator in left[self._left :]:
            name = match.genesis.operators[operator].name
            ours = operator == dealer.me
            told.append(Notice("seat_lost") if ours else Notice("given_up", {"name": name}))
        is_held_off = dealer.me in match.held_off
        if is_held_off and not self._is_held_off:
            told.append(Notice("held_off"))
        self._is_held_off = is_held_off
        told += self._impatient(match)
        pleas = dealer.pleas()
        for operator in pleas[len(pleas) if self._pleas is None else self._pleas :]:
            if operator != dealer.me:
                name = match.genesis.operators[operator].name
                told.append(Notice("key_wanted", {"name": name}))
        self._pleas = len(pleas)
        absconded = presence.absconded(match)
        if absconded is not None and not self._may_claim:
            told.append(Notice("may_claim", {"name": match.genesis.operators[absconded].name}))
        self._may_claim = absconded is not None
        self._left = len(left)
        self._standing, self._awaited = standing, awaited
        return tuple(told)

    def _impatient(self, match: Match) -> list[Notice]:
        """Who finds, since the last look, that a decision has taken long enough."""
        new, self._hurried = match.hurried - self._hurried, match.hurried
        names = [one.name for one in match.genesis.operators]
        told: list[Notice] = []
        for duty in match.duties if new else ():
            if duty.kind == "act":
                other = names[duty.operator]
                told += (
                    Notice("hurries", {"name": names[one], "other": other})
                    for one in sorted(new)
                )
                if match.allowed:
                    told.append(Notice("hurried", {"name": other, "seconds": match.allowed}))
        return told

    def is_here(self, operator: int) -> bool:
        """Whether an operator is not away, as far as was told."""
        return operator >= len(self._standing) or self._standing[operator] != "away"


def handed_over(
    before: Mapping[int, str], bots: Mapping[int, str], lobby: Gathering, me: int | None
) -> tuple[Notice, ...]:
    """Whose seats have gone to a bot, or back to their persons: level by seat, then and now."""
    told = []
    for seat, level in bots.items():
        name = lobby.seats[seat].name
        if level == before.get(seat, ""):
            continue
        if not level:
            told.append(Notice("taken_back", {"name": name}))
        elif me is not None and seat in (ours := persons_of(lobby, me)):
            of: dict[str, Value] = {} if len(ours) == 1 else {"seat": seat, "name": name}
            told.append(Notice("resting", {"level": level, **of}))
        else:
            told.append(Notice("handed_over", {"name": name, "level": level}))
    return tuple(told)


WITHHOLDS = "withholds"
"""The suspicion that only a host can be under."""


class Doubts:
    """The suspicions that stand, by operator, the newest last.

    A suspicion is no verdict: it ends with the answer, and another host is all that follows.
    """

    def __init__(self) -> None:
        self._standing: dict[int, list[Suspected]] = {}

    def of(self, operator: int | None) -> str:
        """Why this operator is suspected; "" where it is not."""
        found = () if operator is None else self._standing.get(operator, ())
        return found[-1].why if found else ""

    def suspect(self, event: Suspected) -> tuple[Notice, ...]:
        """What is new in a suspicion; it may be told again and again."""
        standing = self._standing.setdefault(event.operator, [])
        if event in standing:
            return ()
        standing.append(event)
        fields = {"name": event.name, "why": event.why, "about": event.about}
        return (Notice("suspected", dict(fields)),)

    def clear(self, event: Cleared) -> tuple[Notice, ...]:
        """The answer has come."""
        if not self._standing.pop(event.operator, None):
            return ()
        return (Notice("cleared", {"name": event.name}),)

    def hosted(self, event: Hosted) -> bool:
        """Another hosts: who hosts no more keeps nothing back. Whether that ended a doubt."""
        ended = False
        for operator, standing in self._standing.items():
            left = [doubt for doubt in standing if doubt.why != WITHHOLDS]
            if operator != event.operator and left != standing:
                self._standing[operator], ended = left, True
        return ended
