"""The question and its choices: what is possible by its key, what is not by its reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from citadels_p2p.cards import CHARACTERS
from citadels_p2p.match import Option
from cli.client.client_model import ClientModel
from cli.drawing.pen import KINDS
from cli.i18n import N_, _, counted, pgettext
from cli.screen.look import Look
from cli.screen.menu import SEND, Menu
from cli.screen.pages import hand
from cli.screen.pages.cities import tile
from cli.screen.pages.sheet import Sheet, fits
from cli.screen.scroll import window
from cli.screen.turn_lines import Item, Path
from cli.text import brief, cards, label, listing, refusal, wordings
from cli.text import screen as phrases
from cli.text.asking import joined, parts, statement
from cli.text.cells import clip, width, wrap
from cli.text.labels import GROUPS, group
from cli.text.prospects import prospects
from cli.text.reactions import REACTIONS

#: cells before the words of a line: the cursor and the key
HEAD = 4
#: cells between the words and what is said of them besides
GAP = 2
#: cells of a tile and the blank behind it
TILE = 3
#: reasons that are over with for good or for the turn, by their code
_OVER = ("already_gathered", "already_used", "past")
#: what lets a city have a district twice: a district of it, or the character on turn
_TWICE = ("quarry", "wizard")
#: reason → the head of its group, in the order of the groups; all others stand in the middle
_HEADS = {
    "gather_first": N_("Not before gold or cards:"),
    "too_dear": N_("Not enough gold:"),
    "": "",
    "already_built": N_("Never: already in your city:"),
    "already_gathered": N_("Done already:"),
}
#: columns from which what a character would bring stands at the end of its row
BROAD = 100
#: what all kinds of districts in one city are worth
ALL_KINDS = 3


# The question


def question(sheet: Sheet, x: int, y: int, size: int, asked: str, note: str) -> int:
    """The bar of what must be done; the rows it took: more than one where the words need it."""
    signs = sheet.look.signs
    room = size - 2
    together = width(asked) + width(note) + 3 <= room
    lines = [asked] if together else list(wrap(asked, room))
    for place, text in enumerate(lines):
        if sheet.look.colours:
            sheet.grid.fill(x, y + place, size, 1, "on-must")
            sheet.grid.put(x + 1, y + place, text, "bold")
        else:
            sheet.grid.put(x, y + place, signs.heavy * size)
            sheet.grid.put(x + 1, y + place, f" {clip(text, room - 3)} ", "bold")
    if note and width(lines[-1]) + width(note) + 3 <= room:
        end = x + size - 1 - (0 if sheet.look.colours else 2)
        text = note if sheet.look.colours else f" {note} "
        sheet.grid.put(end - width(text), y + len(lines) - 1, text)
    return len(lines)


def idle(sheet: Sheet, x: int, y: int, size: int, told: str, note: str) -> int:
    """The bar of what somebody else must do; the rows it took."""
    grid = sheet.grid
    lines = [told] if width(told) + 2 <= size else list(wrap(told, size - 2))
    for place, text in enumerate(lines):
        if sheet.look.colours:
            grid.fill(x, y + place, size, 1, "on-acts")
            grid.put(x + 1, y + place, text, "bold")
        else:
            grid.put(x, y + place, sheet.look.signs.rule * size)
            grid.put(x + 1, y + place, f" {clip(text, size - 4)} ", "bold")
    turn = sheet.view.turn
    if not note and sheet.mine is not None:
        mine = turn is not None and turn.seat == sheet.mine.seat
        note = _("then your turn goes on") if mine else _("nothing is asked of you")
    if note and width(lines[-1]) + width(note) + 4 <= size:
        grid.put(x + size - width(note) - 1, y + len(lines) - 1, note)
    return len(lines)


def reactions() -> str:
    """What may be said by a digit."""
    said = (f"{place} {_(one)}" for place, one in enumerate(REACTIONS, 1))
    return _("Say: {reactions}").format(reactions="  ".join(said))


def speech(sheet: Sheet, x: int, y: int, size: int, *, nudges: bool) -> int:
    """The keys by which one says something, in a row; the rows it took: none where the words
    have no room. `nudges`: somebody may be reminded.
    """
    parts = [("n", _("nudge"), "command:nudge")] if nudges else []
    said = [(str(place), _(one), f"react:{place}") for place, one in enumerate(REACTIONS, 1)]
    whole = [*parts, ("e", _("{head}:").format(head=_("say")), "command:react"), *said]
    if sum(width(key) + width(text) + 3 for key, text, _target in whole) - 2 > size:
        whole = [*parts, ("e", _("say"), "command:react")]
    for key, text, target in whole:
        end = sheet.grid.put(sheet.grid.put(x, y, key, "key") + 1, y, text, "dim")
        sheet.grid.aim(x, y, end - x, 1, target)
        x = end + 2
    return 1


def order(sheet: Sheet, x: int, y: int, size: int, more: str = "") -> None:
    """Who has chosen, who chooses, and who comes after, as the crown goes round."""
    view, grid, signs = sheet.view, sheet.grid, sheet.look.signs
    first = view.crown or 0
    seats = (*view.seats[first:], *view.seats[:first])
    at, has_chosen = grid.put(x, y, _("In order:"), "dim") + 1, True
    for seat in seats:
        acts = seat.seat == sheet.acting
        has_chosen = has_chosen and not acts
        sign = signs.focus if acts else signs.chosen if has_chosen else signs.waits
        name = f"{sign} {sheet.name(seat.seat)}"
        if seat is sheet.mine:
            at = grid.put(at, y, f" {name} ", "bold", "on-me") + 1
        elif acts:
            at = grid.put(at, y, f" {name} ", "bold", "on-acts") + 1
        else:
            at = grid.put(at, y, name, "good" if has_chosen else "dim") + 2
    legend = f"{signs.chosen} {_('has chosen')}  {signs.waits} {_('chooses after you')}"
    mine = sheet.mine
    twice = ""
    if mine is not None and len(view.seats) <= 3 and sheet.view.you is not None:
        held = len(sheet.view.you.characters)
        twice = _("your first of two") if not held else _("your second of two")
    told = fits(
        [form for form in (f"{twice}   {more}".strip(), more or legend, twice) if form],
        x + size - at - 1,
    )
    if told:
        grid.put(x + size - width(told), y, told, "dim")


# The choices


def choices(sheet: Sheet, menu: Menu, x: int, y: int, size: int, rows: int) -> int:
    """The lines of a menu in at most `rows`, the focused one among them; the rows they took."""
    if rows < 1:
        return 0
    if menu.sure is not None:
        return _sure(sheet, menu, x, y, size, rows)
    if menu.ask.sole:
        return _shown(sheet, menu, x, y, size, rows)
    count = menu.free
    lines = [_laid(sheet, _words(sheet, menu, item), size) for item in menu.items[:count]]
    heights = [len(line.texts) for line in lines]
    first, last = _seen(heights, menu.focus if menu.focus < count else 0, rows)
    if last - first < count and rows > 2:
        first, last = _seen(heights, menu.focus if menu.focus < count else 0, rows - 1)
    column = max((width(line.texts[0]) for line in lines if line.more), default=0)
    barred = min(len({_reason(sheet, item) for item in menu.items[count:]}), rows)
    spare = rows - sum(heights) - barred if last - first == count else 0
    at = y
    for place in range(first, last):
        used = _line(sheet, menu, place, lines[place], (x, at, size), column, spare)
        spare -= used - heights[place]
        at += used
    if last - first < count and rows > 2:
        _unseen(sheet, menu, x, at, size, (first, last))
        at += 1
    return at - y + _groups(sheet, menu, x, at, size, rows - (at - y))


class _Laid(NamedTuple):
    """A line as it is laid out: its words by rows, what is said besides, a card to be built."""

    texts: tuple[str, ...]
    more: str
    card: str


def _laid(sheet: Sheet, words: tuple[str, str, str], size: int) -> _Laid:
    text, more, card = words
    return _Laid(wrap(text, size - HEAD - (TILE if card else 0)), more, card)


def _seen(heights: Sequence[int], focus: int, rows: int) -> tuple[int, int]:
    """The first and the last (exclusive) of the lines around the focus that `rows` hold."""
    if sum(heights) <= rows:
        return 0, len(heights)
    first, last = focus, focus + 1
    while True:
        used = sum(heights[first:last])
        if (
            last < len(heights)
            and used + heights[last] <= rows
            and last - focus <= focus - first
        ):
            last += 1
        elif first > 0 and used + heights[first - 1] <= rows:
            first -= 1
        elif last < len(heights) and used + heights[last] <= rows:
            last += 1
        else:
            return first, last


def _words(sheet: Sheet, menu: Menu, item: Item) -> tuple[str, str, str]:
    """A line in words, what is said of it besides, and the card whose tile stands before it."""
    model = sheet.model
    text, more = item_parts(item, menu, model)
    card = item.option.fields.get("card") if item.option is not None else None
    if menu.several and item.option is not None:
        signs = sheet.look.signs
        picked = item.option.id in menu.picks
        text = f"{signs.chosen if picked else signs.unchosen} {text}"
    elif item.step is not None:
        text = f"{text} {sheet.look.signs.into} {len(item.options)}"
    if item.verb == "build" and isinstance(card, str) and item.option is not None:
        if item.option.fields.get("cost") == hand.card_house(sheet, card).cost:
            # its tile says the price
            text = _("Build {card}").format(card=cards.district(card))
        return text, _gain(sheet, card), card
    role = None if item.option is None else item.option.fields.get("character")
    if isinstance(role, str) and menu.ask.kind not in ("character", "discard_character"):
        return text, _whereabouts(sheet, role), ""
    return text, more, ""


def _gain(sheet: Sheet, card: str) -> str:
    """What a district makes of the viewer's city: points, and so many of all."""
    mine, shown = sheet.mine, hand.card_house(sheet, card)
    if mine is None:
        return ""
    built = len(mine.city) + 1
    size = f"{built}/{sheet.view.city_size}"
    kinds = {one.quarter for one in mine.city}
    completes = shown.kind not in kinds and len(kinds) == len(KINDS) - 1
    dot = f" {sheet.look.signs.dot} "
    told = [size]
    if shown.kind != "unique" and built != sheet.view.city_size:
        points = mine.points_so_far + shown.cost + (ALL_KINDS if completes else 0)
        told.insert(0, _("you {points}").format(points=points))
    if completes:
        told.append(_("all 5 kinds"))
    if built == sheet.view.city_size:
        told.append(_("city complete"))
    return dot.join(told)


def _whereabouts(sheet: Sheet, role: str) -> str:
    """What the viewer knows of where a character is."""
    known = sheet.model.known
    if role in sheet.view.faceup:
        return _("face up: nobody plays it")
    you = sheet.view.you
    if sheet.hidden or you is None or not (known.passed or role in you.characters):
        return ""
    if role in you.characters:
        return _("it is your own")
    if role in known.aside:
        return _("you put it aside")
    if role in known.passed:
        return _("you passed it on")
    return _elsewhere(sheet)


def _elsewhere(sheet: Sheet) -> str:
    """Where a character is that the viewer has never seen."""
    view, you = sheet.view, sheet.view.you
    is_first = you is not None and view.crown == you.seat  # nobody chose before
    if is_first and you is not None and (len(view.seats) > 3 or not you.characters):
        return _("it lies face down")
    return _("taken before you, or face down")


def _line(
    sheet: Sheet, menu: Menu, place: int, line: _Laid, where: tuple[int, int, int],
    column: int, spare: int,
) -> int:  # fmt: skip
    """One line: the cursor, the key, a tile where something is built, words, and what is said
    besides, below them where only `spare` rows have room for it. The rows it took.
    """
    (x, y, size), grid, item = where, sheet.grid, menu.items[place]
    focused, left = place == menu.focus, x + HEAD
    begins = max(
        left + width(line.texts[-1]) + GAP + (TILE if line.card else 0),
        left + (column if len(line.texts) == 1 else 0) + GAP + (TILE if line.card else 0),
    )
    room = x + size - begins
    if width(line.more) > room:
        begins = left + width(line.texts[-1]) + GAP + (TILE if line.card else 0)
        room = x + size - begins
    beside = bool(line.more) and width(line.more) <= room
    below = () if beside or not line.more else wrap(line.more, size - HEAD)
    below = below if len(below) <= spare else ()
    used = len(line.texts) + len(below)
    if focused:
        grid.fill(x, y, size, used, "on-focus")
        grid.put(x, y, sheet.look.signs.focus)
        grid.stand(x, y)
    key = "" if item.number is None else str(item.number)
    grid.put(x + 1, y, f"{key:>2}", "bold" if focused else "key")
    if line.card:
        left = tile(sheet, left, y, hand.card_house(sheet, line.card)) + 1
    low = grid.lines(left, y, line.texts, "bold" if focused else "")
    if beside:
        grid.put(begins, low - 1, line.more, "" if focused else "dim")
    grid.lines(x + HEAD, low, below, "" if focused else "dim")
    grid.aim(x, y, size, used, f"item:{place}")
    return used


def _unseen(sheet: Sheet, menu: Menu, x: int, y: int, size: int, seen: tuple[int, int]) -> None:
    """The lines that have no room, by their keys and words as far as those have."""
    first, last = seen
    places = [*range(first), *range(last, menu.free)]
    ends = [n for n in places if menu.items[n].number == 0 or menu.items[n].verb == SEND]
    others = [n for n in places if n not in ends]
    signs = sheet.look.signs
    at = sheet.grid.put(x + 1, y, f"{signs.up if first else ''}{signs.down}", "key") + 1
    at = max(at, x + HEAD)
    if others:
        more = phrases.number_of_more(len(others))
        at = sheet.grid.put(at, y, more, "dim", None) + GAP
        at = _named_roles(sheet, menu, at, y, x + size, others)
    for place in ends:
        item = menu.items[place]
        key = "" if item.number is None else f"{item.number} "
        room = x + size - at - width(key)
        text = clip(item_text(item, menu, sheet.model), room, signs.ellipsis)
        start = at
        at = sheet.grid.put(at, y, key, "key")
        at = sheet.grid.put(at, y, text) + GAP
        sheet.grid.aim(start, y, at - start, 1, f"item:{place}")


def _named_roles(
    sheet: Sheet, menu: Menu, x: int, y: int, end: int, places: Sequence[int]
) -> int:
    """Characters that have no row, by their ranks and names where all have room; the column
    behind them.
    """
    roles = {place: _role_of(menu.items[place]) for place in places}
    if not all(role in CHARACTERS for role in roles.values()):
        return x
    whole = [cards.character(role) for role in roles.values()]
    short = [brief.character(role, brief.LONGEST) for role in roles.values()]
    for names in (whole, short):
        told = [f"{menu.items[n].number} {name}" for n, name in zip(roles, names, strict=True)]
        if x + sum(width(one) + 1 for one in told) <= end:
            for place, one in zip(roles, told, strict=True):
                start, x = x, sheet.grid.put(x, y, one, "strong") + 1
                sheet.grid.aim(start, y, x - start - 1, 1, f"item:{place}")
            break
    return x


# What is impossible


def _reason(sheet: Sheet, item: Item) -> str:
    """Which of the reasons a thing is impossible for; the lasting one wins."""
    assert item.barred is not None
    mine, reason = sheet.mine, item.barred.reason
    card = item.barred.option.fields.get("card")
    turn = sheet.view.turn
    twice = {one.card for one in mine.city} if mine is not None else set()
    twice |= {turn.character} if turn is not None else set()
    stands = mine is not None and card in {one.card for one in mine.city}
    if item.verb == "build" and stands and not twice.intersection(_TWICE):
        return "already_built"
    return _OVER[0] if reason in _OVER else reason


def _because(code: str, item: Item, model: ClientModel) -> str:
    """A reason as the head of a group."""
    if code in _HEADS:
        return _(_HEADS[code])
    assert item.barred is not None
    said = refusal(item.barred.reason, item.barred.fields, model.scene)
    return _("{head}:").format(head=said.rstrip("."))


def _groups(sheet: Sheet, menu: Menu, x: int, y: int, size: int, rows: int) -> int:
    """What is impossible, by its reason: as many groups as have room; the rows they took."""
    found: dict[str, list[int]] = {}
    for place in range(menu.free, len(menu.items)):
        found.setdefault(_reason(sheet, menu.items[place]), []).append(place)
    order = list(_HEADS)
    codes = sorted(found, key=lambda code: order.index(code if code in _HEADS else ""))
    codes = codes[: max(0, rows)]
    at = y
    for number, code in enumerate(codes):
        left = y + rows - at
        if left < 1:
            break
        spare = left - (len(codes) - number)
        at += _group(sheet, menu, found[code], code, x, at, size, spare)
    return at - y


def _group(
    sheet: Sheet, menu: Menu, places: Sequence[int], code: str, x: int, y: int, size: int,
    spare: int,
) -> int:  # fmt: skip
    """A reason and all that it forbids, in one row or `spare` rows more; the rows it took."""
    grid, end = sheet.grid, x + size
    items = [menu.items[place] for place in places]
    focused = menu.focus in places
    if focused:
        grid.fill(x, y, size, 1, "on-focus")
        grid.stand(x, y)
    ink = "" if focused else "dim"
    grid.put(x + 1, y, "-", ink)
    *begins, reason = wrap(_because(code, items[0], sheet.model), size - HEAD)
    if len(begins) > spare:
        begins, reason = [], clip(" ".join((*begins, reason)), size - HEAD)
    y, spare = grid.lines(x + HEAD, y, begins, ink), spare - len(begins)
    at = grid.put(x + HEAD, y, reason, ink) + 1
    named = [_forbidden(menu, item, sheet.model) for item in items]
    whole = sum(width(text) + 5 * bool(card) + 2 for card, text in named)
    used = 1 + len(begins)
    if at + whole > end and spare > 0:
        y, at, used = y + 1, x + HEAD, used + 1
    long = at + whole - 2 <= end
    verb = pgettext("before the signs of districts", "Build")
    for place, (card, text) in enumerate(named):
        shown = "" if card and not long else text
        need = (3 if card else 0) + width(shown)
        if card and not long and verb and at + width(verb) + 4 < end:
            at = grid.put(at, y, f"{verb} ", ink)
        verb = "" if card else verb
        more = phrases.number_of_more(len(named) - place)  # "+1" would be read as a Temple
        if at + need + (width(more) + 1 if place < len(named) - 1 else 0) > end:
            if place and at + width(more) <= end:  # alone it says nothing
                grid.put(at, y, more, ink)
            break
        if card:
            house = hand.card_house(sheet, card)
            sign = f"{sheet.pen.sign(house.kind)}{house.cost}"
            at = grid.put(at, y, sign, "" if focused else house.kind) + 1
        at = grid.put(at, y, shown, ink) + 2 if shown else at + 1
    for place in places:
        grid.aim(x, y - used + 1, size, used, f"item:{place}")
    return used


def _forbidden(menu: Menu, item: Item, model: ClientModel) -> tuple[str, str]:
    """The card that cannot be built ("" for anything else), and what it is called."""
    assert item.barred is not None
    card = item.barred.option.fields.get("card")
    if item.verb == "build" and isinstance(card, str):
        return card, cards.district(card)
    return "", item_parts(item, menu, model)[0]


# What is asked before something is done


def _sure(sheet: Sheet, menu: Menu, x: int, y: int, size: int, rows: int) -> int:
    item = menu.sure
    assert item is not None
    model = sheet.model
    wanted, _besides = item_parts(item, menu, model)
    if menu.warning:
        verbs = [option.verb for option in menu.warning]
        named = [
            group(one.verb)
            if verbs.count(one.verb) > 1 and one.verb in GROUPS
            else label(one, model.scene)
            for one in menu.warning
        ]
        left = listing(list(dict.fromkeys(named))[:3])
        asked = _("You could still: {choices}. {wanted} all the same?").format(
            choices=left, wanted=wanted
        )
    else:
        asked = _("{wanted}: are you sure?").format(wanted=wanted)
    at = sheet.grid.lines(x + 1, y, wrap(asked, size - 2)[: rows - 1], "warn")
    yes = f"{sheet.look.signs.focus} {_('Enter: yes')}"
    sheet.grid.stand(x + 2, at)
    end = sheet.grid.put(x + 2, at, yes, "", "on-focus")
    sheet.grid.aim(x + 2, at, end - x - 2, 1, "sure")
    no = _("Esc: no, go back")
    sheet.grid.put(end + 3, at, no, "key")
    sheet.grid.aim(end + 3, at, width(no), 1, "unsure")
    return at - y + 1


def _shown(sheet: Sheet, menu: Menu, x: int, y: int, size: int, rows: int) -> int:
    """What is only shown: cards that no option names, what follows, and how to go on."""
    used = hand.seen(sheet, menu.ask, x + 1, y, size - 2, rows - 1)
    told = wrap(statement(menu.ask, sheet.model.scene, sheet.model.box), size - 2)
    at = sheet.grid.lines(x + 1, y + used, told[: max(0, rows - 1 - used)])
    sheet.grid.stand(x + 2, at)
    text = f"{sheet.look.signs.focus} {_('Enter: go on')}"
    end = sheet.grid.put(x + 2, at, text, "", "on-focus")
    sheet.grid.aim(x + 2, at, end - x - 2, 1, "item:0")
    return at - y + 1


# Choosing a character


def characters(sheet: Sheet, menu: Menu, y: int, rows: int) -> int:
    """A character a row over the whole width, or two: its power, and what it brings now; below
    them those that are not offered. The rows they took.
    """
    size = sheet.grid.columns
    offered = [_role_of(item) for item in menu.items[: menu.free]]
    names = max((width(cards.character(role)) for role in offered), default=0)
    both = len(offered) * 2 <= rows - 1 and size < BROAD
    first, last = window(menu.focus, len(offered), rows)
    if last - first < len(offered) and rows > 2:
        first, last = window(menu.focus, len(offered), rows - 1)
    at = y
    for place in range(first, last):
        at += _character(sheet, menu, place, at, HEAD + names + GAP, two=both)
    if last - first < len(offered) and rows > 2:
        _unseen(sheet, menu, 0, at, size, (first, last))
        at += 1
    gone = not_offered(sheet, menu)
    if gone and at < y + rows:
        told = _("Not offered: {characters}").format(characters=gone)
        long = f"{told} ({_elsewhere(sheet)})"
        sheet.grid.put(1, at, "-", "dim")
        short = _("Not offered: {characters}").format(
            characters=not_offered(sheet, menu, named=False)
        )
        sheet.grid.put(HEAD, at, fits((long, told, short), size - HEAD - 1), "dim")
        at += 1
    return at - y


def not_offered(sheet: Sheet, menu: Menu, *, named: bool = True) -> str:
    """The characters that one may not choose from, without those that lie face up; by their
    ranks alone, or by names too.
    """
    ranks = {role: rank for rank, role in sheet.model.box.ranks.items()}
    offered = {_role_of(item) for item in menu.items}
    gone = [role for role in ranks if role not in offered and role not in sheet.view.faceup]
    names = (f"{ranks[role]} {cards.character(role)}" for role in gone)
    return ", ".join(names if named else (str(ranks[role]) for role in gone))


def _role_of(item: Item) -> str:
    fields = {} if item.option is None else item.option.fields
    return str(fields.get("character", fields.get("card", "")))


def _character(sheet: Sheet, menu: Menu, place: int, y: int, column: int, *, two: bool) -> int:
    grid, size, item = sheet.grid, sheet.grid.columns, menu.items[place]
    role, focused = _role_of(item), place == menu.focus
    power = wordings.power(role, sheet.model.box.edition)
    brings = prospects(role, sheet.view, sheet.model.scene)
    room = size - column - width(power) - 3
    told = fits(brings, size - column - 1 if two else room)
    rows = 2 if two and told else 1
    if focused:
        grid.fill(0, y, size, rows, "on-focus")
        grid.put(0, y, sheet.look.signs.focus)
        grid.stand(0, y)
    key = "" if item.number is None else str(item.number)
    grid.put(1, y, f"{key:>2}", "bold" if focused else "key")
    if item.option is not None and role:
        named = label(item.option, sheet.model.scene)  # without all that is said of it
    else:
        named = item_parts(item, menu, sheet.model)[0]
    grid.put(HEAD, y, named, "bold" if focused else "strong")
    grid.put(column, y, clip(power, size - column - 1, sheet.look.signs.ellipsis))
    if told:
        x = column if two else size - width(told) - 1
        grid.put(x, y + rows - 1, told, "" if focused else "good")
    grid.aim(0, y, size, rows, f"item:{place}")
    return rows


# Words of lines


def item_text(item: Item, menu: Menu, model: ClientModel) -> str:
    """An item in words."""
    if item.verb == SEND:
        return _sending(menu, model)
    if item.step is not None:
        return _step_text((*menu.path, item.step), item.options[0], model)
    assert item.option is not None
    return joined(*parts(menu.ask, item.option, model.scene, model.box))


def _step_text(path: Path, one: Option, model: ClientModel) -> str:
    """What opens a group of options: their verb, their player, their district or its price."""
    (field, value), card = path[-1], one.fields.get("card")
    if field == "seat" and isinstance(value, int):
        return model.scene.name(value)
    if field == "give" and isinstance(own := one.fields.get("own"), str):
        return _("Give {card}").format(card=cards.district(own))
    if field != "slot" or not isinstance(card, str):
        return group(one.verb)
    seat, named = one.fields.get("seat"), any(step[0] == "seat" for step in path)
    district = cards.district(card)
    if named or not isinstance(seat, int):
        return district
    return _("{name}: {card}").format(name=model.scene.name(seat), card=district)


def opened(menu: Menu, model: ClientModel, look: Look) -> str:
    """The groups that were opened to come to these lines."""
    one = next(item for item in menu.items if item.option is not None or item.options)
    sample = one.option or one.options[0]
    steps = (menu.path[:count] for count in range(1, len(menu.path) + 1))
    return f" {look.signs.into} ".join(_step_text(path, sample, model) for path in steps)


def item_parts(item: Item, menu: Menu, model: ClientModel) -> tuple[str, str]:
    """An item in words, and what is said of it besides."""
    if item.verb == SEND or item.option is None:
        return item_text(item, menu, model), ""
    return parts(menu.ask, item.option, model.scene, model.box)


def _sending(menu: Menu, model: ClientModel) -> str:
    count = len(menu.picks)
    if count < menu.low:
        return counted("Choose {count} more", count=menu.low - count)
    if not count:
        return _("Done: choose nothing")
    chosen = {option.id: label(option, model.scene) for option in menu.ask.options}
    return _("Done: {choices}").format(choices=listing([chosen[pick] for pick in menu.picks]))
