"""`citadels settings`: what is settled and where, one setting changed, a file to begin with."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from cli import settings
from cli.i18n import _
from cli.line.exits import Exit, complain
from cli.settings import BY_KEY, FILE, TABLE, Settings, SettingsError, Value
from cli.settings.file import create, keep, written


def show(options: argparse.Namespace) -> int:
    """Settle what is given as KEY=VALUE, make the file with --init, else show everything."""
    settled = settings.load(options)
    path = settled.home / FILE
    changed = _changes(options.change)
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
        if key not in BY_KEY:
            unknown = _("there is no setting {key}; known are {keys}")
            raise SettingsError(argument, unknown.format(key=key, keys=", ".join(BY_KEY)))
        changed[key] = settings.parse(BY_KEY[key], text, argument)
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
    match code:
        case "default":
            return _("unless settled otherwise")
        case "file":
            return _("from the file")
        case "flag":
            return _("from the command line")
        case variable:
            return _("from {variable}").format(variable=variable)
