"""A console of Windows', as far as Wine's in a terminal is one: lines, Ctrl-C, widths.

Wine's console says that it knows VT sequences and does not carry them out, so that the full
screen cannot be judged here.
"""

from __future__ import annotations

from pathlib import Path

from tests.screens.terminal import window
from tests.windows.wine import Windows, windows_path

SIZE = (120, 40)
LOOK = """
import os
from cli.commands.surroundings import check_terminal
print([found.code for found in check_terminal(os.environ)])
"""


def test_a_table_in_a_console_is_left_by_ctrl_c(windows: Windows, tmp_path: Path) -> None:
    command = windows.command("-m", "cli", "play", "--ui", "plain", "--name", "Алиса")
    home = {"CITADELS_HOME": windows_path(tmp_path / "citadels")}
    with window(command, tmp_path, SIZE, **windows.settings, **home) as shown:
        shown.wait("Which character do you choose?")
        assert "Алиса, that is you." in shown.text
        shown.press("\x03")
        shown.wait("Goodbye.")
        assert shown.end() == 130


def test_a_console_is_asked_how_wide_it_draws(windows: Windows, tmp_path: Path) -> None:
    command = windows.command("-c", LOOK)
    with window(command, tmp_path, SIZE, **windows.settings) as shown:
        shown.wait("']")
        # Here TERM is Linux' own; there is none on Windows.
        codes = ["terminal_roomy", "colours_many", "letters_all", "widths_right"]
        assert str(codes) in shown.text
        assert shown.end() == 0
