"""The characters of this match in the order of their ranks: called, out, to come, and what
lies on them: who is murdered, threatened, and the like.
"""

from __future__ import annotations

from typing import NamedTuple

from citadels_p2p.rules.view import View
from cli.client.client_model import ClientModel
from cli.screen.look import Look
from cli.text import cards
from cli.text.cells import Row, Span, clip, width

#: cells of a row from which its names stand further apart
ROOMY = 100
#: cells of a name without which it says nothing
LEAST = 4


class _Entry(NamedTuple):
    """A character as it stands in the row: all before its name, the name, and a style."""

    head: str
    name: str
    style: str
    marked: bool


def rank_row(view: View, model: ClientModel, look: Look, size: int) -> Row:
    """One row; names are cut alike where they do not fit. Where there is no room for all, those
    on whom something lies keep theirs.
    """
    entries = [
        _entry(rank, role, view, model, look) for rank, role in sorted(model.box.ranks.items())
    ]
    if not entries:
        return ()
    gap = "  " if size >= ROOMY else " "
    heads = sum(width(one.head) + 1 + len(gap) for one in entries)
    longest = _longest([one.name for one in entries], size - 1 - heads)
    blank = " "
    if longest < LEAST and any(one.marked for one in entries):
        entries = [one if one.marked else one._replace(name="") for one in entries]
        heads = sum(width(one.head) + 1 + one.marked for one in entries)
        longest = _longest([one.name for one in entries], size - 1 - heads)
    elif longest < LEAST:
        blank = ""
        longest = _longest([one.name for one in entries], size - 1 - heads + len(entries))
    row: list[Span] = [Span(" ")]
    for one in entries:
        name = blank + clip(one.name, longest, "") if one.name else ""
        row += [Span(one.head + name, one.style), Span(gap)]
    return tuple(row[:-1])


def _longest(names: list[str], room: int) -> int:
    """The cells to which names are cut so that together they fit into `room`."""
    longest = max(map(width, names), default=0)
    while longest and sum(min(width(name), longest) for name in names) > room:
        longest -= 1
    return longest


def _entry(rank: int, role: str, view: View, model: ClientModel, look: Look) -> _Entry:
    sign, style = _state(rank, role, view, model, look)
    lies = marks_on(role, model, look)
    head = f"{sign}{rank}{lies}"
    return _Entry(head, cards.character(role), "warn" if lies else style, bool(lies))


def marks_on(role: str, model: ClientModel, look: Look) -> str:
    """The signs of what lies on a character; behind one's own marker whether it is true."""
    view = model.view
    signed = dict(view.you.signed) if view is not None and view.you is not None else {}
    return "".join(
        look.signs.marks[mark.purpose]
        + (look.signs.true if signed.get(mark.purpose) == role else "")
        for mark in model.stakes.of(role)
    )


def _state(rank: int, role: str, view: View, model: ClientModel, look: Look) -> tuple[str, str]:
    """A sign and a style; each says it without the other."""
    if role in view.faceup:
        return look.signs.out, "dim"
    if view.turn is not None and view.turn.rank == rank:
        return look.signs.focus, "turn"
    if model.rank is not None and rank <= model.rank:
        return look.signs.barred, "dim"
    return " ", ""
