"""The JSON Schema (2020-12) of the machine client's lines, in and out: `citadels schema`.

It follows from the classes of what is told, by the rule of `json_values`, and from the tables
of ids. Here stands what those cannot know: which key holds which ids.

`python -m tests.json_schema` writes what the package prints anew; cards of a house box are in
the schema of a program that has one, but not in that file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import is_dataclass
from inspect import cleandoc
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from citadels_p2p.bots import LEVELS
from citadels_p2p.bots.advice import GROUNDS
from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, QUARTERS, READINGS
from citadels_p2p.match import NOTICES, Ask, Bye, EventNews, Ground, Notice, Option, StateNews
from citadels_p2p.match.options import LIVENESS, LONGEST
from citadels_p2p.match.session.replay import KIND
from citadels_p2p.rules.asks import ASKS
from citadels_p2p.rules.choosing import NINTH, RANDOM
from citadels_p2p.rules.events import KINDS
from citadels_p2p.rules.move_ids import VERBS
from citadels_p2p.rules.reasons import REASONS
from citadels_p2p.rules.ruleset import DRAFTS
from citadels_p2p.rules.view import View
from cli.client.deeds import Deed
from cli.client.json_lines import ACTS, LINE_LIMIT, VERSION
from cli.client.json_values import LINES, keys_of
from cli.line.exits import MEANINGS, Exit
from cli.text.doubts import SUSPICIONS
from cli.text.endings import ENDINGS
from cli.text.game import REFUSALS as GAME_REFUSALS
from cli.text.labels import LABELS
from cli.text.reasons import ERRORS, REFUSALS
from cli.text.scores import SCORES
from protocol.cards.escrow import MODES
from protocol.errors import RemoteError

Schema: TypeAlias = dict[str, Any]

PRINTED = Path(__file__).parents[1] / "cli" / "lines.schema.txt"

DIALECT = "https://json-schema.org/draft/2020-12/schema"

#: kind → what its `reason` or `purpose` may be: the card that does it (a house box adds its
#: own); `start`: the first hand
CAUSES: dict[str, tuple[str, ...]] = {
    "cards_gained": (
        "start", "spy", "magician", "wizard", "seer", "emperor", "patrician", "abbot",
        "cardinal", "architect", "navigator", "scholar", "lighthouse", "park", "smithy",
    ),
    "cards_discarded": ("magician", "wizard", "emperor", "laboratory", "thieves_den"),
    "gold_gained": (
        "merchant", "alchemist", "navigator", "queen", "tax_collector", "laboratory",
        "poor_house", "throne_room",
    ),
    "gold_paid": ("spy", "emperor", "abbot", "cardinal", "tax_collector", "smithy"),
    "cards_given": ("wizard", "seer", "emperor", "cardinal"),
    "hand_seen": ("spy", "wizard"),
    "cards_tucked": ("museum",),
    "declined": ("bell_tower", "lighthouse", "park", "theater"),
    "named": ("murder", "theft", "witchcraft"),
    "markers_placed": ("warrants", "threats"),
    "marker_signed": ("warrants", "threats"),
    "markers_withdrawn": ("warrants", "threats"),
}  # fmt: skip
#: key, or class or kind of event and key → whose ids it holds
_HOLDS: dict[str, str] = {
    "HandCard.card": "district",
    "CityCard.card": "district",
    "CharacterCard.card": "character",
    "Option.card": "card",
    "Option.reason": "card",
    "card": "district",
    "cards": "district",
    "other_card": "district",
    "own": "district",
    "give_card": "district",
    "districts": "district",
    "character": "character",
    "characters": "character",
    "faceup": "character",
    "roster": "character",
    "signed": "character",
    "quarter": "quarter",
    "CityCard.type": "quarter",
    "HandCard.type": "quarter",
    "edition": "edition",
    "phase": "phase",
    "escrow": "escrow",
    "level": "level",
    "suspected": "suspicion",
    "why": "suspicion",
    "TableSeat.kind": "seat_kind",
    "Ask.kind": "ask_kind",
    "Deed.had": "district",
    "verb": "verb",
    "Refused.reason": "refusal",
    "Bye.reason": "ending",
    "Bye.code": "exit_code",
    "ScoreLine.reason": "score_line",
    "options": "game",
}
#: fields of events, options, notices and endings that are no numbers
_TYPES: dict[str, Any] = {
    **dict.fromkeys(("card", "other_card", "own", "give_card", "character", "quarter"), str),
    **dict.fromkeys(("reason", "purpose", "name", "names", "what", "level", "hint"), str),
    **dict.fromkeys(("instead_of", "why", "about", "by"), str),
    **dict.fromkeys(("characters", "districts", "cards"), tuple[str, ...]),
    "winners": tuple[int, ...],
    "city_completed.first": bool,
    "saved": bool,
    # nobody: the bank, or no character that answers
    **dict.fromkeys(("match_begins.first", "round_begins.crown"), int | None),
    **dict.fromkeys(("crown_taken.before", "gold_paid.to", "rank_called.seat"), int | None),
    "rank_called.character": str | None,
    # what no field is called
    "OverNews.winner": int | tuple[int, ...],
    "TableNews.spoken": str,
    "TableNews.codes": tuple[str, ...],
    "You.signed": dict[str, str],
    "Deed.n": int,
    "Deed.event": str,
    "Ground.card": str,
}
#: what an option may concern
_ABOUT = (
    *("slot", "seat", "character", "quarter", "number", "give", "card", "cost", "count"),
    *("gold", "keep", "to", "owner", "own", "give_card", "laid", "reason"),
)
#: what a reason for advice may tell
_GROUNDS = tuple(sorted({name for names in GROUNDS.values() for name in names}))
#: what the end of a session may tell
_FURTHER = ("by", "saved", "name", "what")

_NUMBER: Schema = {"type": "integer", "minimum": 0}
_STRING: Schema = {"type": "string"}
_JSON: dict[Any, Schema] = {
    int: _NUMBER,
    str: _STRING,
    bool: {"type": "boolean"},
    float: {"type": "number"},
    NoneType: {"type": "null"},
}


def schema() -> Schema:
    """The schema of every line of either way. `$defs/out` has those that the program writes,
    `$defs/in` those that it reads, and each kind of either has a definition of its own.
    """
    defs: dict[str, Schema] = {}
    hello = {"version": {"const": VERSION}, "program": _STRING, "protocol": _NUMBER}
    lines = {"hello": _object({"type": {"const": "hello"}, **hello})}
    for of, line in LINES.items():
        lines[line] = _line(of, line, defs)
    defs |= {name: {"enum": list(ids)} for name, ids in _ids().items()}
    defs["exit_code"]["description"] = "; ".join(f"{int(c)}: {m}" for c, m in MEANINGS.items())
    defs["game"] = _game()
    defs |= lines
    defs["out"] = {"oneOf": [_ref(line) for line in lines]}
    defs["in"] = {"anyOf": _heard(), "description": f"at most {LINE_LIMIT} characters"}
    return {
        "$schema": DIALECT,
        "$id": f"urn:citadels-p2p:machine-client:{VERSION}",
        "title": f"The machine client of citadels, version {VERSION}: JSON-UI.md",
        "anyOf": [_ref("out"), _ref("in")],
        "$defs": dict(sorted(defs.items())),
    }


def _ids() -> dict[str, Iterable[object]]:
    """The closed lists. Cards and boxes of the house are in them where this program has any."""
    remote = {"", *(one.code for one in RemoteError.__subclasses__()), RemoteError.code}
    uniques = [id for id, row in DISTRICTS.items() if row.quarter == "unique"]
    refused = {*ERRORS, *REASONS, *REFUSALS, *GAME_REFUSALS}
    return {
        "district": DISTRICTS,
        "character": CHARACTERS,
        "card": (*DISTRICTS, *CHARACTERS),
        "quarter": QUARTERS,
        "edition": EDITIONS,
        "phase": ("selection", "turns", "scoring", "over"),
        "seat_kind": ("human", "bot", "open"),
        "level": ("", *LEVELS),
        "escrow": MODES,
        "suspicion": ("", *SUSPICIONS),
        "ask_kind": sorted({ask.kind for ask in ASKS.values()} | {KIND}),
        "verb": sorted({*VERBS, *(row.partition(" ")[0] for row in LABELS)}),
        "score_line": (*SCORES, *uniques),
        "refusal": sorted(refused),
        "ending": sorted(remote | {*ENDINGS, *REFUSALS}),
        "exit_code": [int(code) for code in Exit],
    }


def _line(of: type, line: str, defs: dict[str, Schema]) -> Schema:
    """The schema of one type of line."""
    typed = {"type": {"const": line}}
    if of is EventNews:
        kinds = {f"event:{kind}": _event(kind, names) for kind, names in KINDS.items()}
    elif of is Notice:
        kinds = {f"notice:{code}": _notice(code, names) for code, names in NOTICES.items()}
    elif of is Ask:
        since = {"type": "array", "items": _of(Deed, "", defs)}
        shared = {**typed, **_keys(Ask, defs), "since": since}
        options = {"type": "array", "items": _of(Option, "", defs), "minItems": 1}
        several = _object({"of": options, "min": _NUMBER, "max": _NUMBER})
        one, many = _object({**shared, "options": options}), {**shared, "subset": several}
        kinds = {"ask:one": one, "ask:several": _object(many)}
    else:
        keys = _keys(View if of is StateNews else of, defs)
        further = _FURTHER if of is Bye else ()
        return _object({**typed, **keys}, {name: _field("", name) for name in further})
    defs |= kinds
    return {"oneOf": [_ref(kind) for kind in kinds]}


def _event(kind: str, names: Iterable[str]) -> Schema:
    keys = {name: _field(kind, name) for name in names}
    if cause := {*keys} & {"reason", "purpose"}:
        keys[cause.pop()] = {"enum": [*CAUSES[kind], *_of_the_house()]}
    return _object({"type": {"const": "event"}, "n": _NUMBER, "event": {"const": kind}, **keys})


def _notice(code: str, names: Iterable[str]) -> Schema:
    keys = {"type": {"const": "notice"}, "code": {"const": code}}
    further = {"instead_of"} if code == "hosting" else ()
    return _object(
        {**keys, **{name: _field("notice", name) for name in names}},
        {name: _field("notice", name) for name in further},
    )


def _keys(of: type, defs: dict[str, Schema]) -> Schema:
    """The keys of a class, each by the type of what stands under it."""
    hints = get_type_hints(of, localns={"SpokenCode": str})
    keys = {}
    for key, source in keys_of(of).items():
        name = f"{of.__name__}.{key}"
        hint = _TYPES.get(name, hints.get(source if isinstance(source, str) else key, str))
        keys[key] = _of(hint, name, defs)
    return keys


def _of(hint: Any, name: str, defs: dict[str, Schema]) -> Schema:
    """The schema of a type; `name` is the key, with its class or kind, that holds it."""
    parts, origin = get_args(hint), get_origin(hint)
    if origin in (Union, UnionType):
        return {"anyOf": [_of(part, name, defs) for part in parts]}
    if origin is tuple:
        return {"type": "array", "items": _of(parts[0], name, defs)}
    if is_dataclass(hint):
        assert isinstance(hint, type)
        if hint.__name__ not in defs:
            of_which = {Option: _ABOUT, Ground: _GROUNDS}.get(hint, ())
            about = {key: _field(hint.__name__, key) for key in of_which}
            told = {"description": cleandoc(hint.__doc__ or "").partition("\n\n")[0]}
            defs[hint.__name__] = {**told, **_object(_keys(hint, defs), about)}
        return _ref(hint.__name__)
    held = _HOLDS.get(name) or _HOLDS.get(name.partition(".")[2])
    if origin is dict and held != "game":
        return {"type": "object", "additionalProperties": _of(parts[1], name, defs)}
    if held and hint is not NoneType:
        return _ref(held)
    return _JSON[hint]


def _field(owner: str, name: str) -> Schema:
    """A field of an event, an option, a notice or an ending."""
    hint = _TYPES.get(f"{owner}.{name}", _TYPES.get(name, int))
    return _of(hint, f"{owner}.{name}", {})


def _object(keys: Schema, further: Schema | None = None) -> Schema:
    """An object that has these keys, may have `further` ones, and has no others."""
    return {
        "type": "object",
        "properties": {**keys, **(further or {})},
        "required": list(keys),
        "additionalProperties": False,
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _of_the_house() -> list[str]:
    """The cards that no printed box has."""
    cards = {True: set[str](), False: set[str]()}
    for box in EDITIONS.values():
        cards[bool(box.extends)] |= {*box.cast, *(row.card for row in (*box.deck, *box.chest))}
    return sorted(cards[True] - cards[False])


def _game() -> Schema:
    """The options of a game: what is as its edition has it may be left out."""
    ids = {"characters": (*CHARACTERS, RANDOM, NINTH), "uniques": (*DISTRICTS, RANDOM)}
    lists = {
        key: {"type": "array", "items": {"enum": list(dict.fromkeys(names))}}
        for key, names in ids.items()
    }
    words = {key: {"enum": list(values)} for key, values in READINGS.items()}
    cities = sorted({size for box in EDITIONS.values() for size in box.city_sizes})
    numbers = {"city": {"enum": cities}, "characters_each": _NUMBER}
    further = {"draft": {"enum": list(DRAFTS)}, **lists, **words, **numbers}
    return _object({"edition": _ref("edition"), "seats": _NUMBER}, further)


def _heard() -> list[Schema]:
    """What may be said. Keys that are not named are not looked at; of `answer`, `say` and `do`
    a line has exactly one.
    """
    seconds = {key: {**_NUMBER, "maximum": LONGEST} for key in LIVENESS}
    patience = {**seconds, "escrow": _ref("escrow")}
    several = {"type": "array", "items": _STRING, "uniqueItems": True}
    own = {"seat": _NUMBER, "level": _ref("level")}
    acts: list[Schema] = [
        {
            "properties": {"do": {"const": verb}, **{key: own[key] for key in keys}},
            "required": ["do", *({"seat"} & {*keys})],
        }
        for verb, (_act, keys) in ACTS.items()
    ]
    waits = {"type": ["object", "null"], "properties": patience}
    game = {"do": {"const": "options"}, "options": _ref("game"), "patience": waits}
    acts.append({"properties": game, "required": ["do", "options"]})
    choices = [{"required": ["option"]}, {"required": ["subset"]}]
    answer = {"answer": _NUMBER, "option": _STRING, "subset": several}
    lines: list[Schema] = [
        {"properties": answer, "required": ["answer"], "anyOf": choices},
        {"properties": {"say": _STRING}, "required": ["say"]},
        {"oneOf": acts, "required": ["do"]},
    ]
    verbs = ("answer", "say", "do")
    for verb, line in zip(verbs, lines, strict=True):
        others = [{"required": [other]} for other in verbs if other != verb]
        line |= {"type": "object", "not": {"anyOf": others}}
    password = {"properties": {"password": _STRING}, "required": ["password"]}
    return [*lines, {"type": "object", **password}]


def text() -> str:
    """The schema with a definition a line."""
    whole = schema()
    lines = (f'  "{name}": {json.dumps(one)}' for name, one in whole.pop("$defs").items())
    head = "".join(f' "{key}": {json.dumps(value)},\n' for key, value in whole.items())
    return "{\n" + head + ' "$defs": {\n' + ",\n".join(lines) + "\n }\n}\n"


if __name__ == "__main__":
    PRINTED.write_text(text(), encoding="utf-8")
