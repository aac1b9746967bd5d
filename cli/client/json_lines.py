"""The machine client: one JSON object a line, both ways; JSON-UI.md is its contract.

Nothing typed at it can break it: a line that is not understood gets an `error` and changes
nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import TypeAlias

from citadels_p2p.match import (
    CLOSING,
    LIVENESS,
    Anew,
    Answer,
    Ask,
    Bye,
    Chat,
    Depart,
    EventNews,
    HandOver,
    Kick,
    Leave,
    LookNews,
    News,
    Notice,
    OnceMore,
    OpenSeat,
    Option,
    OverNews,
    PassOn,
    Propose,
    Ready,
    RecordNews,
    Refused,
    Reopen,
    Say,
    SetBot,
    StandingNews,
    Start,
    StateNews,
    TableNews,
    TakeOver,
    Told,
    liveness_of,
)
from citadels_p2p.rules import Rules
from citadels_p2p.rules.view import SeatView, View, You
from cli.client.effects import Effect, Print
from cli.text import Scene, clean, error, label, question, refusal
from cli.text.game import refused_game
from cli.text.spoken import told
from protocol.identity.names import MAX_CHAT

VERSION = 1
#: a longer line is refused unread: the longest sensible answer is under 2 KiB
LINE_LIMIT = 64 * 1024

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def dump(value: Mapping[str, object], *, escaped: bool = False) -> str:
    """One line of JSON, keys in the order given. `escaped`: in ASCII, which a program reads
    rightly whatever it takes for the system's encoding.
    """
    return json.dumps(value, ensure_ascii=escaped, separators=(", ", ": "), default=list)


class JsonLines:
    """The client machine of `--ui json`.

    `only_answers`: for a program that plays a person's seat, and does nothing else for them.
    `listens`: the end of the lines sent means that the program leaves.
    """

    def __init__(
        self, program: str, protocol: int, *, only_answers: bool = False, listens: bool = True
    ) -> None:
        self._verbs = ("answer",) if only_answers else ("answer", "say", "do")
        self._escaped = only_answers
        self._listens = listens
        self._program = program
        self._protocol = protocol
        self._scene = Scene()
        self._ask: Ask | None = None
        self._answered = False

    def greet(self) -> tuple[Effect, ...]:
        hello = {"type": "hello", "version": VERSION, "program": self._program}
        return (Print(dump({**hello, "protocol": self._protocol}, escaped=self._escaped)),)

    def hear(self, news: News) -> tuple[Effect, ...]:
        if isinstance(news, LookNews | PassOn | RecordNews):
            return ()  # for persons alone
        match news:
            case TableNews():
                names = [seat.name for seat in news.seats]
                self._scene = Scene.of(names, news.you)
            case StateNews():
                you = news.view.you
                self._scene = Scene.of(news.names, you.seat if you else None)
                if not news.awaits_you:
                    self._ask = None  # a refusal that was heard late may have left it open
            case Ask():
                self._ask, self._answered = news, False
            case Refused():
                self._answered = False
                if news.ask is None:
                    self._ask = None
            case OverNews() | Anew():
                self._ask = None
            case Notice() if news.code in CLOSING:
                self._ask = None
        return (Print(dump(describe(news, self._scene), escaped=self._escaped)),)

    def read(self, line: str) -> tuple[Effect, ...]:
        if not line.strip():
            return ()
        if len(line) > LINE_LIMIT:
            return self._refuse("too_long")
        try:
            value: Json = json.loads(line)
        except (ValueError, RecursionError):
            return self._refuse("not_json")
        if not isinstance(value, dict):
            return self._refuse("not_an_object")
        verbs = [verb for verb in self._verbs if verb in value]
        if len(verbs) != 1:
            return self._refuse("unknown_line")
        match verbs[0]:
            case "answer":
                return self._answer(value)
            case "say":
                return self._say(value["say"])
            case _:
                return self._do(value)

    def end(self) -> tuple[Effect, ...]:
        return (Leave(),) if self._listens else ()

    def _answer(self, value: dict[str, Json]) -> tuple[Effect, ...]:
        ask, ident = self._ask, value["answer"]
        if ask is None or self._answered or isinstance(ident, bool) or ident != ask.id:
            return self._refuse("closed_ask")
        listed = {option.id for option in ask.options}
        if ask.low is None or ask.high is None:
            pick = value.get("option")
            if not isinstance(pick, str) or pick not in listed:
                return self._refuse("unknown_option")
            picks: tuple[str, ...] = (pick,)
        else:
            subset = value.get("subset")
            if not isinstance(subset, list):
                return self._refuse("unknown_option")
            picks = tuple(pick for pick in subset if isinstance(pick, str) and pick in listed)
            if len(picks) != len(subset) or len(set(picks)) != len(picks):
                return self._refuse("unknown_option")
            if not ask.low <= len(picks) <= ask.high:
                return self._refuse("wrong_count")
        self._answered = True
        return (Answer(ask.id, picks),)

    def _say(self, text: Json) -> tuple[Effect, ...]:
        spoken = clean(text, MAX_CHAT) if isinstance(text, str) else ""
        return (Say(spoken),) if spoken else self._refuse("nothing_said")

    def _do(self, value: dict[str, Json]) -> tuple[Effect, ...]:
        match value["do"]:
            case "ready":
                return (Ready(),)
            case "unready":
                return (Ready(agrees=False),)
            case "start":
                return (Start(),)
            case "leave" | "pause":  # an unfinished match is kept either way
                return (Leave(),)
            case "kick":
                seat = value.get("seat")
                if isinstance(seat, int) and not isinstance(seat, bool) and seat >= 0:
                    return (Kick(seat),)
                return self._refuse("unknown_seat")
            case "reopen":
                return (Reopen(),)
            case "depart":
                return (Depart(),)
            case "once_more":
                return (OnceMore(),)
            case "take_over":
                return (TakeOver(),)
            case "hand_over":
                level = value.get("level", "normal")
                return (HandOver(level if isinstance(level, str) else "?"),)
            case "bot" | "open" as verb:
                return self._seat(verb, value)
            case "options":
                return self._propose(value.get("options"), value.get("patience"))
            case _:
                return self._refuse("unknown_act")

    def _seat(self, verb: str, value: dict[str, Json]) -> tuple[Effect, ...]:
        """A seat for a bot, or for whoever comes."""
        seat, level = value.get("seat"), value.get("level", "normal")
        if not isinstance(seat, int) or isinstance(seat, bool) or seat < 0:
            return self._refuse("unknown_seat")
        if verb == "open":
            return (OpenSeat(seat),)
        return (SetBot(seat, level if isinstance(level, str) else ""),)

    def _propose(self, options: Json, patience: Json) -> tuple[Effect, ...]:
        """Another game and patience, in the form in which `table` lines show them."""
        if not isinstance(options, dict) or not isinstance(patience, dict | None):
            return self._refuse("unknown_option")
        try:
            waits = None
            if patience is not None:
                named = {name: patience[name] for name in LIVENESS if name in patience}
                waits = liveness_of(named)
            return (Propose(Rules.from_options(options), waits),)
        except ValueError as problem:
            _option, why = refused_game(problem)
            return self._refuse(str(problem).partition(":")[0], why)

    def _refuse(self, code: str, why: str = "") -> tuple[Effect, ...]:
        """Our own refusal of a line; the session never hears of it."""
        still = self._ask.id if self._ask is not None and not self._answered else None
        line = {"type": "error", "message": why or error(code), "reason": code, "ask": still}
        return (Print(dump(line, escaped=self._escaped)),)


def describe(news: Told, scene: Scene) -> dict[str, object]:
    """A piece of news as the object of its line; `type` comes first."""
    match news:
        case TableNews():
            return _table(news)
        case StateNews():
            return _state(news.view, news.names)
        case EventNews():
            event = news.event
            return {"type": "event", "n": event.n, "event": event.kind, **event.fields()}
        case Ask():
            return _ask(news, scene)
        case Refused():
            message = refusal(news.reason, news.fields, scene)
            line: dict[str, object] = {"type": "error", "message": message}
            return {**line, "reason": news.reason, "ask": news.ask}
        case Chat():
            text = clean(news.text)
            return {"type": "chat", "seat": news.seat, "name": clean(news.name), "text": text}
        case Notice():
            return {"type": "notice", "code": news.code, **_others(news.fields, "code")}
        case OverNews():
            return _over(news)
        case StandingNews():
            rows = [
                {"name": clean(row.name), "wins": row.wins, "murdered": row.murdered}
                for row in news.rows
            ]
            return {"type": "standing", "matches": news.matches, "players": rows}
        case Anew():
            return {"type": "anew"}
        case Bye():
            line = {"type": "bye", "code": news.code, "reason": news.reason}
            return {**line, **_others(news.fields, "code", "reason")}


def _others(fields: Mapping[str, object], *taken: str) -> dict[str, object]:
    """Fields beside the keys of the line; texts may come from other people's machines."""
    return {
        name: clean(value) if isinstance(value, str) else value
        for name, value in fields.items()
        if name not in ("type", *taken)
    }


def _table(news: TableNews) -> dict[str, object]:
    return {
        "type": "table",
        "table": news.table,
        "name": clean(news.name),
        "edition": news.edition,
        "options": news.options,
        "host": clean(news.host),
        "address": news.address,
        "code": news.code,
        "codes": [news.code, *news.other_codes] if news.code else [],
        "spoken": "" if news.spoken is None else told(news.spoken),
        "seats": [
            {
                "seat": seat.seat,
                "name": clean(seat.name),
                "kind": seat.kind,
                "operator": seat.operator,
                "present": seat.present,
                "ready": seat.ready,
                "level": seat.level,
                "suspected": seat.suspected,
            }
            for seat in news.seats
        ],
        "words": news.words,
        "you": news.you,
        "watching": news.watching,
        "spectator": news.spectator,
        "carrier": clean(news.carrier),
        "hosting": news.hosting,
        "host_gone": news.host_gone,
        "invited_by": clean(news.invited_by),
        "patience": None if news.patience is None else asdict(news.patience),
    }


def _state(view: View, names: tuple[str, ...]) -> dict[str, object]:
    turn = view.turn
    return {
        "type": "state",
        "n": view.n,
        "round": view.round,
        "phase": view.phase,
        "crown": view.crown,
        "deck": view.deck,
        "turn": turn and {"seat": turn.seat, "rank": turn.rank, "character": turn.character},
        "faceup": view.faceup,
        "city_size": view.city_size,
        "ends": view.ends,
        "roster": view.roster,
        "seats": [
            _seat(seat, names[seat.seat] if seat.seat < len(names) else "")
            for seat in view.seats
        ],
        "you": view.you and _you(view.you),
    }


def _seat(seat: SeatView, name: str) -> dict[str, object]:
    city = [
        {"card": card.card, "slot": card.slot, "cost": card.cost, "type": card.quarter}
        for card in seat.city
    ]
    return {
        "seat": seat.seat,
        "name": clean(name),
        "gold": seat.gold,
        "hand": seat.hand,
        "city": city,
        "characters": seat.characters,
        "present": seat.present,
        "points_so_far": seat.points_so_far,
    }


def _you(you: You) -> dict[str, object]:
    return {
        "seat": you.seat,
        "hand": [{"card": card.card, "slot": card.slot} for card in you.hand],
        "characters": you.characters,
        "seen": [{"card": card, "slot": slot} for slot, card in you.seen],
        "signed": dict(you.signed),
    }


def _ask(ask: Ask, scene: Scene) -> dict[str, object]:
    line: dict[str, object] = {"type": "ask", "id": ask.id, "kind": ask.kind}
    line["question"] = question(ask, scene)
    line["deadline"] = ask.deadline
    options = [_option(option, scene) for option in ask.options]
    if ask.low is None or ask.high is None:
        return {**line, "options": options}
    return {**line, "subset": {"of": options, "min": ask.low, "max": ask.high}}


def _option(option: Option, scene: Scene) -> dict[str, object]:
    line: dict[str, object] = {"id": option.id, "label": label(option, scene)}
    line |= {name: getattr(option, name) for name in ("verb", "gift", "sacrifice", "harms")}
    return {**line, **_others(option.fields, *line)}


def _over(news: OverNews) -> dict[str, object]:
    scores = [
        {
            "seat": score.seat,
            "total": score.total,
            "lines": [{"reason": part.reason, "points": part.points} for part in score.lines],
            "rank": score.rank,
        }
        for score in sorted(news.scores, key=lambda score: score.seat)
    ]
    winners = news.winners
    return {
        "type": "over",
        "scores": scores,
        "winner": winners[0] if len(winners) == 1 else winners,
        "resigned": news.resigned,
        "claimed": news.claimed,
        "digest": news.digest,
        "journal": news.journal,
    }
