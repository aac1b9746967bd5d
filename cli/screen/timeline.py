"""The time of a saved match as rows: where one is, the rounds, and the turns of this round."""

from __future__ import annotations

from cli.i18n import _
from cli.screen.look import Look
from cli.screen.playback import Leg, Playback
from cli.text import cards
from cli.text.cells import Row, Span, clip, fit, width
from cli.text.scene import shown

#: rows that the timeline takes
HEIGHT = 3
#: cells of a name without which it says nothing
LEAST = 3


def timeline(playback: Playback, look: Look, size: int) -> tuple[Row, ...]:
    """A rule that says where one is, the bar of the rounds, the turns of this round."""
    return (
        _place(playback, look, size),
        _bar(playback, look, size),
        _turns(playback, look, size),
    )


def chair(playback: Playback, seat: int | None) -> str:
    """Who sits in a chair of the match; of no seat: what everybody saw."""
    return _("everybody") if seat is None else playback.model.scene.name(seat)


def _place(playback: Playback, look: Look, size: int) -> Row:
    signs = look.signs
    parts = (
        shown(playback.record.table, 30),
        _("Seen by: {name}").format(name=chair(playback, playback.seat)),
        f"{playback.at + 1}/{playback.last + 1}",
    )
    text = clip(f" {signs.dot} ".join(filter(None, parts)), size - 6, signs.ellipsis)
    rest = signs.rule * (size - width(text) - 4)
    return (Span(f"{signs.rule * 2} ", "rule"), Span(text, "title"), Span(f" {rest}", "rule"))


def _bar(playback: Playback, look: Look, size: int) -> Row:
    """Every cell a stretch of the match; filled up to where one is, rounds by their number."""
    signs, cells, last = look.signs, size - 2, max(1, playback.last)

    def cell(place: int) -> int:
        return place * (cells - 1) // last

    letters = [signs.full if x <= cell(playback.at) else signs.empty for x in range(cells)]
    styles = ["good" if x <= cell(playback.at) else "dim" for x in range(cells)]
    free = 0
    for leg in playback.rounds:
        number, x = str(leg.round), cell(leg.start)
        if free <= x <= cells - len(number):
            letters[x : x + len(number)] = number
            styles[x : x + len(number)] = ["heading"] * len(number)
            free = x + len(number) + 1
    here = cell(playback.at)
    letters[here], styles[here] = signs.focus, "focus"
    bar = (
        Span(letter, style, f"moment:{-(-x * last // (cells - 1))}")
        for x, (letter, style) in enumerate(zip(letters, styles, strict=True))
    )
    return (Span(" "), *bar, Span(" "))


def _turns(playback: Playback, look: Look, size: int) -> Row:
    """The turns of the round that one is in, cut alike where they do not fit."""
    now = playback.leg
    legs = [leg for leg in playback.legs if leg.round == now.round]
    head = f" {now.round}: "
    names = [_name(leg) for leg in legs]
    room = size - width(head) - 2 * len(legs)  # a sign before each, a blank behind
    longest = max(map(width, names))
    while sum(min(width(name), longest) for name in names) > room and longest > LEAST:
        longest -= 1
    row: list[Span] = [Span(head, "heading")]
    for leg, name in zip(legs, names, strict=True):
        sign, style = (look.signs.focus, "focus") if leg == now else (" ", "")
        target = f"moment:{leg.start}"
        row += [Span(f"{sign}{clip(name, longest, '')}", style, target), Span(" ")]
    return fit(tuple(row), size, look.signs.ellipsis)


def _name(leg: Leg) -> str:
    return (
        _("characters") if leg.rank is None else f"{leg.rank} {cards.character(leg.character)}"
    )
