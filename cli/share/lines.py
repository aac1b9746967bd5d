"""The one line to copy, for each system: all that a guest has to trust.

It fetches `go`, asks for the code on the sharer's screen and runs nothing unless they agree. It
is English and the same on every page, so that it can be compared with the sharer's screen. In
the lines for Python is no sign that one of the shells would read as its own, no `$` or `!`.
"""

from __future__ import annotations

from cli.share.offer import DIGITS

WRONG = "Wrong code: nothing was installed."

_PYTHON = (
    "import urllib.request as u,hashlib as h;a='{base}';b=u.urlopen(a+'go').read(9**7);"
    "h.sha256(b).hexdigest()[:{digits}]==input('Code: ').replace(' ','').lower()"
    "or exit('{wrong}');exec(b.split(b'\\f')[0])"
)
_POWER_SHELL = (
    "$a='{base}';$b=(New-Object Net.WebClient).DownloadData($a+'go');"
    "$h=[BitConverter]::ToString([Security.Cryptography.SHA256]::Create().ComputeHash($b));"
    "if((Read-Host 'Code').Replace(' ','') -eq $h.Replace('-','').Substring(0,{digits}))"
    "{{iex ([Text.Encoding]::UTF8.GetString($b).Split([char]12)[1])}}else{{'{wrong}'}}"
)
_SH = (
    'sh -c \'export a={base};t=$(mktemp);curl -so $t ${{a}}go;printf "Code: ";read c;'
    'if [ "$({{ sha256sum||shasum -a 256;}}<$t 2>/dev/null|cut -c1-{digits})" '
    '= "$(echo $c|tr -d " "|tr A-F a-f)" ];then '
    'sh -c "$(awk -v RS="\\f" NR==3 $t)";else echo "{wrong}";fi\''
)


def with_python(base: str) -> dict[str, str]:
    """System → its line, where there is a Python."""
    python = _PYTHON.format(base=base, digits=DIGITS, wrong=WRONG)
    line = f'python3 -c "{python}"'
    return {"windows": f'py -c "{python}"', "macos": line, "linux": line}


def without_python(base: str) -> dict[str, str]:
    """System → its line, which takes the single file."""
    shell = _SH.format(base=base, digits=DIGITS, wrong=WRONG)
    power_shell = _POWER_SHELL.format(base=base, digits=DIGITS, wrong=WRONG)
    return {"windows": power_shell, "macos": shell, "linux": shell}
