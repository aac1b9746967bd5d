"""A table for every ask of the rules: where it is asked, of whom, about what."""

from __future__ import annotations

from collections.abc import Callable

from tests.rules.scene import Player, Scene


def _warrants() -> Scene:
    scene = Scene(
        ann=Player("magistrate", gold=9),
        bob=Player("cardinal", hand="manor temple church"),
    )
    scene.play("place_warrants", "warrants:cardinal,king,thief")
    return scene


def _borrowed() -> Scene:
    scene = _warrants()
    scene.play("sign:cardinal", "gold", "end", "gold", "borrow:ann")
    return scene


def _threats() -> Scene:
    scene = Scene(ann=Player("blackmailer"), bob=Player("king", gold=3))
    scene.play("place_threats")
    return scene


def _spied() -> Scene:
    scene = Scene(ann=Player("spy"), bob=Player(hand="temple manor church"))
    scene.play("spy:religious:bob")
    return scene


def theater(seats: int) -> Scene:
    pile = "assassin thief magician king bishop merchant architect warlord"
    scene = Scene(
        seats=seats, crown="ann", pile=pile, edition="2016", ann=Player(city="theater")
    )
    while "theater" not in scene.asked:
        scene.play(min(scene.offers()))
    return scene


def _played(scene: Scene, *words: str) -> Scene:
    scene.play(*words)
    return scene


#: ask → a table at which it is asked
SCENES: dict[str, Callable[[], Scene]] = {
    "character": lambda: Scene(
        pile="assassin thief magician king bishop merchant architect warlord"
    ),
    "put": lambda: _played(
        Scene(seats=2, pile="assassin thief magician king bishop merchant architect warlord"),
        "take:thief",
        "take:king",
    ),
    "act": lambda: _played(
        Scene(
            ann=Player("diplomat", gold=4, hand="docks", city="manor temple barracks smithy"),
            bob=Player(city="castle church"),
            edition="2016",
        ),
        "gold",
    ),
    "gather": lambda: _played(
        Scene(ann=Player("witch"), bob=Player("king")), "gold", "bewitch:king"
    ),
    "keep": lambda: _played(
        Scene(ann=Player("king"), deck="temple manor"),
        "cards",
    ),
    "bewitch": lambda: _played(Scene(ann=Player("witch")), "gold"),
    "warrants": lambda: _played(Scene(ann=Player("magistrate")), "place_warrants"),
    "sign": _warrants,
    "custody": lambda: _played(_borrowed(), "build:manor", "pay_cards:temple"),
    "threats": _threats,
    "bribe": lambda: _played(
        _threats(), "threats:king,bishop", "sign:king", "gold", "end", "gold"
    ),
    "threaten": lambda: _played(
        _threats(), "threats:king,bishop", "sign:king", "gold", "end", "gold", "refuse_bribe"
    ),
    "count": _spied,
    "counted": lambda: _played(_spied(), "count:2"),
    "redraw": lambda: _played(Scene(ann=Player("magician", hand="temple manor")), "redraw"),
    "peeked": lambda: _played(
        Scene(ann=Player("wizard", gold=3), bob=Player(hand="temple manor castle")),
        "gold",
        "peek:bob",
    ),
    "give_back": lambda: _played(
        Scene(ann=Player("seer", hand="temple"), bob=Player(hand="manor")), "foresee"
    ),
    "crown": lambda: Scene(edition="dark-city", crown="bob", ann=Player("emperor")),
    "tribute": lambda: _played(
        Scene(
            crown="bob",
            ann=Player("emperor"),
            cleo=Player(gold=1, hand="temple"),
            edition="2016",
        ),
        "crown:cleo",
    ),
    "offering": lambda: _played(
        Scene(
            edition="dark-city",
            crown="bob",
            ann=Player("emperor"),
            cleo=Player(gold=1, hand="temple manor"),
        ),
        "crown:cleo",
    ),
    "borrow": _borrowed,
    "pay_cards": lambda: _played(_borrowed(), "build:manor"),
    "studied": lambda: _played(
        Scene(
            ann=Player("scholar"),
            deck="temple manor castle church tavern market docks",
        ),
        "study",
    ),
    "thieves_den": lambda: _played(
        Scene(ann=Player("king", gold=2, hand="thieves_den temple manor church")),
        "gold",
        "thieves_den:thieves_den",
    ),
    "recovery": lambda: _played(
        Scene(ann=Player("warlord", gold=3), bob=Player(gold=1, city="graveyard market")),
        "destroy:bob:market",
    ),
    "bell_tower": lambda: _played(
        Scene(ann=Player("king", gold=3, hand="bell_tower")), "gold", "build:bell_tower"
    ),
    "lighthouse": lambda: _played(
        Scene(ann=Player("king", gold=3, hand="lighthouse")), "gold", "build:lighthouse"
    ),
    "fetch": lambda: _played(
        _short_deck(Scene(ann=Player("king", gold=3, hand="lighthouse"), deck="temple manor")),
        "gold",
        "build:lighthouse",
        "search",
    ),
    "park": lambda: _played(Scene(ann=Player("king", city="park")), "gold", "end"),
    "hospital": lambda: _played(
        Scene(ann=Player("assassin"), bob=Player("king", city="hospital")),
        "murder:king",
        "gold",
        "end",
    ),
    "theater": lambda: theater(2),
}


def _short_deck(scene: Scene) -> Scene:
    scene.leave_in_deck(2)
    return scene
