"""The command line: what may be typed after `citadels`. Imports nothing heavy.

Each command's help begins with examples. The functions that carry a command out are named as
`module:function` and imported only when they run.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cli.i18n import _
from cli.line import arguments, flags
from cli.line.exits import MEANINGS
from cli.line.flags import Flags, Parser, one_of, option, switch


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command: its name, help and flags. `run`: the function behind it ("module:function"),
    where that is not the one of its name.
    """

    name: str
    about: str
    examples: tuple[str, ...]
    flags: Flags
    run: str = ""


def build() -> Parser:
    parser = Parser(
        prog="citadels",
        description=_("Citadels between laptops: no server, no account, nobody to trust."),
        epilog=_exit_codes(),
        examples=(
            _example("citadels play", _("you and three bots on this laptop")),
            _example("citadels host --seats 4", _("a table for four on this network")),
            _example("citadels tables", _("who is playing nearby")),
            _example("citadels join 1", _("sit down at the first of them")),
        ),
    )
    about = _("show the version and leave")
    parser.add_argument("-V", "--version", action="store_true", help=about)
    about = _("show the licences of all that it is made of, and leave")
    parser.add_argument("--licences", "--licenses", action="store_true", help=about)
    parser.set_defaults(run="cli.commands.lobby:lobby")
    flags.add(parser, (flags.your_name(absent=None), flags.everywhere(absent=None)))
    commands = parser.add_subparsers(
        title=_("commands"), metavar=_("COMMAND"), parser_class=Parser, dest="command"
    )
    for one in (*_to_play(), *_looking_back(), *_of_this_laptop()):
        command = commands.add_parser(
            one.name, help=one.about, description=one.about, examples=one.examples
        )
        command.set_defaults(run=one.run or f"cli.commands.{one.name}:{one.name}")
        flags.add(command, (flags.everywhere(absent=argparse.SUPPRESS), *one.flags))
    return parser


def _example(typed: str, about: str) -> str:
    """An example with a word about it."""
    return f"{typed:<32}   {about}"


def _exit_codes() -> str:
    lines = (f"  {int(code):>3}  {_(meaning)}" for code, meaning in MEANINGS.items())
    return "\n".join((_("exit codes:"), *lines))


def _to_play() -> Iterator[CommandLine]:
    carry = _("only carry the table, do not play")
    yield CommandLine(
        "host",
        _("Open a table on this network."),
        (
            "citadels host",
            "citadels host 'Friday' --seats 5 --bots 2 --name Anna",
            "citadels host --city 6 --start-when-full",
            _example("citadels host --people Ann,Ben", _("two of you at this laptop")),
        ),
        (
            option("table", _("the table's name"), nargs="?", type=arguments.name),
            flags.your_name(),
            *flags.game(),
            option(
                "--bots", _("seats played by bots"), "N", type=arguments.none_or_more, default=0
            ),
            one_of(flags.people(), switch("--no-seat", carry)),
            switch("--start-when-full", _("begin as soon as all are ready")),
            flags.asks_password(),
            *flags.spectators(),
            *flags.patience(),
            option("--port", _("listen on this port"), "P", type=arguments.port, default=0),
            flags.interface(),
        ),
        run="cli.commands.sit:sit",
    )
    yield CommandLine(
        "join",
        _("Sit down at a table. Without a name: the only one nearby."),
        (
            "citadels join",
            "citadels join Friday --name Bob",
            "citadels join Friday --people Ann,Ben",
            _example("citadels join 2", _("the second in `citadels tables`")),
            "citadels join 192.168.1.20:4521",
            _example("citadels join 1-20-apple-river-ticket", _("words that the host says")),
            'citadels join --bot-command "python3 mybot.py"',
        ),
        (flags.your_name(), *flags.own_bot(), *flags.table_nearby()),
        run="cli.commands.sit:sit",
    )
    stay = _("for the next matches of this table, too, as on every screen")
    yield CommandLine(
        "watch",
        _("Look on at a table that welcomes spectators, at any time."),
        (
            "citadels watch",
            "citadels watch Friday",
            _example("citadels watch --big", _("the table on a projector")),
            _example(
                "citadels watch 1-20-apple-river-ticket --big",
                _("with the host's words, which the room then reads"),
            ),
            "citadels watch 192.168.1.20 --ui json",
        ),
        (
            switch("--big", _("for a room that looks on: everything large, nothing to press")),
            switch("--stay", stay),
            *flags.table_nearby(),
        ),
        run="cli.commands.sit:sit",
    )
    take_over = _(
        "go on here if another program with your key plays this match; that one stops"
    )
    yield CommandLine(
        "resume",
        _("Go back to an unfinished match. Without a name: the newest."),
        ("citadels resume", "citadels resume Friday"),
        (
            option("table", _("its table's name or its file"), _("MATCH"), nargs="?"),
            flags.asks_password(),
            switch("--take-over", take_over),
            flags.your_name(),
            flags.interface(),
        ),
        run="cli.commands.sit:sit",
    )
    wait = _("look this many seconds")
    part = _("a part of a table's name, or of its host's")
    yield CommandLine(
        "tables",
        _("List the tables on this network."),
        (
            "citadels tables",
            _example("citadels tables anna", _("what she keeps")),
            "citadels tables --watch",
            "citadels tables --json --wait 5",
        ),
        (
            option("part", part, _("NAME"), nargs="?", default=""),
            flags.for_programs(),
            switch("--watch", _("go on looking until Ctrl-C")),
            option("--wait", wait, "S", type=arguments.seconds, default=3.0),
            flags.interface(),
        ),
    )
    yield CommandLine(
        "play",
        _("You and bots on this laptop; no network needed."),
        (
            "citadels play",
            "citadels play --seats 3 --bot-level easy",
            _example("citadels play --guided", _("a first game, every step explained")),
            _example("citadels play --people Ann,Ben", _("you pass the laptop to each other")),
            _example("citadels play --no-seat", _("watch the bots")),
        ),
        (
            flags.your_name(),
            *flags.game(),
            one_of(
                flags.people(),
                switch("--no-seat", _("only watch the bots")),
                switch("--guided", _("one deal for beginners, in which all is explained")),
            ),
            flags.pace(),
            option(
                "--seed", _("the same cards and bots every time"), "S", type=arguments.whole
            ),
        ),
        run="cli.commands.sit:sit",
    )
    check = _("hold the program to a file of rulings")
    yield CommandLine(
        "rules",
        _("The rules in short, or what a card or character does."),
        (
            "citadels rules",
            "citadels rules 'school of magic'",
            "citadels rules --edition 2016 --complete open",
            "citadels rules --edition dark-city emperor",
        ),
        (
            option("card", _("a district or a character"), nargs="*"),
            option("--edition", _("as which box has it"), choices=arguments.EDITIONS),
            flags.for_programs(),
            option("--check", check, "FILE", type=Path, action="append"),
            *flags.agreed(),
        ),
    )


def _looking_back() -> Iterator[CommandLine]:
    match = _("its table's name, its file, or its number in the history")
    page = _("write one page that shows it in a browser")
    record = _("write it as text, for people and programs (NOTATION.md)")
    seat = _("as the player of this seat saw it")
    yield CommandLine(
        "replay",
        _("Step through a saved match. Without a name: the newest."),
        (
            "citadels replay",
            _example("citadels replay Friday --seat 2", _("as that player saw it")),
            _example("citadels replay 3", _("the third in the history")),
            _example("citadels replay --html match.html", _("one page for a browser")),
        ),
        (
            option("match", match, _("MATCH"), nargs="?"),
            option("--seat", seat, "N", type=arguments.count),
            switch("--all", _("tell everything at once, asking nothing"), dest="straight"),
            option("--html", page, "FILE", type=Path),
            option("--record", record, "FILE", type=Path),
            flags.for_programs(),
        ),
        run="cli.commands.sit:replay",
    )
    yield CommandLine(
        "verify",
        _("Check a saved match: every signature, proof, commitment and rule."),
        (
            "citadels verify ~/friday.citadels",
            "citadels verify mine.citadels theirs.citadels",
            "citadels verify --json FILE",
        ),
        (
            option(
                "match",
                _("the match's file; of several people's, where they part"),
                "MATCH",
                type=Path,
                nargs="+",
            ),
            flags.for_programs(),
        ),
    )
    views = (
        ("opponents", _("how you fare against each of them")),
        ("characters", _("how often you were each, and how that went")),
        ("districts", _("how often you built each, and how that went")),
    )
    last = _("no more rows than this (default: 20)")
    against = _("only matches with this person: a name, or how their key begins")
    edition = _("only matches by this edition")
    since = _("only matches that ended then or later: 2026, 2026-11 or 2026-11-21")
    put_away = _("unfinished matches that need not be offered; without a name all but one")
    export = _("copy a match into a file that you can give away")
    delete = _("delete a match for good, once you have said yes")
    key = _("count for this key instead of yours, such as one that you had before")
    yield CommandLine(
        "history",
        _("Your matches, against whom, and what they come to; every one is verified first."),
        (
            _example("citadels history", _("the newest matches, and your rating")),
            _example("citadels history --opponents", _("who sat across, by their keys")),
            "citadels history --characters --last 5",
            "citadels history --against Boris --since 2026-11",
            _example("citadels history --put-away", _("unfinished matches, but the newest")),
            "citadels history --json",
        ),
        (
            one_of(
                *(_view(view, about) for view, about in views),
                option("--put-away", put_away, _("MATCH"), nargs="*"),
                option("--export", export, (_("MATCH"), "FILE"), nargs=2),
                option("--delete", delete, _("MATCH")),
            ),
            option("--last", last, "N", type=arguments.count, default=20),
            option("--against", against, _("WHO"), default=""),
            option("--edition", edition, choices=arguments.EDITIONS, default=""),
            option("--since", since, _("DATE"), type=arguments.day, default=0),
            option("--key", key, _("KEY")),
            switch("--json", _("for programs: everything")),
        ),
    )


def _view(view: str, about: str) -> flags.Flag:
    """A flag that chooses what the history shows; without one it shows the matches."""
    kept = {"dest": "view", "default": "matches", "action": "store_const", "const": view}
    return flags.Flag(f"--{view}", {"help": about, **kept})


def _of_this_laptop() -> Iterator[CommandLine]:
    levels = _("the bots' levels, seat by seat, repeated as needed (easy, normal, hard)")
    think = _("processor seconds for a decision of a bot that thinks (default: 1)")
    jobs = _("processes that play side by side; the results are the same (default: 1)")
    first = _("the number of the first game (default: 0)")
    program = _("a program of your own plays against them, by lines of JSON (JSON-UI.md)")
    yield CommandLine(
        "simulate",
        _("Whole games between bots, no network."),
        (
            "citadels simulate --games 1000 --seats 4",
            "citadels simulate --levels easy,normal --seed 7 --json",
            "citadels simulate --games 10000 --seats 7 --check",
            "citadels simulate --levels hard,normal,normal,normal --think 0.2",
            'citadels simulate --bot-command "python3 mybot.py" --levels normal',
            _example(
                "citadels simulate --edition any --seats any --check", _("any rules at all")
            ),
        ),
        (
            *flags.box(any_too=True),
            option("--games", _("how many"), "N", type=arguments.count, default=100),
            option("--seed", _("where to begin"), "S", type=arguments.whole, default=1),
            option("--first", first, "N", type=arguments.none_or_more, default=0),
            option("--levels", levels, _("LEVEL,…"), type=arguments.levels, default=("easy",)),
            *flags.own_program(program),
            option("--think", think, "S", type=arguments.seconds),
            option("--jobs", jobs, "N", type=arguments.count, default=1),
            one_of(
                switch("--csv", _("one line for each seat of each game, for spreadsheets")),
                flags.for_programs(),
            ),
            switch("--check", _("count gold and cards at every step, and more")),
        ),
        run="cli.commands.measure:simulate",
    )
    part = _("one part; hostile: answers at a table besieged by a thousand strangers")
    parts = ("engine", "cards", "table", "start", "hostile", "hall")
    yield CommandLine(
        "bench",
        _("Measure this machine: the engine, the sealed cards, whole tables, starting up."),
        (
            _example("citadels bench", _("everything; about five minutes")),
            _example("citadels bench --only table", _("2, 4 and 8 laptops in one")),
            "citadels bench --only cards --json",
        ),
        (flags.for_programs(), option("--only", part, choices=parts)),
    )
    yield CommandLine(
        "doctor",
        _("Check whether this laptop can play: network, files, terminal, clock."),
        ("citadels doctor", "citadels doctor --interface wlan0", "citadels doctor --json"),
        (flags.for_programs(), flags.interface()),
    )
    away = _("pack identity and unfinished matches into a file with a password")
    here = _("unpack such a file on another machine")
    forget = _("whoever comes with this name next may have another key")
    yield CommandLine(
        "whoami",
        _("Your identity and name, and where your files are."),
        (
            "citadels whoami",
            "citadels whoami --export me.luggage",
            "citadels whoami --import me.luggage",
        ),
        (
            one_of(
                option("--export", away, _("FILE"), dest="export_to", type=Path),
                option("--import", here, _("FILE"), dest="import_from", type=Path),
            ),
            option("--name", _("as another name"), _("NAME"), type=arguments.name),
            option("--forget", forget, _("NAME"), type=arguments.name),
            flags.for_programs(),
        ),
    )
    rest = _("first get the wheels for other systems from the internet, and say how much")
    yield CommandLine(
        "share",
        _("Whoever is in this room gets the program from this laptop."),
        (
            _example("citadels share", _("an address to open in a browser, and a code")),
            _example("citadels share --fetch", _("while there is internet, for every system")),
        ),
        (
            switch("--fetch", rest),
            option("--port", _("listen on this port"), "P", type=arguments.port, default=0),
            flags.interface(),
            flags.for_programs(),
        ),
    )
    init = _("make the file, every setting explained; one that is there stays as it is")
    menu = _("put the program into the menu of your desktop, with an icon (Linux)")
    undo = _("take it out of the menu again")
    yield CommandLine(
        "settings",
        _("What is settled and where; settle something; make a settings file."),
        (
            "citadels settings",
            "citadels settings name=Anna theme=light",
            _example("citadels settings --init", _("a file with every setting explained")),
        ),
        (
            option("change", _("settle this in the file"), _("KEY=VALUE"), nargs="*"),
            one_of(
                switch("--init", init),
                switch("--desktop", menu, default=None),
                switch(
                    "--no-desktop", undo, action="store_false", dest="desktop", default=None
                ),
            ),
            flags.for_programs(),
        ),
        run="cli.commands.settle:show",
    )
    yield CommandLine(
        "schema",
        _("What --ui json writes and reads, as a JSON Schema: for writing programs."),
        ("citadels schema   > citadels.json",),
        (),
    )
    yield CommandLine(
        "completion",
        _("What your shell needs to complete citadels commands."),
        (
            "citadels completion bash   > ~/.local/share/bash-completion/completions/citadels",
            "citadels completion zsh    > ~/.zfunc/_citadels",
            "citadels completion fish   > ~/.config/fish/completions/citadels.fish",
            "citadels completion powershell   >> $PROFILE",
        ),
        (option("shell", _("which"), choices=("bash", "zsh", "fish", "powershell")),),
    )
