"""Shell: recipes for Homebrew and winget, filled in for a release.

`python packaging/recipes.py ADDRESS [FOLDER]`: ADDRESS is the repository's on GitHub, FOLDER
(else `dist`) has the single files of every system, and is given the recipes too. In
`packaging/recipes`, `@version@` stands for the project's version, `@address@` for the address,
and `@FILE@` for the SHA-256 of that file.
"""

from __future__ import annotations

import re
import sys
import tomllib
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEMPLATES = Path(__file__).with_name("recipes")


def fill(template: str, version: str, address: str, folder: Path) -> str:
    """The recipe. SystemExit where a file that it names is not there."""

    def value(place: re.Match[str]) -> str:
        name = place[1]
        if name in ("version", "address"):
            return version if name == "version" else address
        if not (folder / name).is_file():
            raise SystemExit(f"{folder / name} is not there, and a recipe wants its hash")
        return sha256((folder / name).read_bytes()).hexdigest()

    return re.sub(r"@([\w.-]+)@", value, template)


def main(address: str, folder: Path) -> None:
    """Write every recipe, or none."""
    if not re.fullmatch(r"https://[\w.-]+(/[\w.-]+)+", address):
        raise SystemExit(f"{address} is not the address of a repository: https://…")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    recipes = {
        folder / path.name: fill(
            path.read_text(encoding="utf-8"), project["version"], address, folder
        )
        for path in sorted(TEMPLATES.iterdir())
    }
    for path, recipe in recipes.items():
        path.write_text(recipe, encoding="utf-8", newline="\n")
        print(path)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    main(sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "dist")
