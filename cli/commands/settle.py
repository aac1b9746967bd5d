"""Shell: `citadels settings`: what is settled and where, one setting changed, a file to begin
with, an entry in the desktop's menu.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from cli import settings
from cli.commands.surroundings import system
from cli.i18n import _
from cli.line.exits import Exit, complain
from cli.settings import FILE, TABLE, Settings, SettingsError, Value
from cli.settings.desktop_entry import ICON, desktop_entry, places
from cli.settings.file import create, keep, written


def show(options: argparse.Namespace) -> int:
    """Settle what is given as KEY=VALUE, make the file with --init, else show everything."""
    settled = settings.load(options)
    path = settled.home / FILE
    changed = _changes(options.change)
    if options.desktop is not None:
        if changed:
            raise SettingsError(options.change[0], _("settle this in a command of its own"))
        return _in_menu() if options.desktop else _out_of_menu()
    if not changed and not options.init:
        _show(settled, as_json=options.json)
        return Exit.FINE
    try:
        if options.init:
            create(path, changed)
        else:
            keep(path, changed)
    except FileExistsError:
        return complain(_("{path} is there already and stays as it is.").format(path=path))
    except OSError as error:
        raise SettingsError(str(path), error.strerror or str(error)) from None
    print(path)
    for key in changed:
        origin = settings.load().origins[key]
        if origin != "file":
            stands = _("{origin} goes before the file: {line} has no effect while it is set.")
            complain(stands.format(origin=origin, line=written(key, changed[key])))
    return Exit.FINE


def _changes(arguments: Sequence[str]) -> dict[str, Value]:
    """What KEY=VALUE arguments settle. Raises `SettingsError`."""
    changed: dict[str, Value] = {}
    for argument in arguments:
        key, equals, text = argument.partition("=")
        if not equals:
            raise SettingsError(argument, _("write it as KEY=VALUE"))
        changed[key] = settings.parse(settings.setting_of(key, argument), text, argument)
    return changed


def _show(settled: Settings, *, as_json: bool) -> None:
    """Each setting as its line in the file, and where its value comes from."""
    values = {setting.key: getattr(settled, setting.key) for setting in TABLE}
    path = settled.home / FILE
    if as_json:
        shown = {
            key: {"value": value, "origin": settled.origins[key]}
            for key, value in values.items()
        }
        print(json.dumps({"file": str(path), "settings": shown}))
        return
    print(f"# {path}")
    for key, value in values.items():
        line = f"# {key} =" if value is None else written(key, value)
        print(f"{line:<28} # {_origin(settled.origins[key])}")


def _origin(code: str) -> str:
    known = {"file": _("from the file"), "flag": _("from the command line")}
    known["default"] = _("default")
    return known.get(code) or _("from {variable}").format(variable=code)


# The entry in the desktop's menu


def _in_menu() -> Exit:
    """Write the entry and its icon for this user, or say what to do where there is no XDG."""
    command = _command()
    match system():
        case "Windows":
            told = _(
                "On Windows, click with the right button on the desktop, choose New and "
                "Shortcut, and enter: {command}"
            )
            return complain(told.format(command=subprocess.list2cmdline(command)))
        case "Darwin":
            told = _(
                "On a Mac, put this line into a file Citadels.command on the desktop and make "
                "it executable with chmod +x; a double click starts it: {command}"
            )
            return complain(told.format(command=shlex.join(command)))
    chosen = settings.home_folder().absolute() if os.environ.get("CITADELS_HOME") else None
    entry, icon = places(os.environ, Path.home())
    text = desktop_entry(command, chosen)
    path = entry
    try:
        for path in (icon, entry):
            path.parent.mkdir(parents=True, exist_ok=True)
        for path, content in ((icon, ICON.read_bytes()), (entry, os.fsencode(text))):
            path.write_bytes(content)
    except OSError as error:
        raise SettingsError(str(path), error.strerror or str(error)) from None
    print(icon, entry, sep="\n")
    return Exit.FINE


def _out_of_menu() -> Exit:
    """Take away what `_in_menu` wrote; what is not there is no fault."""
    for path in places(os.environ, Path.home()):
        try:
            path.unlink()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise SettingsError(str(path), error.strerror or str(error)) from None
        print(path)
    return Exit.FINE


def _command() -> tuple[str, ...]:
    """What starts this program again, from any folder."""
    if getattr(sys, "frozen", False):  # the single file
        return (sys.executable,)
    script = Path(sys.argv[0]).absolute()
    if script.name == "__main__.py":  # python -m cli, which needs its folder
        script = Path(__file__).parents[2] / "citadels_launcher.py"
    # on Windows with its .exe, which pip's script leaves out
    program = shutil.which(str(script))
    return (program,) if program else (sys.executable, str(script))
