"""Where other engines go wrong: each fault that random play has found in one, as a case."""

from __future__ import annotations

import pytest

from tests.rules.scene import Player, Scene

# Rank 4 that nobody has, or that is silent


@pytest.mark.parametrize("named", ["king", "emperor", "patrician"])
def test_a_named_rank_four_that_nobody_drafted(named: str) -> None:
    scene = Scene(crown="bob", ann=Player("assassin"), cast=named)
    scene.play(f"murder:{named}", "gold", "end")
    assert scene.state.round == 2
    assert scene.crown == "bob"


@pytest.mark.parametrize("edition", ["2016", "dark-city"])
def test_an_emperor_in_the_roster_whom_nobody_drafted(edition: str) -> None:
    scene = Scene(crown="bob", ann=Player("thief"), cast="emperor", edition=edition)
    scene.pass_turn()
    assert scene.state.round == 2
    assert scene.crown == "bob"


@pytest.mark.parametrize(("edition", "asked"), [("2016", "cleo crown"), ("dark-city", "")])
def test_a_murdered_emperor(edition: str, asked: str) -> None:
    """He moves the crown when the round is over; in the older box not at all."""
    scene = Scene(
        crown="bob", ann=Player("assassin"), cleo=Player("emperor", gold=2), edition=edition
    )
    scene.play("murder:emperor", "gold", "end")
    if asked:
        assert scene.asked == asked
        assert scene.offers() == {"crown:ann", "crown:dan"}
        scene.play("crown:dan")
    assert scene.crown == ("dan" if asked else "bob")
    assert scene.state.round == 2


# A deck that runs short


@pytest.mark.parametrize(
    ("character", "city", "verb", "reason"),
    [
        ("king", "smithy", "smithy", "smithy"),
        ("architect", "", "bonus_cards", "architect"),
        ("navigator", "", "voyage_cards", "navigator"),
    ],
)
@pytest.mark.parametrize("left", [0, 1])
def test_who_draws_several_cards_from_a_short_deck(
    character: str, city: str, verb: str, reason: str, left: int
) -> None:
    """What there is is drawn; from an empty deck the power cannot be used, nor is it spent."""
    scene = Scene(ann=Player(character, gold=2, city=city))
    scene.leave_in_deck(left)
    if not left:
        assert scene.refused(verb) == "deck_empty"
        return
    assert f"cards_gained seat=ann count=1 reason={reason}" in scene.play(verb)
    assert scene.deck() == 0


@pytest.mark.parametrize("left", [0, 1, 6])
def test_the_scholar_and_a_short_deck(left: int) -> None:
    scene = Scene(ann=Player("scholar"))
    scene.leave_in_deck(left)
    if not left:
        assert scene.refused("study") == "deck_empty"
        return
    assert scene.play("study")[0] == f"cards_drawn seat=ann count={left}"
    scene.play(min(scene.offers("keep")))
    assert len(scene.hand("ann")) == 1
    assert scene.deck() == left - 1
    scene.play("gold", "end")


def test_the_abbots_mixed_income_pays_both() -> None:
    scene = Scene(ann=Player("abbot", city="temple church monastery"))
    assert scene.play("share:2") == [
        "income seat=ann gold=2 quarter=religious",
        "cards_gained seat=ann count=1 reason=abbot",
    ]
    assert scene.gold("ann") == 2
    assert len(scene.hand("ann")) == 1


# Cities that are completed otherwise than by building

SIX = "castle temple church tavern market watchtower"


def test_a_city_completed_by_seizing_begins_the_last_round() -> None:
    scene = Scene(ann=Player("marshal", gold=3, city=SIX), bob=Player(city="docks"))
    told = scene.play("seize:bob:docks")
    assert told[1:] == ["city_completed seat=ann first=yes", "last_round"]
    scene.pass_turn()
    assert scene.asked == "over"


def test_a_city_completed_by_confiscation_begins_the_last_round() -> None:
    scene = warranted("manor", judge=SIX)
    scene.play("build:manor")
    told = scene.play("confiscate")
    assert told[1:] == ["city_completed seat=ann first=yes", "last_round"]
    scene.play("end")
    assert scene.asked == "over"


@pytest.mark.parametrize("by", ["framework", "necropolis"])
def test_a_complete_city_that_gives_a_district_for_another_is_not_completed_again(
    by: str,
) -> None:
    hand, city = ("keep", "framework") if by == "framework" else ("necropolis", "keep")
    scene = Scene(ann=Player("king", hand=hand, city=f"{SIX} {city}"), first="ann")
    scene.play("gold")
    move = f"{by}:{hand}" if by == "framework" else f"{by}:{hand}:{city}"
    assert not any("city_completed" in line for line in scene.play(move))
    assert len(scene.city("ann")) == 7


# The Secret Vault


@pytest.mark.parametrize("way", ["framework:secret_vault", "necropolis:secret_vault:framework"])
def test_a_secret_vault_cannot_be_built_for_a_district(way: str) -> None:
    hand = "secret_vault necropolis"
    scene = Scene(ann=Player("king", gold=9, hand=hand, city="framework"))
    scene.play("gold")
    assert not any(":secret_vault" in offer for offer in scene.offers())
    assert scene.refused(way) == "not_buildable card=secret_vault"


def test_a_secret_vault_cannot_be_built_by_the_wizard() -> None:
    scene = Scene(ann=Player("wizard", gold=9), bob=Player(hand="secret_vault"))
    scene.play("gold", "peek:bob")
    assert scene.offers() == {"pocket:secret_vault"}
    assert scene.refused("raise:secret_vault") == "not_buildable card=secret_vault"


def warranted(hand: str, judge: str = "", gold: int = 9, **others: Player) -> Scene:
    """Bob, King, under Ann's signed warrant, has gathered gold; `judge` is Ann's city."""
    scene = Scene(
        ann=Player("magistrate", city=judge),
        bob=Player("king", gold=gold, hand=hand),
        **others,
    )
    scene.play("place_warrants", "warrants:architect,bishop,king", "sign:king")
    scene.pass_turn()
    scene.play("gold")
    return scene


def test_after_confiscated_stables_another_district_may_be_built() -> None:
    scene = warranted("stables temple")
    scene.play("build:stables", "confiscate")
    assert scene.play("build:temple") == ["built seat=bob card=temple paid=1"]


def test_the_navigator_does_not_build_stables_either() -> None:
    scene = Scene(ann=Player("navigator", gold=5, hand="stables"))
    scene.play("gold")
    assert scene.refused("build:stables") == "no_building"


def test_who_reveals_a_district_to_the_magistrate_shows_it_to_all() -> None:
    scene = warranted("manor")
    scene.play("build:manor")
    slot = scene.state.stack[-1].slots[0]
    assert scene.state.faces[slot] == "manor"
    assert slot not in scene.state.places[1].hand


def test_the_witch_bewitching_her_own_other_character() -> None:
    scene = Scene(seats=2, ann=Player("witch king"), bob=Player("thief bishop"))
    scene.play("gold", "bewitch:king")
    scene.pass_turn()
    assert scene.asked == "ann gather"
    assert "turn_resumed seat=ann rank=4 character=king" in scene.play("gold")


@pytest.mark.parametrize(
    ("second", "move"), [("thief", "rob:warlord"), ("blackmailer", "threats:bishop,warlord")]
)
def test_a_bewitched_character_is_not_robbed_nor_threatened_but_is_called(
    second: str, move: str
) -> None:
    scene = Scene(ann=Player("witch"), bob=Player("warlord", gold=4), cleo=Player(second))
    scene.play("gold", "bewitch:warlord")
    if second == "blackmailer":
        scene.play("place_threats")
    assert scene.refused(move) == "not_that_character character=warlord"
    if second == "blackmailer":
        scene.play("threats:bishop,king", "sign:king")
    scene.pass_turn()
    assert scene.turn == "bob warlord"


# Who pays, who is paid, who is safe


@pytest.mark.parametrize("rank_four", ["king", "emperor", "patrician"])
def test_the_queen_beside_a_murdered_rank_four_is_paid_late(rank_four: str) -> None:
    scene = Scene(
        seats=5,
        crown="dan",
        cleo=Player("assassin"),
        ann=Player("queen"),
        bob=Player(rank_four),
    )
    scene.play(f"murder:{rank_four}", "gold", "end")
    assert scene.refused("homage") == "not_an_option"
    assert "gold_gained seat=ann gold=3 reason=queen" in scene.pass_turn()


def test_the_tax_on_a_confiscated_district_falls_on_the_magistrate() -> None:
    scene = warranted("manor", cleo=Player("tax_collector"))
    scene.play("build:manor")
    assert "taxed seat=ann gold=1" in scene.play("confiscate")
    assert (scene.gold("ann"), scene.gold("bob")) == (1, 11)


def test_the_armory_cannot_aim_at_itself() -> None:
    scene = Scene(ann=Player("king", city="armory temple"), edition="2016")
    assert scene.offers("armory") == {"armory:ann:temple"}
    assert scene.refused("armory:ann:armory") == "not_itself"


@pytest.mark.parametrize(("seats", "cast"), [(2, ""), (3, " artist")])
def test_the_theater_where_everybody_has_two_characters(seats: int, cast: str) -> None:
    """Its owner says which of the two to give; which of the other's two comes, chance says."""
    came = set()
    for first in ("0", "1"):
        scene = Scene(
            seats=seats,
            pile=f"bishop merchant assassin king thief magician architect warlord{cast}",
            ann=Player(city="theater"),
        )
        while "theater" not in scene.asked:
            scene.play(min(scene.offers()))
        mine, theirs = scene.characters("ann"), scene.state.places[1].picks[:]
        assert scene.offers("recast") == {
            f"recast:{character}:{other}" for character in mine for other in ("bob", "cleo")
        } - ({f"recast:{character}:cleo" for character in mine} if seats == 2 else set())
        scene.arrange(" ".join(map(str, theirs if first == "0" else theirs[::-1])))
        scene.play(f"recast:{mine[0]}:bob")
        (got,) = set(scene.state.places[0].picks) & set(theirs)
        came.add(theirs.index(got))
        assert mine[0] in scene.characters("bob")
        assert mine[1] in scene.characters("ann")
    assert came == {0, 1}


def test_the_shield_of_a_bewitched_bishop_is_the_witchs() -> None:
    scene = Scene(
        ann=Player("witch", city="temple"),
        bob=Player("bishop", city="church"),
        dan=Player("warlord", gold=5),
    )
    scene.play("gold", "bewitch:bishop", "gold", "end")
    assert scene.offers("destroy") == {"destroy:bob:church"}
    assert scene.refused("destroy:ann:temple") == "protected seat=ann"
