"""A form for a game: every option of a command is a field with choices to step through.

The fields are the command's own flags, so that a new flag is a new field; the form ends as the
command line that it stands for. Values only: the screen and the plain lobby both show it.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from citadels_p2p import match
from citadels_p2p.cards import CHARACTERS, DISTRICTS, EDITIONS, PRESETS
from citadels_p2p.rules import Rules
from citadels_p2p.rules.choosing import LAST_RANK, RANDOM, rank_of
from cli.i18n import _
from cli.line import arguments, flags
from cli.line.flags import Parser
from cli.line.game_options import described
from cli.line.parser import build
from cli.line.picking import fold
from cli.text.game import WAITING, option_value, refused_game

Value: TypeAlias = str | int | float | bool | tuple[str, ...] | None

#: flags that settings or the shell decide, not a form
NOT_ASKED = frozenset({
    "help", "version", "name", "interface", "port", "seed", "pace", "json", "guided", "gallery",
})  # fmt: skip
#: the order in which people think of a game; further flags follow
ORDER = (
    "table",
    "edition",
    "preset",
    "seats",
    "bots",
    "bot_level",
    "city",
    "characters",
    "uniques",
    "draft",
    "characters_each",
)
#: what nearly everybody decides; the rest may be folded away
FIRST = frozenset(ORDER[:7])
#: choosing another edition forgets these
OF_EDITION = ("preset", "city", "characters", "uniques", "characters_each")


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that is asked.

    `kind`: "word" or "number" (one of `choices`, None among them where the edition may decide),
    "several" (a set of `choices`), "switch", or "text" (typed).
    """

    name: str
    kind: str
    choices: tuple[Value, ...]
    help: str


@dataclass(frozen=True, slots=True)
class Form:
    """The values chosen so far, for a command ("host", "play") or for a table's game ("")."""

    command: str
    values: Mapping[str, Value]
    _actions: Mapping[str, argparse.Action] = field(repr=False)

    @classmethod
    def of_command(cls, command: str) -> Form:
        """The form of a command, with every value as the command has it."""
        return cls._of(command, build().commands[command])

    @classmethod
    def of_table(cls, table: match.TableNews) -> Form:
        """The form of the game that a table proposes, and of how long it waits."""
        parser, waits = Parser(), table.patience
        flags.add(parser, flags.box())
        if waits is not None:
            flags.add(parser, flags.patience())
        empty = cls._of("", parser)
        now = {name: getattr(waits, name) for name in WAITING if name in empty.values}
        game = _options(Rules.from_options(table.options))
        return replace(empty, values={**empty.values, **game, **now})

    @classmethod
    def _of(cls, command: str, parser: argparse.ArgumentParser) -> Form:
        common = Parser()
        flags.add(common, (flags.everywhere(absent=None),))
        left_out = NOT_ASKED | {action.dest for action in common._actions}
        actions = {a.dest: a for a in parser._actions if a.dest not in left_out}
        return cls(command, {name: a.default for name, a in actions.items()}, actions)

    @property
    def fields(self) -> tuple[Field, ...]:
        """What is asked, in the order of asking; the edition decides about some."""
        first = [name for name in ORDER if name in self._actions]
        rest = [name for name in self._actions if name not in ORDER]
        found = (self.field(name) for name in (*first, *rest))
        return tuple(one for one in found if one.kind in ("text", "switch") or one.choices)

    def shown(self, name: str) -> str:
        """The value as people read it; "" where nothing is chosen."""
        value = self.values[name]
        if value is None and name not in ("characters", "uniques"):
            game = self._game()
            value = getattr(game, name, None)
        if value is None:
            return _("nobody") if name == "people" else ""
        return option_value(name, value)

    def written(self, name: str) -> str:
        """The value as it would be typed."""
        value = self.values[name]
        if isinstance(value, tuple):
            return ",".join(value)
        return "" if value is None else str(value)

    def is_usual(self, name: str) -> bool:
        """Whether nobody has chosen anything here."""
        return bool(self.values[name] == self._actions[name].default)

    def with_value(self, name: str, value: Value) -> Form:
        """Another value for one field, and what follows from it for others."""
        values = {**self.values, name: value}
        if name == "edition" and value != self.values["edition"]:
            values.update({one: None for one in OF_EDITION if one in values})
        if name == "preset" and value is not None:
            values.update({one: None for one in ("characters", "uniques") if one in values})
        changed = replace(self, values=values)
        for limited in ("seats", "bots"):
            changed = changed._within(limited)
        return changed

    def _within(self, name: str) -> Form:
        """The form with this number moved to the nearest one allowed."""
        value = self.values.get(name)
        if not isinstance(value, int):
            return self
        allowed = [one for one in self.field(name).choices if isinstance(one, int)]
        nearest = min(allowed, key=lambda one: abs(one - value))
        return replace(self, values={**self.values, name: nearest})

    def stepped(self, name: str, by: int) -> Form:
        """The next or the former choice of a field, round and round."""
        asked = self.field(name)
        if asked.kind == "switch":
            return self.with_value(name, not self.values[name])
        if asked.kind not in ("word", "number") or not asked.choices:
            return self
        value = self.values[name]
        at = asked.choices.index(value) if value in asked.choices else 0
        return self.with_value(name, asked.choices[(at + by) % len(asked.choices)])

    def picked(self, name: str) -> tuple[str, ...]:
        """The characters or unique districts that take part, whoever has chosen them."""
        own = self.values[name]
        if isinstance(own, tuple):
            return own
        game = self._game()
        if game is None:
            box = EDITIONS[str(self.values["edition"])]
            return box.characters if name == "characters" else ()
        return game.characters if name == "characters" else game.uniques

    def toggled(self, name: str, one: str) -> Form:
        """The form after choosing `one`: a character replaces the other of its rank, a district
        goes in or out, `RANDOM` leaves all that is not named to lots (and back).
        """
        now = list(self.picked(name))
        if one == RANDOM:
            return self.with_value(name, None if RANDOM in now else (RANDOM,))
        if name == "characters":
            rank = self.rank_of(one)
            kept = [role for role in now if self.rank_of(role) != rank]
            # Lots draw every rank that nobody names; otherwise only the ninth may be missing.
            out = one in now and (rank == LAST_RANK or RANDOM in now)
            now = kept if out else [*kept, one]
            now.sort(key=self.rank_of)
        elif one in now:
            now.remove(one)
        else:
            now.append(one)
        values = {**self.values, name: tuple(now)}
        if values.get("preset") is not None:
            # The rest of the preset stays as it is, under nobody's name.
            other = "uniques" if name == "characters" else "characters"
            values |= {other: self.picked(other), "preset": None, "edition": self._edition}
        return replace(self, values=values)

    def rank_of(self, character: str) -> int:
        """When this character is called in the box that is chosen; lots come last."""
        if character not in CHARACTERS:
            return LAST_RANK + 1
        return rank_of(EDITIONS[self._edition], character)

    def typed(self, name: str, text: str) -> Form:
        """A typed value; ValueError with a sentence for what the field cannot be."""
        asked = self.field(name)
        text = text.strip()
        if asked.kind in ("word", "number"):
            for choice in asked.choices:
                if choice is not None and fold(text) in (
                    fold(str(choice)),
                    fold(option_value(name, choice)),
                ):
                    return self.with_value(name, choice)
            known = ", ".join(str(choice) for choice in asked.choices if choice is not None)
            raise ValueError(_("Choose one of: {choices}.").format(choices=known))
        if not text:
            return self.with_value(name, self._actions[name].default)
        kind = self._actions[name].type
        try:
            value: Value = kind(text) if callable(kind) else text  # type: ignore[assignment]
        except (argparse.ArgumentTypeError, ValueError) as problem:
            raise ValueError(str(problem)) from None
        return self.with_value(name, value)

    def game(self) -> Rules:
        """The rules; ValueError with a code where there is no such game."""
        return described(argparse.Namespace(**self.values))

    def proposal(self) -> tuple[Rules, match.Liveness | None]:
        """The rules, and how long the table waits where that is asked; ValueError as `game`."""
        waits = {name: self.values[name] for name in WAITING if name in self.values}
        return self.game(), match.liveness_of(waits) if waits else None

    def refusal(self) -> tuple[str, str]:
        """The field at fault and why, or two empty texts."""
        try:
            self.proposal()
        except ValueError as problem:
            return refused_game(problem)
        return "", ""

    def line(self) -> tuple[str, ...]:
        """The arguments of the command that does the same; what is usual is left out."""
        parts = [self.command] if self.command else []
        table = self.values.get("table")
        if isinstance(table, str) and table:
            parts.append(table)
        for name, action in self._actions.items():
            value = self.values[name]
            if not action.option_strings or value == action.default or value is None:
                continue
            flag = action.option_strings[-1]
            if value is True:
                parts.append(flag)
            elif isinstance(value, tuple):
                parts += [flag, ",".join(value)]
            else:
                parts += [flag, str(value)]
        return tuple(parts)

    @property
    def _edition(self) -> str:
        preset = PRESETS.get(str(self.values.get("preset")))
        return str(self.values["edition"]) if preset is None else preset.edition

    def _game(self) -> Rules | None:
        try:
            return self.game()
        except ValueError:
            return None

    def field(self, name: str) -> Field:
        """What is asked by this name."""
        action = self._actions[name]
        kind, choices = self._choices(name, action)
        return Field(name, kind, choices, (action.help or "").replace("%%", "%"))

    def _choices(self, name: str, action: argparse.Action) -> tuple[str, tuple[Value, ...]]:
        box = EDITIONS[self._edition]
        fewest, most = box.seats
        match name:
            case "edition":
                return "word", arguments.EDITIONS
            case "preset":
                own = [id for id, row in PRESETS.items() if row.edition == self._edition]
                return "word", (None, *own) if own else ()
            case "seats":
                return "number", tuple(range(fewest, most + 1))
            case "bots":
                shared = self.values.get("people")
                people = len(shared) if isinstance(shared, tuple) else 1
                people = 0 if self.values.get("no_seat") else people
                seats = self.values["seats"]
                return "number", tuple(
                    range((seats if isinstance(seats, int) else 4) - people + 1)
                )
            case "city":
                return "number", (None, *box.city_sizes)
            case "characters_each":
                return "number", (None, 1, 2, 3, 4)
            case "characters":
                many = len(box.cast) > len(box.characters)
                return "several", (RANDOM, *box.cast) if many else ()
            case "uniques":
                return "several", (RANDOM, *_uniques(self._edition)) if box.chest else ()
        if action.nargs == 0:
            return "switch", ()
        if action.choices is not None:
            choices = tuple(action.choices)
            return "word", choices if action.default in choices else (None, *choices)
        return "text", ()


def _uniques(edition: str) -> tuple[str, ...]:
    box = EDITIONS[edition]
    rows = (*box.deck, *box.chest)
    return tuple(row.card for row in rows if DISTRICTS[row.card].quarter == "unique")


def _options(game: Rules) -> dict[str, Value]:
    """A game's options by the names of the flags; what is usual is for the edition to say."""
    values: dict[str, Value] = {}
    for name, value in game.to_options().items():
        if isinstance(value, list | tuple):
            values[name] = tuple(str(one) for one in value)
        elif isinstance(value, str | int):
            values[name] = value
    return values
