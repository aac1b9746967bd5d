"""What may be true of a match at one moment: the questions of the guide, to what the client
knows.
"""

from __future__ import annotations

from collections.abc import Callable

from citadels_p2p.cards import DISTRICTS
from cli.client.client_model import ClientModel

Holds = Callable[[ClientModel], bool]


def always(model: ClientModel) -> bool:
    """Whenever its page stands."""
    return True


def asked(kind: str, round_: int = 1) -> Holds:
    """That is asked, from this round on."""
    return lambda model: (
        model.ask is not None and model.ask.kind == kind and _round(model) >= round_
    )


def offers(*verbs: str) -> Holds:
    """All of them are possible now, in one's own turn."""

    def holds(model: ClientModel) -> bool:
        ask = model.ask
        return (
            ask is not None
            and ask.kind == "act"
            and {x.verb for x in ask.options}.issuperset(verbs)
        )

    return holds


def plays(character: str) -> Holds:
    """It is one's own turn, as this character."""

    def holds(model: ClientModel) -> bool:
        turn = None if model.view is None else model.view.turn
        mine = turn is not None and (turn.seat, turn.character) == (model.me, character)
        return mine and asked("act")(model)

    return holds


def befalls(purpose: str, *, mine: bool) -> Holds:
    """That is to befall one's own character, or another; and it was laid there by others."""

    def holds(model: ClientModel) -> bool:
        you = None if model.view is None else model.view.you
        own = you.characters if you is not None else ()
        return any(
            mark.purpose == purpose and mark.seat != model.me and not mark.done
            for role, marks in model.stakes.on.items()
            if (role in own) is mine
            for mark in marks
        )

    return holds


def suffered(kind: str, by: str, victim: str) -> Holds:
    """Another player has done this to one as that character, and nothing has happened since;
    `victim`: the event's field for whom.
    """

    def holds(model: ClientModel) -> bool:
        turn = None if model.view is None else model.view.turn
        if model.last is None or model.last.kind != kind or turn is None:
            return False
        mine = model.last.fields()[victim] == model.me != turn.seat
        return mine and turn.character == by

    return holds


def gathers(model: ClientModel) -> bool:
    """Gold or cards, and no district of one's own that changes what they are."""
    return offers("gold", "cards")(model) and not _owns("library", "observatory")(model)


def _owns(*districts: str) -> Holds:
    def holds(model: ClientModel) -> bool:
        city = model.view.seats[model.me].city if model.view and model.me is not None else ()
        return any(one.card in districts for one in city)

    return holds


def may_end(model: ClientModel) -> bool:
    """The turn may end, and the first time not before something could be built."""
    builds = offers("build")(model) and _round(model) == 1
    return offers("end")(model) and not builds


def keeps(model: ClientModel) -> bool:
    """One of two cards."""
    ask = model.ask
    two = ask is not None and len(ask.options) == 2 and ask.low is None
    return two and asked("keep")(model) and not _owns("library", "observatory")(model)


def called(model: ClientModel) -> bool:
    return model.view is not None and model.view.turn is not None


def holds_unique(model: ClientModel) -> bool:
    you = None if model.view is None else model.view.you
    hand = () if you is None else you.hand
    unique = any(DISTRICTS[one.card].quarter == "unique" for one in hand)
    return unique and asked("act")(model)


def lies_out(model: ClientModel) -> bool:
    return asked("character")(model) and model.view is not None and bool(model.view.faceup)


def nearly(model: ClientModel) -> bool:
    """Two districts more complete a city."""
    view = model.view
    return (
        view is not None
        and not view.ends
        and any(len(x.city) + 2 >= view.city_size for x in view.seats)
    )


def ends(model: ClientModel) -> bool:
    return model.view is not None and model.view.ends


def goes_on(model: ClientModel) -> bool:
    return model.recap is not None and not model.recap.last


def bars(model: ClientModel) -> bool:
    return model.ask is not None and bool(model.ask.barred)


def opens(model: ClientModel) -> bool:
    """Some line of the menu leads to more choices."""
    verbs = [x.verb for x in model.ask.options] if model.ask is not None else []
    return any(verbs.count(verb) > 1 for verb in verbs if verb not in ("build", "take"))


def _round(model: ClientModel) -> int:
    return 0 if model.view is None else model.view.round


def advised(model: ClientModel) -> bool:
    """A bot may say what it would do in this turn."""
    return asked("act")(model) and model.may_be_advised
