"""A whole frame: status above, page or overlay in the middle, footer below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cli.i18n import _
from cli.line.command_table import BY_NAME, in_words, plain_arrows, shown_key
from cli.screen.look import Look
from cli.screen.page import Overlay, Page
from cli.text.cells import (
    Block,
    Row,
    Span,
    ascii_twin,
    beside,
    clip,
    fit,
    line,
    row_width,
    stack,
    text_of,
    width,
    wrap,
)

#: the smallest screen on which the table can be played
LEAST = (60, 18)
#: rows from which there is room for hints
ROOMY = 24
#: columns that an overlay takes, at most
WIDEST = 96
#: columns and rows of the window that are no overlay's
AROUND = (4, 6)
#: rows for what must be done, at most, in a window of `ROOMY` rows
STATUS = 5
#: keys in the footer, at most
FOOTER = 8


def is_too_small(columns: int, rows: int) -> bool:
    """Whether a window of that size can show nothing."""
    return columns < LEAST[0] or rows < LEAST[1]


def too_small(columns: int, rows: int) -> Block:
    """What is said where nothing can be shown."""
    asked = _("The window needs {columns}×{rows} cells; it has {now}×{high}.").format(
        columns=LEAST[0], rows=LEAST[1], now=columns, high=rows
    )
    more = _("Make it larger, or play with --ui plain.")
    said = [line(part) for text in (asked, more) for part in wrap(text, max(4, columns))]
    if said:
        said[0] = (said[0][0]._replace(here=True),)
    return stack(said, columns, rows)


def frame(
    page: Page,
    overlay: Overlay | None,
    look: Look,
    columns: int,
    rows: int,
    *,
    left: str = "",
    urgent: bool = False,
    unread: int = 0,
    told: str = "",
    guided: bool = False,
    trouble: str = "",
) -> Block:
    """Exactly `rows` rows of `columns` cells.

    `left`: the time left; `unread`: how many words were not read; `told`: what the guide
    explains, which is to be read where all of the match is `guided`, and else left out of small
    windows; `trouble`: what is amiss at the table.
    """
    if is_too_small(columns, rows):
        return too_small(columns, rows)
    below = overlay is not None and page.bare and rows >= ROOMY and bool(overlay.low)
    bare = page.bare and (overlay is None or below)
    now, must = page.status(look)
    whole_must = STATUS if rows >= ROOMY else 1
    above: Block = ()
    if not bare:
        above = _status(now, (must, page.bar), left, urgent, look, columns, whole_must)
    if trouble and not bare:
        above = (*above, _warning(trouble, look, columns))
    elif overlay is not None and not below:
        above = (*above, line(look.signs.rule * columns, "rule"))
    shown = overlay is None and (guided or rows >= ROOMY)
    note = _note(told, look, columns) if told and shown else ()
    look = replace(look, explained=len(note), reads=bool(note) and guided)
    height = rows - len(above) - len(note) - 1
    if overlay is None:
        body = stack(page.paint(look, columns, height), columns, height)
        keys = page.keys()
    else:
        body = _framed(overlay, look, columns, height)
        if below:
            body = _below(page, overlay, look, columns, height, (must, left))
        keys = overlay.keys()
    names = page.commands() if overlay is None else ()
    if note and guided:
        keys = (("Enter", _("go on")), *(one for one in keys if one[0] != "Enter"))
        names = ("enough", *names)
    elif note:
        names = (names[0], "enough", *names[1:])
    footer = _footer(keys, names, look, columns, unread)
    whole = _one_here((*above, *body, *stack(note, columns, len(note)), footer))
    return tuple(map(ascii_twin, whole)) if look.ascii else whole


def _note(told: str, look: Look, columns: int) -> Block:
    """What the guide says, with a line at its side."""
    side = Span(f" {look.signs.side} ", "good", "told")
    return tuple((side, Span(text, "good", "told")) for text in wrap(told, columns - 4))


def _status(
    now: str,
    must: tuple[str, str],
    left: str,
    urgent: bool,
    look: Look,
    columns: int,
    most: int,
) -> Block:
    """What is going on, and what must be done in which time, in `most` rows where one is too
    short.
    """
    ellipsis, (asked_for, bar) = look.signs.ellipsis, must
    first = fit((Span(f" {now}", "on-bar status"),), columns, ellipsis, "on-bar")
    told = (wrap(asked_for, columns - 1) if most > 1 else [asked_for]) or [""]
    if len(told) > most:
        told = [*told[: most - 1], " ".join(told[most - 1 :])]
    lefts = (left, *[""] * (len(told) - 1))
    if bar == "on-must":
        asked = (asking_bar(*one, look, columns) for one in zip(told, lefts, strict=True))
        return (first, *asked)
    rows = []
    for part, end in zip(told, lefts, strict=True):
        behind = (Span(f"{end} ", f"{bar} {'urgent' if urgent else 'bold'}"),) if end else ()
        said = (Span(f" {part}", f"{bar} bold"),)
        rows.append((*fit(said, columns - row_width(behind), ellipsis, bar), *behind))
    return (first, *rows)


def asking_bar(text: str, hint: str, look: Look, columns: int) -> Row:
    """What must be done, on its own colour; in a heavy rule where no colour can say that."""
    edge = 0 if look.colours else 4
    shown = f" {clip(text, columns - edge - 1, look.signs.ellipsis)}"
    shown += " " * (width(shown) < columns - edge)
    more = f" {hint} " if hint and width(shown) + width(hint) + 4 <= columns else ""
    if look.colours:
        blank = " " * (columns - width(shown) - width(more))
        return Span(shown, "on-must bold"), Span(f"{blank}{more}", "on-must")
    heavy = look.signs.heavy
    rule = heavy * (columns - width(shown) - width(more) - 2)
    return Span(heavy), Span(shown, "bold"), Span(rule), Span(f"{more}{heavy}")


def _warning(trouble: str, look: Look, columns: int) -> Row:
    """The rule below the status, with what is amiss in it."""
    rule = look.signs.rule
    shown = clip(trouble, columns - 6, look.signs.ellipsis)
    rest = rule * (columns - width(shown) - 3)
    return (Span(f"{rule} ", "rule"), Span(shown, "warn"), Span(f" {rest}", "rule"))


def _below(
    page: Page, overlay: Overlay, look: Look, columns: int, height: int, must: Sequence[str]
) -> Block:
    """The overlay in so few rows as it takes, below what is seen of the page, where nothing has
    the focus then and a click means nothing. What the person `must` do in which time stands in
    its frame where it is seen no more.
    """
    box = _framed(overlay, look, columns, height, low=True)
    seen = stack(page.paint(look, columns, height), columns, height)[: height - len(box)]
    told = " ".join(map(text_of, seen))
    note = f" {look.signs.dot} ".join(part for part in must if part and part not in told)
    if note:
        ink = "must" if page.bar == "on-must" else "bold"
        box = _framed(overlay, look, columns, height, low=True, note=Span(note, ink))
    rows = tuple(
        tuple(span._replace(style=_quiet(span.style), target="", here=False) for span in row)
        for row in seen
    )
    return (*rows, *box)


def _quiet(style: str) -> str:
    """A style without the focus, and without the amber of duty."""
    words = (_QUIET.get(word, word) for word in style.split())
    return " ".join(filter(None, words))


_QUIET = {"focus": "", "on-focus": "", "on-must": "on-bar"}
_NO_NOTE = Span("")


def _framed(
    overlay: Overlay,
    look: Look,
    columns: int,
    height: int,
    *,
    low: bool = False,
    note: Span = _NO_NOTE,
) -> Block:
    """The overlay in a frame in the middle of the page's place; `low`: in so few rows as it
    takes; `note`: what stands at the right end of the frame.
    """
    size = min(columns, WIDEST)
    inside = size - AROUND[0]
    corners, rule = look.signs.corners, look.signs.rule
    title = clip(overlay.title(), inside - 2, look.signs.ellipsis)
    fits = bool(note.text) and width(title) + width(note.text) + 10 <= size
    told = f" {note.text} " if fits else ""
    bar = rule * (size - width(title) - width(told) - 6)
    drawn = overlay.paint(look, inside, min(overlay.low, height - 2) if low else height - 2)
    rows = stack(drawn, inside, len(drawn) if low else height - 2)
    side = Span(look.signs.side, "rule")
    box: list[Row] = [
        (
            Span(f"{corners[0]}{rule} ", "rule"),
            Span(title, "title"),
            Span(f" {bar}", "rule"),
            Span(told, note.style),
            Span(f"{rule}{corners[1]}", "rule"),
        ),
        *((side, Span(" "), *row, Span(" "), side) for row in rows),
        line(f"{corners[2]}{rule * (size - 2)}{corners[3]}", "rule"),
    ]
    margin = (columns - size) // 2
    return beside((((), margin), (box, size), ((), columns - size - margin)))


def _footer(
    keys: Sequence[tuple[str, str]],
    names: Sequence[str],
    look: Look,
    columns: int,
    unread: int,
) -> Row:
    """The keys that matter here, so many as fit."""
    entries = [(key, meaning, "") for key, meaning in keys]
    for name in names:
        command = BY_NAME[name]
        title = _(command.title)
        if name == "say" and unread:
            title = f"{title} ({unread})"
        entries.append((shown_key(command.keys[0]), title, f"command:{name}"))
    row: list[Span] = [Span(" ", "on-bar")]
    for key, meaning, target in entries[:FOOTER]:
        printed = in_words(key)
        shown = plain_arrows(printed) if look.ascii else printed
        part = [
            Span(shown, "on-bar key", target),
            Span(f" {meaning}  ", "on-bar dim", target),
        ]
        if row_width(row) + row_width(part) - 2 > columns:
            break
        row += part
    row[-1] = row[-1]._replace(text=row[-1].text.rstrip())  # what follows the last is no loss
    return fit(tuple(row), columns, look.signs.ellipsis, "on-bar")


def _one_here(rows: Block) -> Block:
    """One span is `here`: the first that says so, else what the status says must be done."""
    chosen = next(
        ((y, x) for y, row in enumerate(rows) for x, span in enumerate(row) if span.here),
        (1, 0),
    )
    return tuple(
        tuple(span._replace(here=(y, x) == chosen) for x, span in enumerate(row))
        if y == chosen[0] or any(span.here for span in row)
        else row
        for y, row in enumerate(rows)
    )
