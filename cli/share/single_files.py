"""Programs in one file, for laptops without Python: their names, and what fetches them.

`citadels-SYSTEM-MACHINE`, with `.exe` on Windows: `citadels-windows-x86_64.exe`,
`citadels-macos-arm64`, `citadels-linux-x86_64`. The programs made here are the second and the
third part of `go`; the line that runs them has set `a`, the address with a slash at its end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol

_NAME = re.compile(r"citadels-(linux|macos|windows)-(x86_64|arm64)(\.exe)?", re.ASCII)

_POWER_SHELL = """
$ErrorActionPreference = 'Stop'
$f = @{{ {files} }}[$env:PROCESSOR_ARCHITECTURE]
if (-not $f) {{ Write-Output '{none}'; return }}
$d = Join-Path $HOME 'citadels'
$null = New-Item -ItemType Directory -Force $d
$p = Join-Path $d 'citadels.exe'
(New-Object Net.WebClient).DownloadFile($a + $f[0], "$p.part")
if ((Get-FileHash "$p.part" -Algorithm SHA256).Hash -ne $f[1]) {{
  Remove-Item "$p.part"; Write-Output '{wrong}'; return
}}
Move-Item -Force "$p.part" $p
Write-Output ('{ready}' + $p)
"""

_SH = """
case "$(uname -s) $(uname -m)" in
{cases}*) echo '{none}'; exit 1;;
esac
d=$HOME/citadels; p=$d/citadels
mkdir -p "$d" && curl -fsSo "$p.part" "$a$n" || exit 1
if [ "$({{ sha256sum || shasum -a 256; }} <"$p.part" 2>/dev/null | cut -c1-64)" != "$h" ]; then
  rm "$p.part"; echo '{wrong}'; exit 1
fi
chmod +x "$p.part" && mv "$p.part" "$p" && echo '{ready}'"$p"
"""

_WINDOWS = {"x86_64": "AMD64", "arm64": "ARM64"}
_UNIX = {
    "linux x86_64": "Linux x86_64",
    "linux arm64": "Linux aarch64",
    "macos x86_64": "Darwin x86_64",
    "macos arm64": "Darwin arm64",
}


class Single(Protocol):
    """A file with its hash."""

    @property
    def name(self) -> str: ...

    @property
    def digest(self) -> str: ...


def place_of(name: str) -> str | None:
    """Where a file of this name runs, as "windows x86_64"; None where it is no single file."""
    match = _NAME.fullmatch(name)
    if match is None or (match[1] == "windows") != (match[3] is not None):
        return None
    return f"{match[1]} {match[2]}"


def power_shell(singles: Mapping[str, Single], words: Mapping[str, str]) -> str:
    """The program for Windows."""
    files = "; ".join(
        f"'{_WINDOWS[place.split()[1]]}' = '{single.name}', '{single.digest}'"
        for place, single in singles.items()
        if place.startswith("windows ")
    )
    return _POWER_SHELL.format(files=files, **_quoted(words))


def sh(singles: Mapping[str, Single], words: Mapping[str, str]) -> str:
    """The program for macOS and Linux."""
    cases = "".join(
        f"'{_UNIX[place]}') n={single.name} h={single.digest};;\n"
        for place, single in singles.items()
        if place in _UNIX
    )
    return _SH.format(cases=cases, **_quoted(words))


def _quoted(words: Mapping[str, str]) -> dict[str, str]:
    """The sentences as they may stand between single quotes, where both shells read nothing."""
    return {
        "none": words["no_single"].replace("'", "’"),
        "wrong": words["wrong"].format(file="citadels").replace("'", "’"),
        "ready": words["ready"].format(command="").replace("'", "’"),
    }
