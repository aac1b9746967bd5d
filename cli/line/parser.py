"""The command line: what may be typed after `citadels`. Imports nothing heavy.

Each command's help begins with examples. The functions that carry a command out are named as
`module:function` and imported only when they run.
"""

from __future__ import annotations

from pathlib import Path

from cli.i18n import _
from cli.line import arguments, flags, parser_saved
from cli.line.exits import MEANINGS
from cli.line.flags import Commands, Parser


def build() -> Parser:
    """The whole command line."""
    parser = Parser(
        prog="citadels",
        description=_("Citadels between laptops: no server, no account, nobody to trust."),
        epilog=_exit_codes(),
        examples=(
            flags.example("citadels play", _("you and three bots on this laptop")),
            flags.example("citadels host --seats 4", _("a table for four on this network")),
            flags.example("citadels tables", _("who is playing nearby")),
            flags.example("citadels join 1", _("sit down at the first of them")),
        ),
    )
    parser.add_argument("--version", action="store_true", help=_("show the version and leave"))
    parser.set_defaults(run="cli.commands.lobby:lobby")
    flags.common_options(parser, absent=None)
    commands = parser.add_subparsers(
        title=_("commands"), metavar=_("COMMAND"), parser_class=Parser, dest="command"
    )
    _host(commands)
    _join(commands)
    _watch(commands)
    _resume(commands)
    _tables(commands)
    _play(commands)
    _rules(commands)
    parser_saved.replay(commands)
    parser_saved.verify(commands)
    parser_saved.history(commands)
    _simulate(commands)
    _bench(commands)
    _doctor(commands)
    _whoami(commands)
    _settings(commands)
    _completion(commands)
    return parser


def _exit_codes() -> str:
    lines = (f"  {int(code):>3}  {_(meaning)}" for code, meaning in MEANINGS.items())
    return "\n".join((_("exit codes:"), *lines))


def _host(commands: Commands) -> None:
    parser = flags.command(
        commands,
        "host",
        "cli.commands.sit:sit",
        _("Open a table on this network."),
        (
            "citadels host",
            "citadels host 'Friday' --seats 5 --bots 2 --name Anna",
            "citadels host --city 6 --start-when-full",
        ),
    )
    parser.add_argument("table", nargs="?", type=arguments.name, help=_("the table's name"))
    flags.seat_options(parser)
    flags.game_options(parser)
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
        "--locked",
        action="store_true",
        help=_("only for who knows the password, which is asked for"),
    )
    parser.add_argument(
        "--spectators", action="store_true", help=_("let others look on; they see no hand")
    )
    flags.liveness_options(parser)
    parser.add_argument(
        "--port", type=arguments.port, default=0, metavar="P", help=_("listen on this port")
    )
    flags.network_options(parser)


def _join(commands: Commands) -> None:
    parser = flags.command(
        commands,
        "join",
        "cli.commands.sit:sit",
        _("Sit down at a table. Without a name: the only one nearby."),
        (
            "citadels join",
            "citadels join Friday --name Bob",
            flags.example("citadels join 2", _("the second in `citadels tables`")),
            "citadels join 192.168.1.20:4521",
            "citadels join --bot-command 'python3 mybot.py'",
        ),
    )
    flags.seat_options(parser)
    flags.bot_options(parser)
    flags.table_options(parser)


def _watch(commands: Commands) -> None:
    parser = flags.command(
        commands,
        "watch",
        "cli.commands.sit:sit",
        _("Look on at a table that welcomes spectators, at any time."),
        (
            "citadels watch",
            "citadels watch Friday",
            "citadels watch 192.168.1.20 --ui json",
        ),
    )
    flags.table_options(parser)


def _resume(commands: Commands) -> None:
    parser = flags.command(
        commands,
        "resume",
        "cli.commands.sit:sit",
        _("Go back to an unfinished match. Without a name: the newest."),
        ("citadels resume", "citadels resume Friday"),
    )
    parser.add_argument(
        "table", nargs="?", metavar=_("MATCH"), help=_("its table's name or its file")
    )
    parser.add_argument(
        "--locked",
        action="store_true",
        help=_("only for who knows the password, which is asked for"),
    )
    parser.add_argument(
        "--spectators", action="store_true", help=_("let others look on; they see no hand")
    )
    parser.add_argument(
        "--take-over",
        action="store_true",
        help=_("go on here if another program with your key plays this match; that one stops"),
    )
    flags.seat_options(parser)
    flags.network_options(parser)


def _tables(commands: Commands) -> None:
    parser = flags.command(
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
        type=arguments.seconds,
        default=3.0,
        metavar="S",
        help=_("look this many seconds"),
    )
    flags.network_options(parser)


def _play(commands: Commands) -> None:
    parser = flags.command(
        commands,
        "play",
        "cli.commands.sit:sit",
        _("You and bots on this laptop; no network needed."),
        (
            "citadels play",
            "citadels play --seats 3 --bot-level easy",
            flags.example("citadels play --no-seat", _("watch the bots")),
        ),
    )
    flags.seat_options(parser)
    flags.game_options(parser)
    parser.add_argument("--no-seat", action="store_true", help=_("only watch the bots"))
    parser.add_argument(
        "--seed", type=int, metavar="S", help=_("the same cards and bots every time")
    )


def _rules(commands: Commands) -> None:
    parser = flags.command(
        commands,
        "rules",
        "cli.commands.rules:rules",
        _("The rules in short, or what a card or character does."),
        (
            "citadels rules",
            "citadels rules 'school of magic'",
            "citadels rules --edition 2016",
            "citadels rules --edition dark-city emperor",
        ),
    )
    parser.add_argument("card", nargs="*", help=_("a district or a character"))
    parser.add_argument("--edition", choices=arguments.EDITIONS, help=_("as which box has it"))
    parser.add_argument("--json", action="store_true", help=_("for programs"))
    parser.add_argument(
        "--check",
        type=Path,
        action="append",
        metavar="FILE",
        help=_("hold the program to a file of rulings"),
    )


def _simulate(commands: Commands) -> None:
    parser = flags.command(
        commands,
        "simulate",
        "cli.commands.measure:simulate",
        _("Whole games between bots, no network."),
        (
            "citadels simulate --games 1000 --seats 4",
            "citadels simulate --levels easy,normal --seed 7 --json",
            "citadels simulate --games 10000 --seats 7 --check",
            "citadels simulate --levels hard,normal,normal,normal --think 0.2",
            flags.example(
                "citadels simulate --edition any --seats any --check", _("any rules at all")
            ),
        ),
    )
    flags.box_options(parser, any_too=True)
    parser.add_argument(
        "--games", type=arguments.count, default=100, metavar="N", help=_("how many")
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help=_("where to begin"))
    parser.add_argument(
        "--levels",
        type=arguments.levels,
        default=("easy",),
        metavar=_("LEVEL,…"),
        help=_("the bots' levels, seat by seat, repeated as needed (easy, normal, hard)"),
    )
    parser.add_argument(
        "--think",
        type=arguments.seconds,
        metavar="S",
        help=_("processor seconds for a decision of a bot that thinks (default: 1)"),
    )
    parser.add_argument(
        "--jobs",
        type=arguments.count,
        default=1,
        metavar="N",
        help=_("processes that play side by side; the results are the same (default: 1)"),
    )
    shapes = parser.add_mutually_exclusive_group()
    shapes.add_argument(
        "--csv",
        action="store_true",
        help=_("one line for each seat of each game, for spreadsheets"),
    )
    shapes.add_argument("--json", action="store_true", help=_("for programs"))
    parser.add_argument(
        "--check", action="store_true", help=_("count gold and cards at every step, and more")
    )


def _bench(commands: Commands) -> None:
    parser = flags.command(
        commands,
        "bench",
        "cli.commands.bench:bench",
        _("Measure this machine: the engine, the sealed cards, whole tables, starting up."),
        (
            flags.example("citadels bench", _("everything; about five minutes")),
            flags.example("citadels bench --only table", _("2, 4 and 8 laptops in one")),
            "citadels bench --only cards --json",
        ),
    )
    parser.add_argument("--json", action="store_true", help=_("for programs"))
    parser.add_argument(
        "--only",
        choices=("engine", "cards", "table", "start", "hostile"),
        help=_("one part; hostile: answers at a table besieged by a thousand strangers"),
    )


def _doctor(commands: Commands) -> None:
    parser = flags.command(
        commands,
        "doctor",
        "cli.commands.doctor:doctor",
        _("Look whether this laptop can play: network, files, terminal, clock."),
        ("citadels doctor", "citadels doctor --interface wlan0", "citadels doctor --json"),
    )
    parser.add_argument("--json", action="store_true", help=_("for programs"))
    flags.network_options(parser)


def _whoami(commands: Commands) -> None:
    parser = flags.command(
        commands,
        "whoami",
        "cli.commands.whoami:whoami",
        _("Your identity and name, and where your files are."),
        (
            "citadels whoami",
            "citadels whoami --export me.luggage",
            "citadels whoami --import me.luggage",
        ),
    )
    flags.moving_options(parser)
    parser.add_argument("--name", type=arguments.name, help=_("as another name"))
    parser.add_argument(
        "--forget",
        type=arguments.name,
        metavar=_("NAME"),
        help=_("whoever comes with this name next may have another key"),
    )
    parser.add_argument("--json", action="store_true", help=_("for programs"))


def _settings(commands: Commands) -> None:
    parser = flags.command(
        commands,
        "settings",
        "cli.commands.settle:show",
        _("What is settled and where; settle something; make a settings file."),
        (
            "citadels settings",
            "citadels settings name=Anna theme=light",
            flags.example("citadels settings --init", _("a file with every setting explained")),
        ),
    )
    parser.add_argument(
        "change", nargs="*", metavar=_("KEY=VALUE"), help=_("settle this in the file")
    )
    parser.add_argument(
        "--init",
        action="store_true",
        help=_("make the file, every setting explained; one that is there stays as it is"),
    )
    parser.add_argument("--json", action="store_true", help=_("for programs"))


def _completion(commands: Commands) -> None:
    parser = flags.command(
        commands,
        "completion",
        "cli.commands.completion:completion",
        _("What your shell needs to complete citadels commands."),
        (
            "citadels completion bash   > ~/.local/share/bash-completion/completions/citadels",
            "citadels completion zsh    > ~/.zfunc/_citadels",
            "citadels completion fish   > ~/.config/fish/completions/citadels.fish",
            "citadels completion powershell   >> $PROFILE",
        ),
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish", "powershell"), help=_("which"))
