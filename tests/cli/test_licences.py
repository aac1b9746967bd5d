"""Whoever has the program has the licences of all that it is made of."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from cli.__main__ import main
from cli.share import packing

ROOT = Path(__file__).parents[2]


def test_everything_that_it_stands_on_shows_a_licence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--licences"]) == 0
    shown = capsys.readouterr().out
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").strip() in shown
    wanted = [Requirement(line) for line in packing.requirements()]
    here = {one.name.lower() for one in wanted if one.marker is None or one.marker.evaluate()}
    assert here <= {one.name.lower() for one in packing.distributions()}
    for one in packing.distributions():
        _before, found, after = shown.partition(f"\n{one.name} {one.version}: ")
        assert found, one.name
        assert len(after.partition("\n\n")[2].strip()) > 200, one.name
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in shown  # zeroconf's


def test_a_single_file_shows_those_of_python_and_its_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "licences").mkdir()
    (tmp_path / "licences" / "libssl.txt").write_text("Apache, version 2")
    monkeypatch.setattr(packing, "BESIDE", tmp_path)
    monkeypatch.setattr(packing, "licence", lambda: "the program's own")
    monkeypatch.setattr(packing, "requirements", tuple)
    assert main(["--licences"]) == 0
    assert "\nlibssl\n======\n\nApache, version 2\n" in capsys.readouterr().out


def test_the_wheel_that_is_shared_has_the_licence() -> None:
    made = packing.program()
    assert isinstance(made.content, bytes)
    with zipfile.ZipFile(io.BytesIO(made.content)) as wheel:
        [name] = [name for name in wheel.namelist() if name.endswith("/licenses/LICENSE")]
        text = wheel.read(name).decode()
    assert text == (ROOT / "LICENSE").read_text(encoding="utf-8")
