"""Chat: nobody speaks in anybody's name, and no host decides who is heard."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol import Chatted, Closed, Failed, LobbyChanged, NodeEvent
from protocol.errors import Malformed
from protocol.identity.keys import Identity
from protocol.identity.names import MAX_CHAT
from protocol.journal.statements import (
    DOMAIN_LINE,
    DOMAIN_TERMS,
    Line,
    Signed,
    sign,
)
from protocol.messages import Spoken
from protocol.session.chat import CHAT_BURST, MAX_SPEAKERS, PATIENCE, Chat, Spoke
from tests.protocol.company import until as true
from tests.protocol.gathering import (
    Company,
    HighCardNode,
    company,
    crash,
    operator,
    over,
    play,
    until,
)
from tests.protocol.high_card import HighCard
from tests.protocol.tabletop import TABLE

pytestmark = pytest.mark.played(by=play)

ANNA, BERT, CARLA = (Identity.fresh() for _ in range(3))
MEMBERS = (ANNA.public, BERT.public, CARLA.public)
START = 1_700_000_000_000


def said(who: Identity, number: int, text: str, table: bytes = TABLE) -> Signed:
    return sign(who, DOMAIN_LINE, Line(table, who.public, number, text))


def ears(*, of: Identity = CARLA, began: int = START) -> Callable[..., str]:
    """What somebody shows of a line, told by its speaker or by Anna, who hosts."""
    chat = Chat(of, began)

    def hear(line: Signed, teller: Identity = ANNA, now: float = 0.0) -> str:
        spoke = chat.hear(line, TABLE, MEMBERS, teller.public, now)
        return "" if spoke is None else spoke.text

    return hear


# One person's ears.


def test_a_line_is_shown_once_whichever_way_it_comes() -> None:
    hear, line = ears(), said(BERT, START, "good evening")
    assert hear(line, BERT) == "good evening"
    assert hear(line, ANNA) == ""
    assert hear(line, BERT) == ""
    hear = ears()
    assert hear(line, ANNA) == "good evening"
    assert hear(line, BERT) == ""


def test_what_its_speaker_did_not_sign_is_the_fault_of_the_teller() -> None:
    hear, honest = ears(), said(BERT, START, "good evening")
    other = said(BERT, START + 1, "my safety words are 1 2 3 4")
    of_anna = sign(ANNA, DOMAIN_LINE, Line(TABLE, BERT.public, START, "my safety words are"))
    elsewhere = said(BERT, START, "good evening", bytes(16))
    as_terms = Signed(honest.content, BERT.sign(DOMAIN_TERMS, honest.content))
    for false in (
        Signed(other.content, honest.signature),
        of_anna,
        elsewhere,
        as_terms,
        Signed(b"nonsense", bytes(64)),
        Signed(honest.content + bytes(4000), honest.signature),
    ):
        with pytest.raises(Malformed) as caught:
            hear(false)
        assert caught.value.culprit == ANNA.public
        assert not caught.value.evidence
    assert hear(honest) == "good evening"


def test_an_old_line_is_not_passed_on_as_new() -> None:
    hear = ears()
    first, second = said(BERT, START, "shall we stop?"), said(BERT, START + 1, "no, go on")
    assert hear(second, BERT) == "no, go on"
    assert hear(first, ANNA) == ""  # it may have been kept back for an hour
    assert hear(first, BERT) == "shall we stop?"


def test_whoever_has_started_again_takes_no_old_line_for_a_new_one() -> None:
    speaker = Chat(BERT, START)
    before = speaker.speak(TABLE, "shall we stop?", 0.0)
    assert before is not None
    hear = ears()
    assert hear(speaker.mark(TABLE), BERT) == ""
    assert hear(before[1], ANNA) == ""
    after = speaker.speak(TABLE, "no, go on", 1.0)
    assert after is not None
    assert hear(after[1], ANNA) == "no, go on"


def test_a_speaker_that_started_again_goes_on_above_its_numbers() -> None:
    hear = ears()
    for began in (START, START + 20_000):
        made = Chat(BERT, began).speak(TABLE, "it is me", 0.0)
        assert made is not None
        assert hear(made[1], ANNA) == "it is me"


@pytest.mark.parametrize("hours", [-1, 0, 1])
def test_whoevers_clock_has_gone_back_is_reminded_and_goes_on_above(hours: int) -> None:
    host, guest = Chat(ANNA, START), Chat(CARLA, START)
    before = Chat(BERT, START).speak(TABLE, "good evening", 0.0)
    assert before is not None
    for ear, teller in ((host, BERT), (guest, ANNA)):
        assert ear.hear(before[1], TABLE, MEMBERS, teller.public, 0.0) is not None
    again, reminder = Chat(BERT, START + hours * 3_600_000), host.newest_of(BERT.public)
    assert reminder is not None
    assert again.hear(reminder, TABLE, MEMBERS, ANNA.public, 1.0) is None
    line = again.speak(TABLE, "here I am", 1.0)
    assert line is not None
    assert guest.hear(line[1], TABLE, MEMBERS, ANNA.public, 1.0) == line[0]


def test_nobody_hears_its_own_old_words_from_others() -> None:
    before = Chat(BERT, START).speak(TABLE, "shall we stop?", 0.0)
    assert before is not None
    hear = ears(of=BERT, began=START + 20_000)
    assert hear(before[1], ANNA) == ""


def test_who_is_not_at_the_table_is_not_shown() -> None:
    stranger = Identity.fresh()
    assert ears()(said(stranger, START, "let me in"), ANNA) == ""
    assert ears()(said(stranger, START, "let me in"), stranger) == ""


def test_chat_is_made_legible_and_cut_to_length() -> None:
    hear = ears()
    assert hear(said(BERT, 1, " hello\x1b[2J \u202eyou ")) == "hello[2J you"
    assert hear(said(BERT, 2, "\x00\n")) == ""
    made = Chat(BERT, START).speak(TABLE, "漢" * 5000, 0.0)
    assert made is not None
    assert made[0] == Spoke(BERT.public, "漢" * MAX_CHAT)
    assert hear(made[1]) == "漢" * MAX_CHAT
    assert Chat(BERT, START).speak(TABLE, "\x1b\u202e", 0.0) is None


def test_a_speaker_is_held_to_a_rate() -> None:
    chat = Chat(BERT, START)
    made = [chat.speak(TABLE, "hello", 0.0) for _ in range(50)]
    assert sum(one is not None for one in made) == CHAT_BURST
    assert chat.speak(TABLE, "hello", 0.5) is None
    assert chat.speak(TABLE, "hello", 1.6) is not None


def test_a_flood_is_not_shown_and_does_not_come_back_another_way() -> None:
    hear = ears()
    lines = [said(BERT, START + number, f"line {number}") for number in range(200)]
    shown = [hear(line, BERT) for line in lines]
    assert sum(map(bool, shown)) == CHAT_BURST * PATIENCE
    assert not any(hear(line, ANNA, now=60.0) for line in lines)
    assert hear(said(ANNA, START, "hello")) == "hello"  # nobody pays for another


def test_what_is_remembered_has_an_end() -> None:
    chat = Chat(CARLA, START)
    for now in range(MAX_SPEAKERS + 50):
        who = Identity.fresh()
        chat.hear(said(who, 1, "hello"), TABLE, (who.public,), who.public, float(now))
    assert len(chat._numbers) == MAX_SPEAKERS
    assert len(chat._others) <= 2


# Whole tables, over real sockets.


def told(node: HighCardNode) -> list[NodeEvent]:
    """All that it has said and nobody has heard yet."""
    events = []
    while not node._session.events.queue.empty():
        events.append(node._session.events.queue.get_nowait())
    return events


async def played(node: HighCardNode) -> list[NodeEvent]:
    """All that it says until the last card is turned and everybody knows it."""

    def done(game: HighCard) -> bool:
        return game.is_over and game.confirmed >= 2 * game.players * game.rounds

    events = told(node)
    while not await node.run(done):
        events.append(await node.next())
    return events + told(node)


def chat(events: list[NodeEvent]) -> list[str]:
    return [event.text for event in events if isinstance(event, Chatted)]


def pass_on(node: HighCardNode, line: Signed) -> None:
    """A changed program says whatever it likes to everybody."""
    operator(node).links.broadcast(Spoken(line))


def in_guest_s_name(table: Company) -> Signed:
    """What a lying host can make: everything but the guest's signature."""
    guest, here = table.identities[1].public, table.nodes[0].lobby.table
    false = Line(here, guest, 2**47, "my safety words are 1 2 3 4")
    return sign(table.identities[0], DOMAIN_LINE, false)


async def test_a_host_that_speaks_for_a_guest_is_shown_to_nobody(tmp_path: Path) -> None:
    async with company(tmp_path, 3, rounds=2) as table:
        await table.begin()
        host = table.nodes[0]
        await linked(table)
        links = [operator(host).links.of(one.public) for one in table.identities[1:]]
        pass_on(host, in_guest_s_name(table))
        for link in links:
            assert link is not None
            await link.closed()  # what is no protocol ends the connection
        heard = await asyncio.gather(*(played(node) for node in table.nodes))
        for events in heard[1:]:
            assert chat(events) == []
            assert not any(isinstance(event, Failed) for event in events)


async def test_in_the_lobby_such_a_host_has_no_guests_any_more(tmp_path: Path) -> None:
    async with company(tmp_path, 3) as table:
        host, bert, carla = table.nodes
        pass_on(host, in_guest_s_name(table))
        for node in (bert, carla):
            events: list[NodeEvent] = []
            while not isinstance((event := await node.next()), Closed):
                events.append(event)
            assert event == Closed("false_words")
            assert chat(events) == []
            assert not any(isinstance(one, Failed) for one in events)


async def linked(table: Company) -> None:
    """Everybody with everybody."""
    for node in table.nodes:
        await true(lambda node=node: len(list(operator(node).links)) == len(table.nodes) - 1)


async def test_a_host_cannot_keep_words_from_others(tmp_path: Path) -> None:
    async with company(tmp_path, 3, rounds=2) as table:
        await table.begin()
        await linked(table)
        host, bert, carla = table.nodes
        operator(host).chat.hear = lambda *_, **__: None  # type: ignore[method-assign]
        assert await bert.say("the host hears nothing") == ""
        assert (await until(carla, Chatted)).text == "the host hears nothing"
        await asyncio.gather(*(over(node) for node in table.nodes))


async def test_words_come_once_though_they_come_two_ways(tmp_path: Path) -> None:
    async with company(tmp_path, 3, rounds=2) as table:
        await table.begin()
        await linked(table)
        bert = table.nodes[1]
        for text in ("one", "two", "three"):
            assert await bert.say(text) == ""
        for events in await asyncio.gather(*(played(node) for node in table.nodes)):
            assert chat(events) == ["one", "two", "three"]


async def test_whom_the_speaker_does_not_reach_the_host_tells(tmp_path: Path) -> None:
    async with company(tmp_path, 3, rounds=2) as table:
        await table.begin()
        await linked(table)
        _host, bert, carla = table.nodes
        operator(bert).links._links.pop(table.identities[2].public)
        assert await bert.say("is anybody there?") == ""
        assert (await until(carla, Chatted)).text == "is anybody there?"


async def test_whom_nobody_hears_is_told_so(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        await table.begin()
        await linked(table)
        host, guest = table.nodes
        assert await guest.say("shall we begin?") == ""
        await crash(host)
        await true(lambda: not any(operator(guest).links))
        assert await guest.say("are you there?") == "not_connected"


async def test_whoever_comes_back_is_not_told_old_words_as_new(tmp_path: Path) -> None:
    async with company(tmp_path, 3, rounds=60) as table:
        await table.begin()
        await linked(table)
        host, bert, carla = table.nodes
        heard: list[Signed] = []
        honest = operator(host).chat.hear

        def keeps(channel, line, **passes_on):  # type: ignore[no-untyped-def]
            heard.append(line)
            return honest(channel, line, **passes_on)

        operator(host).chat.hear = keeps  # type: ignore[method-assign]
        await bert.say("shall we stop?")
        assert (await until(carla, Chatted)).text == "shall we stop?"
        await true(lambda: len(heard) > 0)
        await crash(carla)
        table.nodes.remove(carla)
        again = await table.resume(2)
        await linked(table)
        await true(lambda: table.identities[1].public in operator(again).chat.lines._numbers)
        for line in heard:
            pass_on(host, line)
        await host.say("and now?")
        assert (await until(again, Chatted)).text == "and now?"


async def test_guests_of_a_lobby_hear_each_other_through_the_host(tmp_path: Path) -> None:
    async with company(tmp_path, 3) as table:
        _host, bert, carla = table.nodes
        while len(bert.lobby.operators) < 3:
            await until(bert, LobbyChanged)
        assert await carla.say("good evening") == ""
        for node in table.nodes:
            assert await until(node, Chatted) == Chatted(
                2, "Guest 2", "good evening", table.identities[2].public
            )


async def test_who_talks_too_much_is_told_so_at_once(tmp_path: Path) -> None:
    async with company(tmp_path, 2) as table:
        said = [await table.nodes[1].say("hello") for _ in range(20)]
        assert said == [""] * 8 + ["chat"] * 12
