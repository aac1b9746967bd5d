"""The plain table: what gives something up comes last and is asked about once more."""

from __future__ import annotations

from citadels_p2p.match.acts import Act, Answer
from citadels_p2p.match.news import Ask, Option, StateNews
from cli.client.effects import Print, Prompt
from cli.client.plain import Plain
from tests.cli.scripted import NAMES, view

LAB = Option("lab:11", "lab", {"slot": 11, "card": "temple", "gold": 2}, sacrifice=True)
TURN = Ask(4, "act", (LAB, Option("gold", "gold", {"gold": 2}), Option("end", "end")))


def asked() -> tuple[Plain, list[str]]:
    """A client whose turn it is, and what it says."""
    client = Plain()
    client.hear(StateNews(view(n=0), NAMES))
    return client, said(client.hear(TURN))


def said(acts: tuple[Act, ...]) -> list[str]:
    return [act.text for act in acts if isinstance(act, Print)]


def done(acts: tuple[Act, ...]) -> list[Act]:
    return [act for act in acts if not isinstance(act, Print | Prompt)]


def test_the_first_number_is_no_sacrifice() -> None:
    client, lines = asked()
    assert lines[-3:] == [
        "  1. Take 2 gold",
        "  2. End your turn",
        "  3. Laboratory: give up Temple for 2 gold",
    ]
    assert done(client.read("1")) == [Answer(4, ("gold",))]


def test_a_sacrifice_is_done_when_it_is_said_twice() -> None:
    client, _lines = asked()
    first = client.read("3")
    assert done(first) == []
    assert said(first) == [
        "Laboratory: give up Temple for 2 gold: are you sure? Say it once more to do it."
    ]
    assert done(client.read("3")) == [Answer(4, ("lab:11",))]


def test_whoever_says_something_else_meanwhile_is_asked_again() -> None:
    client, _lines = asked()
    client.read("3")
    client.read("gold")  # the choice of that name, so the turn goes on elsewhere
    client.hear(TURN)
    client.read("3")
    client.read("hand")
    assert done(client.read("3")) == []
