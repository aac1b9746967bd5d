"""What is said outside the journal describes its speaker's own link, and nothing else.

Each attack is what a changed program does to unmodified ones, over real connections.
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest
from msgspec.structs import replace

from protocol import (
    Advanced,
    Began,
    Closed,
    Elsewhere,
    Failed,
    Hosted,
    LobbyChanged,
    Node,
    NodeEvent,
    PeerBack,
    PeerLeft,
    Person,
    Reconnecting,
)
from protocol.errors import (
    Equivocation,
    Failure,
    Malformed,
    ProtocolError,
    RemoteError,
    Seatless,
    Unavailable,
)
from protocol.identity.keys import Identity
from protocol.journal.chain import Chain
from protocol.journal.evidence import prove_alone
from protocol.journal.genesis import make_genesis, open_terms
from protocol.journal.statements import Signed, agree_to
from protocol.messages import (
    DENIALS,
    GOODBYES,
    Audience,
    Denied,
    Entries,
    Join,
    Leave,
    Lobby,
    Meet,
    Message,
    Witness,
)
from protocol.roster import MAX_ADDRESSES, Operator
from protocol.session.finding import dial_once
from protocol.session.lobby import HostedLobby, _Guest
from protocol.session.lobby_host import LobbyHost
from protocol.session.match_session import MatchSession
from protocol.session.may_say import MAY_CHANGE, MAY_SAY
from protocol.session.speakers import Change, Phase, Speaker
from protocol.wire.channel import Channel
from protocol.wire.codec import encode
from tests.protocol.gathering import (
    PACE,
    Company,
    HighCardNode,
    company,
    crash,
    here,
    link,
    lobby_guest,
    match_of,
    operator,
    over,
    until,
)
from tests.protocol.gathering import (
    play as play_indoors,
)
from tests.protocol.gathering import (
    play_live as play,
)
from tests.protocol.high_card import HighCard
from tests.protocol.session.test_may_say import EVERY

pytestmark = pytest.mark.played(by=play)


def lobby_of(node: HighCardNode) -> LobbyHost:
    lobby = operator(node).lobby
    assert isinstance(lobby, LobbyHost)
    return lobby


def let_in(room: HostedLobby, ghost: Identity, name: str = "Carla") -> None:
    """A changed host counts an operator of its own, at whose laptop nobody sits."""
    room._guests.append(_Guest(Operator(ghost.public, name)))


# R1: ghosts.


async def test_a_guest_goes_from_a_table_with_a_laptop_at_which_nobody_sits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.session.lobby.open_terms", lambda content: None)
    async with company(tmp_path, 2) as table:
        host, guest = table.nodes
        lobby = lobby_of(host)
        let_in(lobby.room, Identity.fresh())
        lobby.room._changed()
        lobby.changed()
        problem = (await until(guest, Failed)).problem
        assert isinstance(problem, Seatless)
        assert problem.culprit == table.identities[0].public


@pytest.mark.parametrize("called", ["Guest 1", "Eve"])
@pytest.mark.parametrize("index", [0, 1])
async def test_a_guest_goes_from_a_table_with_a_laptop_under_another_name(
    tmp_path: Path, index: int, called: str
) -> None:
    """A host sat there as Anna, and its laptop was called after a guest: whatever it did then,
    the guest was said to have cheated.
    """
    async with company(tmp_path, 3) as table:
        host, guest, _ = table.nodes
        lobby = lobby_of(host)
        room, guests = lobby.room, lobby.room._guests
        if index == 0:
            room._host = replace(room._host, name=called)
        else:
            operator = replace(guests[1].operator, name=called)
            guests[1] = _Guest(operator)
        room.terms = encode(replace(room._decoded, operators=room._operators()))
        lobby.changed()
        problem = (await until(guest, Failed)).problem
        assert isinstance(problem, Malformed)
        assert problem.culprit == table.identities[0].public


@pytest.mark.parametrize("told", [(), ("10.255.255.1:9",)], ids=["nowhere", "elsewhere"])
async def test_a_guest_goes_from_a_table_that_does_not_say_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: tuple[str, ...]
) -> None:
    """Its guests would find each other by this host alone, and without it not at all."""
    table = Company(tmp_path, 2)
    room = lobby_of(await table.host(2)).room
    honest = room.join
    monkeypatch.setattr(
        room, "join", lambda who, name, _, others: honest(who, name, told, others)
    )
    with pytest.raises(Malformed) as caught:
        await table.join(1, "Bert")
    assert caught.value.culprit == table.identities[0].public
    await table.nodes[0].leave()


@pytest.mark.played(by=play_indoors)
@pytest.mark.parametrize("has_begun", [False, True])
async def test_a_guest_comes_in_nowhere_without_a_seat(tmp_path: Path, has_begun: bool) -> None:
    """A lobby in which it does not sit, or a beginning by a word of an earlier program of its
    own, was taken for an answer: its person was told nothing, and could not leave.
    """
    table = Company(tmp_path, 2)
    anna = await table.host(2)
    room, (host, bert) = lobby_of(anna).room, table.identities
    answer: Message = Lobby(room.terms, (True,))
    if has_begun:
        room.join(bert.public, "Bert", ())
        nonces = zip((host, bert), (bytes(16), b"an older program"), strict=True)
        agreed = [agree_to(room.terms, *one) for one in nonces]
        answer = Entries((make_genesis(host, room.terms, tuple(agreed)),))
        room.leave(bert.public)
    inbound = operator(anna).inbound
    hear = inbound._hear
    inbound._hear = lambda channel, message: (  # type: ignore[method-assign]
        channel.post(answer) if isinstance(message, Join) else hear(channel, message)
    )
    with pytest.raises(Failure) as caught:
        await table.join(1, "Bert")
    if has_begun:
        assert isinstance(caught.value, Unavailable)
        assert caught.value.hint == "started"
    else:
        assert isinstance(caught.value, Malformed)
        assert caught.value.culprit == host.public
    await anna.leave()


async def test_a_host_makes_no_such_table(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        room = lobby_of(table.nodes[0]).room
        before = room.terms
        let_in(room, Identity.fresh())
        assert room._changed() == "too_large"
        assert room.terms == before


# R2 and row 5: goodbyes.


@pytest.mark.parametrize("code", ["finished", "left", "closed", "kicked"])
async def test_who_says_goodbye_in_its_turn_is_missed_like_anybody(
    tmp_path: Path, code: str
) -> None:
    """It was never missed, whatever clocks the table had agreed on: frozen for ever."""
    async with company(tmp_path, 3, rounds=50) as table:
        await table.begin()
        anna, bert, _carla = table.nodes
        await asyncio.gather(until(anna, Advanced), until(bert, Advanced))
        (await link(bert, to=0)).post(Leave(code))
        assert (await until(anna, PeerLeft)).operator == 1
        presence = match_of(anna)._presence
        asleep = asyncio.get_running_loop().time() + 100
        assert presence.silences(asleep)[1] > 100 - PACE.silence


@pytest.mark.parametrize("code", ["finished", "closed", "left", "kicked"])
async def test_a_host_that_says_goodbye_is_gone_and_the_match_is_not(
    tmp_path: Path, code: str
) -> None:
    """Whoever was about to name it was sent home, and told that the match was over."""
    async with company(tmp_path, 3, rounds=30) as table:
        await table.begin()
        anna, *others = table.nodes
        for node in others:
            await until(node, Advanced)
        for index in (1, 2):
            (await link(anna, to=index)).post(Leave(code))
        await anna.leave()
        for node in others:
            while (await until(node, Hosted)).operator == 0:
                pass
        again = await table.resume(0)
        await asyncio.gather(*map(over, (again, *others)))


@pytest.mark.played(by=play_indoors)
async def test_the_last_that_is_told_of_who_is_gone_is_that_it_is(tmp_path: Path) -> None:
    """A second goodbye within ten seconds was told to nobody, and coming back each time."""
    async with company(tmp_path, 3, rounds=200) as table:
        await table.begin()
        bert, carla = table.nodes[1:]
        await until(bert, Advanced)
        await crash(carla)
        session, told = operator(bert), list[NodeEvent]()
        assert session.table.listener is not None
        assert session.table.genesis is not None
        address = f"127.0.0.1:{session.table.listener.port}"
        meet = Meet(session.table.id, session.table.genesis.digest, (), bytes(8), True)
        for _ in range(3):
            channel = await dial_once(address, table.identities[2], "", None, 5.0)
            channel.post(meet)
            while not isinstance(await channel.receive(), Meet):
                pass
            channel.post(Leave("left"))
            await channel.close()
        while sum(isinstance(event, PeerLeft) for event in told) < 2:
            told.append(await bert.next())
        told = [event for event in told if isinstance(event, PeerLeft | PeerBack)]
        assert [type(event) for event in told] == [PeerLeft, PeerBack, PeerLeft]
        assert match_of(bert).mesh.left == {2}


async def test_at_two_a_goodbye_closes_the_table_and_ends_no_match(tmp_path: Path) -> None:
    async with company(tmp_path, 2, rounds=50) as table:
        await table.begin()
        anna, bert = table.nodes
        await until(bert, Advanced)
        (await link(anna, to=1)).post(Leave("finished"))
        await until(bert, PeerBack)  # whatever it says, it is here
        await until(bert, Advanced)
        await anna.leave()
        assert await until(bert, Closed) == Closed("closed", "Anna")


# R7: codes.


@pytest.mark.parametrize("code", ["cheat", "outbox_lost", "journal_damaged", ""])
@pytest.mark.parametrize("kind", [Leave, Denied])
async def test_no_code_of_a_host_is_spoken_as_our_own_verdict(
    tmp_path: Path, kind: type[Leave] | type[Denied], code: str
) -> None:
    async with company(tmp_path, 2) as table:
        anna, bert = table.nodes
        here(anna, to=1).post(kind(code))
        while not isinstance(event := await bert.next(), Closed | Failed):
            pass
        assert isinstance(event, Failed)
        assert isinstance(event.problem, Malformed)
        assert event.problem.culprit == table.identities[0].public


@pytest.mark.parametrize("code", ["elsewhere", "replaced", "linked"])
async def test_a_host_of_a_lobby_says_nothing_of_our_other_programs(
    tmp_path: Path, code: str
) -> None:
    async with company(tmp_path, 2) as table:
        anna, bert = table.nodes
        here(anna, to=1).post(Denied(code))
        assert isinstance((await until(bert, Failed)).problem, Malformed)


async def test_a_refusal_is_told_as_its_speakers_word(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        anna, bert = table.nodes
        here(anna, to=1).post(Denied("full"))
        assert await until(bert, Closed) == Closed("full", "Anna")


# R5: "elsewhere".


async def test_that_another_program_has_our_key_is_told_as_the_word_of_who_says_so(
    tmp_path: Path,
) -> None:
    async with company(tmp_path, 3, rounds=50) as table:
        await table.begin()
        anna, bert, _carla = table.nodes
        await until(bert, Advanced)
        match_of(anna).mesh.programs.refuse = lambda *_, **__: "elsewhere"  # type: ignore[method-assign]
        (await link(bert, to=0)).abort()
        assert await until(bert, Elsewhere) == Elsewhere(0, "Anna")
        assert not operator(bert).events.over


@pytest.mark.parametrize("people", [2, 3])
async def test_no_single_word_ends_a_program_as_our_own_finding(
    tmp_path: Path, people: int
) -> None:
    """At two it is all that we know, and told so; at three it takes the word of two."""
    async with company(tmp_path, people, rounds=50) as table:
        await table.begin()
        anna, bert = table.nodes[:2]
        await until(bert, Advanced)
        match_of(anna).mesh.programs.refuse = lambda *_, **__: "replaced"  # type: ignore[method-assign]
        (await link(bert, to=0)).abort()
        if people == 2:
            assert await until(bert, Closed) == Closed("elsewhere", "Anna")
        else:
            await until(bert, Reconnecting)
            while not match_of(bert).mesh.programs._turned_away["replaced"]:  # noqa: ASYNC110
                await asyncio.sleep(0)
            assert not match_of(bert).runtime.driver.failed


# R4: two beginnings.


async def test_a_host_that_signs_two_beginnings_is_exposed_to_both(tmp_path: Path) -> None:
    """Nobody was named: each saw the other as who broke the protocol, again and again."""
    async with company(tmp_path, 3) as table:
        anna, *guests = table.nodes
        room = lobby_of(anna).room
        await table.agreed()
        held = tuple(one.agreement for one in room._guests if one.agreement is not None)
        host = table.identities[0]
        for index in (1, 2):
            own = agree_to(room.terms, host, bytes([index]) * 16)
            first = make_genesis(host, room.terms, (own, *held))
            here(anna, to=index).post(Entries((first,)))
        for guest in guests:
            problem = (await until(guest, Failed)).problem
            assert isinstance(problem, Equivocation)
            assert problem.culprit == host.public
            assert prove_alone(Chain(first).genesis, problem.evidence) is not None


async def test_who_has_stopped_and_names_nobody_is_still_shown_two_beginnings(
    tmp_path: Path,
) -> None:
    async with company(tmp_path, 3, rounds=20) as table:
        anna, *guests = table.nodes
        room = lobby_of(anna).room
        await table.agreed()
        held = tuple(one.agreement for one in room._guests if one.agreement is not None)
        host = table.identities[0]
        other = make_genesis(host, room.terms, (agree_to(room.terms, host, bytes(16)), *held))
        assert await anna.start() == ""
        bert, carla = guests
        await until(carla, Began)
        match_of(carla).runtime.driver.fail(RemoteError("nobody knows why"))
        assert (await until(carla, Failed)).problem.culprit is None
        place = operator(carla).table.listener
        assert place is not None
        channel = await dial_once(f"127.0.0.1:{place.port}", table.identities[1], "", None, 5.0)
        channel.post(Meet(operator(bert).table.id, bytes(32), (), bytes(8), False))
        channel.post(Witness(other))
        problem = (await until(carla, Failed)).problem
        assert isinstance(problem, Equivocation)
        assert problem.culprit == host.public
        for one in (anna, bert):  # who hear of it from Carla
            await until(one, Failed)
        channel.abort()


async def test_who_means_another_match_and_shows_nothing_is_not_linked(tmp_path: Path) -> None:
    async with company(tmp_path, 3, rounds=20) as table:
        await table.begin()
        _anna, bert, carla = table.nodes
        await until(carla, Advanced)
        place = operator(carla).table.listener
        assert place is not None
        at = f"127.0.0.1:{place.port}"
        channel = await dial_once(at, table.identities[1], "", None, 5.0)
        channel.post(Meet(operator(bert).table.id, bytes(32), (), bytes(8), False))
        shown = await channel.receive()
        assert isinstance(shown, Witness)
        channel.post(shown)
        channel.post(Witness(Signed(b"nothing", bytes(64))))
        await asyncio.gather(*map(over, table.nodes))
        channel.abort()


# A host that keeps entry 0 from somebody.


@pytest.mark.played(by=play_indoors)
async def test_a_beginning_that_the_host_keeps_back_is_brought_by_another_guest(
    tmp_path: Path,
) -> None:
    """Who was kept out said that its match had not begun, and all waited for it for ever."""
    async with company(tmp_path, 3) as table:
        anna, bert, carla = table.nodes
        await table.agreed()
        inbound, kept_from = operator(anna).inbound, here(anna, to=1)
        post, hear = kept_from.post, inbound._hear
        kept_from.post = lambda message: (  # type: ignore[method-assign]
            None if isinstance(message, Entries) else post(message)
        )
        inbound._hear = lambda channel, message: (  # type: ignore[method-assign]
            None if isinstance(message, Join) else hear(channel, message)
        )
        assert await anna.start() == ""
        for guest in (bert, carla):
            await until(guest, Began)
        await asyncio.gather(*map(over, table.nodes))
        assert match_of(bert).runtime.chain.hash_at(0) == (
            match_of(carla).runtime.chain.hash_at(0)
        )


@pytest.mark.played(by=play_indoors)
async def test_a_beginning_is_not_given_up_with_the_connection_that_brings_it(
    tmp_path: Path,
) -> None:
    """Who brought it had its own connection pushed out, and a second one opened the same file
    while the first deleted it.
    """
    async with company(tmp_path, 3) as table:
        anna, bert, carla = table.nodes
        guest = lobby_guest(bert)
        await table.agreed()
        kept_from = here(anna, to=1)
        post, begin = kept_from.post, guest._begin_match
        kept_from.post = lambda message: (  # type: ignore[method-assign]
            None if isinstance(message, Entries) else post(message)
        )
        opening, has_disk, openings = asyncio.Event(), asyncio.Event(), list[Chain]()
        brought, owners = guest.begin_by, list[asyncio.Task[None]]()

        async def bring(channel: Channel, first: Signed) -> None:
            owner = asyncio.current_task()
            assert owner is not None
            owners.append(owner)
            await brought(channel, first)

        async def slow(chain: Chain, me: int) -> MatchSession[HighCard]:
            openings.append(chain)
            opening.set()
            await has_disk.wait()
            return await begin(chain, me)

        guest.begin_by = bring  # type: ignore[method-assign]
        guest._begin_match = slow
        assert await anna.start() == ""
        first = match_of(anna).runtime.chain.entries[0].signed
        place = operator(bert).table.listener
        assert place is not None
        channel = await dial_once(f"127.0.0.1:{place.port}", Identity.fresh(), "", None, 5.0)
        channel.post(Entries((first,)))
        await opening.wait()
        (owner,) = owners
        owner.cancel()  # as the listener does, for a newer connection
        await asyncio.wait([owner])
        has_disk.set()
        for one in (bert, carla):
            await until(one, Began)
        assert len(openings) == 1
        await asyncio.gather(*map(over, table.nodes))


@pytest.mark.parametrize("changed", ["terms", "nonce", "host"])
async def test_a_guest_begins_by_nothing_that_it_has_not_agreed_to(
    tmp_path: Path, changed: str
) -> None:
    """Whoever brings another beginning loses its connection, and nothing else happens."""
    async with company(tmp_path, 3) as table:
        anna, bert, _carla = table.nodes
        room = lobby_of(anna).room
        await table.agreed()
        terms, keys = room.terms, table.identities
        if changed == "terms":
            shown = open_terms(terms)
            terms = encode(replace(shown, name="Cellar"))
        own = room._guests[0].agreement
        assert own is not None
        nonces = [bytes([index]) * 16 for index in range(3)]
        if changed == "terms":  # as if it had agreed to these, and they were changed since
            nonces[1] = own.nonce
        agreed = [agree_to(terms, key, one) for key, one in zip(keys, nonces, strict=True)]
        if changed == "host":  # all of it is its own, but for who has signed the order
            agreed[1] = own
        signer = keys[2] if changed == "host" else keys[0]
        first = make_genesis(signer, terms, tuple(agreed))
        place = operator(bert).table.listener
        assert place is not None
        channel = await dial_once(f"127.0.0.1:{place.port}", keys[2], "", None, 5.0)
        channel.post(Entries((first,)))
        with pytest.raises((ProtocolError, Unavailable)):
            await channel.receive()
        assert operator(bert).match is None
        assert await anna.start() == ""
        for guest in table.nodes[1:]:
            await until(guest, Began)
        await asyncio.gather(*map(over, table.nodes))


# R8: the lock and the gallery.


@pytest.mark.played(by=play_indoors)
async def test_who_is_shown_a_lobby_does_not_come_back_to_a_match(tmp_path: Path) -> None:
    """A host says that its match is played, and shows a lobby then: what somebody agrees to
    there has to be what begins, and not whatever it has ever signed.
    """
    table = Company(tmp_path, 2)
    told = operator(await table.host(2)).table
    status = told.status
    told.status = lambda *, hosting: replace(  # type: ignore[method-assign]
        status(hosting=hosting), state="playing"
    )
    with pytest.raises(Unavailable):
        await table.join(1, "Bert")
    await table.nodes[0].leave()


@pytest.mark.played(by=play_indoors)
async def test_a_host_fills_nobodys_memory_with_places_where_it_may_be(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        anna, bert = table.nodes
        room, guest = lobby_of(anna).room, lobby_guest(bert)
        for number in range(40):
            places = tuple(f"10.0.{number}.{host}:4000" for host in range(1, 9))
            room._host = replace(room._host, addresses=places)
            assert room.set_options(b"game %d" % number) == ""
            lobby_of(anna).changed()
            while guest.terms != room.terms:
                await until(bert, LobbyChanged)
        assert operator(bert).table.address in guest.addresses
        assert len(guest.addresses) <= 2 * MAX_ADDRESSES


async def test_no_unsigned_word_unlocks_the_table_of_the_next_host(tmp_path: Path) -> None:
    """`Audience` said so too, and a stranger without the password was let in."""
    async with company(tmp_path, 3, 50, spectators=True, password="seven owls") as table:
        await table.begin()
        anna, bert, carla = table.nodes
        for index in (1, 2):
            (await link(anna, to=index)).post(Audience(9))
        while not (bert.spectators and carla.spectators):
            await asyncio.gather(until(bert, Advanced), until(carla, Advanced))
        await anna.leave()
        for node in (bert, carla):
            while (await until(node, Hosted)).operator == 0:
                pass
            assert operator(node).table.locked
        (host,) = (one for one in (bert, carla) if one.is_host)
        with pytest.raises(Unavailable) as caught:
            await Node.watch(
                Person(tmp_path / "stranger", Identity.fresh()),
                table.make,
                addresses=[host.address],
                pace=PACE,
            )
        assert caught.value.hint == "locked"


async def test_the_lock_and_the_gallery_are_terms(tmp_path: Path) -> None:
    async with company(tmp_path, 2, spectators=True, password="seven owls") as table:
        await table.begin()
        for node in table.nodes:
            assert node.genesis is not None
            assert (node.genesis.locked, node.genesis.spectators) == (True, True)


# The law, read out of the table.


def beliefs(node: HighCardNode) -> tuple[object, ...]:
    """What a laptop believes beyond its links, and never by anybody's bare word."""
    session, match = operator(node), match_of(node)
    table = session.table
    return (
        table.genesis,
        table.gathering,
        table.locked,
        table.spectators is None,
        match.runtime.chain.members,
        match.runtime.driver.failed,
        session.events.over,
        session.events.trouble,
    )


@pytest.mark.parametrize("speaker", [0, 2], ids=["the host", "a guest"])
async def test_no_word_that_may_change_a_link_changes_anything_else(
    tmp_path: Path, speaker: int
) -> None:
    row = MAY_SAY[Phase.MATCH, Speaker.OPERATOR]
    bare = {kind for kind in row if MAY_CHANGE[kind] in (Change.NOTHING, Change.LINK)}
    assert {Leave, Audience, Meet, Join} <= bare
    async with company(tmp_path, 3, 50, spectators=True, password="seven owls") as table:
        await table.begin()
        bert = table.nodes[1]
        channel, session = await link(bert, to=speaker), operator(bert)
        here, mine = session.table, match_of(bert).mesh._match
        said: list[Message] = [
            *(one for kind, one in EVERY.items() if kind in bare),
            *(Leave(code) for code in GOODBYES),
            *(Denied(code) for code in DENIALS),
            Audience(0),
            Meet(here.id, mine, ("10.0.0.1:1",), bytes(8), True),
            Meet(here.id, bytes(32), (), bytes(8), False),
        ]
        before = beliefs(bert)
        for message in said:
            with contextlib.suppress(Failure):
                answer = session.inbound._hear(channel, message)
                if answer is not None:
                    await answer
            assert beliefs(bert) == before, message
