"""The entry in a desktop's menu: where it lies, what it starts, how it goes."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.__main__ import main
from cli.commands import settle
from cli.i18n import LANGUAGES
from cli.line.exits import Exit
from cli.settings.desktop_entry import ICON, desktop_entry, places

ROOT = Path(__file__).parent.parent.parent
SVG = "{http://www.w3.org/2000/svg}"


def entries(text: str) -> configparser.SectionProxy:
    """Keys and values of the entry, as they are written."""
    parser = configparser.RawConfigParser(delimiters="=", comment_prefixes="#")
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys have capitals
    parser.read_string(text)
    assert parser.sections() == ["Desktop Entry"]
    return parser["Desktop Entry"]


def started(command: str) -> list[str]:
    """What a desktop starts, by the specification: first as any text, then as arguments."""
    escapes = {"\\": "\\", "n": "\n", "r": "\r", "t": "\t", "s": " "}
    text = re.sub(r"\\(.)", lambda found: escapes[found[1]], command)
    found: list[str] = []
    for quoted, bare in re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', text, re.DOTALL):
        found.append((re.sub(r"\\(.)", r"\1", quoted) if quoted else bare).replace("%%", "%"))
    return found


@pytest.fixture
def menu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """$XDG_DATA_HOME of a Linux on which the program was started as pip's script."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.delenv("CITADELS_HOME", raising=False)
    monkeypatch.setattr(settle, "system", lambda: "Linux")
    start_as(monkeypatch, program(tmp_path / "venv" / "bin" / "citadels"))
    return tmp_path / "share"


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\nexit 0\n")
    path.chmod(0o755)
    return path


def start_as(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(sys, "argv", [str(path)])


def written(menu: Path) -> configparser.SectionProxy:
    assert main(["settings", "--desktop"]) == Exit.FINE
    return entries((menu / "applications/citadels-p2p.desktop").read_text(encoding="utf-8"))


posix = pytest.mark.skipif(os.name == "nt", reason="the menu is that of XDG's systems")


@posix
def test_it_is_written_where_xdg_has_it_and_taken_away_again(
    menu: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["settings", "--desktop"]) == Exit.FINE
    made = {path.relative_to(menu).as_posix() for path in menu.rglob("*") if path.is_file()}
    assert made == {
        "applications/citadels-p2p.desktop",
        "icons/hicolor/scalable/apps/citadels-p2p.svg",
    }
    assert {Path(line) for line in capsys.readouterr().out.splitlines()} == {
        menu / name for name in made
    }
    assert main(["settings", "--desktop"]) == Exit.FINE, "once more renews it"
    other = menu / "applications" / "other.desktop"
    other.write_text("[Desktop Entry]\n")
    capsys.readouterr()
    assert main(["settings", "--no-desktop"]) == Exit.FINE
    assert [path for path in menu.rglob("*") if path.is_file()] == [other]
    assert len(capsys.readouterr().out.splitlines()) == 2, "it says what it took away"
    assert main(["settings", "--no-desktop"]) == Exit.FINE, "nothing is left to take away"
    assert capsys.readouterr().out == ""


def test_a_data_home_that_is_relative_or_empty_is_none(tmp_path: Path) -> None:
    usual = places({}, tmp_path)
    assert usual[0] == tmp_path / ".local/share/applications/citadels-p2p.desktop"
    assert places({"XDG_DATA_HOME": ""}, tmp_path) == usual
    assert places({"XDG_DATA_HOME": "data"}, tmp_path) == usual
    chosen = places({"XDG_DATA_HOME": str(tmp_path / "x")}, tmp_path)
    assert all(path.is_relative_to(tmp_path / "x") for path in chosen)


@posix
@pytest.mark.parametrize("place", ["venv/bin", ".local/bin", "main/.venv/bin"])
def test_a_script_of_pip_pipx_or_make_is_started_itself(
    menu: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    script = program(tmp_path / place / "citadels")
    monkeypatch.chdir(script.parent)
    start_as(monkeypatch, Path("citadels"))
    shown = written(menu)
    assert started(shown["Exec"]) == [str(script)]
    assert shown["TryExec"] == str(script), "an entry whose program is gone is not shown"
    assert shown["Terminal"] == "true"


@posix
def test_a_single_file_is_started_itself(
    menu: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = program(tmp_path / "Downloads" / "citadels-linux-x86_64")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(file))
    assert started(written(menu)["Exec"]) == [str(file)]


@posix
def test_what_no_shell_starts_by_itself_is_given_to_this_python(
    menu: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "citadels" / "lib" / "start.py"  # as `citadels share` leaves it
    script.parent.mkdir(parents=True)
    script.touch()
    start_as(monkeypatch, script)
    assert started(written(menu)["Exec"]) == [sys.executable, str(script)]


@posix
def test_the_module_is_started_by_the_launcher_from_any_folder(
    menu: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_as(monkeypatch, ROOT / "cli" / "__main__.py")
    command = started(written(menu)["Exec"])
    said = subprocess.run(
        [*command, "--version"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert said.stdout.startswith("citadels")


@posix
def test_another_home_is_that_of_the_menu_too(
    menu: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CITADELS_HOME", "my games")
    command = started(written(menu)["Exec"])
    assert command[:2] == ["env", f"CITADELS_HOME={tmp_path / 'my games'}"]


HARD = ("/a b/citadels", '/a"b', "/a\\b", "/a$b`c", "/100%/citadels", "/tab\there", "/Ольга/c")


@pytest.mark.parametrize("path", HARD)
def test_any_path_reaches_the_desktop_as_it_is(path: str) -> None:
    text = desktop_entry((path, "start me.py"))
    assert started(entries(text)["Exec"]) == [path, "start me.py"]


def test_the_entry_speaks_every_language() -> None:
    shown = entries(desktop_entry(("/bin/citadels",)))
    for language in LANGUAGES:
        mark = "" if language == "en" else f"[{language}]"
        assert shown[f"Name{mark}"]
        assert shown[f"Comment{mark}"]
    assert len({shown[f"Comment[{one}]"] for one in ("fr", "ru", "uk")}) == 3
    assert shown["Name[ru]"] == "Цитадели"


def test_ascii_is_for_the_terminal_and_not_for_the_menu(menu: Path) -> None:
    assert main(["settings", "--desktop", "--ascii"]) == Exit.FINE
    text = (menu / "applications/citadels-p2p.desktop").read_text(encoding="utf-8")
    assert "Цитадели" in text


@posix
@pytest.mark.parametrize("folder", ["icons", "applications"])
def test_a_place_that_cannot_be_written_is_named_and_nothing_is_left(
    menu: Path, capsys: pytest.CaptureFixture[str], folder: str
) -> None:
    menu.mkdir()
    (menu / folder).write_text("a file")
    assert main(["settings", "--desktop"]) == Exit.USAGE
    assert str(menu / folder) in capsys.readouterr().err
    assert [path for path in menu.rglob("*") if path.is_file()] == [menu / folder]


@pytest.mark.parametrize(("system", "word"), [("Windows", "Shortcut"), ("Darwin", ".command")])
def test_other_systems_are_told_what_to_do(
    menu: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    system: str, word: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(settle, "system", lambda: system)
    assert main(["settings", "--desktop"]) == Exit.USAGE
    said = capsys.readouterr().err
    assert word in said
    assert sys.argv[0] in said, "the command to put there"
    assert not menu.exists()


def test_only_one_thing_is_done_at_a_time(
    menu: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both: Sequence[Sequence[str]] = (["--desktop", "--no-desktop"], ["--desktop", "--init"])
    for flags in both:
        with pytest.raises(SystemExit) as ended:
            main(["settings", *flags])
        assert ended.value.code == Exit.USAGE
    assert main(["settings", "--desktop", "theme=light"]) == Exit.USAGE
    assert not menu.exists()
    capsys.readouterr()


def test_the_icon_is_a_drawing_without_anything_from_elsewhere() -> None:
    root = ElementTree.fromstring(ICON.read_bytes())
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == "0 0 128 128"
    kinds = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert kinds <= {"svg", "title", "rect", "path", "g"}
    assert not any("href" in name for element in root.iter() for name in element.attrib)


def tool(*command: str) -> subprocess.CompletedProcess[bytes]:
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]} here")
    return subprocess.run(command, capture_output=True, check=False)


@pytest.mark.parametrize("path", HARD)
def test_the_validator_of_desktop_files_has_nothing_to_say(tmp_path: Path, path: str) -> None:
    file = tmp_path / "citadels-p2p.desktop"
    file.write_text(desktop_entry((path, "x.py")), encoding="utf-8")
    ran = tool("desktop-file-validate", str(file))
    assert (ran.returncode, ran.stdout) == (0, b""), shlex.quote(ran.stdout.decode())


def test_xmllint_and_the_renderer_of_gnome_take_the_icon(tmp_path: Path) -> None:
    assert tool("xmllint", "--noout", "--nonet", str(ICON)).returncode == 0
    drawn = tmp_path / "icon.png"
    assert tool("rsvg-convert", "-w", "64", "-o", str(drawn), str(ICON)).returncode == 0
    assert drawn.read_bytes().startswith(b"\x89PNG")
