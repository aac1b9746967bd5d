"""The characters of this match in the order of their ranks: called, out, to come, and what
lies on them: who is murdered, threatened, and the like.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
#: letters that tell one rank from another beside its number
FEW = 2


class _Entry(NamedTuple):
    """A character as it stands in the row: all before its name, the name, and a style."""

    head: str
    name: str
    style: str
    marked: bool


def rank_row(view: View, model: ClientModel, look: Look, size: int) -> Row:
    """One row; names are cut alike where they do not fit."""
    entries = [
        _entry(rank, role, view, model, look) for rank, role in sorted(model.box.ranks.items())
    ]
    if not entries:
        return ()
    names = [one.name for one in entries]
    heads = sum(width(one.head) + 2 for one in entries)  # a blank before and behind each name
    longest = _longest(names, size - 1 - heads)
    spare = size - 1 - heads - sum(map(width, names)) >= len(names)
    gap = "  " if size >= ROOMY and spare else " "
    if longest < LEAST:
        return _narrow(entries, size)
    row: list[Span] = [Span(" ")]
    for one, name in zip(entries, cut_apart(names, longest), strict=True):
        row += [Span(f"{one.head} {name}", one.style), Span(gap)]
    return tuple(row[:-1])


def _narrow(entries: list[_Entry], size: int) -> Row:
    """The row where there are few cells: two letters for all, then the names on whom something
    lies, then of the others so many letters as go.
    """
    marked = [one.name for one in entries if one.marked]
    others = [one.name for one in entries if not one.marked]
    room = size - 1 - sum(width(one.head) + 1 + one.marked for one in entries)
    longest = max(
        _longest(marked, room - FEW * len(others)), min(LEAST, _longest(marked, room))
    )
    rest = _longest(others, room - sum(min(width(name), longest) for name in marked))
    row: list[Span] = [Span(" ")]
    names = [one.name for one in entries]
    cut = zip(entries, cut_apart(names, longest), cut_apart(names, rest), strict=True)
    for one, more, less in cut:
        row += [Span(one.head + (f" {more}" if one.marked else less), one.style), Span(" ")]
    return tuple(row[:-1])


def cut_apart(names: Sequence[str], longest: int) -> list[str]:
    """The names of one match, cut to `longest` cells and told apart still where there are two.

    Those that begin alike show how they end ("К-ль", "К-ва"), or where there are fewer than
    four cells another letter of theirs.
    """
    cut = [clip(name, longest, "") for name in names]
    for shared in {name for name in cut if cut.count(name) > 1 and longest >= FEW}:
        places = [place for place, name in enumerate(cut) if name == shared]
        if any(width(names[place]) != len(names[place]) for place in places):
            continue  # letters that are no cells are not counted here
        taken = set(cut) - {shared}
        ends = [_ends(names[place], longest) for place in places]
        if longest < LEAST or len({*ends, *taken}) < len(ends) + len(taken):
            ends = _by_letters([names[place] for place in places], longest, taken)
        for place, name in zip(places, ends, strict=True):
            cut[place] = name
    return cut


def _ends(name: str, longest: int) -> str:
    """A name by its first letter and its end; whole where it fits."""
    return name if width(name) <= longest else f"{name[0]}-{name[2 - longest :]}"


def _by_letters(names: Sequence[str], longest: int, taken: Collection[str]) -> list[str]:
    """The names cut so that the last letter shown tells them apart, as far as that goes."""
    found: list[str] = []
    for name in names:
        begins = name[: longest - 1]
        ways = [begins + letter for letter in name[longest - 1 :]]
        free = (way for way in ways if way not in taken and way not in found)
        found.append(next(free, ways[0]))
    return found


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
