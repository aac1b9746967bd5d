"""A box of one's own: `examples/house_box.py` is played and read like those of the books."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from unittest import mock

import pytest

from citadels_p2p import house
from citadels_p2p.arena import play, simulate_any
from citadels_p2p.bots import Observation, make_bot
from citadels_p2p.bots.hard import Hard
from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, PRESETS, District, extended
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.inspection import Inspector
from citadels_p2p.rules import (
    Fact,
    Move,
    Rules,
    State,
    asks,
    board,
    effects,
    flow,
    move_ids,
    new,
)
from citadels_p2p.rules.choices import Service
from citadels_p2p.rules.hooks import DistrictEffect
from citadels_p2p.rules.state import Frame
from cli import i18n
from cli.__main__ import main
from cli.line import arguments
from cli.line.exits import Exit
from cli.text import cards, wordings
from tests.match.round_table import RoundTable
from tests.protocol.tiny_group import TinyGroup
from tests.rules.scene import Player, Scene

FILE = Path(__file__).parents[2] / "examples" / "house_box.py"
RULES = (CHARACTERS, DISTRICTS, EDITIONS, effects.CHARACTERS, effects.DISTRICTS)
WORDS = (cards.EDITIONS, cards.CHARACTERS, cards.POWERS, cards.ABILITIES, cards.DISTRICTS)


@pytest.fixture
def box(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Its edition, which is forgotten afterwards."""
    monkeypatch.setattr(arguments, "EDITIONS", arguments.EDITIONS)
    monkeypatch.setenv("CITADELS_HOUSE", str(FILE))
    with ExitStack() as after:
        for table in (*RULES, *WORDS, cards.EFFECTS, move_ids.VERBS, asks.ASKS, flow.STEPS):
            after.enter_context(mock.patch.dict(table))
        house.load(FILE)
        yield "house"
        del sys.modules["house_box_house_box"]


def test_it_extends_the_classic_box(box: str) -> None:
    rules, classic = Rules.make(box, 4), Rules.make("classic", 4)
    assert rules.characters == (*classic.characters[:6], "mason", classic.characters[7])
    assert rules.uniques == (*classic.uniques, "vineyard")
    assert len(rules.pack) == len(classic.pack) + 1
    assert Rules.from_options(rules.to_options()) == rules
    assert "architect" in Rules.make(box, 4, characters=["architect"]).characters


def test_the_official_boxes_stay_as_they_are(box: str) -> None:
    for edition, official in EDITIONS.items():
        printed = {row.card for row in (*official.deck, *official.chest)}
        assert ("mason" in official.cast) == ("vineyard" in printed) == (edition == box)


def test_a_box_with_a_choice_leaves_one_card_more_of_it_to_lots(box: str) -> None:
    box_2016 = EDITIONS["2016"]
    grown = extended(box_2016, "grown", [CHARACTERS["mason"]], [DISTRICTS["vineyard"]])
    with mock.patch.dict(EDITIONS, {"grown": grown}):
        state = play(
            new(Rules.make("grown", 4, characters=["random"], uniques=["random"])),
            OpenDealer(Random(1)),
            ("easy",) * 4,
        )
    assert len(state.rules.uniques) == 15
    assert wordings.effect("keep", "grown") == cards.EFFECTS["keep"]


def test_it_speaks_as_the_box_that_it_extends(box: str) -> None:
    grown = extended(EDITIONS["dark-city"], "grown")
    with mock.patch.dict(EDITIONS, {"grown": grown}):
        for card in ("keep", "laboratory", "library"):
            assert wordings.effect(card, "grown") == wordings.effect(card, "dark-city")
            assert wordings.effect(card, "grown") != wordings.effect(card, box)


def test_no_card_comes_twice(box: str) -> None:
    mason = CHARACTERS["mason"]
    other = extended(EDITIONS["classic"], "other", [mason])
    with pytest.raises(ValueError, match="taken: mason"):
        house.add(other, {mason: effects.CHARACTERS["mason"]}, {})


def test_what_may_be_chosen_has_to_say_what_it_costs(box: str) -> None:
    class Feast(Service):
        verb = "feast"

    hall = extended(EDITIONS["classic"], "hall")
    with pytest.raises(ValueError, match="no outlay: Feast"):
        house.add(hall, {}, {}, verbs={"feast": ()}, interruptions={"feast": Feast()})
    assert "hall" not in EDITIONS


def test_a_card_may_bring_a_move_and_a_question_of_its_own(box: str) -> None:
    """An Inn, whose builder may invite: a gold for everybody."""

    class Invite(Service):
        verb = "invite"
        outlay = "gift"

        def accept(self, state: State, frame: Frame, move: Move) -> None:
            for seat in range(state.rules.seats):
                board.gain_gold(state, seat, 1, "inn")

    def ask(state: State, seat: int, slot: int) -> None:
        state.stack.append(Frame("decide", "inn", seat))

    inn = District("inn", "unique", 3)
    house.add(
        extended(EDITIONS[box], "inns", uniques=[inn]),
        {},
        {inn: DistrictEffect(on_raised=ask)},
        verbs={"invite": ()},
        interruptions={"inn": Invite()},
    )
    scene = Scene(edition="inns", ann=Player("thief", gold=3, hand="inn"), bob=Player(gold=0))
    scene.play("gold", "build:inn")
    assert scene.offers() == {"invite", "decline"}
    sight = Observation(scene.state, 0, {})
    for level in ("easy", "normal", "hard"):
        assert make_bot(level).choose(sight, Random(1)), "it knows what a gift is"
    scene.play("invite")
    assert (scene.gold("ann"), scene.gold("bob")) == (3, 1)


def test_a_mason_is_paid_after_building(box: str) -> None:
    scene = Scene(edition=box, ann=Player("mason", hand="temple market", gold=3))
    scene.play("gold")
    assert scene.refused("bonus_gold") == "not_an_option"
    scene.play("build:temple", "bonus_gold", "build:market")
    assert scene.gold("ann") == 3 + 2 - 1 + 2 - 2
    assert scene.refused("bonus_gold") == "already_used"


@pytest.mark.parametrize(("city", "gold"), [("vineyard castle", 3), ("vineyard temple", 2)])
def test_a_vineyard_pays_beside_a_noble_district(box: str, city: str, gold: int) -> None:
    scene = Scene(edition=box, ann=Player("thief", gold=0, city=city))
    scene.play("gold", "end")
    assert scene.gold("ann") == gold


def test_bots_of_all_levels_play_it_under_inspection(box: str) -> None:
    used: set[str] = set()

    class Watcher(Inspector):
        def happen(self, state: State, fact: Fact) -> None:
            used.update(event.kind for event in state.log or ())
            if state.turn is not None:
                used.update(state.turn.used)
            super().happen(state, fact)

    def make(level: str) -> object:
        return Hard(iterations=2) if level == "hard" else make_bot(level)

    for seed in range(4):
        dealer = OpenDealer(Random(seed))
        levels = ("easy", "normal", "hard", "easy")
        play(new(Rules.make(box, 4)), dealer, levels, Watcher(dealer, 29), make)  # type: ignore[arg-type]
    assert "mason" in used
    assert len(list(simulate_any(4, editions=(box,), check=True))) == 4


def test_other_processes_that_play_have_it_too(box: str) -> None:
    here = [*simulate_any(2, editions=(box,))]
    assert [*simulate_any(2, editions=(box,), jobs=2)] == here


def test_it_is_played_over_sealed_cards(box: str) -> None:
    rules = Rules.make(box, 3, 6)
    table = RoundTable(rules, [make_bot("easy")] * 3, group=TinyGroup(), seed=5)
    table.play()
    events = table.dealers[0].match.events
    assert any("mason" in event.values for event in events if event.kind == "gold_gained")
    assert len({dealer.match.digest() for dealer in table.dealers}) == 1


def test_its_texts_are_read_in_other_languages(box: str) -> None:
    with i18n.speaking("fr"):
        assert cards.character("mason") == "Maçon"
        assert cards.district("vineyard") == "Vignoble"
        assert i18n.pgettext("genitive", "Mason") == "du Maçon"
        assert cards.character("king") == "Roi"
        assert cards.edition(box) == "House rules", "what has no translation stays as it is"
    with i18n.speaking("ru"):
        assert cards.character("mason") == "Mason"


def test_its_rules_can_be_read(box: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--edition", box]) == Exit.FINE
    shown = " ".join(capsys.readouterr().out.split())
    assert "7 Mason: Having paid for a district, gains 2 gold." in shown
    assert "4 Vineyard, 1 card: When your turn ends with a noble district" in shown
    assert main(["rules", "mason"]) == Exit.FINE
    assert capsys.readouterr().out.startswith("Mason, rank 7. [House rules]")
    assert not any(preset.edition == box for preset in PRESETS.values())
