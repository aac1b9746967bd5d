"""Settings: flags over environment over file over defaults; a file stays its owner's."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

from cli import settings
from cli.__main__ import main
from cli.line.exits import Exit
from cli.settings import TABLE
from cli.settings.file import create, keep, template, written


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings file of a home of its own; it is not there yet."""
    for setting in TABLE:
        monkeypatch.delenv(setting.variable, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("CITADELS_HOME", str(tmp_path))
    return tmp_path / settings.FILE


def settled(capsys: pytest.CaptureFixture[str], *line: str) -> dict[str, tuple[object, str]]:
    """What `citadels settings` says with these flags: key → value and where it comes from."""
    assert main(["settings", "--json", *line]) == Exit.FINE
    shown = json.loads(capsys.readouterr().out)["settings"]
    return {key: (entry["value"], entry["origin"]) for key, entry in shown.items()}


def test_flags_go_before_the_environment_before_the_file_before_defaults(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settled(capsys)["theme"] == ("dark", "default")
    file.write_text('theme = "light"\nascii = true\n', encoding="utf-8")
    assert settled(capsys)["theme"] == ("light", "file")
    monkeypatch.setenv("CITADELS_THEME", "monochrome")
    monkeypatch.setenv("CITADELS_ASCII", "no")
    assert settled(capsys)["theme"] == ("monochrome", "CITADELS_THEME")
    assert settled(capsys)["ascii"] == (False, "CITADELS_ASCII")
    chosen = settled(capsys, "--theme", "high-contrast", "--ascii")
    assert chosen["theme"] == ("high-contrast", "flag")
    assert chosen["ascii"] == (True, "flag")


def test_a_flag_may_stand_before_or_after_the_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--theme", "light", "settings", "--json", "--no-color"]) == Exit.FINE
    shown = json.loads(capsys.readouterr().out)["settings"]
    assert shown["theme"] == {"value": "light", "origin": "flag"}
    assert shown["color"] == {"value": False, "origin": "flag"}


def test_the_customary_wish_for_no_colours_counts_unless_ours_is_said(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("color = true\n", encoding="utf-8")
    monkeypatch.setenv("NO_COLOR", "1")
    assert settled(capsys)["color"] == (False, "NO_COLOR")
    monkeypatch.setenv("CITADELS_COLOR", "yes")
    assert settled(capsys)["color"] == (True, "CITADELS_COLOR")


@pytest.mark.parametrize(
    ("content", "place", "word"),
    [
        ('name = "Ann"\nnmae = "x"', ":2 ", "nmae"),
        ("\n\nname = 5", ":3 ", "in quotes"),
        (f'name = "{"x" * 25}"', ":1 ", "1 to 24"),
        ('name = "\\u200b"', ":1 ", "1 to 24"),
        ('ui = "fancy"', ":1 ", "full, plain, json"),
        ('# a comment\nascii = "yes"', ":2 ", "true or false"),
        ("name = ", ":1 ", "Invalid value"),
        ("[theme]\nname = 1", ":1 ", "dark, light"),
        ("\udcff", " ", "utf-8"),
        pytest.param("name = " + "[" * 20_000, ":1 ", "cannot be used", id="brackets"),
        pytest.param("name = " + "9" * 5_000, ":1 ", "digits", id="digits"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_line_and_reason(
    file: Path, content: str, place: str, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_bytes(content.encode("utf-8", "surrogateescape"))
    assert main(["whoami"]) == Exit.USAGE
    said = capsys.readouterr()
    assert said.out == ""
    assert f"{file}{place}" in said.err
    assert word in said.err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows guesses")
@pytest.mark.parametrize("variable", ["CITADELS_HOME", "HOME"])
def test_who_is_nowhere_at_home_is_told(
    variable: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a container, say, whose user has a number and no name."""
    nowhere = Path("~nobody of this name/x")
    monkeypatch.delenv("CITADELS_HOME")
    if variable == "CITADELS_HOME":
        monkeypatch.setenv(variable, str(nowhere))
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: nowhere)
    assert main(["whoami"]) == Exit.USAGE
    assert f"{variable} cannot be used: " in capsys.readouterr().err
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])


def test_a_variable_that_cannot_be_used_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITADELS_BELL", "perhaps")
    assert main(["whoami"]) == Exit.USAGE
    assert "CITADELS_BELL cannot be used: bell must be true or false" in capsys.readouterr().err


def test_the_template_settles_nothing_and_names_everything() -> None:
    text = template()
    assert tomllib.loads(text) == {}
    assert max(map(len, text.splitlines())) <= 80
    bare = "\n".join(line.removeprefix("# ") for line in text.splitlines() if " = " in line)
    assert list(tomllib.loads(bare)) == [setting.key for setting in TABLE]
    for setting in TABLE:
        if setting.default is not None:
            assert tomllib.loads(bare)[setting.key] == setting.default


def test_init_makes_the_file_once(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settings", "--init", "name=Ännchen"]) == Exit.FINE
    assert capsys.readouterr().out == f"{file}\n"
    assert tomllib.loads(file.read_text(encoding="utf-8")) == {"name": "Ännchen"}
    before = file.read_bytes()
    assert main(["settings", "--init", "name=Bob"]) == Exit.USAGE
    assert "stays as it is" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_a_changed_setting_changes_its_line_and_no_other(file: Path) -> None:
    file.write_text(
        '# mine, do not touch\nname = "Ann"   # so it is\n# theme = "dark"\n', encoding="utf-8"
    )
    assert main(["settings", "theme=light", "name=Bob", "bell=off"]) == Exit.FINE
    assert file.read_text(encoding="utf-8") == (
        '# mine, do not touch\nname = "Bob"   # so it is\ntheme = "light"\nbell = false\n'
    )
    assert list(file.parent.iterdir()) == [file]


def test_every_setting_can_be_changed_in_the_template(file: Path) -> None:
    create(file)
    changed = {
        setting.key: not setting.default
        if setting.is_switch
        else (setting.choices or ('a "b" \\ é',))[-1]
        for setting in TABLE
    }
    keep(file, changed)
    assert settings.read(file) == changed
    assert len(file.read_text(encoding="utf-8").splitlines()) == len(template().splitlines())


@pytest.mark.parametrize(
    "line", ["theme", "theme=pink", "color=maybe", "colour=true", "theme=light ascii=1 x=y"]
)
def test_what_cannot_be_settled_changes_nothing(
    file: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["settings", *line.split()]) == Exit.USAGE
    assert "cannot be used" in capsys.readouterr().err
    assert not file.exists()


def test_a_line_that_cannot_be_found_for_sure_is_left_alone(file: Path) -> None:
    strange = 'name = """\ntheme = "dark"\n"""\n'
    file.write_text(strange, encoding="utf-8")
    with pytest.raises(settings.SettingsError):
        keep(file, {"theme": "light"})
    assert file.read_text(encoding="utf-8") == strange


def test_what_stands_before_the_file_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITADELS_THEME", "dark")
    assert main(["settings", "theme=light"]) == Exit.FINE
    assert "CITADELS_THEME goes before the file" in capsys.readouterr().err


def test_a_value_survives_its_line() -> None:
    for value in ('quote " and \\', "tab\tand\x7f", "Łódź", True, False):
        assert tomllib.loads(written("key", value)) == {"key": value}


def test_every_setting_is_heeded_somewhere() -> None:
    """A setting that nobody reads would be a lie in the file."""
    own = Path(settings.__file__).parent
    kept = (own / "__init__.py", own / "file.py", own.parent / "commands" / "settle.py")
    readers = [path for path in own.parent.rglob("*.py") if path not in kept]
    source = "\n".join(path.read_text(encoding="utf-8") for path in readers)
    for setting in TABLE:
        assert re.search(rf"sett(led|ings)\.{setting.key}\b", source), setting.key


def test_a_file_that_begins_with_a_mark_is_read_and_kept(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As some editors on Windows save it."""
    file.write_text('name = "Ann"\n', encoding="utf-8-sig")
    assert settled(capsys)["name"] == ("Ann", "file")
    assert main(["settings", "name=Bob"]) == Exit.FINE
    capsys.readouterr()
    assert settled(capsys)["name"] == ("Bob", "file")


def test_a_name_that_is_too_long_is_refused_wherever_it_is_settled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["settings", "name=" + "x" * 25]) == Exit.USAGE
    assert "1 to 24" in capsys.readouterr().err
    monkeypatch.setenv("CITADELS_NAME", "x" * 25)
    assert main(["whoami"]) == Exit.USAGE
    assert "CITADELS_NAME cannot be used" in capsys.readouterr().err
