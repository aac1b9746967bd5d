"""The choice of characters: every row of the table, from two people to seven."""

from __future__ import annotations

import pytest

from tests.rules.scene import PEOPLE, Player, Scene

ALL = "assassin thief magician king bishop merchant architect warlord"


def draft(seats: int, pile: str = ALL, again: str = "", crown: str = "ann") -> Scene:
    """A round about to be chosen, the characters laid out in this order."""
    return Scene(seats=seats, pile=pile, again=again, crown=crown)


def choose_first_offered(scene: Scene) -> list[str]:
    """Everybody takes whatever comes first; gives who was asked, and for what."""
    asked = []
    while scene.asked.split()[-1] in ("character", "discard_character"):
        asked.append(scene.asked)
        scene.play(sorted(scene.offers())[0])
    return asked


# Four to seven people


@pytest.mark.parametrize(("seats", "open_cards"), [(4, 2), (5, 1), (6, 0), (7, 0)])
def test_how_many_characters_lie_face_up_and_face_down(seats: int, open_cards: int) -> None:
    """Four people: 2 open and 1 hidden; five: 1 and 1; six and seven: none and 1."""
    scene = draft(seats)
    assert scene.faceup() == ALL.split()[:open_cards]
    assert scene.aside() == [ALL.split()[open_cards]]
    assert len(scene.going_round()) == 7 - open_cards


def test_the_face_up_characters_are_told_to_everybody_and_the_hidden_one_to_nobody() -> None:
    scene = draft(4)
    assert scene.story[-3:] == [
        "round_begins round=2 crown=ann",
        "face_up characters=assassin+thief",
        "face_down count=1",
    ]


@pytest.mark.parametrize("seats", [4, 5, 6, 7])
def test_the_crown_chooses_first_and_the_rest_goes_to_the_left(seats: int) -> None:
    """Everybody keeps exactly one character, whoever holds the crown."""
    scene = draft(seats, crown="cleo")
    around = [*PEOPLE[2:seats], *PEOPLE[:2]]
    assert choose_first_offered(scene) == [f"{person} character" for person in around]
    assert all(len(scene.characters(person)) == 1 for person in around)


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_the_last_of_four_to_six_people_chooses_one_of_two_and_hides_the_other(
    seats: int,
) -> None:
    scene = draft(seats)
    for _ in range(seats - 1):
        scene.play(sorted(scene.offers())[0])
    left = scene.going_round()
    assert len(left) == 2
    hidden = scene.aside()
    told = scene.play(f"take:{left[1]}")
    assert told[:2] == [
        f"character_taken seat={PEOPLE[seats - 1]}",
        f"character_set_aside seat={PEOPLE[seats - 1]}",
    ]
    assert scene.aside() == [*hidden, left[0]]


def test_nobody_may_take_a_character_that_has_left_the_pile() -> None:
    """What lies face up is out of the round, and so is what a neighbour kept."""
    scene = draft(4)
    assert scene.offers() == {f"take:{character}" for character in ALL.split()[3:]}
    scene.play("take:king")
    assert "take:king" not in scene.offers()


def test_the_choice_is_secret() -> None:
    """All learn that a character was kept, and nobody learns which."""
    scene = draft(4)
    assert scene.play("take:king") == ["character_taken seat=ann"]


def test_the_seventh_of_seven_also_gets_the_card_hidden_at_the_start() -> None:
    """One comes from the sixth, the other is the hidden one; one stays, one is hidden again."""
    scene = draft(7)
    for character in ("thief", "magician", "king", "bishop", "merchant", "architect"):
        scene.play(f"take:{character}")
    assert scene.asked == "gus character"
    assert scene.going_round() == ["assassin", "warlord"]
    assert scene.aside() == []
    told = scene.play("take:assassin")
    assert "character_set_aside seat=gus" in told
    assert scene.characters("gus") == ["assassin"]
    assert scene.aside() == ["warlord"]


# The King never lies face up


def test_a_king_turned_up_is_replaced_and_goes_back_into_the_pile() -> None:
    """Another takes his place, and the pile is shuffled: nobody knows where he is."""
    scene = draft(
        5,
        pile="king thief assassin magician bishop merchant architect warlord",
        again="assassin king magician bishop merchant architect warlord",
    )
    assert scene.story[-3:] == [
        "face_up_replaced character=king",
        "face_up characters=thief",
        "face_down count=1",
    ]
    assert scene.faceup() == ["thief"]
    assert "take:king" in scene.offers()


@pytest.mark.parametrize(
    "pile",
    [
        "king assassin thief magician bishop merchant architect warlord",
        "assassin king thief magician bishop merchant architect warlord",
    ],
)
def test_the_king_is_replaced_whether_he_is_turned_up_first_or_second(pile: str) -> None:
    scene = draft(4, pile=pile, again="magician bishop merchant architect warlord king")
    assert scene.faceup() == ["assassin", "thief"]
    assert scene.aside() == ["magician"]


def test_the_king_may_be_the_hidden_card() -> None:
    """Only face up he may not lie; hidden after he was shuffled back, he takes no part."""
    scene = draft(
        5,
        pile="king thief assassin magician bishop merchant architect warlord",
        again="king assassin magician bishop merchant architect warlord",
    )
    assert scene.aside() == ["king"]
    assert "take:king" not in scene.offers()


@pytest.mark.parametrize(
    ("edition", "story", "hidden"),
    [
        ("classic", ["face_up_replaced", "face_up", "face_down"], "assassin"),
        ("2016", ["face_up_replaced", "face_up", "face_down"], "assassin"),
        ("original", ["face_down", "face_up"], "king"),
        ("dark-city", ["face_down", "face_up"], "king"),
    ],
)
def test_the_older_boxes_lay_the_hidden_card_first(
    edition: str, story: list[str], hidden: str
) -> None:
    """So with four the King is the hidden card once in eight there, once in six elsewhere."""
    pile = "king thief assassin magician bishop merchant architect warlord"
    again = "assassin king magician bishop merchant architect warlord"
    scene = Scene(seats=5, pile=pile, again=again, edition=edition)
    discards = [line.split()[0] for line in scene.story if line.startswith("face_")]
    assert discards == story
    assert scene.faceup() == ["thief"]
    assert scene.aside() == [hidden]


@pytest.mark.parametrize("seats", [2, 3, 6, 7])
def test_where_nothing_lies_face_up_the_king_is_not_disturbed(seats: int) -> None:
    scene = draft(seats, pile="king assassin thief magician bishop merchant architect warlord")
    assert not any(line.startswith("face_up") for line in scene.story)
    assert scene.aside() == ["king"]


# Two and three people


def test_two_people_keep_two_characters_each_and_hide_four() -> None:
    """One hidden; then A keeps 1 of 7; B keeps 1, hides 1; A the same; B keeps 1 of 2."""
    scene = draft(2, crown="bob")
    sizes = []
    asked = []
    while scene.asked.split()[-1] in ("character", "discard_character"):
        asked.append(scene.asked)
        sizes.append(len(scene.going_round()))
        scene.play(sorted(scene.offers())[0])
    assert asked == [
        "bob character",
        "ann character",
        "ann discard_character",
        "bob character",
        "bob discard_character",
        "ann character",
    ]
    assert sizes == [7, 6, 5, 4, 3, 2]
    assert len(scene.aside()) == 4
    assert [len(scene.characters(person)) for person in ("ann", "bob")] == [2, 2]


def test_one_of_two_people_says_what_is_hidden_and_only_that_it_was() -> None:
    scene = draft(2)
    scene.play("take:thief", "take:magician")
    assert scene.play("aside:king") == ["character_set_aside seat=bob"]
    assert scene.aside() == ["assassin", "king"]


def test_three_people_keep_two_characters_each_and_the_last_hides_one() -> None:
    """One hidden unseen; seven go round twice; the third chooses one of the last two."""
    scene = draft(3, crown="cleo")
    assert choose_first_offered(scene) == [
        "cleo character",
        "ann character",
        "bob character",
        "cleo character",
        "ann character",
        "bob character",
    ]
    assert all(len(scene.characters(person)) == 2 for person in ("ann", "bob", "cleo"))
    assert len(scene.aside()) == 2
    assert "character_set_aside seat=bob" in scene.story


# After the choice


def test_the_ranks_are_called_from_one_to_eight() -> None:
    """The Assassin first, the Warlord last; where nobody answers the next is called."""
    scene = Scene(ann=Player("warlord"), bob=Player("magician"), cleo=Player("king"))
    scene.pass_turn()
    scene.pass_turn()
    scene.pass_turn()
    calls = [line for line in scene.story if line.startswith("rank_called")][:8]
    assert calls == [
        "rank_called rank=1 seat=nobody character=nobody",
        "rank_called rank=2 seat=nobody character=nobody",
        "rank_called rank=3 seat=bob character=magician",
        "rank_called rank=4 seat=cleo character=king",
        "rank_called rank=5 seat=nobody character=nobody",
        "rank_called rank=6 seat=nobody character=nobody",
        "rank_called rank=7 seat=nobody character=nobody",
        "rank_called rank=8 seat=ann character=warlord",
    ]


def test_all_characters_come_back_for_the_next_round() -> None:
    """When the last turn is over the eight are shuffled anew."""
    scene = Scene(ann=Player("warlord"), crown="bob")
    told = scene.pass_turn()
    assert "round_begins round=2 crown=bob" in told
    assert scene.asked == "bob character"
    everything = scene.going_round() + scene.aside() + scene.faceup()
    assert sorted(everything) == sorted(ALL.split())


# Nine characters


@pytest.mark.parametrize(("seats", "faceup"), [(4, 3), (5, 2), (6, 1), (7, 0), (8, 0)])
def test_with_nine_characters_one_more_lies_face_up(seats: int, faceup: int) -> None:
    scene = Scene.opening(seats, "artist")
    assert len(scene.faceup()) == faceup
    assert len(scene.aside()) == 1


def test_the_eighth_of_eight_chooses_between_the_last_one_and_the_unseen_one() -> None:
    scene = Scene.opening(8, "artist")
    (unseen,) = scene.aside()
    for _ in range(7):
        scene.play(min(scene.offers()))
    assert len(scene.offers()) == 2
    assert f"take:{unseen}" in scene.offers()


def test_three_with_nine_characters_lose_one_of_the_middle_five_by_chance() -> None:
    scene = Scene.opening(3, "artist")
    for left in (8, 7, 6):
        assert len(scene.going_round()) == left
        scene.play(min(scene.offers()))
    assert scene.story[-1] == "face_down count=1"
    for left in (4, 3, 2):
        assert len(scene.going_round()) == left
        scene.play(min(scene.offers()))
    assert len(scene.aside()) == 3


def test_the_middle_five_are_shuffled_before_one_of_them_goes() -> None:
    """The third player chose from them: without the shuffle it would know which one is out."""
    pile = "assassin thief magician king bishop merchant architect warlord artist"
    left = "merchant warlord artist architect bishop"
    scene = Scene(seats=3, cast="artist", pile=pile, again=left)
    scene.play("take:thief", "take:magician", "take:king")
    assert scene.aside() == ["assassin", "merchant"]
    assert scene.going_round() == ["architect", "artist", "bishop", "warlord"]
