"""What lies on the characters of a round, folded from what everybody hears."""

from __future__ import annotations

from random import Random

import pytest

from citadels_p2p import rules
from citadels_p2p.bots import Observation, make_bot
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.match.news import Option
from citadels_p2p.rules import Rules
from citadels_p2p.rules.asks import ASKS
from citadels_p2p.rules.needs import Decide, Decided, Over
from citadels_p2p.rules.state import State
from cli.text import label, narrate
from cli.text.scene import Scene
from cli.text.screen import AWAITED
from cli.text.stakes import PURPOSES, Mark, Stakes, peril, stakes
from tests.cli.scripted import event

MARKED = (
    "magistrate",
    "blackmailer",
    "wizard",
    "king",
    "abbot",
    "trader",
    "architect",
    "diplomat",
)
WITCHED = ("witch", "thief", "magician", "king", "bishop", "merchant", "architect", "warlord")
SCENE = Scene.of(("Ann", "Boris"), 0)


def lying(told: Stakes, purpose: str) -> set[str]:
    """The characters on which something of this purpose may still come true."""
    return {
        role
        for role, marks in told.on.items()
        if any(mark.purpose == purpose and not mark.done for mark in marks)
    }


def agrees(told: Stakes, state: State) -> None:
    """The engine's own state knows of the same."""
    assert lying(told, "murder") == ({state.silenced} if state.silenced else set())
    possessed = state.possessed
    assert lying(told, "witchcraft") == ({possessed[0]} if possessed is not None else set())
    for purpose in ("warrants", "threats"):
        markers = state.hidden_markers.get(purpose)
        assert lying(told, purpose) == set(() if markers is None else markers.characters)
    theft = state.named.get("theft")
    named = {role for role, marks in told.on.items() for m in marks if m.purpose == "theft"}
    assert named == ({theft[0]} if theft is not None else set())


@pytest.mark.parametrize(
    "chosen",
    [
        Rules.make("2016", seats=6, characters=MARKED),
        Rules.make("2016", seats=5, characters=WITCHED),
        Rules.make("dark-city", seats=7),
        Rules.make("classic", seats=4),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_folded_from_events_is_what_the_engine_knows(chosen: Rules, seed: int) -> None:
    chance = Random(seed)
    dealer, state, bot, told = (
        OpenDealer(chance),
        rules.new(chosen),
        make_bot("normal"),
        Stakes(),
    )
    seen: set[str] = set()
    while not isinstance(need := rules.need(state), Over):
        if isinstance(need, Decide):
            faces = dealer.knowledge(state, need.seat)
            move = rules.decision(
                state, bot.choose(Observation(state, need.seat, faces), chance)
            )
            assert not isinstance(move, rules.Reason)
            hidden = rules.secret(state, move)
            move = move if hidden is None else dealer.invent(hidden)
            shown = tuple((slot, faces[slot]) for slot in rules.reveals(state, move))
            happened = rules.apply(state, Decided(need.seat, move, shown))
        else:
            happened = rules.apply(state, dealer.answer(state, need))
        for one in happened:
            told.hear(one)
        if state.phase != "over":
            agrees(told, state)
        seen |= {mark.purpose for marks in told.on.values() for mark in marks}
    assert seen, "another seed is needed"


def test_ones_own_true_marker_is_known_to_oneself() -> None:
    chance = Random(5)
    dealer = OpenDealer(chance)
    state = rules.new(Rules.make("2016", seats=4, characters=MARKED))
    bot = make_bot("normal")
    while True:
        need = rules.need(state)
        assert not isinstance(need, Over)
        if isinstance(need, Decide):
            faces = dealer.knowledge(state, need.seat)
            move = rules.decision(
                state, bot.choose(Observation(state, need.seat, faces), chance)
            )
            assert not isinstance(move, rules.Reason)
            hidden = rules.secret(state, move)
            move = move if hidden is None else dealer.invent(hidden)
            shown = tuple((slot, faces[slot]) for slot in rules.reveals(state, move))
            rules.apply(state, Decided(need.seat, move, shown))
            if hidden is not None and move.verb == "seal":
                break
        else:
            rules.apply(state, dealer.answer(state, need))
    ((purpose, markers),) = state.hidden_markers.items()
    for seat in range(4):
        you = rules.view(state, seat, dealer.knowledge(state, seat)).you
        assert you is not None
        true = dealer.faces[markers.slot]
        assert you.signed == (((purpose, true),) if seat == markers.seat else ())


def test_what_has_come_true_leaves_no_other_of_its_kind() -> None:
    told = Stakes()
    told.hear(event(1, "markers_placed", 1, ("king", "bishop"), "threats"))
    told.hear(event(2, "rank_called", 4, 0, "king"))
    told.hear(event(3, "threat_shown", 1, 0, "king"))
    told.hear(event(4, "robbed", 1, 0, 6))
    assert told.of("king") == (Mark("threats", 1, done=True, gold=6),)
    assert told.of("bishop") == ()
    assert peril("king", told.of("king")[0], SCENE) == (
        "You are robbed: Boris takes 6 gold of your King."
    )


@pytest.mark.parametrize("purpose", PURPOSES)
def test_every_purpose_has_its_words_for_all_and_for_whom_it_befalls(purpose: str) -> None:
    theirs = {"king": (Mark(purpose, 1),)}
    (said,) = stakes(theirs, SCENE, {})
    assert "King" in said
    assert "King" in peril("king", Mark(purpose, 1), SCENE)
    assert not peril("king", Mark(purpose, 0), SCENE)
    (own,) = stakes({"king": (Mark(purpose, 0),)}, SCENE, {purpose: "king"})
    assert own != said
    assert "King (the true one)" in own


def test_markers_are_told_in_words_of_their_own() -> None:
    placed = [
        narrate(event(1, "markers_placed", seat, ("king", "bishop"), purpose), SCENE)
        for seat in (0, 1)
        for purpose in ("warrants", "threats", "other")
    ]
    assert len(set(placed)) == 6
    assert "Boris threatens King and Bishop; one of the threats is real." in placed
    resumed = narrate(event(1, "turn_resumed", 1, 4, "king"), SCENE)
    assert resumed == "Boris plays the turn of the bewitched King."


def test_whoever_waits_is_told_what_for() -> None:
    assert {ask.kind for ask in ASKS.values()} <= set(AWAITED)


@pytest.mark.parametrize(("gold", "said"), [(0, "nothing"), (1, "1 gold"), (3, "3 gold")])
def test_to_pay_the_bribe_says_how_much(gold: int, said: str) -> None:
    assert said in label(Option("bribe", "bribe", {"gold": gold}), SCENE)
