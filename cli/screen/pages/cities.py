"""The cities: a panel each with head, sky, buildings and names, or a row each of tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from citadels_p2p.rules.events import Event
from citadels_p2p.rules.view import CityCard, SeatView
from cli.drawing.building import House, plate, stand
from cli.i18n import _, counted, pgettext
from cli.screen.moments import Amount, Falling, Lit
from cli.screen.pages import happening
from cli.screen.pages.sheet import Sheet, Spot, card_sign, fits, gold_sign
from cli.screen.plan import Plan
from cli.text import brief, cards, deeds
from cli.text.cells import width, wrap
from cli.text.prospects import ruin
from cli.text.table import describe

#: cells of a panel from which amounts are words, and from which the plots have blanks around
WORDS, BLANKS = 46, 34
#: cells that are left free for one character beside a long name or a large crown
ROLE = 9
#: rows of a sky that deeds may take, and losses among them
SKY, LOSSES = 4, 2
#: cells of free sky in which a deed may be broken into two rows
BROKEN = 8
#: ruins that are shown, at most
RUINS = 2
#: cells of a tile with its gap, of points at the end of a row, and of a name in it at most
TILE, POINTS, NAME = 3, 4, 10
#: pitch from which ordinary districts have names too where there is one row for them
SPACIOUS = 10


def panels(sheet: Sheet, top: int, plan: Plan) -> int:
    """All cities, the viewer's first; the row below them."""
    for place, seat in enumerate(sheet.seats):
        across, line = place % plan.across, place // plan.across
        x = across * (plan.size + 1)
        last = across == plan.across - 1
        size = sheet.grid.columns - x if last else plan.size
        panel(sheet, seat, x, top + line * plan.height, size, plan)
    return top + plan.lines * plan.height


def panel(sheet: Sheet, seat: SeatView, x: int, y: int, size: int, plan: Plan) -> None:
    """One city: its head, and the sky over it."""
    field = sheet.field(seat.seat)
    sheet.grid.fill(x, y, size, plan.height, field)
    _head(sheet, seat, x, y, size)
    ground = _buildings(sheet, seat, (x, y, size), plan)
    sheet.spots[seat.seat] = Spot(x, y, size, ground)
    happening.rise(sheet, seat.seat, plan)
    _sky(sheet, seat, x + size - 2, y + 1, ground - 1, field)
    sheet.grid.aim(x, y, size, plan.height, f"seat:{seat.seat}")


def ended(
    sheet: Sheet, seat: SeatView, where: tuple[int, int, int], plan: Plan,
    head: tuple[str, str, str], *, wins: bool, lit: int, counts: bool = False,
) -> None:  # fmt: skip
    """A city at the end of the match, so many of its districts lit. `head`: whose it is, how
    many points it has, and what they are for; `counts`: it is being counted.
    """
    (x, y, size), grid = where, sheet.grid
    mine = seat.seat == sheet.model.me
    bar = "on-badge" if wins else "on-bar"
    grid.fill(x, y, size, plan.height + 1, sheet.field(seat.seat))
    grid.fill(x, y, size, 1, "on-acts" if counts else bar)
    points = f" {head[1]} "
    name = brief.person(head[0], size - width(points) - 2)
    tag = mine and not wins and not counts
    grid.put(x, y, f" {name} ", "bold", "on-me" if tag else None)
    grid.put(x + size - width(points), y, points, "bold")
    strong = wins or counts
    grid.put(x + 1, y + plan.height, head[2], "strong" if strong else "dim")
    _buildings(sheet, seat, where, plan, lit)


def _buildings(
    sheet: Sheet,
    seat: SeatView,
    where: tuple[int, int, int],
    plan: Plan,
    lit: int | None = None,
) -> int:
    """All that stands in a panel, and names below it where there is room; the row of plates."""
    x, y, size = where
    ground, field = y + plan.height - 1 - plan.names, sheet.field(seat.seat)
    skyline(
        *(sheet, seat, x + 1, ground, plan.pitch, ground - y),
        gold=plan.gold, field=field, lit=lit,
    )  # fmt: skip
    if plan.names:
        _names(sheet, seat, x + 1, ground + 1, x + size, plan.pitch, plan.names)
    return ground


# The head


def roles_of(sheet: Sheet, seat: SeatView) -> tuple[str, ...]:
    """The characters of a seat, by id; "" for one that is not known."""
    you = sheet.view.you
    if you is None or you.seat != seat.seat:
        return tuple(role or "" for role in seat.characters)
    if sheet.hidden:
        return tuple(role or "" for role in seat.characters if role)
    return you.characters


def _role(sheet: Sheet, seat: SeatView, room: int) -> str:
    """The characters of a seat in `room` cells: whole, by short forms, or not at all."""
    if not seat.present:
        return fits((_("away"),), room)
    roles = roles_of(sheet, seat)
    whole = ", ".join(cards.character(role) if role else "?" for role in roles)
    if width(whole) <= room:
        return whole
    each = (room - 2 * (len(roles) - 1)) // max(1, len(roles))
    short = [brief.character(role, min(each, brief.LONGEST)) if role else "?" for role in roles]
    if all(short):
        return ", ".join(short)
    numbers = {role: str(rank) for rank, role in sheet.model.box.ranks.items()}
    told = ", ".join(numbers.get(role, "?") for role in roles)
    return told if len(roles) > 1 and width(told) <= room else ""


def _amounts(seat: SeatView, *, words: bool) -> str:
    if not words:
        return f"{seat.gold}{gold_sign()} {seat.hand}{card_sign()}"
    gold = counted("{gold} gold", gold=seat.gold)
    hand = counted("{count} card", "{count} cards", count=seat.hand)
    return f"{gold}  {hand}"


def _points(seat: SeatView, *, words: bool) -> str:
    """Points so far; where there is room, what the districts cost and all else."""
    worth = sum(card.cost for card in seat.city)
    more = seat.points_so_far - worth
    if words and more > 0:
        return f" {worth}+{more} = {seat.points_so_far} "
    return f" {seat.points_so_far} "


class _Inks(NamedTuple):
    """What a head is written in: its field, names, and what is less."""

    field: str
    name: str
    low: str
    crown: str


def _inks(sheet: Sheet, seat: SeatView) -> _Inks:
    if seat.seat == sheet.model.me:
        return _Inks("on-me", "bold", "low-me", "crown-me")
    if seat.seat == sheet.acting:
        return _Inks("on-acts", "bold", "", "crown")
    if not seat.present:
        return _Inks("on-bar", "away", "dim", "crown")
    return _Inks("on-bar", "warn" if sheet.model.doubt(seat.seat) else "bold", "dim", "crown")


def _head(sheet: Sheet, seat: SeatView, x: int, y: int, size: int) -> None:
    """Name, crown, character; at the right end built of size, gold and cards, points."""
    grid, inks, words = sheet.grid, _inks(sheet, seat), size >= WORDS
    grid.fill(x, y, size, 1, inks.field)
    _turn_sign(sheet, seat, x, y, inks)
    amounts, points = _amounts(seat, words=words), _points(seat, words=words)
    built = sheet.built(seat)
    short = sheet.is_short(seat)
    if short and size >= BLANKS:
        built = f" {built} "
    tail = width(built) + 1 + width(amounts) + 1 + width(points)
    crowned = sheet.view.crown == seat.seat
    room = size - 2 - tail
    roles = width(_role(sheet, seat, room))
    if len(roles_of(sheet, seat)) < 2:
        roles = min(roles, ROLE)
    at = _name(sheet, seat, x + 1, y, room, inks, crowned=crowned, roles=roles)
    role = _role(sheet, seat, x + 1 + room - at - 1)
    if role:
        grid.put(at + 1, y, role, "" if inks.field == "on-me" else inks.low)
    right = x + size - tail
    grid.put(right, y, built, "" if short else inks.low, "on-near" if short else None)
    right += width(built) + 1
    grid.put(right, y, amounts, "gold" if inks.field == "on-bar" else "")
    _badge(sheet, seat, x + size - width(points), y, points)
    if not sheet.look.colours and inks.field != "on-me":
        start, end = at + 1 + width(role) + bool(role), x + size - tail - 1
        if end - start > 2:  # a rule holds both ends of the head together
            grid.put(start, y, sheet.look.signs.rule * (end - start))


def _turn_sign(sheet: Sheet, seat: SeatView, x: int, y: int, inks: _Inks) -> None:
    """The sign of who acts: amber where it is the viewer's duty."""
    if seat.seat == sheet.acting:
        mine = inks.field == "on-me" and sheet.look.colours
        sheet.grid.put(x, y, sheet.look.signs.focus, "bold", "on-must" if mine else None)
    elif sheet.model.doubt(seat.seat):
        sheet.grid.put(x, y, sheet.look.signs.doubt, "warn")


def _name(
    sheet: Sheet, seat: SeatView, x: int, y: int, room: int, inks: _Inks,
    *, crowned: bool, roles: int,
) -> int:  # fmt: skip
    """The name, and the crown behind it; the column behind both."""
    grid, signs = sheet.grid, sheet.look.signs
    crowns = (signs.crest, signs.crown)
    if not sheet.look.colours and not sheet.pen.is_ascii:
        crowns = (_("crown"), signs.crown)
    kept = width(crowns[-1]) + 1 if crowned else 0
    name = sheet.model.scene.name(seat.seat)
    if seat.seat == sheet.model.me:
        long = f"{name} {sheet.look.signs.dot} {deeds.you()}"
        name = long if width(long) + kept + roles < room else deeds.you().upper()
    name = brief.person(name, max(3, room - kept))
    at = grid.put(x, y, name, inks.name)
    if crowned:
        big = width(crowns[0]) + 2 + roles <= x + room - at
        at = grid.put(at + 1, y, crowns[0] if big else crowns[1], inks.crown)
    return at


def _badge(sheet: Sheet, seat: SeatView, x: int, y: int, points: str) -> None:
    """The points; on a light field, where they are the most."""
    if seat.points_so_far != sheet.most:
        sheet.grid.put(x, y, points, "bold")
    elif not sheet.look.colours:
        told = f"[{points.strip()}]" if width(points) <= POINTS else points
        sheet.grid.put(x, y, told, "bold")
    else:
        sheet.grid.put(x - 1, y, " ", "", "on-bar")  # apart from a head that is as light
        sheet.grid.put(x, y, points, "bold", "on-badge")


# The skyline


def _lost(sheet: Sheet, seat: SeatView) -> list[Event]:
    """The districts that this city lost lately, of which ruins are left."""
    found: list[Event] = []
    moment, falls = sheet.look.moment, sheet.look.marks(Falling)
    for _entry, event in sheet.told:
        if falls and moment is not None and event.n == moment.n:
            continue  # it lies where it stood as yet
        if event.kind in deeds.RUINS and event.fields()["owner"] == seat.seat:
            found.append(event)
    return found[-RUINS:]


def house(sheet: Sheet, card: CityCard, *, fresh: bool = False) -> House:
    """A district of a city as it is drawn."""
    gilded = card.cost > sheet.model.box.prices.get(card.card, card.cost)
    return House(card.card, card.quarter, card.cost, fresh, gilded)


def _is_fresh(sheet: Sheet, seat: SeatView, card: CityCard) -> bool:
    """Whether it is the newest deed at the table that this district stands."""
    event = None if sheet.newest is None else sheet.newest.event
    if event is None or event.kind != "built":
        return False
    fields = event.fields()
    return fields["seat"] == seat.seat and fields["slot"] == card.slot


def skyline(
    sheet: Sheet, seat: SeatView, x: int, y: int, pitch: int, room: int,
    *, gold: int, field: str, lit: int | None = None,
) -> None:  # fmt: skip
    """Buildings with their plates in row `y`, then what is left of others, then plots. So many
    of them are `lit`; None: all, while their seat acts.
    """
    grid, signs, size = sheet.grid, sheet.look.signs, pitch - 1
    if lit is None:
        lit = sheet.plots * (seat.seat == sheet.acting)
    shines = {one.place for one in sheet.look.marks(Lit) if one.seat == seat.seat}
    walled = any(card.card == "great_wall" for card in seat.city)
    ruins = len(_lost(sheet, seat))
    for place in range(sheet.plots):
        at = x + place * pitch
        if place < len(seat.city):
            card = seat.city[place]
            drawn = house(sheet, card, fresh=_is_fresh(sheet, seat, card))
            stand(
                *(grid, at, y, size, drawn, sheet.pen),
                gold=gold, room=room, sky=field,
                lit=place < lit or not shines.isdisjoint((None, place)),
            )  # fmt: skip
            if sheet.pointed == (seat.seat, place):
                text = plate(drawn, sheet.pen, size).center(size)[:size]
                grid.put(at, y, text, "bold", "on-focus")
            if walled:  # it stands around all of the city
                for gap in (at + size,) if place else (at - 1, at + size):
                    grid.put(gap, y - 1, signs.wall[0], "unique-roof")
                    grid.put(gap, y, signs.wall[1], "unique-roof")
        elif place - len(seat.city) < ruins:
            grid.put(at, y, signs.rubble[:size], "bad")
            grid.put(at, y - 1, signs.dust[:size], "dust")
        else:
            grid.put(at, y, signs.plot * size, "plot")


def _names(
    sheet: Sheet, seat: SeatView, x: int, y: int, end: int, pitch: int, rows: int
) -> None:
    """Names below the plates, on the ground: all of them, above and below in turn; in one
    narrow row the unique ones alone, which push each other aside. None is cut.
    """
    mine, spacious = seat.seat == sheet.model.me, rows == 2 or pitch >= SPACIOUS
    field = "on-ground-mine" if mine else "on-ground"
    sheet.grid.fill(x - 1, y, end - x + 1, rows, field)
    named: list[tuple[int, str, str, str]] = [
        (place, card.card, card.quarter, card.quarter) for place, card in enumerate(seat.city)
    ]
    lost = _lost(sheet, seat) if rows == 2 or pitch >= TILE * 2 else []
    for place, event in enumerate(lost, len(seat.city)):
        named.append((place, str(event.fields()["card"]), "bad struck", "lost"))
    if not spacious:
        named = [one for one in named if one[3] in ("unique", "lost")]
    size, behind = pitch - 1, [x, x]
    room = pitch * rows - 1
    names = [
        brief.district(card, room) if spacious else cards.district(card)
        for _place, card, _ink, _kind in named
    ]
    for count, ((place, card, ink, _kind), name) in enumerate(zip(named, names, strict=True)):
        row = place % 2 if rows == 2 else 0
        name = name or cards.district(card)
        rest = names[count:] if rows == 1 else [name]
        latest = end - 1 - sum(map(width, rest)) - len(rest) + 1
        ideal = x + place * pitch + (size - width(name)) // 2 if spacious else x + place * pitch
        at = max(behind[row], x, min(ideal, latest))
        if at + width(name) <= end:
            behind[row] = sheet.grid.put(at, y + row, name, ink) + 1


# The sky


class Deed(NamedTuple):
    """Something that a sky tells: its forms, whether it is a loss, and whether it is newest."""

    forms: tuple[str, ...]
    is_loss: bool
    is_newest: bool


def deeds_of(sheet: Sheet, seat: SeatView) -> list[Deed]:
    """What a seat did and lost lately, oldest first; of the viewer the losses alone."""
    found: list[Deed] = []
    scene = sheet.model.scene
    for entry, event in sheet.told:
        newest = entry is sheet.newest
        if deeds.victim(event) == seat.seat:
            if forms := deeds.suffered(event, scene):
                found.append(Deed(forms, True, newest))
        elif event.fields().get("seat") == seat.seat != sheet.model.me:
            if not (forms := deeds.done(event, scene)):
                continue
            if event.kind == "robbed":  # what was announced has come true
                found = [one for one in found if one.is_loss or one.forms not in _thefts()]
            found.append(Deed(forms, False, newest))
    return found


def _thefts() -> list[tuple[str]]:
    """The forms of every theft that was still to come: one, of a character."""
    robs = _("will rob {character}")
    return [(robs.format(character=cards.character(role)),) for role in cards.CHARACTERS]


def _sky(sheet: Sheet, seat: SeatView, right: int, top: int, last: int, field: str) -> None:
    """Deeds at the right end of the sky, where plots are free; none is cut."""
    told = deeds_of(sheet, seat)
    room = max(1, min(SKY, last - top + 1))
    changed = _changed(sheet, seat)
    if changed and _is_robbed(sheet, seat) and _lines(sheet, told[-1], right, top, last, field):
        changed = None  # the deed says how much, and who did it
    if changed is not None:
        text, ink = changed
        sheet.grid.put(right + 1 - width(text), top, text, ink)
        top, room = top + 1, max(1, room - 1)
    said = sheet.speech(seat.seat)
    if said and width(said) < sheet.grid.blank(right, top, field):
        sheet.grid.put(right + 1 - width(said), top, said, "", "on-key")
        top, room = top + 1, max(1, room - 1)
    losses = [deed for deed in told if deed.is_loss][-LOSSES:]
    acts = [deed for deed in told if not deed.is_loss][-max(1, room - len(losses)) :]
    y = top
    for deed in [one for one in told if one in losses or one in acts]:
        if y > last:
            return
        for line in _lines(sheet, deed, right, y, last, field):
            ink = "bad" if deed.is_loss else "strong" if deed.is_newest else "dim"
            sheet.grid.put(right + 1 - width(line), y, line, ink)
            y += 1


def _is_robbed(sheet: Sheet, seat: SeatView) -> bool:
    """Whether what is seen at this moment is how this seat is robbed."""
    moment, newest = sheet.look.moment, sheet.told[-1:]
    return moment is not None and any(
        (event.kind, event.n) == ("robbed", moment.n) and deeds.victim(event) == seat.seat
        for _entry, event in newest
    )


def _changed(sheet: Sheet, seat: SeatView) -> tuple[str, str] | None:
    """What a seat has just got or lost, and its ink."""
    for one in sheet.look.marks(Amount):
        if one.seat == seat.seat:
            ink = "good bold" if one.count > 0 else "bad bold"
            return deeds.amount(one.count, points=one.points), ink
    return None


def _lines(
    sheet: Sheet, deed: Deed, right: int, y: int, last: int, field: str
) -> Sequence[str]:
    """A deed in the free sky of a row; else in two rows, between words."""
    free = sheet.grid.blank(right, y, field) - 1
    if form := fits(deed.forms, free):
        return (form,)
    if y >= last or free < BROKEN:
        return ()
    for form in reversed(deed.forms):
        parts = wrap(form, free)
        below = sheet.grid.blank(right, y + 1, field) - 1
        if len(parts) == 2 and width(parts[1]) <= below and min(map(width, parts)) > 3:
            return parts
    return ()


# Rows of tiles


def rows(sheet: Sheet, top: int) -> int:
    """A row a seat; the row below them."""
    for place, seat in enumerate(sheet.seats):
        _row(sheet, seat, top + place)
    return top + len(sheet.seats)


def _row(sheet: Sheet, seat: SeatView, y: int) -> None:
    grid, columns = sheet.grid, sheet.grid.columns
    city = columns - POINTS - sheet.plots * TILE - 1
    amounts = f"{seat.gold:>2}{gold_sign()}{seat.hand:>2}{card_sign()}"
    purse = city - width(amounts) - 1
    size = purse - width(sheet.built(seat)) - 1
    inks = _inks(sheet, seat)
    lit = inks.field in ("on-me", "on-acts")
    grid.fill(0, y, city if lit else columns, 1, inks.field if lit else "on-sky")
    grid.fill(city, y, columns - city, 1, sheet.field(seat.seat))
    _turn_sign(sheet, seat, 0, y, inks)
    names = [width(sheet.model.scene.name(one.seat)) for one in sheet.seats]
    room = min(NAME, max(names))
    mine = seat.seat == sheet.model.me
    name = deeds.you().upper() if mine else sheet.model.scene.name(seat.seat)
    grid.put(1, y, brief.person(name, room), inks.name if inks.name != "bold" or lit else "")
    if sheet.view.crown == seat.seat:
        grid.put(room + 2, y, sheet.look.signs.crown, inks.crown)
    role = _role(sheet, seat, size - room - 6)
    at = grid.put(room + 5, y, role, "" if lit else inks.low)
    _row_deed(sheet, seat, at, size, y, lit=lit)
    sheet.put_built(size, y, seat, "" if lit else "dim")
    grid.put(purse, y, amounts, "" if lit else "gold")
    _tiles(sheet, seat, city, y)
    points = f" {seat.points_so_far:>2} "
    _badge(sheet, seat, columns - POINTS, y, points)
    grid.aim(0, y, columns, 1, f"seat:{seat.seat}")


def _row_deed(sheet: Sheet, seat: SeatView, start: int, end: int, y: int, *, lit: bool) -> None:
    """The last loss of a seat, else what it did last, where it has room."""
    if (changed := _changed(sheet, seat)) is not None:
        text, ink = changed
        if width(text) < end - start - 1:
            sheet.grid.put(end - 1 - width(text), y, text, "bold" if lit else ink)
        return
    said, told = sheet.speech(seat.seat), deeds_of(sheet, seat)
    if said and width(said) < end - start - 1:
        sheet.grid.put(end - 1 - width(said), y, said, "", "on-key")
        return
    if not told:
        return
    deed = ([one for one in told if one.is_loss] or told)[-1]
    form = fits(deed.forms, end - start - 3)
    if not form:
        return
    if deed.is_loss and seat.seat == sheet.model.me:
        sheet.grid.put(end - 2 - width(form), y, f" {form} ", "bold", "on-bad")
        return
    ink = "bold" if lit else "bad" if deed.is_loss else "strong" if deed.is_newest else "dim"
    sheet.grid.put(end - 1 - width(form), y, form, ink)


def _tiles(sheet: Sheet, seat: SeatView, x: int, y: int) -> None:
    """Plates alone."""
    grid, ruins = sheet.grid, len(_lost(sheet, seat))
    for place in range(sheet.plots):
        at = x + place * TILE
        if place < len(seat.city):
            tile(sheet, at, y, house(sheet, seat.city[place]))
            if sheet.pointed == (seat.seat, place):
                text = plate(house(sheet, seat.city[place]), sheet.pen, 2)
                grid.put(at, y, text, "bold", "on-focus")
        elif place - len(seat.city) < ruins:
            grid.put(at, y, sheet.look.signs.ruin, "bad")
        else:
            grid.put(at, y, sheet.look.signs.plot * 2, "plot")


def tile(sheet: Sheet, x: int, y: int, shown: House) -> int:
    """A plate of two cells in the colour of its kind; the column behind it."""
    text = plate(shown, sheet.pen, 2)
    if sheet.pen.paints:
        return sheet.grid.put(x, y, text, "bold", f"on-{shown.kind}")
    if sheet.pen.is_ascii:
        return sheet.grid.put(x, y, text, f"{shown.kind} bold")
    return sheet.grid.put(x, y, text, "plate bold")


def spelled(sheet: Sheet, seat: SeatView, y: int, rows: int) -> int:
    """A whole city by names, or what is known of the district that is looked at, in so many
    rows as it takes, but no more than `rows`.
    """
    grid = sheet.grid
    if sheet.pointed is not None and sheet.pointed[0] == seat.seat:
        return _looked_at(sheet, seat.city[sheet.pointed[1]], seat, y, rows)
    at, used = grid.put(1, y, _whose(sheet, seat), "bold"), 1
    if not seat.city:
        grid.put(at, y, _("empty"), "dim")
    for card in seat.city:
        name = cards.district(card.card)
        if at + TILE + width(name) > grid.columns:
            at, used = 3, used + 1
        if used > rows:
            return rows
        at = tile(sheet, at, y + used - 1, house(sheet, card)) + 1
        at = grid.put(at, y + used - 1, name) + 2
    return used


def _whose(sheet: Sheet, seat: SeatView) -> str:
    if sheet.model.scene.is_you(seat.seat):
        return _("Your city: ")
    return _("City of {name}: ").format(name=sheet.model.scene.name(seat.seat))


def _looked_at(sheet: Sheet, card: CityCard, seat: SeatView, y: int, rows: int) -> int:
    """A district, whose it is, what it does, and what it would cost to destroy it."""
    whose = _whose(sheet, seat).rstrip(": \u00a0")
    base = sum(one.cost for one in seat.city)
    if seat.points_so_far > base:
        more = seat.points_so_far - base
        whose += f" {sheet.look.signs.dot} {base}+{more} = {seat.points_so_far}"
    said = (
        *describe(card.card, sheet.model.box),
        *ruin(card, seat, sheet.view, sheet.model.box),
    )
    used = sheet.note(y, rows, (cards.district(card.card), whose), said, TILE)
    tile(sheet, 1, y, house(sheet, card))
    return used


def corner(sheet: Sheet, x: int, y: int, size: int) -> int:
    """The viewer's own city beside the menu, where the others are rows; the rows it took."""
    mine = sheet.mine
    pitch = min(8, (size - 1) // sheet.plots)
    if mine is None or pitch < TILE:
        return 0
    heading = pgettext("heading of the viewer's own city", "Your city")
    sheet.title(x, y, size, f"{heading} {sheet.built(mine)}")
    sheet.grid.fill(x, y + 1, size, CORNER, "on-mine")
    ground = y + CORNER - 1
    skyline(sheet, mine, x + 1, ground, pitch, CORNER - 1, gold=1, field="on-mine")
    _names(sheet, mine, x + 1, ground + 1, x + size, pitch, 1)
    sheet.grid.aim(x, y, size, CORNER + 1, f"seat:{mine.seat}")
    return CORNER + 1


#: rows of the skyline beside the menu, names among them
CORNER = 6
