"""Who sits at the table and what lies before them, in one row a seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from citadels_p2p.rules.view import CityCard, SeatView, View
from cli.client.client_model import ClientModel
from cli.i18n import _, ngettext, pgettext
from cli.screen.look import Look
from cli.screen.pages.ranks import cut_apart, marks_on
from cli.text import cards
from cli.text.cells import Row, Span, beside, fit, line, pad, width


def headline(model: ClientModel, view: View, look: Look) -> Row:
    """What lies in the middle of the table: the deck, characters face up, the city's size."""
    dot = f" {look.signs.dot} "
    parts = [
        ngettext("Deck: {count} card", "Deck: {count} cards", view.deck).format(count=view.deck)
    ]
    if view.faceup:
        out = ", ".join(cards.role(role) for role in view.faceup)
        parts.append(_("out, face up: {characters}").format(characters=out))
    size = ngettext(
        "cities of {size} district",
        "cities of {size} districts",
        view.city_size,
    )
    parts.append(size.format(size=view.city_size))
    return line(" " + dot.join(parts), "dim")


#: from this width on a row has shapes and broader columns
ROOMY = 76
#: cells that no city, name or character may have: marks, gold, cards, districts, blanks
_KEPT = 18
#: cells of the points, at the end
_TAIL = 5
#: cells of the marks before a name
_MARKS = 3
#: cells of a character without which it says nothing
_LEAST = 3


def seat_rows(model: ClientModel, look: Look, size: int, *, hidden: bool) -> list[Row]:
    """Every seat in one row. Names and characters take what the widest city leaves."""
    view = model.view
    assert view is not None
    roomy = size >= ROOMY
    sizes = (14, 14) if roomy else (9, 9)
    code = 3 if roomy else 2
    city = max(sum(width(f"{card.cost}") + code for card in seat.city) for seat in view.seats)
    spare = max(0, size - _TAIL - _KEPT - sum(sizes) - city)
    names = max(width(model.scene.name(seat.seat)) for seat in view.seats)
    roles = max(width(role_of(s, model, look, size, hidden=hidden)[0]) for s in view.seats)
    more = min(max(0, names - sizes[0]), spare)
    sizes = sizes[0] + more, sizes[1] + min(max(0, roles - sizes[1]), spare - more)
    return [_seat_row(seat, model, look, size, sizes, hidden=hidden) for seat in view.seats]


def _seat_row(
    seat: SeatView,
    model: ClientModel,
    look: Look,
    size: int,
    sizes: tuple[int, int],
    *,
    hidden: bool,
) -> Row:
    """A seat in one row: marks, name, character, gold, cards, districts, city, points."""
    view = model.view
    assert view is not None
    roomy = size >= ROOMY
    name_size, role_size = sizes
    style = seat_style(seat, model)
    ellipsis = look.signs.ellipsis
    role, role_style = role_of(seat, model, look, role_size, hidden=hidden)
    row: list[Span] = [
        Span(marks(seat, model, look), "crown"),
        Span(pad(model.scene.name(seat.seat), name_size, ellipsis=ellipsis) + " ", style),
        Span(pad(role, role_size, ellipsis=ellipsis) + " ", role_style),
        Span(f"{seat.gold:>3}", "gold"),
        Span(f"{gold_sign()} ", "dim"),
        Span(f"{seat.hand:>2}"),
        Span(f"{card_sign()} ", "dim"),
        Span(f"{len(seat.city)}/{view.city_size} "),
    ]
    room = size - sum(width(span.text) for span in row) - _TAIL
    row += city_codes(seat.city, look, room, shapes=roomy)
    target = f"seat:{seat.seat}"
    shown = fit(tuple(row), size - _TAIL, ellipsis)
    shown += (Span(f"{seat.points_so_far:>3}", "dim"), Span(pad(points_sign(), 2), "dim"))
    return tuple(span._replace(target=target) for span in fit(shown, size, ellipsis))


def seat_pairs(model: ClientModel, look: Look, size: int, *, hidden: bool) -> list[Row]:
    """Every seat in half a row, without its districts: down the left column, then the right."""
    view = model.view
    assert view is not None
    inside = size // 2 - 1
    tails = [_amounts(seat, view) for seat in view.seats]
    room = inside - _MARKS - 2 - max(width(tail) for tail in tails)
    roles = max(width(role_of(s, model, look, size, hidden=hidden)[0]) for s in view.seats)
    names = max(width(model.scene.name(seat.seat)) for seat in view.seats)
    most = min(roles, max(_LEAST, room - names))
    halves = []
    for seat, tail in zip(view.seats, tails, strict=True):
        role, style = role_of(seat, model, look, most, hidden=hidden)
        name = pad(model.scene.name(seat.seat), room - most, ellipsis=look.signs.ellipsis)
        row: Row = (
            Span(marks(seat, model, look), "crown"),
            Span(name + " ", seat_style(seat, model)),
            Span(pad(role, most, ellipsis="") + " ", style),
            Span(tail),
        )
        halves.append(tuple(span._replace(target=f"seat:{seat.seat}") for span in row))
    half = (len(halves) + 1) // 2
    return [*beside(((halves[:half], inside), (halves[half:], inside)), (Span("  "),))]


def _amounts(seat: SeatView, view: View) -> str:
    """Gold, cards, districts and points of a seat, in so few cells as go."""
    return (
        f"{seat.gold:>2}{gold_sign()} {seat.hand:>2}{card_sign()}"
        f" {len(seat.city)}/{view.city_size} {seat.points_so_far:>2}{points_sign()}"
    )


def gold_sign() -> str:
    """The letter behind an amount of gold."""
    return pgettext("letter behind an amount of gold", "g")


def card_sign() -> str:
    """The letter behind a number of cards."""
    return pgettext("letter behind a number of cards", "c")


def points_sign() -> str:
    """The letter behind a number of points."""
    return pgettext("letter behind a number of points", "p")


def marks(seat: SeatView, model: ClientModel, look: Look) -> str:
    """Two cells and a blank: the crown, and who is away, is suspected or has the turn."""
    view = model.view
    assert view is not None
    crown = look.signs.crown if view.crown == seat.seat else " "
    if not seat.present:
        return f"{crown}{look.signs.away} "
    if model.doubt(seat.seat):
        return f"{crown}{look.signs.doubt} "
    turn = view.turn is not None and view.turn.seat == seat.seat
    return f"{crown}{look.signs.focus if turn else ' '} "


def seat_style(seat: SeatView, model: ClientModel) -> str:
    view = model.view
    assert view is not None
    if not seat.present:
        return "away"
    if model.doubt(seat.seat):
        return "warn"
    if view.turn is not None and view.turn.seat == seat.seat:
        return "turn"
    return "you" if seat.seat == model.me else ""


def role_of(
    seat: SeatView, model: ClientModel, look: Look, room: int, *, hidden: bool
) -> tuple[str, str]:
    """A seat's characters: shown ones by name, one's own in brackets, others as a question
    mark; several that do not fit into `room` cells are all cut, so that each can be made out.
    """
    view = model.view
    assert view is not None
    if not seat.present:
        return _("away"), "away"
    shown = [role for role in seat.characters if role is not None]
    mine = seat.seat == model.me and view.you is not None
    own = view.you.characters if mine and view.you is not None else shown
    lies = {cards.character(role): marks_on(role, model, look) for role in own}
    known = [cards.character(role) for role in shown]
    if mine:
        secret = [role for role in lies if role not in known]
        if hidden and secret:
            return look.signs.hidden * 6, "dim"
        if secret:
            return together(known, room, secret=secret, marks=lies), "mine"
        return together(tuple(lies), room, marks=lies), "mine"
    unknown = len(seat.characters) - len(known)
    return together(known, room, unknown=unknown, marks=lies), "" if known else "dim"


def together(
    roles: Sequence[str],
    room: int,
    *,
    secret: Sequence[str] = (),
    unknown: int = 0,
    marks: Mapping[str, str] | None = None,
) -> str:
    """Characters side by side, each with its marks; those too long for `room` cells are cut to
    the same length.
    """
    lies = marks or {}

    def cut(length: int) -> str:
        short = dict(zip((*roles, *secret), cut_apart((*roles, *secret), length), strict=True))
        said = [f"{short[role]}{lies.get(role, '')}" for role in roles]
        said += [f"({short[role]}){lies.get(role, '')}" for role in secret]
        return ", ".join([*said, *["?"] * unknown])

    longest = max(map(len, (*roles, *secret)), default=0)
    if len(roles) + len(secret) + unknown < 2 and not any(lies.values()):
        return cut(longest)
    fitting = (length for length in range(longest, 2, -1) if width(cut(length)) <= room)
    return cut(next(fitting, 2))


def city_codes(
    city: tuple[CityCard, ...], look: Look, room: int, *, shapes: bool
) -> tuple[Span, ...]:
    """Districts as short codes with their cost, so many as fit."""
    spans: list[Span] = []
    for place, card in enumerate(city):
        code = look.quarter(card.quarter) if shapes else look.quarter(card.quarter)[1:]
        text = f"{code}{card.cost} "
        rest = len(city) - place
        if room < width(text) + (3 if rest > 1 else 0):
            spans.append(Span(pad(f"+{rest}", min(room, 3)), "dim"))
            break
        room -= width(text)
        spans.append(Span(text, card.quarter))
    return tuple(spans)


def district(card: CityCard, look: Look) -> Row:
    """A district of a city: type, cost, name."""
    code = f"{look.quarter(card.quarter)}{card.cost}"
    return (Span(f"{code} ", card.quarter), Span(cards.district(card.card)))


def city_names(seat: SeatView, model: ClientModel, look: Look, size: int) -> tuple[Row, ...]:
    """A whole city by names, in as many rows as it takes."""
    if model.scene.is_you(seat.seat):
        head = _("Your city: ")
    else:
        head = _("City of {name}: ").format(name=model.scene.name(seat.seat))
    if not seat.city:
        return (line(f" {head}" + _("empty"), "dim"),)
    return flow([district(card, look) for card in seat.city], f" {head}", size)


def flow(words: list[Row], head: str, size: int, style: str = "dim") -> tuple[Row, ...]:
    """Short rows one after the other, broken between them; lines after the first are
    indented.
    """
    rows: list[Row] = []
    current: list[Span] = [Span(head, style)]
    used = width(head)
    for number, word in enumerate(words):
        gap = "" if number == 0 else "  "
        need = sum(width(span.text) for span in word) + len(gap)
        if used + need > size and number:
            rows.append(tuple(current))
            indent = " " * min(width(head), 12)
            current, used, gap = [Span(indent)], width(indent), ""
        current += [Span(gap), *word]
        used += need
    rows.append(tuple(current))
    return tuple(rows)
