"""Shell: the settings file: a commented template to begin with, and single lines changed.

A file that is there is never written over as a whole: a changed setting replaces its own line,
or the commented one that stands for it, and everything else stays as its owner wrote it.
"""

from __future__ import annotations

import contextlib
import json
import re
import textwrap
from collections.abc import Mapping
from pathlib import Path

from cli.i18n import _
from cli.settings import FILE, TABLE, SettingsError, Value, read_text

WIDTH = 80


def template(chosen: Mapping[str, Value] | None = None) -> str:
    """The file with every setting explained; those in `chosen` are set."""
    chosen = chosen or {}
    paragraphs = [
        _comment(
            _(
                "Settings of citadels. What stands behind a # says nothing: take the # away "
                "to settle something. A flag or a CITADELS_* variable goes before this file."
            )
        )
    ]
    for setting in TABLE:
        about = _(setting.about)
        if setting.choices:
            about += " " + _("One of: {choices}.").format(choices=", ".join(setting.choices))
        if setting.key in chosen:
            line = written(setting.key, chosen[setting.key])
        else:
            usual = setting.example if setting.default is None else setting.default
            line = "# " + written(setting.key, usual)
        paragraphs.append(f"{_comment(about)}\n{line}")
    return "\n\n".join(paragraphs) + "\n"


def written(key: str, value: Value) -> str:
    """One setting as a line of TOML."""
    # A JSON text is a basic string of TOML too, as long as DEL is written out.
    shown = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"{key} = {shown}"


def create(path: Path, chosen: Mapping[str, Value] | None = None) -> None:
    """Write the template. Raises `FileExistsError` where there is one, or another `OSError`."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:
        file.write(template(chosen))


def keep(path: Path, changed: Mapping[str, Value]) -> None:
    """Settle `changed` in the file, which is made if there is none; other lines stay.

    Raises `SettingsError` where the file cannot be understood or a line cannot be found for
    sure, and `OSError` where it cannot be written. Then nothing has changed.
    """
    path = path.resolve()  # a link stays a link
    try:
        before = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        create(path, changed)
        return
    except UnicodeDecodeError as error:
        raise SettingsError(str(path), str(error)) from None
    after = before
    for key, value in changed.items():
        after = _with_line(after, key, value)
    if read_text(after, path) != {**read_text(before, path), **changed}:
        raise SettingsError(str(path), _("its lines are too unusual to change one of them"))
    replacement = path.with_suffix(".new")
    try:
        replacement.write_text(after, encoding="utf-8")
        replacement.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            replacement.unlink(missing_ok=True)
        raise


def keep_name(home: Path, name: str) -> None:
    """Keep the name that was asked for; where that cannot be, it is asked for again."""
    with contextlib.suppress(SettingsError, OSError):
        keep(home / FILE, {"name": name})


def _with_line(text: str, key: str, value: Value) -> str:
    """The text with this key's line, its commented line, or one more line, saying `value`."""
    line = written(key, value)
    for mark in ("", r"#\s*"):
        found = re.compile(rf"^{mark}{key}\s*=.*?(\s+#[^\"'\n]*)?$", re.MULTILINE)
        if found.search(text):
            return found.sub(lambda old: line + (old[1] or ""), text, count=1)
    return f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{line}\n"


def _comment(paragraph: str) -> str:
    return textwrap.fill(paragraph, WIDTH, initial_indent="# ", subsequent_indent="# ")
