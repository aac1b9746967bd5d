"""Recipes for Homebrew and winget: filled in for a release, they are what those want."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
ADDRESS = "https://github.com/somebody/citadels-p2p"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "version"
]
SYSTEMS = ("linux-x86_64", "linux-arm64", "macos-x86_64", "macos-arm64")
SYSTEMS += ("windows-x86_64.exe", "windows-arm64.exe")
#: what winget's schema 1.6.0 demands of each kind of manifest
DEMANDED = {
    "version": {"DefaultLocale"},
    "installer": {"Installers"},
    "defaultLocale": {
        "PackageLocale",
        "Publisher",
        "PackageName",
        "License",
        "ShortDescription",
    },
}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-X", "utf8", str(ROOT / "packaging" / "recipes.py"), *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", check=False
    )


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A folder with the single files of a release and the recipes."""
    for system in SYSTEMS:
        (tmp_path / f"citadels-{system}").write_text(system)
    ran = run(ADDRESS, str(tmp_path))
    assert ran.returncode == 0, ran.stderr
    return tmp_path


def hashed(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def test_each_file_has_its_address_and_its_own_hash_beside_it(release: Path) -> None:
    texts = [
        path.read_text(encoding="utf-8")
        for path in release.iterdir()
        if path.suffix in (".rb", ".yaml")
    ]
    assert len(texts) == 4
    assert not re.findall(r"@[\w.-]+@", "".join(texts)), "something was not filled in"
    found = re.findall(
        r'(?:url|InstallerUrl:) "(\S+)"\s+(?:sha256|InstallerSha256:) "(\w+)"', "".join(texts)
    )
    base = f"{ADDRESS}/releases/download/v{VERSION}/citadels-"
    assert dict(found) == {
        base + system: hashed(release / f"citadels-{system}") for system in SYSTEMS
    }


def test_nothing_is_written_where_a_file_is_missing_or_the_address_is_none(
    tmp_path: Path,
) -> None:
    for arguments, word in (((ADDRESS,), "citadels-"), (("github",), "address")):
        ran = run(*arguments, str(tmp_path))
        assert ran.returncode == 1
        assert word in ran.stderr
    assert not list(tmp_path.iterdir())


def manifests(release: Path) -> dict[str, dict[str, Any]]:
    yaml = pytest.importorskip("yaml")
    found = [
        yaml.safe_load(path.read_text(encoding="utf-8")) for path in release.glob("*.yaml")
    ]
    return {manifest["ManifestType"]: manifest for manifest in found}


def test_manifests_have_what_winget_demands_and_agree(release: Path) -> None:
    found = manifests(release)
    assert set(found) == set(DEMANDED)
    identifier = r"[^.\s\\/:*?\"<>|]{1,32}(\.[^.\s\\/:*?\"<>|]{1,32}){1,7}"
    for kind, manifest in found.items():
        assert DEMANDED[kind] <= set(manifest)
        assert re.fullmatch(identifier, manifest["PackageIdentifier"])
        assert manifest["PackageVersion"] == VERSION
        assert manifest["ManifestVersion"] == "1.6.0"
    assert len({manifest["PackageIdentifier"] for manifest in found.values()}) == 1
    assert found["version"]["DefaultLocale"] == found["defaultLocale"]["PackageLocale"]
    named = {path.name for path in release.glob("*.yaml")}
    stem = found["version"]["PackageIdentifier"]
    assert named == {f"{stem}{rest}.yaml" for rest in ("", ".installer", ".locale.en-US")}


def test_the_installer_of_winget_is_the_single_file_and_starts_as_citadels(
    release: Path,
) -> None:
    installer = manifests(release)["installer"]
    assert installer["InstallerType"] == "portable"
    assert installer["Commands"] == ["citadels"]
    for one in installer["Installers"]:
        machine = {"x64": "x86_64", "arm64": "arm64"}[one["Architecture"]]
        assert one["InstallerUrl"].endswith(f"citadels-windows-{machine}.exe")


def test_the_formula_agrees_with_homebrew_s_rules_of_names_and_words(release: Path) -> None:
    text = (release / "citadels-p2p.rb").read_text(encoding="utf-8")
    assert text.startswith("class CitadelsP2p < Formula\n"), "the class is the file's name"
    [about] = re.findall(r'^  desc "(.+)"$', text, re.MULTILINE)
    assert len(about) < 80
    assert not re.match(r"(A|An|The)\b|.*\.$", about)


@pytest.mark.skipif(shutil.which("ruby") is None, reason="there is no Ruby here")
def test_ruby_can_read_the_formula(release: Path) -> None:
    ran = subprocess.run(
        ["ruby", "-wc", str(release / "citadels-p2p.rb")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "Syntax OK\n", "")
