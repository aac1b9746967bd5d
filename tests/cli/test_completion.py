"""`citadels completion`: real shells complete what the parser knows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.__main__ import main
from cli.commands.completion import script
from cli.line.exits import Exit
from cli.line.parser import build

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

#: a hung shell ends the test, never the suite
PATIENCE = 90.0


class Bash:
    """An interactive bash in which `citadels` only says what it was called with."""

    def __init__(self, folder: Path) -> None:
        import pty

        rc = folder / "rc"
        rc.write_text(
            script("bash") + "\nPS1='> '\ncitadels() { printf 'RAN<%s>\\n' \"$*\"; }\n"
        )
        environment = {"PATH": os.environ["PATH"], "TERM": "dumb", "HOME": str(folder)}
        command = ["bash", "--noprofile", "--rcfile", str(rc), "-i"]
        pid, self._terminal = pty.fork()
        if pid == 0:
            os.chdir(folder)
            os.execvpe("bash", command, environment)
        self._pid = pid

    def completes(self, typed: str) -> str:
        """What stands on the line after a TAB."""
        os.write(self._terminal, f"{typed}\t\n".encode())
        return self._until(r"RAN<(.*?)>")

    def _until(self, pattern: str) -> str:
        import select

        said = ""
        while not (found := re.search(pattern, said)):
            ready, _, _ = select.select([self._terminal], [], [], PATIENCE)
            assert ready, said
            said += os.read(self._terminal, 4096).decode(errors="replace")
        return found[1].strip()

    def close(self) -> None:
        os.write(self._terminal, b"\x03\nexit\n")
        os.close(self._terminal)
        os.waitpid(self._pid, 0)


@pytest.fixture(scope="module")
def bash(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bash]:
    if shutil.which("bash") is None:
        pytest.skip("there is no bash here")
    folder = tmp_path_factory.mktemp("bash")
    (folder / "friday.citadels").touch()
    shell = Bash(folder)
    yield shell
    shell.close()


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("citadels pl", "play"),
        ("citadels host --edi", "host --edition"),
        ("citadels host --edition dark", "host --edition dark-city"),
        ("citadels play --preset first", "play --preset first_game"),
        ("citadels --theme li", "--theme light"),
        ("citadels rules haunted", "rules haunted_quarter"),
        ("citadels settings the", "settings theme="),
        ("citadels verify fri", "verify friday.citadels"),
        ("citadels completion po", "completion powershell"),
    ],
)
def test_bash_completes(bash: Bash, typed: str, whole: str) -> None:
    assert bash.completes(typed) == whole


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_every_command_and_flag_is_in_every_script(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == Exit.FINE
    made = capsys.readouterr().out
    for name, command in build().commands.items():
        assert re.search(rf"\b{name}\b", made)
        for action in command._actions:
            for flag in action.option_strings:
                assert flag.lstrip("-") in made


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_itself_can_read_its_script(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    file = tmp_path / "script"
    file.write_text(script(shell), encoding="utf-8")
    subprocess.run([shell, "-n", str(file)], check=True, timeout=60)


def test_another_shell_is_a_usage_error() -> None:
    with pytest.raises(SystemExit) as ended:
        main(["completion", "tcsh"])
    assert ended.value.code == Exit.USAGE
