"""The command line of what looks back at saved matches."""

from __future__ import annotations

from pathlib import Path

from cli.i18n import _
from cli.line import arguments, flags
from cli.line.flags import Commands


def replay(commands: Commands) -> None:
    """`citadels replay`."""
    parser = flags.command(
        commands,
        "replay",
        "cli.commands.replay:replay",
        _("Step through a saved match. Without a name: the newest."),
        (
            "citadels replay",
            flags.example("citadels replay Friday --seat 2", _("as that player saw it")),
            flags.example("citadels replay 3", _("the third in the history")),
            flags.example("citadels replay --html match.html", _("one page for a browser")),
        ),
    )
    parser.add_argument(
        "match",
        nargs="?",
        metavar=_("MATCH"),
        help=_("its table's name, its file, or its number in the history"),
    )
    parser.add_argument(
        "--seat", type=arguments.count, metavar="N", help=_("as the player of this seat saw it")
    )
    parser.add_argument(
        "--all",
        action="store_true",
        dest="straight",
        help=_("tell everything at once, asking nothing"),
    )
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help=_("write one page that shows it in a browser")
    )
    parser.add_argument("--json", action="store_true", help=_("for programs"))


def verify(commands: Commands) -> None:
    """`citadels verify`."""
    parser = flags.command(
        commands,
        "verify",
        "cli.commands.verify:verify",
        _("Check a saved match: every signature, proof, commitment and rule."),
        ("citadels verify ~/friday.citadels", "citadels verify --json FILE"),
    )
    parser.add_argument("match", type=Path, metavar="MATCH", help=_("the match's file"))
    parser.add_argument("--json", action="store_true", help=_("for programs"))


def history(commands: Commands) -> None:
    """`citadels history`."""
    parser = flags.command(
        commands,
        "history",
        "cli.commands.history:history",
        _("Your matches, against whom, and what they come to; every one is verified first."),
        (
            flags.example("citadels history", _("the newest matches, and your rating")),
            flags.example("citadels history --opponents", _("who sat across, by their keys")),
            "citadels history --characters --last 5",
            "citadels history --against Boris --since 2026-11",
            "citadels history --json",
        ),
    )
    views = parser.add_mutually_exclusive_group()
    for view, about in (
        ("opponents", _("how you fare against each of them")),
        ("characters", _("how often you were each, and how that went")),
        ("districts", _("how often you built each, and how that went")),
    ):
        views.add_argument(
            f"--{view}", dest="view", action="store_const", const=view, help=about
        )
    parser.add_argument(
        "--last",
        type=arguments.count,
        default=20,
        metavar="N",
        help=_("no more rows than this (default: 20)"),
    )
    parser.add_argument(
        "--against",
        metavar=_("WHO"),
        default="",
        help=_("only matches with this person: a name, or how their key begins"),
    )
    parser.add_argument(
        "--edition",
        choices=arguments.EDITIONS,
        default="",
        help=_("only matches by this edition"),
    )
    parser.add_argument(
        "--since",
        type=arguments.day,
        metavar=_("DATE"),
        default=0,
        help=_("only matches that ended then or later: 2026, 2026-11 or 2026-11-21"),
    )
    parser.add_argument(
        "--key",
        metavar=_("KEY"),
        help=_("count for this key instead of yours, such as one that you had before"),
    )
    parser.add_argument("--json", action="store_true", help=_("for programs: everything"))
    parser.set_defaults(view="matches")
