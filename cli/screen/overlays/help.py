"""Help: first about what is to be decided now, then the keys, all from the command table."""

from __future__ import annotations

from collections.abc import Collection

from cli.client.client_model import ClientModel
from cli.i18n import N_, _
from cli.line.command_table import COMMANDS, in_words, plain_arrows, shown_key
from cli.screen.look import Look
from cli.screen.overlays.reading import Reading
from cli.text import cards
from cli.text import rules as rules_text
from cli.text.cells import Row, Span, line, wrap
from cli.text.guide import advice
from cli.text.lobby import safety

#: keys that are no commands
_KEYS = (
    ("↑ ↓", N_("go through the choices")),
    ("1 2 3 …", N_("go to the choice of that number; open a group, tick a card")),
    ("0   91 92 …", N_("in your turn: go to its end; to the ninth line and those after it")),
    ("Enter", N_("take the choice; open a group; say yes")),
    ("Esc", N_("one step back, as long as nothing is sent")),
    ("Tab", N_("spell out the next city")),
)
#: those of them that only a match has
_OF_A_TURN = (_KEYS[2], _KEYS[5])


class Help(Reading):
    """What is to be decided now, the keys of this page, and the rules in short."""

    heading = N_("Help")
    shuts = ("?", "f1")

    def __init__(self, model: ClientModel, place: str) -> None:
        """`place`: where its commands are said, as the command table has it."""
        super().__init__()
        self._model = model
        self._place = place

    def rows(self, look: Look, width: int) -> tuple[Row, ...]:
        rows: list[Row] = []
        for text in () if self._place == "replay" else self._now():
            rows += [line(part) for part in wrap(text, width)]
        rows += [()] if rows else []
        if self._model.lobby is not None and self._model.lobby.words:
            words, aloud = safety(self._model.lobby)
            rows += [line(part, "heading") for part in wrap(words, width)]
            rows += [*(line(part) for part in wrap(aloud, width)), ()]
        rows += [line(_("Keys"), "heading")]
        kept = () if self._model.may_talk else ("say",)
        for keys, meaning in (*self._base_keys(), *_commands(self._place, kept)):
            printed = in_words(keys)
            rows += _entry(plain_arrows(printed) if look.ascii else printed, meaning, width)
        rows += [(), line(_("District types"), "heading")]
        for kind in look.signs.quarters:
            rows.append((Span(f"{look.quarter(kind)} ", kind), Span(cards.quarter(kind))))
        rows += [(), line(_("Signs"), "heading")]
        for sign, meaning in _signs(look):
            rows += _entry(sign, meaning, width)
        rows += [(), line(_("The rules in short"), "heading")]
        for text in rules_text.of_table(self._model.box.edition, self._model.lobby):
            rows += [line(part) for part in wrap(text, width, "  ")]
        return tuple(rows)

    def _now(self) -> tuple[str, ...]:
        model = self._model
        if self._place == "nearby":
            return (_("Choose a table to sit down at, or begin a game of your own."),)
        if self._place == "lobby":
            return (_("The match begins when all are ready and the host begins it."),)
        return advice(model.ask, model.view, model.box, model.scene)

    def _base_keys(self) -> tuple[tuple[str, str], ...]:
        known: tuple[tuple[str, str], ...] = _KEYS
        if self._place == "replay":  # arrows are commands there
            known = _KEYS[-1:]
        if self._place in ("nearby", "lobby"):
            known = tuple(key for key in _KEYS if key not in _OF_A_TURN)
        return tuple((keys, _(meaning)) for keys, meaning in known)


def _signs(look: Look) -> tuple[tuple[str, str], ...]:
    """The signs of seats and characters, and what they say."""
    signs = look.signs
    marks = {
        "murder": _("murdered: stays silent in this round"),
        "witchcraft": _("bewitched: another plays its turn"),
        "theft": _("to be robbed at its call, or robbed"),
        "warrants": _("bears a warrant, or something of it is confiscated"),
        "threats": _("bears a threat, or the threat is real"),
    }
    return (
        (signs.crown, _("has the crown")),
        (signs.focus, _("has the turn; the choice that Enter takes")),
        (signs.away, _("is away")),
        (signs.doubt, _("before a name: owes the table an answer")),
        ("?", _("a character that is not known yet")),
        ("(…)", _("your own character, which nobody else knows yet")),
        (signs.out, _("out of this round, face up")),
        (signs.barred, _("called already; not possible now")),
        *((signs.marks[purpose], meaning) for purpose, meaning in marks.items()),
        (signs.true, _("behind a marker of your own: the true one")),
    )


def _entry(keys: str, meaning: str, width: int) -> list[Row]:
    first, *more = wrap(meaning, max(10, width - 18))
    rows: list[Row] = [(Span(f"{keys:<16}  ", "key"), Span(first))]
    return rows + [line(" " * 18 + text) for text in more]


#: places where nobody else is
_ALONE = ("nearby", "replay")
#: commands that need somebody else
_SHARED = ("say", "words")


def _commands(place: str, kept: Collection[str]) -> tuple[tuple[str, str], ...]:
    """The keys that do something here; those in `kept` do not, for this person."""
    return tuple(
        ("  ".join(map(shown_key, command.keys)), _(command.help))
        for command in COMMANDS
        if command.keys
        and command.where in ("anywhere", place)
        and command.name not in kept
        and not (command.name in _SHARED and place in _ALONE)
    )
