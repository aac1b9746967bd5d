"""The engine by its digests: games as records, what each fact comes to; editions as rows."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from random import Random
from typing import Any

from citadels_p2p import rules
from citadels_p2p.bots import Observation, make_bot
from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, Printing
from citadels_p2p.dealer import OpenDealer
from citadels_p2p.match.operator.contributor import Choice, choose
from citadels_p2p.notation import write_record
from citadels_p2p.notation.record import record_of_facts
from citadels_p2p.rules import Rules
from citadels_p2p.rules.asks import ASKS
from citadels_p2p.rules.choosing import rank_of
from citadels_p2p.rules.move_ids import VERBS
from citadels_p2p.rules.moves import Move
from citadels_p2p.rules.needs import Decide, Fact, Over
from citadels_p2p.rules.setup import box_size
from citadels_p2p.rules.state import State

PAGE = Path(rules.__file__).parent.parent / "match" / "ENGINE.md"
MADE = re.compile(r"(<!-- made by .*? -->\n)(.*?)(<!-- end -->)", re.DOTALL)

SHORT = 8
"""Hexadecimal digits of a digest, where there is one for each fact."""

GAMES: tuple[Rules, ...] = (
    Rules.make("classic", 2),
    Rules.make("classic", 5, 6, steps="fixed"),
    Rules.make("original", 3, 6),
    Rules.make("2016", 4, 6, characters=["random"], uniques=["random"]),
    Rules.make("2016", 3, 6, characters=["magistrate", "blackmailer", "wizard", "abbot"]),
    Rules.make("2016", 4, 6, draft="deal", characters=["tax_collector"]),
    Rules.make("dark-city", 5, 6, characters=["random"]),
)

STATE: tuple[tuple[str, str], ...] = (
    (
        "rules",
        "the options of the game, as an object: those of the terms without what it waits for",
    ),
    ("n", "how many events there were ([JSON-UI.md](../../docs/JSON-UI.md) has their kinds)"),
    ("round", "the round, from 1; 0 before the first"),
    ("phase", "`setup`, `selection`, `turns`, `closing`, `scoring` or `over`"),
    ("crown", "the seat with the crown, or null"),
    ("bank", "gold: what came back to the bank less what it gave out"),
    ("deck", "the deck's slots; the last is its top"),
    ("faces", "[slot, id] of every open card, by slot"),
    (
        "places",
        "for each seat: gold, hand, drawn, city (slots), names in the city, characters (slots),"
        " characters that answered in this round, whether it is present",
    ),
    ("stack", "frames; see below"),
    (
        "turn",
        "null, or: seat, rank, character, gathered, districts built that count, paid for, gold"
        " spent, closing, resumed, powers used, step",
    ),
    ("called", "how many ranks were called in this round"),
    ("silenced", "the character that is not called, or empty"),
    ("possessed", "null, or the bewitched character and the seat that plays on"),
    ("named", "[purpose, [character, seat]], by purpose"),
    ("hidden_markers", "[purpose, [seat, slot, characters]], by purpose"),
    ("builders", "seats that built in this round"),
    ("gold_on_character", "[character, gold], by character"),
    ("gilded", "[slot, gold], by slot"),
    ("tucked", "[slot of the district, slots], by slot"),
    ("raised", "slots of the districts built in this round"),
    ("guarded", "seats whose city is safe in this round"),
    ("lots", "[slot, label] of the lots that are out"),
    ("pile", "slots of the characters going round"),
    ("aside", "slots of the characters face down"),
    ("faceup", "[slot, id] of the characters face up, in the order in which they came"),
    ("cursor", "the place in the order of choosing"),
    ("fresh_slot", "the lowest slot never used"),
    ("first", "the seat that completed a city first, or null"),
    ("also_first", "seats that did at that moment"),
    ("later", "seats that did later, a list for each moment"),
    ("shortened_by", "the slot of the district that makes one fewer enough, or null"),
    ("ends", "whether the last round is on"),
    ("unveiled", "[slot, id] of what is shown from hands at the end, by slot"),
)
"""Everything in the public state, in its order: see `State.values`."""


def editions() -> dict[str, Any]:
    """What lies in which box, in the order in which it is laid."""
    return {
        box.id: {
            "seats": list(box.seats),
            "first_hand": box.hand,
            "first_gold": box.gold,
            "deck": [_row(row) for row in box.deck],
            "chest": [_row(row) for row in box.chest],
            "most_districts": box_size(Rules.make(box.id, box.seats[0])),
            "characters": [
                [id, rank_of(box, id), CHARACTERS[id].fewest_seats] for id in box.cast
            ],
            "ninth_needed": list(box.ninth_needed),
            "staples": list(box.staples),
            "drawn_uniques": box.drawn_uniques,
            "apart": [list(pair) for pair in box.apart],
            "tables": [
                {
                    "options": json.dumps(usual.to_options(), separators=(",", ":")),
                    "characters": list(usual.characters),
                    "uniques": list(usual.uniques),
                    "cards": len(usual.pack),
                }
                for seats in range(box.seats[0], box.seats[1] + 1)
                for usual in (Rules.make(box.id, seats),)
            ],
        }
        for box in EDITIONS.values()
    }


def _row(row: Printing) -> list[object]:
    return [row.card, row.copies, row.cost, DISTRICTS[row.card].quarter]


def played(chosen: Rules, seed: str) -> tuple[list[Fact], list[str]]:
    """A whole game by easy bots: all facts, and the state's digest after each."""
    chance = Random(seed)
    state, dealer, bot = rules.new(chosen), OpenDealer(chance), make_bot("easy")
    facts: list[Fact] = []
    digests = [_short(state)]
    while not isinstance(need := rules.need(state), Over):
        if isinstance(need, Decide):
            faces = dealer.knowledge(state, need.seat)
            picks = bot.choose(Observation(state, need.seat, faces), chance)
            chosen_by = choose(state, need.seat, picks, faces)
            assert isinstance(chosen_by, Choice)
            if chosen_by.invented is not None:
                move = chosen_by.fact.move
                (slot,) = move.slots or (move.slot,)
                dealer.faces[slot] = chosen_by.invented
            fact: Fact = chosen_by.fact
        else:
            fact = dealer.answer(state, need)
        assert rules.refuse(state, fact) is None
        rules.apply(state, fact)
        facts.append(fact)
        digests.append(_short(state))
    return facts, digests


def games() -> dict[str, Any]:
    """A record of every game, its needs up to the first decision, and its digests."""
    told = []
    for number, chosen in enumerate(GAMES):
        facts, digests = played(chosen, f"game {number}")
        told.append(
            {
                "options": json.dumps(chosen.to_options(), separators=(",", ":")),
                "first_needs": _first_needs(chosen, facts),
                "record": write_record(record_of_facts(chosen, facts)),
                "digests": " ".join(digests),
            }
        )
    return {"engine": engine_digest(told), "games": told}


def engine_digest(told: list[dict[str, Any]]) -> str:
    """SHA-256 over the digests of all games, a line for each."""
    return hashlib.sha256("".join(f"{one['digests']}\n" for one in told).encode()).hexdigest()


def _first_needs(chosen: Rules, facts: list[Fact]) -> list[list[object]]:
    state, needs = rules.new(chosen), []
    for fact in facts:
        need = rules.need(state)
        needs.append(told_need(need))
        if isinstance(need, Decide):
            break
        rules.apply(state, fact)
    return needs


def told_need(need: rules.Need) -> list[object]:
    """A need as a row: its kind and what it asks for."""
    match need:
        case rules.Shuffle():
            return ["shuffle", need.pile, list(need.slots), list(need.fresh)]
        case rules.Deal():
            return ["deal", list(need.slots), need.seat]
        case rules.Open():
            return ["open", list(need.slots)]
        case rules.Call():
            return ["call", need.rank]
        case rules.Decide():
            return ["decide", need.seat, need.kind]
        case rules.Over():
            return ["over"]


def _short(state: State) -> str:
    return rules.digest(state).hex()[:SHORT]


def showing() -> list[str]:
    """The verbs of moves that show the card in their slot."""
    found = {
        verb for verb in VERBS if any(ask.reveals(Move(verb, slot=5)) for ask in ASKS.values())
    }
    return sorted(found)


def state_table() -> str:
    """The public state's values, for the page."""
    rows = "".join(f"| {at} | `{name}` | {what} |\n" for at, (name, what) in enumerate(STATE))
    return f"| | value | is |\n| --- | --- | --- |\n{rows}"


def page() -> str:
    """ENGINE.md with what is made from the code as it is now."""
    text = PAGE.read_text(encoding="utf-8")
    return MADE.sub(lambda part: part[1] + state_table() + part[3], text)


def renew_page() -> None:
    """Write what is made from the code into ENGINE.md."""
    PAGE.write_text(page(), encoding="utf-8")
