"""The manual page `docs/citadels.1`, made of the same tables that the program itself reads.

`python -m tests.cli.man_page > docs/citadels.1` makes it; a test keeps it current.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from cli import i18n
from cli.i18n import _
from cli.line.command_table import COMMANDS, plain_arrows, shown_key
from cli.line.exits import MEANINGS
from cli.line.flags import Parser
from cli.line.parser import build
from cli.settings import TABLE


def page() -> str:
    """The whole page as roff source, in English."""
    i18n.use("en")
    parser = build()
    lines = [
        '.TH CITADELS 1 "" "citadels\\-p2p" "Games"',
        ".SH NAME",
        r"citadels \- Citadels between laptops, with no server and nobody to trust",
        ".SH SYNOPSIS",
        r"\fBcitadels\fR [\fIflags\fR]",
        ".br",
        r"\fBcitadels\fR \fIcommand\fR [\fIarguments\fR]",
        ".SH DESCRIPTION",
        _text(parser.description or ""),
        r"Alone, \fBcitadels\fR opens the lobby: tables nearby, unfinished matches, a table of",
        "one's own, practice against bots, settings and rules.",
        *_examples(parser.examples),
        ".SH COMMANDS",
    ]
    for name, command in parser.commands.items():
        lines += _command(name, command)
    lines += [".SH FLAGS OF EVERY COMMAND", *_flags(_common(parser))]
    lines += [".SH AT THE PLAIN TABLE", "Besides answers to questions, at any time:"]
    for word in (command for command in COMMANDS if command.typed):
        argument = f" \\fI{_text(word.argument)}\\fR" if word.argument else ""
        others = "".join(f", \\fB{_text(alias)}\\fR" for alias in word.aliases)
        lines += [".TP", f"\\fB{_text(word.name)}\\fR{others}{argument}", _text(word.help)]
    lines += [".SH ON THE FULL SCREEN", "Arrows, digits, Enter and Esc choose. Besides:"]
    for word in (command for command in COMMANDS if command.keys):
        keys = ", ".join(f"\\fB{_text(plain_arrows(shown_key(key)))}\\fR" for key in word.keys)
        lines += [".TP", keys, _text(word.help)]
    lines += [
        ".SH SETTINGS",
        "A flag goes before a variable, a variable before the file \\fIsettings.toml\\fR, and",
        "that before what is usual.",
    ]
    for setting in TABLE:
        choices = f" ({', '.join(setting.choices)})" if setting.choices else ""
        named = f"\\fB{_text(setting.key)}\\fR, \\fB{_text(setting.variable)}\\fR"
        lines += [".TP", named, _text(setting.about + choices)]
    lines += [
        ".SH ENVIRONMENT",
        ".TP",
        r"\fBCITADELS_HOME\fR",
        "The folder of identity, settings and matches.",
        ".TP",
        r"\fBNO_COLOR\fR",
        "No colours.",
        ".SH FILES",
        r"\fBcitadels whoami\fR shows where identity, settings and matches are.",
        ".SH EXIT STATUS",
    ]
    for code, meaning in MEANINGS.items():
        lines += [".TP", f"\\fB{int(code)}\\fR", _text(meaning)]
    return "\n".join(lines) + "\n"


def _command(name: str, command: Parser) -> Iterator[str]:
    arguments = [action for action in command._actions if not action.option_strings]
    shown = "".join(f" {_argument(action)}" for action in arguments)
    yield f".SS citadels {_text(name)}{shown}"
    yield _text(command.description or "")
    for action in arguments:
        if action.help:
            yield from (".TP", _argument(action), _text(action.help))
    yield from _flags(_own(command))
    yield from _examples(command.examples)


def _own(command: Parser) -> list[argparse.Action]:
    """The flags that not every command has."""
    common = {action.dest for action in _common(command)}
    return [a for a in command._actions if a.option_strings and a.dest not in {*common, "help"}]


def _common(parser: Parser) -> list[argparse.Action]:
    for group in parser._action_groups:
        if group.title == _("everywhere"):
            return group._group_actions
    return []


def _flags(actions: Iterable[argparse.Action]) -> Iterator[str]:
    for action in actions:
        names = ", ".join(f"\\fB{_text(name)}\\fR" for name in action.option_strings)
        value = "" if action.nargs == 0 else f" {_argument(action)}"
        yield from (".TP", names + value, _text(action.help or ""))


def _argument(action: argparse.Action) -> str:
    """What stands for the value: its own word, or the words it may be."""
    if action.metavar:
        named = f"\\fI{_text(str(action.metavar))}\\fR"
    elif action.choices:
        named = " | ".join(f"\\fB{_text(str(choice))}\\fR" for choice in action.choices)
    else:
        named = f"\\fI{_text(action.dest.upper())}\\fR"
    match action.nargs:
        case "?":
            return f"[{named}]"
        case "*":
            return f"[{named} ...]"
        case _:
            return named


def _examples(examples: Iterable[str]) -> Iterator[str]:
    yield from (".PP", ".RS", ".nf")
    yield from map(_text, examples)
    yield from (".fi", ".RE")


def _text(text: str) -> str:
    """Text as roff reads it: nothing of it is a request or an escape."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    escaped = escaped.replace("…", "...").replace("`", "")
    return f"\\&{escaped}" if escaped.startswith(".") else escaped


if __name__ == "__main__":
    print(page(), end="")
