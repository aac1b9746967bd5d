"""A question and its answers: yes or no, who plays your seat, or a line that is typed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from citadels_p2p.match import Depart, HandOver, Hurry
from cli.client.client_model import ClientModel
from cli.i18n import N_, _
from cli.line.arguments import USUAL_LEVEL
from cli.screen.line_editor import LineEditor
from cli.screen.look import Look
from cli.screen.overlays.listing import ListOverlay
from cli.screen.page import Open, Overlay, ScreenEffects, Shut
from cli.text.cells import Row, Span, line, wrap
from cli.text.lobby import giving_up


class Answers(ListOverlay[tuple[str, ScreenEffects]]):
    """An answer, with what is done when it is chosen, shuts the overlay; the digit before it
    goes there, as in every list. There are always as many, and the focus begins on the first.
    """

    hints = (("Enter", N_("choose")), ("Esc", N_("back")))
    low = 8

    @abstractmethod
    def question(self) -> str:
        """What stands above the answers."""

    def row(self, place: int, item: tuple[str, ScreenEffects], look: Look, width: int) -> Row:
        return (self.span(place, f"{place + 1} {item[0]}", look),)

    def above(self, look: Look, width: int) -> tuple[Row, ...]:
        return (*(line(text) for text in wrap(self.question(), width)), ())

    def press(self, key: str) -> ScreenEffects:
        if key.isdecimal() and 1 <= int(key) <= len(self.items()):
            self.focus = int(key) - 1
            return ()
        return super().press({"left": "up", "right": "down"}.get(key, key))

    def choose(self, place: int) -> ScreenEffects:
        return (Shut(), *self.items()[place][1])


class Confirm(Answers):
    """`yes` is done when the person says so, also by Ctrl-C; the focus begins on no."""

    heading = N_("Are you sure?")

    def __init__(self, question: str, yes_label: str, yes: ScreenEffects) -> None:
        super().__init__()
        self._question = question
        self._label = yes_label
        self._yes = yes

    def question(self) -> str:
        return self._question

    def items(self) -> tuple[tuple[str, ScreenEffects], ...]:
        return ((_("No, go back"), ()), (self._label, self._yes))

    def press(self, key: str) -> ScreenEffects:
        return self.choose(1) if key == "c-c" else super().press(key)


class OwnSeat(Answers):
    """What may be done with your seat now."""

    heading = N_("Your seat")

    def __init__(self, model: ClientModel) -> None:
        super().__init__()
        self._model = model

    def question(self) -> str:
        if self._rests():
            return _("A bot plays your seat.")
        return _("You play your seat yourself.")

    def items(self) -> tuple[tuple[str, ScreenEffects], ...]:
        if self._rests():
            other = (_("Play it myself again"), (HandOver(""),))
        else:
            other = (_("Let a bot play it for a while"), (HandOver(USUAL_LEVEL),))
        question = giving_up(self._model.lobby)
        sure = Confirm(question, _("Yes, give it up for good"), (Depart(),))
        return (
            (_("Leave it as it is"), ()),
            other,
            (_("Give it up for good"), (Open(sure),)),
            (_("Say that whoever decides has thought for long enough"), (Hurry(),)),
        )

    def _rests(self) -> bool:
        lobby, me = self._model.lobby, self._model.me
        return lobby is not None and any(
            seat.seat == me and seat.level != "" for seat in lobby.seats
        )


class TextPrompt(Overlay):
    """`done` gets the text when Enter is pressed; an empty line goes back. A `secret` shows
    only its length.
    """

    hints = (("Enter", N_("go on")), ("Esc", N_("back")))

    writes = True

    def __init__(
        self,
        title: str,
        asked: str,
        done: Callable[[str], ScreenEffects],
        *,
        secret: bool = False,
    ) -> None:
        self.named = title
        self._secret = secret
        self._asked = asked
        self._done = done
        self._line = LineEditor()

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        asked = [line(part) for part in wrap(self._asked, width)]
        shown = self._line
        if self._secret:
            shown = LineEditor("*" * len(self._line.text))
            shown.place = self._line.place
        return (*asked, (), (Span("> ", "key"), *shown.row(width - 2)))

    def press(self, key: str) -> ScreenEffects:
        match key:
            case "escape":
                return (Shut(),)
            case "enter":
                typed = self._line.text.strip()
                return (Shut(), *(self._done(typed) if typed else ()))
        self._line.press(key)
        return ()
