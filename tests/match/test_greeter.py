"""A name is only a name: who comes with another key than before is told of."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from citadels_p2p.match.acts import Leave
from citadels_p2p.match.news import Bye, Notice
from citadels_p2p.match.session.greeter import Greeter
from citadels_p2p.match.session.lobby import others_of
from citadels_p2p.match.session.online import Online
from cli.__main__ import main
from cli.line.exits import Exit
from protocol.identity.keys import Identity
from protocol.roster import Operator
from protocol.session.lobby import HostedLobby
from tests.match import laptops

ANNA, BERT, OTHER = Identity.fresh(), Identity.fresh(), Identity.fresh()


def at_the_table(*people: tuple[str, Identity]) -> tuple[tuple[str, bytes], ...]:
    return tuple((name, who.public) for name, who in people)


def greeted(home: Path, *people: tuple[str, Identity]) -> tuple[Notice, ...]:
    """What Anna is told at a new table."""
    return asyncio.run(Greeter(home).greet(at_the_table(*people)))


def changed(name: str) -> tuple[Notice, ...]:
    return (Notice("key_changed", {"name": name}),)


def test_new_people_and_old_ones_are_no_news(tmp_path: Path) -> None:
    for _ in range(2):
        assert greeted(tmp_path, ("Bert", BERT)) == ()


def test_a_known_name_with_another_key_is_told_until_it_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    assert greeted(tmp_path, ("Bert", BERT)) == ()
    assert greeted(tmp_path, ("Bert", OTHER)) == changed("Bert")
    assert greeted(tmp_path, ("ＢＥＲＴ", OTHER)) == changed("ＢＥＲＴ")
    cyrillic = "B\u0435rt"
    assert greeted(tmp_path, (cyrillic, OTHER)) == changed(cyrillic)
    assert main(["whoami", "--forget", "Bert"]) == Exit.FINE
    assert greeted(tmp_path, ("Bert", OTHER)) == ()
    assert greeted(tmp_path, ("Bert", BERT)) == changed("Bert")
    assert main(["whoami", "--forget", "Nobody"]) == Exit.USAGE
    assert "Bert may come with another key now." in capsys.readouterr().out


def test_each_is_greeted_once_a_table(tmp_path: Path) -> None:
    greeted(tmp_path, ("Bert", BERT))
    greeter = Greeter(tmp_path)
    people = at_the_table(("Bert", OTHER))
    assert asyncio.run(greeter.greet(people)) == changed("Bert")
    assert asyncio.run(greeter.greet(people)) == ()


def test_with_whom_a_match_was_played_is_known_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protocol.identity.acquaintances.MAX_ACQUAINTANCES", 2)
    greeted(tmp_path, ("Bert", BERT), ("Carla", OTHER))
    played = at_the_table(("Bert", BERT))
    assert asyncio.run(Greeter(tmp_path).pin(played)) == ()
    for number in range(5):
        greeted(tmp_path, (f"Guest {number}", Identity.fresh()))
    assert greeted(tmp_path, ("Bert", OTHER)) == changed("Bert")
    assert greeted(tmp_path, ("Carla", BERT)) == ()  # she only sat down once


def test_whoever_played_under_a_name_of_another_does_not_take_it(tmp_path: Path) -> None:
    asyncio.run(Greeter(tmp_path).pin(at_the_table(("Bert", BERT))))
    asyncio.run(Greeter(tmp_path).pin(at_the_table(("Bert", OTHER))))
    assert greeted(tmp_path, ("Bert", OTHER)) == changed("Bert")


def test_a_list_that_cannot_be_used_is_told_and_not_forgotten(tmp_path: Path) -> None:
    (tmp_path / "acquaintances.json").write_text("nonsense")
    assert greeted(tmp_path, ("Bert", BERT)) == (Notice("not_remembered"),)
    assert (tmp_path / "acquaintances.json").read_text() == "nonsense"


def test_both_sides_of_a_real_table_are_warned(tmp_path: Path) -> None:
    greeted(tmp_path / "0", ("Bert", OTHER))
    asyncio.run(Greeter(tmp_path / "1").greet(at_the_table(("Anna", OTHER))))

    async def warned(session: Online) -> Notice:
        while not isinstance(news := await session.next(), Notice):
            assert not isinstance(news, Bye)
        return news

    async def scene() -> list[Notice]:
        host = await laptops.host(tmp_path / "0", identity=ANNA)
        guest = await laptops.join(host, tmp_path / "1", identity=BERT)
        sessions = [Online(host), Online(guest)]
        async with asyncio.timeout(60):
            told = [await warned(session) for session in sessions]
        for session in reversed(sessions):
            await session.do(Leave())
        return told

    assert asyncio.run(scene()) == [*changed("Bert"), *changed("Anna")]


@pytest.mark.parametrize("others", [(), ("Carla",)], ids=["alone", "with another"])
def test_each_person_at_a_laptop_is_greeted(tmp_path: Path, others: tuple[str, ...]) -> None:
    """Whoever brought somebody along came under any name, and nobody was told."""
    greeted(tmp_path, ("Bert", BERT))
    host = Operator(identity=ANNA.public, name="Anna")
    room = HostedLobby(host, table=bytes(16), name="Kitchen", options=b"", seats=3)
    assert room.join(OTHER.public, "Bert", (), others) == ""
    people = others_of(room.gathering(), 0)
    assert [name for name, _ in people] == ["Bert", *others]
    assert asyncio.run(Greeter(tmp_path).greet(people)) == changed("Bert")
