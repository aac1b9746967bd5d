"""A compiled wheel, built from the project's own files, plays as the interpreter does."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
GAMES = Path(__file__).with_name("games.py")

#: of each edition; every one of their hundreds of states is compared
COUNT = 5


def why_not() -> str | None:
    """Why no wheel can be compiled here, if none can."""
    if sys.platform == "win32":
        return "how to compile on Windows is for who has a compiler there"
    compiler = str(sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"there is no {compiler} here"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python's headers are not here"
    return None


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled wheel, unpacked; built without optimizing, which takes a minute longer."""
    reason = why_not()
    if reason is not None and os.environ.get("CI") != "true":
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("wheel")
    wishes = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "1", "MYPYC_OPT_LEVEL": "0"}
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, env={**os.environ, **wishes}, check=True)
    (made,) = folder.glob("*.whl")
    with zipfile.ZipFile(made) as packed:
        packed.extractall(folder / "here")
    return folder / "here"


def games(where: Path) -> list[str]:
    """What the games say, played by the modules below `where`."""
    paths = {"PYTHONPATH": str(where), "PYTHONSAFEPATH": "1"}
    ran = subprocess.run(
        [sys.executable, str(GAMES), str(COUNT)],
        env={**os.environ, **paths},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return ran.stdout.splitlines()


def test_the_compiled_engine_plays_the_same_games(wheel: Path) -> None:
    compiled, *played = games(wheel)
    interpreted, *expected = games(ROOT)
    assert (compiled, interpreted) == ("compiled", "interpreted")
    assert played == expected


def test_the_compiled_wheel_adds_one_library_and_twins_of_its_modules(wheel: Path) -> None:
    made = {path.relative_to(wheel) for path in wheel.rglob("*.so")}
    above = {path for path in made if path.parts[0] != "citadels_p2p"}
    assert [path.name.partition(".")[0] for path in above] == ["citadels_engine__mypyc"]
    for path in made - above:
        assert (wheel / path.parent / f"{path.name.partition('.')[0]}.py").exists()


def test_nothing_is_written_beside_the_sources(wheel: Path) -> None:
    assert not [*(ROOT / "citadels_p2p").rglob("*.so")]
