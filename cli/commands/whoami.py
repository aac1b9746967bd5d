"""`citadels whoami`: identity, name, and where the files are."""

from __future__ import annotations

import argparse
import json

from cli import settings
from cli.commands.person import complain_about, own_identity
from cli.i18n import _
from protocol.errors import Unavailable


def whoami(options: argparse.Namespace) -> int:
    """Show who this laptop is at a table."""
    settled = settings.load(options)
    try:
        identity, name = own_identity(settled)
    except Unavailable as problem:
        return complain_about(problem)
    paths = {
        "home": settled.home,
        "settings": settled.home / settings.FILE,
        "matches": settled.home / "matches",
    }
    if options.json:
        shown = {key: str(path) for key, path in paths.items()}
        print(json.dumps({"name": name, "fingerprint": identity.fingerprint, **shown}))
        return 0
    print(_("Name:        {name}").format(name=name))
    print(_("Fingerprint: {fingerprint}").format(fingerprint=identity.fingerprint))
    print(_("Your files:  {path}").format(path=paths["home"]))
    print(_("Settings:    {path}").format(path=paths["settings"]))
    print(_("Matches:     {path}").format(path=paths["matches"]))
    return 0
