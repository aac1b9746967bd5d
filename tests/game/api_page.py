"""The page `docs/api.md`, made of the docstrings of what programs use.

`python -m tests.game.api_page > docs/api.md` makes it; a test keeps it current. The examples in
it are the docstrings', which are tests too.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, Final, ForwardRef

from citadels_p2p import Game
from citadels_p2p.arena import Result, simulate, simulate_any
from citadels_p2p.bots import Bot, Observation, make_bot
from citadels_p2p.contest import Bout, IllegalAnswer, Standing, contest, standings
from citadels_p2p.game import OpenMatch, Refused, resume
from citadels_p2p.notation import (
    Unreadable,
    read_position,
    read_record,
    replay,
    resumed,
    write_position,
    write_record,
)
from citadels_p2p.rules import Choice, Event, Move, Reason, Rules, Scores, View
from citadels_p2p.rules.scoring import SeatScore

PARTS: Final[dict[str, tuple[Any, ...]]] = {
    "A match": (Game, Refused, resume),
    "What it is made of": (Rules, Move, Choice, Event, Reason, View, Scores, SeatScore),
    "Positions and records": (
        read_position,
        write_position,
        read_record,
        write_record,
        resumed,
        replay,
        Unreadable,
    ),
    "Bots and contests": (
        Bot,
        Observation,
        make_bot,
        contest,
        standings,
        Bout,
        Standing,
        IllegalAnswer,
        simulate,
        simulate_any,
        Result,
    ),
}
HEAD: Final = """\
# What a program can call

[library.md](library.md) shows how; this page lists all of it. It is made from the docstrings:
`python -m tests.game.api_page > docs/api.md`.
"""
#: members of tuples and of errors that are Python's own
THEIRS: Final = {*dir(tuple), *dir(ValueError)}


def page() -> str:
    """The whole page."""
    lines = [HEAD]
    for title, things in PARTS.items():
        lines.append(f"## {title}\n")
        for thing in things:
            lines += _entry(thing)
    return "\n".join(lines).rstrip() + "\n"


def _entry(thing: Any) -> Iterator[str]:
    where = f"{thing.__module__}.{thing.__name__}"
    if isinstance(thing, type):
        yield f"### class `{where}`\n"
        yield _text(thing)
        fields = inspect.get_annotations(thing).items()
        if told := [f"`{name}: {_spelt(kind)}`" for name, kind in fields if name[0] != "_"]:
            yield re.sub(r"Final\[(.*?)\]`", r"\1`", f"Fields: {', '.join(told)}.\n")
        for name, member in _members(thing):
            yield from _member(name, member)
    else:
        yield f"### `{where}{_signature(thing)}`\n"
        yield _text(thing)


def _spelt(kind: Any) -> str:
    """An annotation as it is written: named tuples keep theirs as `ForwardRef`."""
    return kind.__forward_arg__ if isinstance(kind, ForwardRef) else str(kind)


def _members(kind: type) -> Iterator[tuple[str, Any]]:
    """What a class has of its own, and what a game has of the match below it."""
    if kind is Game:
        yield "Game", kind.__init__
    kinds = [kind, OpenMatch] if kind is Game else [kind]
    told: set[str] = set()
    for one in kinds:
        for name, member in vars(one).items():
            documented = getattr(member, "__doc__", None) or isinstance(member, property)
            if not name.startswith("_") and documented and name not in told | THEIRS:
                told.add(name)
                yield name, member


def _member(name: str, member: Any) -> Iterator[str]:
    called = member.__func__ if isinstance(member, classmethod) else member
    if isinstance(called, property):
        given = inspect.signature(called.fget).return_annotation  # type: ignore[arg-type]
        yield f"#### `{name}: {given}`\n"
        yield _text(called)
    elif isinstance(called, FunctionType):
        yield f"#### `{name}{_signature(called)}`\n"
        yield _text(called)


def _signature(function: Callable[..., object]) -> str:
    """Parameters and result, without the game itself."""
    said = inspect.signature(function)
    own = [one for one in said.parameters.values() if one.name not in ("self", "cls")]
    said = said.replace(parameters=own)
    words = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(said)).replace(" | _Begun", "")
    return words.removesuffix(" -> None")


def _text(thing: object) -> str:
    """The docstring, its examples as blocks of Python."""
    said = inspect.getdoc(thing) or ""
    said = re.sub(r"^ {4}(?=\S)", "", said, flags=re.MULTILINE)
    fenced = re.sub(r"((?:^>>> .*\n?(?:^.+\n?)*)+)", _fenced, said, flags=re.MULTILINE)
    return fenced.strip() + "\n"


def _fenced(found: re.Match[str]) -> str:
    return f"```python\n{found[1].rstrip()}\n```\n"


if __name__ == "__main__":
    print(page(), end="")
