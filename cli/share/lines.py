"""The rows to type, for each system: all that a guest has to trust.

Whoever types them from the sharer's screen trusts that screen and nothing else. They are
English and need the keys of every keyboard. On the page `PLACE` stands for the code, so what is
copied from there runs nothing until somebody has looked at the sharer's screen.

They fetch `go`. What came is stored under the beginning of its own hash, as this laptop reckons
it, and the last row opens the file that the code names. Nothing is compared, so no sign between
two words decides whether it runs: without curl, wget, a tool for hashes or the right code there
is no such file, and where a key slips there is none either. It lies in a folder for what passes
by, and is gone when it has been read.

Why so: docs/decisions, 35.
"""

from __future__ import annotations

from collections.abc import Mapping

from cli.share.offer import DIGITS

#: stands for the code on a page, where it must not be
PLACE = "CODE"

_ROWS: Mapping[str, tuple[str, ...]] = {
    "windows": (
        "$u='{source}'",
        "cd $env:TEMP;curl.exe -sS --noproxy * -o g $u",
        "ren g (Get-FileHash g).Hash.Substring(0,{digits})",
        "$c=gc -raw {code};iex $c.Split([char]12)[1]",
    ),
    "macos": (
        "u={source}",
        "cd $(mktemp -d);curl -sSx '' $u>g",
        "mv g $(shasum -a256<g|cut -c1-{digits});sh {code} $u",
    ),
    "linux": (
        "u={source}",
        "cd $(mktemp -d);curl -sSx '' $u>+g||wget -Yoff -O+g $u",
        # a + is nothing that sh takes: sh>a256sum g would run it
        "mv +g $(sha256sum +g|cut -c1-{digits});sh {code} $u",
    ),
}


def rows(base: str, code: str = PLACE) -> dict[str, tuple[str, ...]]:
    """System → what is typed there, row by row; the first one alone knows the address."""
    # wget knows an address of IPv6 by the scheme before it.
    source = f"{base if '[' in base else base.removeprefix('http://')}go"
    return {
        system: tuple(row.format(source=source, code=code, digits=DIGITS) for row in typed)
        for system, typed in _ROWS.items()
    }
