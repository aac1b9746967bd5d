"""The lobby as lines: a numbered list, forms to fill in by number, and any command typed out.

Append only, like the plain table. A number means the same thing for as long as its list is the
last one shown; a table that appears later gets the next number.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TypeAlias

from cli.client.effects import PROMPT, Print, Prompt, printed
from cli.client.lobby import Lobby, LobbyEntry, empty_handed
from cli.client.plain_words import find
from cli.i18n import _
from cli.line import form_lines, words
from cli.line.form import Form
from cli.line.picking import Unclear, fold, pick
from cli.text import spoken
from cli.text.asking import joined


@dataclass(frozen=True, slots=True)
class Run:
    """Run a command of the command line."""

    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LeaveLobby:
    """Leave the program."""


LobbyEffect: TypeAlias = Print | Prompt | Run | LeaveLobby
LobbyEffects: TypeAlias = tuple[LobbyEffect, ...]


class PlainLobby:
    """The machine behind the lines. `commands`: words that begin a command line."""

    def __init__(self, lobby: Lobby, commands: frozenset[str]) -> None:
        self._lobby = lobby
        self._commands = commands
        self._shown: list[LobbyEntry] = []
        self._form: Form | None = None
        self._asks_address = False

    def greet(self) -> LobbyEffects:
        """Before the network has answered."""
        return printed(_("Citadels: the lobby. Looking for tables on this network…"))

    def hear(self, lobby: Lobby) -> LobbyEffects:
        """The lobby has changed; the first time the whole list is shown."""
        before, self._lobby = self._lobby, replace(lobby, unfolded=self._lobby.unfolded)
        if not self._shown:
            looked = lobby.tables is not None or lobby.trouble
            return self.show() if looked else ()
        if self._form is not None or self._asks_address:
            return ()  # told with the next list; nothing comes between question and answer
        keys = {entry.key: place for place, entry in enumerate(self._shown)}
        lines = []
        for entry in (*self._lobby.matches, *lobby.nearby):
            if entry.key not in keys:
                self._shown.append(entry)
                appeared = _("A table is here: {number}. {table}")
                shown = appeared.format(number=len(self._shown), table=_line(entry))
                lines.append(shown)
            elif self._shown[keys[entry.key]] != entry:
                self._shown[keys[entry.key]] = entry
                lines.append(f"{keys[entry.key] + 1}. {_line(entry)}")
        now = {entry.key for entry in self._lobby.entries}
        for entry in before.nearby:
            if entry.key not in now:
                lines.append(_("Gone: {table}").format(table=entry.title))
        if lobby.trouble and lobby.trouble != before.trouble:
            lines.append(lobby.trouble)
        return (*printed(*lines), PROMPT) if lines else ()

    @property
    def is_ready(self) -> bool:
        """Whether there is a list that a typed line can be about."""
        return bool(self._shown)

    def return_to(self) -> None:
        """The person comes back from a table: show the whole list next."""
        self._shown, self._form, self._asks_address = [], None, False

    def show(self) -> LobbyEffects:
        """The whole list, numbered anew."""
        self._form, self._asks_address = None, False
        self._shown = list(self._lobby.entries)
        lines = ["", _("You are {name}.").format(name=self._lobby.name)]
        lines += empty_handed(self._lobby)
        lines += [f"{number}. {_line(entry)}" for number, entry in enumerate(self._shown, 1)]
        lines.append(_("Choose a number, or type a command; help lists the commands."))
        return (*printed(*lines), PROMPT)

    def read(self, line: str) -> LobbyEffects:
        typed = line.strip()
        if self._form is not None:
            return self._fill(self._form, typed)
        if self._asks_address:
            self._asks_address = False
            return (
                self.show() if not typed or words.leads_back(typed) else (Run(("join", typed)),)
            )
        if not typed:
            return self.show()
        for entry in self._shown:
            if fold(entry.title) == fold(typed):
                return self._choose(entry)
        word = fold(typed.split()[0])
        if word == "tables":
            return self.show()
        first, _space, rest = typed.partition(" ")
        if first.casefold() in ("join", "watch", "resume") and rest.strip().isdecimal():
            return self._numbered(first.casefold(), int(rest))
        if first.casefold() in ("join", "watch") and spoken.looks_like_one(rest):
            return (Run((first.casefold(), rest)),)
        if spoken.looks_like_one(typed):
            return (Run(("join", typed)),)
        if word in self._commands:
            return self._typed_command(typed)
        command, _rest = find(typed)
        match command.name if command is not None else "":
            case "rules":
                return (Run(("rules",)), PROMPT)
            case "help":
                return (Run(("--help",)), PROMPT)
            case "quit":
                return (LeaveLobby(),)
            case "table" | "again":
                return self.show()
        found = pick(typed, [(entry.title, entry.kind) for entry in self._shown])
        if isinstance(found, Unclear):
            titles = [entry.title for entry in self._shown]
            return (*printed(form_lines.which(found, titles)), PROMPT)
        return self._choose(self._shown[found])

    def _numbered(self, verb: str, number: int) -> LobbyEffects:
        """`join 2`: the number is an entry of the list that was shown last."""
        if 1 <= number <= len(self._shown):
            entry = self._shown[number - 1]
            if verb == "watch" and entry.watch:
                return (Run(entry.watch),)
            if verb == entry.kind:
                return self._choose(entry)
        line = _("That is none of the choices. Press Enter to see them again.")
        return (*printed(line), PROMPT)

    def _typed_command(self, typed: str) -> LobbyEffects:
        try:
            return (Run(tuple(shlex.split(typed))),)
        except ValueError:
            return (*printed(_("A quotation mark is open in that line.")), PROMPT)

    def _choose(self, entry: LobbyEntry) -> LobbyEffects:
        if entry.key not in {one.key for one in self._lobby.entries}:
            return (*printed(_("Gone: {table}").format(table=entry.title)), PROMPT)
        if entry.barred:
            return (*printed(joined(entry.title, entry.barred)), PROMPT)
        match entry.kind:
            case "host" | "play":
                self._form = Form.of_command(entry.kind)
                return self._show_form(self._form)
            case "address":
                self._asks_address = True
                asked = _("The host's address, join code or words? (Enter: back)")
                return (*printed(asked), PROMPT)
            case "rules" | "settings" | "share" | "past":
                line = {"past": "history"}.get(entry.kind, entry.kind)
                return (Run((line,)), *self.show())
            case "unfold":
                self._lobby = replace(self._lobby, unfolded=True)
                return self.show()
            case "quit":
                return (LeaveLobby(),)
        return (Run(entry.line),)

    # The form

    def _show_form(self, form: Form) -> LobbyEffects:
        lines = ["", *form_lines.fields(form)]
        lines.append(_("Change a line with its number and a value, as in: seats 5."))
        lines.append(_("Enter begins; a number alone shows what it may be; back leaves."))
        return (*printed(*lines), PROMPT)

    def _fill(self, form: Form, typed: str) -> LobbyEffects:
        if words.leads_back(typed):
            return self.show()
        if not typed:
            why = form_lines.refusal(form)
            if why:
                return (*printed(*why), PROMPT)
            self._form = None
            return (Run(form.line()),)
        self._form, lines = form_lines.change(form, typed)
        return (*printed(*lines), PROMPT)


def _line(entry: LobbyEntry) -> str:
    verb = {
        "resume": _("Go on with {table}"),
        "join": _("Sit down at {table}"),
        "watch": _("Look on at {table}"),
    }.get(entry.kind)
    title = entry.title if verb is None else verb.format(table=entry.title)
    about = " · ".join(filter(None, (entry.about, entry.standing)))
    return f"{title} ({about})" if about else title
