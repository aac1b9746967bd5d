"""The short phrases of the full screen: status, headings of the table, groups of the menu."""

from __future__ import annotations

from collections.abc import Mapping

from citadels_p2p.cards import CHARACTERS
from citadels_p2p.match import Awaited, Notice
from citadels_p2p.rules.view import View
from cli.i18n import N_, _, counted
from cli.text import cards
from cli.text.reasons import notice
from cli.text.scene import Scene


def happening(view: View, scene: Scene, rank: int | None, ranks: Mapping[int, str]) -> str:
    """What is going on, in one line."""
    turn = view.turn
    if view.phase == "selection":
        now = _("Characters are being chosen.")
    elif turn is not None and scene.is_you(turn.seat):
        now = _("Your turn: {rank} {character}.").format(
            rank=turn.rank, character=cards.character(turn.character)
        )
    elif turn is not None:
        now = _("{name} has the turn: {rank} {character}.").format(
            name=scene.name(turn.seat),
            rank=turn.rank,
            character=cards.character(turn.character),
        )
    elif rank is not None and rank in ranks and ranks[rank] in CHARACTERS:
        now = _("Called: {rank} {character}.").format(
            rank=rank, character=cards.character(ranks[rank])
        )
    elif view.phase in ("scoring", "over"):
        now = _("The match is over.")
    else:
        now = _("The characters are called.")
    head = _("Round {round}.").format(round=view.round)
    last = " " + _("The last round.") if view.ends else ""
    return f"{head}{last} {now}"


#: cells of the bar that shows how far long work has come
BAR = 12

#: kind of ask → what somebody else is doing meanwhile
AWAITED: dict[str, str] = {
    "character": N_("{name} chooses a character."),
    "discard_character": N_("{name} chooses a character."),
    "gather": N_("{name} chooses between gold and cards."),
    "act": N_("{name} decides what to do."),
    "keep": N_("{name} looks at cards and keeps some."),
    "discard": N_("{name} chooses cards to discard."),
    "bewitch": N_("{name} chooses whom to bewitch."),
    "warrants": N_("{name} puts warrants on characters."),
    "threats": N_("{name} puts threats on characters."),
    "bribe": N_("{name} is threatened and may pay."),
    "threaten": N_("{name} may turn a threat over."),
    "sign": N_("{name} decides in secret which marker is the true one."),
    "custody": N_("{name} may take a district over."),
    "peeked": N_("{name} looks into a hand."),
    "count": N_("{name} looks into a hand."),
    "counted": N_("{name} checks the count."),
    "crown": N_("{name} chooses who gets the crown."),
    "tribute": N_("{name} pays for the crown."),
    "give": N_("{name} chooses cards to give away."),
    "pay_cards": N_("{name} chooses cards to pay with."),
    "borrow": N_("{name} borrows gold to build."),
    "den_price": N_("{name} chooses how to pay for a district."),
    "theater": N_("{name} may exchange a character."),
    "respond": N_("{name} may answer what has happened."),
    "fetch": N_("{name} searches the deck."),
}


def awaited(whom: Awaited | None, work: Notice | None, scene: Scene) -> str:
    """Why nothing is asked of you: somebody else decides, or work goes on."""
    if work is not None:
        return notice(work, scene)
    if whom is None or scene.is_you(whom.seat):
        return _("One moment…")
    sentence = AWAITED.get(whom.kind, N_("{name} decides something."))
    return _(sentence).format(name=scene.name(whom.seat))


def time_left(seconds: int) -> str:
    """The time left for the open question, as mm:ss or seconds."""
    minutes, rest = divmod(seconds, 60)
    if minutes:
        return _("{minutes}:{seconds:02d} left").format(minutes=minutes, seconds=rest)
    return counted("{count} s left", count=rest)


def time_waited(seconds: int) -> str:
    """For how long somebody has thought, as mm:ss or seconds."""
    minutes, rest = divmod(seconds, 60)
    if minutes:
        return _("for {minutes}:{seconds:02d}").format(minutes=minutes, seconds=rest)
    return counted("for {count} s", count=rest)


def bar(work: Notice | None, full: str, empty: str) -> str:
    """How far long work has come, in these signs; '' where there is none."""
    done, of = (None, None) if work is None else map(work.fields.get, ("done", "of"))
    if not isinstance(done, int) or not isinstance(of, int) or of < 1:
        return ""
    cells = BAR * min(done, of) // of
    return full * cells + empty * (BAR - cells)


def number_of_more(count: int) -> str:
    """How many more lines there are than fit."""
    return counted("{count} more", count=count)
