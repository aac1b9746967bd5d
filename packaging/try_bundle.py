"""Shell: does the single file play? `python packaging/try_bundle.py [--pure] [FILE]`, the
newest in `dist` or in a folder that is named; `--pure` where there was no C compiler.

It runs in empty folders and without any Python of this machine: version and languages,
practice, games in several processes, and a sealed match that it hosts and joins on this laptop
alone, which it then verifies.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from importlib.metadata import packages_distributions
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from PyInstaller.archive.readers import CArchiveReader

ROOT = Path(__file__).parent.parent
MATCH_SECONDS = 300.0
GAMES = ("simulate", "--seats", "4", "--games", "4")
#: what PyInstaller adds of its own, under a licence that asks for nothing
PYINSTALLER = ("_pyi_rth_utils", "pyimod01_archive", "pyimod02_importers", "pyimod03_ctypes")
#: what a process needs of its system, and nothing of Python's
PASSED_ON = ("PATH", "SYSTEMROOT", "TEMP", "TMP")


class Tried:
    """The file, with a home of its own."""

    def __init__(self, file: Path, home: Path) -> None:
        self._file = file
        self._environment = {key: os.environ[key] for key in PASSED_ON if key in os.environ}
        self._environment |= {
            "CITADELS_HOME": str(home),
            "HOME": str(home),
            "USERPROFILE": str(home),
        }

    def run(self, *arguments: str, said: str = "") -> str:
        """What it prints; CalledProcessError where it fails."""
        return subprocess.run(
            [self._file, *arguments],
            input=said,
            env=self._environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=MATCH_SECONDS,
            check=True,
        ).stdout

    def sit_down(self, *arguments: str) -> subprocess.Popen[str]:
        """It runs on, and speaks JSON."""
        return subprocess.Popen(
            [self._file, *arguments, "--ui", "json"],
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )


def unlicensed(file: Path, shown: str) -> set[str]:
    """What is packed in the file and whose licence it does not show."""
    named = {line.partition(" ")[0].lower() for line in shown.splitlines()}
    owners = packages_distributions()
    archive = CArchiveReader(str(file))
    modules = {
        name.partition(".")[0]
        for packed in (name for name, entry in archive.toc.items() if entry[-1] == "z")
        for name in archive.open_embedded_archive(packed).toc
    }
    lacking = set()
    for name in modules - sys.stdlib_module_names - set(PYINSTALLER):
        if (
            not name.startswith("_sysconfigdata")
            and not {owner.lower() for owner in owners.get(name, ())} & named
        ):
            lacking.add(name)
    for name, entry in archive.toc.items():
        library = PurePosixPath(name.replace("\\", "/"))
        if entry[-1] == "b" and len(library.parts) == 1 and library.name.startswith("lib"):
            stem = library.name.partition(".")[0]
            if not stem.startswith("libpython") and stem.lower() not in named:
                lacking.add(name)
    return lacking


def hear(program: subprocess.Popen[str], kind: str) -> dict[str, object]:
    """Its next line of this kind."""
    assert program.stdout is not None
    for line in program.stdout:
        said: dict[str, object] = json.loads(line)
        if said["type"] == kind:
            return said
    raise SystemExit(f"it ended without saying {kind!r}")


def say(program: subprocess.Popen[str], what: str) -> None:
    """Tell it."""
    assert program.stdin is not None
    print(json.dumps({"do": what}), file=program.stdin, flush=True)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def play_a_match(hosting: Tried, joining: Tried) -> Path:
    """Host and join on loopback; where the host's journal lies."""
    port = str(free_port())
    here = ("--interface", "127.0.0.1")
    game = ("--seats", "2", "--bots", "1", "--no-seat", "--city", "6", "--start-when-full")
    programs = [hosting.sit_down("host", "Attic", "--port", port, *game, *here)]
    try:
        hear(programs[0], "table")
        who = ("--name", "Ольга", "--bot", "normal", *here)
        programs.append(joining.sit_down("join", f"127.0.0.1:{port}", *who))
        hear(programs[1], "table")
        say(programs[1], "ready")
        overs = [hear(program, "over") for program in programs]
        assert overs[0]["digest"] == overs[1]["digest"]
        for program in reversed(programs):
            say(program, "leave")
            assert hear(program, "bye")["code"] == 0
            program.wait(MATCH_SECONDS)
    finally:
        for program in programs:
            program.kill()
    return Path(str(overs[0]["journal"]))


def main(file: Path, pure: bool) -> None:
    """Try everything; an error ends it. The engine of a `pure` one may be not compiled."""
    with TemporaryDirectory(prefix="citadels-try-") as folder:
        homes = Path(folder) / "Анна", Path(folder) / "Bob"
        for home in homes:
            home.mkdir()
        anna, bob = (Tried(file, home) for home in homes)

        for heat in ("cold", "warm", "warm"):  # cold: as far as this process can tell
            began = time.perf_counter()
            version = anna.run("--version").strip()
            print(f"{time.perf_counter() - began:6.2f} s  {version} ({heat})")
        assert pure or "compiled" in version, "the engine is not compiled"
        for lang, word in (("ru", "Библиотека"), ("uk", "Бібліотека"), ("fr", "Bibliothèque")):
            assert word in anna.run("rules", "library", "--lang", lang, "--json"), lang
        played = {anna.run(*GAMES, "--jobs", jobs).splitlines()[-1] for jobs in ("1", "2")}
        assert len(played) == 1, f"processes play otherwise: {played}"
        anna.run("play", "--ui", "plain", said="quit\n")
        lacking = unlicensed(file, anna.run("--licences"))
        assert not lacking, f"packed without a licence: {', '.join(sorted(lacking))}"

        began = time.perf_counter()
        journal = play_a_match(anna, bob)
        print(f"{time.perf_counter() - began:6.2f} s  a sealed match, hosted and joined")
        judged = json.loads(bob.run("verify", "--json", str(journal)))
        assert (judged["sound"], judged["finished"], judged["opened"]) == (True, True, True)
        page = Path(folder) / "match.html"
        anna.run("replay", str(journal), "--html", str(page))
        assert page.stat().st_size > 10_000
    print("it plays, hosts, joins and verifies")


if __name__ == "__main__":
    named = [Path(argument).resolve() for argument in sys.argv[1:] if argument != "--pure"]
    place = named[0] if named else ROOT / "dist"
    made = [place] if place.is_file() else list(place.glob("citadels-*"))
    newest = max(made, key=lambda path: path.stat().st_mtime)
    main(newest, pure="--pure" in sys.argv)
