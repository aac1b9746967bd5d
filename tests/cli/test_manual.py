"""The manual page is current, can be read, and lists what there is."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cli.line.command_table import COMMANDS, Command, by_key, plain_arrows, shown_key
from cli.line.exits import MEANINGS, Exit
from cli.line.parser import build
from cli.settings import TABLE
from tests.cli.man_page import page

ROOT = Path(__file__).parents[2]


def test_the_page_is_current() -> None:
    shipped = (ROOT / "docs" / "citadels.1").read_text(encoding="utf-8")
    assert shipped == page(), "make it anew: python -m tests.cli.man_page > docs/citadels.1"


def test_everything_is_in_it() -> None:
    text = page().replace("\\-", "-")
    for name, command in build().commands.items():
        assert f".SS citadels {name}" in text
        for action in command._actions:
            assert action.dest == "help" or all(flag in text for flag in action.option_strings)
    keys = [plain_arrows(shown_key(key)) for word in COMMANDS for key in word.keys]
    assert all(f"\\fB{key}\\fR" in text for key in keys)
    assert all(f"\\fB{word.name}\\fR" in text for word in COMMANDS if word.typed)
    assert all(setting.variable in text for setting in TABLE)


def test_every_exit_code_is_explained_in_the_help_too() -> None:
    assert list(MEANINGS) == list(Exit)
    shown = build().format_help()
    assert all(f"{int(code):>5}  {meaning}" in shown for code, meaning in MEANINGS.items())


def test_the_formatter_finds_nothing_to_complain_about() -> None:
    if shutil.which("groff") is None:
        pytest.skip("there is no groff here")
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8"],
        input=page().encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert done.stderr == b""
    assert "EXIT STATUS" in re.sub(".\x08", "", done.stdout.decode())


def test_no_key_is_given_twice() -> None:
    wave = Command("wave", "", "wave to the table", "replay", keys=("v",), title="wave")
    with pytest.raises(ValueError, match="chair and wave have one key: v"):
        by_key((*COMMANDS, wave))
