"""Practice, heard by somebody who listens all the time."""

from __future__ import annotations

import asyncio

from citadels_p2p import match
from citadels_p2p.match.acts import Answer
from citadels_p2p.match.news import Ask, News, OverNews
from citadels_p2p.rules import Rules


def test_whoever_listens_while_answering_hears_what_comes_of_it() -> None:
    """To draw cards tells nothing by itself: what comes of it is told all the same."""

    async def play() -> list[str]:
        session = match.practice(
            Rules.make("classic", seats=2), levels=("easy",), name="Ann", seed=5
        )
        kinds: list[str] = []
        news: News = await session.next()
        while not isinstance(news, OverNews):
            listening = asyncio.ensure_future(session.next())
            if isinstance(news, Ask):
                kinds.append(news.kind)
                await asyncio.sleep(0)  # it listens from now on
                ids = [option.id for option in news.options]
                pick = "cards" if "cards" in ids else ids[-1]
                picks = (pick,) if news.low is None else tuple(ids[: news.low])
                await session.do(Answer(news.id, picks))
            news = await asyncio.wait_for(listening, 30)
        return kinds

    assert "keep" in asyncio.run(play())
