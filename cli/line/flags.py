"""The parser of the command line, and the flags that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, TypeAlias

from citadels_p2p.cards.readings import READINGS
from cli.i18n import LANGUAGES, _
from cli.line import arguments
from cli.line.exits import Exit
from cli.settings import THEMES, UIS

ESCROWS = ("usual", "strict", "relaxed")


class Parser(argparse.ArgumentParser):
    """A parser whose help shows examples before anything else."""

    def __init__(self, *, examples: Sequence[str] = (), **settings: object) -> None:
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**settings)  # type: ignore[arg-type]  # argparse's own keyword arguments
        self.examples = tuple(examples)

    def format_help(self) -> str:
        shown = "".join(f"  {example}\n" for example in self.examples)
        return "\n".join((_("examples:"), shown, super().format_help()))

    def parse_args(  # type: ignore[override]  # into nothing but a namespace
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """What was typed; what nobody knows is for the command that it was typed after."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            said = _("unrecognized arguments: %s") % " ".join(unknown)
            self._of(getattr(options, "command", None)).error(said)
        return options

    def _of(self, command: str | None) -> Parser:
        """The parser of a command; this one where there is none."""
        groups = (one for one in self._actions if isinstance(one, argparse._SubParsersAction))
        return next((one.choices[command] for one in groups if command is not None), self)

    def error(self, message: str) -> NoReturn:
        self.print_usage(None)
        self.exit(Exit.USAGE, f"{self.prog}: {message}\n")

    def print_usage(self, file: object = None) -> None:
        import sys

        super().print_usage(sys.stderr)


def example(typed: str, about: str) -> str:
    """An example with a word about it."""
    return f"{typed:<32}   {about}"


Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


def command(
    commands: Commands, name: str, run: str, about: str, examples: Sequence[str]
) -> Parser:
    """A command, its examples, and the flags that every command has."""
    parser = commands.add_parser(name, help=about, description=about, examples=examples)
    parser.set_defaults(run=run)
    common_options(parser, absent=argparse.SUPPRESS)
    return parser


def common_options(parser: Parser, absent: str | None) -> None:
    """The flags that every command has, and `citadels` alone has too.

    `absent` is their value where they are not given: a command must not undo what stands
    before its name, as in `citadels --lang fr play`.
    """
    common = parser.add_argument_group(_("everywhere"))
    common.add_argument("--lang", choices=LANGUAGES, default=absent, help=_("language"))
    common.add_argument(
        "--ui",
        choices=UIS,
        default=absent,
        help=_("full: the screen; plain: sentences; json: for programs (see JSON-UI.md)"),
    )
    common.add_argument(
        "--theme", choices=THEMES, default=absent, help=_("colours of the full screen")
    )
    common.add_argument(
        "--no-color",
        dest="color",
        action="store_const",
        const=False,
        default=absent,
        help=_("no colours"),
    )
    common.add_argument(
        "--ascii",
        action="store_const",
        const=True,
        default=absent,
        help=_("only ASCII letters and signs"),
    )
    common.add_argument(
        "--debug",
        type=Path,
        default=absent,
        metavar=_("FILE"),
        help=_("write what happens inside to a file; no secrets"),
    )


def seat_options(parser: Parser) -> None:
    """Of whoever sits at a table."""
    parser.add_argument("--name", type=arguments.name, help=_("your name at the table"))


def game_options(parser: Parser) -> None:
    """Of a game and its bots."""
    box_options(parser)
    parser.add_argument(
        "--bot-level",
        choices=arguments.LEVELS,
        default=arguments.USUAL_LEVEL,
        help=_("how well bots play"),
    )


def box_options(parser: Parser, *, any_too: bool = False) -> None:
    """Of a game: what is in the box, and by which rules; `any_too`: those may be drawn."""
    parser.add_argument(
        "--edition",
        choices=(*arguments.EDITIONS, *((arguments.ANY,) if any_too else ())),
        default=arguments.EDITIONS[0],
        help=_("which box"),
    )
    parser.add_argument(
        "--seats",
        type=arguments.number_or_any if any_too else int,
        default=4,
        metavar="N",
        help=_("players, 2 to 7 or 8"),
    )
    parser.add_argument(
        "--city",
        type=int,
        choices=(6, 7, 8),
        help=_("districts that complete a city (as the edition has it)"),
    )
    parser.add_argument(
        "--preset", metavar=_("NAME"), help=_("a setting of the 2016 edition, like first_game")
    )
    parser.add_argument(
        "--characters",
        type=arguments.ids,
        metavar=_("ID,…"),
        help=_("characters that take the place of the usual ones; random: drawn by lots"),
    )
    parser.add_argument(
        "--uniques",
        type=arguments.ids,
        metavar=_("ID,…"),
        help=_("unique districts in the deck; random: drawn by lots"),
    )
    parser.add_argument(
        "--draft",
        choices=("pass", "deal"),
        default="pass",
        help=_("characters are chosen and passed on, or dealt by chance"),
    )
    parser.add_argument(
        "--characters-each", type=int, metavar="N", help=_("characters for each player")
    )
    _reading_options(parser)


def _reading_options(parser: Parser) -> None:
    """Where the books read differently; without a flag as the edition has it."""
    group = parser.add_argument_group(_("where the books differ"))
    about = {
        "complete": _("complete cities are safe from powers, or open to them"),
        "ending": _("the match ends with the round or the turn that completes a city"),
        "gilding": _("the Artist's gold raises a district's cost, or only price and points"),
        "steps": _("the steps of a turn come in any order, or in a fixed one"),
        "ties": _("ranks revealed, costs of districts or nothing decides between equals"),
        "unveiling": _("the Secret Vault brings points only, or the unique type too"),
    }
    for name, values in READINGS.items():
        group.add_argument(f"--{name}", choices=values, help=about[name])


def moving_options(parser: Parser) -> None:
    """From this machine to another, or from another to this one."""
    moving = parser.add_mutually_exclusive_group()
    moving.add_argument(
        "--export",
        dest="export_to",
        type=Path,
        metavar=_("FILE"),
        help=_("pack identity and unfinished matches into a file with a password"),
    )
    moving.add_argument(
        "--import",
        dest="import_from",
        type=Path,
        metavar=_("FILE"),
        help=_("unpack such a file on another machine"),
    )


def liveness_options(parser: Parser) -> None:
    """How long the table waits for whom; everybody agrees to it with the rest."""
    parser.add_argument(
        "--step-time",
        type=arguments.whole_seconds,
        default=0,
        metavar="S",
        help=_("seconds for a decision; then chance decides (0: as long as you like)"),
    )
    parser.add_argument(
        "--away",
        type=arguments.whole_seconds,
        default=20,
        metavar="S",
        help=_("seconds without a word after which a laptop counts as away (20)"),
    )
    parser.add_argument(
        "--give-up",
        type=arguments.whole_seconds,
        default=0,
        metavar="S",
        help=_("seconds away after which a laptop has lost its seat for good (0: never)"),
    )
    parser.add_argument(
        "--escrow",
        choices=ESCROWS,
        default=ESCROWS[0],
        help=_(
            "how many laptops together stand in for one that is away: two thirds (usual), "
            "a bare majority (relaxed), or none, and the game waits (strict)"
        ),
    )


def bot_options(parser: Parser) -> None:
    """Who plays in the person's place."""
    either = parser.add_mutually_exclusive_group()
    either.add_argument(
        "--bot",
        choices=arguments.LEVELS,
        metavar="LEVEL",
        help=_("a bot plays this seat for you"),
    )
    either.add_argument(
        "--bot-command",
        metavar=_("COMMAND"),
        help=_("a program of your own plays it, by lines of JSON (JSON-UI.md)"),
    )
    parser.add_argument(
        "--bot-time",
        type=arguments.seconds,
        default=30.0,
        metavar="S",
        help=_("it has this many seconds for a decision; then a bot plays on (default: 30)"),
    )


def network_options(parser: Parser) -> None:
    """Of whatever looks for tables or opens one."""
    parser.add_argument(
        "--interface", metavar="IF", help=_("use only this network interface or address")
    )


def table_options(parser: Parser) -> None:
    """Which table is meant, and how it is found and entered."""
    parser.add_argument(
        "table",
        nargs="?",
        metavar="TABLE|NUMBER|HOST:PORT|CODE",
        help=_(
            "its name, its number in `citadels tables`, its fingerprint, address or join code"
        ),
    )
    parser.add_argument("--locked", action="store_true", help=_("ask for the table's password"))
    parser.add_argument(
        "--wait",
        type=arguments.seconds,
        default=10.0,
        metavar="S",
        help=_("look for the table this many seconds"),
    )
    network_options(parser)
