"""The words that argparse itself says, in the person's language.

argparse looks its sentences up by the names `_` and `ngettext` of its own module. They get
ours, so that a switch of the language reaches them too. What the parser of any supported Python
may say to a person is marked here; its messages to programmers are not.
"""

from __future__ import annotations

import argparse

from cli.i18n import N_, NN_, _, ngettext

SAID: tuple[str, ...] = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("unrecognized arguments: %s"),
    N_("not allowed with argument %s"),
    N_("ignored explicit argument %r"),
    N_("the following arguments are required: %s"),
    N_("one of the arguments %s is required"),
    N_("expected one argument"),
    N_("expected at most one argument"),
    N_("expected at least one argument"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("unexpected option string: %s"),
    N_("invalid %(type)s value: %(value)r"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("invalid choice: %(value)r, maybe you meant %(closest)r? (choose from %(choices)s)"),
    N_("unknown parser %(parser_name)r (choices: %(choices)s)"),
)
COUNTED = NN_("expected %s argument", "expected %s arguments")


def lend() -> None:
    """Let argparse speak through our catalogue."""
    # the name it looks its words up by; it asks for the translation of nothing too
    argparse._ = lambda message: message and _(message)  # type: ignore[attr-defined]
    argparse.ngettext = ngettext  # type: ignore[attr-defined]  # the same, for numbers
