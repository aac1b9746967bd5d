"""What runs at the guest's, checked already: it takes what a Python there needs, or one file.

Single files are for laptops without Python and have names such as `citadels-SYSTEM-MACHINE`,
with `.exe` on Windows: `citadels-windows-x86_64.exe`, `citadels-macos-arm64`,
`citadels-linux-x86_64`. The rows that were typed have set `$u` and `$c` for PowerShell, and
have given the address to sh as the only argument.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

_NAME = re.compile(r"citadels-(linux|macos|windows)-(x86_64|arm64)(\.exe)?", re.ASCII)

_POWER_SHELL = """
& {{
$ErrorActionPreference = 'Stop'
$a = 'http://' + ($u -replace '^http://' -replace 'go$')
if (Get-Command py -ErrorAction SilentlyContinue) {{
  py -3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'
  if ($LASTEXITCODE -eq 0) {{
    $t = Join-Path $env:TEMP 'citadels.py'
    [IO.File]::WriteAllText($t, $c.Split([char]12)[3])
    py -3 -I $t $a
    $r = $LASTEXITCODE
    Remove-Item $t
    if ($r -ne {nothing}) {{ return }}
  }}
}}
$s = @{{ {files} }}[$env:PROCESSOR_ARCHITECTURE]
if (-not $s) {{ throw [regex]::Unescape('{none}') }}
$d = Join-Path $HOME 'citadels'
$null = New-Item -ItemType Directory -Force $d
$p = Join-Path $d 'citadels.exe'
$w = New-Object Net.WebClient
$w.Proxy = $null
$w.DownloadFile($a + $s[0], "$p.part")
if ((Get-FileHash "$p.part" -Algorithm SHA256).Hash -ne $s[1]) {{
  Remove-Item "$p.part"; throw [regex]::Unescape('{wrong}')
}}
Move-Item -Force "$p.part" $p
Write-Output ([regex]::Unescape('{ready}') + $p)
}}
"""

# Apple's own python3 is too old, and where it is none yet it asks to have one installed.
_SH = """rm -f "$0"
a=http://${{1#http://}}; a=${{a%go}}
for p in python3 python3.14 python3.13 python3.12 python3.11; do
  q=$(command -v $p) || continue
  [ "$(uname -s) $q" = "Darwin /usr/bin/python3" ] && continue
  "$q" -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null || continue
  python "$q"; r=$?
  [ $r = {nothing} ] || exit $r
done
case "$(uname -s) $(uname -m)" in
{cases}*) echo '{none}' >&2; exit 1;;
esac
d=$HOME/citadels; p=$d/citadels
rm -f "$p.part"; rmdir "$d" 2>/dev/null
if [ -e "$d" ] && [ ! -f "$p" ]; then echo '{taken}' >&2; exit 1; fi
mkdir -p "$d" || exit 1
curl -fSx '' -o "$p.part" "$a$n" || wget -Yoff -O "$p.part" "$a$n" || {{
  rm -f "$p.part"; rmdir "$d" 2>/dev/null; exit 1
}}
if [ "$({{ sha256sum || shasum -a256; }} <"$p.part" 2>/dev/null | cut -c1-64)" != "$h" ]; then
  rm "$p.part"; rmdir "$d" 2>/dev/null; echo '{wrong}' >&2; exit 1
fi
chmod +x "$p.part" && mv "$p.part" "$p" && echo '{ready}'"$p"
exit"""

#: with which `bootstrap`, which stands alone, says that there is nothing for this Python
NOTHING = 3

_WINDOWS = {"x86_64": "AMD64", "arm64": "ARM64"}
_UNIX = {
    "linux x86_64": "Linux x86_64",
    "linux arm64": "Linux aarch64",
    "macos x86_64": "Darwin x86_64",
    "macos arm64": "Darwin arm64",
}


#: "windows x86_64" → the name and the SHA-256 of the file that runs there
Singles: TypeAlias = Mapping[str, tuple[str, str]]


def place_of(name: str) -> str | None:
    """Where a file of this name runs, as "windows x86_64"; None where it is no single file."""
    match = _NAME.fullmatch(name)
    if match is None or (match[1] == "windows") != (match[3] is not None):
        return None
    return f"{match[1]} {match[2]}"


def power_shell(singles: Singles, words: Mapping[str, str]) -> str:
    """The program for Windows."""
    files = "; ".join(
        f"'{_WINDOWS[place.split()[1]]}' = '{name}', '{digest}'"
        for place, (name, digest) in singles.items()
        if place.startswith("windows ")
    )
    # Windows' own PowerShell would read letters beyond ASCII in a file as other ones.
    said = {
        name: text.encode("ascii", "backslashreplace").decode()
        for name, text in _quoted(words).items()
    }
    return _POWER_SHELL.format(files=files, nothing=NOTHING, **said)


def sh(singles: Singles, words: Mapping[str, str]) -> str:
    """The program for macOS and Linux."""
    cases = "".join(
        f"'{_UNIX[place]}') n={name} h={digest};;\n"
        for place, (name, digest) in singles.items()
        if place in _UNIX
    )
    return _SH.format(cases=cases, nothing=NOTHING, **_quoted(words))


def _quoted(words: Mapping[str, str]) -> dict[str, str]:
    """The sentences as they may stand between single quotes, where both shells read nothing."""
    fields = {"file": "citadels", "command": "", "folder": "'\"$d\"'"}
    said = {name: text.replace("'", "’") for name, text in words.items()}
    return {name: said[name].format(**fields) for name in ("none", "wrong", "ready", "taken")}
