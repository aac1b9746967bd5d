"""`citadels whoami`: identity, name, and where the files are."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from cli import settings
from cli.commands import passwords
from cli.commands.person import complain_about, own_identity
from cli.i18n import _, counted
from cli.line.exits import Exit, complain
from protocol.errors import ProtocolError, Unavailable


def whoami(options: argparse.Namespace) -> int:
    """Show who this laptop is at a table, or move to another laptop."""
    settled = settings.load(options)
    if options.export_to is not None or options.import_from is not None:
        return _move(settled, options.export_to, options.import_from)
    try:
        if options.forget:
            return _forget(settled, options.forget)
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


def _move(settled: settings.Settings, away: Path | None, here: Path | None) -> int:
    """Pack identity and unfinished matches into a file, or unpack one."""
    from protocol.storage import backup

    try:
        if away is not None:
            backup.refuse_old_file(away)
            password = passwords.ask(
                as_json=False, twice=True, prompt=_("Password for the file: ")
            )
            packed, matches = backup.pack(settled.home, password)
            backup.save(away, packed)
            line = counted(
                "Packed: your identity and {count} unfinished match. Unpack it with "
                "--import, and play on in one place only.",
                "Packed: your identity and {count} unfinished matches. Unpack it with "
                "--import, and play on in one place only.",
                count=matches,
            )
            print(line)
        if here is not None:
            content = backup.read(here)
            password = passwords.ask(
                as_json=False, twice=False, prompt=_("Password of the file: ")
            )
            matches = backup.unpack(settled.home, content, password)
            line = counted(
                "Unpacked: your identity and {count} unfinished match.",
                "Unpacked: your identity and {count} unfinished matches.",
                count=matches,
            )
            print(line)
    except ProtocolError as problem:
        return complain_about(problem)
    return 0


def _forget(settled: settings.Settings, name: str) -> int:
    """After a friend has said in person that the new key is theirs."""
    from protocol.identity.acquaintances import Acquaintances

    if not Acquaintances(settled.home).forget(name):
        return complain(_("Nobody of that name has been met."))
    print(_("{name} may come with another key now.").format(name=name))
    return Exit.FINE
