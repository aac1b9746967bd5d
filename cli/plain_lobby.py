"""The lobby as lines: a numbered list, forms to fill in by number, and any command typed out.

Append only, like the plain table. A number means the same thing for as long as its list is the
last one shown; a table that appears later gets the next number.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TypeAlias

from cli.acts import Print, Prompt
from cli.form import Form
from cli.i18n import _
from cli.lobby import Entry, Lobby, empty_handed
from cli.picking import Choice, Unclear, pick
from cli.text import listing
from cli.text.game import field_name, member_name, option_value


@dataclass(frozen=True, slots=True)
class Run:
    """Run a command of the command line."""

    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Depart:
    """Leave the program."""


Deed: TypeAlias = Print | Prompt | Run | Depart
Deeds: TypeAlias = tuple[Deed, ...]

PROMPT = Prompt("> ")
#: words that lead back from a form
BACK = ("back", "b")


class PlainLobby:
    """The machine behind the lines. `commands`: words that begin a command line."""

    def __init__(self, lobby: Lobby, commands: frozenset[str]) -> None:
        self._lobby = lobby
        self._commands = commands
        self._shown: list[Entry] = []
        self._form: Form | None = None
        self._asks_address = False

    def greet(self) -> Deeds:
        """Before the network has answered."""
        return _print(_("Citadels: the lobby. Looking for tables on this network…"))

    def hear(self, lobby: Lobby) -> Deeds:
        """The lobby has changed; the first time the whole list is shown."""
        before, self._lobby = self._lobby, lobby
        if not self._shown:
            looked = lobby.tables is not None or lobby.trouble
            return self.show() if looked else ()
        if self._form is not None or self._asks_address:
            return ()  # told with the next list; nothing comes between question and answer
        keys = {entry.key: place for place, entry in enumerate(self._shown)}
        lines = []
        for entry in (*lobby.matches, *lobby.nearby):
            if entry.key not in keys:
                self._shown.append(entry)
                appeared = _("A table is here: {number}. {table}")
                shown = appeared.format(number=len(self._shown), table=_line(entry))
                lines.append(shown)
            elif self._shown[keys[entry.key]] != entry:
                self._shown[keys[entry.key]] = entry
                lines.append(f"{keys[entry.key] + 1}. {_line(entry)}")
        now = {entry.key for entry in lobby.entries}
        for entry in before.nearby:
            if entry.key not in now:
                lines.append(_("Gone: {table}").format(table=entry.title))
        if lobby.trouble and lobby.trouble != before.trouble:
            lines.append(lobby.trouble)
        return (*_print(*lines), PROMPT) if lines else ()

    @property
    def is_ready(self) -> bool:
        """Whether there is a list that a typed line can be about."""
        return bool(self._shown)

    def return_to(self) -> None:
        """The person comes back from a table: the next thing to say is a whole list."""
        self._shown, self._form, self._asks_address = [], None, False

    def show(self) -> Deeds:
        """The whole list, numbered anew."""
        self._form, self._asks_address = None, False
        self._shown = list(self._lobby.entries)
        lines = ["", _("You are {name}.").format(name=self._lobby.name)]
        lines += empty_handed(self._lobby)
        lines += [f"{number}. {_line(entry)}" for number, entry in enumerate(self._shown, 1)]
        lines.append(_("Choose a number, or type a command; help lists the commands."))
        return (*_print(*lines), PROMPT)

    def read(self, line: str) -> Deeds:
        """The person typed a line."""
        typed = line.strip()
        if self._form is not None:
            return self._fill(self._form, typed)
        if self._asks_address:
            self._asks_address = False
            return self.show() if typed.casefold() in ("", *BACK) else (Run(("join", typed)),)
        if not typed:
            return self.show()
        for entry in self._shown:
            if entry.title.casefold() == typed.casefold():
                return self._choose(entry)
        word = typed.split()[0].casefold()
        if word in ("help", "?"):
            return (Run(("--help",)), PROMPT)
        if word in ("quit", "exit", "leave"):
            return (Depart(),)
        if word in ("tables", "again"):
            return self.show()
        if word in self._commands:
            return self._typed_command(typed)
        found = pick(typed, [Choice((entry.title, entry.kind)) for entry in self._shown])
        if isinstance(found, Unclear):
            return _ask_again(found, [entry.title for entry in self._shown])
        return self._choose(self._shown[found])

    def _typed_command(self, typed: str) -> Deeds:
        try:
            return (Run(tuple(shlex.split(typed))),)
        except ValueError:
            return (*_print(_("A quotation mark is open in that line.")), PROMPT)

    def _choose(self, entry: Entry) -> Deeds:
        if entry.key not in {one.key for one in self._lobby.entries}:
            return (*_print(_("Gone: {table}").format(table=entry.title)), PROMPT)
        if entry.barred:
            return (*_print(f"{entry.title}: {entry.barred}"), PROMPT)
        match entry.kind:
            case "host" | "play":
                self._form = Form.of_command(entry.kind)
                return self._show_form(self._form)
            case "address":
                self._asks_address = True
                asked = _("The host's address or join code? (Enter: back)")
                return (*_print(asked), PROMPT)
            case "rules" | "settings":
                return (Run((entry.kind,)), *self.show())
            case "quit":
                return (Depart(),)
        return (Run(entry.line),)

    # The form

    def _show_form(self, form: Form) -> Deeds:
        lines = [""]
        for number, field in enumerate(form.fields, 1):
            value = form.shown(field.name) or _("as usual")
            lines.append(f"{number}. {field_name(field.name)}: {value}")
        lines.append(_("Change a line with its number and a value, as in: seats 5."))
        lines.append(_("Enter begins; a number alone shows what it may be; back leaves."))
        return (*_print(*lines), PROMPT)

    def _fill(self, form: Form, typed: str) -> Deeds:
        if typed.casefold() in BACK:
            return self.show()
        if not typed:
            option, why = form.refusal()
            if why:
                return (*_print(f"{field_name(option)}: {why}"), PROMPT)
            self._form = None
            return (Run(form.line()),)
        first, _space, rest = typed.partition(" ")
        names = [field.name for field in form.fields]
        found = pick(first, [Choice((field_name(name), name)) for name in names])
        if isinstance(found, Unclear):
            return _ask_again(found, [field_name(name) for name in names])
        if not rest.strip() and form.field(names[found]).kind != "switch":
            return (*_print(*_possible(form, names[found])), PROMPT)
        return self._change(form, names[found], rest.strip())

    def _change(self, form: Form, name: str, text: str) -> Deeds:
        asked = form.field(name)
        if asked.kind == "switch":
            form = form.stepped(name, 1)
        elif asked.kind == "several":
            codes = [str(choice) for choice in asked.choices]
            found = pick(text, [Choice((member_name(code), code)) for code in codes])
            if isinstance(found, Unclear):
                return _ask_again(found, [member_name(code) for code in codes])
            form = form.toggled(name, codes[found])
        else:
            try:
                form = form.typed(name, text)
            except ValueError as problem:
                return (*_print(str(problem)), PROMPT)
        self._form = form
        option, why = form.refusal()
        warning = (f"{field_name(option)}: {why}",) if why else ()
        value = form.shown(name) or _("as usual")
        return (*_print(f"{field_name(name)}: {value}", *warning), PROMPT)


def _possible(form: Form, name: str) -> tuple[str, ...]:
    """What a field may be."""
    asked = form.field(name)
    if asked.kind == "several":
        chosen = set(form.picked(name))
        marked = [
            _("{name} (chosen)").format(name=member_name(str(code)))
            if code in chosen
            else member_name(str(code))
            for code in asked.choices
        ]
        return (asked.help, listing(marked))
    known = [option_value(name, choice) for choice in asked.choices if choice is not None]
    return (asked.help, ", ".join(known)) if known else (asked.help,)


def _line(entry: Entry) -> str:
    verb = {
        "resume": _("Go on with {table}"),
        "join": _("Sit down at {table}"),
        "watch": _("Look on at {table}"),
    }.get(entry.kind)
    title = entry.title if verb is None else verb.format(table=entry.title)
    return f"{title} ({entry.detail})" if entry.detail else title


def _ask_again(unclear: Unclear, names: list[str]) -> Deeds:
    if unclear.among:
        meant = listing([names[place] for place in unclear.among])
        line = _("That may mean {choices}. Say it more exactly.").format(choices=meant)
    else:
        line = _("That is none of the choices. Press Enter to see them again.")
    return (*_print(line), PROMPT)


def _print(*lines: str) -> tuple[Print, ...]:
    return tuple(Print(line) for line in lines)
