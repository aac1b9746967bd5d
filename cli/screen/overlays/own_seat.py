"""Who plays your seat: yourself, a bot for a while, or nobody for good."""

from __future__ import annotations

from citadels_p2p.match import Depart, HandOver
from cli.client.client_model import ClientModel
from cli.i18n import _
from cli.line.arguments import USUAL_LEVEL
from cli.screen.overlays.answers import Answers
from cli.screen.overlays.confirm import Confirm
from cli.screen.page import Open, ScreenEffects
from cli.text.lobby import giving_up


class OwnSeat(Answers):
    """What may be done with your seat now."""

    def __init__(self, model: ClientModel) -> None:
        super().__init__()
        self._model = model

    def title(self) -> str:
        return _("Your seat")

    def question(self) -> str:
        if self._rests():
            return _("A bot plays your seat.")
        return _("You play your seat yourself.")

    def answers(self) -> tuple[tuple[str, ScreenEffects], ...]:
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
        )

    def _rests(self) -> bool:
        lobby, me = self._model.lobby, self._model.me
        return lobby is not None and any(
            seat.seat == me and seat.level != "" for seat in lobby.seats
        )
