"""A program of somebody's own in a person's seat: what it is told, and what if it fails."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from citadels_p2p.match.acts import Act, Answer, HandOver, Leave, Ready
from citadels_p2p.match.archive.audit import verify
from citadels_p2p.match.news import (
    Ask,
    Awaited,
    Bye,
    Chat,
    EventNews,
    News,
    Notice,
    OverNews,
    Refused,
    Session,
    StateNews,
)
from citadels_p2p.match.session.online import Online
from citadels_p2p.rules import Rules
from cli.client import external_bot
from cli.client.external_bot import ExternalBot, seat_program, split_command
from protocol.errors import Unavailable
from tests.cli.scripted import ACT, DISCARD, NAMES, Scripted, event, lobby, view
from tests.match import laptops

ROOT = Path(__file__).parents[2]
PYTHON = (sys.executable, "-u", "-c")
READER = "import json, sys\nfor line in sys.stdin:\n    said = json.loads(line)\n"
ANSWERS = READER + "    if said['type'] == 'ask': print(json.dumps({**{'answer': 4}, **%s}))\n"
BUILDS = ANSWERS % "{'option': 'build:11'}"
NEVER = READER + "    pass\n"


def seated(session: Session, source: str, patience: float = 60.0) -> Awaitable[ExternalBot]:
    async def opening() -> Session:
        return session

    return seat_program((*PYTHON, source), opening, patience=patience)


class Watched(Scripted):
    """A scripted session that tells when something was done."""

    def __init__(self, *script: News) -> None:
        super().__init__(*script)
        self.acted = asyncio.Event()

    async def do(self, act: Act) -> None:
        await super().do(act)
        if isinstance(act, Answer | HandOver):
            self.acted.set()


async def until_bye(session: Session) -> list[News]:
    heard: list[News] = []
    while not heard or not isinstance(heard[-1], Bye):
        heard.append(await session.next())
    return heard


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(240):
            await test()

    asyncio.run(bounded())


def test_the_program_answers_and_its_person_is_not_asked() -> None:
    async def test() -> None:
        inner = Watched(lobby(), StateNews(view(), NAMES), ACT)
        bot = await seated(inner, BUILDS)
        await inner.acted.wait()
        await bot.do(Leave())
        heard = await until_bye(bot)
        assert inner.done[0] == Answer(4, ("build:11",))
        assert not any(isinstance(news, Ask) for news in heard)
        assert any(isinstance(news, StateNews) for news in heard)

    run(test)


def test_it_is_told_what_its_seat_may_know_and_nothing_of_the_table(tmp_path: Path) -> None:
    told = tmp_path / "told"
    source = READER + f"    open({str(told)!r}, 'a').write(said['type'] + '\\n')\n"
    source += "    if said['type'] == 'ask': print('{\"answer\": 4, \"option\": \"end\"}')\n"

    async def test() -> None:
        talk = Chat(1, "Bob", "a plan"), Notice("back", {"name": "Bob"})
        begins = EventNews(event(1, "round_begins", 1, 0))
        inner = Watched(lobby(), *talk, begins, StateNews(view(), NAMES), ACT)
        bot = await seated(inner, source)
        await inner.acted.wait()
        await bot.do(Leave())
        assert any(isinstance(news, Chat) for news in await until_bye(bot))

    run(test)
    assert told.read_text("utf-8").split() == ["hello", "event", "state", "ask", "bye"]


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("raise SystemExit('crashed')", "bot_ended"),
        (READER + "    if said['type'] == 'ask': break\n", "bot_ended"),
        (ANSWERS % "{'option': 'build:99'}" + "    print('what?')\n" * 2, "bot_wrong"),
        (READER + '    print(\'{"say": "mine"}\')\n' * 3, "bot_wrong"),
        ("import sys\nsys.stdin.readline()\nprint('x' * 2 ** 20)\ninput()", "bot_wrong"),
        (
            ANSWERS % "{'option': ['build:11']}" + '    print(\'{"do": "leave"}\')\n' * 2,
            "bot_wrong",
        ),
    ],
)
def test_a_built_in_bot_plays_on_where_it_fails(source: str, why: str) -> None:
    async def test() -> None:
        inner = Watched(StateNews(view(), NAMES), ACT)
        bot = await seated(inner, source)
        await inner.acted.wait()
        await bot.do(Leave())
        heard = await until_bye(bot)
        assert inner.done == [HandOver("normal"), Leave()]
        assert [news.code for news in heard if isinstance(news, Notice)] == [why]
        assert not any(isinstance(news, Ask) for news in heard)

    run(test)


ENDLESS = "import sys\nwhile True: sys.stdout.write('x' * 2 ** 16)"
CHILD = (
    "import subprocess, sys\n"
    "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(8)'])\n"
)


@pytest.mark.parametrize("source", [ENDLESS, CHILD + ENDLESS], ids=["alone", "with a child"])
def test_a_line_without_an_end_holds_up_nobody(source: str) -> None:
    """Nobody reads on, so that the pipe is full and its end is not seen."""

    async def test() -> None:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *PYTHON, source, stdin=pipe, stdout=pipe, limit=1024
        )
        assert process.stdout is not None
        while not process.stdout._paused:  # type: ignore[attr-defined]  # noqa: ASYNC110
            await asyncio.sleep(0)  # a pipe that is full tells nobody
        async with asyncio.timeout(30):
            await external_bot._end(process, 0)
        assert process.returncode is not None

    run(test)


def test_silence_is_not_waited_for_longer_than_was_said() -> None:
    async def test() -> None:
        inner = Watched(ACT)
        bot = await seated(inner, NEVER, patience=0.01)
        assert await bot.next() == Notice("bot_silent")
        await inner.acted.wait()
        assert inner.done == [HandOver("normal")]
        await bot.do(Leave())
        await until_bye(bot)

    run(test)


def test_a_person_may_take_the_seat_from_the_program() -> None:
    async def test() -> None:
        inner = Watched(DISCARD)
        bot = await seated(inner, NEVER)
        inner.tell(StateNews(view(), NAMES, Awaited(0, "discard")))
        assert isinstance(await bot.next(), StateNews)  # so the question was heard before
        await bot.do(HandOver(""))
        assert await bot.next() == DISCARD
        inner.tell(ACT)
        assert await bot.next() == ACT
        assert inner.done == []
        await bot.do(Leave())
        await until_bye(bot)

    run(test)


def test_a_program_that_has_answered_is_not_silent() -> None:
    """A refusal of what its person wanted is heard after its answer, which is accepted."""

    async def test() -> None:
        inner = Watched(ACT)
        bot = await seated(inner, BUILDS)
        await inner.acted.wait()
        inner.tell(Refused("already_so", {}, ACT.id))
        inner.tell(StateNews(view(), NAMES, Awaited(1, "act")))
        assert isinstance(await bot.next(), StateNews)
        assert not bot._is_open
        await bot.do(Leave())
        await until_bye(bot)

    run(test)


def test_an_answer_under_way_arrives_although_the_program_is_let_go() -> None:
    async def test() -> None:
        begun, go_on, done = asyncio.Event(), asyncio.Event(), asyncio.Event()

        class Slow(Watched):
            async def do(self, act: Act) -> None:
                if isinstance(act, Answer):
                    begun.set()
                    await go_on.wait()
                    done.set()
                await super().do(act)

        bot = await seated(Slow(ACT), BUILDS)
        await begun.wait()
        await bot.do(HandOver(""))
        await asyncio.wait([bot._reading])
        go_on.set()
        await done.wait()
        await bot.do(Leave())
        await until_bye(bot)

    run(test)


def test_a_person_who_names_no_bot_answers_in_its_place() -> None:
    """The program is let go, and no bot has its question."""

    async def test() -> None:
        inner = Watched(DISCARD)
        bot = await seated(inner, NEVER)
        inner.tell(StateNews(view(), NAMES, Awaited(0, "discard")))
        assert isinstance(await bot.next(), StateNews)
        await bot.do(HandOver("nobody"))
        inner.tell(Refused("unknown_level", {}, DISCARD.id))
        assert await bot.next() == DISCARD
        assert isinstance(await bot.next(), Refused)
        await bot.do(Leave())
        await until_bye(bot)

    run(test)


def test_a_program_that_does_not_start_sits_down_nowhere() -> None:
    async def opening() -> Session:
        raise AssertionError("somebody sat down")

    async def test() -> None:
        with pytest.raises(Unavailable) as refused:
            await seat_program(("no-such-program-here",), opening, patience=1)
        assert refused.value.hint == "bot_command"

    run(test)


@pytest.mark.parametrize(
    ("system", "text", "words"),
    [
        ("posix", "python3 'my bot.py' --level 3", ("python3", "my bot.py", "--level", "3")),
        ("posix", r"my\ bot '#1'", ("my bot", "#1")),
        (
            "nt",
            r'"C:\Program Files\Python313\python.exe" "my bot.py" -u',
            (r"C:\Program Files\Python313\python.exe", "my bot.py", "-u"),
        ),
        ("nt", r"C:\Users\O'Brien\bot.exe", (r"C:\Users\O'Brien\bot.exe",)),
    ],
)
def test_a_path_may_have_a_blank(
    system: str, text: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external_bot, "os", SimpleNamespace(name=system))
    assert split_command(text) == words


def test_its_lines_are_the_same_in_every_encoding(tmp_path: Path) -> None:
    told = tmp_path / "told"
    source = f"import sys\nopen({str(told)!r}, 'wb').write(sys.stdin.buffer.read())\n"

    async def test() -> None:
        inner = Watched(StateNews(view(), ("Алиса", "Bob")))
        bot = await seated(inner, source)
        await bot.do(Leave())
        await until_bye(bot)

    run(test)
    lines = told.read_bytes()
    assert lines.isascii()
    assert "Алиса" in [seat["name"] for seat in json.loads(lines.splitlines()[1])["seats"]]


@pytest.mark.parametrize("text", ["", "  ", 'python "unclosed'])
def test_what_is_no_command_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no_command"):
        split_command(text)


def test_the_example_plays_a_whole_match_over_loopback(tmp_path: Path) -> None:
    """With sealed cards, against a program at another laptop and a bot."""

    async def test() -> None:
        host = await laptops.host(tmp_path / "host", Rules.make(seats=2, city=6))

        async def opening() -> Session:
            guest = await laptops.join(host, tmp_path / "guest", make=laptops.unplayed)
            return Online(guest)

        example = (sys.executable, str(ROOT / "examples" / "cautious_bot.py"))
        table = Online(host, autostart=True)
        bot = await seat_program(example, opening, patience=60)
        await bot.do(Ready())

        async def to_the_end(session: Session) -> list[News]:
            heard: list[News] = []
            while True:
                heard.append(await session.next())
                if isinstance(heard[-1], OverNews):
                    await session.do(Leave())
                if isinstance(heard[-1], Bye):
                    return heard

        _, heard = await asyncio.gather(to_the_end(table), to_the_end(bot))
        (over,) = (news for news in heard if isinstance(news, OverNews))
        failures = {"bot_ended", "bot_silent", "bot_wrong"}
        assert not any(isinstance(n, Notice) and n.code in failures for n in heard)
        assert verify(Path(over.journal)).sound

    async def bounded() -> None:
        async with asyncio.timeout(200):
            await test()

    asyncio.run(bounded())
