"""The machine client: one JSON object a line, both ways; JSON-UI.md is its contract.

Nothing typed at it can break it: a line that is not understood gets an `error` and changes
nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from citadels_p2p import match
from citadels_p2p.match import (
    CLOSING,
    LIVENESS,
    Anew,
    Ask,
    EventNews,
    LookNews,
    News,
    Notice,
    OverNews,
    PassOn,
    RecordNews,
    Refused,
    StateNews,
    TableNews,
    liveness_of,
)
from citadels_p2p.rules import Rules
from cli.client.deeds import Deeds
from cli.client.effects import Effect, Print
from cli.client.json_values import describe, dump
from cli.text import Scene, clean, error
from cli.text.game import refused_game
from protocol.identity.names import MAX_CHAT

VERSION = 1
#: a longer line is refused unread: the longest sensible answer is under 2 KiB
LINE_LIMIT = 64 * 1024

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


#: what `do` may name → the act, and the keys that it takes beside
ACTS: dict[str, tuple[Callable[..., match.Act], tuple[str, ...]]] = {
    "ready": (match.Ready, ()),
    "unready": (partial(match.Ready, agrees=False), ()),
    "start": (match.Start, ()),
    "reopen": (match.Reopen, ()),
    "kick": (match.Kick, ("seat",)),
    "readmit": (match.Readmit, ()),
    "welcome": (match.Welcome, ()),
    "bot": (match.SetBot, ("seat", "level")),
    "open": (match.OpenSeat, ("seat",)),
    "hand_over": (match.HandOver, ("level",)),
    "hurry": (match.Hurry, ()),
    "advise": (match.Advise, ()),
    "depart": (match.Depart, ()),
    "once_more": (match.OnceMore, ()),
    "take_over": (match.TakeOver, ()),
    "leave": (match.Leave, ()),
    "pause": (match.Leave, ()),  # an unfinished match is kept either way
}


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
        self._deeds = Deeds()

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
                self._deeds.see(news.view)
                if not news.awaits_you:
                    self._ask = None  # a refusal that was heard late may have left it open
            case EventNews():
                self._deeds.hear(news.event, self._scene.you)
            case Ask():
                self._ask, self._answered = news, False
            case Refused():
                if self._answered:
                    self._deeds.undecided()
                self._answered = False
                if news.ask is None:
                    self._ask = None
            case OverNews() | Anew():
                self._ask, self._deeds = None, Deeds()
            case Notice() if news.code in CLOSING:
                self._ask = None
        line = describe(news, self._scene, self._deeds.done)
        return (Print(dump(line, escaped=self._escaped)),)

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
        return (match.Leave(),) if self._listens else ()

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
        self._deeds.decided(ask)
        return (match.Answer(ask.id, picks),)

    def _say(self, text: Json) -> tuple[Effect, ...]:
        spoken = clean(text, MAX_CHAT) if isinstance(text, str) else ""
        return (match.Say(spoken),) if spoken else self._refuse("nothing_said")

    def _do(self, value: dict[str, Json]) -> tuple[Effect, ...]:
        verb, given = value["do"], list[object]()
        if verb == "options":
            return self._propose(value.get("options"), value.get("patience"))
        if not isinstance(verb, str) or verb not in ACTS:
            return self._refuse("unknown_act")
        act, keys = ACTS[verb]
        if "seat" in keys:
            seat = value.get("seat")
            if not isinstance(seat, int) or isinstance(seat, bool) or seat < 0:
                return self._refuse("unknown_seat")
            given.append(seat)
        if "level" in keys:
            level = value.get("level", "normal")
            given.append(level if isinstance(level, str) else "?")
        return (act(*given),)

    def _propose(self, options: Json, patience: Json) -> tuple[Effect, ...]:
        """Another game and patience, in the form in which `table` lines show them."""
        if not isinstance(options, dict) or not isinstance(patience, dict | None):
            return self._refuse("unknown_option")
        try:
            waits = None
            if patience is not None:
                named = {name: patience[name] for name in LIVENESS if name in patience}
                waits = liveness_of(named)
            return (match.Propose(Rules.from_options(options), waits),)
        except ValueError as problem:
            _option, why = refused_game(problem)
            return self._refuse(str(problem).partition(":")[0], why)

    def _refuse(self, code: str, why: str = "") -> tuple[Effect, ...]:
        """Our own refusal of a line; the session never hears of it."""
        still = self._ask.id if self._ask is not None and not self._answered else None
        line = {"type": "error", "message": why or error(code), "reason": code, "ask": still}
        return (Print(dump(line, escaped=self._escaped)),)
