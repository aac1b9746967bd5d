"""What surrounds the code agrees with it: workflows, supported Pythons, recipes."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
#: as classifiers promise them
PYTHONS = [
    last
    for line in PROJECT["project"]["classifiers"]
    if "." in (last := line.rpartition(" :: ")[2])
]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_by_commit_with_their_version_beside(path: Path) -> None:
    used = re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))
    assert used
    for action in used:
        if action.startswith("./"):
            assert (ROOT / action).is_file(), action
        else:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action), action


def test_the_pythons_that_are_promised_are_tested_compiled_and_looked_for() -> None:
    assert PYTHONS[0] == PROJECT["project"]["requires-python"].removeprefix(">=")
    matrices = re.findall(
        r"python: (\[.+\])", (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    )
    assert len(matrices) == 2
    assert all(re.findall(r'"([\d.]+)"', matrix) == PYTHONS for matrix in matrices)
    compiled = PROJECT["tool"]["cibuildwheel"]["build"].split()
    assert compiled == [f"cp{python.replace('.', '')}-*" for python in PYTHONS]
    looked_for = (ROOT / "packaging" / "laptops.py").read_text(encoding="utf-8")
    assert re.findall(r'"(3\.\d+)"', looked_for) == PYTHONS


#: the C library of an Ubuntu: whoever builds there wants one at least as new
GLIBC = {"22.04": "2.35", "24.04": "2.39"}


def test_a_single_file_wants_no_newer_c_library_than_the_manual_says() -> None:
    build = (ROOT / ".github/workflows/build.yml").read_text(encoding="utf-8")
    [systems] = re.findall(r"system: \[(.+)\]", build.partition("single-file:")[2])
    made_on = set(re.findall(r"ubuntu-([\d.]+)", systems))
    manual = (ROOT / "docs" / "manual.md").read_text(encoding="utf-8")
    [(wanted, ubuntu)] = re.findall(r"glibc ([\d.]+) \(Debian \d+, Ubuntu ([\d.]+)\)", manual)
    assert made_on == {ubuntu}
    assert wanted == GLIBC[ubuntu]


IS_KEPT = (ROOT / ".git").exists() and shutil.which("git") is not None


@pytest.mark.skipif(not IS_KEPT, reason="what is kept is git's to say")
def test_the_source_distribution_holds_all_that_is_kept(tmp_path: Path) -> None:
    """So its tests find what they look at, and whoever has it has the project."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    kept = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    [source] = tmp_path.iterdir()
    with tarfile.open(source) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {name for name in kept if name and (ROOT / name).exists()} <= names
    assert not [name for name in names if name.startswith((".git/", ".venv", ".windows"))]
    assert ".git" not in names


def test_what_a_package_index_shows_points_to_nothing_beside_it() -> None:
    shown = (ROOT / PROJECT["project"]["readme"]).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", shown)
    assert [link for link in links if not link.startswith("https://")] == []
    assert re.findall(r"<(?:img|a)\b", shown) == []


@pytest.mark.skipif(not IS_KEPT, reason="what is kept is git's to say")
def test_every_link_of_a_page_leads_somewhere() -> None:
    pages = subprocess.run(
        ["git", "ls-files", "-z", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")[:-1]
    assert "README.md" in pages
    for page in pages:
        for link in re.findall(r"\]\(([^)\s]+)\)", (ROOT / page).read_text(encoding="utf-8")):
            path, _, place = link.partition("#")
            if "://" not in link:
                target = (ROOT / page).parent / path if path else ROOT / page
                assert target.exists(), f"{page}: {link}"
                assert not place or place in _places(target), f"{page}: {link}"


def _places(page: Path) -> set[str]:
    """What a link may name within a page: its headings, as they are shown in a browser."""
    return set(map(_place, re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)))


def _place(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


PROTOCOL = (ROOT / "protocol" / "PROTOCOL.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "page", ["protocol/PROTOCOL.md", "protocol/ATTACKS.md", "docs/JSON-UI.md"]
)
def test_no_paragraph_of_a_page_of_reference_has_more_than_120_words(page: str) -> None:
    """An item of a list is a paragraph; tables and code are none."""
    text = (ROOT / page).read_text(encoding="utf-8")
    prose = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^ *(\||#).*$", "", prose, flags=re.MULTILINE)
    paragraphs = re.split(r"\n(?:\s*\n|(?= *(?:-|\d+\.) ))", prose)
    assert len(paragraphs) > 50
    assert [one for one in paragraphs if len(one.split()) > 120] == []


def test_the_sections_of_the_protocol_are_numbered_without_a_gap() -> None:
    headings = re.findall(r"^##(#*) (.*)$", PROTOCOL, re.MULTILINE)
    number: list[int] = []
    for deeper, heading in headings:
        number = [*number, 0][: len(deeper) + 1]
        number[-1] += 1
        shown = ".".join(map(str, number)) + ("" if deeper else ".")
        assert heading.startswith(f"{shown} "), heading


def test_a_section_of_the_protocol_is_named_by_its_number() -> None:
    numbered = {
        heading.partition(" ")[0].rstrip("."): heading
        for heading in re.findall(r"^##+ (.*)$", PROTOCOL, re.MULTILINE)
    }
    named = re.findall(r"\[([^]]+)\]\(#([^)]+)\)", PROTOCOL)
    assert named
    for number, place in named:
        assert place == _place(numbered[number]), number


def test_a_commit_is_looked_at_by_the_linter_of_the_project() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    wanted = {
        line
        for line in PROJECT["project"]["optional-dependencies"]["dev"]
        if line.startswith("ruff")
    }
    assert set(re.findall(r'"(ruff[^"]+)"', hooks)) == wanted


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="there is no actionlint here")
def test_actionlint_has_nothing_to_say() -> None:
    ran = subprocess.run(
        ["actionlint"], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
