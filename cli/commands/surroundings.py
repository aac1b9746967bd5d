"""Shell: what is around the program on this machine: the terminal, the firewall, memory,
the clock."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from protocol.memory import ADDRESSES
from protocol.tools.findings import Finding

#: columns and rows: below the first the full screen cannot be drawn, from the second on all of
#: the table is in view
LEAST = (60, 18)
ROOMY = (120, 36)
#: letters of the full screen whose width terminals disagree about
DOUBTFUL = "●◆▲…─│"
PATIENCE = 0.3
DAY = 86_400.0
WINDOWS_FIREWALL = (
    r"SOFTWARE\Policies\Microsoft\WindowsFirewall",
    r"SYSTEM\CurrentControlSet\Services\SharedAccess\Parameters\FirewallPolicy",
)

Read = Callable[[str], str | None]
Run = Callable[[Sequence[str]], str | None]


# The terminal


def check_terminal(environment: Mapping[str, str]) -> list[Finding]:
    """The terminal's size, colours and letters, and how wide it draws some of them."""
    if not sys.stdout.isatty():
        return [Finding("terminal", "ok", "no_terminal")]
    columns, rows = shutil.get_terminal_size()
    told = [
        size_of(columns, rows),
        colours(environment),
        letters(sys.stdout.encoding or "ascii"),
    ]
    if sys.platform == "win32":
        told.append(widths(_width_in_console(DOUBTFUL)))
    elif sys.stdin.isatty() and environment.get("TERM", "dumb") != "dumb":
        width = measured_width(DOUBTFUL, sys.stdin.fileno(), sys.stdout.fileno())
        if width is not None:
            told.append(widths(width))
    return told


def size_of(columns: int, rows: int) -> Finding:
    """Whether the full screen fits, and how much of it."""
    fields: dict[str, str | int] = {"columns": columns, "rows": rows}
    if columns < LEAST[0] or rows < LEAST[1]:
        return Finding("terminal", "warn", "terminal_small", fields)
    roomy = columns >= ROOMY[0] and rows >= ROOMY[1]
    return Finding("terminal", "ok", "terminal_roomy" if roomy else "terminal_size", fields)


def colours(environment: Mapping[str, str]) -> Finding:
    """How many colours there are. None are needed: shapes and letters say the same."""
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR"):
        return Finding("terminal", "ok", "colours_unwanted")
    is_console = os.name == "nt" and not term  # since Windows 10 it knows all colours
    if not is_console and term in ("", "dumb"):
        return Finding("terminal", "warn", "terminal_dumb")
    many = is_console or environment.get("COLORTERM") in ("truecolor", "24bit")
    many = many or "256" in term
    return Finding("terminal", "ok", "colours_many" if many else "colours_few")


def letters(encoding: str) -> Finding:
    """Whether it can show names as they are written."""
    fields: dict[str, str | int] = {"encoding": encoding}
    try:
        DOUBTFUL.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return Finding("terminal", "warn", "letters_few", fields)
    return Finding("terminal", "ok", "letters_all", fields)


def widths(measured: int) -> Finding:
    """Whether the terminal draws `DOUBTFUL` as wide as `text.cells` counts it."""
    fields: dict[str, str | int] = {"measured": measured, "reckoned": len(DOUBTFUL)}
    if measured != len(DOUBTFUL):
        return Finding("terminal", "warn", "widths_wrong", fields)
    return Finding("terminal", "ok", "widths_right", fields)


def measured_width(text: str, source: int, sink: int) -> int | None:
    """The columns that a terminal moves on by for a text, by asking it where it is.

    None where it does not say so in time.
    """
    import termios
    import tty

    before = termios.tcgetattr(source)
    try:
        tty.setcbreak(source)
        os.write(sink, f"\r{text}\x1b[6n".encode())
        column = _column(source)
        os.write(sink, b"\r\x1b[K")
    except OSError:
        return None
    finally:
        termios.tcsetattr(source, termios.TCSADRAIN, before)
    return None if column is None else column - 1


if sys.platform == "win32":

    def _width_in_console(text: str) -> int:
        """The same of a console of Windows', which knows where its cursor stands."""
        import ctypes
        from ctypes import wintypes

        kernel = ctypes.WinDLL("kernel32")
        kernel.GetStdHandle.restype = wintypes.HANDLE
        told = (ctypes.c_short * 11)()  # a CONSOLE_SCREEN_BUFFER_INFO: size, cursor, …
        print(f"\r{text}", end="", flush=True)
        kernel.GetConsoleScreenBufferInfo(wintypes.HANDLE(kernel.GetStdHandle(-11)), told)
        print(f"\r{' ' * told[2]}\r", end="", flush=True)
        return told[2]


def _column(source: int) -> int | None:
    """The column in the terminal's answer `ESC [ row ; column R`."""
    import selectors

    answer = b""
    deadline = time.monotonic() + PATIENCE
    with selectors.DefaultSelector() as selector:
        selector.register(source, selectors.EVENT_READ)
        while not answer.endswith(b"R") and len(answer) < 64:
            if not selector.select(max(0.0, deadline - time.monotonic())):
                return None
            answer += os.read(source, 1)
    with contextlib.suppress(ValueError):
        return int(answer.rpartition(b";")[2][:-1])
    return None


# The firewall


def check_firewall(system: str, read: Read, run: Run) -> list[Finding]:
    """A firewall that is on may keep others from this table; which one, and on which system."""
    found: list[str] = []
    match system:
        case "Linux":
            if "enabled=yes" in (read("/etc/ufw/ufw.conf") or "").lower():
                found.append("firewall_ufw")
            if (run(("firewall-cmd", "--state")) or "").strip() == "running":
                found.append("firewall_firewalld")
            rules = run(("nft", "list", "ruleset")) or ""
            if not found and "hook input" in rules and _drops(rules):
                found.append("firewall_nft")
        case "Darwin":
            tool = "/usr/libexec/ApplicationFirewall/socketfilterfw"
            state = re.search(r"State = (\d)", run((tool, "--getglobalstate")) or "")
            if state is not None and state[1] != "0":
                found.append("firewall_macos_all" if state[1] == "2" else "firewall_macos")
        case "Windows":
            if any(_is_on(profile, run) for profile in ("StandardProfile", "PublicProfile")):
                found.append("firewall_windows")
    if not found:
        return [Finding("firewall", "ok", "firewall_none")]
    return [Finding("firewall", "warn", code, {"program": sys.executable}) for code in found]


def _is_on(profile: str, run: Run) -> bool:
    """Whether Windows' firewall is on in these networks: what a policy says, else its owner.

    Values are read, because what `netsh` says is in the system's language.
    """
    for place in WINDOWS_FIREWALL:
        shown = run(("reg", "query", rf"HKLM\{place}\{profile}", "/v", "EnableFirewall")) or ""
        told = re.search(r"EnableFirewall\s+REG_DWORD\s+0x([0-9a-f]{1,8})\b", shown)
        if told is not None:
            return int(told[1], 16) != 0
    return False


def _drops(rules: str) -> bool:
    """Whether a chain on the way in lets nothing through unasked, or something not at all."""
    return any(
        "policy drop" in chain or " drop" in chain or " reject" in chain
        for chain in rules.split("chain ")
        if "hook input" in chain
    )


def read_text(path: str) -> str | None:
    """A system's file; None where there is none or it is not ours to read."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def run_quietly(command: Sequence[str]) -> str | None:
    """What a system's program prints; None where there is none, or it takes too long."""
    program = shutil.which(command[0])
    if program is None:
        return None
    try:
        done = subprocess.run(
            (program, *command[1:]),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=3,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout


def system() -> str:
    """Linux, Darwin, Windows …"""
    return platform.system()


# Memory


def check_memory(addresses: int | None) -> list[Finding]:
    """Warn of a shell that lets a program have few addresses."""
    if addresses is None or addresses >= ADDRESSES:
        return []
    return [Finding("memory", "warn", "few_addresses", {"megabytes": addresses >> 20})]


# The clock


def check_clock(home: Path, now: float) -> list[Finding]:
    """Warn of a clock that was set back: the program or a match is newer than now."""
    known = [Path(__file__), *(home / "matches").glob("*"), home / "identity.pem"]
    newest = max(path.stat().st_mtime for path in known if path.exists())
    shown = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    fields: dict[str, str | int] = {"now": shown}
    if newest > now + DAY:
        fields["newest"] = time.strftime("%Y-%m-%d %H:%M", time.localtime(newest))
        return [Finding("clock", "warn", "clock_behind", fields)]
    return [Finding("clock", "ok", "clock_plausible", fields)]
