"""What happens at the table, drawn over the cities where it happens."""

from __future__ import annotations

from cli.drawing.building import House, body_height, plate, scaffold, stand
from cli.screen.moments import Crown, Falling, Flying, Rising, path
from cli.screen.pages.sheet import Sheet, Spot
from cli.screen.plan import Plan

#: the skies over which something may fly
SKIES = ("on-sky", "on-mine")


def rise(sheet: Sheet, seat: int, plan: Plan) -> None:
    """What is being built in a city, before its sky is written around it."""
    for mark in sheet.look.marks(Rising):
        if mark.seat == seat:
            spot, place = sheet.spots[seat], len(sheet.view.seats[seat].city)
            if place < sheet.plots:
                house = House(mark.card.card, mark.card.quarter, mark.card.cost)
                _rise(sheet, mark, spot.x + 1 + place * plan.pitch, house, plan)


def draw(sheet: Sheet, plan: Plan) -> None:
    """All else that moves, over the panels."""
    signs = sheet.look.signs
    for fall in sheet.look.marks(Falling):
        card, spot = sheet.view.seats[fall.seat].city[fall.place], sheet.spots[fall.seat]
        house = House(card.card, card.quarter, card.cost)
        _fall(sheet, fall, spot.x + 1 + fall.place * plan.pitch, house, plan)
    for fly in sheet.look.marks(Flying):
        one, other = _middle(sheet.spots[fly.seat]), _middle(sheet.spots[fly.to])
        glyph = signs.card if fly.cards else signs.coin
        step = len(glyph) + 1
        for number, (x, y) in enumerate(path(one, other, fly.count, fly.part)):
            at = x + number * step if fly.cards else x
            if all(_is_free(sheet, at + n, y) for n in range(len(glyph))):
                sheet.grid.put(at, y, glyph, "key" if fly.cards else "gold")
    for mark in sheet.look.marks(Crown):
        spot = sheet.spots[mark.seat]
        sheet.grid.put(spot.x + 5, spot.y + 1, signs.crest, "crown")


def _middle(spot: Spot) -> tuple[int, int]:
    """Where things come from and go to: high in a seat's sky, where plots are free."""
    return spot.x + spot.size * 3 // 5, spot.y + 2


def _is_free(sheet: Sheet, x: int, y: int) -> bool:
    """Whether something may be seen there: behind roofs, text and plates nothing is."""
    return any(sheet.grid.blank(x, y, field) for field in SKIES)


def _high(sheet: Sheet, spot: Spot, house: House, plan: Plan) -> int:
    """The rows of a building's body."""
    return min((body_height(house.cost, plan.gold) + 1) // 2, spot.ground - spot.y - 1)


def _rise(sheet: Sheet, mark: Rising, x: int, house: House, plan: Plan) -> None:
    grid, size, field = sheet.grid, plan.house, sheet.field(mark.seat)
    spot, stage = sheet.spots[mark.seat], mark.stage
    high = _high(sheet, spot, house, plan)
    done = high // 2 if stage == 2 else 0
    if done:
        stand(grid, x, spot.ground, size, house, sheet.pen, gold=plan.gold,
              room=spot.ground - spot.y, sky=field, lit=False)  # fmt: skip
        grid.fill(x, spot.y + 1, size, spot.ground - done - spot.y, field)
    for storey in range(done, high if stage else 1):
        grid.put(
            x, spot.ground - storey, scaffold(sheet.pen, size), f"{house.kind}-roof", field
        )


def _fall(sheet: Sheet, mark: Falling, x: int, house: House, plan: Plan) -> None:
    grid, size, signs = sheet.grid, plan.house, sheet.look.signs
    spot, stage = sheet.spots[mark.seat], mark.stage
    if not stage:
        text = plate(house, sheet.pen, size).center(size)
        grid.put(x, spot.ground, text[:size], "bold", "on-bad")
        return
    grid.fill(x, spot.y + 1, size, spot.ground - spot.y, sheet.field(mark.seat))
    grid.put(x, spot.ground, signs.rubble[:size], "bad")
    if stage > 1:
        grid.put(x, spot.ground - 1, signs.dust[:size], "dust")
        return
    high = _high(sheet, spot, house, plan)
    cloud = ("'.,:" if sheet.pen.is_ascii else "░▒▒░▒░░▒") * 4
    for storey in range(1, min(3, high) + 1):
        grid.put(x, spot.ground - storey, cloud[storey : storey + size], "dust")
