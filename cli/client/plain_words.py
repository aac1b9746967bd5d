"""What may be typed at the plain table at any time, and the answers that change nothing.

The words are those of the command table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from citadels_p2p.cards import CHARACTERS, DISTRICTS
from citadels_p2p.match.news import Ask, Barred, TableNews
from citadels_p2p.rules.view import View
from cli.i18n import _
from cli.line import words
from cli.line.command_table import BY_WORD, COMMANDS, Command
from cli.line.picking import Nameable, Unclear, fold, pick
from cli.text import Scene, cards, label, refusal
from cli.text import lobby as lobby_text
from cli.text import rules as rules_text
from cli.text import table as table_text
from cli.text.table import Box

#: lines shown by `log` without a number
LOG_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Situation:
    """What the person can see at this moment."""

    scene: Scene
    box: Box
    view: View | None
    lobby: TableNews | None
    ask: Ask | None
    log: Sequence[str]


def find(typed: str) -> tuple[Command | None, str]:
    """The command that a line begins with, and the rest of the line."""
    first, _space, rest = typed.strip().partition(" ")
    word = fold(first)
    return BY_WORD.get(words.by_word().get(word, word)), rest.strip()


def tell(command: Command, rest: str, situation: Situation) -> tuple[str, ...]:
    """The answer to a command that only asks."""
    if command.where == "match" and situation.view is None:
        return (_("The match has not begun."),)
    return _ANSWERS[command.name](rest, situation)


def is_question(command: Command) -> bool:
    """Whether `tell` answers it; the others act."""
    return command.name in _ANSWERS


Teller = Callable[[str, Situation], tuple[str, ...]]


def _of_view(show: Callable[[View, Situation], tuple[str, ...]]) -> Teller:
    def answer(rest: str, situation: Situation) -> tuple[str, ...]:
        return show(situation.view, situation) if situation.view is not None else ()

    return answer


def _table(rest: str, situation: Situation) -> tuple[str, ...]:
    if situation.view is not None:
        seats = () if situation.lobby is None else situation.lobby.seats
        doubts = {seat.seat: seat.suspected for seat in seats}
        return table_text.table(situation.view, situation.scene, doubts)
    if situation.lobby is not None:
        return lobby_text.lobby(situation.lobby)
    return (_("There is no table yet."),)


def _city(rest: str, situation: Situation) -> tuple[str, ...]:
    view = situation.view
    if view is None:
        return ()
    seat: int | Unclear | None = view.you.seat if view.you else None
    if rest:
        seat = pick(rest, [Nameable((name,)) for name in situation.scene.names])
    elif seat is None:
        return tuple(table_text.city(one, view, situation.scene) for one in view.seats)
    if isinstance(seat, Unclear) or seat is None or seat >= len(view.seats):
        return (_("Nobody of that name sits here."),)
    return (table_text.city(view.seats[seat], view, situation.scene),)


def _card(rest: str, situation: Situation) -> tuple[str, ...]:
    found = find_card(rest)
    if isinstance(found, Unclear):
        return (which_card(found),)
    return table_text.describe(found, situation.box)


_CARDS = (*CHARACTERS, *DISTRICTS)


def find_card(name: str) -> str | Unclear:
    """The id of the district or character of this name, or beginning of a name."""
    found = pick(name, [Nameable((cards.source(code), code)) for code in _CARDS])
    return found if isinstance(found, Unclear) else _CARDS[found]


def which_card(unclear: Unclear) -> str:
    """Ask back when `find_card` is not sure."""
    if not unclear.among:
        return _("There is no card of that name.")
    meant = ", ".join(cards.source(_CARDS[index]) for index in unclear.among)
    return _("Which one: {names}?").format(names=meant)


def _why(rest: str, situation: Situation) -> tuple[str, ...]:
    """Impossible things are numbered on from the possible ones."""
    ask = situation.ask
    if ask is None:
        return (_("Nothing is asked of you now."),)
    barred = ask.barred
    if not rest and not barred:
        return (_("Only what is listed is possible now."),)
    if not rest:
        first = len(ask.options) + 1
        lines = [
            f"{number}. {_because(entry, situation)}"
            for number, entry in enumerate(barred, first)
        ]
        return tuple(lines)
    entries = [label(option, situation.scene) for option in ask.options]
    entries += [label(entry.option, situation.scene) for entry in barred]
    found = pick(rest, [Nameable((name,)) for name in entries])
    if isinstance(found, Unclear):
        return _of_hand(rest, situation)
    if found < len(ask.options):
        return (_("It is possible: {choice}.").format(choice=entries[found]),)
    return (_because(barred[found - len(ask.options)], situation),)


def _of_hand(name: str, situation: Situation) -> tuple[str, ...]:
    """What stands against building a card of my hand, as far as the open table tells."""
    view, card = situation.view, find_card(name)
    mine = table_text.my_seat(view) if view is not None else None
    if view is None or view.you is None or mine is None or isinstance(card, Unclear):
        return (_("That is not one of the choices, possible or not."),)
    if card not in {held.card for held in view.you.hand}:
        return (_("You do not have {card} in your hand.").format(card=cards.source(card)),)
    owned = [standing.card for standing in mine.city]
    return (table_text.hand_card(card, situation.box, mine.gold, owned) + ".",)


def _because(entry: Barred, situation: Situation) -> str:
    reason = refusal(entry.reason, entry.fields, situation.scene)
    return _("{choice}: {reason}").format(
        choice=label(entry.option, situation.scene), reason=reason
    )


def _log(rest: str, situation: Situation) -> tuple[str, ...]:
    count = int(rest) if rest.isdecimal() and len(rest) < 6 else LOG_SHOWN
    return tuple(situation.log)[-count:] if count else ()


def _words(rest: str, situation: Situation) -> tuple[str, ...]:
    return lobby_text.safety_words(situation.lobby)


def _help(rest: str, situation: Situation) -> tuple[str, ...]:
    place = "lobby" if situation.view is None else "match"
    lines = [
        _("Answer a question with its number or with a name; several with commas."),
        _("Besides, you may type:"),
    ]
    for command in COMMANDS:
        if command.typed and command.where in ("anywhere", place):
            argument = f" {_(command.argument)}" if command.argument else ""
            known = dict.fromkeys((*words.local(command.name), command.name))
            about = f"{', '.join(known)}{argument}"
            lines.append(
                "  " + _("{choice}: {reason}").format(choice=about, reason=_(command.help))
            )
    if situation.lobby is not None and situation.lobby.words:
        lines += lobby_text.safety(situation.lobby)
    return tuple(lines)


def _options(rest: str, situation: Situation) -> tuple[str, ...]:
    if situation.lobby is None:
        return (_("There is no table yet."),)
    return (*lobby_text.proposed(situation.lobby), *lobby_text.patience(situation.lobby))


_ANSWERS: dict[str, Teller] = {
    "options": _options,
    "hand": _of_view(
        lambda view, situation: (table_text.my_hand(view, situation.box, situation.lobby),)
    ),
    "table": _table,
    "city": _city,
    "gold": _of_view(lambda view, situation: table_text.purses(view, situation.scene)),
    "called": _of_view(lambda view, situation: table_text.called(view, situation.scene)),
    "crown": _of_view(lambda view, situation: (table_text.crown(view, situation.scene),)),
    "score": _of_view(lambda view, situation: table_text.points(view, situation.scene)),
    "card": _card,
    "rules": lambda rest, situation: rules_text.summary(situation.box.edition),
    "why": _why,
    "log": _log,
    "words": _words,
    "help": _help,
}
