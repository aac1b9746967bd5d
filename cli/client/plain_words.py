"""What may be typed at the plain table at any time, and the answers that change nothing.

The words are those of the command table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from citadels_p2p.cards import CHARACTERS, DISTRICTS
from citadels_p2p.match import Barred
from citadels_p2p.rules.view import View
from cli.client.client_model import ClientModel
from cli.i18n import N_, _, is_ascii
from cli.line import words
from cli.line.command_table import BY_WORD, COMMANDS, Command
from cli.line.picking import Unclear, fold, pick
from cli.share import qr
from cli.text import cards, label, refusal
from cli.text import lobby as lobby_text
from cli.text import rules as rules_text
from cli.text import table as table_text
from cli.text.asking import joined
from cli.text.guess import did_you_mean
from cli.text.scene import shown
from cli.text.stakes import stakes

#: notices after which something may be typed
HOW = {
    "resting": N_("Type return to play it yourself again."),
    "elsewhere": N_("Or type takeover to go on here instead."),
}

#: notices that are in the log too
LOGGED = frozenset({"suspected", "cleared", "hosting", "elsewhere", "taking_over"})
#: notices that do not wait for an answer to the open question: it might lead nowhere
URGENT = frozenset({"elsewhere", "taking_over"})

#: what each of our languages is called in the others
LANGUAGES = {
    "en": N_("English"),
    "ru": N_("Russian"),
    "uk": N_("Ukrainian"),
    "fr": N_("French"),
}
#: sentences remembered for `log`
LOG = 500
#: lines shown by `log` without a number
LOG_SHOWN = 10


def find(typed: str) -> tuple[Command | None, str]:
    """The command that a line begins with, and the rest of the line."""
    first, _space, rest = typed.strip().partition(" ")
    word = fold(first)
    return BY_WORD.get(words.by_word().get(word, word)), rest.strip()


def tell(
    command: Command, rest: str, model: ClientModel, log: Sequence[str], *, on_light: bool
) -> tuple[str, ...]:
    """The answer to a command that only asks; `log`: what has been told so far, `on_light`:
    whether the terminal is a light one.
    """
    if command.where == "match" and model.view is None:
        return (_("The match has not begun."),)
    if command.name == "code":
        return _code(model, on_light=on_light)
    return _log(rest, log) if command.name == "log" else _ANSWERS[command.name](rest, model)


def is_question(command: Command) -> bool:
    """Whether `tell` answers it; the others act."""
    return command.name in _ANSWERS or command.name in ("log", "code")


Teller = Callable[[str, ClientModel], tuple[str, ...]]


def _of_view(show: Callable[[View, ClientModel], tuple[str, ...]]) -> Teller:
    def answer(rest: str, model: ClientModel) -> tuple[str, ...]:
        return show(model.view, model) if model.view is not None else ()

    return answer


def _table(rest: str, model: ClientModel) -> tuple[str, ...]:
    if model.view is not None:
        seats = () if model.lobby is None else model.lobby.seats
        doubts = {seat.seat: seat.suspected for seat in seats}
        return table_text.table(model.view, model.scene, doubts)
    if model.lobby is not None:
        return lobby_text.lobby(model.lobby)
    return (_("There is no table yet."),)


def _city(rest: str, model: ClientModel) -> tuple[str, ...]:
    view = model.view
    if view is None:
        return ()
    seat: int | Unclear | None = view.you.seat if view.you else None
    if rest:
        seat = pick(rest, [(name,) for name in model.scene.names])
    elif seat is None:
        return tuple(table_text.city(one, view, model.scene) for one in view.seats)
    if isinstance(seat, Unclear) or seat is None or seat >= len(view.seats):
        return (_("Nobody of that name sits here."),)
    return (table_text.city(view.seats[seat], view, model.scene),)


def _card(rest: str, model: ClientModel) -> tuple[str, ...]:
    found = find_card(rest)
    if isinstance(found, Unclear):
        return (which_card(found),)
    return table_text.describe(found, model.box)


def _cards() -> tuple[str, ...]:
    """All that there are now: a house box may have brought some."""
    return (*CHARACTERS, *DISTRICTS)


def find_card(name: str) -> str | Unclear:
    """The id of the district or character of this name, or beginning of a name."""
    known = _cards()
    found = pick(name, [(cards.source(code), code) for code in known])
    return found if isinstance(found, Unclear) else known[found]


def which_card(unclear: Unclear) -> str:
    """Ask back when `find_card` is not sure."""
    known = _cards()
    if not unclear.among:
        names = {
            name: cards.source(code) for code in known for name in (cards.source(code), code)
        }
        typed = shown(unclear.typed)
        missing = _("There is no card called {name}.").format(name=typed or "?")
        return missing + did_you_mean(typed, names)
    meant = ", ".join(cards.source(known[index]) for index in unclear.among)
    return _("Which one: {names}?").format(names=meant)


def _why(rest: str, model: ClientModel) -> tuple[str, ...]:
    """Why something is impossible. Impossible options are numbered after the possible ones."""
    ask = model.ask
    if ask is None:
        return (_("Nothing is asked of you now."),)
    barred = ask.barred
    if not rest and not barred:
        return (_("Only what is listed is possible now."),)
    if not rest:
        first = len(ask.options) + 1
        lines = [
            f"{number}. {_because(entry, model)}" for number, entry in enumerate(barred, first)
        ]
        return tuple(lines)
    entries = [label(option, model.scene) for option in ask.options]
    entries += [label(entry.option, model.scene) for entry in barred]
    found = pick(rest, [(name,) for name in entries])
    if isinstance(found, Unclear):
        return _of_hand(rest, model)
    if found < len(ask.options):
        return (_("It is possible: {choice}.").format(choice=entries[found]),)
    return (_because(barred[found - len(ask.options)], model),)


def _of_hand(name: str, model: ClientModel) -> tuple[str, ...]:
    """Why a card of my hand cannot be built, as far as the public state tells."""
    view, card = model.view, find_card(name)
    if view is None or view.you is None or isinstance(card, Unclear):
        return (_("That is not one of the choices, possible or not."),)
    if card not in {held.card for held in view.you.hand}:
        return (_("You do not have {card} in your hand.").format(card=cards.source(card)),)
    return (table_text.hand_card(card, model.box, view) + ".",)


def _because(entry: Barred, model: ClientModel) -> str:
    reason = refusal(entry.reason, entry.fields, model.scene)
    return joined(label(entry.option, model.scene), reason)


def _log(rest: str, log: Sequence[str]) -> tuple[str, ...]:
    count = int(rest) if rest.isdecimal() and len(rest) < 6 else LOG_SHOWN
    return tuple(log)[-count:] if count else ()


def _code(model: ClientModel, *, on_light: bool) -> tuple[str, ...]:
    news = model.lobby
    lines = lobby_text.ways_in(news)
    if news is None or not news.code or lobby_text.is_alone(news):
        return lines
    picture = qr.rows(news.code, ascii_only=is_ascii(), on_light=on_light)
    return ("", *(f"  {row}" for row in picture), "", *lines)


def _help(rest: str, model: ClientModel) -> tuple[str, ...]:
    place = "lobby" if model.view is None else "match"
    lines = [
        _("Answer a question with its number or with a name; several with commas."),
        _("Besides, you may type:"),
    ]
    for command in COMMANDS:
        if command.typed and command.where in ("anywhere", place):
            argument = f" {_(command.argument)}" if command.argument else ""
            known = dict.fromkeys((*words.local(command.name), command.name))
            about = f"{', '.join(known)}{argument}"
            lines.append("  " + joined(about, _(command.help)))
    if model.lobby is not None and model.lobby.words:
        lines += lobby_text.safety(model.lobby)
    return tuple(lines)


def _options(rest: str, model: ClientModel) -> tuple[str, ...]:
    if model.lobby is None:
        return (_("There is no table yet."),)
    return (*lobby_text.proposed(model.lobby), *lobby_text.patience(model.lobby))


def _called(view: View, model: ClientModel) -> tuple[str, ...]:
    signed = dict(view.you.signed) if view.you is not None else {}
    lies = stakes(model.stakes.on, model.scene, signed)
    return (*table_text.called(view, model.scene), *lies)


_ANSWERS: dict[str, Teller] = {
    "options": _options,
    "hand": _of_view(lambda view, model: (table_text.my_hand(view, model.box, model.lobby),)),
    "table": _table,
    "city": _city,
    "gold": _of_view(lambda view, model: table_text.purses(view, model.scene)),
    "called": _of_view(_called),
    "crown": _of_view(lambda view, model: (table_text.crown(view, model.scene),)),
    "score": _of_view(lambda view, model: table_text.points(view, model.scene)),
    "card": _card,
    "rules": lambda rest, model: rules_text.of_table(model.box.edition, model.lobby),
    "why": _why,
    "words": lambda rest, model: lobby_text.safety_words(model.lobby),
    "help": _help,
}
