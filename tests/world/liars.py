"""Scenes with an adversary among honest laptops: any lies at random, and the named ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from unittest import mock

import msgspec

from citadels_p2p.match import Hurry
from citadels_p2p.match.acts import OnceMore
from protocol.cards.escrow import threshold
from protocol.identity.keys import Identity
from protocol.journal.chain import Chain
from protocol.journal.genesis import make_genesis
from protocol.journal.statements import (
    DOMAIN_REFUSAL,
    DOMAIN_VOTE,
    Authored,
    Refusal,
    Seat,
    Signed,
    Vote,
    agree_to,
    authored_hash,
    quorum,
    sign,
)
from protocol.messages import (
    Acked,
    Audience,
    Commit,
    Denied,
    Elected,
    Entries,
    Fault,
    Follow,
    Heartbeat,
    History,
    Leave,
    Lobby,
    Refused,
    RequestVote,
    Segment,
    Spoken,
    Status,
    Submit,
    TrialVote,
    Voted,
    Witness,
)
from protocol.replication.catching_up import answer
from protocol.session import lobby, spectating
from protocol.session.access import Access
from protocol.session.lobby import HostedLobby
from protocol.session.lobby_host import LobbyHost
from protocol.session.person import Person as Keeper
from protocol.wire.channel import Channel
from tests.simulation.fortune import Fortune
from tests.simulation.sightings import read
from tests.simulation.temper import Temper
from tests.world import policies, weather
from tests.world.adversary import Adversary, Liar, Post, among, says, session_of
from tests.world.evening import Evening
from tests.world.inquest import LONGEST, Inquest
from tests.world.oracles import Wrong
from tests.world.person import Person, dealer_of
from tests.world.policies import part, place_of

FAULTS = ("cut", "one_way", "alone", "split", "lid", "program", "power", "slow_network", "busy")
"""What befalls laptops while some of them lie."""


LATE = 24.0
"""Seconds for which somebody is kept behind: longer than an earlier program looked into
anything."""

BEGINS = 60.0
"""Seconds in which a match has begun, unless a liar keeps it from that: no honest laptop can
make another one ready, or make its keys.
"""

PATIENCE = 20.0
"""Seconds for which an honest person waits for somebody's decision."""


def bearable(laptops: int) -> int:
    """So many may lie: the others are a majority, and enough to stand in for them."""
    needed = threshold(laptops) or laptops
    return max(1, min(laptops - quorum(laptops), laptops - needed))


@contextmanager
def with_liars(
    table: Evening,
    count: int = 1,
    *,
    host: bool | None = None,
    silent: bool = False,
    calm: bool = False,
    tempers: Callable[[Fortune], Temper] | None = None,
) -> Iterator[tuple[Adversary, Inquest]]:
    """So many of the players lie, and what must be true is looked at. `silent`: they do
    nothing of themselves. `tempers` draws what else they are like.
    """
    chance = table.chance
    guests = table.players[1:]
    hosts = chance.random() < 0.4 if host is None else host
    members: list[Person] = table.players[:1] if hosts else []
    members += chance.sample(guests, count - len(members))
    drawn = (lambda _: Temper(most=0)) if silent else tempers
    with among(table, members, tempers=drawn) as adversary:
        inquest = Inquest(table, adversary, calm=calm)
        try:
            yield adversary, inquest
        except Exception as problem:
            raise Wrong(f"{problem}\n{adversary.story()}") from problem


def swarm(table: Evening) -> None:
    """Any lies, in any weather, and perhaps one of `policies`; then a clear sky, under which
    some go on lying.
    """
    chance, policy = table.chance, _policy(table.world.seed)
    table.think(chance.choice((0.2, 1.0)))
    count = chance.randint(1, bearable(table.seats))
    if policy == "goodbyes" and not policies.may_play_twice(table.seats, count):
        policy = "whispers"
    hosts = True if policy in ("goodbyes", "forges") else None
    with with_liars(table, count, host=hosts) as (adversary, inquest):
        if policy == "recalls":
            earlier = policies.another_evening(table, adversary)
            inquest.begin_again()
        line = f"--city 3 --away {chance.choice((5, 10, 20))}"
        if chance.random() < 0.3:
            line += f" --step-time {chance.choice((10, 30))}"
        since, end = table.answers, table.world.now + BEGINS
        table.sit_down(line)
        table.until(lambda: table.answers > since or table.is_ending or table.world.now > end)
        if not (table.answers > since or table.is_ending or adversary.has_lied):
            raise Wrong("nobody is asked, though nobody has lied")
        table.wait(chance.choice((0.5, 3.0, 10.0)))
        match policy:
            case "whispers":
                policies.whispers(table, adversary)
            case "forges":
                policies.forges(table, adversary)
            case "recalls":
                policies.recalls(adversary, earlier)
            case "goodbyes":
                policies.play_twice(table, adversary, inquest, goodbye=True)
        adversary.live()
        until = table.world.now
        for _ in range(chance.choice((0, 1, 1, 2, 3))):
            table.wait(chance.uniform(0.5, 8.0))
            name = chance.choice(FAULTS)
            seconds = weather.FAULTS[name](table, chance)
            table.world.note(None, "weather", f"{name}, {seconds:.1f} s")
            until = max(until, table.world.now + seconds)
        table.wait(max(until - table.world.now, 0.0) + chance.choice((5.0, 20.0)))
        adversary.repent()
        comes_to_an_end(table, adversary, inquest)


def _policy(seed: str) -> str:
    """What this seed does besides, "" for nothing; of a chance of its own."""
    names = ("", "", "", "", "whispers", "forges", "recalls", "goodbyes")
    return Random(f"{seed}/policy").choice(names)


def comes_to_an_end(table: Evening, adversary: Adversary, inquest: Inquest) -> str:
    """Under a clear sky, until everybody honest knows what came of it."""
    inquest.look()  # before anybody is back
    table.net.mend_all()
    for person in table.players:
        is_gone = person.code is not None and person in inquest.honest
        if (person.laptop.loop.is_dead or is_gone) and person.over is None:
            table.come_back(person)  # who has found somebody out alone tells the others
    table.wait(2.0)
    inquest.clear()
    end = table.world.now + LONGEST
    while not inquest.is_decided() and table.world.now < end:
        table.wait(1.0)
        if inquest.stands > PATIENCE:
            for person in inquest.honest:
                if dealer_of(person) is not None:
                    person.does(Hurry())
            table.wait(PATIENCE / 4)
    if any(map(inquest.exposes, inquest.honest)):
        table.wait(20.0)
    verdict = inquest.judge()
    table.world.note(None, "came to", verdict)
    return verdict


# The named ones: each did what it does here to laptops of an earlier program.


def ghosts(table: Evening) -> None:
    """R1: a host counts a laptop of its own at which nobody sits; a bot is shown there."""
    with (
        with_liars(table, host=True, silent=True, calm=True) as (adversary, inquest),
        mock.patch.object(lobby, "open_terms", return_value=None),
    ):
        table.think(0.2)
        anna, ghost = table.players[0], table.persons[table.seats]
        adversary.admit(ghost, anna)
        table.sit_down(seats=table.seats + 1)
        table.joins(ghost)
        for person in table.players:
            person.attends = False
        table.until(lambda: ghost.table is not None)
        session = session_of(anna)
        assert session is not None
        host = session.lobby
        assert isinstance(host, LobbyHost)
        place = next(
            n for n, seat in enumerate(host.room._seats) if seat.name == ghost.laptop.name
        )

        def swap() -> None:
            host.room._seats[place] = Seat(kind="bot", name="Bot", operator=0, level="easy")
            host.room._changed()
            host.changed()

        anna.laptop.loop.call(swap)
        adversary.liars[anna.laptop].note("ghost")
        table.wait(1.0)
        for person in (*table.players, ghost):
            person.attend()
        table.wait(20.0)
        inquest.judge(bound=False)  # what a lobby comes to is its people's to say


def false_words(table: Evening) -> None:
    """A host makes up what somebody says in its lobby: its guests go, all by its own doing."""
    with with_liars(table, host=True, silent=True, calm=True) as (adversary, inquest):
        anna = table.players[0]
        for person in table.players:
            person.attends = False
        table.sit_down()
        table.until(
            lambda: all(
                one.table is not None and all(seat.kind != "open" for seat in one.table.seats)
                for one in table.players
            )
        )
        liar = adversary.liars[anna.laptop]
        liar.note("false words")

        def lie() -> None:
            for channel in liar.channels():
                says(channel, Spoken(Signed(b"nothing", bytes(64))))

        anna.laptop.loop.call(lie)
        table.until(lambda: all(one.code is not None for one in inquest.honest))
        inquest.judge(bound=False)


def hangs_up(table: Evening) -> None:
    """A host breaks every link as soon as it has shown its lobby on it: nobody runs after it
    without a pause, nor is told of it without end.
    """
    with (
        with_liars(table, host=True, silent=True, calm=True) as (adversary, inquest),
        mock.patch.object(Access, "sits_too_often", return_value=False),
    ):
        anna = table.players[0]
        liar = adversary.liars[anna.laptop]

        def tongue(channel: Channel, message: msgspec.Struct, post: Post) -> bool:
            if not isinstance(message, Lobby):
                return False
            liar.note("hangs up")
            post(message)
            anna.laptop.loop.call_later(0.01, channel.abort)
            return True

        liar.tongue = tongue
        table.sit_down(seats=table.seats + 1)  # and nobody comes for the last
        table.wait(60.0)
        told = max(one.notices("host_gone") for one in inquest.honest)
        if not 5 < told < 60:
            raise Wrong(f"pace: a host that hangs up is told of {told} times in a minute")
        inquest.judge(bound=False)


def ghost_once_more(table: Evening) -> None:
    """R6: once more, and the host lets a laptop of its own take the place of a bot. Programs
    agree by themselves to the same people alone; and nobody here agrees by hand.
    """
    with with_liars(table, host=True, silent=True, calm=True) as (adversary, inquest):
        anna, ghost = table.players[0], table.persons[table.seats]
        adversary.admit(ghost, anna)
        anna.matches = 2
        table.sit_down("--city 3 --bots 1 --away 30", seats=table.seats + 1)
        table.until(lambda: all(one.over is not None for one in table.players))

        def has_opened() -> bool:
            session = session_of(anna)
            return session is not None and isinstance(session.lobby, LobbyHost)

        table.until(has_opened)

        def swap() -> None:
            session = session_of(anna)
            assert session is not None
            host = session.lobby
            assert isinstance(host, LobbyHost)
            place = next(n for n, seat in enumerate(host.room._seats) if seat.kind == "bot")
            host.room.open_seat(place)
            host.changed()

        anna.laptop.loop.call(swap)
        adversary.liars[anna.laptop].note("ghost")
        table.joins(ghost)
        table.wait(2.0)
        for person in inquest.honest:
            person.attends = False
            person.does(OnceMore())
        table.wait(15.0)
        if any(dealer_of(one) is not None for one in inquest.honest):
            raise Wrong("trust: a program agrees by itself to other people than before")


def plays_twice(table: Evening) -> None:
    """Row 2: nobody changes a program. All members copy their folders, and play on with each
    part of the others.
    """
    needed = threshold(table.seats) or table.seats
    with with_liars(table, 2 * needed - table.seats, silent=True) as (adversary, inquest):
        table.think(0.2)
        table.sit_down("--city 3 --away 5")
        table.begun()
        table.wait(table.chance.uniform(0.5, 12.0))
        policies.play_twice(table, adversary, inquest)
        comes_to_an_end(table, adversary, inquest)


def gives_way(table: Evening) -> None:
    """Row 2, where the two halves find each other late: who gives way is the only one that can
    show who has forgotten.
    """
    needed = threshold(table.seats) or table.seats
    with with_liars(table, 2 * needed - table.seats, silent=True) as (adversary, inquest):
        table.think(1.0)
        table.sit_down("--city 8 --away 5")
        table.begun()
        cut = table.seats - needed
        ones, others = inquest.honest[:-cut], inquest.honest[-cut:]
        policies.plays_on_twice(table, adversary, ones, others, lambda: table.wait(20.0))
        table.wait(20.0)
        policies.meet(table, adversary.members, ones)
        table.until(lambda: any(one.notices("diverged") for one in inquest.honest))
        table.wait(table.chance.uniform(1, 8))
        policies.meet(table, ones, others)
        table.wait(20.0)
        if not all(one.notices("suspected") for one in inquest.honest):
            raise Wrong("spreading: who is met late does not learn who plays twice")
        comes_to_an_end(table, adversary, inquest)


def caught(table: Evening) -> None:
    """Row 3: a host refuses what stands. Once somebody names it, it says to all that the match
    is over, and goes; and one of the others was never shown what the proof is about.
    """
    with _vetoes(table, never=True) as (adversary, inquest, liar):
        anna = table.players[0]

        def ear(_channel: Channel, message: msgspec.Struct) -> bool:
            if isinstance(message, Fault) and not liar.lies["found out"]:
                liar.note("found out")
                for one in liar.channels():
                    says(one, Leave("finished"))
                table.world.plan(0.05, lambda: anna.laptop.kill(power=True))
            return False

        liar.ear = ear
        table.wait(20.0)
        exposing = sum(map(inquest.exposes, inquest.honest))
        if exposing < len(inquest.honest) and liar.lies:
            what = "a goodbye hides who was caught" if exposing else "nobody finds it out"
            raise Wrong(f"blame: {what}")
        comes_to_an_end(table, adversary, inquest)


def held_back(table: Evening) -> None:
    """Row 4, R3: it says nothing of that, and one of the others is kept far behind,
    while the laptop of who has found it out goes dark.
    """
    with _vetoes(table, never=False) as (adversary, inquest, liar):
        bert, carla = table.players[1], table.players[2]
        inquest.ill.add(bert.laptop.name)

        life = bert.laptop.loop  # it goes dark once, and comes back to the others

        def ear(_channel: Channel, message: msgspec.Struct) -> bool:
            if isinstance(message, Fault) and bert.laptop.loop is life and bert.plays:
                table.world.plan(0.0, lambda: bert.laptop.kill(power=True))
            return isinstance(message, Fault)  # its own program plays on

        liar.ear = ear
        end = table.world.now + 30
        while bert.plays and not table.is_ending and table.world.now < end:
            table.wait(0.1)
        if bert.plays:
            return
        table.wait(LATE + 10.0)
        if not inquest.exposes(carla):
            raise Wrong("blame: a review that had begun was dropped with its teller")
        comes_to_an_end(table, adversary, inquest)


@contextmanager
def _vetoes(table: Evening, *, never: bool) -> Iterator[tuple[Adversary, Inquest, Liar]]:
    """The host refuses what Bert says, and Carla hears late of what comes now, or `never`."""
    with with_liars(table, host=True, silent=True, calm=True) as (adversary, inquest):
        anna = table.players[0]
        liar = adversary.liars[anna.laptop]
        table.sit_down("--city 3 --away 10")
        table.begun()
        table.wait(table.chance.uniform(0.5, 4.0))

        def tongue(channel: Channel, message: msgspec.Struct, post: Post) -> bool:
            if not liar.is_playing or liar.index_of(channel) != place_of(table.players[2]):
                return False
            if isinstance(message, Entries | Commit | Witness | History | Acked | Refused):
                if not never:
                    anna.laptop.loop.call_later(LATE, post, message)
                return True
            return isinstance(message, Segment)

        liar.tongue = tongue
        liar.temper.most, liar.temper.strict = 10**6, 0.3
        liar.victims = frozenset((place_of(table.players[1]),))
        yield adversary, inquest, liar


def finished_in_its_turn(table: Evening) -> None:
    """R2: a guest says in its own turn that it has finished, and shuts its lid for good."""
    with with_liars(table, host=False, silent=True, calm=True) as (adversary, inquest):
        (one,) = adversary.members
        _says_finished(table, adversary, inquest, one, in_its_turn=True)


def finished_by_the_host(table: Evening) -> None:
    """The same of a host, to whom nobody has to listen: it was sent home with 0."""
    with with_liars(table, host=True, silent=True, calm=True) as (adversary, inquest):
        (one,) = adversary.members
        _says_finished(table, adversary, inquest, one, in_its_turn=False)


def _says_finished(
    table: Evening, adversary: Adversary, inquest: Inquest, one: Person, *, in_its_turn: bool
) -> None:
    liar = adversary.liars[one.laptop]
    table.sit_down("--city 3 --away 5")
    table.some_way()
    one.attends = False
    end = table.world.now + 60
    while in_its_turn and not (one.asked or table.is_ending) and table.world.now < end:
        table.wait(0.5)

    def say() -> None:
        liar.note("finished")
        for channel in liar.channels():
            says(channel, Leave("finished"))

    if not liar.is_playing or table.is_ending:
        return
    one.laptop.loop.call(say)
    table.wait(0.01)
    one.laptop.close_lid(10**6)
    table.wait(15.0)  # nobody has to hurry who is not here
    if not table.is_ending and not all(x.notices("away") for x in inquest.honest):
        raise Wrong("liveness: who said that it has finished is missed by nobody")
    if comes_to_an_end(table, adversary, inquest) != "done":
        raise Wrong("liveness: the match waits for who said that it has finished")


def codes_in_the_middle(table: Evening) -> None:
    """R5, R7: codes, refusals and numbers cost their speaker a link at most."""
    with with_liars(table, silent=True, calm=True) as (adversary, inquest):
        (one,) = adversary.members
        liar = adversary.liars[one.laptop]
        table.sit_down("--city 3")
        words = (
            Leave("left"),
            Denied("elsewhere"),
            Audience(9),
            Leave("kicked"),
            Denied("full"),
        )
        for word in words:
            table.some_way(1, 4)
            for channel in liar.channels():
                liar.says(word, [channel])
        if comes_to_an_end(table, adversary, inquest) != "done":
            raise Wrong("trust: a word outside the journal has stopped the match")


def two_beginnings(table: Evening) -> None:
    """R4: a host signs one beginning of the table for one guest, and another for the rest."""
    with with_liars(table, host=True, silent=True, calm=True) as (adversary, inquest):
        anna = table.players[0]
        liar = adversary.liars[anna.laptop]
        victim = table.chance.randrange(1, table.seats)
        rooms: list[HostedLobby] = []

        def tongue(channel: Channel, message: msgspec.Struct, post: Post) -> bool:
            session = session_of(anna)
            if session is None:
                return False
            if isinstance(session.lobby, LobbyHost):
                rooms[:] = [session.lobby.room]
            match message:
                case Entries((first,)) if session.table.index_of(channel.peer) == victim:
                    if Chain(first).head == 0 and not liar.lies["another beginning"]:
                        liar.note("another beginning")
                        post(Entries((_begun_again(rooms[0], session.table.person.identity),)))
                        return True
            return False

        liar.tongue = tongue
        table.sit_down("--city 3 --away 5")
        table.wait(15.0)
        if not all(map(inquest.exposes, inquest.honest)):
            raise Wrong("blame: not everybody names who has signed two beginnings")
        comes_to_an_end(table, adversary, inquest)


def _begun_again(room: HostedLobby, key: Identity) -> Signed:
    """The beginning of this table, with another nonce of its host's."""
    terms = room.terms
    held = [one.agreement for one in room._guests if one.agreement is not None]
    return make_genesis(key, terms, (agree_to(terms, key, bytes(16)), *held))


def sent_away_as_it_begins(table: Evening) -> None:
    """A host sends a guest away in the place of the first entry: the others bring it."""
    with with_liars(table, host=True, silent=True, calm=True) as (adversary, inquest):
        anna = table.players[0]
        liar = adversary.liars[anna.laptop]
        victim = table.chance.randrange(1, table.seats)
        codes = Leave("kicked"), Leave("closed"), Denied("full"), Denied("no_spectators")
        word = table.chance.choice(codes)

        def tongue(channel: Channel, message: msgspec.Struct, post: Post) -> bool:
            session = session_of(anna)
            match message:
                case Entries((first,)) if session is not None and not liar.lies["sends away"]:
                    if session.table.index_of(channel.peer) == victim and not Chain(first).head:
                        liar.note("sends away")
                        post(word)
                        return True
            return False

        liar.tongue = tongue
        table.sit_down("--city 3")
        if comes_to_an_end(table, adversary, inquest) != "done":
            raise Wrong("seams: a host alone has kept somebody out who had agreed")


def elsewhere(table: Evening) -> None:
    """R5: a liar answers everybody's *meet* that another program has the key."""
    with with_liars(table, silent=True, calm=True) as (adversary, inquest):
        (one,) = adversary.members
        table.sit_down("--city 3 --away 5")
        table.some_way()
        session = session_of(one)
        if session is not None and session.match is not None:
            code = table.chance.choice(("elsewhere", "replaced"))
            session.match.mesh.programs.refuse = lambda *_, **__: code  # type: ignore[method-assign]
            for channel in adversary.liars[one.laptop].channels():
                one.laptop.loop.call(channel.abort)
            adversary.liars[one.laptop].note(code)
        comes_to_an_end(table, adversary, inquest)


def unlocks(table: Evening) -> None:
    """R8: a host says to all how many watch, and dies; nobody gets in without the password,
    whatever its own program thinks of locks.
    """
    show = spectating.show_password

    async def shown(channel: Channel, status: Status, person: Keeper) -> None:
        if person.password is not None:
            await show(channel, status, person)

    with (
        with_liars(table, host=True, silent=True, calm=True) as (adversary, inquest),
        mock.patch.object(spectating, "show_password", shown),
    ):
        anna, stranger = table.players[0], table.persons[table.seats]
        table.sit_down("--city 3 --away 5 --spectators", password="seven owls")
        table.some_way()
        liar = adversary.liars[anna.laptop]

        def say() -> None:
            for channel in liar.channels():
                says(channel, Audience(9))

        if liar.is_playing:
            anna.laptop.loop.call(say)
            liar.note("unlocks")
        table.wait(0.3)
        anna.laptop.kill(power=True)
        table.wait(8.0)
        stranger.types("watch")
        table.wait(8.0)
        if stranger.table is not None:
            raise Wrong("trust: a stranger without the password looks on")
        comes_to_an_end(table, adversary, inquest)


def withheld_words(table: Evening) -> None:
    """R9: a host keeps back an honest player's words, and its heart beats on."""
    with with_liars(table, host=True, silent=True, calm=True) as (adversary, inquest):
        anna = table.players[0]
        victim = table.chance.choice(inquest.honest)
        table.sit_down("--city 3 --away 4")
        table.some_way()
        liar = adversary.liars[anna.laptop]

        def ear(channel: Channel, message: msgspec.Struct) -> bool:
            if not liar.is_playing or not isinstance(message, Submit):
                return False
            if not liar.lies["withholds"]:
                liar.note("withholds")
            said = read(message.authored)
            return said is not None and getattr(said[1], "author", None) == place_of(victim)

        liar.ear = ear
        table.wait(30.0)
        comes_to_an_end(table, adversary, inquest)


def of_another_match(table: Evening) -> None:
    """R13: a host orders a word, and sends its author a refusal signed for another match."""
    with with_liars(table, host=True, silent=True, calm=True) as (adversary, inquest):
        anna = table.players[0]
        liar = adversary.liars[anna.laptop]

        victim = table.chance.choice(inquest.honest)

        def tongue(channel: Channel, message: msgspec.Struct, post: Post) -> bool:
            is_theirs = liar.index_of(channel) == place_of(victim)
            if isinstance(message, Entries) and liar.is_playing and is_theirs:
                post(message)
                _refuse_too(liar, channel, message, post)
                return True
            return False

        table.sit_down("--city 3 --away 10")
        table.some_way()
        liar.tongue = tongue
        comes_to_an_end(table, adversary, inquest)


def _refuse_too(liar: Liar, channel: Channel, message: Entries, post: Post) -> None:
    session, to = session_of(liar.person), liar.index_of(channel)
    for signed in message.entries:
        order = read(signed)
        said = order and read(Signed(order[1].authored, order[1].signature))  # type: ignore[attr-defined]
        if session is None or not said or not isinstance(said[1], Authored):
            continue
        if said[1].author == to:
            chain = liar.machine.replica.chain
            word = Refusal(
                bytes(32),
                liar.machine.term,
                to,
                said[1].counter,
                authored_hash(order[1].authored),  # type: ignore[index, attr-defined]
                chain.head,
                chain.hash_at(chain.head),
                "no",
            )
            liar.note("refuses too")
            post(Refused(sign(session.table.person.identity, DOMAIN_REFUSAL, word)))


def shown_before_the_vote(table: Evening) -> None:
    """A host keeps Bert behind, who hears nobody else. It would have him for host; and once he
    is voted for, it shows him all that it has kept back, and then votes for what he had.
    """
    with with_liars(table, host=True, silent=True, calm=True) as (adversary, inquest):
        anna, bert = table.players[0], table.players[1]
        inquest.ill.add(bert.laptop.name)
        liar = adversary.liars[anna.laptop]
        table.sit_down("--city 3 --away 30")
        table.some_way()
        asked: list[RequestVote] = []

        def keeps_back(channel: Channel, message: msgspec.Struct, post: Post) -> bool:
            if not liar.is_playing or liar.index_of(channel) != place_of(bert):
                return False
            if isinstance(message, TrialVote):
                post(msgspec.structs.replace(message, granted=True))
                return True
            return isinstance(message, Entries | Commit | Witness | History | Acked | Elected)

        def votes(channel: Channel, message: msgspec.Struct) -> bool:
            if not liar.is_playing or liar.index_of(channel) != place_of(bert):
                return False
            match message:
                case RequestVote(trial=False):
                    asked[:] = [message]
                    return True
                case Follow(term=0) if asked:
                    request = asked.pop()
                    shown = answer(liar.machine.replica, message)
                    vote = Vote(
                        liar.machine.replica.chain.genesis.digest,
                        request.term,
                        liar.me,
                        place_of(bert),
                        request.seq,
                        request.hash,
                    )
                    liar.note("shows it, and votes")
                    signed = sign(adversary.keys()[liar.me], DOMAIN_VOTE, vote)
                    for one in (*shown, Voted(signed)):
                        says(channel, one)
                    return True
            return False

        liar.tongue, liar.ear = keeps_back, votes
        part(table, [bert], table.players[2:])
        end = table.world.now + 40
        while not liar.lies and not table.is_ending and table.world.now < end:
            table.wait(0.5)
        table.wait(1.0)
        liar.tongue, liar.ear = (lambda *_: False), (lambda *_: False)
        comes_to_an_end(table, adversary, inquest)


def never_decides(table: Evening) -> None:
    """R14: somebody stays linked and never decides; its program does not do so for it."""
    with with_liars(table, silent=True, calm=True) as (adversary, inquest):
        (one,) = adversary.members
        table.sit_down("--city 3 --away 5 --step-time 10")
        table.some_way()
        one.attends = False
        dealer = dealer_of(one)
        if dealer is not None:
            dealer.persons.is_newly_late = lambda *_: False  # type: ignore[method-assign]
            adversary.liars[one.laptop].note("never decides")
        comes_to_an_end(table, adversary, inquest)
        if not inquest.forks and any(x.over is None for x in inquest.honest):
            raise Wrong("liveness: the others wait for who never decides")


def invented_terms(table: Evening) -> None:
    """R16: a liar's heart beats in terms of its own invention."""
    with with_liars(table, host=False, silent=True, calm=True) as (adversary, inquest):
        (one,) = adversary.members
        liar = adversary.liars[one.laptop]
        table.sit_down("--city 3 --away 10")
        table.some_way()

        def tongue(_channel: Channel, message: msgspec.Struct, post: Post) -> bool:
            if isinstance(message, Heartbeat) and liar.is_playing:
                liar.note("invents a term")
                invented = message.term + 1 + table.chance.randrange(400)
                post(msgspec.structs.replace(message, term=invented, hosting=False))
                return True
            return False

        liar.tongue = tongue
        comes_to_an_end(table, adversary, inquest)


def led_astray(table: Evening) -> None:
    """A host asks one guest alone for votes in terms far ahead, and is heard no more."""
    with with_liars(table, host=True, silent=True, calm=True) as (adversary, inquest):
        anna, victim = table.players[0], table.chance.choice(inquest.honest)
        liar = adversary.liars[anna.laptop]
        table.sit_down("--city 3 --away 10")
        table.some_way()
        ahead = table.chance.choice((600, 1000))

        def ask() -> None:
            session, machine = session_of(anna), liar.machine
            channel = session and session.links.of(session.table.identities[place_of(victim)])
            if channel is None:
                return
            chain = machine.replica.chain
            for step in range(1, 4):
                liar.note("asks far ahead")
                term = machine.term + step * ahead
                asked = RequestVote(
                    term, chain.term, chain.head, chain.hash_at(chain.head), False
                )
                anna.laptop.world.plan(0.6 * step**2, partial(says, channel, asked))

        anna.laptop.loop.call(ask)
        table.wait(8.0)
        anna.laptop.close_lid(600.0)
        comes_to_an_end(table, adversary, inquest)
        if any(one.over is None for one in inquest.honest):
            raise Wrong("liveness: the others elect nobody")


SCENES: dict[str, Callable[[Evening], None]] = {
    scene.__name__: scene
    for scene in (
        swarm,
        ghosts,
        false_words,
        hangs_up,
        ghost_once_more,
        plays_twice,
        gives_way,
        caught,
        held_back,
        finished_in_its_turn,
        finished_by_the_host,
        codes_in_the_middle,
        two_beginnings,
        sent_away_as_it_begins,
        elsewhere,
        unlocks,
        withheld_words,
        of_another_match,
        shown_before_the_vote,
        never_decides,
        invented_terms,
        led_astray,
    )
}
