"""What other laptops need is asked for them, by a pip that knows only this one."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from cli import i18n
from cli.commands import share
from cli.settings import Settings
from cli.share import fetching, packing

#: takes pip's place: finds one version of everything, and what each needs
PIP = """
import json, re, sys
from pathlib import Path
given = sys.argv[1:]
with Path(__file__).with_name("asked").open("a") as log:
    print(*given, file=log)
wanted = [re.match("[A-Za-z0-9_-]+", one)[0] for one in given if re.search("[<>=]=", one[2:])]
if "win_arm64" in given and "rusty" in wanted:
    sys.exit("WARNING: x\\nERROR: No matching distribution found for rusty")
needs = {"one": ["two>=2; sys_platform == 'win32'", "dev>=1; extra == 'dev'"]}
def found(name):
    return {
        "metadata": {"name": name, "version": "1", "requires_dist": needs.get(name, [])},
        "download_info": {
            "url": f"https://example.org/{name}-1%2B0-py3-none-any.whl",
            "archive_info": {"hashes": {"sha256": name}},
        },
    }
report = Path(given[given.index("--report") + 1])
report.write_text(json.dumps({"install": [found(name) for name in wanted]}))
"""


@pytest.fixture
def pip(tmp_path: Path) -> Sequence[str]:
    pytest.importorskip("pip")  # whose own reading of markers is asked for
    (tmp_path / "pip.py").write_text(PIP, encoding="utf-8")
    return (sys.executable, str(tmp_path / "pip.py"))


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "PYTHONS", ("3.12",))


def silent(what: str, done: int, of: int) -> None:
    """Progress that nobody looks at."""


def names(wanted: Sequence[fetching.Wanted]) -> set[str]:
    return {one.project for one in wanted}


def test_markers_are_those_of_the_other_laptop(pip: Sequence[str]) -> None:
    """Also of what pip finds: it would have read them as if it were for this one."""
    wish, lacking = fetching.wish(pip, ("one>=1", "mac>=1; sys_platform == 'darwin'"), silent)
    assert not lacking
    assert set(wish) == {f"3.12 {place}" for place in fetching.PLATFORMS}
    for target, wanted in wish.items():
        more = {"windows": {"two"}, "macos": {"mac"}}.get(target.split()[1], set())
        assert names(wanted) == {"one"} | more, target


def test_who_cannot_have_it_is_told_why(pip: Sequence[str]) -> None:
    wish, lacking = fetching.wish(pip, ("rusty>=1",), silent)
    assert lacking == {"3.12 windows arm64": "No matching distribution found for rusty"}
    assert len(wish) == len(fetching.PLATFORMS) - 1


def test_an_intel_mac_gets_the_plain_twin(pip: Sequence[str]) -> None:
    wish, _lacking = fetching.wish(pip, ("one>=1", f"{packing.PLAIN}>=0.150"), silent)
    assert names(wish["3.12 macos x86_64"]) == {"one"}
    assert packing.PLAIN in names(wish["3.12 macos arm64"])


def test_pip_is_asked_for_wheels_of_that_laptop_alone(
    pip: Sequence[str], tmp_path: Path
) -> None:
    one = fetching.Wanted("one", "1", "https://example.org/one-1%2B0.whl", "00", ())
    assert (one.name, one.line) == ("one-1+0.whl", "one==1 --hash=sha256:00")
    assert not one.is_in(tmp_path)
    fetching.fetch(pip, "3.12 windows arm64", [one], tmp_path)
    asked = (tmp_path / "asked").read_text(encoding="utf-8")
    for flag in ("--only-binary=:all:", "--python-version=3.12", "--platform win_arm64"):
        assert flag in asked
    assert "--require-hashes" in asked


def fetched(
    pip: Sequence[str], monkeypatch: pytest.MonkeyPatch, home: Path, *there: str
) -> list[str]:
    """What `share --fetch` says where these files are not lacking."""
    monkeypatch.setattr(fetching, "pip", lambda: contextlib.nullcontext(pip))
    monkeypatch.setattr(packing, "requirements", lambda: ("one>=1",))
    monkeypatch.setattr(fetching, "size", lambda wanted: 1_500_000 * len(wanted))
    monkeypatch.setattr(fetching, "fetch", lambda *_of: "")
    monkeypatch.setattr(fetching.Wanted, "is_in", lambda self, _folder: self.project in there)
    said: list[str] = []
    assert share.fetch(Settings(home), said.append) is None
    return said


def test_progress_is_told_for_each_kind_of_laptop(
    pip: Sequence[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    i18n.use("en")
    said = fetched(pip, monkeypatch, tmp_path)
    count = len(fetching.PLATFORMS)
    assert said[0].startswith("Asking what other laptops need")
    assert f"  3.12 linux x86_64: 1 of {count}." in said
    arms = f"  3.12 windows arm64: {count} of {count}."
    assert said.count(arms) == 2, "asked, and fetched"
    folder = tmp_path / "share" / "wheels"
    assert f"2 files are not here yet: 3.0 MB. Fetching into {folder}…" in said


def test_where_all_is_here_nothing_is_said_to_be_fetched(
    pip: Sequence[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    i18n.use("en")
    said = fetched(pip, monkeypatch, tmp_path, "one", "two")
    assert said[-1] == f"Everything is here already, in {tmp_path / 'share' / 'wheels'}."
