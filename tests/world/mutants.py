"""Faults planted on purpose in session, presence, lobby and storage: the world must notice.

`python -m tests.world --mutant NAME --scene SCENE --seeds A-B` looks for a seed that finds it;
`FOUND` has one for each, `NOT_FOUND` what finds the others. The mutants of the machines
below are in `tests/simulation/mutants.py`, the rules that hold liars in `left_out.py`; both are
taken too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager as Context
from functools import partial
from typing import Any
from unittest import mock

from citadels_p2p.match.fold import departure
from citadels_p2p.match.fold.absence import Absence
from citadels_p2p.match.fold.attendance import Attendance
from citadels_p2p.match.fold.giving_back import GivingBack
from citadels_p2p.match.fold.match import Match
from citadels_p2p.match.news import Ask, News
from citadels_p2p.match.operator.contributor import Contributor
from citadels_p2p.match.operator.persons import Persons
from citadels_p2p.match.operator.presence import Presence as Attending
from citadels_p2p.match.operator.presence import SilenceClock
from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.operator.telling import Telling
from citadels_p2p.rules import Reason
from cli.client.client_model import ClientModel
from cli.client.external_bot import ExternalBot
from protocol.application import Application
from protocol.errors import Unavailable
from protocol.replication.outbox import Outbox
from protocol.session.host_link import HostEnd
from protocol.session.links import Links
from protocol.session.lobby import HostedLobby
from protocol.session.lobby_host import LobbyHost
from protocol.session.match_runtime import Alarm
from protocol.session.match_session import MatchSession, Presence
from protocol.session.mesh import KnownAddresses, Mesh
from protocol.session.spectators import Spectators
from protocol.storage.store import Saved, Store
from protocol.wire.channel import Channel
from tests.simulation.mutants import MUTANTS

Mutant = Callable[[], Context[object]]
Done = Callable[[Unavailable | None], None]


def _nothing(owner: object, name: str, result: object = None) -> Mutant:
    """This is not done, and answers so."""
    return lambda: mock.patch.object(owner, name, return_value=result)


def _never_again() -> Context[object]:
    """Each of the others is dialled once."""
    dial, tried = Mesh._dial, set[tuple[int, int]]()

    async def once(self: Mesh, index: int) -> Channel | None:
        if (id(self), index) in tried:
            return None
        tried.add((id(self), index))
        return await dial(self, index)

    return mock.patch.object(Mesh, "_dial", once)


async def _no_way_back(_self: HostEnd[Application]) -> Channel | None:
    """A guest does not look for a host that is gone."""
    return None


def _too_soon() -> Context[object]:
    """What waits for the disk is called stored."""
    put = Store._put

    def told(self: Store, work: Any) -> None:
        if work.done is not None and self._line is not None:
            self._line.put(partial(work.done, None))
            work = type(work)(work.public, work.secret, None, lazy=True)
        put(self, work)

    return mock.patch.object(Store, "_put", told)


def _no_ballot() -> Context[object]:
    """A vote is not on the disk."""

    def ballot(self: Store, _ballot: object, done: Done) -> None:
        assert self._line is not None
        self._line.put(partial(done, None))

    return mock.patch.object(Store, "ballot", ballot)


def _secrets_last() -> Context[object]:
    """A submission is on the disk before the secret that it depends on."""
    commit = Store._commit

    def committed(self: Store, batch: list[Any]) -> None:
        commit(self, [type(one)(one.public) for one in batch])
        commit(self, [type(one)((), one.secret) for one in batch])

    return mock.patch.object(Store, "_commit", committed)


def _without(**lost: object) -> Mutant:
    """Whoever opens its file again does not find all that it wrote."""

    def planted() -> Context[object]:
        load = Store._load

        def loaded(self: Store) -> Saved:
            saved = load(self)
            held = {name: getattr(saved, name) for name in Saved.__slots__}
            return Saved(**{**held, **lost})

        return mock.patch.object(Store, "_load", loaded)

    return planted


@contextlib.contextmanager
def _speaks_at_once() -> Iterator[None]:
    """Who starts with a disk speaks at once, and goes on counting where the disk ends."""
    with MUTANTS["deaf-restart"](), mock.patch.object(Outbox, "leap", return_value=None):
        yield


def _late_alarm() -> Context[object]:
    """The machine is woken seconds after it asked for it."""
    set_alarm = Alarm.set
    return mock.patch.object(Alarm, "set", lambda self, due: set_alarm(self, due + 6.0))


def _lost_entries() -> Context[object]:
    """Entries are called stored, and are not written."""

    def entry(self: Store, _entry: object, done: Done, *, lazy: bool = False) -> None:
        if self._line is None:
            done(None)
        else:
            self._line.put(partial(done, None))

    return mock.patch.object(Store, "entry", entry)


# Questions, from the dealer to whoever has to answer.


def _closed_for_good() -> Context[object]:
    """An answer that came in the wrong moment closes its question, which is not asked anew."""
    decide = SealedDealer.decide

    def decided(self: SealedDealer, ask: int, picks: Sequence[str]) -> object:
        asked = self.persons.asked
        made = decide(self, ask, picks)
        if isinstance(made, Reason) and self.persons.asked is None:
            self.persons.asked = asked
        return made

    return mock.patch.object(SealedDealer, "decide", decided)


def _held_for_anything() -> Context[object]:
    """What was answered early is said to whatever is asked then."""
    return mock.patch.object(SealedDealer, "_is_still_asked", return_value=True)


def _told_twice() -> Context[object]:
    """What is told is forgotten, and told again."""
    events = Telling.events

    def told(self: Telling, contributor: Contributor) -> tuple[News, ...]:
        news = events(self, contributor)
        return (*news, *news)

    return mock.patch.object(Telling, "events", told)


def _sits_still() -> Context[object]:
    """Whoever is called and sits down is told of no question that waits there."""
    take_seat = Persons.take_seat

    def taken(self: Persons, seat: int) -> Ask | Reason | None:
        asked = take_seat(self, seat)
        return asked if isinstance(asked, Reason) else None

    return mock.patch.object(Persons, "take_seat", taken)


def _heard_is_here() -> Context[object]:
    """Who is away to most of the others, and heard by us, is not missed by us."""
    tick, run = Attending.tick, SilenceClock.tick

    def ticked(self: Attending, match: Match, *given: Any) -> bool:
        away = match.absence.attendance.away - match.absence.undone_at(match.step)

        def heard(
            clock: SilenceClock, now: float, silence: Any, owing: Any, *rest: Any
        ) -> None:
            run(clock, now, silence, owing - away, *rest)

        with mock.patch.object(SilenceClock, "tick", heard):
            return tick(self, match, *given)

    return mock.patch.object(Attending, "tick", ticked)


OURS: dict[str, Mutant] = {
    "heard is here": _heard_is_here,
    "nobody stands in": _nothing(Absence, "_stand_in", []),
    "nobody is given up": _nothing(Attending, "given_up", []),
    "layers stay": _nothing(departure, "_unlayer", ()),
    "escrows stay": _nothing(departure, "_regroup"),
    "nothing entrusted": _nothing(departure, "_entrust", ()),
    "leaving is not settled": _nothing(departure, "settle"),
    "resigning ends nothing": _nothing(departure, "resign"),
    "no key comes back": _nothing(GivingBack, "owed_to", []),
    "silent links stay": _nothing(Links, "abort_silent"),
    "never dials again": _never_again,
    "knows no addresses": _nothing(KnownAddresses, "of", ()),
    "hears of nobody": _nothing(MatchSession, "hear_of"),
    "nobody is silent": lambda: mock.patch.object(
        Presence, "silences", lambda self, _now: (0.0,) * self._operators
    ),
    "all are silent": lambda: mock.patch.object(
        Presence, "silences", lambda self, _now: (99.0,) * self._operators
    ),
    "nobody returns": _nothing(Attendance, "awaits_word", False),
    "no way back": lambda: mock.patch.object(HostEnd, "_redial", _no_way_back),
    "lobby keeps who is gone": _nothing(LobbyHost, "unlink", False),
    "agreed to another table": _nothing(HostedLobby, "_changed", ""),
    "nobody agrees": _nothing(HostedLobby, "agree", False),
    "spectators hear nothing": _nothing(Spectators, "pump"),
    "stored too soon": _too_soon,
    "vote not stored": _no_ballot,
    "secrets last": _secrets_last,
    "entries not stored": _lost_entries,
    "outbox not read": _without(submissions=()),
    "lazy work is lost": _nothing(Store, "_put_lazily"),
    "late alarm": _late_alarm,
    "speaks at once": _speaks_at_once,
    "closed for good": _closed_for_good,
    "held for anything": _held_for_anything,
    "never withdrawn": _nothing(SealedDealer, "_withdraw"),
    "no open question": _nothing(SealedDealer, "open_ask"),
    "nothing in doubt": _nothing(Telling, "doubt"),
    "told twice": _told_twice,
    "sits still": _sits_still,
    "bot keeps the question": _nothing(ExternalBot, "_let_go"),
    "asked as before": _nothing(SealedDealer, "_asks", True),
    "refused for good": lambda: mock.patch.object(ClientModel, "_hear_refusal"),
}

FOUND = {
    "half": "storm 0",
    "alone": "storm 0",
    "forgotten-cut": "storm 0",
    "lost-submissions": "storm 0",
    "no-rewind": "storm 0",
    "counted-for-ever": "go_home 2",
    "newest-majority": "loses_its_power_at_a_removal 0 5",
    "before-the-disk": "said_and_not_written 0",
    "any-journal": "behind_and_asks 0",
    "several-votes": "two_ask_for_votes 0 5",
    "unheard-followers": "finds_another_way 0",
    "twice": "finds_another_way 1",
    "silent links stay": "storm 0",
    "never dials again": "storm 0",
    "knows no addresses": "storm 0",
    "hears of nobody": "storm 1",
    "nobody is silent": "without_one 1",
    "all are silent": "storm 1",
    "nobody returns": "storm 0",
    "late alarm": "storm 0",
    "no way back": "lobby 4",
    "lobby keeps who is gone": "lobby 0",
    "agreed to another table": "lobby 0",
    "nobody agrees": "storm 0",
    "spectators hear nothing": "once_more 0",
    "stored too soon": "storm 0",
    "entries not stored": "storm 0",
    "outbox not read": "storm 0",
    "lazy work is lost": "storm 0",
    "vote not stored": "votes_and_loses_its_power 0",
    "secrets last": "loses_its_power_while_it_writes 0",
    "speaks at once": "copied_in_the_middle_of_a_shuffle 2",
    "never withdrawn": "questions 2",
    "no open question": "questions 0",
    "told twice": "questions 0",
    "held for anything": "questions 5",
    "nothing in doubt": "questions 0",
    "refused for good": "questions 2",
    "closed for good": "answers_while_another_leaves 1 4",
    "asked as before": "asked_while_another_goes 2 4",
    "bot keeps the question": "hands_over_a_program 0",
    "sits still": "questions 4 2",
    "nobody stands in": "without_one 0 4",
    "nobody is given up": "go_home 1 4",
    "leaving is not settled": "go_home 0 4",
    "layers stay": "go_home 0 4",
    "resigning ends nothing": "one_of_two 2 2",
    "no key comes back": "lost_secrets 0",
    "heard is here": "swarm 2100090 5",
}
"""The scene and the seed that find it, at three laptops unless a third word says how many;
or the words of the command.
"""

NOT_FOUND = {
    "escrows stay": "by go_home 1 at four once; by none of 1 to 8 since laptops go on in turn",
    "nothing entrusted": "the same",
    "deaf-restart": "a leap of counters keeps it from two words of one number, and who has"
    " heard its vote shows it the election at once; without the leap it is `speaks at once`",
}
"""By none of the few seeds that were played, and what is known of it."""
