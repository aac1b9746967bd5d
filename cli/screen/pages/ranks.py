"""The characters of this match in the order of their ranks: called, out, silenced, to come."""

from __future__ import annotations

from citadels_p2p.rules.view import View
from cli.client.client_model import ClientModel
from cli.screen.look import Look
from cli.text import cards
from cli.text.cells import Row, Span, clip, width

#: cells of a row from which its names stand further apart
ROOMY = 100
#: cells of a name without which it says nothing
LEAST = 4


def rank_row(view: View, model: ClientModel, look: Look, size: int) -> Row:
    """One row; names are cut alike where they do not fit.

    Empty where there is no room at all.
    """
    ranks = sorted(model.box.ranks.items())
    if not ranks:
        return ()
    names = [cards.character(role) for _rank, role in ranks]
    gap = "  " if size >= ROOMY else " "
    room = size - 1 - (3 + len(gap)) * len(ranks)  # a sign, the rank, a blank before the name
    longest = max(map(width, names))
    while sum(min(width(name), longest) for name in names) > room and longest > LEAST:
        longest -= 1
    if sum(min(width(name), longest) for name in names) > room:
        return ()
    row: list[Span] = [Span(" ")]
    for (rank, role), name in zip(ranks, names, strict=True):
        sign, style = _state(rank, role, view, model, look)
        shown = clip(name, longest, "")
        row.append(Span(f"{sign}{rank} {shown}", style))
        row.append(Span(gap))
    return tuple(row[:-1])


def _state(rank: int, role: str, view: View, model: ClientModel, look: Look) -> tuple[str, str]:
    """A sign and a style; each says it without the other."""
    if role in view.faceup:
        return look.signs.out, "dim"
    if role == model.murdered:
        return look.signs.silent, "warn"
    if view.turn is not None and view.turn.rank == rank:
        return look.signs.focus, "turn"
    if model.rank is not None and rank <= model.rank:
        return look.signs.barred, "dim"
    return " ", ""
