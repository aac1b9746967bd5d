"""The command line: what may be typed after `citadels`. Imports nothing heavy.

Each command's help begins with examples. The functions that carry a command out are named as
`module:function` and imported only when they run.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from cli.exits import Exit
from cli.i18n import LANGUAGES, _
from cli.settings import UIS

EDITIONS = ("classic", "original", "dark-city", "2016")
LEVELS = ("easy", "normal")


class Parser(argparse.ArgumentParser):
    """A parser whose help shows examples before anything else."""

    def __init__(self, *, examples: Sequence[str] = (), **settings: object) -> None:
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**settings)  # type: ignore[arg-type]  # argparse's own keyword arguments
        self.examples = tuple(examples)

    def format_help(self) -> str:
        shown = "".join(f"  {example}\n" for example in self.examples)
        return f"{_('examples:')}\n{shown}\n{super().format_help()}"

    def error(self, message: str) -> NoReturn:
        self.print_usage(None)
        self.exit(Exit.USAGE, f"{self.prog}: {message}\n")

    def print_usage(self, file: object = None) -> None:
        import sys

        super().print_usage(sys.stderr)


def build() -> Parser:
    """The whole command line."""
    parser = Parser(
        prog="citadels",
        description=_("Citadels between laptops: no server, no account, nobody to trust."),
        epilog=_(
            "Exit codes: 0 fine, 1 our bug, 2 usage, 3 nobody reachable, 4 refused,\n"
            "5 ended by another's fault (evidence saved), 6 left unfinished, 130 interrupted."
        ),
        examples=(
            "citadels play                 you and three bots on this laptop",
            "citadels host --seats 4       a table for four on this network",
            "citadels tables               who is playing nearby",
            "citadels join 1               sit down at the first of them",
        ),
    )
    parser.add_argument("--version", action="store_true", help=_("show the version and leave"))
    commands = parser.add_subparsers(
        title=_("commands"), metavar=_("COMMAND"), parser_class=Parser, dest="command"
    )
    _host(commands)
    _join(commands)
    _resume(commands)
    _tables(commands)
    _play(commands)
    _rules(commands)
    _verify(commands)
    _simulate(commands)
    _bench(commands)
    _whoami(commands)
    return parser


Commands = argparse._SubParsersAction


def _command(
    commands: Commands[Parser], name: str, run: str, about: str, examples: Sequence[str]
) -> Parser:
    parser = commands.add_parser(name, help=about, description=about, examples=examples)
    parser.set_defaults(run=run)
    common = parser.add_argument_group(_("everywhere"))
    common.add_argument("--lang", choices=LANGUAGES, help=_("language"))
    common.add_argument("--ascii", action="store_true", help=_("only ASCII letters and signs"))
    common.add_argument("--no-color", action="store_true", help=_("no colours"))
    common.add_argument(
        "--debug", type=Path, metavar=_("FILE"), help=_("write what happens inside to a file")
    )
    return parser


def _seat_options(parser: Parser) -> None:
    parser.add_argument("--name", type=_name, help=_("your name at the table"))
    parser.add_argument(
        "--ui",
        choices=UIS,
        help=_("full: the screen; plain: sentences; json: for programs (see JSON-UI.md)"),
    )


def _game_options(parser: Parser) -> None:
    _box_options(parser)
    parser.add_argument(
        "--bot-level", choices=LEVELS, default="normal", help=_("how well bots play")
    )


def _box_options(parser: Parser) -> None:
    parser.add_argument("--edition", choices=EDITIONS, default=EDITIONS[0], help=_("which box"))
    parser.add_argument(
        "--seats", type=int, default=4, metavar="N", help=_("players, 2 to 7 or 8")
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
        type=_ids,
        metavar=_("ID,…"),
        help=_("characters that take the place of the usual ones of their rank"),
    )
    parser.add_argument(
        "--uniques", type=_ids, metavar=_("ID,…"), help=_("unique districts in the deck")
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


def _ids(text: str) -> tuple[str, ...]:
    """Ids between commas; what they name is for the rules to say."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _network_options(parser: Parser) -> None:
    parser.add_argument(
        "--interface", metavar="IF", help=_("use only this network interface or address")
    )


def _host(commands: Commands[Parser]) -> None:
    parser = _command(
        commands,
        "host",
        "cli.commands.sit:host",
        _("Open a table on this network."),
        (
            "citadels host",
            "citadels host 'Friday' --seats 5 --bots 2 --name Anna",
            "citadels host --city 6 --start-when-full",
        ),
    )
    parser.add_argument("table", nargs="?", type=_name, help=_("the table's name"))
    _seat_options(parser)
    _game_options(parser)
    parser.add_argument(
        "--bots", type=int, default=0, metavar="N", help=_("seats played by bots")
    )
    parser.add_argument(
        "--no-seat", action="store_true", help=_("only carry the table, do not play")
    )
    parser.add_argument(
        "--start-when-full", action="store_true", help=_("begin as soon as all are ready")
    )
    parser.add_argument(
        "--port", type=_port, default=0, metavar="P", help=_("listen on this port")
    )
    _network_options(parser)


def _join(commands: Commands[Parser]) -> None:
    parser = _command(
        commands,
        "join",
        "cli.commands.sit:join",
        _("Sit down at a table. Without a name: the only one nearby."),
        (
            "citadels join",
            "citadels join Friday --name Bob",
            "citadels join 2                    the second in `citadels tables`",
            "citadels join 192.168.1.20:4521",
        ),
    )
    parser.add_argument(
        "table",
        nargs="?",
        metavar="TABLE|NUMBER|HOST:PORT|CODE",
        help=_("its name, its number in `citadels tables`, its address or its join code"),
    )
    _seat_options(parser)
    parser.add_argument(
        "--bot", choices=LEVELS, metavar="LEVEL", help=_("a bot plays this seat for you")
    )
    parser.add_argument(
        "--wait",
        type=_seconds,
        default=10.0,
        metavar="S",
        help=_("look for the table this many seconds"),
    )
    _network_options(parser)


def _resume(commands: Commands[Parser]) -> None:
    parser = _command(
        commands,
        "resume",
        "cli.commands.sit:resume",
        _("Go back to an unfinished match. Without a name: the newest."),
        ("citadels resume", "citadels resume Friday"),
    )
    parser.add_argument(
        "table", nargs="?", metavar=_("MATCH"), help=_("its table's name or its file")
    )
    _seat_options(parser)
    _network_options(parser)


def _tables(commands: Commands[Parser]) -> None:
    parser = _command(
        commands,
        "tables",
        "cli.commands.tables:tables",
        _("List the tables on this network."),
        ("citadels tables", "citadels tables --watch", "citadels tables --json --wait 5"),
    )
    parser.add_argument("--json", action="store_true", help=_("for programs"))
    parser.add_argument("--watch", action="store_true", help=_("go on looking until Ctrl-C"))
    parser.add_argument(
        "--wait",
        type=_seconds,
        default=3.0,
        metavar="S",
        help=_("look this many seconds"),
    )
    _network_options(parser)


def _play(commands: Commands[Parser]) -> None:
    parser = _command(
        commands,
        "play",
        "cli.commands.sit:play",
        _("You and bots on this laptop; no network needed."),
        (
            "citadels play",
            "citadels play --seats 3 --bot-level easy",
            "citadels play --no-seat            watch the bots",
        ),
    )
    _seat_options(parser)
    _game_options(parser)
    parser.add_argument("--no-seat", action="store_true", help=_("only watch the bots"))
    parser.add_argument(
        "--seed", type=int, metavar="S", help=_("the same cards and bots every time")
    )


def _rules(commands: Commands[Parser]) -> None:
    parser = _command(
        commands,
        "rules",
        "cli.commands.rules:rules",
        _("The rules in short, or what a card or character does."),
        ("citadels rules", "citadels rules library", "citadels rules 'school of magic'"),
    )
    parser.add_argument("card", nargs="*", help=_("a district or a character"))
    parser.add_argument(
        "--check",
        type=Path,
        action="append",
        metavar="FILE",
        help=_("hold the program to a file of rulings"),
    )


def _verify(commands: Commands[Parser]) -> None:
    parser = _command(
        commands,
        "verify",
        "cli.commands.verify:verify",
        _("Check a saved match: every signature, proof, commitment and rule."),
        ("citadels verify ~/friday.citadels", "citadels verify --json FILE"),
    )
    parser.add_argument("match", type=Path, metavar="MATCH", help=_("the match's file"))
    parser.add_argument("--json", action="store_true", help=_("for programs"))


def _simulate(commands: Commands[Parser]) -> None:
    parser = _command(
        commands,
        "simulate",
        "cli.commands.measure:simulate",
        _("Whole games between bots, no network."),
        (
            "citadels simulate --games 1000 --seats 4",
            "citadels simulate --levels easy,normal --seed 7 --json",
            "citadels simulate --games 10000 --seats 7 --check",
        ),
    )
    _box_options(parser)
    parser.add_argument("--games", type=_count, default=100, metavar="N", help=_("how many"))
    parser.add_argument("--seed", type=int, default=1, metavar="S", help=_("where to begin"))
    parser.add_argument(
        "--levels",
        type=_levels,
        default=("easy",),
        metavar=_("LEVEL,…"),
        help=_("the bots' levels, seat by seat, repeated as needed (easy, normal)"),
    )
    parser.add_argument(
        "--check", action="store_true", help=_("count gold and cards at every step")
    )
    parser.add_argument("--json", action="store_true", help=_("for programs"))


def _bench(commands: Commands[Parser]) -> None:
    parser = _command(
        commands,
        "bench",
        "cli.commands.measure:bench",
        _("Measure this machine: the engine and the sealed cards."),
        ("citadels bench", "citadels bench --json"),
    )
    parser.add_argument("--json", action="store_true", help=_("for programs"))


def _whoami(commands: Commands[Parser]) -> None:
    parser = _command(
        commands,
        "whoami",
        "cli.commands.whoami:whoami",
        _("Your identity and name, and where your files are."),
        ("citadels whoami",),
    )
    parser.add_argument("--name", type=_name, help=_("as another name"))
    parser.add_argument("--json", action="store_true", help=_("for programs"))


# What arguments may be


def _name(text: str) -> str:
    from cli.text.scene import NAME_LIMIT, clean

    name = clean(text)
    if not name or len(name) > NAME_LIMIT:
        message = _("a name has 1 to {limit} visible characters").format(limit=NAME_LIMIT)
        raise argparse.ArgumentTypeError(message)
    return name


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(_("a port is a number up to 65535"))
    return int(text)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(_("a number from 1 on is needed"))
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 86400:
        raise argparse.ArgumentTypeError(_("a number of seconds is needed"))
    return seconds


def _levels(text: str) -> tuple[str, ...]:
    levels = tuple(part.strip() for part in text.split(","))
    if not all(level in LEVELS for level in levels):
        known = ", ".join(LEVELS)
        raise argparse.ArgumentTypeError(_("known levels: {levels}").format(levels=known))
    return levels
