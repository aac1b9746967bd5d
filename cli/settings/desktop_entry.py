"""The entry in a desktop's menu: which two files it is, and what stands in them.

As freedesktop.org has it: Desktop Entry Specification 1.0, Icon Theme Specification 0.13, XDG
Base Directory Specification 0.8.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from gettext import translation
from pathlib import Path

from cli.i18n import DOMAIN, LANGUAGES, LOCALE, N_

ID = "citadels-p2p"
#: our own drawing, which is installed as it is
ICON = Path(__file__).parent.parent / "icon.svg"

_NAME = N_("Citadels")
_COMMENT = N_("Citadels between laptops: no server, no account, nobody to trust.")
_ESCAPES = {"\\": r"\\", "\n": r"\n", "\t": r"\t", "\r": r"\r"}


def places(environment: Mapping[str, str], home: Path) -> tuple[Path, Path]:
    """Where the entry and its icon lie for one user, whose home folder is `home`."""
    data = Path(environment.get("XDG_DATA_HOME", ""))
    if not data.is_absolute():  # the specification wants a relative one to be passed over
        data = home / ".local" / "share"
    icons = data / "icons" / "hicolor" / "scalable" / "apps"
    return data / "applications" / f"{ID}.desktop", icons / f"{ID}.svg"


def desktop_entry(command: Sequence[str], home: Path | None = None) -> str:
    """The entry's text. `command` starts the program, by a whole path; `home`: with this
    `CITADELS_HOME`, because a menu does not know what a shell has set."""
    line = command if home is None else ("env", f"CITADELS_HOME={home}", *command)
    shown = ["[Desktop Entry]", "Type=Application", "Version=1.0"]
    for language in LANGUAGES:
        mark = "" if language == LANGUAGES[0] else f"[{language}]"
        # not by `_`, which would follow --ascii
        say = translation(DOMAIN, LOCALE, [language], fallback=True).gettext
        shown += [f"Name{mark}={say(_NAME)}", f"Comment{mark}={say(_COMMENT)}"]
    shown += [
        f"Exec={_text(' '.join(map(_argument, line)))}",
        f"TryExec={_text(command[0])}",  # an entry whose program is gone is not shown
        f"Icon={ID}",
        "Terminal=true",
        "Categories=Game;CardGame;",
    ]
    return "\n".join(shown) + "\n"


def _argument(word: str) -> str:
    """One argument of `Exec`, in quotes."""
    escaped = re.sub(r'(["`$\\])', r"\\\1", word).replace("%", "%%")
    return f'"{escaped}"'


def _text(value: str) -> str:
    """A value as desktop files write every text; in `Exec` this comes after the quotes."""
    return re.sub(r"[\\\n\t\r]", lambda found: _ESCAPES[found[0]], value)
