"""What every ask says of itself and of its options, for sentences: whom, what, how much.

`asked.txt` is written anew with `python -m tests.rules.test_asks`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from citadels_p2p.rules import choice
from citadels_p2p.rules.asks import ASKS
from tests.rules.asked import SCENES
from tests.rules.scene import PEOPLE, Player, Scene

GOLDEN = Path(__file__).with_name("asked.txt")
#: who has the menu of the turn, after gathering gold; a gold lies on every market
MENUS: dict[str, Callable[[], Scene]] = {
    "marshal": lambda: Scene(
        ann=Player("marshal", gold=9, hand="temple", city="laboratory"),
        bob=Player(city="market great_wall temple"),
    ),
    "warlord": lambda: Scene(
        ann=Player("warlord", gold=9, city="prison school_of_magic"),
        bob=Player(city="market great_wall"),
    ),
    "diplomat": lambda: Scene(
        ann=Player("diplomat", gold=9, city="market"), bob=Player(city="castle great_wall")
    ),
    "abbot": lambda: Scene(ann=Player("abbot", city="temple church"), bob=Player(gold=9)),
    "patrician": lambda: Scene(ann=Player("patrician", city="manor castle")),
    "merchant": lambda: Scene(ann=Player("merchant")),
    "architect": lambda: Scene(ann=Player("architect", hand="market")),
    "navigator": lambda: Scene(ann=Player("navigator", hand="market")),
    "scholar": lambda: Scene(ann=Player("scholar")),
    "king": lambda: Scene(
        ann=Player("king", hand="necropolis thieves_den temple", city="framework market")
    ),
    "thief": lambda: Scene(
        ann=Player("thief", hand="smithy", gold=2, city="armory factory"),
        bob=Player(city="market"),
    ),
    "artist": lambda: Scene(ann=Player("artist", city="temple museum", hand="manor")),
}

_PEOPLE = frozenset({"seat", "to", "owner"})


def _words(about: tuple[tuple[str, object], ...]) -> str:
    said = []
    for name, value in about:
        person = name in _PEOPLE and isinstance(value, int)
        said.append(f"{name}={PEOPLE[int(str(value))] if person else value}")
    return " ".join(said)


def _asked(scene: Scene) -> str:
    frame = scene.state.stack[-1]
    offer = choice(scene.state, scene.dealer.knowledge(scene.state, frame.seat))
    bounds = f" {offer.low}-{offer.high}" if offer.low is not None else ""
    lines = [f"[{offer.ask}] {PEOPLE[offer.seat]} {offer.kind}{bounds}", _words(offer.about)]
    for move in offer.moves:
        person = f" {PEOPLE[move.seat]}" if move.seat >= 0 else ""
        lines.append(f"  {move.verb}{person} {_words(move.about)}".rstrip())
    return "\n".join(line for line in lines if line)


def _menu(name: str) -> Scene:
    scene = MENUS[name]()
    for person in ("ann", "bob"):
        if "market" in scene.city(person):
            scene.gild(person, "market")
    scene.play("gold")
    return scene


def _page() -> str:
    asks = [_asked(SCENES[word]()) for word in ASKS]
    return "\n\n".join([*asks, *(_asked(_menu(name)) for name in MENUS)]) + "\n"


@pytest.mark.parametrize("word", ASKS)
def test_each_scene_asks_what_it_is_for(word: str) -> None:
    assert _asked(SCENES[word]()).startswith(f"[{word}]")


def test_what_is_asked_says_whom_and_what_it_concerns() -> None:
    assert _page() == GOLDEN.read_text(encoding="utf-8")


def test_what_leads_back_to_the_menu_leaves_the_turn_as_it_was() -> None:
    """Bots must know which: they would go to and fro for ever."""
    leaving = {"borrow": "decline", "redraw": "discard:"}
    assert {word for word, ask in ASKS.items() if ask.returns} == set(leaving)
    for word, left in leaving.items():
        scene = SCENES[word]()
        turn = scene.state.turn
        assert turn is not None
        before = turn.copy()
        scene.play(left)
        assert scene.state.turn == before
        assert scene.asked.endswith(" act")


if __name__ == "__main__":
    GOLDEN.write_text(_page(), encoding="utf-8")
