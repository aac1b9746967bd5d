"""Shell: runs what the command line says and turns every end into an exit code."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from cli import i18n
from cli.i18n import _
from cli.i18n.ascii_twins import HANDLER
from cli.line import argparse_words, arguments
from cli.line.exits import MEANINGS, Exit, complain
from cli.line.flags import Parser
from cli.line.parser import build
from cli.line.version import licences, version
from protocol.memory import is_out_of_memory


def run(arguments: Sequence[str] | None = None) -> int:
    """Run `citadels` with these arguments (else the process's own); its exit code.

    Raises `KeyboardInterrupt` where it was interrupted.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] == ["help"]:
        given = [*given[1:], "--help"]
    nowhere = Path(os.devnull)  # for what whoever started us has closed
    if sys.stdin is None:
        sys.stdin = nowhere.open(encoding="utf-8")  # for good
    if sys.stderr is None:  # else what is said there goes to standard output
        sys.stderr = nowhere.open("w", encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = nowhere.open("w", encoding="utf-8")
    elif type(sys.stdout) is io.TextIOWrapper:
        sys.stdout = _StandardOutput.of(sys.stdout)
    _speak(given)
    for file in filter(None, os.environ.get("CITADELS_HOUSE", "").split(os.pathsep)):
        _add_house_box(Path(file))
    parser = build()
    try:
        code = _obey(parser, given)
        sys.stdout.flush()
        return code
    except (BrokenPipeError, _Unwritten) as failed:
        # Python must not complain once more when it closes what is broken.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(failed, BrokenPipeError):  # the reader has seen enough
            return Exit.FINE
        complain(f"{_(MEANINGS[Exit.UNWRITTEN])}: {failed}")
        return Exit.UNWRITTEN


class _Unwritten(Exception):
    """Standard output fails, and says why; no `OSError`, which a command takes for its own."""


class _StandardOutput(io.TextIOWrapper):
    """Standard output. Raises `_Unwritten`, or BrokenPipeError where the reader has gone."""

    @classmethod
    def of(cls, stream: io.TextIOWrapper) -> _StandardOutput:
        """The same stream, whose `sys.__stdout__` stays open beside it."""
        return cls(
            stream.buffer,
            stream.encoding,
            stream.errors,
            line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )

    def write(self, text: str) -> int:
        with _told():
            return super().write(text)

    def flush(self) -> None:
        with _told():
            super().flush()


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _Unwritten(error.strerror or str(error)) from error


def _obey(parser: Parser, given: Sequence[str]) -> int:
    try:
        options = parser.parse_args(given)
    except SystemExit:  # after help, or a refusal
        sys.stdout.flush()
        raise
    if not options.version and not options.licences:
        return _carry_out(options)
    print(version() if options.version else "\n\n".join(licences()))
    return Exit.FINE


def _add_house_box(file: Path) -> None:
    """Cards of one's own (`citadels_p2p/house.py`); their faults are shown as they are."""
    from citadels_p2p import house
    from citadels_p2p.cards import EDITIONS

    house.load(file)
    more = tuple(id for id in EDITIONS if id not in arguments.EDITIONS)
    arguments.EDITIONS += more


def _speak(arguments: Sequence[str]) -> None:
    """Settle language and letters of this run. A settings file that cannot be read decides
    nothing here; the command complains of it."""
    from cli import settings

    try:
        settled = settings.load()
        lang, ascii_only = settled.lang, settled.ascii
    except settings.SettingsError:
        lang, ascii_only = None, False
    i18n.use(i18n.flagged(arguments) or i18n.preferred(settled=lang))
    i18n.only_ascii(ascii_only or "--ascii" in arguments)
    _write_letters()
    argparse_words.lend()


def _write_letters(encoding: str | None = None) -> None:
    """Let what is printed come out in the letters that are wished for and that there are."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(
                encoding="ascii" if i18n.is_ascii() else encoding, errors=HANDLER
            )


def _carry_out(options: argparse.Namespace) -> int:
    """The chosen command; a bug ends in a short message, and in a report if wanted."""
    from cli import settings

    try:
        settled = settings.load(options)  # complain before the work begins
        if settled.ui == "json" or getattr(options, "json", False):
            i18n.only_ascii(False)  # programs get names as they are
            _write_letters("utf-8")
        if options.debug is not None and not _open_report(options):
            return Exit.USAGE
        module, _colon, function = options.run.partition(":")
        command: Callable[[argparse.Namespace], int] = getattr(import_module(module), function)
        return command(options)
    except (BrokenPipeError, KeyboardInterrupt, _Unwritten):
        raise
    except settings.SettingsError as error:
        complain(_("{place} cannot be used: {why}").format(place=error.place, why=error.detail))
        return Exit.USAGE
    except Exception as error:
        if is_out_of_memory(error):
            from cli.text.endings import ENDINGS

            said = ENDINGS["no_memory"]
            return complain(_(said))
        _report(options, error)
        return Exit.BUG


def _open_report(options: argparse.Namespace) -> bool:
    """Begin the report: who we are and what was asked. Nothing secret is ever an argument."""
    import logging
    import platform

    try:
        # Readable by its owner alone: names and addresses are nobody else's business.
        options.debug.touch(mode=0o600)
        report = logging.FileHandler(options.debug, encoding="utf-8")
    except OSError as error:
        why = error.strerror or str(error)
        complain(_("{path} cannot be written: {why}").format(path=options.debug, why=why))
        return False
    report.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
    logging.getLogger().addHandler(report)
    logging.getLogger().setLevel(logging.DEBUG)
    own = logging.getLogger("citadels")
    own.info("%s on %s", version(), platform.platform())
    own.info("command %s", options.command)
    return True


def _report(options: argparse.Namespace, error: Exception) -> None:
    said = _("This is a fault in the program, not yours: {name}.")
    complain(said.format(name=type(error).__name__))
    if options.debug is None:
        complain(_("Run the same command with --debug FILE to have a report of it."))
        return
    import logging

    logging.getLogger("citadels").critical("the command failed", exc_info=error)
    complain(_("A report of it is in {path}.").format(path=options.debug))
