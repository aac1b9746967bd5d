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
from cli.line.picking import Choice, Unclear, fold, pick
from cli.text import Scene, cards, label, refusal
from cli.text import lobby as lobby_text
from cli.text import rules as rules_text
from cli.text import table as table_text
from cli.text.table import Box

#: lines shown by `log` without a number
LOG_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Sight:
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


def tell(command: Command, rest: str, sight: Sight) -> tuple[str, ...]:
    """The answer to a command that only asks."""
    if command.where == "match" and sight.view is None:
        return (_("The match has not begun."),)
    return _ANSWERS[command.name](rest, sight)


def is_question(command: Command) -> bool:
    """Whether `tell` answers it; the others act."""
    return command.name in _ANSWERS


Teller = Callable[[str, Sight], tuple[str, ...]]


def _of_view(show: Callable[[View, Sight], tuple[str, ...]]) -> Teller:
    def answer(rest: str, sight: Sight) -> tuple[str, ...]:
        return show(sight.view, sight) if sight.view is not None else ()

    return answer


def _table(rest: str, sight: Sight) -> tuple[str, ...]:
    if sight.view is not None:
        seats = () if sight.lobby is None else sight.lobby.seats
        doubts = {seat.seat: seat.suspected for seat in seats}
        return table_text.table(sight.view, sight.scene, doubts)
    if sight.lobby is not None:
        return lobby_text.lobby(sight.lobby)
    return (_("There is no table yet."),)


def _city(rest: str, sight: Sight) -> tuple[str, ...]:
    view = sight.view
    if view is None:
        return ()
    seat: int | Unclear | None = view.you.seat if view.you else None
    if rest:
        seat = pick(rest, [Choice((name,)) for name in sight.scene.names])
    elif seat is None:
        return tuple(table_text.city(one, view, sight.scene) for one in view.seats)
    if isinstance(seat, Unclear) or seat is None or seat >= len(view.seats):
        return (_("Nobody of that name sits here."),)
    return (table_text.city(view.seats[seat], view, sight.scene),)


def _card(rest: str, sight: Sight) -> tuple[str, ...]:
    found = find_card(rest)
    if isinstance(found, Unclear):
        return (which_card(found),)
    return table_text.describe(found, sight.box)


_CARDS = (*CHARACTERS, *DISTRICTS)


def find_card(name: str) -> str | Unclear:
    """The id of the district or character of this name, or beginning of a name."""
    found = pick(name, [Choice((cards.source(code), code)) for code in _CARDS])
    return found if isinstance(found, Unclear) else _CARDS[found]


def which_card(unclear: Unclear) -> str:
    """Ask back when `find_card` is not sure."""
    if not unclear.among:
        return _("There is no card of that name.")
    meant = ", ".join(cards.source(_CARDS[index]) for index in unclear.among)
    return _("Which one: {names}?").format(names=meant)


def _why(rest: str, sight: Sight) -> tuple[str, ...]:
    """Impossible things are numbered on from the possible ones."""
    ask = sight.ask
    if ask is None:
        return (_("Nothing is asked of you now."),)
    barred = ask.barred
    if not rest and not barred:
        return (_("Only what is listed is possible now."),)
    if not rest:
        first = len(ask.options) + 1
        lines = [
            f"{number}. {_because(entry, sight)}" for number, entry in enumerate(barred, first)
        ]
        return tuple(lines)
    entries = [label(option, sight.scene) for option in ask.options]
    entries += [label(entry.option, sight.scene) for entry in barred]
    found = pick(rest, [Choice((name,)) for name in entries])
    if isinstance(found, Unclear):
        return _of_hand(rest, sight)
    if found < len(ask.options):
        return (_("It is possible: {choice}.").format(choice=entries[found]),)
    return (_because(barred[found - len(ask.options)], sight),)


def _of_hand(name: str, sight: Sight) -> tuple[str, ...]:
    """What stands against building a card of my hand, as far as the open table tells."""
    view, card = sight.view, find_card(name)
    mine = table_text.my_seat(view) if view is not None else None
    if view is None or view.you is None or mine is None or isinstance(card, Unclear):
        return (_("That is not one of the choices, possible or not."),)
    if card not in {held.card for held in view.you.hand}:
        return (_("You do not have {card} in your hand.").format(card=cards.source(card)),)
    owned = [standing.card for standing in mine.city]
    return (table_text.hand_card(card, sight.box, mine.gold, owned) + ".",)


def _because(entry: Barred, sight: Sight) -> str:
    reason = refusal(entry.reason, entry.fields, sight.scene)
    return _("{choice}: {reason}").format(
        choice=label(entry.option, sight.scene), reason=reason
    )


def _log(rest: str, sight: Sight) -> tuple[str, ...]:
    count = int(rest) if rest.isdecimal() and len(rest) < 6 else LOG_SHOWN
    return tuple(sight.log)[-count:] if count else ()


def _words(rest: str, sight: Sight) -> tuple[str, ...]:
    return lobby_text.safety_words(sight.lobby)


def _help(rest: str, sight: Sight) -> tuple[str, ...]:
    place = "lobby" if sight.view is None else "match"
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
    if sight.lobby is not None and sight.lobby.words:
        lines += lobby_text.safety(sight.lobby)
    return tuple(lines)


def _options(rest: str, sight: Sight) -> tuple[str, ...]:
    if sight.lobby is None:
        return (_("There is no table yet."),)
    return (*lobby_text.proposed(sight.lobby), *lobby_text.patience(sight.lobby))


_ANSWERS: dict[str, Teller] = {
    "options": _options,
    "hand": _of_view(lambda view, sight: (table_text.my_hand(view, sight.box, sight.lobby),)),
    "table": _table,
    "city": _city,
    "gold": _of_view(lambda view, sight: table_text.purses(view, sight.scene)),
    "called": _of_view(lambda view, sight: table_text.called(view, sight.scene)),
    "crown": _of_view(lambda view, sight: (table_text.crown(view, sight.scene),)),
    "score": _of_view(lambda view, sight: table_text.points(view, sight.scene)),
    "card": _card,
    "rules": lambda rest, sight: rules_text.summary(sight.box.edition),
    "why": _why,
    "log": _log,
    "words": _words,
    "help": _help,
}
