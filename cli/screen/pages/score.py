"""The final score, counted before everybody's eyes, how gold and cities grew over the rounds,
the titles of the match, and what may be done now: once more, above all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from citadels_p2p.match import Leave, OnceMore, OverNews, SeatScore
from cli.client.client_model import ClientModel
from cli.client.rounds import RoundSummary
from cli.drawing import letters
from cli.drawing.grid import Grid
from cli.i18n import _, counted, pgettext
from cli.screen.counting import TEMPO, Count, Counting
from cli.screen.frame import asking_bar
from cli.screen.look import Look
from cli.screen.page import KeepMatch, ModelPage, Obey, Recall, ScreenEffects, SeeAgain
from cli.screen.pages import afar, cities
from cli.screen.pages.sheet import Sheet, fits
from cli.screen.plan import NARROW, Plan, plan
from cli.screen.scroll import Scroll, step
from cli.text.cells import Block, Row, Span, fit, line, pad, wrap
from cli.text.cells import width as cells
from cli.text.scores import decider, evening, part, parts, resigned, saved, won
from cli.text.titles import titles

#: cells that a name has at least; those beside it for rank and points, and for the plots' names
NAME, HEAD, LABELS = 14, 17, 18
#: rows of the window that are not the page's: the status and the keys
AROUND = 3
#: columns from which the list stands beside large letters
LISTED = 60
#: rows of the page from which each thing that may be done has a row of its own
ROOMY = 19


class Score(ModelPage):
    """Who has won, with what points, and where the match is saved."""

    bar = "on-told"

    def __init__(self, model: ClientModel, *, replayed: bool = False) -> None:
        super().__init__(model)
        self._scroll = Scroll()
        self._replayed = replayed
        self._focus = 0
        self.said = ""  #: what came of what was done last
        self._is_counted = False  #: nothing can be done yet
        over, view = self._over(), model.view
        tempo = 0.0 if replayed else TEMPO[model.settings.pace]
        self.counting = Counting(over.scores, view, tempo)

    def _over(self) -> OverNews:
        over = self.model.over
        assert over is not None
        return over

    def status(self, look: Look) -> tuple[str, str]:
        over, scene = self._over(), self.model.scene
        self._is_counted = look.since is not None
        if self._is_counted:
            return _("The match is over."), _("The points are counted. Any key shows them all.")
        if self.said:
            return _("The match is over."), self.said
        why = resigned(over, scene) or (_("The match is over."),)
        return why[0], won(over, scene)

    def commands(self) -> tuple[str, ...]:
        if self.model.is_big:
            return super().commands()
        more = ("more",) if self._offers_more else ()
        return (*more, "log", *self.talk, "card", "help", "quit")

    def keys(self) -> tuple[tuple[str, str], ...]:
        idle = self.model.is_big or self._is_counted
        does = () if idle else (("Enter", _("do it")), ("↑↓", _("choose")))
        cut = (("PgUp PgDn", _("scroll")),) if self._scroll.is_cut else ()
        return (*does, *cut)

    @property
    def _looks_on(self) -> bool:
        lobby = self.model.lobby
        return lobby is not None and lobby.spectator

    @property
    def _offers_more(self) -> bool:
        """Whether the same people may play on."""
        return not (self._replayed or self._looks_on or self.model.bye is not None)

    def actions(self) -> tuple[tuple[str, str], ...]:
        """What may be done now, by name and in words; what Enter does comes first. Nobody
        presses anything at a projector.
        """
        over = self._over()
        if self.model.is_big:
            return ()
        page = ("page", _("Keep it as a page for a browser"))
        if self._replayed:
            return (
                ("beginning", _("From the beginning")),
                ("turned", _("Turning points")),
                page,
                ("leave", _("Close the replay")),
            )
        more = (("more", _("Once more, same people")),) if self._offers_more else ()
        again = (("again", _("See it again")), ("turned", _("Turning points")), page)
        told = again if over.journal or over.record else ()
        keep = (("keep", _("Keep it among your matches")),) if over.record else ()
        past = ("past", _("Matches that are over"))
        return (*more, *told, *keep, past, ("leave", _("Leave the table")))

    def paint(self, look: Look, width: int, height: int) -> Block:
        """The cities as they stood at the end, where there is room; else a list."""
        is_afar = self.model.is_big and look.since is None
        return (
            (is_afar and self._from_afar(look, width, height))
            or self._drawn(look, width, height)
            or self._listed(look, width, height)
        )

    def _from_afar(self, look: Look, width: int, height: int) -> Block:
        """The same for a room, with all points and names in large letters: beside the cities,
        else below them, else beside the list; () where that has no room.
        """
        winners, name = self._over().winners, self.model.scene.name
        places = [
            afar.Place(name(one.seat), one.total, f"{one.rank}.", leads=one.seat in winners)
            for one in self._ranked()
        ]
        beside = afar.size(places)
        left, is_high = width - beside - 1, height >= len(places) * letters.HIGH
        block = self._drawn(look, left, height) if is_high else ()
        if not block and (block := self._drawn(look, width, height, places)):
            return block
        if not block and is_high and left >= LISTED:
            block = self._listed(look, left, height)
        if not block:
            return ()
        grid = Grid(width, height)
        grid.lay(block, 0, 0)
        top = int(height > len(places) * letters.HIGH)
        afar.column(grid, look, (left + 1, top, beside), height - top, places)
        return grid.block()

    def _drawn(
        self, look: Look, width: int, height: int, places: Sequence[afar.Place] = ()
    ) -> Block:
        """The cities, with all these places below them if there are any; () where that has no
        room.
        """
        view, whole = self.model.view, height + AROUND
        seats = len(self._over().scores)
        if view is None or width < NARROW:
            return ()
        sheet = Sheet(Grid(width, height), look, self.model, view)
        panels = plan(width, whole, seats, sheet.plots)
        below = height - (0 if panels is None else panels.lines * (panels.height + 1))
        notes, menu = self._notes(width), self._menu(look, width // 2, 1)
        used = height - below + len(notes)
        if panels is None or height - used < max(len(menu), seats + 1):
            return ()
        heads = (self._told(score, None, panels.size) for score in self._ranked())
        if any(cells(name) + cells(total) + 3 > panels.size for name, total, _why in heads):
            return ()
        free, half, each = height - used, width // 2, len(places)
        if free <= each * letters.HIGH:
            each = -(-each // 2)  # the right half is theirs too
        if places and free <= each * letters.HIGH:
            return ()
        self._cities(sheet, panels)
        if look.since is not None:
            self._count_aloud(sheet, look.since, height - below + 1)
            return sheet.grid.block()
        sheet.grid.lay([*notes, *menu], 0, height - below)
        for x, some in ((0, places[:each]), (half + 1, places[each:])):
            if some:
                afar.column(sheet.grid, look, (x, used + 1, half - 1), free - 1, some)
        if each == len(places):
            x = half + 1 if menu or places else 1
            self._grew(sheet, x, used, width - x - 1, free)
        return sheet.grid.block()

    def _cities(self, sheet: Sheet, panels: Plan) -> None:
        """All of them, in the order of the places once these are known."""
        look, view = sheet.look, sheet.view
        order = self._ranked() if look.since is None else self._seated()
        for place, score in enumerate(order):
            x = place % panels.across * (panels.size + 1)
            y = place // panels.across * (panels.height + 1)
            wins = look.since is None and score.seat in self._over().winners
            count = self._count(score, look)
            cities.ended(
                *(sheet, view.seats[score.seat], (x, y, panels.size), panels),
                self._told(score, count, panels.size - 2),
                wins=wins,
                lit=sheet.plots * wins if count is None else count.districts,
                counts=look.since is not None and self.counting.now(look.since) == score.seat,
            )

    def _count(self, score: SeatScore, look: Look) -> Count | None:
        """How far a seat is counted; None once all of it is."""
        since = look.since
        return None if since is None else self.counting.at(since).get(score.seat, Count())

    def _seated(self) -> list[SeatScore]:
        """As they sat: while points are counted nobody knows who is first."""
        me = self.model.me or 0
        scores = sorted(self._over().scores, key=lambda score: score.seat)
        return [*scores[me:], *scores[:me]]

    def _ranked(self) -> list[SeatScore]:
        """The first place first."""
        return sorted(self._over().scores, key=lambda score: (score.rank, score.seat))

    def _told(self, score: SeatScore, count: Count | None, room: int) -> tuple[str, str, str]:
        """Who it is, how many points, and what they are for in `room` cells; so far as `count`
        says.
        """
        told = score if count is None else replace(score, lines=count.lines)
        points = score.total if count is None else count.points
        name = self.model.scene.name(score.seat)
        if count is None:
            name = f"{score.rank}. {name}"
        total = counted("{points} point", "{points} points", points=points)
        wins = f"{name}  {pgettext('behind the name of who has won', 'wins')}"
        if count is None and score.seat in self._over().winners:
            name = fits((wins, name), room - cells(total) - 1) or name
        return name, total, fits(parts(told.lines), room)

    def _count_aloud(self, sheet: Sheet, since: float, y: int) -> None:
        """Who is counted now, and how far, in large letters where the menu will be."""
        seat, grid = self.counting.now(since), sheet.grid
        if seat is None or grid.rows - y < letters.HIGH:
            return
        told = f"{self.model.scene.name(seat)}  {self.counting.at(since)[seat].points}"
        if letters.known(told) and letters.size(told) < grid.columns - 2:
            letters.write(grid, 1, y, told, "bold", ascii_only=sheet.look.ascii)

    def _grew(self, sheet: Sheet, x: int, y: int, size: int, rows: int) -> None:
        """How the cities grew from round to round, a row a seat; below it the titles."""
        ranked = self._ranked()
        labels = (("worth", _("city"), "good"), ("gold", _("gold"), "gold"))
        names = max(cells(self.model.scene.name(score.seat)) for score in ranked)
        room = self._plot(max(1, (size - names - sum(cells(x) + 3 for _, x, _ in labels)) // 2))
        sheet.title(x, y, size, pgettext("heading of plots", "By rounds"))
        for place, score in enumerate(ranked, 1):
            at = x + names + 2
            sheet.grid.put(x, y + place, self.model.scene.name(score.seat))
            for what, label, ink in labels:
                told = self._grown(what, score.seat, room, 1, sheet.look)[0]
                sheet.grid.put(at, y + place, label, "dim")
                at = sheet.grid.put(at + cells(label) + 1, y + place, told, ink) + 2
        events = [entry.event for entry in self.model.journal if entry.event is not None]
        remembered = titles(events, self.model.scene)
        won = [one for one in remembered if cells(one[0]) + cells(one[1]) < size]
        free = rows - len(ranked) - 2
        if not won or free < 2:
            return
        y += len(ranked) + (2 if free > len(won) else 1)
        sheet.title(x, y, size, _("Of this match"))
        broad = max(cells(title) for title, _who in won) + 2
        for place, (title, who) in enumerate(won[: rows - len(ranked) - 3], 1):
            latest = x + size - cells(who)
            if latest > x + cells(title):
                sheet.grid.put(x, y + place, title, "dim")
                sheet.grid.put(min(x + broad, latest), y + place, who)

    def _listed(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        ranked = self._ranked() if look.since is None else self._seated()
        foot = [*self._notes(width), *self._menu(look, width, 1 if height >= ROOMY else 2)]
        foot = foot if look.since is None else []
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
        count = self._count(score, look)
        if count is not None:
            score = replace(score, total=count.points, lines=count.lines)
        first, mine = score.rank == 1 and count is None, score.seat == model.me
        total = counted("{points} point", "{points} points", points=score.total)
        size = self._plot(min(30, (width - 34) // 2 - 8))
        room = max(NAME, width - size * 2 - HEAD - LABELS)
        broad = min(room, max(NAME, *(cells(model.scene.name(one.seat)) for one in scores)))
        name = pad(model.scene.name(score.seat), broad, ellipsis=ellipsis)
        points = f" {total}"
        rank = f"{score.rank}." if count is None else "  "  # nobody knows it yet
        told = name.rstrip()
        head = (
            Span(f" {rank}"),
            Span(f" {told} ", "on-me bold" if mine else "bold" if first else ""),
            Span(" " * (broad - cells(told) + 12 - cells(points))),
            Span(points, "on-badge bold" if first else ""),
        )
        city = self._grown("worth", score.seat, size, high, look)
        gold = self._grown("gold", score.seat, size, high, look)
        city_label, gold_label = pad(_("city"), 7, right=True), pad(_("gold"), 7, right=True)
        rows: list[Row] = []
        for place in range(high):
            lowest = place == high - 1
            plots = (
                Span(f" {city_label if lowest else ' ' * 7} ", "dim"),
                Span(pad(city[place], size), "good"),
                Span(f" {gold_label if lowest else ' ' * 7} ", "dim"),
                Span(pad(gold[place], size), "gold"),
            )
            begins = head if lowest else (Span(" " * (HEAD + broad)),)
            rows.append(begins if count is not None else (*begins, *plots))  # all in its turn
        reasons = f" {look.signs.dot} ".join(map(part, score.lines))
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
        said = counted(
            "The plots leave {count} round blank: how it ended was not seen here.",
            "The plots leave {count} rounds blank: how they ended was not seen here.",
            count=count,
        )
        return (said,) if count else ()

    def _notes(self, width: int) -> list[Row]:
        """How the evening has gone, what decided between equals, where the match is saved."""
        over, lobby, standing = self._over(), self.model.lobby, self.model.standing
        told = evening(standing) if standing is not None else ()
        if self._looks_on and not self._replayed and self.model.bye is None:
            told = (*told, _("If this table plays once more, the match comes here by itself."))
        options = None if lobby is None else lobby.options
        said = decider(over, options, self.model.scene, self.model.revealed)
        said += saved(over.journal)[:1] if over.journal else ()
        said += self._unseen()
        rows = [line(f" {x}", "good") for text in told for x in wrap(text, width - 2)]
        return rows + [line(f" {x}", "dim") for text in said for x in wrap(text, width - 2)]

    def _menu(self, look: Look, width: int, columns: int) -> list[Row]:
        """What may be done, in so many columns, under what is asked; the digit of each goes
        there.
        """
        size = width // columns
        entries = []
        actions = self.actions()
        if not actions:
            return []
        hint = "" if look.reads else _("Enter: do it")
        asked = (_("Once more?") if self._offers_more else _("What now?"), hint)
        for place, (name, label) in enumerate(actions):
            here = place == min(self._focus, len(actions) - 1)
            sign = look.signs.focus if here else " "
            text = pad(f"{sign} {place + 1} {label}", min(size, width - 1))
            entries.append(Span(text, "focus" if here else "", f"score:{name}", here))
        rows = [tuple(entries[at : at + columns]) for at in range(0, len(entries), columns)]
        return [asking_bar(*asked, look, width), *rows]

    def press(self, key: str) -> ScreenEffects | None:
        actions = self.actions()
        self._focus = max(0, min(self._focus, len(actions) - 1))  # there may be fewer by now
        if key == "enter":
            return self._do(actions[self._focus][0]) if actions else ()
        if key.isdecimal() and 0 < int(key) <= len(actions):
            self._focus = int(key) - 1
            return ()
        if key not in ("pageup", "pagedown", " "):
            to = step(key, self._focus, len(actions)) if actions else None
            if to is not None:
                self._focus = to
                return ()
        return () if self._scroll.press(key) else None

    def click(self, target: str) -> ScreenEffects | None:
        where, _colon, name = target.partition(":")
        return self._do(name) if where == "score" else None

    def _do(self, name: str) -> ScreenEffects:
        self.said = ""
        match name:
            case "more":
                return (OnceMore(),)
            case "beginning" | "turned" if self._replayed:
                return (Obey(name),)
            case "again" | "turned":
                self.said = _("One moment…")
                return (SeeAgain(turned=name == "turned"),)
            case "page" | "keep":
                return (KeepMatch(page=name == "page"),)
            case "past":
                return (Recall(lambda path: (SeeAgain(path),)),)
        return (Leave(),)


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
