"""The parser of the command line, flags as values, and those that several commands share.

Everything here is made anew for each parser: the sentences are in the language of that moment.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TypeAlias

from citadels_p2p.cards.editions import READINGS
from cli.i18n import LANGUAGES, _
from cli.line import arguments
from cli.line.exits import Exit
from cli.settings import PACES, THEMES, UIS

ESCROWS = ("usual", "strict", "relaxed")


class Parser(argparse.ArgumentParser):
    """A parser whose help shows examples before anything else."""

    def __init__(self, *, examples: Sequence[str] = (), **settings: object) -> None:
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        settings.setdefault("allow_abbrev", False)  # a new flag must not change an old line
        super().__init__(**settings)  # type: ignore[arg-type]  # argparse's own keyword arguments
        self.examples = tuple(examples)

    def format_help(self) -> str:
        shown = "".join(f"  {example}\n" for example in self.examples)
        return "\n".join((_("examples:"), shown, super().format_help()))

    def parse_args(  # type: ignore[override]  # into nothing but a namespace
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """The namespace; an unknown flag is refused by the command that it was typed after."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            from cli.text.guess import did_you_mean, nearest  # only where something is wrong

            parser = self.commands.get(getattr(options, "command", None) or "", self)
            said = _("unrecognized arguments: %s") % " ".join(unknown)
            typed, known = unknown[0].partition("=")[0], parser._option_string_actions
            flag = next((one for one in known if one.startswith(typed)), nearest(typed, known))
            parser.error(f"{said}.{did_you_mean(flag, {flag: flag})}" if flag else said)
        return options

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Refuse what is none of the choices; say which of them it is like."""
        choices = [str(one) for one in action.choices or ()]
        if not choices or str(value) in choices:
            return
        from cli.text.guess import nearest  # only where something is wrong

        closest = nearest(str(value), choices)
        if not closest:
            super()._check_value(action, value)
        told = _(
            "invalid choice: %(value)r, maybe you meant %(closest)r? (choose from %(choices)s)"
        )
        said = {"value": value, "closest": closest, "choices": ", ".join(choices)}
        raise argparse.ArgumentError(action, told % said)

    @property
    def commands(self) -> Mapping[str, Parser]:
        """The parsers of its commands, by name."""
        groups = (one for one in self._actions if isinstance(one, argparse._SubParsersAction))
        return {name: parser for one in groups for name, parser in one.choices.items()}

    def error(self, message: str) -> NoReturn:
        """The line that matters, and where the others are."""
        more = _("{command} --help explains everything.").format(command=self.prog)
        self.exit(Exit.USAGE, f"{self.prog}: {message}\n{more}\n")


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag ("--json") or a word in its place ("table"), with argparse's own settings."""

    name: str
    settings: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Section:
    """Flags under a heading of their own."""

    title: str
    flags: tuple[Flag, ...]


#: flags, tuples of those of which at most one may be given, and sections
Flags: TypeAlias = Iterable[Flag | tuple[Flag, ...] | Section]
Group: TypeAlias = "argparse._ActionsContainer"


def option(
    name: str, about: str, metavar: str | tuple[str, ...] | None = None, **settings: object
) -> Flag:
    """A flag or a word with a value, which stands for `metavar` in the help; with several of
    them for as many values.
    """
    return Flag(name, {"help": about, "metavar": metavar, **settings})


def switch(name: str, about: str, **settings: object) -> Flag:
    """A flag without a value."""
    return Flag(name, {"help": about, "action": "store_true", **settings})


def one_of(*flags: Flag) -> tuple[Flag, ...]:
    """Flags of which at most one may be given."""
    return flags


def add(parser: Group, flags: Flags) -> None:
    """Let a parser, or a group of one, know these flags."""
    for item in flags:
        match item:
            case Flag(name, settings):
                parser.add_argument(name, **settings)  # type: ignore[arg-type]  # argparse's own
            case tuple():
                add(parser.add_mutually_exclusive_group(), item)
            case Section(title, inner):
                add(parser.add_argument_group(title), inner)


def everywhere(absent: str | None) -> Section:
    """The flags that every command has, and `citadels` alone has too.

    `absent` is their value where they are not given: a command must not undo what stands
    before its name, as in `citadels --lang fr play`.
    """
    uis = _("full: the screen; plain: sentences; json: for programs (see JSON-UI.md)")
    off = {"action": "store_const", "const": False, "dest": "color"}
    report = _("write what happens inside to a file; no secrets")
    flags = (
        option("--lang", _("language"), choices=LANGUAGES, default=absent),
        option("--ui", uis, choices=UIS, default=absent),
        option("--theme", _("colours of the full screen"), choices=THEMES, default=absent),
        Flag("--no-color", {"help": _("no colours"), "default": absent, **off}),
        switch(
            "--ascii",
            _("only ASCII letters and signs"),
            action="store_const",
            const=True,
            default=absent,
        ),
        option("--debug", report, _("FILE"), type=Path, default=absent),
    )
    return Section(_("everywhere"), flags)


def for_programs() -> Flag:
    return switch("--json", _("for programs"))


def your_name(absent: str | None = argparse.SUPPRESS) -> Flag:
    """`absent`: what stands for no name; a command says nothing of one said before it."""
    return option(
        "--name", _("your name at the table"), _("NAME"), type=arguments.name, default=absent
    )


def people() -> Flag:
    about = _("these share the laptop and pass it on; each sees their own cards alone")
    return option("--people", about, _("NAME,NAME"), type=arguments.people)


def pace() -> Flag:
    return option("--pace", _("how fast bots act on the full screen"), choices=PACES)


def interface() -> Flag:
    return option("--interface", _("use only this network interface or address"), "IF")


def asks_password() -> Flag:
    return switch("--locked", _("only for who knows the password, which is asked for"))


def spectators() -> Flags:
    """Whether others may look on, and how many."""
    places = _("let so many look on; without it 16. Each costs you a few megabytes a match")
    return (
        switch("--spectators", _("let others look on; they see no hand")),
        option("--gallery", places, "N", type=arguments.count, default=0),
    )


def game() -> Flags:
    level, usual = _("how well bots play"), arguments.USUAL_LEVEL
    return (*box(), option("--bot-level", level, choices=arguments.LEVELS, default=usual))


def box(*, any_too: bool = False) -> Flags:
    """What is in the box, and by which rules; `any_too`: those may be drawn at random."""
    editions = (*arguments.EDITIONS, *((arguments.ANY,) if any_too else ()))
    seats = arguments.number_or_any if any_too else arguments.count
    preset = _("a setting of the 2016 edition, like first_game")
    characters = _("characters that take the place of the usual ones; random: drawn by lots")
    uniques = _("unique districts in the deck; random: drawn by lots")
    return (
        option("--edition", _("which box"), choices=editions, default=arguments.EDITIONS[0]),
        option("--seats", _("players, 2 to 7 or 8"), "N", type=seats, default=4),
        _city(),
        option("--preset", preset, _("NAME")),
        option("--characters", characters, _("ID,…"), type=arguments.ids),
        option("--uniques", uniques, _("ID,…"), type=arguments.ids),
        _draft("pass"),
        option("--characters-each", _("characters for each player"), "N", type=arguments.whole),
        _readings(),
    )


def agreed() -> Flags:
    """What a table may have agreed on; None where nothing is said of it."""
    players = option("--seats", _("players, 2 to 7 or 8"), "N", type=arguments.count)
    return players, _city(), _draft(None), _readings()


def _city() -> Flag:
    about = _("districts that complete a city (as the edition has it)")
    return option("--city", about, type=arguments.whole, choices=(6, 7, 8))


def _draft(usual: str | None) -> Flag:
    about = _("characters are chosen and passed on, or dealt by chance")
    return option("--draft", about, choices=("pass", "deal"), default=usual)


def _readings() -> Section:
    """Where the books read differently; without a flag the edition decides."""
    about = {
        "complete": _("complete cities are safe from powers, or open to them"),
        "ending": _("the match ends with the round or the turn that completes a city"),
        "gilding": _("the Artist's gold raises a district's cost, or only price and points"),
        "steps": _("the steps of a turn come in any order, or in a fixed one"),
        "ties": _("ranks revealed, costs of districts or nothing decides between equals"),
        "unveiling": _("the Secret Vault brings points only, or the unique type too"),
    }
    chosen = (option(f"--{name}", about[name], choices=READINGS[name]) for name in READINGS)
    return Section(_("where the books differ"), tuple(chosen))


def patience() -> Flags:
    """How long the table waits for whom; everybody agrees to it with the rest."""
    step = _("seconds for a decision; then chance decides (0: as long as you like)")
    away = _("seconds without a word after which a laptop counts as away (20)")
    lost = _("seconds away after which a laptop has lost its seat for good (0: never)")
    escrow = _(
        "how many laptops together stand in for one that is away: two thirds (usual), "
        "a bare majority (relaxed), or none, and the game waits (strict)"
    )
    return (
        option("--step-time", step, "S", type=arguments.whole_seconds, default=0),
        option("--away", away, "S", type=arguments.whole_seconds, default=20),
        option("--give-up", lost, "S", type=arguments.whole_seconds, default=0),
        option("--escrow", escrow, choices=ESCROWS, default=ESCROWS[0]),
    )


def own_bot() -> Flags:
    """Who plays in the person's place, or beside it."""
    level = _("a bot plays this seat for you")
    program = _("a program of your own plays it, by lines of JSON (JSON-UI.md)")
    which, limit = own_program(program)
    own = option("--bot", level, "LEVEL", choices=arguments.LEVELS)
    return one_of(own, which, people()), limit


def own_program(about: str) -> tuple[Flag, Flag]:
    """Which program plays, and how long it may take."""
    limit = _("it has this many seconds for a decision; then a bot plays on (default: 30)")
    return (
        option("--bot-command", about, _("COMMAND")),
        option("--bot-time", limit, "S", type=arguments.seconds, default=30.0),
    )


def table_nearby() -> Flags:
    """Which table is meant, and how it is found and entered."""
    which = _(
        "its name, its number in `citadels tables`, its fingerprint, address or join code, or "
        "the words that its host says"
    )
    wait = _("look for the table this many seconds")
    return (
        option("table", which, "TABLE|NUMBER|HOST:PORT|CODE|WORDS", nargs="?"),
        switch("--locked", _("ask for the table's password")),
        option("--wait", wait, "S", type=arguments.seconds, default=10.0),
        interface(),
    )
