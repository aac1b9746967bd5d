"""The rows to type, for each system: all that a guest has to trust.

They fetch `go`, compare its hash with the code that stands in them, and run it only where both
agree. Whoever types them from the sharer's screen trusts that screen and nothing else. They are
English and need the keys of every keyboard. On the page `PLACE` stands for the code, so what is
copied from there runs nothing until somebody has looked at the sharer's screen.

Without curl, wget, a tool for hashes or a code nothing is run: what is compared is the hash as
one row, and no row comes from nothing. `go` is hashed and run as one text in memory, so nothing
can come between; whatever it says about itself, the shell changes none of it (`printf %s`).
"""

from __future__ import annotations

from collections.abc import Mapping

from cli.share.offer import DIGITS

#: stands for the code on a page, where it must not be
PLACE = "CODE"

#: what a sum of standard input is beyond the digits of the code: digits, two blanks and a dash
_REST = 64 - DIGITS + 3
_COMPARE = 'printf %s "$c"|{sum}|grep -ixE {code}.{{{rest}}}&&sh -c "$c" $u'
_ROWS: Mapping[str, tuple[str, ...]] = {
    "windows": (
        "$u='{source}'",
        '$f="$env:TEMP\\c";curl.exe -sS --noproxy * -o $f $u',
        "$h=(Get-FileHash $f).Hash;$c=gc -raw $f",
        "if($h.Substring(0,{digits}) -eq '{code}'){{iex $c.Split([char]12)[1]}}",
    ),
    "macos": ("u={source}", "c=$(curl -sSx '' $u)", _COMPARE),
    "linux": ("u={source}", "c=$(curl -sSx '' $u||wget -Yoff -O- $u)", _COMPARE),
}
_SUMS = {"macos": "shasum -a256", "linux": "sha256sum"}


def rows(base: str, code: str = PLACE) -> dict[str, tuple[str, ...]]:
    """System → what is typed there, row by row; the first one alone knows the address."""
    # wget knows an address of IPv6 by the scheme before it.
    source = f"{base if '[' in base else base.removeprefix('http://')}go"
    return {
        system: tuple(
            row.format(
                source=source, code=code, digits=DIGITS, rest=_REST, sum=_SUMS.get(system)
            )
            for row in typed
        )
        for system, typed in _ROWS.items()
    }
