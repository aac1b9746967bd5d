"""What others have done to the viewer since the viewer last decided something.

Folded from events and views alone, so that plain lines, programs and the full screen tell the
same, and it stays until the next decision.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from citadels_p2p.match import Ask
from citadels_p2p.rules.events import Event
from citadels_p2p.rules.view import View
from cli.i18n import _
from cli.text import Scene, listing, narrate
from cli.text.deeds import VICTIMS
from cli.text.stakes import Mark, peril
from cli.text.table import Box, by_cost, hand_card

#: event → its field for whoever it is done to, by its `seat`
_DONE_TO: dict[str, str] = {**VICTIMS, "bribe_refused": "to", "cards_given": "to"}
#: event → its fields for who loses something to whom: a deed where it is not the loser's turn
_LOST: dict[str, tuple[str, str]] = {
    "cards_given": ("seat", "to"),
    "crown_taken": ("before", "seat"),
    "gold_paid": ("seat", "to"),
}
#: events by which the hand becomes another
_OF_HANDS = frozenset({"cards_given", "hands_swapped"})
#: what shows that a seat has decided: who comes back to a match hears its whole past
_DECIDED = frozenset({
    "built", "cards_drawn", "character_set_aside", "character_taken", "gold_gathered",
    "turn_ends",
})  # fmt: skip
#: views that are kept: over a slow network a view comes before the events that lead to it
_VIEWS = 8


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that was done to the viewer. `by`: a seat, or null where nobody did it.

    `had`: where cards came into the hand or left it, what it was before. `character`: of whom
    the rank is that stayed silent.
    """

    event: Event
    by: int | None
    had: tuple[str, ...] = ()
    character: str = ""

    def label(self, scene: Scene) -> str:
        """The deed in a sentence."""
        if self.character and self.by is not None:
            return peril(self.character, Mark("murder", self.by), scene)
        return narrate(self.event, scene)


class Deeds:
    """The fold. `done` has the deeds since the last decision, in their order."""

    def __init__(self) -> None:
        self.done: tuple[Deed, ...] = ()
        self._before: tuple[Deed, ...] = ()  #: what was done before the newest decision
        self._views: deque[View] = deque(maxlen=_VIEWS)
        self._turn: object = None  #: whose it is
        self._murdered: tuple[str, int] = ("", -1)  #: which character, and by whom
        self._timed_out = False  #: what the viewer does now was not decided

    def see(self, view: View) -> None:
        """Take in how the table lies for the viewer."""
        self._views.append(view)

    def decided(self, ask: Ask | None = None) -> None:
        """The viewer has decided; where the ask had but one answer, nothing was."""
        if ask is not None and ask.sole:
            self._before = ()
        else:
            self._before, self.done = self.done, ()

    def undecided(self) -> None:
        """The decision was refused."""
        self._before, self.done = (), (*self._before, *self.done)

    def hear(self, event: Event, me: int | None) -> None:
        fields = event.fields()
        seat = fields.get("seat")
        mine = me is not None and seat == me
        match event.kind:
            case "round_begins":
                self._turn, self._murdered = None, ("", -1)
            case "turn_begins" | "turn_resumed":
                self._turn = seat
            case "turn_ends":
                self._turn = None
            case "named" if fields["purpose"] == "murder" and isinstance(seat, int):
                self._murdered = str(fields["character"]), seat
            case "timed_out" if mine:
                self._timed_out = True
        if mine and event.kind in _DECIDED:
            if not self._timed_out:
                self.decided()
            self._timed_out = False
        if me is not None and (deed := self._deed(event, me)) is not None:
            self.done = (*self.done, deed)

    def _deed(self, event: Event, me: int) -> Deed | None:
        """What the event is to the viewer; None where it is nobody's deed, or their own."""
        kind, fields = event.kind, event.fields()
        you = next((v.you for v in reversed(self._views) if v.n < event.n), None)
        roles = () if you is None else you.characters
        held = () if you is None else tuple(card.card for card in you.hand)
        had = held if kind in _OF_HANDS else ()
        seat = fields.get("seat")
        by = seat if isinstance(seat, int) else None
        if kind == "rank_silent":
            role, killer = self._murdered
            mine = role in roles and killer != me  # with two characters one may be one's own
            return Deed(event, killer, character=role) if mine else None
        if kind == "taxed" and seat == me:
            return Deed(event, None)
        if kind == "turn_resumed":
            taken = fields["character"] in roles and seat != me
            return Deed(event, by) if taken else None
        loser, taker = _LOST.get(kind, ("", ""))
        if loser and self._turn == me:
            return None
        if loser and fields[loser] == me:
            to = fields[taker]
            return Deed(event, to, had) if isinstance(to, int) else None
        to_me = kind in _DONE_TO and fields[_DONE_TO[kind]] == me
        return Deed(event, by, had) if to_me and seat != me else None


def told(done: Sequence[Deed], view: View | None, scene: Scene, box: Box) -> tuple[str, ...]:
    """A sentence for each deed, and how the hand has changed by them."""
    said = tuple(deed.label(scene) for deed in done)
    had = next((deed.had for deed in done if deed.event.kind in _OF_HANDS), None)
    if had is None or view is None or view.you is None:
        return said
    before, now = _hand(had, box), _hand([card.card for card in view.you.hand], box)
    if before == now:
        return said
    if not before:
        told = _("You had no cards; now you have {cards}.")
    elif not now:
        told = _("You had {before}; now you have no cards.")
    else:
        told = _("You had {before}; now you have {cards}.")
    return (*said, told.format(before=before, cards=now))


def _hand(held: Sequence[str], box: Box) -> str:
    return listing([hand_card(card, box) for card in by_cost(held, box)])
