"""Museum, Lighthouse, Theater: districts that move cards which nobody else may see."""

from __future__ import annotations

import pytest

from citadels_p2p.rules import Deal, Move, flow, need, zones
from tests.rules.scene import Player, Scene

# Museum


def test_the_museum_takes_a_hand_card_once_a_turn() -> None:
    scene = Scene(ann=Player("thief", hand="temple manor", city="museum"))
    assert scene.play("tuck:temple") == ["cards_tucked seat=ann count=1 reason=museum"]
    assert scene.refused("tuck:manor") == "already_used"


def test_cards_under_the_museum_lie_face_down() -> None:
    scene = Scene(ann=Player("thief", hand="temple manor", city="museum"))
    (slot,) = scene.state.places[0].hand[:1]
    scene.play(f"tuck:{slot}")
    assert zones(scene.state)[slot].kind == "tucked"
    assert slot not in scene.state.faces


def test_a_museum_saved_by_the_graveyard_loses_its_cards() -> None:
    scene = Scene(
        edition="dark-city",
        ann=Player("thief", gold=3, hand="palace", city="museum graveyard"),
        bob=Player("warlord", gold=3),
    )
    scene.play("tuck:palace")
    scene.pass_turn()
    scene.play("gold", "destroy:ann:museum", "recover:museum")
    assert scene.hand("ann") == ["museum"]
    assert scene.under_deck(1) == ["palace"]


# Lighthouse


def _lighthouse() -> Scene:
    return Scene(
        edition="dark-city", ann=Player("thief", gold=1, hand="lighthouse"), deck="temple"
    )


def test_who_builds_the_lighthouse_may_look_through_the_deck_and_take_a_card() -> None:
    scene = _lighthouse()
    cards = scene.deck()
    scene.play("gold", "build:lighthouse")
    assert scene.play("search") == [f"deck_searched seat=ann count={cards}"]
    assert scene.offers("fetch") >= {"fetch:temple", "fetch:palace", "fetch:library"}
    assert scene.play("fetch:palace") == [
        "cards_gained seat=ann count=1 reason=lighthouse",
        "deck_shuffled",
    ]
    assert scene.hand("ann") == ["palace"]
    assert scene.deck() == cards - 1


def test_looking_through_the_deck_is_left_to_the_builder() -> None:
    scene = _lighthouse()
    scene.play("gold", "build:lighthouse", "decline")
    assert scene.asked == "ann act"
    assert scene.deck() == len(scene.state.deck)


def test_nobody_else_sees_the_deck() -> None:
    scene = _lighthouse()
    scene.play("gold", "build:lighthouse", "search")
    frame = scene.state.stack[-1]
    assert set(frame.slots) <= set(scene.dealer.knowledge(scene.state, 0))
    assert not set(frame.slots) & set(scene.dealer.knowledge(scene.state, 1))
    assert not set(frame.slots) & set(scene.state.faces)


# Theater

PILE = "bishop merchant assassin king thief magician architect warlord"


def _theater(seats: int = 4, pile: str = PILE) -> Scene:
    return Scene(seats=seats, crown="ann", pile=pile, ann=Player(city="theater"))


def _choose(scene: Scene) -> None:
    """Everybody takes the first character that is offered."""
    while "theater" not in scene.asked:
        scene.play(min(scene.offers()))


def test_the_theater_swaps_two_chosen_characters_unseen() -> None:
    scene = _theater()
    _choose(scene)
    mine, theirs = scene.characters("ann"), scene.characters("cleo")
    told = scene.play("stage:cleo")
    assert told[0] == "picks_swapped seat=ann other=cleo"
    assert (scene.characters("ann"), scene.characters("cleo")) == (theirs, mine)


def test_both_may_look_at_what_they_got_and_nobody_else() -> None:
    scene = _theater()
    _choose(scene)
    (mine,), (theirs,) = scene.state.places[0].picks, scene.state.places[2].picks
    scene.play("stage:cleo")
    assert theirs in scene.dealer.knowledge(scene.state, 0)
    assert mine in scene.dealer.knowledge(scene.state, 2)
    assert mine not in scene.dealer.knowledge(scene.state, 0)


def test_the_theater_may_be_left_closed() -> None:
    scene = _theater()
    _choose(scene)
    before = scene.characters("ann")
    scene.play("decline")
    assert scene.characters("ann") == before


def test_the_owner_cannot_swap_with_himself() -> None:
    scene = _theater()
    _choose(scene)
    assert scene.refused("stage:ann") == "not_yourself"


def test_the_new_holder_is_called() -> None:
    scene = _theater()
    _choose(scene)
    (character,) = scene.characters("cleo")
    scene.play("stage:cleo")
    while not any(f"character={character}" in line for line in scene.story):
        scene.play(min(scene.offers("gold") or scene.offers("end") or scene.offers()))
    assert any(f"seat=ann character={character}" in line for line in scene.story)


@pytest.mark.parametrize("seats", [2, 3])
def test_with_two_characters_each_the_owner_gives_one_and_lots_say_which_comes(
    seats: int,
) -> None:
    pile = PILE if seats == 2 else f"{PILE} artist"
    scene = _theater(seats, pile)
    _choose(scene)
    mine, theirs = scene.characters("ann"), scene.characters("bob")
    given = mine[1]
    assert f"recast:{given}:bob" in scene.offers()
    scene.play(f"recast:{given}:bob")
    got = (set(theirs) - set(scene.characters("bob"))).pop()
    assert set(scene.characters("ann")) == {mine[0], got}
    assert given in scene.characters("bob")


def test_both_look_at_the_characters_that_the_theater_brought_them() -> None:
    """Only the two of them, each at its own: nobody else may."""
    scene = _theater()
    while "theater" not in scene.asked:
        scene.play(min(scene.offers()))
    looks: list[tuple[int, tuple[str, ...]]] = []
    state, dealer = scene.state, scene.dealer
    flow.decided(state, Move("stage", seat=2))
    while isinstance(wanted := need(state), Deal):
        looks.append((wanted.seat, tuple(dealer.faces[slot] for slot in wanted.slots)))
        flow.done(state)
    assert sorted(looks) == [
        (0, tuple(scene.characters("ann"))),
        (2, tuple(scene.characters("cleo"))),
    ]
