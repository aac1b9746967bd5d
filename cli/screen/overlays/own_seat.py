"""Who plays your seat: yourself, a bot for a while, or nobody's person any more."""

from __future__ import annotations

from cli.acts import Depart, HandOver
from cli.arguments import USUAL_LEVEL
from cli.i18n import _
from cli.screen.cells import Row, Span, line, wrap
from cli.screen.heard import Heard
from cli.screen.look import Look
from cli.screen.overlays.confirm import Confirm
from cli.screen.page import Deeds, Open, Shut


class OwnSeat:
    """What may be done with your seat now; the focus begins on leaving it as it is."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
        self._focus = 0

    def title(self) -> str:
        return _("Your seat")

    def keys(self) -> tuple[tuple[str, str], ...]:
        return (("Enter", _("choose")), ("Esc", _("back")))

    def paint(self, look: Look, width: int, height: int) -> tuple[Row, ...]:
        stands = (
            _("A bot plays your seat.") if self._rests() else _("You play your seat yourself.")
        )
        rows = [line(text) for text in wrap(stands, width)]
        rows.append(())
        for place, (label, _deeds) in enumerate(self._choices()):
            focused = place == self._focus
            sign = look.signs.focus if focused else " "
            style = "focus" if focused else ""
            rows.append((Span(f"{sign} {place + 1} {label}", style, f"own:{place}", focused),))
        return tuple(rows)

    def press(self, key: str) -> Deeds:
        choices = self._choices()
        match key:
            case "up" | "left" | "s-tab":
                self._focus = (self._focus - 1) % len(choices)
            case "down" | "right" | "tab":
                self._focus = (self._focus + 1) % len(choices)
            case "escape":
                return (Shut(),)
            case "enter":
                return choices[self._focus][1]
            case _ if key.isdecimal() and 1 <= int(key) <= len(choices):
                return choices[int(key) - 1][1]
        return ()

    def click(self, target: str) -> Deeds:
        where, _colon, place = target.partition(":")
        return self._choices()[int(place)][1] if where == "own" else ()

    def _rests(self) -> bool:
        lobby, me = self._heard.lobby, self._heard.me
        return lobby is not None and any(
            seat.seat == me and seat.level != "" for seat in lobby.seats
        )

    def _choices(self) -> tuple[tuple[str, Deeds], ...]:
        if self._rests():
            other = (_("Play it myself again"), (Shut(), HandOver("")))
        else:
            other = (_("Let a bot play it for a while"), (Shut(), HandOver(USUAL_LEVEL)))
        question = _(
            "The others play on without you, and your cards stay sealed. You may look on,"
            " but this seat is never yours again."
        )
        sure = Confirm(question, _("Yes, give it up for good"), (Depart(),))
        return (
            (_("Leave it as it is"), (Shut(),)),
            other,
            (_("Give it up for good"), (Shut(), Open(sure))),
        )
