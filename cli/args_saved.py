"""The command line of what looks back at saved matches."""

from __future__ import annotations

from cli import arguments, flags
from cli.flags import Commands
from cli.i18n import _


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
    parser.add_argument("--json", action="store_true", help=_("for programs: everything"))
    parser.set_defaults(view="matches")
