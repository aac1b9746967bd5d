"""Paints the menu of the open question: numbers, why an option is impossible, the draft."""

from __future__ import annotations

from citadels_p2p.match import Option
from cli.client.client_model import ClientModel
from cli.i18n import _, ngettext
from cli.screen.look import Look
from cli.screen.menu import SEND, Menu
from cli.screen.pages.hand import seen_rows
from cli.screen.scroll import window
from cli.screen.turn_lines import Item, Path
from cli.text import cards, label, listing, refusal
from cli.text import screen as phrases
from cli.text.asking import joined, parts, statement
from cli.text.cells import Row, Span, fit, line, pad, width, wrap
from cli.text.labels import GROUPS, group

#: cells of a line beside its words: the cursor, the key, and what parts two columns
_MARGIN = 8


def menu_rows(
    menu: Menu, model: ClientModel, look: Look, size: int, height: int
) -> tuple[Row, ...]:
    """At most `height` rows, the focused item among them."""
    menu.fit(height)
    if menu.sure is not None:
        return _sure(menu, model, look, size, height)
    if menu.ask.sole:
        return _shown(menu, model, look, size, height)
    count = len(menu.items)
    first, last = window(menu.focus, count, height)
    if last - first < count and height > 2:  # one line says how many are not seen
        first, last = window(menu.focus, count, height - 1)
    column = _column(menu, model, size)
    rows = [_item(menu, place, model, look, column, size) for place in range(first, last)]
    if last - first < count and height > 2:
        rows.append(_unseen(menu, model, look, size, (first, last)))
    return tuple(rows)


def _unseen(
    menu: Menu, model: ClientModel, look: Look, size: int, seen: tuple[int, int]
) -> Row:
    """How many lines are not seen; what ends it stands beside that all the same."""
    count, (first, last) = len(menu.items), seen
    up = look.signs.up if first else " "
    down = look.signs.down if last < count else " "
    unseen = [place for place in range(count) if not first <= place < last]
    ends = [x for x in unseen if menu.items[x].number == 0 or menu.items[x].verb == SEND]
    row = [Span(f"  {up}{down}", "dim")]
    if len(unseen) > len(ends):
        row.append(Span(f" {phrases.number_of_more(len(unseen) - len(ends))}", "dim"))
    for place in ends:
        item = menu.items[place]
        key = "" if item.number is None else f"{item.number} "
        style = "" if item.barred is None else "dim"
        row.append(Span(f"   {key}{item_text(item, menu, model)}", style, f"item:{place}"))
    return fit(tuple(row), size, look.signs.ellipsis)


def menu_height(menu: Menu | None) -> int:
    """The rows that the menu would like to have."""
    if menu is None:
        return 0
    return 4 if menu.sure is not None else menu.wish


def least_height(menu: Menu | None) -> int:
    """The rows in which all that is possible can be seen."""
    if menu is None:
        return 0
    return 4 if menu.sure is not None else menu.least


def _item(
    menu: Menu, place: int, model: ClientModel, look: Look, column: int, size: int
) -> Row:
    """One line; what is said of it besides begins at `column`, where both have room so."""
    item = menu.items[place]
    focused = place == menu.focus
    style = "focus" if focused else ""
    target = f"item:{place}"
    sign = look.signs.focus if focused else " "
    mark = look.signs.barred if item.barred is not None or item.folded else " "
    number = "" if item.number is None else str(item.number)
    text, more = item_parts(item, menu, model)[0], _besides(item, menu, model)
    if menu.several and item.option is not None:
        picked = item.option.id in menu.picks
        text = f"{look.signs.chosen if picked else look.signs.unchosen} {text}"
    elif item.step is not None:
        text = f"{text} {look.signs.into} {len(item.options)}"
    if item.folded or item.barred is not None:
        style = f"dim {style}".strip()
    if more:
        column = _fitting(column, width(text), size - _MARGIN - width(more))
    shown = pad(text, column, ellipsis=look.signs.ellipsis) if more else text
    head = Span(f"{sign}{mark}{number:>2} {shown}", style, target, focused)
    return (head, Span(f"  {more}", "dim", target)) if more else (head,)


def _fitting(column: int, text: int, room: int) -> int:
    """`column` for one line: moved right where the text would be cut although cells are free.

    `text`: the cells of the text; `room`: the cells that the rest of the line leaves for it.
    """
    if text > column:
        return max(column, min(text, room))
    return min(column, max(text, room))


def _column(menu: Menu, model: ClientModel, size: int) -> int:
    """The cell at which reasons and powers begin, the same in every line: past the longest text
    where both fit, else just past the middle.
    """
    said = [
        (item_parts(item, menu, model)[0], _besides(item, menu, model))
        for item in menu.items
        if item.verb != SEND and not item.folded
    ]
    marks = 2 if menu.several else 0
    words = max((width(text) for text, _more in said), default=0) + marks
    rest = max((width(more) for _text, more in said), default=0)
    return min(words, max(size * 9 // 20, size - _MARGIN - rest))


def _besides(item: Item, menu: Menu, model: ClientModel) -> str:
    """What is said of an item: why it is impossible, or what it is good for."""
    if item.barred is not None and not item.folded:
        return refusal(item.barred.reason, item.barred.fields, model.scene)
    role = None if item.option is None else item.option.fields.get("character")
    if role is not None and model.view is not None and role in model.view.faceup:
        return _("It lies face up: nobody plays it.")
    return item_parts(item, menu, model)[1]


def item_text(item: Item, menu: Menu, model: ClientModel) -> str:
    """An item in words."""
    if item.verb == SEND:
        return _sending(menu, model)
    if item.folded:
        barred = [one.barred for one in item.folded if one.barred is not None]
        names = ", ".join(label(one.option, model.scene) for one in barred)
        return phrases.folded(len(item.folded), names)
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
        return ngettext("Choose {count} more", "Choose {count} more", menu.low - count).format(
            count=menu.low - count
        )
    if not count:
        return _("Done: choose nothing")
    chosen = {option.id: label(option, model.scene) for option in menu.ask.options}
    return _("Done: {choices}").format(choices=listing([chosen[pick] for pick in menu.picks]))


def _shown(
    menu: Menu, model: ClientModel, look: Look, size: int, height: int
) -> tuple[Row, ...]:
    """What is only shown: cards that no option names, what follows, and how to go on."""
    told = statement(menu.ask, model.scene, model.box)
    rows = [*seen_rows(menu.ask, model, look, size)]
    rows += [line(f" {text}") for text in wrap(told, size - 2)]
    on = Span(look.signs.focus + " " + _("Enter: go on"), "focus", "item:0", True)
    return (*rows[: height - 1], (Span("  "), on))


def _sure(
    menu: Menu, model: ClientModel, look: Look, size: int, height: int
) -> tuple[Row, ...]:
    item = menu.sure
    assert item is not None
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
    rows: list[Row] = [line(f" {text}", "warn") for text in wrap(asked, size - 2)][: height - 1]
    yes = Span(look.signs.focus + " " + _("Enter: yes"), "focus", "sure", True)
    rows.append((Span("  "), yes, Span("   " + _("Esc: no, go back"), "key", "unsure")))
    return tuple(rows)
