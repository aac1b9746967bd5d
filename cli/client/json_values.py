"""Values as JSON, by one rule: a dataclass is an object of its fields, in their order and by
their names (and so is a msgspec struct); a sequence is a list.

`KEYS` has the few that are told otherwise. `citadels schema` follows from their types.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import fields as msgspec_fields

from citadels_p2p.match import (
    AdviceNews,
    Anew,
    Ask,
    Bye,
    Chat,
    EventNews,
    Ground,
    Notice,
    Option,
    OverNews,
    Refused,
    StandingNews,
    StateNews,
    TableNews,
    Told,
)
from citadels_p2p.rules.view import CharacterCard, CityCard, HandCard, SeatView, You
from cli.client.deeds import Deed
from cli.text import Scene, cards, clean, label, question, refusal
from cli.text.advice import ground
from cli.text.spoken import told as spoken_words


class Context(NamedTuple):
    """What a value alone does not tell: who sits where, in words and by their own names."""

    scene: Scene = Scene()
    names: Sequence[str] = ()


#: where a key's value comes from: a field, or what is worked out of the value
Source: TypeAlias = str | Callable[[Any, Context], object]


def _fields(of: Any, *but: str, **others: Source) -> Mapping[str, Source]:
    """A key for each field but some; `others` come from elsewhere."""
    names = msgspec_fields(of) if issubclass(of, Struct) else fields(of)
    return {one.name: others.get(one.name, one.name) for one in names if one.name not in but}


def _keys(names: str, **others: Source) -> Mapping[str, Source]:
    return {name: others.get(name, name) for name in names.split()}


def _name_of(seat: SeatView, context: Context) -> str:
    return context.names[seat.seat] if seat.seat < len(context.names) else ""


#: class → its keys, where they are not all its fields
KEYS: dict[type, Mapping[str, Source]] = {
    TableNews: _keys(
        "table name edition options host address code codes spoken seats words you watching"
        " spectator hosting sent_away host_gone invited_by carrier patience trust",
        codes=lambda table, _: (table.code, *table.other_codes) if table.code else (),
        spoken=lambda table, _: "" if table.spoken is None else spoken_words(table.spoken),
    ),
    SeatView: _keys("seat name gold hand city characters present points_so_far", name=_name_of),
    CityCard: _keys("card slot cost type", type="quarter"),
    HandCard: _keys(
        "card slot name cost type", name=lambda one, _: cards.district(one.card), type="quarter"
    ),
    CharacterCard: _keys("card slot name rank", name=lambda one, _: cards.character(one.card)),
    You: _fields(You, signed=lambda you, _: dict(you.signed)),
    Deed: _keys(
        "n event by had label",
        n=lambda deed, _: deed.event.n,
        event=lambda deed, _: deed.event.kind,
        label=lambda deed, context: deed.label(context.scene),
    ),
    Ask: _keys(
        "id kind question deadline", question=lambda ask, context: question(ask, context.scene)
    ),
    Option: _keys(
        "id label verb gift sacrifice harms",
        label=lambda option, context: label(option, context.scene),
    ),
    Ground: _keys("code label", label=lambda one, context: ground(one, context.scene)),
    Refused: _keys(
        "message reason ask",
        message=lambda one, context: refusal(one.reason, one.fields, context.scene),
    ),
    Notice: _keys("code"),
    OverNews: _keys(
        "scores winner resigned claimed digest journal turning_points",
        scores=lambda over, _: sorted(over.scores, key=lambda score: score.seat),
        winner=lambda over, _: over.winners if len(over.winners) > 1 else over.winners[0],
    ),
    StandingNews: _keys("matches players", players="rows"),
    Bye: _keys("code reason"),
}

#: what has fields of its own beside its keys
OPEN = (Notice, Option, Ground, Bye)

#: keys under which other people's words stand
_FOREIGN = frozenset({"name", "host", "invited_by", "carrier", "text"})

#: what is told → the type of its line
LINES: dict[type, str] = {
    TableNews: "table",
    StateNews: "state",
    EventNews: "event",
    Ask: "ask",
    AdviceNews: "advice",
    Refused: "error",
    Chat: "chat",
    Notice: "notice",
    OverNews: "over",
    StandingNews: "standing",
    Anew: "anew",
    Bye: "bye",
}


def keys_of(of: type) -> Mapping[str, Source]:
    if of not in KEYS:
        KEYS[of] = _fields(of)
    return KEYS[of]


_AS_IT_IS = frozenset({str, int, bool, float, type(None)})


def plain(value: object, context: Context | None = None) -> Any:
    """The value as JSON has it."""
    if type(value) in _AS_IT_IS:  # most are: what follows costs ten times that
        return value
    if not is_dataclass(value) and not isinstance(value, Struct):
        if isinstance(value, Mapping):
            return {key: plain(part, context) for key, part in value.items()}
        if isinstance(value, Sequence) and not isinstance(value, str):
            return [plain(part, context) for part in value]
        return value
    context = context or Context()
    told: dict[str, object] = {}
    for key, source in keys_of(type(value)).items():
        part = getattr(value, source) if isinstance(source, str) else source(value, context)
        if key in _FOREIGN and isinstance(part, str):
            told[key] = clean(part)
        else:
            told[key] = plain(part, context)
    return {**told, **_others(value, told)} if isinstance(value, OPEN) else told


def _others(
    value: Notice | Option | Ground | Bye, taken: Mapping[str, object]
) -> dict[str, object]:
    """Fields beside the keys; texts may come from other people's machines."""
    return {
        name: clean(field) if isinstance(field, str) else field
        for name, field in value.fields.items()
        if name != "type" and name not in taken
    }


def describe(news: Told, scene: Scene, since: Sequence[Deed] = ()) -> dict[str, object]:
    """A piece of news as the object of its line; `type` comes first.

    `since`: for an ask, what was done to its seat since the last decision.
    """
    line: dict[str, object] = {"type": LINES[type(news)]}
    context = Context(scene)
    match news:
        case StateNews():
            return {**line, **plain(news.view, Context(scene, news.names))}
        case EventNews(event):
            return {**line, "n": event.n, "event": event.kind, **event.fields()}
        case Ask(low=low, high=high):
            line |= {**plain(news, context), "since": plain(since, context)}
            options = plain(news.options, context)
            if low is None:
                return {**line, "options": options}
            return {**line, "subset": {"of": options, "min": low, "max": high}}
    return {**line, **plain(news, context)}


def dump(value: Mapping[str, object], *, escaped: bool = False) -> str:
    """One line of JSON, keys in the order given. `escaped`: in ASCII, which a program reads
    rightly whatever it takes for the system's encoding.
    """
    return json.dumps(value, ensure_ascii=escaped, separators=(", ", ": "), default=list)
