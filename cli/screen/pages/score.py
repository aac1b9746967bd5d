"""The final score line by line, and how gold and cities grew over the rounds."""

from __future__ import annotations

from collections.abc import Sequence

from citadels_p2p.match import Leave, OverNews, SeatScore
from cli.client.client_model import ClientModel
from cli.client.rounds import RoundSummary
from cli.drawing.grid import Grid
from cli.i18n import _, ngettext, pgettext
from cli.screen.look import Look
from cli.screen.page import ScreenEffects
from cli.screen.pages import cities
from cli.screen.pages.plain_page import PlainPage, talk
from cli.screen.pages.sheet import Sheet
from cli.screen.plan import BROAD, TALL, plan
from cli.screen.scroll import Scroll
from cli.text import listing
from cli.text.cells import Row, Span, fit, line, pad, wrap
from cli.text.cells import width as cells
from cli.text.scores import decider, evening, resigned, saved, score_reason

#: cells that a name has at least; those beside it for rank and points, and for the plots' names
NAME, HEAD, LABELS = 14, 17, 18
#: rows of the window that are not the page's: the status and the keys
AROUND = 4
#: cells between name, parts and points of a city's head
APART = 5


class Score(PlainPage):
    """Who has won, with what points, and where the match is saved."""

    def __init__(self, model: ClientModel, *, replayed: bool = False) -> None:
        super().__init__(model)
        self._scroll = Scroll()
        self._replayed = replayed

    def _over(self) -> OverNews:
        over = self.model.over
        assert over is not None
        return over

    def status(self, look: Look) -> tuple[str, str]:
        over, scene = self._over(), self.model.scene
        if over.winners == (scene.you,):
            return (resigned(over, scene) or (_("The match is over."),))[0], _("You have won!")
        names = listing([scene.name(seat) for seat in over.winners])
        why = resigned(over, scene) or (_("The match is over."),)
        return why[0], _("Winner: {names}.").format(names=names)

    def commands(self) -> tuple[str, ...]:
        more = () if self._replayed else ("more",)
        return (*more, "log", *talk(self.model), "card", "help")

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("Enter", _("leave the table")), ("↑↓", _("scroll")))

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        """The cities as they stood at the end, where there is room; else a list."""
        view, whole = self.model.view, height + AROUND
        if view is None or width < BROAD or whole < TALL:
            return self._listed(look, width, height)
        sheet = Sheet(Grid(width, height), look, self.model, view)
        panels = plan(width, whole, len(view.seats), sheet.plots)
        below = height - (0 if panels is None else panels.lines * panels.height)
        foot = self._foot(look, width)
        heads = [self._head(score) for score in self._ranked()]
        if (
            panels is None
            or below < max(len(foot), len(view.seats)) + 1
            or max(sum(map(cells, head)) for head in heads) + APART > panels.size
        ):
            return self._listed(look, width, height)
        for place, (score, head) in enumerate(zip(self._ranked(), heads, strict=True)):
            x = place % panels.across * (panels.size + 1)
            y = place // panels.across * panels.height
            wins = score.seat in self._over().winners
            seat = view.seats[score.seat]
            cities.ended(sheet, seat, (x, y, panels.size), panels, head, wins=wins)
        sheet.grid.lay(foot, 0, height - below + 1)
        self._grew(sheet, width // 2, height - below, width // 2 - 1)
        return sheet.grid.block()

    def _ranked(self) -> list[SeatScore]:
        """The first place first."""
        return sorted(self._over().scores, key=lambda score: (score.rank, score.seat))

    def _head(self, score: SeatScore) -> tuple[str, str, str]:
        """Who it is, what the points are for, and how many they are."""
        total = ngettext("{points} point", "{points} points", score.total)
        name = f"{score.rank}. {self.model.scene.name(score.seat)} "
        return name, self._reasons(score, " + "), total.format(points=score.total)

    def _reasons(self, score: SeatScore, mark: str) -> str:
        """What the points are for."""
        return mark.join(
            _("{reason} {points}").format(reason=score_reason(one.reason), points=one.points)
            for one in score.lines
        )

    def _grew(self, sheet: Sheet, x: int, y: int, size: int) -> None:
        """How the cities grew from round to round, a row a seat."""
        ranked = self._ranked()
        sheet.title(x, y, size, pgettext("heading of plots", "Cities by rounds"))
        names = max(cells(self.model.scene.name(score.seat)) for score in ranked)
        for place, score in enumerate(ranked, 1):
            sheet.grid.put(x, y + place, self.model.scene.name(score.seat))
            room = self._plot(max(1, size - names - 2))
            told = self._grown("worth", score.seat, room, 1, sheet.look)[0]
            sheet.grid.put(x + names + 2, y + place, told, "good")

    def _listed(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        ranked = self._ranked()
        foot = self._foot(look, width)
        room = height - len(foot)
        high = 3 if len(ranked) * 5 + 1 <= room else 2 if len(ranked) * 4 + 1 <= room else 1
        rows: list[Row] = [()] if high > 1 else []
        for score in ranked:
            rows += self._seat(score, look, width, high)
            if len(ranked) * (high + 2) < room:
                rows.append(())
        shown = self._scroll.show(rows, look, room)
        return (*shown, *foot)

    def _seat(self, score: SeatScore, look: Look, width: int, high: int) -> list[Row]:
        """Name and total; beside them the plots; below them what the points are for."""
        model, ellipsis, scores = self.model, look.signs.ellipsis, self._over().scores
        style = "must" if score.rank == 1 else "you" if score.seat == model.me else ""
        total = ngettext("{points} point", "{points} points", score.total)
        size = self._plot(min(30, (width - 34) // 2 - 8))
        room = max(NAME, width - size * 2 - HEAD - LABELS)
        broad = min(room, max(NAME, *(cells(model.scene.name(one.seat)) for one in scores)))
        name = pad(model.scene.name(score.seat), broad, ellipsis=ellipsis)
        points = pad(total.format(points=score.total), 12, right=True)
        head = Span(f" {score.rank}. {name} {points}", style)
        city = self._grown("worth", score.seat, size, high, look)
        gold = self._grown("gold", score.seat, size, high, look)
        city_label, gold_label = pad(_("city"), 7, right=True), pad(_("gold"), 7, right=True)
        rows: list[Row] = []
        for place in range(high):
            lowest = place == high - 1
            rows.append(
                (
                    head if lowest else Span(" " * (HEAD + broad)),
                    Span(f" {city_label if lowest else ' ' * 7} ", "dim"),
                    Span(pad(city[place], size), "good"),
                    Span(f" {gold_label if lowest else ' ' * 7} ", "dim"),
                    Span(pad(gold[place], size), "gold"),
                )
            )
        reasons = self._reasons(score, f" {look.signs.dot} ")
        rows += [line(f"    {text}", "dim") for text in wrap(reasons, width - 5)]
        return [fit(row, width, ellipsis) for row in rows]

    def _grown(self, what: str, seat: int, size: int, high: int, look: Look) -> tuple[str, ...]:
        """One number of a seat at the end of every round, on a scale that all seats share."""
        rounds = [getattr(one, what) for one in self._rounds()]
        top = max((max(values) for values in rounds if values), default=0)
        broad = _broad(len(rounds), size)
        values = [x[seat] if x else 0 for x in rounds for _cell in range(broad)]
        return bars(values, top, size, high, ascii_only=look.ascii)

    def _plot(self, size: int) -> int:
        """The cells that a plot fills, of `size` that it might have."""
        rounds = len(self._rounds())
        return min(size, max(1, rounds) * _broad(rounds, size))

    def _rounds(self) -> list[RoundSummary]:
        """All rounds, also those whose end was not seen; none where that is so of all."""
        rounds = self.model.rounds
        return rounds if any(one.gold for one in rounds) else []

    def _unseen(self) -> tuple[str, ...]:
        """What the plots cannot show: who comes late hears of rounds, and sees no gold."""
        count = sum(not one.gold for one in self._rounds())
        said = ngettext(
            "The plots leave {count} round blank: how it ended was not seen here.",
            "The plots leave {count} rounds blank: how they ended was not seen here.",
            count,
        )
        return (said.format(count=count),) if count else ()

    def _foot(self, look: Look, width: int) -> list[Row]:
        """What has decided between equals, where the match is saved, and the way out."""
        over, lobby = self._over(), self.model.lobby
        said = decider(over, None if lobby is None else lobby.options)
        said += saved(over.journal)[:1] if over.journal else ()
        said += self._unseen()
        standing = self.model.standing
        told = evening(standing) if standing is not None else ()
        rows = [line(f" {x}", "good") for text in told for x in wrap(text, width - 2)]
        rows += [line(f" {x}", "dim") for text in said for x in wrap(text, width - 2)]
        if not self._replayed:
            more = _("Once more, same people")
            rows.append((Span("   m ", "key", "command:more"), Span(more, "", "command:more")))
        leave = _("Close the replay") if self._replayed else _("Leave the table")
        return [*rows, (Span(f"{look.signs.focus} {leave}", "focus", "leave", True),)]

    def press(self, key: str) -> ScreenEffects | None:
        if key == "enter":
            return (Leave(),)
        return () if self._scroll.press(key) else None

    def click(self, target: str) -> ScreenEffects | None:
        return (Leave(),) if target == "leave" else None


def _broad(rounds: int, size: int) -> int:
    """The cells of one round in a plot of `size`."""
    return max(1, min(3, size // max(1, rounds)))


_BLOCKS = " ▁▂▃▄▅▆▇█"
_ASCII = " .:-=+*%#"


def bars(
    values: Sequence[int], top: int, size: int, height: int, *, ascii_only: bool = False
) -> tuple[str, ...]:
    """The values side by side in `height` rows, the uppermost first, `top` being a full column.

    More values than `size` are thinned out evenly; the last one always stays.
    """
    signs = _ASCII if ascii_only else _BLOCKS
    steps = len(signs) - 1
    shown = _thinned(values, size)
    heights = [_height(value, top, height * steps) for value in shown]
    rows = []
    for floor in range((height - 1) * steps, -1, -steps):
        rows.append("".join(signs[max(0, min(steps, high - floor))] for high in heights))
    return tuple(rows)


def _height(value: int, top: int, most: int) -> int:
    """A value's height in steps; at least one for a positive value, so it is visible."""
    if value <= 0 or top <= 0:
        return 0
    return max(1, min(most, round(value * most / top)))


def _thinned(values: Sequence[int], size: int) -> list[int]:
    if len(values) <= size:
        return list(values)
    if size < 2:
        return list(values[-size:]) if size else []
    return [values[round(place * (len(values) - 1) / (size - 1))] for place in range(size)]
