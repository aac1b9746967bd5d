"""The characters of this match in the order of their ranks: called, out, to come, who holds
them, and what lies on them: who is murdered, threatened, and the like.
"""

from __future__ import annotations

from typing import NamedTuple

from cli.i18n import _, counted, pgettext
from cli.screen.moments import Called
from cli.screen.pages.sheet import Sheet, fits, gold_sign
from cli.text import brief, cards
from cli.text.cells import width
from cli.text.stakes import Mark
from cli.text.table import describe


class Tab(NamedTuple):
    """A rank as it stands in the row. `state`: "past", "out", "now" or "todo"."""

    rank: int
    role: str
    state: str
    sign: str  #: what comes before the number
    marks: str  #: and behind it
    holder: int | None

    @property
    def head(self) -> str:
        return f"{self.sign}{self.rank}{self.marks}"


def ranks(sheet: Sheet, y: int, rows: int) -> None:
    """All ranks in one row, or in two: below each who holds it, or what befell it."""
    tabs = [_tab(sheet, rank, role) for rank, role in sorted(sheet.model.box.ranks.items())]
    if not tabs:
        return
    if rows == 1:
        _in_one(sheet, tabs, y)
        return
    size = sheet.grid.columns // len(tabs)
    for place, tab in enumerate(tabs):
        _in_two(sheet, tab, place * size, y, size)


def spelled(sheet: Sheet, y: int, rows: int) -> int:
    """The rank that is looked at: its character's power, and what is known of it; the rows."""
    rank = sheet.ranked
    role = None if rank is None else sheet.model.box.ranks.get(rank)
    if rank is None or role is None:
        return 0
    tab = _tab(sheet, rank, role)
    known = below(sheet, tab, sheet.grid.columns // 2)
    said = describe(role, sheet.model.box)[1:]
    return sheet.note(y, rows, (f"{tab.head} {cards.character(role)}", known), said)


def _marks_on(sheet: Sheet, role: str) -> str:
    """The signs of what lies on a character; behind one's own marker whether it is true."""
    view, signs = sheet.model.view, sheet.look.signs
    signed = dict(view.you.signed) if view is not None and view.you is not None else {}
    return "".join(
        signs.marks[mark.purpose] + (signs.true if signed.get(mark.purpose) == role else "")
        for mark in sheet.marks(role)
    )


def _tab(sheet: Sheet, rank: int, role: str) -> Tab:
    state = _state(sheet, rank, role)
    signs = sheet.look.signs
    sign = {"out": signs.out, "past": signs.barred}.get(state, "")
    return Tab(rank, role, state, sign, _marks_on(sheet, role), _holder(sheet, role))


def _state(sheet: Sheet, rank: int, role: str) -> str:
    view, called = sheet.view, sheet.called
    if role in view.faceup:
        return "out"
    if view.turn is not None:
        if view.turn.rank == rank:
            return "now"
    elif view.phase == "turns" and called == rank:
        return "now"
    return "past" if called is not None and rank <= called else "todo"


def _holder(sheet: Sheet, role: str) -> int | None:
    """Whose character it is, as far as the viewer may see."""
    you = sheet.view.you
    if you is not None and not sheet.hidden and role in you.characters:
        return you.seat
    return next((seat.seat for seat in sheet.view.seats if role in seat.characters), None)


def _is_mine(sheet: Sheet, tab: Tab) -> bool:
    return tab.holder is not None and tab.holder == sheet.model.me


def _in_one(sheet: Sheet, tabs: list[Tab], y: int) -> None:
    """What is past loses its names first, all of it; then what is out, and what is to come."""
    names = {tab.rank: cards.character(tab.role) for tab in tabs}
    room = sheet.grid.columns

    def total() -> int:
        heads = sum(width(tab.head) + 1 + 2 * (tab.state == "now") for tab in tabs)
        return 1 + heads + sum(width(name) + 1 for name in names.values() if name)

    steps = (("past", ""), ("out", "short"), ("out", ""), ("todo", "short"), ("todo", ""),
             ("now", "short"))  # fmt: skip
    for state, how in steps:
        if total() <= room:
            break
        # whoever is murdered or to be robbed keeps a whole name longest
        for tab in sorted(tabs, key=lambda tab: (bool(tab.marks), -width(names[tab.rank]))):
            if tab.state != state or (total() <= room and state != "past"):
                continue
            short = brief.character(tab.role, brief.LONGEST) if how else ""
            names[tab.rank] = short
    spare = min(2, max(0, room - total()) // len(tabs))
    at = 1
    for place, tab in enumerate(tabs):
        name = names[tab.rank]
        text = f"{tab.head} {name}" if name else tab.head
        x = at
        if tab.rank == sheet.ranked:
            at = sheet.grid.put(at, y, text, "bold", "on-focus")
        elif tab.state == "now":
            field = "on-bad" if _silenced(sheet, tab) else "on-acts"
            at = sheet.grid.put(at - (not place), y, f" {text} ", "bold", field)
        elif _is_mine(sheet, tab) and tab.state != "past":
            at = sheet.grid.put(at, y, text, "bold", "on-me")
        else:
            at = sheet.grid.put(at, y, text, _ink(tab))
        sheet.grid.aim(x, y, at - x, 1, f"rank:{tab.rank}")
        at += 1 + spare


def _ink(tab: Tab) -> str:
    """The ink of a rank that is neither called nor one's own."""
    if tab.marks:
        return "bad"
    return {"past": "dim", "out": "dim struck"}.get(tab.state, "bold")


def _in_two(sheet: Sheet, tab: Tab, x: int, y: int, size: int) -> None:
    grid, now, mine = sheet.grid, tab.state == "now", _is_mine(sheet, tab)
    field = "on-acts" if now else "on-me" if mine else None
    if tab.rank == sheet.ranked:
        field = "on-focus"
    grid.aim(x, y, size - 1, 2, f"rank:{tab.rank}")
    if field is not None and (sheet.look.colours or not now):
        grid.fill(x, y, size - 1, 2, field)
    head = tab.head
    name = brief.character(tab.role, size - 2 - width(head))
    text = f"{head} {name}".rstrip()
    left = x + (0 if tab.sign and not field else 1)  # a sign hangs before the numbers
    if left + width(text) > x + size - 1:
        left = x
    grid.put(left, y, text, "bold" if field else _ink(tab), field)
    low = below(sheet, tab, size - 2)
    if _silenced(sheet, tab):
        field = "on-bad"
        grid.fill(x, y, size - 1, 2, field)
        grid.put(left, y, text, "bold", field)
    hurt = tab.marks and not field
    known = tab.state == "past" and tab.holder is not None
    grid.put(x + 1, y + 1, low, "bad" if hurt else "" if field or known else "dim", field)


def below(sheet: Sheet, tab: Tab, room: int) -> str:
    """Who holds a rank, or what befell it, in `room` cells."""
    if sheet.calling is not None and sheet.calling.rank == tab.rank:
        if sheet.calling.how == "breath":
            return sheet.look.signs.ellipsis
        return fits((_("is silent"),), room)
    who = "" if tab.holder is None else brief.person(sheet.name(tab.holder), room)
    told = next(
        (text for mark in sheet.marks(tab.role) if (text := _befell(mark, who, room))), ""
    )
    if told:
        return told
    known = sheet.model.known
    if tab.state == "out":
        return fits((_("face up"),), room)
    if who:
        return who
    if tab.state == "past":
        return fits((_("nobody has it"), _("not held")), room)
    if sheet.hidden:
        return ""
    if tab.role in known.aside:
        return fits((_("you put aside"), _("put aside")), room)
    ask = sheet.model.ask
    if tab.role in known.passed and (ask is None or ask.kind != "character"):
        return fits((_("you passed"),), room)
    return ""


def _silenced(sheet: Sheet, tab: Tab) -> bool:
    """Whether it is called and stays silent, since it was murdered."""
    return sheet.calling == Called(tab.rank, "silent")


def _befell(mark: Mark, who: str, room: int) -> str:
    """What lies on a rank, in words."""
    befell = {"murder": _("murdered"), "witchcraft": _("bewitched")}
    if mark.purpose in befell:
        return fits((befell[mark.purpose],), room)
    if mark.purpose == "theft" and mark.done:
        if not mark.gold:
            return who
        long = counted("−{gold} gold", gold=mark.gold)
        short = f"−{mark.gold}{gold_sign()}"
        return fits((f"{who} {long}".strip(), f"{who} {short}".strip(), short), room)
    if mark.purpose == "theft":
        return fits((_("to be robbed"), pgettext("a rank to be robbed", "target")), room)
    lies = {"warrants": _("a warrant"), "threats": _("a threat")}
    return who or fits((lies[mark.purpose],), room)
