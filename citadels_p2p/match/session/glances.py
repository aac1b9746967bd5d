"""What one look at the dealer after another tells: what is new since the look before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.fold.owing import long_work
from citadels_p2p.match.news import News, Notice, TableNews, Trust
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.session.lobby import persons_of
from citadels_p2p.match.session.trust import standing
from citadels_p2p.rules.events import Value
from protocol import Cleared, Gathering, Hosted, Suspected
from protocol.errors import RemoteError


class PresenceNews:
    """Who is here, slow or away, as one person was told of it last.

    It follows from this laptop's own clock and from what the operators have signed; two screens
    may differ by a moment, but never on who is away.
    """

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
        names = [operator.name for operator in match.genesis.operators]
        standing, awaited = presence.shown(match), presence.waits_for(match)
        before = self._standing or ("here",) * len(standing)
        told: list[Notice] = []
        for operator, (was, now) in enumerate(zip(before, standing, strict=True)):
            if was == now or (now == "away" and operator in awaited):
                continue
            if now == "slow" and operator in self.parted:
                continue  # everybody was told that it leaves
            fields: dict[str, str | int] = {"name": names[operator]}
            if now == "slow":
                fields["seconds"] = presence.patience_left(match, operator)
            told.append(Notice("back" if now == "here" else now, dict(fields)))
        if awaited and awaited != self._awaited:
            missed = ", ".join(names[one] for one in awaited)
            told.append(Notice("paused", {"names": missed}))
        known = dealer.departed()
        left = tuple(one for one in match.absence.left if one in known)
        for operator in left[self._left :]:
            lost = Notice("given_up", {"name": names[operator]})
            told.append(Notice("seat_lost") if operator == dealer.me else lost)
        is_held_off = dealer.me in match.held_off
        if is_held_off and not self._is_held_off:
            told.append(Notice("held_off"))
        self._is_held_off = is_held_off
        told += self._impatient(match, names)
        pleas = dealer.pleas()
        for operator in pleas[len(pleas) if self._pleas is None else self._pleas :]:
            if operator != dealer.me:
                told.append(Notice("key_wanted", {"name": names[operator]}))
        self._pleas = len(pleas)
        absconded = presence.absconded(match)
        if absconded is not None and not self._may_claim:
            told.append(Notice("may_claim", {"name": names[absconded]}))
        self._may_claim = absconded is not None
        self._left = len(left)
        self._standing, self._awaited = standing, awaited
        return tuple(told)

    def _impatient(self, match: Match, names: Sequence[str]) -> list[Notice]:
        """Who finds, since the last look, that a decision has taken long enough."""
        new, self._hurried = match.hurried - self._hurried, match.hurried
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
        for operator, doubts in self._standing.items():
            left = [doubt for doubt in doubts if doubt.why != WITHHOLDS]
            if operator != event.operator and left != doubts:
                self._standing[operator], ended = left, True
        return ended


class Glance(NamedTuple):
    """What one look at the dealer gives, taken on its own thread."""

    news: tuple[News, ...]
    words: tuple[str, ...]
    finished: bool
    cheat: RemoteError | None
    work: tuple[str, int, int] | None
    presence: tuple[Notice, ...]
    bots: dict[int, str]
    departed: bool  # our own seat is given up, for good
    trust: Trust
    asks: bool  # whether there are persons here, who may be asked something


def progress(what: str, done: int, of: int) -> Notice:
    return Notice("progress", {"what": what, "done": done, "of": of})


class Glances:
    """One session's looks at its dealer."""

    def __init__(self) -> None:
        self.words: tuple[str, ...] = ()  #: those that name the match, once there are any
        self.trust: Trust | None = None  #: what our secrets rest on, once there are any
        self.bots: dict[int, str] = {}  #: seats that a bot plays for its person, by level
        self.presence = PresenceNews()  #: who is here
        self._work: tuple[str, int, int] | None = None

    def look(self, dealer: SealedDealer) -> Glance:
        """On the dealer's thread."""
        match = dealer.match
        return Glance(
            dealer.news(),
            match.words,
            dealer.is_finished,
            match.cheat,
            long_work(match),
            self.presence.changes(dealer),
            dict(match.bots),
            dealer.me in dealer.departed(),
            standing(match, dealer.me),
            bool(dealer.persons.seats),
        )

    def tell(
        self,
        seen: Glance,
        lobby: Gathering,
        me: int | None,
        table: Callable[[], TableNews],
    ) -> Iterator[News]:
        """What a look tells that the one before did not; `table` is asked for as it is now."""
        if seen.work is not None and seen.work != self._work:
            self._work = seen.work
            yield progress(*seen.work)
        presence = seen.presence
        if seen.bots != self.bots:
            presence = (*presence, *handed_over(self.bots, seen.bots, lobby, me))
        if (seen.words, seen.trust) != (self.words, self.trust) or presence:
            self.words, self.bots, self.trust = seen.words, seen.bots, seen.trust
            yield table()
        yield from presence
        yield from seen.news
