"""Laptops that lie, in the one world: their programs are the honest ones, and what leaves them
and reaches them passes by the adversary, which has their keys and their folders.

It knows every word that any of them has said or heard, signed or not, and makes new ones of
that (`tests.simulation.forgery`). How much of what it does is drawn from the seed, and each
seed has few kinds of words: what hits is rarely a mixture of everything. Between honest laptops
it commands the network as far as the weather goes.
"""

from __future__ import annotations

import contextlib
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import get_args
from unittest import mock

import msgspec

from citadels_p2p.match.operator.sealed_dealer import SealedDealer
from citadels_p2p.match.session.evening import Evening as Session
from citadels_p2p.match.session.online import Online
from protocol.application import Contribution
from protocol.errors import RemoteError, Unavailable
from protocol.identity.keys import Identity
from protocol.messages import Catalogue
from protocol.replication.raft import Raft
from protocol.session.lobby_guest import LobbyGuest
from protocol.session.operator_session import OperatorSession
from protocol.wire.channel import Channel
from tests.match.histories import noted_orders
from tests.simulation.forgery import CODES, Forger
from tests.simulation.fortune import Fortune
from tests.simulation.sightings import Sightings, brief
from tests.simulation.temper import Temper, whims
from tests.world.evening import Evening
from tests.world.here import here
from tests.world.laptop import Laptop
from tests.world.ledger import Ledger
from tests.world.person import Person, runtime_of

MESSAGES: tuple[type[msgspec.Struct], ...] = get_args(Catalogue)
"""All that may be said, outside the journal too."""

Post = Callable[[msgspec.Struct], None]


def session_of(person: Person) -> OperatorSession[SealedDealer] | None:
    """The table at which this person's program is."""
    session = person.session if person.plays else None
    if isinstance(session, Session):
        session = session._session
    if not isinstance(session, Online):
        return None
    inner = session.node._session
    return inner if isinstance(inner, OperatorSession) else None


class Liar:
    """One laptop of the adversary: it plays, and lies beside it."""

    def __init__(self, adversary: Adversary, person: Person, temper: Temper) -> None:
        self.person, self.laptop, self.temper = person, person.laptop, temper
        self.lies: Counter[str] = Counter()
        self._told = 0  # of all kinds
        self._adversary = adversary
        self._fortune = adversary.fortune
        self._sent: deque[msgspec.Struct] = deque(maxlen=200)
        self._copies: list[Path] = []
        self._numbers = 0
        self._vanishes = adversary.fortune.one((0.0, 0.0, 0.0, 0.02, 0.2))
        self._forger: Forger | None = None
        self.lobby: Forger | None = (
            None  #: who makes up what it says in a lobby, if it lies there
        )
        self.tongue: Callable[[Channel, msgspec.Struct, Post], bool] = lambda *_: False
        self.ear: Callable[[Channel, msgspec.Struct], bool] = lambda *_: False
        """What a named liar does with a word: whether it has seen to it itself."""
        self.victims: frozenset[int] = frozenset(
            range(16)
        )  #: whose words it judges as it likes

    # What a forger asks of its laptop.

    @property
    def me(self) -> int:
        session = session_of(self.person)
        assert session is not None
        assert session.table.me is not None
        return session.table.me

    @property
    def machine(self) -> Raft:
        runtime = runtime_of(self.person)
        assert runtime is not None
        assert isinstance(runtime.machine, Raft)
        return runtime.machine

    @property
    def is_playing(self) -> bool:
        """Whether its program is in a match, and its lid is open."""
        return runtime_of(self.person) is not None and not self.laptop.loop.is_asleep

    @property
    def is_here(self) -> bool:
        """Whether its program runs, and its lid is open."""
        return self.person.plays and not self.laptop.loop.is_asleep

    @property
    def is_lying(self) -> bool:
        return self._told < self.temper.most

    @property
    def _hosts(self) -> bool:
        return self.is_playing and self.machine.is_host

    def note(self, name: str, about: object = "") -> None:
        """It lies: for the transcript."""
        self.lies[name] += 1
        self._told += 1
        self.laptop.world.note(self.laptop, "lies", f"{name} {brief(about)}")

    def channels(self) -> list[Channel]:
        """To whom it can speak."""
        session = session_of(self.person)
        if session is None:
            return []
        found = [session.links.of(one) for one in session.links]
        if isinstance(session.lobby, LobbyGuest) and session.lobby.channel is not None:
            found.append(session.lobby.channel)
        return [one for one in found if one is not None and one.is_open]

    def begin_anew(self) -> None:
        """It has said nothing yet, and makes nothing of what was said."""
        self._sent.clear()
        self._forger = None

    def forger(self) -> Forger:
        """Who makes up what it says."""
        adversary = self._adversary
        if self._forger is None:
            self._forger = Forger(
                self, adversary.keys(), adversary.seen, self._fortune, self.temper.wildness
            )
        self._forger._keys = adversary.keys()
        return self._forger

    # Messages that come and go by themselves.

    def leaves(self, channel: Channel, message: msgspec.Struct, post: Post) -> None:
        """Its program says something."""
        self._sent.append(message)
        self._adversary.see(self, message)
        if not self.tongue(channel, message, post):
            self._whims(channel, message, True, post)

    def heard(
        self,
        channel: Channel,
        message: msgspec.Struct,
        hear: Callable[[msgspec.Struct], bool],
    ) -> bool:
        """Its program hears something. Whether it listens on."""
        self._adversary.see(self, message)
        if self.ear(channel, message):
            return True
        goes_on = [True]

        def pass_on(what: msgspec.Struct) -> None:
            if channel.is_open:
                goes_on[0] = hear(what)

        self._whims(channel, message, False, pass_on)
        return goes_on[0]

    def _whims(
        self, channel: Channel, message: msgspec.Struct, leaves: bool, pass_on: Post
    ) -> None:
        """Do to a message what the adversary pleases, then let it go."""
        other, loop = self.index_of(channel), self.laptop.loop
        left = whims(
            self.temper,
            self._fortune,
            message,
            leaves=leaves,
            other=other,
            is_lying=lambda: self.is_lying,
            lie=self.note,
            later=lambda seconds, what: loop.call_later(
                seconds, _if_open(channel, pass_on), what
            ),
            twist=lambda what: None if (one := self._forging()) is None else one.twisted(what),
            answer=lambda what: self._answer(channel, what, max(other, 0)),
        )
        if left is not None:
            pass_on(left)

    def _answer(self, channel: Channel, heard: msgspec.Struct, other: int) -> None:
        """Something that has to do with what was just said."""
        kind, forger = self._fortune.one(self.temper.kinds), self._forging()
        if forger is not None:
            self.says(forger.message(kind, about=heard, other=other), [channel])

    def _forging(self) -> Forger | None:
        if self.lobby is not None:
            return self.lobby
        return self.forger() if self.is_playing else None

    def index_of(self, channel: Channel) -> int:
        """Who is at the other end, by roster index; -1 for somebody else."""
        session = session_of(self.person)
        index = None if session is None else session.table.index_of(channel.peer)
        return -1 if index is None else index

    # What it does besides.

    def says(self, message: msgspec.Struct | None, to: Sequence[Channel]) -> None:
        """Say this, on its own loop; and perhaps shut its lid upon it."""
        if message is None or not to:
            return
        self.note("say", message)
        for channel in to:
            says(channel, message)
        if self._fortune.happens(self._vanishes):
            self.laptop.world.plan(0.02, self._vanish)

    def _vanish(self) -> None:
        loop = self.laptop.loop
        if not loop.is_asleep and not loop.is_dead:
            self.note("shuts its lid")
            self.laptop.close_lid(self._fortune.one((1.0, 5.0, 15.0, 40.0)))

    def live(self) -> None:
        """Lie from now on, each kind at its rate."""
        temper = self.temper
        for rate, deed in (
            (temper.invents, self._invent),
            (temper.says, self._write),
            (temper.repeats, self._repeat),
            (temper.restores / 20, self._restore),
            (temper.doubles / 20, self._adversary.run_twice),
        ):
            if rate:
                self.again(rate, deed)

    def again(self, rate: float, deed: Callable[[], None]) -> None:
        """Do this again and again, so often a second, while it lies and its program plays, or
        is at a table where it lies in the lobby.
        """

        def happen() -> None:
            if self.is_lying:
                if self.is_here if self.lobby is not None else self.is_playing:
                    self.laptop.loop.call(deed)
                self.again(rate, deed)

        self.laptop.world.plan(self._fortune.pause(rate), happen)

    def _invent(self) -> None:
        channels, forger = self.channels(), self._forging()
        if not channels or forger is None:
            return
        chosen = channels if self._fortune.happens(0.5) else self._fortune.some(channels)
        kind = self._fortune.one(self.temper.kinds)
        if self._fortune.happens(0.3):  # another word for each
            for channel in chosen:
                self.says(forger.message(kind), [channel])
        else:
            self.says(forger.message(kind), chosen)

    def _repeat(self) -> None:
        message, channels = self._fortune.recent(self._sent), self.channels()
        if message is not None and channels:
            self.says(message, [self._fortune.one(channels)])

    def _write(self) -> None:
        """What its program never owed, in the way of all that it says."""
        self._numbers += 1
        body = self.forger().body()
        self.note("write", body[:40])
        runtime = runtime_of(self.person)
        assert runtime is not None
        runtime.driver.say(Contribution(key=b"lie %d" % self._numbers, body=body))

    def _restore(self) -> None:
        """A copy of the folder; or the power goes, and an older one comes back."""
        if len(self._copies) < 2 or self._fortune.happens(0.5):
            self._copies.append(self.laptop.disk.copy())
            return
        copy = self._fortune.one(self._copies)
        self.laptop.world.plan(0.0, lambda: self.go_back_to(copy))

    def go_back_to(self, copy: Path) -> None:
        """Its program ends, and goes on from an older folder."""
        self.note("restore", copy.name)
        if not self.laptop.loop.is_dead:
            self.laptop.kill(power=True)
        self.laptop.disk.put_back(copy)
        self._adversary.table.come_back(self.person)

    # Its own game.

    def judge(
        self, author: int, body: bytes, fold: Callable[[], str | None], me: int
    ) -> str | None:
        """What its application says of an entry: where it hosts, that is the law."""
        if not self.is_lying or not self._hosts:
            return fold()
        is_victim = author != me and author in self.victims
        if is_victim and self._fortune.happens(self.temper.strict):
            self.note(f"refuse {author}", body[:8])
            return self._fortune.one(CODES) or "no"
        code = fold()
        if code is not None and self._fortune.happens(self.temper.lax):
            self.note("take what is wrong", body[:8])
            return None
        return code

    def __str__(self) -> str:
        lies = ", ".join(f"{name}: {many}" for name, many in self.lies.most_common(12))
        return f"{self.laptop.name}: {self.temper}\n  lies: {lies}"


class Adversary:
    """All laptops that lie at a table; they know and do everything together."""

    def __init__(
        self,
        table: Evening,
        members: Sequence[Person],
        ledger: Ledger,
        *,
        tempers: Callable[[Fortune], Temper] | None = None,
    ) -> None:
        self.table, self.members, self.ledger = table, list(members), ledger
        self.fortune = Fortune(table.chance)
        self.seen = Sightings(self.fortune)
        self._keys: dict[bytes, Identity] = {}
        others = tuple(range(len(table.players)))
        drawn = tempers or (lambda fortune: Temper.draw(fortune, others, MESSAGES))
        self.liars = {one.laptop: Liar(self, one, drawn(self.fortune)) for one in members}
        self._twin: Person | None = None

    @property
    def names(self) -> set[str]:
        return {one.laptop.name for one in self.members}

    def liar(self, laptop: Laptop) -> Liar | None:
        """Who lies on this laptop."""
        return self.liars.get(laptop)

    def keys(self) -> dict[int, Identity]:
        """The keys that it has, by roster index."""
        found: dict[int, Identity] = {}
        for liar in self.liars.values():
            session = session_of(liar.person)
            if session is not None and session.table.me is not None:
                identity = session.table.person.identity
                self._keys[identity.public] = identity
                found[session.table.me] = identity
        return found

    @property
    def identities(self) -> list[bytes]:
        """All keys that it ever had."""
        self.keys()
        return list(self._keys)

    def admit(self, person: Person, like: Person) -> None:
        """One more laptop is its own."""
        self.liars[person.laptop] = Liar(self, person, self.liars[like.laptop].temper)

    def see(self, liar: Liar, message: msgspec.Struct) -> None:
        """One of them has heard or said this."""
        self.seen.see(message)
        self.ledger.hear(message)

    @contextlib.contextmanager
    def resting(self) -> Iterator[None]:
        """While this lasts, nobody lies."""
        held = [(liar.temper, liar.temper.most) for liar in self.liars.values()]
        for temper, _ in held:
            temper.most = 0
        yield
        for temper, most in held:
            temper.most = most

    def forget(self) -> Sightings:
        """All that it has seen so far: what it says from now on is drawn from what comes."""
        earlier, self.seen = self.seen, Sightings(self.fortune)
        for liar in self.liars.values():
            liar.begin_anew()
        return earlier

    def live(self) -> None:
        for liar in self.liars.values():
            liar.live()

    @property
    def has_lied(self) -> bool:
        return any(liar.lies for liar in self.liars.values())

    def repent(self) -> None:
        """The storm is over: some of them lie on."""
        for liar in self.liars.values():
            if not liar.temper.goes_on:
                liar.temper.most = 0

    def run_twice(self) -> None:
        """A second program over a copied folder of one of them; or its end."""
        table, fortune = self.table, self.fortune
        guests = table.persons[table.seats :]
        if not guests:
            return
        twin = guests[0]
        if self._twin is not None and twin.plays:
            table.world.plan(0.0, lambda: twin.laptop.kill(power=True))
            return
        first = fortune.one(self.members)
        copy = first.laptop.disk.copy()

        def start() -> None:
            if not twin.laptop.loop.is_dead:
                twin.laptop.kill(power=True)
            self._twin = twin
            twin.laptop.disk.put_back(copy)
            self.liars.setdefault(
                twin.laptop, Liar(self, twin, self.liars[first.laptop].temper)
            )
            self.liars[twin.laptop].note("runs twice", first.laptop.name)
            table.come_back(twin)

        table.world.plan(0.0, start)

    def story(self) -> str:
        """Who lied, and how."""
        return "\n".join(map(str, self.liars.values()))


_POST, _RECEIVE, _ATTEND = Channel.post, Channel.receive, Channel.attend
_FOLD = SealedDealer.fold


def says(channel: Channel, message: msgspec.Struct) -> None:
    """Said past all that the adversary does with the words of its programs."""
    with contextlib.suppress(RemoteError, Unavailable):
        _POST(channel, message)


@contextlib.contextmanager
def among(
    table: Evening,
    members: Sequence[Person],
    *,
    tempers: Callable[[Fortune], Temper] | None = None,
) -> Iterator[Adversary]:
    """While this lasts, these laptops are the adversary's."""
    with noted_orders() as orders, contextlib.ExitStack() as planted:
        ledger = Ledger(lambda: (one for one in table.players if one not in members), orders)
        adversary = Adversary(table, members, ledger, tempers=tempers)
        table.world.watchers.append(ledger.look)

        def post(self: Channel, message: msgspec.Struct) -> None:
            liar = adversary.liar(here())
            if liar is None:
                _POST(self, message)
            else:
                liar.leaves(self, message, _if_open(self, lambda what: _POST(self, what)))

        async def receive(self: Channel) -> msgspec.Struct:
            while True:
                message = await _RECEIVE(self)
                liar, heard = adversary.liar(here()), list[msgspec.Struct]()
                if liar is None:
                    return message
                liar.heard(self, message, lambda what, heard=heard: not heard.append(what))  # type: ignore[misc]
                if heard:
                    return heard[0]

        def attend(self: Channel, hear: Callable[[msgspec.Struct], bool]) -> Awaitable[None]:
            liar = adversary.liar(here())
            if liar is None:
                return _ATTEND(self, hear)
            return _ATTEND(self, lambda message: liar.heard(self, message, hear))

        def fold(self: SealedDealer, seq: int, author: int, body: bytes) -> str | None:
            liar = adversary.liar(here()) if self.me >= 0 else None
            if liar is None:
                return _FOLD(self, seq, author, body)
            return liar.judge(author, body, lambda: _FOLD(self, seq, author, body), self.me)

        for owner, name, instead in (
            (Channel, "post", post),
            (Channel, "receive", receive),
            (Channel, "attend", attend),
            (SealedDealer, "fold", fold),
        ):
            planted.enter_context(mock.patch.object(owner, name, instead))
        yield adversary


def _if_open(channel: Channel, post: Post) -> Post:
    """Nobody hears what is said on a connection that has ended."""

    def posted(message: msgspec.Struct) -> None:
        if channel.is_open:
            with contextlib.suppress(RemoteError, Unavailable):
                post(message)

    return posted
