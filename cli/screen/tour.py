"""Ten short hints in a person's first match, one at a time, each when it is of use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cli.client.client_model import ClientModel
from cli.i18n import N_, _
from cli.screen.menu import Menu


@dataclass(frozen=True, slots=True)
class Hint:
    """A sentence, and when it is of use."""

    text: str
    fits: Callable[[ClientModel, Menu | None], bool]


def _asked(kind: str) -> Callable[[ClientModel, Menu | None], bool]:
    return lambda model, menu: model.ask is not None and model.ask.kind == kind


def _offers(verb: str) -> Callable[[ClientModel, Menu | None], bool]:
    def fits(model: ClientModel, menu: Menu | None) -> bool:
        return model.ask is not None and any(x.verb == verb for x in model.ask.options)

    return fits


def _groups(model: ClientModel, menu: Menu | None) -> bool:
    return menu is not None and any(item.step for item in menu.items)


def _bars(model: ClientModel, menu: Menu | None) -> bool:
    return model.ask is not None and bool(model.ask.barred)


def _later(round_: int) -> Callable[[ClientModel, Menu | None], bool]:
    return lambda model, menu: model.view is not None and model.view.round >= round_


HINTS: tuple[Hint, ...] = (
    Hint(
        N_("You choose a character in secret. Arrows and digits go to one, Enter takes it."),
        _asked("character"),
    ),
    Hint(
        N_("A turn begins with gold or cards. After that you may build, in any order."),
        _offers("gold"),
    ),
    Hint(N_("What is dim is not possible now. The reason stands beside it."), _bars),
    Hint(
        N_("An entry with an arrow opens more choices. Esc takes you back, nothing is sent."),
        _groups,
    ),
    Hint(
        N_("Districts are points: build when you can, dear ones count more."), _offers("build")
    ),
    Hint(N_("The key r tells what every card does, and ? helps at any time."), _later(1)),
    Hint(N_("What is bright in the journal is new to you; l shows all of it."), _later(2)),
    Hint(N_("Tab spells out the next city. Gold and numbers of cards are open."), _later(2)),
    Hint(N_("Whoever has the crown chooses first; the King takes it."), _later(3)),
    Hint(
        N_("The first complete city ends the match with its round, so watch the others."),
        _later(4),
    ),
)


class Tour:
    """Which hint stands now. Every hint is told once; an answer makes room for the next."""

    def __init__(self, *, wanted: bool) -> None:
        self._left = list(HINTS) if wanted else []
        self._now: Hint | None = None
        self._since: object = None

    @property
    def over(self) -> bool:
        """Whether there will be no more hints."""
        return not self._left and self._now is None

    def stop(self) -> None:
        """The person wants no more of them."""
        self._left, self._now = [], None

    def hint(self, model: ClientModel, menu: Menu | None) -> str:
        """The hint of this moment; '' for none."""
        if model.ask is not self._since and model.ask is not None:
            self._since = model.ask
            self._now = next((one for one in self._left if one.fits(model, menu)), None)
            if self._now is not None:
                self._left.remove(self._now)
        if self._now is None or not (model.ask or self._now.fits(model, menu)):
            return ""  # it speaks of a choice, and none is open
        number = len(HINTS) - len(self._left)
        return _("Hint {number} of {count}: {text}").format(
            number=number, count=len(HINTS), text=_(self._now.text)
        )
