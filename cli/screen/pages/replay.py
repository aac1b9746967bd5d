"""A saved match to step through: the table at one moment, and a timeline below it.

The timeline has three rows: where one is, the rounds, and the turns of this round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from citadels_p2p.match import AdviceNews, Ask, Bye, OverNews
from cli.client.client_model import ClientModel
from cli.i18n import _
from cli.screen.look import Look
from cli.screen.overlays.listing import Place, Places
from cli.screen.overlays.reading import Told
from cli.screen.page import Open, Page, Ponder, ScreenEffects
from cli.screen.pages.score import Score
from cli.screen.pages.table import Table
from cli.screen.playback import Leg, Playback
from cli.text import Scene, cards, ending, narrate, question, refusal
from cli.text import screen as phrases
from cli.text.advice import advice
from cli.text.cells import Row, Span, clip, fit, stack, width
from cli.text.scene import shown
from cli.text.titles import turning_points

if TYPE_CHECKING:
    from citadels_p2p.bots import Observation


class Stage(Table):
    """The table of a saved match: in the menu's place stands what has just happened."""

    said = ""  #: why something could not be seen, or how it ended

    def status(self, look: Look) -> tuple[str, str]:
        now, must = super().status(look)
        return now, self.said or must


class Replay(Page):
    """The page of a saved match. Its commands choose the moment and the chair."""

    bar = "on-told"

    def __init__(self, model: ClientModel) -> None:
        assert model.record is not None
        self.playback = Playback(model.record, model.settings)
        self._said = model.refused  #: why something could not be seen; until the next key
        self._set_stage()

    @property
    def model(self) -> ClientModel:
        """What a person in the chosen chair knew at the moment that is shown."""
        return self.playback.model

    def advised(self, found: tuple[Ask, AdviceNews] | None) -> ScreenEffects:
        """What a bot would have done here has been thought out."""
        self._said = ""
        if found is None:
            return ()
        ask, news = found
        scene = Scene(self.model.scene.names, self.playback.seat, self.model.scene.ranks)
        return (Open(Told(question(ask, scene), advice(news, ask, scene))),)

    def _ponder(self) -> ScreenEffects:
        """Only in the chair of whoever decides: what that seat knew is told with it."""
        playback = self.playback
        asked = self._asked
        if asked is None:
            self._said = _("Nothing is asked of anybody here.")
            return ()
        if asked.seat != playback.seat:
            name = self.model.scene.name(asked.seat)
            self._said = _("See the hand of {name} first: v.").format(name=name)
            return ()
        self._said = _("A bot thinks about it…")
        return (Ponder(playback.at),)

    @property
    def _asked(self) -> Observation | None:
        """The decision that stands here, where it is known what it was made by."""
        moments, at = self.playback.record.moments, self.playback.at
        return moments[at].asked if at < len(moments) else None

    def _set_stage(self) -> None:
        self._stage = Stage(self.model)
        self._stage.hidden = False
        self._score = Score(self.model, replayed=True) if self.model.over is not None else None

    def status(self, look: Look) -> tuple[str, str]:
        model, playback = self.model, self.playback
        if self._score is not None:
            return self._score.status(look)
        view = model.view
        assert view is not None
        nobody = Scene(model.scene.names, None, model.scene.ranks)
        now = phrases.happening(view, nobody, model.rank, model.box.ranks)
        if self._said:
            return now, self._said
        if playback.at < playback.last:
            to_score = model.awaited is None
            return now, (
                _("To the end and the score")
                if to_score
                else phrases.awaited(model.awaited, None, nobody)
            )
        assert isinstance(playback.ending, Bye)
        return now, ending(playback.ending.reason, playback.ending.fields, nobody)

    def commands(self) -> tuple[str, ...]:
        if self._score is not None:
            return ("step_back", "help", "jump", "turned", "chair", "quit", "log")
        ways = ("step", "step_back", "turn_on", "help", "jump", "chair", "round_on")
        ponder = ("ponder",) if self._asked is not None else ()
        return (*ways, *ponder, "quit", "turned")

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("↑↓", _("scroll")),) if self._score is not None else ()

    @property
    def bare(self) -> bool:
        return self._score is None

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        page = self._stage if self._score is None else self._score
        self._stage.said = "" if self._score is not None else self.status(look)[1]
        shown = page.paint(look, width, height - HEIGHT)
        return (*stack(shown, width, height - HEIGHT), *timeline(self.playback, look, width))

    def press(self, key: str) -> ScreenEffects | None:
        self._said = ""
        if self._score is not None and (key in ("up", "down", "enter") or key.isdecimal()):
            return self._score.press(key)
        if key in ("tab", "s-tab") and self._score is None:
            return self._stage.press(key)
        return () if key == "escape" else None

    def obey(self, command: str) -> ScreenEffects | None:
        if command in _WAYS:
            _WAYS[command](self.playback)
            self._set_stage()
            return ()
        match command:
            case "jump":
                return (Open(self._places()),)
            case "turned":
                return self._turned()
            case "chair":
                return self._chairs()
            case "ponder":
                return self._ponder()
        return None

    def click(self, target: str) -> ScreenEffects | None:
        where, _colon, place = target.partition(":")
        if where == "moment":
            self._go(int(place))
            return ()
        page = self._stage if self._score is None else self._score
        return page.click(target)

    def _go(self, place: int) -> None:
        self.playback.go(place)
        self._set_stage()

    def _places(self) -> Places:
        """Every round and every turn, and the score."""
        playback = self.playback
        rounds = playback.rounds
        entries = [
            Place(_("Round {round}.").format(round=leg.round), leg.round, "heading")
            if leg in rounds
            else Place(f"    {self._turn(leg)}")
            for leg in playback.legs
        ]
        places = [leg.start for leg in playback.legs]
        if not isinstance(playback.ending, Bye):
            entries.append(Place(_("To the end and the score"), None, "heading"))
            places.append(playback.last)
        focus = max(x for x, place in enumerate(places) if place <= playback.at)
        return Places(
            _("Where do you look?"), entries, focus, lambda chosen: self._go(places[chosen])
        )

    def _turned(self) -> ScreenEffects:
        """The rounds that decided the match, and the deeds in them."""
        playback, entries, places = self.playback, [], []
        moments = playback.record.moments
        if isinstance(playback.ending, OverNews):
            events = [event for moment in moments for event in moment.events]
            scene = self.model.scene
            for number, said, deed in turning_points(playback.ending, events, scene):
                entries.append(Place(said, number, "heading"))
                places.append(next(x.start for x in playback.legs if x.round == number))
                if deed is not None:
                    entries.append(Place(f"    {narrate(deed, scene)}"))
                    places.append(next(n for n, x in enumerate(moments) if deed in x.events))
        if not entries:
            self._said = _("No round moved by much who would win.")
            return ()
        title = _("Turning points")
        return (Open(Places(title, entries, 0, lambda chosen: self._go(places[chosen]))),)

    def _turn(self, leg: Leg) -> str:
        if leg.rank is None:
            return _("The characters are called.")
        name = self.model.scene.name(leg.seat)
        return _("{name}: {told}").format(
            name=f"{leg.rank} {cards.character(leg.character)}", told=name
        )

    def _chairs(self) -> ScreenEffects:
        """Whose hand to see, where the keys were given away after the match."""
        playback = self.playback
        if not playback.record.seats:
            self._said = refusal("hands_stay_hidden", {}, self.model.scene)
            return ()
        chairs: list[int | None] = [None, *playback.record.seats]

        def sit(chosen: int) -> None:
            playback.sit(chairs[chosen])
            self._set_stage()

        entries = [
            Place(f"{number} {chair(playback, seat)}", number)
            for number, seat in enumerate(chairs)
        ]
        return (Open(Places(_("Seen by"), entries, chairs.index(playback.seat), sit)),)


#: command → where it goes
_WAYS: dict[str, Callable[[Playback], None]] = {
    "step": lambda playback: playback.go(playback.at + 1),
    "step_back": lambda playback: playback.go(playback.at - 1),
    "turn_on": lambda playback: playback.go_turn(1),
    "turn_back": lambda playback: playback.go_turn(-1),
    "round_on": lambda playback: playback.go_round(1),
    "round_back": lambda playback: playback.go_round(-1),
    "beginning": lambda playback: playback.go(0),
    "finish": lambda playback: playback.go(playback.last),
}
#: rows that the timeline takes
HEIGHT = 3
#: cells of a name without which it says nothing
LEAST = 3


def timeline(playback: Playback, look: Look, size: int) -> tuple[Row, ...]:
    """A rule that says where one is, the bar of the rounds, the turns of this round."""
    return (
        _place(playback, look, size),
        _bar(playback, look, size),
        _turns(playback, look, size),
    )


def chair(playback: Playback, seat: int | None) -> str:
    """Who sits in a chair of the match; of no seat: what everybody saw."""
    return _("everybody") if seat is None else playback.model.scene.name(seat)


def _place(playback: Playback, look: Look, size: int) -> Row:
    signs = look.signs
    parts = (
        shown(playback.record.table, 30),
        _("Seen by: {name}").format(name=chair(playback, playback.seat)),
        f"{playback.at + 1}/{playback.last + 1}",
    )
    text = clip(f" {signs.dot} ".join(filter(None, parts)), size - 6, signs.ellipsis)
    rest = signs.rule * (size - width(text) - 4)
    return (Span(f"{signs.rule * 2} ", "rule"), Span(text, "title"), Span(f" {rest}", "rule"))


def _bar(playback: Playback, look: Look, size: int) -> Row:
    """Every cell a stretch of the match; filled up to where one is, rounds by their number."""
    signs, cells, last = look.signs, size - 2, max(1, playback.last)

    def cell(place: int) -> int:
        return place * (cells - 1) // last

    letters = [signs.full if x <= cell(playback.at) else signs.empty for x in range(cells)]
    styles = ["good" if x <= cell(playback.at) else "dim" for x in range(cells)]
    free = 0
    for leg in playback.rounds:
        number, x = str(leg.round), cell(leg.start)
        if free <= x <= cells - len(number):
            letters[x : x + len(number)] = number
            styles[x : x + len(number)] = ["heading"] * len(number)
            free = x + len(number) + 1
    here = cell(playback.at)
    letters[here], styles[here] = signs.focus, "focus"
    bar = (
        Span(letter, style, f"moment:{-(-x * last // (cells - 1))}")
        for x, (letter, style) in enumerate(zip(letters, styles, strict=True))
    )
    return (Span(" "), *bar, Span(" "))


def _turns(playback: Playback, look: Look, size: int) -> Row:
    """The turns of the round that one is in, cut alike where they do not fit."""
    now = playback.leg
    legs = [leg for leg in playback.legs if leg.round == now.round]
    head = " " + _("{head}:").format(head=now.round) + " "
    names = [_name(leg) for leg in legs]
    room = size - width(head) - 2 * len(legs)  # a sign before each, a blank behind
    longest = max(map(width, names))
    while sum(min(width(name), longest) for name in names) > room and longest > LEAST:
        longest -= 1
    row: list[Span] = [Span(head, "heading")]
    for leg, name in zip(legs, names, strict=True):
        sign, style = (look.signs.focus, "focus") if leg == now else (" ", "")
        target = f"moment:{leg.start}"
        row += [Span(f"{sign}{clip(name, longest, '')}", style, target), Span(" ")]
    return fit(tuple(row), size, look.signs.ellipsis)


def _name(leg: Leg) -> str:
    return (
        _("characters") if leg.rank is None else f"{leg.rank} {cards.character(leg.character)}"
    )
