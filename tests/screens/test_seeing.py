"""Whoever is let look really sees, at every size and in the plain table; and it stays told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from citadels_p2p import match
from citadels_p2p.match.acts import Answer
from citadels_p2p.match.asks import ask_of
from citadels_p2p.match.news import Ask, News, Option, OverNews, Session, StateNews
from citadels_p2p.rules import Rules, view
from cli.client.effects import Print
from cli.client.plain import Plain
from cli.screen.screen import Screen
from cli.text import cards, question
from tests.cli.scripted import lobby
from tests.rules.asked import SCENES
from tests.screens.easel import Easel

CAST = ["magistrate", "spy", "wizard", "emperor", "abbot", "trader", "navigator", "diplomat"]


def table(seed: int = 3) -> Session:
    """A practice game with a Spy in it."""
    rules = Rules.make("2016", seats=4, characters=CAST)
    return match.practice(rules, levels=("normal",) * 3, name="Ann", seed=seed)


def wish(ask: Ask) -> tuple[str, ...]:
    """What a would-be Spy answers."""
    spying = [x for x in ask.options if "spy" in (x.verb, *x.fields.values())]
    picks = spying[::-1] or [x for x in ask.options if x.verb == "end"] or list(ask.options)
    return tuple(option.id for option in picks[: 1 if ask.low is None else ask.low])


def spying(listen: Callable[[News], object]) -> Ask:
    """Play until a hand is looked into; `listen` hears everything."""

    async def play(session: Session) -> Ask:
        while True:
            news = await session.next()
            listen(news)
            assert not isinstance(news, OverNews), "nobody was the Spy"
            if isinstance(news, Ask):
                if news.kind == "count":
                    return news
                await session.do(Answer(news.id, wish(news)))

    session = table()
    return asyncio.run(play(session))


def names(screen: Screen) -> list[str]:
    """The cards that are seen."""
    view = screen.model.view
    assert view is not None
    assert view.you is not None
    return [cards.district(one.card) for one in view.you.seen]


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (120, 36), (140, 40)])
def test_the_spy_sees_the_hand_and_enter_goes_on(size: tuple[int, int]) -> None:
    screen, easel = Screen(), Easel(*size)
    ask = spying(lambda news: screen.hear(news, 0.0))
    screen.press("enter")  # the look back at the last round
    shown = easel.read(screen)
    seen = names(screen)
    assert len(seen) > 1
    below = shown.partition("You see:")[2]
    assert all(name in below for name in seen), shown
    assert "Count" not in shown
    assert "Enter: go on" in shown
    assert screen.press("enter") == (Answer(ask.id, (ask.options[0].id,)),)


def test_what_was_seen_stays_in_the_journal() -> None:
    screen, easel = Screen(), Easel(80, 24)
    spying(lambda news: screen.hear(news, 0.0))
    seen = names(screen)
    screen.press("enter")  # the look back at the last round
    screen.press("enter")
    screen.press("l")
    shown = easel.read(screen)
    assert all(name in shown for name in seen), shown


def test_the_plain_table_shows_the_hand_and_an_empty_line_goes_on() -> None:
    client, screen = Plain(), Screen()
    told: list[str] = []

    def listen(news: News) -> None:
        screen.hear(news, 0.0)
        told.extend(effect.text for effect in client.hear(news) if isinstance(effect, Print))
        if isinstance(news, Ask) and client.model.ask is not None and news.kind != "count":
            client.model.answered(news)

    ask = spying(listen)
    last = "\n".join(told[-12:])
    assert all(name in last for name in names(screen)), last
    assert "Count" not in last
    assert told[-1] == "Press Enter to go on."
    assert Answer(ask.id, (ask.options[0].id,)) in client.read("")
    log = [effect.text for effect in client.read("log 40") if isinstance(effect, Print)]
    assert any(names(screen)[0] in line for line in log)


def test_an_answer_that_is_the_only_one_is_no_question() -> None:
    screen, easel = Screen(), Easel(60, 18)
    ask = spying(lambda news: screen.hear(news, 0.0))
    screen.press("enter")  # the look back at the last round
    taken = easel.read(screen)
    assert "How many cards" not in taken
    assert ask.sole == (ask.options[0].id,)


def test_an_only_answer_is_told_with_what_it_answers() -> None:
    """A district that lies open to all is nothing that the Magistrate is let look at."""
    scene = SCENES["custody"]()
    seat = scene.state.stack[-1].seat
    faces = scene.dealer.knowledge(scene.state, seat)
    asked = ask_of(1, scene.state, faces)
    declines = tuple(one for one in asked.options if one.verb == "decline")
    screen, easel = Screen(), Easel(80, 24)
    screen.hear(lobby(), 0.0)
    screen.hear(StateNews(view(scene.state, seat, faces), ("Ann", "Bob", "Cleo", "Dan")), 0.0)
    screen.hear(replace(asked, options=declines), 0.0)
    shown = " ".join(easel.read(screen).split())
    assert "Manor is paid for, but your warrant there is not signed." in shown
    assert "You see" not in shown


def test_bounds_that_are_one_number_are_told_as_one() -> None:
    some = tuple(Option(f"card:{n}", "card", {"slot": n, "card": "market"}) for n in range(6))
    ask = Ask(3, "cards", some, word="thieves_den", low=6, high=6)
    assert question(ask) == "Which 6 cards do you pay with? Gold pays the rest."
    assert "Choose 2 to 6 cards" in question(replace(ask, low=2))
