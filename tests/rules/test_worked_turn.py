"""The rulebook's example of a turn, move by move."""

from __future__ import annotations

from tests.rules.scene import Player, Scene


def test_alice_is_the_warlord_and_was_robbed() -> None:
    """Vadim is the Thief, Kirill the Architect, and Kirill is closest to winning."""
    scene = Scene(
        crown="bob",
        ann=Player("thief"),
        bob=Player("architect", city="market castle church"),
        cleo=Player(
            "warlord", gold=4, hand="barracks watchtower", city="prison school_of_magic"
        ),
    )
    # Earlier in the round Vadim announced whom he robs, and Kirill had his turn.
    scene.play("rob:warlord", "gold", "end")
    told = scene.play("gold", "end")

    # The Warlord is called: Vadim takes all of Alice's gold.
    assert told[-3:] == [
        "rank_called rank=8 seat=cleo character=warlord",
        "robbed seat=ann victim=cleo gold=4",
        "turn_begins seat=cleo rank=8 character=warlord",
    ]
    assert scene.gold("ann") == 6
    assert scene.gold("cleo") == 0

    # She gathers two gold to make up for the loss.
    assert scene.play("gold") == ["gold_gathered seat=cleo gold=2"]

    # For one gold she destroys Kirill's Market; it goes face down under the deck.
    assert scene.play("destroy:bob:market") == [
        "destroyed seat=cleo owner=bob card=market paid=1"
    ]
    assert scene.city("bob") == ["castle", "church"]
    assert scene.under_deck(1) == ["market"]

    # Her Prison and her School of Magic pay two gold; now she has three.
    assert scene.play("income") == ["income seat=cleo gold=2 quarter=military"]
    assert scene.gold("cleo") == 3

    # Three gold build the Barracks.
    assert scene.play("build:barracks") == ["built seat=cleo card=barracks paid=3"]
    assert scene.city("cleo") == ["prison", "school_of_magic", "barracks"]

    # The new military district brings no more gold this turn, and nothing more can be built.
    assert scene.refused("income") == "already_used"
    assert scene.refused("build:watchtower") == "build_limit limit=1"

    # Nobody comes after the Warlord: all characters are shuffled for a new choice.
    told = scene.play("end")
    assert told[:2] == ["turn_ends seat=cleo", "round_begins round=2 crown=bob"]
    assert scene.asked == "bob character"
