"""An adversary before the match: any words of the lobby, at any time, on any connection.

Liars sit at the table, or host it. They say what comes to them on their own links, and on
connections to whoever listens, under their own keys and new ones. Meanwhile honest people come,
agree, change their minds and go, in any weather. Then the liars are honest, and there is to be
a match.
"""

from __future__ import annotations

import contextlib
from functools import partial

import msgspec
from msgspec import inspect

from citadels_p2p.match import Leave
from citadels_p2p.match.acts import Ready, SetBot
from citadels_p2p.match.news import TableNews
from protocol.errors import RemoteError, Unavailable
from protocol.identity.keys import Identity
from protocol.journal.genesis import make_genesis
from protocol.journal.statements import (
    MAX_TERMS,
    VERSION,
    Agreement,
    Signed,
    Terms,
    agree_to,
)
from protocol.messages import Join, Lobby
from protocol.messages import Ready as Agreed
from protocol.roster import Operator
from protocol.session.finding import dial_once
from protocol.wire.channel import Channel
from protocol.wire.codec import decode, encode
from tests.simulation.forgery import LOBBY, Facts, Forger
from tests.simulation.fortune import Fortune
from tests.simulation.temper import Temper
from tests.world import weather
from tests.world.adversary import MESSAGES, Adversary, Liar, says, session_of
from tests.world.evening import Evening
from tests.world.inquest import Inquest
from tests.world.liars import bearable, comes_to_an_end, with_liars
from tests.world.oracles import Wrong
from tests.world.person import Person, runtime_of

WORDS = tuple(
    kind
    for kind in MESSAGES
    if kind.__name__ in (*LOBBY, "JoinTogether", "TableOpened", "Entries", "Fault", "Spoken")
)
"""What means something in a lobby."""

FAULTS = ("cut", "one_way", "alone", "split", "lid", "slow_network", "busy")
"""What befalls laptops meanwhile."""

DOORS = 6
"""Connections of one liar besides its links, at most."""

MOST = 6
"""Laptops beside which there is a seat for a bot."""

LEFT_BEHIND = frozenset({"broke", "false_words", "stopped", "cheat", "malformed", "diverged"})
"""Why nobody honest goes where the host is honest too."""

AT_LAST = 240.0
"""Seconds in which a match begins once nobody lies: whoever was sent away comes again."""


class _Place:
    """A liar's place in a lobby, as a forger asks for it."""

    me = 0

    @property
    def machine(self) -> object:
        raise AssertionError("there is no journal in a lobby")


class LobbyForger(Forger):
    """Makes things up before there is a match: of the terms that it has seen."""

    def __init__(self, liar: Liar, adversary: Adversary) -> None:
        self._liar, self._adversary = liar, adversary
        super().__init__(
            _Place(),  # type: ignore[arg-type]  # nothing here asks for its machine
            {0: Identity.fresh()},
            adversary.seen,
            adversary.fortune,
            liar.temper.wildness,
        )

    @property
    def _own(self) -> Identity:
        return self._keys[0]

    def statement(self, name: str) -> Signed:
        """As any forger, or a beginning under its own key: of terms that were seen, with what
        others have signed.
        """
        beginning = self._beginning() if name == "ordered" else None
        return beginning or super().statement(name)

    def _beginning(self) -> Signed | None:
        content = self._terms()
        if self._fortune.happens(0.3):
            return None
        try:
            operators = decode(content, Terms, limit=MAX_TERMS).operators
        except RemoteError:
            return None
        agreed = []
        for one in operators:
            seen = Agreement(self._fortune.noise(16), bytes(64))
            nonce, signature = self._seen.value("nonce"), self._seen.value("signature")
            if isinstance(nonce, bytes) and isinstance(signature, bytes):
                seen = Agreement(nonce, signature)
            is_own = one.identity == self._own.public
            agreed.append(agree_to(content, self._own, bytes(16)) if is_own else seen)
        return make_genesis(self._own, content, tuple(agreed))

    def _facts(self) -> dict[str, object]:
        session, fortune = session_of(self._liar.person), self._fortune
        if session is None:
            return {"version": VERSION, **self._topic}
        self._keys = {0: session.table.person.identity}
        terms, listener = self._terms(), session.table.listener
        return {
            "version": VERSION,
            "table": session.table.id,
            "terms": terms,
            "ready": tuple(fortune.happens(0.5) for _ in range(fortune.number(0, 4))),
            "agreement": agree_to(terms, self._own, fortune.noise(16)),
            "identity": self._own.public,
            "addresses": () if listener is None else listener.addresses,
            **self._topic,
        }

    def _about(self, name: str) -> dict[str, object]:
        return {}

    def _next_counter(self) -> int:
        return 0

    def _integer(self, name: str, shape: inspect.IntType, facts: Facts) -> int:
        if shape.lt is not None:
            return self._fortune.number(0, 4)
        return super()._integer(name, shape, facts)

    def _wild(
        self, kind: type[msgspec.Struct], name: str, shape: inspect.Type, facts: Facts
    ) -> object:
        if isinstance(shape, inspect.StructType) and shape.cls is Agreement:
            return self._fortune.one((facts.get("agreement"), Agreement(bytes(16), bytes(64))))
        return super()._wild(kind, name, shape, facts)

    def _bytes(self, name: str, shape: inspect.BytesType, facts: Facts) -> bytes:
        return self._terms() if name == "terms" else super()._bytes(name, shape, facts)

    def _terms(self) -> bytes:
        """Terms that were seen; or the same but for something."""
        old, fortune = self._seen.value("terms"), self._fortune
        if not isinstance(old, bytes) or fortune.happens(0.4):
            return old if isinstance(old, bytes) else b""
        try:
            terms = decode(old, Terms, limit=MAX_TERMS)
            return encode(self._otherwise(terms))
        except (RemoteError, ValueError):
            return old

    def _otherwise(self, terms: Terms) -> Terms:
        fortune, operators, seats = self._fortune, list(terms.operators), list(terms.seats)
        at, seat = fortune.number(0, len(operators) - 1), fortune.number(0, len(seats) - 1)
        other = operators[at]
        match fortune.number(0, 9):
            case 0:
                del operators[at]
            case 1:
                operators.append(Operator(Identity.fresh().public, "Ghost", other.addresses))
            case 2:
                operators[at] = msgspec.structs.replace(other, addresses=())
            case 3:
                operators[at] = msgspec.structs.replace(other, identity=self._own.public)
            case 4:
                operators[at] = msgspec.structs.replace(
                    other, name=fortune.one(("", "Anna", other.name + " 2", "\u0410nna"))
                )
            case 5:
                fortune._chance.shuffle(operators)
            case 6:
                seats[seat] = fortune.one(seats)
            case 7:
                kind = fortune.one(("open", "bot", "taken"))
                operator = None if kind == "open" else at
                seats[seat] = msgspec.structs.replace(seats[seat], kind=kind, operator=operator)
            case 8:
                return msgspec.structs.replace(
                    terms, locked=not terms.locked, spectators=not terms.spectators
                )
            case _:
                return msgspec.structs.replace(
                    terms,
                    options=fortune.one((b"", terms.options[:-1], fortune.noise(8))),
                    table=fortune.one((terms.table, fortune.noise(16))),
                )
        return msgspec.structs.replace(terms, operators=tuple(operators), seats=tuple(seats))


class _Stranger:
    """What a liar does beside its own program's links: connections to whoever listens."""

    def __init__(self, liar: Liar, adversary: Adversary, honest: list[Person]) -> None:
        self._liar, self._adversary, self._honest = liar, adversary, honest
        self._doors: list[Channel] = []

    def knock(self) -> None:
        """One more connection, under one's own key or a new one."""
        fortune = self._adversary.fortune
        session = session_of(self._liar.person)
        theirs = session_of(fortune.one(self._honest))
        if session is None or theirs is None or theirs.table.listener is None:
            return
        addresses = theirs.table.listener.addresses
        if addresses and len(self._doors) < DOORS:
            own = session.table.person.identity
            identity = own if fortune.happens(0.5) else Identity.fresh()
            self._liar.note("knocks", addresses[0])
            self._liar.laptop.run(self._dial(addresses[0], identity))

    async def _dial(self, address: str, identity: Identity) -> None:
        with contextlib.suppress(Unavailable, RemoteError):
            channel = await dial_once(address, identity, "", None, 5.0)
            self._doors.append(channel)
            try:
                if self._adversary.fortune.happens(0.3):
                    says(channel, Join(VERSION, "Eve", ()))
                for _ in range(self._adversary.fortune.number(0, 3)):
                    self._say(channel)
                while True:
                    self._adversary.see(self._liar, await channel.receive())
            finally:
                self._doors.remove(channel)

    def speak(self) -> None:
        """A word on one of them; or it ends."""
        fortune = self._adversary.fortune
        doors = [one for one in self._doors if one.is_open]
        if not doors:
            return
        channel = fortune.one(doors)
        if fortune.happens(0.1):
            channel.abort()
        else:
            self._say(channel)

    def _say(self, channel: Channel) -> None:
        liar = self._liar
        if liar.lobby is not None:
            kind = self._adversary.fortune.one(liar.temper.kinds)
            liar.says(liar.lobby.message(kind), [channel])

    def go(self) -> None:
        for channel in self._doors:
            self._liar.laptop.loop.call(channel.abort)


def lobby_lies(table: Evening) -> None:
    """Any lies in the lobby; then there is a match after all."""
    chance = table.chance
    table.think(0.2)
    others = (-1, *range(table.seats))

    def temper(fortune: Fortune) -> Temper:
        drawn = Temper.draw(fortune, others, WORDS)
        drawn.restores = drawn.doubles = drawn.says = 0.0
        drawn.most = max(drawn.most, fortune.one((1, 10, 10**6)))
        drawn.goes_on = False
        return drawn

    count = chance.randint(1, bearable(table.seats))
    with with_liars(table, count, tempers=temper) as (adversary, inquest):
        see = adversary.see

        def look(liar: Liar, message: msgspec.Struct) -> None:
            """Also into the terms, and what others agree by."""
            see(liar, message)
            if isinstance(message, Agreed):
                adversary.seen.see(message.agreement)
            if isinstance(message, Lobby):
                with contextlib.suppress(RemoteError):
                    adversary.seen.see(decode(message.terms, Terms, limit=MAX_TERMS))

        adversary.see = look  # type: ignore[method-assign]
        strangers, trial = _lie(adversary, inquest), _Trial(table, inquest)
        # With a seat that stays open the lobby lasts; else the match begins beside the lies.
        seats = table.seats + (table.seats < MOST and chance.random() < 0.7)
        line, watcher = "--city 3 --away 10", None
        if chance.random() < 0.4:
            line, watcher = f"{line} --spectators", table.persons[table.seats]
        password = "tide" if chance.random() < 0.25 else ""
        table.sit_down(line, seats=seats, password=password)
        if watcher is not None:
            watcher.types("watch" + (" --locked" if password else ""), password=password)
        end = table.world.now + chance.choice((5.0, 15.0, 40.0))
        while table.world.now < end and not table.answers:
            table.wait(chance.uniform(0.2, 2.0))
            _live(table)
            if watcher is not None and watcher.code is not None:
                watcher.sits_down_again()
            trial.look()
        adversary.repent()
        for stranger in strangers:
            stranger.go()
        _begin_at_last(table, inquest, trial)
        comes_to_an_end(table, adversary, inquest)


def _lie(adversary: Adversary, inquest: Inquest) -> list[_Stranger]:
    """From now on, each as it is."""
    fortune, found = adversary.fortune, list[_Stranger]()
    for liar in adversary.liars.values():
        stranger = _Stranger(liar, adversary, inquest.honest)
        found.append(stranger)
        liar.lobby = liar.laptop.loop.call(partial(LobbyForger, liar, adversary))
        liar.live()
        for rate, deed in (
            (fortune.one((0.0, 0.5, 3.0)), stranger.knock),
            (fortune.one((0.5, 5.0, 50.0)), stranger.speak),
        ):
            if rate:
                liar.again(rate, deed)
    return found


def _live(table: Evening) -> None:
    """What people and the weather do meanwhile."""
    chance = table.chance
    for person in table.players:
        if person.code is not None and not person.laptop.loop.is_dead and chance.random() < 0.5:
            person.sits_down_again()
    person = chance.choice(table.players)
    shown = person.table if person.plays and not person.laptop.loop.is_asleep else None
    match chance.randint(0, 11):
        case 0 if shown is not None and not _has_begun(table):
            person.does(Leave())
        case 1 if shown is not None and not shown.hosting:
            person.does(Ready(agrees=False))
        case 2:
            name = chance.choice(FAULTS)
            seconds = weather.FAULTS[name](table, chance)
            table.world.note(None, "weather", f"{name}, {seconds:.1f} s")


def _has_begun(table: Evening) -> bool:
    return any(runtime_of(person) is not None for person in table.players)


class _Trial:
    """Whom honest people blame in a lobby, and why they go."""

    def __init__(self, table: Evening, inquest: Inquest) -> None:
        self._table, self._inquest = table, inquest
        self._seen: dict[Person, int] = {}

    def look(self) -> None:
        """Nobody honest goes because of somebody else who is honest."""
        honest = {one.laptop.name for one in self._inquest.honest}
        for person in (*self._inquest.honest, *self._table.persons[self._table.seats :]):
            if person.code is None or self._seen.get(person) == person.programs:
                continue
            self._seen[person] = person.programs
            reason = person.failed if person.bye is None else person.bye.reason
            self._table.world.note(person.laptop, "went", reason)
            told = [news for _, news in person.heard[person.since :]]
            hosts = [news.host for news in told if isinstance(news, TableNews)]
            host = hosts[-1] if hosts else self._table.players[0].laptop.name
            if host in honest and reason in LEFT_BEHIND:
                raise Wrong(f"accuracy: {person.laptop.name} leaves {host}: {reason}")


def _begin_at_last(table: Evening, inquest: Inquest, trial: _Trial) -> None:
    """Nobody lies any more, and the weather is clear: a match begins, or somebody honest has
    found out a liar.
    """
    chance, limit = table.chance, table.world.now + AT_LAST
    table.net.mend_all()
    table.world.plan(AT_LAST / 2, lambda: _all_go(table))
    while not table.answers and not any(map(inquest.exposes, inquest.honest)):
        if table.world.now > limit:
            states = {one.laptop.name: (one.bye or one.failed) for one in table.players}
            raise Wrong(f"no match begins: {states}")
        table.wait(1.0)
        trial.look()
        if _has_begun(table):
            continue
        for person in table.players:
            if person.code is not None:
                person.sits_down_again()
            elif person.table is not None and chance.random() < 0.1:
                if person.table.host_gone:  # it has opened another one perhaps
                    person.does(Leave())
                person.attend()  # a word of it may have been lost
        _fill(table)


def _all_go(table: Evening) -> None:
    """They sit at two tables, and each waits for the others: they begin again."""
    for person in table.players:
        if not _has_begun(table) and person.plays:
            person.does(Leave())


def _fill(table: Evening) -> None:
    """Once all are there, the host puts a bot on the seat that is open."""
    host = table.players[0]
    if host.table is None or host.state is not None or not host.table.hosting:
        return
    taken = {seat.name for seat in host.table.seats if seat.kind == "human"}
    free = [seat.seat for seat in host.table.seats if seat.kind == "open"]
    if free and taken == {person.laptop.name for person in table.players}:
        host.does(SetBot(free[0], "easy"))
