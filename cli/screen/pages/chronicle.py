"""What happened: the band, which has its row always, and the journal, a paragraph a turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from citadels_p2p.rules.events import Event
from cli.client.client_model import JournalEntry
from cli.i18n import _, counted
from cli.screen.pages.sheet import Sheet, fits
from cli.text import cards, deeds
from cli.text.cells import clip, width, wrap
from cli.text.lobby import first_words
from cli.text.stakes import peril

#: what goes without saying in a journal of a few rows
QUIET = frozenset({
    "cards_drawn", "cards_kept", "cards_gained", "cards_discarded", "cards_given",
    "cards_tucked", "character_taken", "character_set_aside", "turn_begins", "turn_ends",
    "face_up", "face_down", "declined", "recovery_declined", "deck_shuffled", "site_begun",
    "gold_paid", "characters_drawn", "uniques_drawn", "match_over",
})  # fmt: skip


# The band


def harms(sheet: Sheet) -> list[str]:
    """What was done to the viewer since the last decision, and what lies on the character."""
    model = sheet.model
    moment = sheet.look.moment
    told = [
        (deed.event.kind, deed.label(model.scene))
        for deed in model.deeds.done
        if moment is None or deed.event.n <= moment.n
    ]
    robbed = any(kind == "robbed" for kind, _text in told)
    you = None if sheet.hidden else sheet.view.you
    perils = [
        said
        for role in (you.characters if you is not None else ())
        for mark in sheet.marks(role)
        if not (robbed and mark.gold) and (said := peril(role, mark, model.scene))
    ]
    done = [text for _kind, text in told]
    # what weighs most comes last; a murder is both, once its rank was called
    return [*(said for said in reversed(perils) if said not in done), *done]


def must_tell(sheet: Sheet) -> bool:
    """Whether the band must be there even where rows are few."""
    return bool(harms(sheet) or first_words(sheet.model.lobby, sheet.view))


def band(sheet: Sheet, y: int, note: str) -> None:
    """One row: harm to the viewer, else `note`, else the newest deed of anybody. Where the
    journal had no room, its newest sentence stands at the right end.
    """
    said = _band(sheet, y, note)
    last = "" if sheet.journalled else _last(sheet)
    room = sheet.grid.columns - (width(said) + 5 if said else 3)
    if last and last != said and width(last) <= room:
        at = sheet.grid.columns - width(last) - 1 if said else 2
        sheet.grid.put(at, y, last, "" if said else "strong")


def _last(sheet: Sheet) -> str:
    """The newest sentence that a short journal tells."""
    told = (
        entry.text
        for entry in reversed(sheet.model.journal)
        if sheet.is_told(entry)
        and (entry.event is None or entry.event.kind not in QUIET | {"rank_called"})
    )
    return next(told, "")


def _band(sheet: Sheet, y: int, note: str) -> str:
    """What stands in it first."""
    grid, signs, size = sheet.grid, sheet.look.signs, sheet.grid.columns - 3
    ellipsis = sheet.look.signs.ellipsis
    if told := [*harms(sheet), *([note] if note and harms(sheet) else [])]:
        mark = signs.band if sheet.look.colours else "!"
        grid.fill(0, y, grid.columns, 1, "on-bad")
        grid.put(0, y, mark, "bad" if sheet.look.colours else "bold")
        harm = clip(_together(told, size), size, ellipsis)
        grid.put(2, y, harm, "bold")
        return harm
    grid.fill(0, y, grid.columns, 1, "on-told")
    newest = sheet.newest
    said = note or ("" if newest is None else newest.text)
    said = said or first_words(sheet.model.lobby, sheet.view)
    if not said and (earlier := sheet.earlier) is not None:
        grid.put(0, y, signs.band, "dim")
        grid.put(2, y, clip(earlier.text, size, ellipsis), "dim")
        return earlier.text
    if not said:
        return ""
    grid.put(0, y, signs.band, "dim")
    grid.put(2, y, clip(said, size, ellipsis), "warn" if note else "strong")
    if not note and newest is not None and newest.event is not None:
        _name_victim(sheet, newest, y)
    return said


def _together(told: Sequence[str], size: int) -> str:
    """All harm in one row; else the newest, and how much more the journal tells."""
    whole = "  ".join(told)
    if width(whole) <= size or len(told) == 1:
        return whole
    short = f"{told[-1]}  " + counted("and {count} more: l", count=len(told) - 1)
    return fits((short,), size) or told[-1]


def _name_victim(sheet: Sheet, entry: JournalEntry, y: int) -> None:
    """Who suffered stands out in the sentence."""
    assert entry.event is not None
    seat = deeds.victim(entry.event)
    if seat is None:
        return
    name = sheet.model.scene.name(seat)
    before, found, _behind = entry.text[1:].partition(name)
    if found:
        sheet.grid.put(3 + width(before), y, name, "bad")


# The journal


@dataclass(slots=True)
class _Paragraph:
    """A turn: who had it, and what it brought; `is_new`: since the last decision."""

    head: str = ""
    said: list[str] = field(default_factory=list)
    is_new: bool = False


def _paragraphs(sheet: Sheet) -> list[_Paragraph]:
    model = sheet.model
    found = [_Paragraph()]
    entries = list(model.journal)[-200:]
    first_new = len(entries) - sheet.fresh
    for place, entry in enumerate(entries):
        if not sheet.is_told(entry):
            break
        event = entry.event
        kind = event.kind if event is not None else entry.kind
        if event is not None and _is_later(event, sheet.view.round):
            break
        if event is not None and event.kind == "rank_called":
            fields = event.fields()
            if fields["seat"] is not None:
                role = cards.character(str(fields["character"]))
                head = _("{head}:").format(head=f"{fields['rank']} {role}")
                found.append(_Paragraph(head, [], place >= first_new))
            continue
        if kind in QUIET and not _of_own_hand(sheet, event):
            continue
        if kind in ("round_begins", "chat", "notice"):
            found.append(_Paragraph("", [entry.text], place >= first_new))
            if kind == "round_begins":
                continue
            found.append(_Paragraph("", [], place >= first_new))
            continue
        found[-1].said.append(entry.text)
        found[-1].is_new = place >= first_new
    return [one for one in found if one.said]


def _is_later(event: Event, number: int) -> bool:
    """Whether a round begins with it that comes after the one that is seen."""
    return event.kind == "round_begins" and int(str(event.fields()["round"])) > number


def _of_own_hand(sheet: Sheet, event: Event | None) -> bool:
    """Whether it took cards out of the viewer's hand, or brought some."""
    if event is None or event.kind != "cards_given" or sheet.model.me is None:
        return False
    fields = event.fields()
    return sheet.model.me in (fields["seat"], fields["to"])


def journal(sheet: Sheet, x: int, y: int, size: int, rows: int) -> int:
    """The newest paragraphs; one that is too long loses whole sentences from its beginning."""
    found: list[tuple[str, str, bool]] = []  #: a line, the head in it, whether it is new
    for place, one in enumerate(reversed(_paragraphs(sheet))):
        room = rows - len(found)
        lines = _lines(one, size, room, sheet.look.signs.ellipsis, newest=not place)
        if not lines:
            break
        new = one.is_new or place == 0
        found = [
            (line, one.head if n == 0 else "", new) for n, line in enumerate(lines)
        ] + found
        if len(found) >= rows:
            break
    sheet.journalled = sheet.journalled or bool(found)
    for place, (line, head, new) in enumerate(found):
        sheet.grid.put(x, y + place, line, "" if new else "dim")
        if head and line.startswith(head):
            sheet.grid.put(x, y + place, head, "key")
    return len(found)


def _lines(
    one: _Paragraph, size: int, room: int, ellipsis: str, *, newest: bool
) -> Sequence[str]:
    """A paragraph in `room` rows; () where not even its last sentence fits, of which the newest
    shows as much as it can.
    """
    for cut in range(len(one.said)):
        mark = f"{ellipsis} " if cut else ""
        head = f"{one.head} " if one.head else ""
        lines = wrap(f"{head}{mark}{' '.join(one.said[cut:])}", size)
        if len(lines) <= room:
            return lines
    if not newest or room < 1:
        return ()
    last = f"{one.head} {one.said[-1]}".strip()
    if room == 1:
        return (clip(last, size, ellipsis),)
    *kept, rest = wrap(last, size)[:room]
    return (*kept, clip(f"{rest} {ellipsis}", size, ellipsis))


# What the viewer alone knows


def known(sheet: Sheet) -> list[tuple[str, str]]:
    """Sentences, and the same by numbers alone."""
    model, said = sheet.model, []
    if sheet.hidden or (model.ask is not None and model.ask.kind == "character"):
        return []
    numbers = {role: rank for rank, role in model.box.ranks.items()}
    told = ((model.known.passed, _("you passed on: {characters}")),
            (model.known.aside, _("you put aside: {characters}")))  # fmt: skip
    for roles, form in told:
        order = sorted((role for role in roles if role in numbers), key=numbers.__getitem__)
        if not order:
            continue
        names = ", ".join(f"{numbers[role]} {cards.character(role)}" for role in order)
        short = " ".join(str(numbers[role]) for role in order)
        said.append((form.format(characters=names), form.format(characters=short)))
    return said


def known_height(sheet: Sheet, size: int) -> int:
    """The rows that all of it takes, with its heading; 0 for nothing."""
    told = known(sheet)
    return 1 + sum(len(wrap(long, size)) for long, _short in told) if told else 0


def know(sheet: Sheet, x: int, y: int, size: int, rows: int) -> int:
    """What the viewer alone knows, with its heading, in at most `rows`; the rows it took."""
    told = known(sheet)
    if not told or rows < 2:
        return 0
    sheet.title(x, y, size, _("Only you know"))
    long = [line for text, _short in told for line in wrap(text, size)]
    short = [line for _text, text in told for line in wrap(text, size)]
    lines = long if len(long) <= rows - 1 else short[: rows - 1]
    return sheet.grid.lines(x, y + 1, lines) - y
