"""A district as a building: the plate, windows, a roof by its kind, as high as it is dear.

A building is a bitmap of quarter cells. Its body has two half rows for the first gold and so
many for each further one; the crest on it has one to three, and its lowest is of whole cells,
for it may share a row of cells with the body, and a cell has two colours. So what is stored are
bitmaps, not glyphs: half a row higher or lower the same roof is made of other quarters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from cli.drawing.grid import Grid
from cli.drawing.pen import CONSOLE, Pen

#: quarters of a cell → its glyph: upper left 1, upper right 2, lower left 4, lower right 8
_QUARTERS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
#: half rows of a crest, at most, and of a body's first gold
CREST, GROUND = 3, 2
#: from this cost on a house of trade has an awning
AWNING = 3

Bitmap = tuple[str, ...]  #: half rows from the top, two characters a cell; "#" is there


@dataclass(frozen=True, slots=True)
class House:
    """What stands on a plot: the district, what it counts for now, and what befell it.

    `fresh`: it is the newest at the table; `gilded`: it counts for more than is printed on it.
    """

    card: str
    kind: str
    cost: int
    fresh: bool = False
    gilded: bool = False


#: unique districts that have a roof of their own, where there is room for one
_FAMILIES = {
    **dict.fromkeys(
        ("library", "museum", "university", "capitol", "theater", "basilica",
         "imperial_treasury", "school_of_magic", "throne_room"), "pediment"
    ),
    **dict.fromkeys(
        ("smithy", "factory", "laboratory", "quarry", "gold_mine", "stables"), "chimneys"
    ),
    **dict.fromkeys(
        ("lighthouse", "bell_tower", "ivory_tower", "statue", "monument", "wishing_well"),
        "beacon",
    ),
    **dict.fromkeys(
        ("graveyard", "necropolis", "haunted_quarter", "secret_vault", "thieves_den",
         "poor_house"), "ruin"
    ),
    **dict.fromkeys(("great_wall", "dragon_gate", "keep", "armory", "framework"), "gate"),
}  # fmt: skip


def body_height(cost: int, gold: int) -> int:
    """The half rows of a body where each gold after the first takes `gold` of them."""
    return GROUND + max(0, cost - 1) * gold


def city_height(gold: int, *, tight: bool = False) -> int:
    """The rows of cells that the dearest ordinary district (six gold) takes; `tight`: its plate
    must say what its roof cannot.
    """
    return (GROUND + 4 * gold + 3) // 2 if tight else (GROUND + 5 * gold + 3 + 1) // 2


@lru_cache(maxsize=256)
def crest(kind: str, size: int, card: str = "") -> Bitmap:
    """The roof of a kind over `size` cells; unique districts have several from five on."""
    family = _FAMILIES.get(card, "dome") if kind == "unique" else kind
    return _bits(*_outline(family, size))


def _bits(*rows: str) -> Bitmap:
    """Rows of glyphs as half rows of quarters, without what is empty at the top."""
    halves = [half for row in rows for half in _halves(row)]
    while halves and "#" not in halves[0]:
        del halves[0]
    return tuple(halves)


def _halves(row: str) -> tuple[str, str]:
    """A row of glyphs as two half rows of quarters; what is none of these is blank."""
    cells = [max(0, _QUARTERS.find(glyph)) for glyph in row]
    upper = "".join(".#"[x & 1] + ".#"[x >> 1 & 1] for x in cells)
    return upper, "".join(".#"[x >> 2 & 1] + ".#"[x >> 3 & 1] for x in cells)


def _outline(family: str, size: int) -> tuple[str, ...]:
    """The glyphs of a roof as it looks on a whole row of cells."""
    odd, low = size % 2, "▄" * (size - 2)
    match family:
        case "noble" if size < 5:
            return ({2: "▖▗", 3: "▙█▟", 4: "▙▟▙▟"}[size],)
        case "noble":
            ends = ("▙", "▟") if size < 7 else ("█", "█")
            middle = {5: "█", 6: "▟▙"}.get(size, "█" if odd else "██")
            gap = "▄" * ((size - 2 - len(middle)) // 2)
            return (f"{ends[0]}{gap}{middle}{gap}{ends[1]}",)
        case "religious" if size < 5:
            return {2: ("▗▖",), 3: ("▄█▄",), 4: (" ▐▌ ", "▄██▄")}[size]
        case "religious" if odd:
            base = (
                "▄█▄" if size == 5 else f"{'▄' * ((size - 5) // 2)}▟█▙{'▄' * ((size - 5) // 2)}"
            )
            return "█".center(size), base.center(size)
        case "religious":
            gap = "▄" * ((size - 4) // 2)
            return "▐▌".center(size), f"{gap}██{gap}".center(size)
        case "trade":
            return ("▄" * size,)
        case "military" if size == 2:
            return ("▄ ",)
        case "military" if odd:
            return (("▄ " * size)[:size],)
        case "military":
            half = ("▄ " * size)[: size // 2]
            return (half + half[::-1],)
        case "pediment" if size >= 5:
            top = "▄" * max(1, (size // 3) | 1) if odd else "▄▄" if size < 8 else "▗▄▄▖"
            return top.center(size), f"▄{'█' * (size - 2)}▄"
        case "chimneys" if size >= 5:
            stacks = {size - 2} if size < 7 else {1, size - 2}
            high = "".join("▄" if x in stacks else " " for x in range(size))
            return high, "".join("█" if x in stacks else "▄" for x in range(size))
        case "beacon" if size >= 5:
            lamp, deck = ("▄", "▄█▄") if odd else ("▄▄", "▄██▄")
            return lamp.center(size), deck.center(size)
        case "ruin" if size >= 5:
            return (("▄ ▄  ▄ ▄ ▄  ▄" if size > 7 else "▄  ▄ ▄ ▄")[:size],)
        case "gate" if size >= 5:
            pier = "█" if size < 7 else "██"
            return (f"{pier}{' ' * (size - 2 * len(pier))}{pier}",)
        case _ if size < 5:
            return ({2: "▗▖", 3: "▟█▙", 4: "▟██▙"}[size],)
        case _:
            top = low[:-2] if size == 5 else f"▗{low[4:]}▖"
            return top.center(size), f"▟{'█' * (size - 2)}▙"


@lru_cache(maxsize=32)
def _windows(size: int) -> str:
    """A row of windows."""
    if size in (2, 3, 4, 5):
        return {2: "▗▖", 3: "▗ ▖", 4: "▗▗▖▖", 5: "▗ ▄ ▖"}[size]
    return (" ▄" * size)[:size] if size % 2 else "▗▖" * (size // 2)


def windows(size: int) -> Bitmap:
    """A row of windows, as its two half rows."""
    return _halves(_windows(size))


def is_storey(floor: int, gold: int) -> bool:
    """Whether the row that lies so far above the plate has windows."""
    return gold < 3 or (floor - 1) % {3: 2, 4: 2}.get(gold, 3) == 0


def plate(house: House, pen: Pen, size: int) -> str:
    """Sign and cost as they stand on the ground floor; where both are too long, the cost."""
    text = f"{pen.sign(house.kind)}{house.cost}"
    return text if len(text) <= size else str(house.cost)[:size]


def stand(
    grid: Grid,
    x: int,
    y: int,
    size: int,
    house: House,
    pen: Pen,
    *,
    gold: int,
    room: int,
    sky: str = "",
    lit: bool = False,
) -> None:
    """Stand a house of `size` cells with its plate in row `y`, in at most `room` rows.

    `gold`: the half rows of a gold; `sky`: the field around it; `lit`: its seat acts.
    """
    if pen.is_ascii:
        _stand_in_letters(grid, x, y, size, house, pen, gold=gold, room=room, lit=lit)
    elif pen.signs is CONSOLE:
        _stand_in_cells(grid, x, y, size, house, pen, gold=gold, room=room, sky=sky, lit=lit)
    else:
        _stand_in_quarters(grid, x, y, size, house, pen, gold=gold, room=room, sky=sky, lit=lit)
    _hang_plate(grid, x, y, size, house, pen)


def _hang_plate(grid: Grid, x: int, y: int, size: int, house: House, pen: Pen) -> None:
    text = plate(house, pen, size)
    left = x + (size - len(text)) // 2
    if pen.is_ascii:
        grid.put(x, y, f"[{' ' * (size - 2)}]" if size > 3 else " " * size, house.kind)
        grid.put(left, y, text, f"{house.kind} bold")
    elif not pen.colours:
        grid.put(x, y, " " * size, "plate")
        grid.put(left, y, text, "plate bold")
    elif house.card == "framework":
        grid.put(left, y, text, f"{house.kind} bold")
    else:
        grid.put(x, y, " " * size, "", f"on-{house.kind}")
        grid.put(left, y, text, "bold")


def _roof(house: House) -> str:
    """The ink of a roof."""
    return "fresh" if house.fresh else "gilded" if house.gilded else f"{house.kind}-roof"


def _stand_in_quarters(
    grid: Grid, x: int, y: int, size: int, house: House, pen: Pen,
    *, gold: int, room: int, sky: str, lit: bool,
) -> None:  # fmt: skip
    body = min(body_height(house.cost, gold), 2 * room - 1)
    if house.card == "framework":
        _scaffold(grid, x, y, size, house, pen, (body + 1) // 2)
        return
    roof = crest(house.kind, size, house.card)
    roof = roof[-max(1, 2 * room - body) :]
    rows, crested = _parted(house, roof, body, size, room)
    field = f"on-{house.kind}" if pen.colours else ""
    ink, high = _roof(house), len(rows) // 2
    top = y - high + 1
    for place in range(high):
        upper, lower = rows[2 * place], rows[2 * place + 1]
        for column in range(size):
            at = slice(2 * column, 2 * column + 2)
            bits = sum(1 << n for n, bit in enumerate(upper[at] + lower[at]) if bit == "#")
            if not bits:
                continue
            cell = (x + column, top + place)
            if 2 * place >= crested:
                grid.put(*cell, " " if pen.colours else "░", "", field)
            elif 2 * place + 1 < crested or not pen.colours or not field:
                grid.put(*cell, _QUARTERS[bits], ink, sky)
            elif not bits & 3:  # the body alone reaches into this row
                grid.put(*cell, "▄", f"{house.kind}-body", sky)
            elif bits == 15:
                grid.put(*cell, "▀", ink, field)
            else:
                grid.put(*cell, _QUARTERS[bits], ink, sky)
        if 2 * place >= crested and place < high - 1 and pen.colours:
            _light(grid, x, top + place, size, house, high - 1 - place, gold, lit)
    if (
        house.kind == "trade"
        and house.cost >= AWNING
        and size >= 3
        and pen.colours
        and high > 2
    ):
        grid.put(x, y - 1, "▀" * size, ink, field)
    _top(grid, x, top - 1, size, house, ink, room > high)


def _parted(
    house: House, roof: Bitmap, body: int, size: int, room: int
) -> tuple[list[str], int]:
    """The half rows of crest and body, an even number of them, and how many are no body."""
    rows = [*roof, *["#" * (2 * size)] * body]
    crested = len(roof)
    if len(rows) % 2:
        spire = house.kind == "religious" and size >= 3 and (len(rows) + 1) // 2 < room
        rows.insert(0, roof[0] if spire else "." * (2 * size))  # a spire ends at a cell's top
        crested += 1
    return rows, crested


def _light(
    grid: Grid, x: int, y: int, size: int, house: House, floor: int, gold: int, lit: bool
) -> None:
    """The windows of a storey."""
    if not is_storey(floor, gold):
        return
    ink = "lit" if lit else f"{house.kind}-dark"
    for column, glyph in enumerate(_windows(size)):
        if glyph != " ":
            grid.put(x + column, y, glyph, ink)


def _top(grid: Grid, x: int, y: int, size: int, house: House, ink: str, free: bool) -> None:
    """What stands above a roof: a cross, or the sign of what was gilded."""
    if not free:
        return
    if house.gilded:
        grid.put(x + size // 2, y, "*", "gilded bold")
    elif house.kind == "religious" and size >= 3 and size % 2:
        grid.put(x + size // 2, y, "+", f"{ink} bold")


def _scaffold(grid: Grid, x: int, y: int, size: int, house: House, pen: Pen, high: int) -> None:
    """A building that is not there yet."""
    for place in range(high):
        grid.put(x, y - place, scaffold(pen, size), f"{house.kind}-roof")


def scaffold(pen: Pen, size: int) -> str:
    """A storey of what is not there yet: posts, and what lies between them."""
    return (pen.signs.scaffold * size)[: size - 1] + pen.signs.scaffold[0]


#: whole and half cells only: kind → roof by its cells; wider ones have the glyph in the middle
_WHOLE = {
    "noble": ("▌▐", "█▄█", "█▄▄█", "█▄█▄█", "█▄██▄█", "█▄▄█▄▄█", "█▄▄██▄▄█"),
    "religious": ("▐▌", "▄█▄", "▄██▄", "▄▄█▄▄", "▄▄██▄▄", "▄▄▄█▄▄▄", "▄▄▄██▄▄▄"),
    "military": ("▄ ", "▄ ▄", "▄  ▄", "▄ ▄ ▄", "▄ ▄▄ ▄", "▄ ▄ ▄ ▄", "▄ ▄  ▄ ▄"),
}


def _stand_in_cells(
    grid: Grid, x: int, y: int, size: int, house: House, pen: Pen,
    *, gold: int, room: int, sky: str, lit: bool,
) -> None:  # fmt: skip
    high = max(1, min(body_height(house.cost, gold) // 2, room - 1))
    if house.card == "framework":
        _scaffold(grid, x, y, size, house, pen, high)
        return
    for floor in range(high):
        if not pen.colours:
            grid.put(x, y - floor, "░" * size)
            continue
        grid.put(x, y - floor, " " * size, "", f"on-{house.kind}")
        if floor and size > 2 and is_storey(floor, gold):
            ink = "lit" if lit else f"{house.kind}-dark"
            for column in range(1, size - 1):
                if column % 2 or size == 4:
                    grid.put(x + column, y - floor, "▄", ink)
    if house.kind == "unique":
        roof = "██" if size == 2 else f"▐{'█' * (size - 2)}▌"
    elif house.kind in _WHOLE and size <= 8:
        roof = _WHOLE[house.kind][size - 2]
    else:
        roof = ("▄ " * size)[:size] if house.kind == "military" else "▄" * size
    grid.put(x, y - high, roof, _roof(house), sky)


def _stand_in_letters(
    grid: Grid, x: int, y: int, size: int, house: House, pen: Pen,
    *, gold: int, room: int, lit: bool,
) -> None:  # fmt: skip
    high = max(1, min(body_height(house.cost, gold) // 2, room - 1))
    kind, inner = house.kind, size - 2
    if house.card == "framework":
        _scaffold(grid, x, y, size, house, pen, high)
        return
    panes = {0: "", 1: ".", 2: "..", 3: ": :", 4: ": : ", 5: ": : :", 6: ": :: :"}
    windows = f"|{panes.get(inner, (': ' * inner)[:inner])}|"
    if lit:
        windows = windows.replace(".", "#").replace(":", "#")
    for floor in range(1, high):
        grid.put(x, y - floor, windows, kind)
    left = max(0, (size - 3) // 2)
    tops = {
        "noble": f"^{'_' * inner}^",
        "religious": "/\\" if size < 3 else f"/{'-' * left}+{'-' * (size - 3 - left)}\\",
        "trade": "=" * size,
        "military": "n" * size,
        "unique": "()" if size < 3 else f".{'-' * inner}.",
    }
    grid.put(x, y - high, tops.get(kind, "-" * size), f"{kind} bold" if house.fresh else kind)
    if house.gilded and room > high + 1:
        grid.put(x + size // 2, y - high - 1, "*", "gilded bold")
